"""What an export holds and says, from many pages and from text that means harm."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from starlette.requests import Request
from starlette.responses import Response

from connectors.calls import Ask
from connectors.exceptions import UnreachableError
from connectors.moments import now
from connectors.platforms import RECHTSPRAAK
from connectors.records import (
    Certainty,
    DateMeaning,
    Hit,
    Kind,
    Moment,
    Note,
    NoteCode,
    Query,
    SearchResult,
    SearchText,
    Sort,
    Term,
    Total,
)
from search.answers import PlatformAnswer, State
from search.exports.data import data
from search.exports.feed import feed, mark
from search.exports.gathering import Gathered, gather
from search.exports.references import references
from search.exports.table import COLUMNS, safe_cell, table
from search.federation import Federation
from search.organisations import Register
from search.parameters import Asked
from search.question import Question
from tests.support.scripted import ScriptedConnector, client_of, hit, scripted_platform
from throttling.callers import house

SITE = "https://besluitbron.example"
ONE, TWO = scripted_platform("een"), scripted_platform("twee")
NOW = datetime(2026, 3, 12, 12, 50, tzinfo=UTC)
any_text = st.text(st.characters(exclude_categories=()), max_size=40)
ATOM = {"a": "http://www.w3.org/2005/Atom"}


@dataclass(slots=True)
class Paged(ScriptedConnector):
    """Has ``pages`` pages of ten hits; fails from page ``fails_at`` on."""

    pages: int = 1
    fails_at: int = 10**6

    async def search(self, query: Query, ask: Ask) -> SearchResult:
        if query.page >= self.fails_at:
            raise UnreachableError(self.platform.key, "connect")
        numbers = range((query.page - 1) * 10, query.page * 10) if query.page <= self.pages else range(0)
        hits = tuple(hit(self.platform, number) for number in numbers)
        more = query.page < self.pages
        return SearchResult(hits=hits, total=Total(None, Certainty.UNKNOWN), fetched_at=now(), has_more=more)


async def _nobody(request: Request) -> Response:
    raise AssertionError(request)


@asynccontextmanager
async def federation_of(*connectors: ScriptedConnector) -> AsyncIterator[Federation]:
    async with client_of({connector.platform: _nobody for connector in connectors}) as client:
        yield Federation(connectors=connectors, client=client, register=Register.of([]))


def asked(words: str = "warmtenet", **changes: object) -> Asked:
    text = SearchText((Term((words,)),))
    return Asked(Question(words, text), replace(Query(text=text), **changes))  # type: ignore[arg-type]


async def of(federation: Federation, most: int = 500) -> Gathered:
    return await gather(federation, asked(), house(), most)


@pytest.mark.anyio
async def test_pages_of_all_platforms_are_gathered_until_there_are_no_more() -> None:
    async with federation_of(Paged(ONE, pages=3), Paged(TWO, pages=1)) as federation:
        found = await of(federation)
    assert len(found.hits) == len({hit.id for hit in found.hits}) == 40
    assert not found.unfinished
    assert found.remarks == ()


@pytest.mark.anyio
async def test_what_does_not_fit_is_left_out_and_said() -> None:
    """Eis Z18."""
    async with federation_of(Paged(ONE, pages=90), Paged(TWO, pages=2)) as federation:
        found = await of(federation, 500)
    assert len(found.hits) == 500
    assert found.unfinished == {"een"}
    assert found.remarks == ("Een: Deze bron heeft meer dan hier staat.",)


@dataclass(slots=True)
class Dated(ScriptedConnector):
    """Has one page of so many hits, a day apart from ``first`` back in time; the last one without a date."""

    first: date = date(2026, 3, 1)
    count: int = 10

    async def search(self, query: Query, ask: Ask) -> SearchResult:
        del query, ask
        days = [Moment(self.first - timedelta(days=place), DateMeaning.DECISION) for place in range(self.count - 1)]
        hits = tuple(replace(hit(self.platform, place), date=day) for place, day in enumerate((*days, None)))
        return SearchResult(hits=hits, total=Total(self.count, Certainty.EXACT), fetched_at=now())


@pytest.mark.anyio
@pytest.mark.parametrize("sort", [Sort.NEWEST, Sort.OLDEST])
async def test_what_is_ordered_by_date_is_so_over_all_platforms_before_it_is_cut(sort: Sort) -> None:
    """Eis Z17: who follows a feed hears what is new, whichever platform has it."""
    old, new = Dated(ONE, first=date(2020, 1, 1)), Dated(TWO, first=date(2026, 3, 1))
    async with federation_of(old, new) as federation:
        found = await gather(federation, asked(sort=sort), house(), 12)
    days = [one.date.day for one in found.hits if one.date]
    assert days == sorted(days, reverse=sort is Sort.NEWEST)
    assert len(days) == len(found.hits) == 12
    first, second = ("twee", "een") if sort is Sort.NEWEST else ("een", "twee")
    assert [one.platform for one in found.hits] == [first] * 9 + [second] * 3
    assert found.unfinished == {"een", "twee"}


@pytest.mark.anyio
async def test_where_no_date_decides_each_platform_has_its_share_of_what_fits() -> None:
    async with federation_of(Dated(ONE), Dated(TWO), Dated(scripted_platform("drie"), count=2)) as federation:
        found = await of(federation, 9)
    assert [one.platform for one in found.hits] == ["een"] * 4 + ["twee"] * 3 + ["drie"] * 2
    assert found.unfinished == {"een", "twee"}


@pytest.mark.anyio
async def test_a_platform_of_which_nothing_fitted_is_not_said_to_have_nothing() -> None:
    async with federation_of(Dated(ONE, first=date(2020, 1, 1)), Dated(TWO)) as federation:
        found = await gather(federation, asked(sort=Sort.NEWEST), house(), 5)
    assert {one.platform for one in found.hits} == {"twee"}
    left_out = "Deze bron heeft meer dan hier staat."
    assert found.remarks == (f"Een: {left_out}", f"Twee: {left_out}")
    assert found.of(found.answers[0]).state is State.READY


SAME = ("https://raad.example/stuk/1",)


def at_two_platforms() -> Gathered:
    """One thing at two platforms, which do not agree on its day, and one that only the second has."""
    other = Moment(date(2026, 3, 2), DateMeaning.DECISION)
    shared = a_hit("Verordening afvalstoffen 2026", same_as=SAME)
    copy = replace(shared, platform="twee", date=other, address="https://twee.example/1")
    made = gathered(shared, copy, a_hit("Iets anders", upstream_id="2"), typed="afval")
    ready = PlatformAnswer(platform=TWO, state=State.READY, result=made.answers[0].result)
    return replace(made, answers=(made.answers[0], ready))


def test_what_two_platforms_have_is_one_thing_in_every_file_and_names_both() -> None:
    """Eis Z9. Field report 10."""
    made = at_two_platforms()
    rows = list(csv.DictReader(io.StringIO(table(made, SITE).decode("utf-8-sig"), newline=""), delimiter=";"))
    assert [(row["titel"], row["ook bij"]) for row in rows if row["titel"]] == [
        ("Verordening afvalstoffen 2026", "Twee"),
        ("Iets anders", ""),
    ]
    assert "De bronnen noemen een andere datum." in rows[0]["melding"]
    entries = etree.fromstring(feed(made, SITE)).findall("a:entry", ATOM)
    assert len(entries) == 2
    assert "https://twee.example/1" in entries[0].xpath("a:link[@rel='via']/@href", namespaces=ATOM)
    assert "Ook bij Twee. De bronnen noemen een andere datum." in (entries[0].findtext("a:rights", "", ATOM))
    records = references(made).decode()
    assert records.count("ER  - ") == 2
    assert "N1  - Ook bij Twee: https://twee.example/1" in records
    found = json.loads(data(made, f"{SITE}/zoeken"))
    (same,) = found["dezelfdeStukken"]
    assert same["ids"] == ["rechtspraak:1", "twee:1"]
    assert [one["over"] for one in same["verschillen"]] == ["datum"]


@pytest.mark.anyio
async def test_a_platform_that_fails_on_a_later_page_keeps_what_it_gave_and_that_is_said() -> None:
    async with federation_of(Paged(ONE, pages=5, fails_at=3), Paged(TWO, fails_at=1)) as federation:
        found = await of(federation)
    assert [hit.platform for hit in found.hits] == ["een"] * 20
    assert found.unfinished == {"een"}
    assert [answer.state for answer in found.answers] == [State.READY, State.FAILED]
    assert found.remarks[0] == "Een: Deze bron heeft meer dan hier staat."
    assert found.remarks[1].startswith("Twee: ")


@pytest.mark.anyio
async def test_pages_that_take_too_long_together_are_not_waited_for() -> None:
    async with federation_of(Paged(ONE, pages=5)) as federation:
        found = await gather(federation, asked(), house(), 500, seconds=0.0)
    assert (found.hits, found.answers, found.has_answer) == ((), (), False)


def gathered(*hits: Hit, typed: str = "warmtenet") -> Gathered:
    result = SearchResult(
        hits=hits, total=Total(len(hits), Certainty.EXACT), fetched_at=NOW, notes=(Note(NoteCode.TITLES_ONLY),)
    )
    answers = (
        PlatformAnswer(platform=RECHTSPRAAK, state=State.READY, result=result),
        PlatformAnswer(platform=TWO, state=State.TOO_LATE),
    )
    return Gathered(asked(typed), hits, answers, frozenset({"rechtspraak"}), NOW)


def fetched(made: Gathered, at: datetime) -> Gathered:
    """The same, fetched at another moment."""
    answers = (replace(one, result=replace(one.result, fetched_at=at)) if one.result else one for one in made.answers)
    return replace(made, answers=tuple(answers))


def a_hit(text: str = "Stuk", **changes: object) -> Hit:
    when = Moment(date(2026, 3, 1), DateMeaning.DECISION)
    values: dict[str, object] = {
        "title": text,
        "organisation": text,
        "snippet": text,
        "kind_at_source": text,
        "date": when,
    }
    return replace(hit(RECHTSPRAAK), **(values | changes))  # type: ignore[arg-type]


@given(any_text)
def test_no_cell_of_a_table_is_a_formula_and_every_row_has_all_columns(text: str) -> None:
    """Eis 6.11."""
    body = table(gathered(a_hit(text), typed=text), SITE).decode("utf-8-sig") if is_writable(text) else ""
    rows = list(csv.reader(io.StringIO(body, newline=""), delimiter=";"))
    for row in rows:
        assert len(row) == len(COLUMNS)
        assert not [cell for cell in row if cell.lstrip(" ").startswith(tuple("=+-@\t\r\n"))]


def is_writable(text: str) -> bool:
    return not re.search("[\ud800-\udfff]", text)


@pytest.mark.parametrize("text", ["=1+1", "+31", "-2", "@SUM(A1)", "\t=1", "  =cmd|'/c calc'!A0", "\uff1d1", "\n=1"])
def test_a_cell_that_looks_like_a_formula_begins_with_a_quote(text: str) -> None:
    assert safe_cell(text) == f"'{text}"
    assert safe_cell("Ede = mooi") == "Ede = mooi"


def test_a_table_names_the_question_the_moment_and_the_platforms_that_are_not_in_it_whole() -> None:
    """Eis Z18."""
    rows = list(
        csv.DictReader(io.StringIO(table(gathered(a_hit()), SITE).decode("utf-8-sig"), newline=""), delimiter=";")
    )
    assert [row["vraag"] for row in rows] == ["warmtenet"] * 3
    assert {row["gemaakt"] for row in rows} == {"2026-03-12T12:50:00Z"}
    assert [(row["bron"], bool(row["melding"])) for row in rows] == [
        ("Rechtspraak", False),
        ("Rechtspraak", True),
        ("Twee", True),
    ]
    assert rows[0]["bij BesluitBron"] == f"{SITE}/document/rechtspraak/1"
    assert "heeft meer dan hier staat" in rows[1]["melding"]


@given(any_text)
def test_a_feed_is_always_well_formed_and_names_what_it_must(text: str) -> None:
    """RFC 4287, section 4.1. Eis 6.11."""
    made = gathered(a_hit(text), typed=text.strip() or "x")
    body = feed(replace(made, asked=replace(made.asked, question=replace(made.asked.question, typed="x"))), SITE)
    root = etree.fromstring(body)
    for parent in (root, *root.iterfind("a:entry", ATOM)):
        for name in ("id", "title", "updated"):
            assert len(parent.findall(f"a:{name}", ATOM)) == 1
    assert root.findtext("a:entry/a:id", namespaces=ATOM) == "tag:besluitbron.example,2026:rechtspraak:1"
    assert root.find("a:author/a:name", ATOM) is not None


def test_a_feed_stays_the_same_while_its_hits_do() -> None:
    made = gathered(a_hit(), a_hit(upstream_id="2", date=None))
    hour = timedelta(hours=1)
    later = replace(fetched(made, NOW + hour), made_at=NOW + hour)
    assert mark(made, SITE) == mark(later, SITE)
    assert mark(made, SITE) != mark(replace(made, hits=made.hits[:1]), SITE)
    assert mark(made, SITE) != mark(replace(made, answers=made.answers[:1]), SITE)


def test_a_feed_names_when_its_answers_were_fetched_and_that_alone_is_no_news() -> None:
    """Eis Z17 and Z18."""
    made, other = gathered(a_hit()), gathered(a_hit())
    fresh = fetched(other, NOW + timedelta(minutes=90))
    both = replace(made, answers=(*made.answers, *fresh.answers))
    told = [
        etree.fromstring(feed(one, SITE)).findtext("a:subtitle", "", namespaces=ATOM) for one in (made, fresh, both)
    ]
    assert [re.findall(r"Opgehaald [^.]*\.", text) for text in told] == [
        ["Opgehaald op 12 maart 2026, 13:50 uur."],
        ["Opgehaald op 12 maart 2026, 15:20 uur."],
        ["Opgehaald van 12 maart 2026, 13:50 uur tot 12 maart 2026, 15:20 uur."],
    ]
    assert mark(made, SITE) == mark(fresh, SITE)


def test_references_are_records_of_known_types_and_each_says_where_it_comes_from() -> None:
    made = gathered(a_hit(kind=Kind.UITSPRAAK), a_hit("Twee\nregels", kind=Kind.MOTIE))
    records = references(made).decode().split("ER  - \r\n")[:-1]
    assert [record.strip().split("\r\n")[0] for record in records] == ["TY  - CASE", "TY  - GOVDOC"]
    for record in records:
        lines = [line for line in record.split("\r\n") if line]
        assert all(re.fullmatch(r"[A-Z][A-Z0-9]  - .+", line) for line in lines)
        assert any("op de vraag “warmtenet”" in line for line in lines)
        assert any(line.startswith("N1  - Twee: ") for line in lines)
    assert "TI  - Twee regels" in records[1]


def test_data_say_of_each_platform_whether_they_are_whole() -> None:
    found = json.loads(data(gathered(a_hit()), f"{SITE}/zoeken?vraag=warmtenet"))
    assert (found["vraag"], found["gemaakt"]) == ("warmtenet", "2026-03-12T12:50:00Z")
    assert [(one["platform"], one["staat"], one["volledig"], len(one["treffers"])) for one in found["bronnen"]] == [
        ("rechtspraak", "klaar", False, 1),
        ("twee", "te-laat", False, 0),
    ]
