"""Answers by script: off without an address, and every way in which an answer can be no answer."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest

from connectors.addresses import Addresses, PlatformMode
from connectors.archived import ArchivedCopy
from connectors.connector import Connector
from connectors.exceptions import (
    Defect,
    NotAnAnswerError,
    NotSupportedError,
    OverLimitError,
    RefusedError,
    SwitchedOffError,
    TooSlowError,
    Unsupported,
)
from connectors.open_archivaris.connector import OpenArchivaris
from connectors.open_archivaris.field_map import read_field_map
from connectors.platforms import OPEN_ARCHIVARIS
from connectors.records import Certainty, DateMeaning, Moment, Note, NoteCode, Total
from search import citations, texts
from search.answers import State
from search.federation import failed
from tests.connectors.open_archivaris.support import (
    ADDRESS,
    CONNECTOR,
    FETCHED,
    LIVE,
    OFF,
    PAGES,
    PROPOSED,
    Script,
    answer,
    page,
    query,
    row,
)

pytestmark = pytest.mark.anyio
OFF_CONNECTOR = OpenArchivaris(OFF)
LIVE_CONNECTOR = OpenArchivaris(LIVE)


async def test_live_without_an_address_nothing_is_asked_and_every_function_says_why() -> None:
    ask = Script()
    for work in (
        OFF_CONNECTOR.search(query("x"), ask),
        OFF_CONNECTOR.document("oa-0001", ask),
        OFF_CONNECTOR.lists(ask),
        OFF_CONNECTOR.load_status(ask),
    ):
        with pytest.raises(SwitchedOffError) as off:
            await work
        assert off.value.reason is Unsupported.SWITCHED_OFF
    (result,) = await OFF_CONNECTOR.check(ask)
    assert not result.ok
    assert "staat uit" in result.seen
    assert "BESLUITBRON_OPEN_ARCHIVARIS_ADRES" in result.seen
    assert ask.calls == []


def test_a_page_says_in_dutch_that_the_source_is_off() -> None:
    off = failed(OPEN_ARCHIVARIS, SwitchedOffError(OPEN_ARCHIVARIS.key))
    assert off.state is State.NOT_SUPPORTED
    said = texts.state(off, FETCHED)
    assert "Open Archivaris staat hier uit" in said
    assert "geen openbaar adres" in said


async def test_live_with_an_address_it_is_asked_there() -> None:
    service = OPEN_ARCHIVARIS.service("api")
    assert LIVE.base(OPEN_ARCHIVARIS, service) == ADDRESS
    assert OFF.base(OPEN_ARCHIVARIS, service) == ""
    trial = Addresses(PlatformMode.STAND_INS, "http://127.0.0.1:8001", PAGES, LIVE.given)
    assert trial.base(OPEN_ARCHIVARIS, service) == "http://127.0.0.1:8001/open-archivaris/api"
    assert (await LIVE_CONNECTOR.search(query("x"), Script(page(row())))).hits


async def test_the_original_is_always_cited_and_the_kept_copy_with_its_date() -> None:
    (hit,) = (await LIVE_CONNECTOR.search(query("x"), Script(page(row())))).hits
    assert hit.address == hit.original == "https://ede.example.org/stuk-1.pdf"
    assert hit.archived == ArchivedCopy("https://archief.example.org/stuk/oa-0001", date(2024, 3, 1))
    assert citations.reference(hit) == (
        "Gemeente Ede, ‘Raadsvoorstel 1’, voorstel, 1 februari 2024, https://ede.example.org/stuk-1.pdf, "
        "bewaarde kopie van 1 maart 2024: https://archief.example.org/stuk/oa-0001"
    )
    assert texts.archived(hit.archived) == "De bron bewaarde op 1 maart 2024 een kopie."


async def test_when_the_original_is_gone_that_is_said_in_words() -> None:
    (hit,) = (await LIVE_CONNECTOR.search(query("x"), Script(page(row(originalGone=True))))).hits
    assert (hit.address, hit.original) == ("https://ede.example.org/stuk-1.pdf", None)
    assert "stuk-1.pdf (niet meer beschikbaar), bewaarde kopie van 1 maart 2024:" in citations.reference(hit)
    assert texts.archived(hit.archived) == (
        "Het origineel staat niet meer op zijn adres. De bron bewaarde op 1 maart 2024 een kopie."
    )
    (bare,) = (
        await LIVE_CONNECTOR.search(query("x"), Script(page(row(originalGone=True, archivedOn=None, archiveUrl=None))))
    ).hits
    assert citations.reference(bare).endswith("stuk-1.pdf (niet meer beschikbaar)")
    assert texts.archived(bare.archived) == "Het origineel staat niet meer op zijn adres. De bron bewaarde een kopie."


@pytest.mark.parametrize(
    ("created", "expected"),
    [
        ("2024-02-01", Moment(date(2024, 2, 1), DateMeaning.DOCUMENT)),
        (
            "2024-01-31T23:30:00Z",
            Moment(date(2024, 2, 1), DateMeaning.DOCUMENT, datetime(2024, 1, 31, 23, 30, tzinfo=UTC)),
        ),
        (None, None),
        ("", None),
        ("1899-12-30", None),
        ("0001-01-01", None),
        ("9999-12-31", None),
        ("vorige week", None),
        (20240201, None),
    ],
)
async def test_a_date_is_what_the_answer_says_and_none_is_made_up(created: Any, expected: Moment | None) -> None:
    """Field reports 10 and 12."""
    (hit,) = (await CONNECTOR.search(query("x"), Script(page(row(createdOn=created))))).hits
    assert hit.date == expected


async def test_a_hit_that_shows_a_day_outside_the_period_is_left_out() -> None:
    asked = query("x", date_from=date(2024, 1, 1), date_until=date(2024, 1, 31))
    rows = page(row(1, createdOn="2024-01-15"), row(2, createdOn="2024-02-01"), row(3, createdOn=None), total=3)
    found = await CONNECTOR.search(asked, Script(rows))
    assert [hit.upstream_id for hit in found.hits] == ["oa-0001"]
    assert found.total == Total(1, Certainty.AT_LEAST)


async def test_a_total_without_hits_in_a_period_is_asked_again_without_it() -> None:
    """Field report 1."""
    script = Script(page(total=9933), page(row(1, createdOn="2024-01-15"), row(2, createdOn="2020-01-01"), total=9933))
    found = await CONNECTOR.search(query("begroting", date_from=date(2024, 1, 1)), script)
    assert [hit.upstream_id for hit in found.hits] == ["oa-0001"]
    assert "createdFrom" in script.params(0)
    assert "createdFrom" not in script.params(1)
    assert found.notes == (Note(NoteCode.ASKED_WITHOUT_PERIOD),)
    assert found.total == Total(1, Certainty.AT_LEAST)


async def test_a_total_without_hits_is_a_fault_of_the_source() -> None:
    """Field report 1."""
    found = await CONNECTOR.search(query("begroting"), Script(page(total=12)))
    assert found.notes == (Note(NoteCode.TOTAL_WITHOUT_HITS),)


async def test_an_empty_page_is_the_end_whatever_it_says_itself() -> None:
    """Field report 2."""
    found = await CONNECTOR.search(query("x", number=4), Script(page(total=12, after=5)))
    assert (found.hits, found.has_more, found.notes) == ((), False, ())


@pytest.mark.parametrize(
    ("total", "exact", "expected"),
    [
        (5, True, Total(5, Certainty.EXACT)),
        (5, False, Total(5, Certainty.ESTIMATE)),
        (5, None, Total(5, Certainty.ESTIMATE)),
        (5, "true", Total(5, Certainty.ESTIMATE)),
        ("5", True, Total(None, Certainty.UNKNOWN)),
        (-1, True, Total(None, Certainty.UNKNOWN)),
        (1, True, Total(2, Certainty.AT_LEAST)),
    ],
)
async def test_a_total_is_as_certain_as_the_platform_says(total: Any, exact: Any, expected: Total) -> None:
    """Field report 4."""
    found = await CONNECTOR.search(query("x"), Script(page(row(1), row(2), total=total, exact=exact)))
    assert found.total == expected


@pytest.mark.parametrize(("after", "more"), [(2, True), (None, False), (False, False), ("", False), (0, False)])
async def test_more_follows_when_the_platform_names_a_next_page(after: Any, more: bool) -> None:
    found = await CONNECTOR.search(query("x"), Script(page(row(), total=1 + more, after=after)))
    assert found.has_more is more


async def test_without_a_next_page_in_the_map_the_total_says_whether_more_follows() -> None:
    connector = OpenArchivaris(LIVE, read_field_map(PROPOSED.replace('next_page = "nextPage"\n', "")))
    assert (await connector.search(query("x"), Script(page(row(), total=26)))).has_more
    assert not (await connector.search(query("x", number=2), Script(page(row(), total=26)))).has_more


@pytest.mark.parametrize(
    "changes",
    [
        {"id": None},
        {"id": "../x"},
        {"id": True},
        {"title": None},
        {"title": 3},
        {"originalUrl": None},
        {"originalUrl": "javascript:alert(1)"},
        {"originalUrl": "https://a b.nl"},
    ],
)
async def test_a_row_that_cannot_be_opened_named_or_cited_is_left_out_and_counted(changes: dict[str, Any]) -> None:
    found = await CONNECTOR.search(query("x"), Script(page(row(1), row(2, **changes), total=2)))
    assert [hit.upstream_id for hit in found.hits] == ["oa-0001"]
    assert found.notes == (Note(NoteCode.ROWS_SKIPPED, ("1",)),)
    with pytest.raises(NotAnAnswerError) as failure:
        await CONNECTOR.search(query("x"), Script(page(row(1, **changes))))
    assert (failure.value.defect, failure.value.where) == (Defect.WRONG_SHAPE, "items[]")


@pytest.mark.parametrize(
    ("body", "defect", "where"),
    [
        (b"", Defect.EMPTY, ""),
        (b"<!DOCTYPE html><p>", Defect.HTML, ""),
        (b'{"items": [', Defect.CUT_OFF, ""),
        (b"[]", Defect.WRONG_SHAPE, "root"),
        (b"{}", Defect.WRONG_SHAPE, "items"),
        (b'{"items": {}}', Defect.WRONG_SHAPE, "items"),
        (b'{"results": []}', Defect.WRONG_SHAPE, "items"),
        (b'{"error": "Unsupported parameter value"}', Defect.ERROR_IN_200, ""),
    ],
)
async def test_a_body_that_is_no_answer_is_a_failure_with_a_name_and_never_no_results(
    body: bytes, defect: Defect, where: str
) -> None:
    """Field reports 33 and 34."""
    with pytest.raises(NotAnAnswerError) as failure:
        await CONNECTOR.search(query("x"), Script(answer(body)))
    assert (failure.value.defect, failure.value.where) == (defect, where)


async def test_a_refusal_has_its_status_and_the_platforms_own_word() -> None:
    """Field report 36 for the limit."""
    refusal = answer({"error": {"code": "invalid_date", "message": "geheim"}}, 400)
    with pytest.raises(RefusedError) as failure:
        await CONNECTOR.search(query("x"), Script(refusal))
    assert (failure.value.status, failure.value.code) == (400, "invalid_date")
    with pytest.raises(RefusedError) as failure:
        await CONNECTOR.search(query("x"), Script(answer({"error": {"code": "woorden van de vraag"}}, 500)))
    assert (failure.value.status, failure.value.code) == (500, "")
    with pytest.raises(OverLimitError) as over:
        await CONNECTOR.search(query("x"), Script(answer(b"", 429, {"retry-after": "7"})))
    assert over.value.retry_after == 7


@pytest.mark.parametrize(
    ("body", "name", "identifier"),
    [
        ({"code": "GM0228", "label": "Anders", "kind": "gemeente"}, "Gemeente Ede", "gemeente-ede"),
        ({"code": "WS99", "label": "De Dommel", "kind": "waterschap"}, "Waterschap De Dommel", "waterschap-de-dommel"),
        ({"code": None, "label": "Nieuwstad", "kind": "gemeente"}, "Gemeente Nieuwstad", "gemeente-nieuwstad"),
        ({"code": None, "label": "gemeente Ede", "kind": None}, "Gemeente Ede", "gemeente-ede"),
        ({"code": "X", "label": "Regio Foodvalley", "kind": "regio"}, "Regio Foodvalley", None),
        ({"code": None, "label": None, "kind": None}, "organisatie onbekend", None),
        (None, "organisatie onbekend", None),
    ],
)
async def test_a_body_is_one_of_the_register_where_it_can_be(body: Any, name: str, identifier: str | None) -> None:
    """Field report 14."""
    (hit,) = (await CONNECTOR.search(query("x"), Script(page(row(body=body))))).hits
    assert (hit.organisation, hit.organisation_id) == (name, identifier)


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("Kosten &amp; baten", "Kosten & baten"),
        ("Het <em>warmtenet</em> van Ede", "Het warmtenet van Ede"),
        ("a < b", "a < b"),
        ("regel\nregel\x00", "regel regel"),
        ("<script>x</script>Stuk", "Stuk"),
        ("   ", "Ongetiteld stuk"),
    ],
)
async def test_titles_are_plain_text(sent: str, shown: str) -> None:
    (hit,) = (await CONNECTOR.search(query("x"), Script(page(row(title=sent))))).hits
    assert hit.title == shown


async def test_the_state_of_the_platform_is_the_last_successful_load_of_each_body() -> None:
    """Field reports 16 and 17: loaded lately is all that it says."""
    rows = [
        {"code": "GM0228", "label": "Ede", "kind": "gemeente", "lastSuccess": "2026-11-28T02:00:00Z", "documents": 12},
        {"code": "WS1", "label": "De Dommel", "kind": "waterschap", "lastSuccess": None, "documents": None},
        {"label": None},
        3,
    ]
    body = {"generatedAt": "2026-11-28T04:00:00+00:00", "bodies": rows}
    status = await CONNECTOR.load_status(Script(answer(body)))
    assert status.generated_at == datetime(2026, 11, 28, 4, tzinfo=UTC)
    assert [(one.key, one.label, one.state, one.documents) for one in status.organisations] == [
        ("GM0228", "Gemeente Ede", "geladen", 12),
        ("WS1", "Waterschap De Dommel", "nooit geladen", None),
    ]
    assert status.organisations[0].last_success == datetime(2026, 11, 28, 2, tzinfo=UTC)
    lists = await CONNECTOR.lists(Script(answer(body)))
    assert [one.id for one in lists.organisations] == ["gemeente-ede", "waterschap-de-dommel"]
    with pytest.raises(NotAnAnswerError):
        await CONNECTOR.load_status(Script(answer({"bodies": [3]})))


async def test_a_map_without_a_state_has_no_load_status() -> None:
    without = PROPOSED[: PROPOSED.index("[health]")] + PROPOSED[PROPOSED.index("[body_kinds]") :]
    connector = OpenArchivaris(LIVE, read_field_map(without))
    assert not connector.capabilities.load_status
    with pytest.raises(NotSupportedError):
        await connector.load_status(Script())
    assert len(await connector.check(Script(page(row()), answer({"item": row(), "text": []})))) == 2


HEALTHY = {"generatedAt": None, "bodies": [{"code": "GM0228", "label": "Ede", "kind": "gemeente"}]}
LOADED = {**HEALTHY["bodies"][0], "lastSuccess": "2026-11-28T02:00:00Z", "documents": 1}  # type: ignore[index]


async def test_a_check_names_what_is_missing_and_what_is_unknown() -> None:
    """Field report 35: a changed version is seen before people see it."""
    renamed = {name: value for name, value in row().items() if name != "snippet"} | {"fragment": "x"}
    script = Script(
        page(renamed),
        answer({"item": row(), "text": [{"nr": 1, "text": "a"}]}),
        answer(HEALTHY),
    )
    search, opened, health = await LIVE_CONNECTOR.check(script)
    assert not search.ok
    assert search.seen.endswith("; ontbreekt: snippet; onbekend: fragment")
    assert not opened.ok
    assert opened.seen.endswith("; ontbreekt: number; onbekend: nr")
    assert not health.ok
    assert health.seen.endswith("; ontbreekt: lastSuccess, documents")


async def test_a_check_of_a_platform_as_mapped_is_green_and_nothing_is_raised_where_it_is_not() -> None:
    good = Script(page(row()), answer({"item": row(), "text": []}), answer({**HEALTHY, "bodies": [LOADED]}))
    assert all(result.ok for result in await LIVE_CONNECTOR.check(good))
    dead = Script(*[TooSlowError("open-archivaris", 20.0)] * 2)
    results = await LIVE_CONNECTOR.check(dead)
    assert [result.ok for result in results] == [False, False, False]
    assert results[1].seen.startswith("overgeslagen")
    nothing_found = Script(page(), answer({**HEALTHY, "bodies": [LOADED]}))
    assert not (await LIVE_CONNECTOR.check(nothing_found))[0].ok  # field report 31


def test_it_is_a_connector_with_each_body_once() -> None:
    connector: Connector = CONNECTOR
    ids = [one.id for one in connector.organisations()]
    assert len(ids) == len(set(ids)) > 300
    weesp = next(one for one in connector.organisations() if one.id == "gemeente-weesp")
    assert (weesp.ended, weesp.successor) == (date(2022, 3, 24), "gemeente-amsterdam")  # field report 13
    assert replace(weesp, keys=()).key_at("open-archivaris") is None
