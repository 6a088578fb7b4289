"""Pages of search results: every sample read in full, and what is no answer told apart."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest

from connectors.exceptions import Defect, NotAnAnswerError, OverLimitError, RefusedError
from connectors.openbesluitvorming.parse import SearchPage, search_page
from connectors.records import Certainty, DateMeaning, Hit, Kind, Moment, Total
from tests.connectors.openbesluitvorming.support import (
    ERMELO_FILE,
    FETCHED,
    LIVE,
    STAND_INS,
    answer,
    good,
    page,
    refusal,
    row,
    sample,
)

VIEW = "https://openbesluitvorming.nl/?view="
ERMELO = Hit(
    platform="openbesluitvorming",
    upstream_id="document:notubiz:gemeente:ermelo:16678798",
    title="Ingekomen stukken raad 12 maart 2026",
    organisation="Gemeente Ermelo",
    organisation_id="gemeente-ermelo",
    kind=Kind.DOCUMENT,
    kind_at_source="Document",
    date=Moment(date(2026, 3, 12), DateMeaning.MEETING_OR_CHANGE, datetime(2026, 3, 12, 18, 30, tzinfo=UTC)),
    snippet="Brief van een inwoner over de woningbouw aan de Horsterweg, ter afdoening naar het college",
    address=f"{VIEW}document%3Anotubiz%3Agemeente%3Aermelo%3A16678798&page=2",
    original=ERMELO_FILE,
    fetched_at=FETCHED,
    page=2,
    pages_searched=3,
    pages_in_all=3,
    same_as=(
        "raad:notubiz:document:gemeente-ermelo:16678798",
        f"adres:{ERMELO_FILE.removeprefix('https://')}",
    ),
)
ALKMAAR = Hit(
    platform="openbesluitvorming",
    upstream_id="motion:notubiz:gemeente:alkmaar:1124979",
    title="15-A-1 Amendement - GL PvdA - Geotechnisch onderzoek mogelijkheden woningbouw op die plek",
    organisation="Gemeente Alkmaar",
    organisation_id="gemeente-alkmaar",
    kind=Kind.AMENDEMENT,
    kind_at_source="Motie",
    date=Moment(date(2026, 1, 22), DateMeaning.MEETING_OR_MOTION, datetime(2026, 1, 22, 18, 30, tzinfo=UTC)),
    snippet=(
        "15-A-1 Amendement - GL PvdA - Geotechnisch onderzoek mogelijkheden woningbouw op die plek "
        "Moties Amendement verworpen"
    ),
    address=f"{VIEW}motion%3Anotubiz%3Agemeente%3Aalkmaar%3A1124979",
    original=None,
    fetched_at=FETCHED,
    same_as=("raad:notubiz:motion:gemeente-alkmaar:1124979",),
)
UTRECHT = Hit(
    platform="openbesluitvorming",
    upstream_id="document:ibabs:gemeente:utrecht:cc872c5d-ca9f-4d7b-828c-5816333910ff",
    title="M25 Vergroen Amerhof – Van stenen tapijt naar ontmoetingsplek in het groen",
    organisation="Gemeente Utrecht",
    organisation_id="gemeente-utrecht",
    kind=Kind.DOCUMENT,
    kind_at_source="Document",
    date=Moment(date(2026, 1, 29), DateMeaning.MEETING_OR_CHANGE),
    snippet=(
        "M25 Vergroen Amerhof – Van stenen tapijt naar ontmoetingsplek in het groen Moties M25 Vergroen Amerhof.pdf"
    ),
    address=f"{VIEW}document%3Aibabs%3Agemeente%3Autrecht%3Acc872c5d-ca9f-4d7b-828c-5816333910ff",
    original="https://api1.ibabs.eu/publicdownload.aspx?site=Utrecht&id=cc872c5d-ca9f-4d7b-828c-5816333910ff",
    fetched_at=FETCHED,
    pages_searched=2,
    same_as=(
        "raad:ibabs:document:gemeente-utrecht:cc872c5d-ca9f-4d7b-828c-5816333910ff",
        "adres:api1.ibabs.eu/publicdownload.aspx?id=cc872c5d-ca9f-4d7b-828c-5816333910ff&site=Utrecht",
    ),
)
BAARN = Hit(
    platform="openbesluitvorming",
    upstream_id="document:notubiz:gemeente:baarn:13165092",
    title="13165092.pdf",
    organisation="Gemeente Baarn",
    organisation_id="gemeente-baarn",
    kind=Kind.DOCUMENT,
    kind_at_source="Document",
    date=None,
    snippet="",
    address=f"{VIEW}document%3Anotubiz%3Agemeente%3Abaarn%3A13165092",
    original="https://api.notubiz.nl/document/13165092/1",
    fetched_at=FETCHED,
    same_as=("raad:notubiz:document:gemeente-baarn:13165092", "adres:api.notubiz.nl/document/13165092/1"),
)
ALTENA = Hit(
    platform="openbesluitvorming",
    upstream_id="motion:notubiz:gemeente:altena:1184235",
    title="Vergunningverlening rond geitenhouderijen",
    organisation="Gemeente Altena",
    organisation_id="gemeente-altena",
    kind=Kind.MOTIE,
    kind_at_source="Motie",
    date=Moment(date(2026, 7, 7), DateMeaning.MEETING_OR_MOTION, datetime(2026, 7, 7, 14, 0, tzinfo=UTC)),
    snippet="Vergunningverlening rond geitenhouderijen Moties aangenomen CDA SGP",
    address=f"{VIEW}motion%3Anotubiz%3Agemeente%3Aaltena%3A1184235",
    original=None,
    fetched_at=FETCHED,
    same_as=("raad:notubiz:motion:gemeente-altena:1184235",),
)
SCHAGEN = Hit(
    platform="openbesluitvorming",
    upstream_id="meeting:notubiz:gemeente:schagen:1524240",
    title="Vergadering 2026-08-19 19:30:00",
    organisation="Gemeente Schagen",
    organisation_id="gemeente-schagen",
    kind=Kind.VERGADERING,
    kind_at_source="Vergadering",
    date=Moment(date(2026, 8, 19), DateMeaning.MEETING, datetime(2026, 8, 19, 19, 30, tzinfo=UTC)),
    snippet="Vergadering 2026-08-19 19:30:00 Agenda",
    address=f"{VIEW}meeting%3Anotubiz%3Agemeente%3Aschagen%3A1524240",
    original=None,
    fetched_at=FETCHED,
    same_as=("raad:notubiz:meeting:gemeente-schagen:1524240",),
)


def pages(
    hits: tuple[Hit, ...], value: int, certainty: Certainty = Certainty.EXACT, *, more: bool = False
) -> SearchPage:
    return SearchPage(hits, len(hits), 0, Total(value, certainty), more, FETCHED)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("search_hits", pages((ERMELO, ALKMAAR, UTRECHT, BAARN), 4)),
        ("search_motions", pages((ALTENA, ALKMAAR), 2)),
        ("search_browse_organization", pages((SCHAGEN,), 412, more=True)),
        ("search_large_approximate", pages((ERMELO, UTRECHT), 146_000, Certainty.ESTIMATE, more=True)),
        ("search_beyond_reach", pages((), 146_000, Certainty.ESTIMATE)),
        ("search_empty", pages((), 0)),
    ],
)
def test_a_recorded_page_is_read_in_full(name: str, expected: SearchPage) -> None:
    assert search_page(good(name), LIVE) == expected


def test_the_result_that_was_recorded_from_the_live_platform_is_read_in_full() -> None:
    assert search_page(page(sample("recorded_search_result_schagen")), LIVE).hits == (SCHAGEN,)


def test_with_the_stand_ins_hits_lead_to_our_own_pages() -> None:
    hit = search_page(good("search_hits"), STAND_INS).hits[0]

    own = "http://127.0.0.1:8000/document/openbesluitvorming/document:notubiz:gemeente:ermelo:16678798"
    assert hit == replace(ERMELO, address=own)


def one(**fields: Any) -> Hit:
    return search_page(page(row(1, **fields)), LIVE).hits[0]


def test_a_water_board_is_named_as_one() -> None:
    """Field report 14."""
    hit = one(entityId="document:ibabs:waterschap:de-dommel:7", organization="De Dommel")

    assert (hit.organisation, hit.organisation_id) == ("Waterschap De Dommel", "waterschap-de-dommel")


def test_a_body_of_a_kind_we_do_not_know_keeps_the_name_that_the_platform_gives() -> None:
    hit = one(entityId="document:ibabs:omgevingsdienst:ijmond:7", organization="IJmond")

    assert (hit.organisation, hit.organisation_id) == ("IJmond", None)


def test_a_recording_opens_with_its_meeting_when_the_platform_names_it() -> None:
    recording = {"entityId": "recording:notubiz:gemeente:ede:9", "entityType": "Recording", "entityTypeLabel": "Opname"}
    hit = one(**recording, meetingId="meeting:notubiz:gemeente:ede:5")

    assert (hit.upstream_id, hit.kind, hit.kind_at_source) == (
        "meeting:notubiz:gemeente:ede:5",
        Kind.VERGADERING,
        "Opname",
    )
    assert one(**recording).upstream_id == "recording:notubiz:gemeente:ede:9"


@pytest.mark.parametrize("address", ["javascript:alert(1)", "/etc/passwd", 5, None])
def test_an_original_that_is_no_web_address_is_left_out(address: object) -> None:
    assert one(downloadUrl=address).original is None


@pytest.mark.parametrize(
    ("field", "value"),
    [("date", "Datum onbekend"), ("sortDate", "1899-12-30T00:00:00Z"), ("sortDate", None), ("sortDate", 5)],
)
def test_a_hit_without_a_true_date_has_none(field: str, value: object) -> None:
    """Field report 12."""
    assert one(**{field: value}).date is None


@pytest.mark.parametrize("title", ["", "  ", "\x00"])
def test_a_hit_with_a_blank_title_is_called_untitled(title: str) -> None:
    assert one(title=title).title == "Ongetiteld document"


@pytest.mark.parametrize("matched", [0, -1, "2", 1.5, True, None])
def test_an_odd_page_number_is_left_out(matched: object) -> None:
    hit = one(matchedPage=matched)

    assert hit.page is None
    assert "&page" not in hit.address


WRONG_ROWS: list[Any] = [
    None,
    "rij",
    [],
    {},
    row(entityId=None),
    row(entityId="document:notubiz:gemeente:ede"),
    row(entityId="document:notubiz:gemeente:ede:1/../2"),
    row(entityId="committee:notubiz:gemeente:ede:1"),
    row(title=None),
    row(title=["Stuk"]),
    row(entityType="Resultaat"),
    row(entityType="Meeting"),
]


@pytest.mark.parametrize("wrong", WRONG_ROWS)
def test_a_row_of_another_shape_is_left_out_and_counted(wrong: object) -> None:
    read = search_page(page(row(1), wrong, row(2)), LIVE)

    assert [hit.upstream_id.rpartition(":")[2] for hit in read.hits] == ["1", "2"]
    assert (read.rows, read.skipped) == (3, 1)


@pytest.mark.parametrize("wrong", WRONG_ROWS)
def test_a_page_of_nothing_but_wrong_rows_is_no_answer(wrong: object) -> None:
    with pytest.raises(NotAnAnswerError) as failure:
        search_page(page(wrong), LIVE)

    assert failure.value.defect is Defect.WRONG_SHAPE


@pytest.mark.parametrize("total", [None, "412", -1, True, 1.5, [], 10**400])
def test_a_total_that_is_no_number_is_unknown(total: object) -> None:
    body = {"results": [row()], "totalCount": total, "totalIsApproximate": False, "hasMore": False}

    assert search_page(answer(body), LIVE).total == Total(None, Certainty.UNKNOWN)


def test_a_total_that_is_not_called_exact_is_an_estimate() -> None:
    """Field reports 3 and 4."""
    read = search_page(answer({"results": [row()], "totalCount": 407}), LIVE)

    assert read.total == Total(407, Certainty.ESTIMATE)


def test_an_empty_page_is_the_end_even_when_it_promises_more() -> None:
    """Field report 2."""
    assert not search_page(page(total=50, more=True), LIVE).has_more


@pytest.mark.parametrize(("offset", "more"), [(0, True), (48, True), (49, False), (72, False)])
def test_without_a_word_on_more_the_total_tells(offset: int, more: bool) -> None:
    body = {"results": [row()], "totalCount": 50, "totalIsApproximate": False}

    assert search_page(answer(body), LIVE, offset=offset).has_more is more


@pytest.mark.parametrize(
    ("body", "headers", "defect"),
    [
        (b"", {}, Defect.EMPTY),
        (b"  \n", {"content-type": "application/json"}, Defect.EMPTY),
        (b"<!DOCTYPE html><html><body>Even geduld</body></html>", {"content-type": "text/html"}, Defect.HTML),
        (b'{"results": [{"entityId": "docu', {"content-type": "application/json"}, Defect.CUT_OFF),
        (b"Niet gevonden", {"content-type": "text/plain;charset=UTF-8"}, Defect.WRONG_TYPE),
        (b"[]", {"content-type": "application/json"}, Defect.WRONG_SHAPE),
        (b"{}", {"content-type": "application/json"}, Defect.WRONG_SHAPE),
        (b'{"results": {}}', {"content-type": "application/json"}, Defect.WRONG_SHAPE),
        (b'{"code": "search_failed", "error": "Zoeken mislukt."}', {}, Defect.ERROR_IN_200),
        (b'{"error": "Zoeken mislukt."}', {}, Defect.ERROR_IN_200),
    ],
)
def test_a_body_that_is_no_answer_is_a_failure_with_a_name(
    body: bytes, headers: dict[str, str], defect: Defect
) -> None:
    with pytest.raises(NotAnAnswerError) as failure:
        search_page(answer(body, headers=headers), LIVE)

    assert failure.value.defect is defect


@pytest.mark.parametrize(
    ("name", "status", "code"),
    [
        ("error_400_invalid_date", 400, "invalid_date"),
        ("error_400_invalid_limit", 400, "invalid_limit"),
        ("error_400_invalid_offset", 400, "invalid_offset"),
        ("error_400_unknown_entity_type", 400, "unknown_entity_type"),
        ("error_400_unknown_organization", 400, "unknown_organization"),
        ("error_400_unknown_sort", 400, "unknown_sort"),
        ("error_404_unknown_api_path", 404, ""),
        ("error_500_search_failed", 500, "search_failed"),
        ("error_500_search_failed_old_shape", 500, ""),
        ("error_502_gateway", 502, ""),
    ],
)
def test_a_refusal_carries_status_and_code(name: str, status: int, code: str) -> None:
    with pytest.raises(RefusedError) as failure:
        search_page(refusal(name), LIVE)

    assert (failure.value.status, failure.value.code) == (status, code)
    assert not isinstance(failure.value, OverLimitError)


@pytest.mark.parametrize(("name", "seconds"), [("error_429_rate_limited", 1), ("error_429_rate_limited_old_shape", 3)])
@pytest.mark.parametrize("with_header", [True, False])
def test_too_much_asked_says_how_long_to_wait(name: str, seconds: int, with_header: bool) -> None:
    recorded = refusal(name)
    headers = recorded.headers if with_header else {}

    with pytest.raises(OverLimitError) as failure:
        search_page(replace(recorded, headers=headers), LIVE)

    assert (failure.value.status, failure.value.retry_after) == (429, seconds)


@pytest.mark.parametrize("wait", [None, "3", -1, 0, 1e9, True])
def test_too_much_asked_without_a_sensible_time_means_a_second(wait: object) -> None:
    with pytest.raises(OverLimitError) as failure:
        search_page(answer({"retry_after_seconds": wait}, 429), LIVE)

    assert failure.value.retry_after == 1


@pytest.mark.parametrize("code", ["Bearer secret", "a" * 100, 5, None, "<b>"])
def test_a_code_that_is_no_machine_word_is_not_repeated(code: object) -> None:
    with pytest.raises(RefusedError) as failure:
        search_page(answer({"code": code, "error": "x"}, 500), LIVE)

    assert failure.value.code == ""
