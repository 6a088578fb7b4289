from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta, timezone

import pytest

from connectors.exceptions import Defect, NotAnAnswerError, OverLimitError, RefusedError
from connectors.records import DateMeaning, Kind, Moment, Sort
from connectors.tweede_kamer.answers import rows_of
from connectors.tweede_kamer.hits import HitPage, hit_of, hit_page
from connectors.tweede_kamer.ids import Entity
from connectors.tweede_kamer.parties import group_page
from connectors.tweede_kamer.plan import Stream, make_plan
from connectors.tweede_kamer.versions import V4, V5, Version
from tests.connectors.tweede_kamer.helpers import FETCHED, answer, pages, sample, sample_answer, sample_json, words

SUMMER = timezone(timedelta(hours=2))


def stream(kind: Kind = Kind.MOTIE, *terms: str) -> Stream:
    return make_plan(words(*terms, kinds=frozenset({kind}), sort=Sort.NEWEST)).streams[0]


def page(name: str, kind: Kind = Kind.MOTIE, version: Version = V4, *terms: str) -> HitPage:
    return hit_page(sample_answer(name), stream(kind, *terms), pages(version))


@pytest.mark.parametrize(
    ("name", "version"),
    [("document_search_hits.constructed.json", V4), ("v5_document_search_hits.constructed-uncertain.json", V5)],
)
def test_documents_are_read_under_the_names_of_each_version(name: str, version: Version) -> None:
    found = page(name, version=version)
    first, second = found.hits
    assert (found.count, found.given, found.left_out, found.has_more) == (2, 2, 0, False)
    assert (first.upstream_id, second.upstream_id) == ("2026D45064", "2026D45065")
    assert (first.title, first.snippet) == (
        "Strategische inzet digitalisering",
        "Informatie- en communicatietechnologie (ICT)",
    )
    assert (first.kind, first.kind_at_source, second.kind) == (Kind.BRIEF, "Brief regering", Kind.DOCUMENT)
    assert first.date == Moment(date(2026, 9, 21), DateMeaning.DOCUMENT)
    assert first.address == "https://www.tweedekamer.nl/kamerstukken/detail?id=2026D45064&did=2026D45064"
    assert first.original == "https://www.tweedekamer.nl/downloads/document?id=2026D45064"
    assert (first.organisation, first.organisation_id) == ("Tweede Kamer", "tweede-kamer")


def test_under_the_wrong_version_a_row_is_still_found_by_its_guid() -> None:
    found = page("document_search_hits.constructed.json", version=V5)
    assert found.hits[0].upstream_id == "document:5b1f6f1c-0d0a-4f0e-9a51-000000045064"
    assert found.hits[0].address == (
        "https://gegevensmagazijn.tweedekamer.nl/OData/v5/Document(5b1f6f1c-0d0a-4f0e-9a51-000000045064)"
    )


def test_activities_of_both_versions_carry_the_hour_at_which_they_begin() -> None:
    for name, version in (
        ("activiteiten_list.constructed.json", V4),
        ("v5_activiteiten_select.constructed-uncertain.json", V5),
    ):
        (hit,) = page(name, Kind.VERGADERING, version).hits
        assert (hit.upstream_id, hit.kind, hit.kind_at_source) == ("2024A02517", Kind.VERGADERING, "Commissiedebat")
        assert hit.snippet == "Gepland · vaste commissie voor Digitale Zaken"
        assert hit.date is not None
        assert hit.date.day == date(2026, 9, 10)
        at = datetime(2026, 9, 10, 10, tzinfo=SUMMER) if version is V4 else None
        assert hit.date.at == at


def test_recorded_activities_are_read() -> None:
    rows = sample_json("activiteit_top3_with_headers.recorded.json")["data"]["value"]
    live = [row for row in rows if not row["Verwijderd"]]
    hits = [hit_of(row, Entity.ACTIVITY, pages(), FETCHED) for row in live]
    assert all(hit is not None and hit.kind_at_source and hit.title for hit in hits)


def test_commitments_are_called_by_what_was_promised() -> None:
    (hit,) = page("toezeggingen_list.constructed.json", Kind.TOEZEGGING).hits
    assert (hit.upstream_id, hit.kind, hit.kind_at_source) == ("TZ202603-130", Kind.TOEZEGGING, "Toezegging")
    assert hit.title.startswith("De staatssecretaris zegt toe de Kamer voor de zomer te informeren")
    assert "Openstaand" in hit.snippet
    assert hit.date == Moment(date(2026, 3, 12), DateMeaning.COMMITMENT)


def test_meetings_are_reports_with_their_hour() -> None:
    found = page("vergaderingen_with_verslag.constructed.json", Kind.VERSLAG)
    (hit,) = found.hits
    meeting = hit_of(
        sample_json("vergaderingen_with_verslag.constructed.json")["value"][0], Entity.MEETING, pages(), FETCHED
    )
    assert meeting is not None
    assert (meeting.upstream_id, meeting.kind) == ("vergadering:b1000000-0000-4000-8000-000000000001", Kind.VERSLAG)
    assert meeting.kind_at_source == "Vergadering (plenair)"
    assert meeting.date == Moment(date(2026, 7, 2), DateMeaning.MEETING, datetime(2026, 7, 2, 10, 15, tzinfo=SUMMER))
    assert meeting.address == (
        "https://gegevensmagazijn.tweedekamer.nl/OData/v4/2.0/Vergadering(b1000000-0000-4000-8000-000000000001)"
    )
    assert hit.title == meeting.title


