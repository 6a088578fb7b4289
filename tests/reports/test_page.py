"""What the page of a report prints, from the report: everything with its source, marks where the words are, nothing lost."""

from __future__ import annotations

from dataclasses import replace

from connectors.records import BodyKind, Organisation
from reports import page
from reports.overview import overview
from reports.page import body_view, entry_view, subject
from reports.records import Cut, CutReason, Entry, Wish
from search.organisations import Register
from search.same import SameItem
from tests.support.reports import TARGET, VOTES, a_hit, a_reading, a_report

EDE = Organisation("gemeente-ede", "Gemeente Ede", BodyKind.GEMEENTE)
REGISTER = Register.of([[EDE]])
FOUND = ("warmtenet",)


def test_what_a_report_is_of_is_said_in_words_with_its_filters_and_the_address_of_the_search() -> None:
    about = subject(Wish(TARGET), REGISTER)
    assert (about.typed, about.title, about.found) == ("warmtenet", "warmtenet", FOUND)
    assert [(chip.label, chip.value) for chip in about.filters] == [("organisatie", "Gemeente Ede")]
    assert about.address == f"/zoeken?{TARGET}"


def test_a_report_without_typed_words_is_called_after_its_filters() -> None:
    assert subject(Wish("organisatie=gemeente-ede"), REGISTER).title == "Gemeente Ede"
    assert subject(Wish(""), REGISTER).title == "alle stukken"


def test_a_question_that_cannot_be_read_any_more_still_has_its_address() -> None:
    about = subject(Wish("organisatie=gemeente-nergens"), REGISTER)
    assert (about.typed, about.filters, about.address) == ("", (), "/zoeken?organisatie=gemeente-nergens")


def test_every_word_of_the_question_is_marked_in_every_stretch_whatever_its_case() -> None:
    hit = a_hit(1)
    view = entry_view(Entry(SameItem((hit,)), a_reading(hit)), FOUND)
    marks = [segment.text for one in view.excerpts for segment in one.segments if segment.marked]
    assert marks == ["warmtenet", "Warmtenet"]
    first, second = view.excerpts
    assert (first.place, first.heading, first.link) == (
        "pagina 3",
        "Besluit",
        "/document/openbesluitvorming/stuk-1#pagina-3",
    )
    assert (second.place, second.link[-7:]) == ("deel 7", "#deel-7")


def test_a_thing_of_two_platforms_names_both_with_where_they_differ() -> None:
    (entry,) = a_report().overview.bodies[0].months[0].entries
    view = entry_view(entry, FOUND)
    assert view.others == (("Open Raadsinformatie", "https://bron.example/stukken/2"),)
    assert any("een andere titel" in one for one in view.warnings)
    assert view.votes == VOTES
    assert view.vote == "Stemming: aangenomen, 20 voor en 11 tegen."
    assert [meaning for _, _, meaning in view.dates] == ["datum van het stuk"]


def test_every_thing_of_a_report_is_on_its_page_once() -> None:
    report = a_report()
    shown = [body_view(body, place, FOUND) for place, body in enumerate(report.overview.bodies, 1)]
    titles = [entry.hit.title for body in shown for month in body.months for entry in month.entries]
    assert len(titles) == len(set(titles)) == report.overview.number == 5
    assert [(body.anchor, body.name, body.number) for body in shown] == [
        ("organisatie-1", "Gemeente Ede", "2 stukken"),
        ("organisatie-2", "Gemeente Soest", "2 stukken"),
        ("organisatie-3", "Tweede Kamer", "1 stuk"),
    ]
    assert [month.name for month in shown[1].months][-1] == "Zonder datum"


def test_every_source_that_was_asked_is_listed_those_without_an_answer_and_those_not_asked_too() -> None:
    report = a_report()
    told = {one.key: one for one in page.sources(report)}
    assert list(told) == list(report.sources)
    assert (told["openbesluitvorming"].total, told["openbesluitvorming"].taken) == ("ongeveer 1.200 resultaten", "4")
    assert any("kan niet kiezen op soort" in note for note in told["openbesluitvorming"].notes)
    assert told["rechtspraak"].total == "geen antwoord"
    not_asked = replace(report, cuts=(Cut("rechtspraak", CutReason.NOT_ASKED, ()),))
    assert {one.key: one.total for one in page.sources(not_asked)}["rechtspraak"] == "niet gevraagd"


def test_a_report_of_nothing_says_so() -> None:
    empty = a_report(overview=overview([], {}))
    assert page.summary(empty) == "De bronnen die antwoordden, vonden niets."
    assert page.summary(a_report()) == "5 stukken van 3 organisaties."


def test_the_address_of_a_report_is_not_printed_on_its_paper() -> None:
    about = subject(Wish(TARGET), REGISTER)
    assert page.head(a_report(), about, "geheimgeheimgeheim", "morgen")["vaste_link"] == ""