def test_recorded_cases_are_read() -> None:
    rows = sample_json("zaak_search_hits.recorded-rows.json")["value"]
    hits = [hit_of(row, Entity.CASE, pages(), FETCHED) for row in rows]
    assert all(hit and hit.upstream_id == row["Nummer"] for hit, row in zip(hits, rows, strict=True))
    assert all(hit and hit.kind_at_source == row["Soort"] for hit, row in zip(hits, rows, strict=True))


def test_a_deleted_row_is_no_hit_and_an_unreadable_one_is_counted() -> None:
    """Field report 19."""
    deleted = sample_json("document_deleted_row.constructed.json")
    row = deleted.get("value", [deleted])[0]
    found = hit_page(answer({"value": [row, {"Id": None, "Onderwerp": "x"}, 3]}), stream(), pages())
    assert (found.hits, found.given, found.left_out) == ((), 3, 2)


def test_a_page_with_a_next_link_and_an_empty_one_are_read() -> None:
    found = page("document_page1_nextlink.constructed.json")
    assert len(found.hits) == found.given - found.left_out > 0
    empty = page("search_empty.constructed.json")
    assert (empty.hits, empty.count, empty.has_more) == ((), 0, False)


def test_recorded_documents_are_read() -> None:
    rows = sample_json("document_top3_with_headers.recorded.json")["data"]
    found = hit_page(answer(rows), stream(), pages())
    assert found.given == 3
    assert found.hits[0].upstream_id == "2017D09969"
    assert found.hits[0].kind is Kind.ANTWOORD


def test_words_that_are_ours_to_look_for_leave_rows_out() -> None:
    kept = hit_page(
        sample_answer("document_search_hits.constructed.json"), replace(stream(), own=("STARTNOTITIE",)), pages()
    )
    assert [hit.upstream_id for hit in kept.hits] == ["2026D45065"]


@pytest.mark.parametrize(
    ("name", "status", "code"),
    [
        ("error_400_node_count.constructed.json", 400, "node_count"),
        ("error_400_top.constructed.json", 400, "top"),
        ("error_400_unknown_property.constructed.json", 400, "unknown_field"),
        ("error_500.recorded.json", 500, ""),
        ("error_404_unknown_id.constructed.txt", 404, ""),
        ("error_503_varnish.constructed.html", 503, ""),
    ],
)
def test_a_refusal_has_a_name(name: str, status: int, code: str) -> None:
    with pytest.raises(RefusedError) as caught:
        rows_of(sample_answer(name, status))
    assert (caught.value.status, caught.value.code) == (status, code)


@pytest.mark.parametrize(
    ("body", "defect"),
    [
        (b"", Defect.EMPTY),
        (sample("error_503_varnish.constructed.html"), Defect.HTML),
        (sample("error_500.recorded.json"), Defect.ERROR_IN_200),
        (sample("search_empty.constructed.json")[:-9], Defect.CUT_OFF),
        (b'{"value": {}}', Defect.WRONG_SHAPE),
        (b"[]", Defect.WRONG_SHAPE),
    ],
)
def test_a_body_that_is_no_answer_is_never_no_results(body: bytes, defect: Defect) -> None:
    """Field reports 20 and 34."""
    with pytest.raises(NotAnAnswerError) as caught:
        rows_of(answer(body))
    assert caught.value.defect is defect


def test_asking_too_much_is_told_apart() -> None:
    """Field report 36."""
    with pytest.raises(OverLimitError):
        rows_of(answer(b"", 429))


def test_fracties_and_committees_keep_their_days() -> None:
    names = [group.item.name for group in group_page(sample_answer("fracties_list.recorded-rows.json")).groups]
    assert any("ChristenUnie" in name and "sinds" in name for name in names)
    mixed = group_page(sample_answer("fracties_list_mixed_active_inactive.constructed.json")).groups
    assert any(group.active_until for group in mixed)
    assert any(group.active_until is None for group in mixed)
    committees = group_page(sample_answer("commissies_list.constructed.json"))
    assert committees.given == 4
    assert len(committees.groups) == 3
    assert committees.groups[0].item.name == "Vaste commissie voor Asiel en Migratie (AM), sinds 02-07-2024"


def test_a_long_title_of_a_dossier_is_shown_around_the_word_that_was_looked_for() -> None:
    row = {"Id": "x", "DocumentNummer": "2026D00001", "Onderwerp": "Brief", "Titel": f"{'woord ' * 100}subsidie einde"}
    hit = hit_of(row, Entity.DOCUMENT, pages(), FETCHED, ("SUBSIDIE",))
    assert hit is not None
    assert hit.snippet.startswith("… woord")
    assert hit.snippet.endswith("subsidie einde")
