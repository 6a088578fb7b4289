from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest

from connectors import moments
from connectors.addresses import PlatformMode
from connectors.calls import Answer
from connectors.connector import Connector
from connectors.exceptions import (
    Defect,
    GoneError,
    NotAnAnswerError,
    NotSupportedError,
    RefusedError,
    TooSlowError,
    Unsupported,
)
from connectors.platforms import RECHTSPRAAK
from connectors.rechtspraak.checks import KNOWN
from connectors.records import (
    BodyKind,
    Certainty,
    CheckResult,
    DateMeaning,
    Filter,
    Hit,
    Kind,
    Moment,
    Note,
    NoteCode,
    Query,
    SearchResult,
    SearchText,
    Sort,
    Total,
)
from tests.connectors.rechtspraak.helpers import CORPUS, EDE, FETCHED, Script, answer, connector, court, sample, words

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def _today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moments, "now", lambda: datetime(2026, 3, 1, 12, tzinfo=UTC))


def _row(ecli: str, day: str, product: str = "uitspraak") -> dict[str, Any]:
    return {
        "Titel": f"Hoge Raad, {day}, 1",
        "TitelEmphasis": ecli,
        "GerechtelijkProductType": product,
        "Uitspraakdatum": day,
        "Tekstfragment": "-",
    }


def _page(total: int, *rows: dict[str, Any], at: datetime = FETCHED) -> Answer:
    body = json.dumps({"Results": rows, "ResultCount": total, "FacetCounts": {}}).encode()
    return Answer(status=200, headers={"content-type": "application/json"}, body=body, fetched_at=at)


def _rows(count: int, day: str, start: int = 0) -> list[dict[str, Any]]:
    return [_row(f"ECLI:NL:HR:2020:{start + number}", day) for number in range(count)]


def test_it_fulfils_the_contract_and_says_what_it_can() -> None:
    ours: Connector = connector()
    assert ours.platform is RECHTSPRAAK
    can = ours.capabilities
    assert (can.bodies, can.kinds) == (frozenset({BodyKind.GERECHT}), frozenset({Kind.UITSPRAAK, Kind.CONCLUSIE}))
    assert can.filters & can.own_filters == frozenset()
    assert can.filters | can.own_filters == frozenset(Filter)
    assert can.sorts == frozenset(Sort)
    assert (can.operators, can.phrases, can.full_text, can.load_status) == (frozenset(), True, True, False)
    assert len(ours.organisations()) == 260


async def test_words_give_hits_with_every_field() -> None:
    ask = Script(answer(sample("api-zoek-hits.mixed.json"), media_type="application/json"))
    result = await connector().search(words("test"), ask)
    assert (result.total, result.has_more, result.notes, result.ignored) == (Total(2, Certainty.EXACT), False, (), ())
    assert result.hits[0] == Hit(
        platform="rechtspraak",
        upstream_id="ECLI:NL:OGEAA:2021:125",
        title="Gerecht in Eerste Aanleg van Aruba, 06-04-2021, UA202000260",
        organisation="Gerecht in Eerste Aanleg van Aruba",
        organisation_id="gerecht-gerecht-in-eerste-aanleg-van-aruba",
        kind=Kind.UITSPRAAK,
        kind_at_source="Uitspraak",
        date=Moment(date(2021, 4, 6), DateMeaning.DECISION),
        snippet=json.loads(sample("api-zoek-hits.mixed.json"))["Results"][0]["Tekstfragment"],
        address="https://deeplink.rechtspraak.nl/uitspraak?id=ECLI:NL:OGEAA:2021:125",
        original="https://data.rechtspraak.nl/uitspraken/content?id=ECLI:NL:OGEAA:2021:125",
        fetched_at=FETCHED,
    )
    assert result.hits[1].organisation_id == "gerecht-college-van-beroep-voor-het-bedrijfsleven"
    assert [call.queue for call in ask.calls] == ["rechtspraak/zoeken"]


async def test_no_results_are_exactly_none() -> None:
    result = await connector().search(words("test"), Script(answer(sample("api-zoek-empty.constructed.json"))))
    assert result == SearchResult(hits=(), total=Total(0, Certainty.EXACT), fetched_at=FETCHED)


async def test_rows_that_cannot_be_read_are_counted_in_a_note() -> None:
    result = await connector().search(words("test"), Script(_page(2, _row("ECLI:NL:HR:2020:1", "01-02-2020"), {})))
    assert len(result.hits) == 1
    assert result.notes == (Note(NoteCode.ROWS_SKIPPED, ("1",)),)


async def test_a_period_is_filtered_by_us_and_the_total_becomes_a_lower_bound() -> None:
    rows = [
        _row("ECLI:NL:HR:2021:1", "01-01-2021"),
        _row("ECLI:NL:HR:2020:2", "31-12-2020"),
        _row("ECLI:NL:HR:2020:3", "geen datum") | {"Titel": "Hoge Raad"},
        _row("ECLI:NL:HR:2020:4", "01-01-2020"),
        _row("ECLI:NL:HR:2019:5", "31-12-2019"),
    ]
    query = words("test", date_from=date(2020, 1, 1), date_until=date(2020, 12, 31))
    ask = Script(_page(500, *rows))
    result = await connector().search(query, ask)
    assert [hit.upstream_id for hit in result.hits] == ["ECLI:NL:HR:2020:2", "ECLI:NL:HR:2020:4"]
    assert result.total == Total(2, Certainty.AT_LEAST)
    assert result.notes == (Note(NoteCode.FILTERED_BY_US, ("van", "tot")), Note(NoteCode.SORTED_BY_DATE))
    assert (result.has_more, len(ask.calls)) == (False, 1), "the order by date has passed the period"


async def test_a_second_page_is_read_when_the_first_may_not_hold_all() -> None:
    query = words("test", date_from=date(2020, 1, 1))
    later = datetime(2026, 3, 1, 13, tzinfo=UTC)
    ask = Script(_page(300, *_rows(50, "01-02-2020"), at=later), _page(300, *_rows(50, "02-01-2020", 50)))
    result = await connector().search(query, ask)
    assert [json.loads(call.body or b"")["StartRow"] for call in ask.calls] == [0, 50]
    assert (len(result.hits), result.total, result.has_more) == (100, Total(100, Certainty.AT_LEAST), True)
    assert result.fetched_at == FETCHED, "the older of the two"


async def test_the_oldest_first_order_also_ends_past_the_period() -> None:
    query = words("test", date_until=date(2001, 12, 31))
    ask = Script(_page(300, _row("ECLI:NL:HR:2001:1", "01-02-2001"), _row("ECLI:NL:HR:2002:2", "01-02-2002")))
    result = await connector().search(query, ask)
    assert ([hit.upstream_id for hit in result.hits], result.has_more) == (["ECLI:NL:HR:2001:1"], False)


async def test_one_kind_is_filtered_by_us_and_the_order_stays() -> None:
    rows = [_row("ECLI:NL:HR:2020:1", "01-02-2020"), _row("ECLI:NL:PHR:2020:2", "01-02-2020", "conclusie")]
    result = await connector().search(words("test", kinds=frozenset({Kind.CONCLUSIE})), Script(_page(2, *rows)))
    assert [(hit.upstream_id, hit.kind) for hit in result.hits] == [("ECLI:NL:PHR:2020:2", Kind.CONCLUSIE)]
    assert result.hits[0].date == Moment(date(2020, 2, 1), DateMeaning.CONCLUSION)
    assert result.total == Total(1, Certainty.EXACT), "all that the platform has was read"
    assert result.notes == (Note(NoteCode.FILTERED_BY_US, ("soort",)),)


async def test_a_product_nobody_described_is_a_document() -> None:
    result = await connector().search(words("test"), Script(_page(1, _row("ECLI:NL:HR:2020:1", "01-02-2020", "brief"))))
    assert (result.hits[0].kind, result.hits[0].kind_at_source) == (Kind.DOCUMENT, "brief")


async def test_today_is_the_day_in_amsterdam(monkeypatch: pytest.MonkeyPatch) -> None:
    """Field report 10: half past eleven in the evening in UTC is the next year over here."""
    monkeypatch.setattr(moments, "now", lambda: datetime(2025, 12, 31, 23, 30, tzinfo=UTC))
    ask = Script(_page(0))
    await connector().search(words("test", date_from=date(2026, 1, 1)), ask)
    assert json.loads(ask.calls[0].body or b"")["DatumUitspraak"][0]["Identifier"] == "DitJaar"


async def test_filters_alone_ask_open_data_and_leave_out_what_was_withdrawn() -> None:
    """Field report 32: at most 24 a call, and only decisions with text."""
    ask = Script(answer(sample("zoeken-deleted.constructed.xml")))
    query = Query(organisations=(court("Rechtbank Amsterdam"),), date_from=date(2021, 6, 29), sort=Sort.NEWEST)
    result = await connector().search(query, ask)
    assert [hit.upstream_id for hit in result.hits] == ["ECLI:NL:RBAMS:2021:8211"]
    assert result.hits[0] == Hit(
        platform="rechtspraak",
        upstream_id="ECLI:NL:RBAMS:2021:8211",
        title="Rechtbank Amsterdam, 29-06-2021, C/13/702999 / KG ZA 21-458",
        organisation="Rechtbank Amsterdam",
        organisation_id="gerecht-rechtbank-amsterdam",
        kind=Kind.UITSPRAAK,
        kind_at_source="Uitspraak",
        date=Moment(date(2021, 6, 29), DateMeaning.DECISION),
        snippet="",
        address="https://deeplink.rechtspraak.nl/uitspraak?id=ECLI:NL:RBAMS:2021:8211",
        original="https://data.rechtspraak.nl/uitspraken/content?id=ECLI:NL:RBAMS:2021:8211",
        fetched_at=FETCHED,
    )
    assert (result.total, result.has_more) == (Total(3, Certainty.EXACT), False)
    assert (result.notes, result.ignored) == (
        (Note(NoteCode.WITHDRAWN_LEFT_OUT, ("2", "ECLI:NL:RBARN:2006:876543", "ECLI:NL:RBARN:2006:876544")),),
        (Filter.SORT,),
    )
    assert ask.calls[0].params[:2] == (("date", "2021-06-29"), ("date", "2026-03-01"))


async def test_the_kind_asked_of_open_data_is_the_kind_of_its_hits() -> None:
    ask = Script(answer(sample("zoeken-two.mixed.xml")))
    result = await connector().search(Query(kinds=frozenset({Kind.CONCLUSIE})), ask)
    assert {(hit.kind, hit.kind_at_source) for hit in result.hits} == {(Kind.CONCLUSIE, "Conclusie")}


async def test_an_ecli_is_one_call_and_one_hit() -> None:
    """Field report 30."""
    ask = Script(answer(sample("content/ECLI_NL_PHR_2011_BP5608.xml")))
    result = await connector().search(Query(text=SearchText(ecli="ECLI:NL:PHR:2011:BP5608")), ask)
    assert ask.calls[0].params == (("id", "ECLI:NL:PHR:2011:BP5608"), ("return", "META"))
    assert (result.total, result.has_more) == (Total(1, Certainty.EXACT), False)
    assert (result.hits[0].title, result.hits[0].kind) == (
        "Parket bij de Hoge Raad, 27-05-2011, 09/04566",
        Kind.CONCLUSIE,
    )
    assert result.notes == (Note(NoteCode.LOOKED_UP),)


@pytest.mark.parametrize("gone", [answer(b"weg", 404), answer(sample("content-empty.constructed.xml"))])
async def test_an_unknown_ecli_is_exactly_no_hit(gone: Answer) -> None:
    result = await connector().search(Query(text=SearchText(ecli="ECLI:NL:HR:2024:1"), sort=Sort.OLDEST), Script(gone))
    assert result == SearchResult(
        hits=(),
        total=Total(0, Certainty.EXACT),
        fetched_at=FETCHED,
        ignored=(Filter.SORT,),
        notes=(Note(NoteCode.LOOKED_UP),),
    )


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        (words("a", organisations=(EDE,)), Unsupported.NO_SUCH_BODY),
        (words("a", kinds=frozenset({Kind.MOTIE})), Unsupported.NO_SUCH_KIND),
        (Query(), Unsupported.NEEDS_WORDS_OR_FILTER),
    ],
)
async def test_a_question_that_cannot_be_answered_makes_no_call(query: Query, reason: Unsupported) -> None:
    ask = Script()
    with pytest.raises(NotSupportedError) as caught:
        await connector().search(query, ask)
    assert (caught.value.reason, ask.calls) == (reason, [])


async def test_an_empty_period_makes_no_call() -> None:
    ask = Script()
    result = await connector().search(words("a", date_from=date(2020, 2, 1), date_until=date(2020, 1, 1)), ask)
    assert (result.total, ask.calls) == (Total(0, Certainty.EXACT), [])


async def test_a_page_of_html_with_200_is_a_failure_and_never_no_results() -> None:
    for query in (words("a"), Query(date_from=date(2020, 1, 1)), Query(text=SearchText(ecli="ECLI:NL:HR:2024:1"))):
        with pytest.raises(NotAnAnswerError) as caught:
            await connector().search(
                query, Script(answer(sample("html-error-200.constructed.html"), media_type="text/html"))
            )
        assert caught.value.defect is Defect.HTML


async def test_a_400_of_open_data_is_a_refusal() -> None:
    with pytest.raises(RefusedError) as caught:
        await connector().search(
            Query(date_from=date(2020, 1, 1)), Script(answer(sample("zoeken-400.constructed.txt"), 400))
        )
    assert caught.value.status == 400


async def test_a_document_is_one_call() -> None:
    ask = Script(answer(sample("content/ECLI_NL_RBMNE_2016_1780.xml")))
    document = await connector().document("ECLI:NL:RBMNE:2016:1780", ask)
    assert (document.id, document.fetched_at) == ("rechtspraak:ECLI:NL:RBMNE:2016:1780", FETCHED)
    assert [call.params for call in ask.calls] == [(("id", "ECLI:NL:RBMNE:2016:1780"),)]


async def test_other_decisions_open_here_live_and_at_the_platform_when_a_collection_stands_in_for_it() -> None:
    ecli, other = "ECLI:NL:GHAMS:2014:3101", "ECLI:NL:RBNHO:2013:7284"
    file = (CORPUS / "content" / "ECLI_NL_GHAMS_2014_3101.xml").read_bytes()
    live, stand_in = [
        (await connector(mode).document(ecli, Script(answer(file)))).related
        for mode in (PlatformMode.LIVE, PlatformMode.STAND_INS)
    ]
    assert (live[0].upstream_id, live[0].address) == (other, None)
    assert (stand_in[0].upstream_id, stand_in[0].address) == (
        None,
        f"https://deeplink.rechtspraak.nl/uitspraak?id={other}",
    )
    assert live[1:] == stand_in[1:], "links to laws are the same"


async def test_a_kind_has_one_word_on_every_route() -> None:
    opinion = SearchText(ecli="ECLI:NL:PHR:2011:BP5608")
    feed = sample("zoeken-two.mixed.xml").replace(b"<id>ECLI:NL:RBAMS:2021:8211", b"<id>ECLI:NL:PHR:2021:8211")
    routes = [
        (words("a"), _page(1, _row("ECLI:NL:PHR:2020:2", "01-02-2020", "conclusie"))),
        (Query(organisations=(court("Hoge Raad"),)), answer(feed)),
        (Query(text=opinion), answer(sample("content/ECLI_NL_PHR_2011_BP5608.xml"))),
    ]
    hits = [(await connector().search(query, Script(given))).hits[0] for query, given in routes]
    assert {(hit.kind, hit.kind_at_source) for hit in hits} == {(Kind.CONCLUSIE, "Conclusie")}


async def test_a_document_that_is_not_there_is_gone() -> None:
    with pytest.raises(GoneError):
        await connector().document("ECLI:NL:HR:2024:1", Script(answer(b"weg", 404)))


async def test_the_lists_are_four_calls() -> None:
    names = ("Instanties", "Rechtsgebieden", "Proceduresoorten", "FormeleRelaties.constructed")
    ask = Script(*(answer(sample(f"waardelijst/{name}.xml")) for name in names))
    lists = await connector().lists(ask)
    assert [call.path.rpartition("/")[2] for call in ask.calls] == [name.partition(".")[0] for name in names]
    assert lists.organisations == connector().organisations()
    assert [(name, len(items)) for name, items in lists.values] == [
        ("Rechtsgebieden", 32),
        ("Proceduresoorten", 37),
        ("FormeleRelaties", 21),
    ]


async def test_there_is_no_load_status() -> None:
    with pytest.raises(NotSupportedError) as caught:
        await connector().load_status(Script())
    assert caught.value.reason is Unsupported.NO_SUCH_FUNCTION


FEED = sample("zoeken-one.recorded.xml").replace(b"20-04-2000", b"25-03-2016")


async def test_the_check_makes_three_calls_and_finds_everything_well() -> None:
    ask = Script(answer(sample("content/ECLI_NL_RBMNE_2016_1780.xml")), answer(FEED), _page(9, *_rows(9, "01-02-2020")))
    assert await connector().check(ask) == (
        CheckResult("Uitspraak ophalen", ok=True, seen=f"{KNOWN}, 13 delen tekst"),
        CheckResult("Zoeken met filters (Open Data)", ok=True, seen="3199182 uitspraken op 25-03-2016"),
        CheckResult("Zoeken met woorden (website)", ok=True, seen="9 resultaten, alle van de Hoge Raad"),
    )
    assert len(ask.calls) == 3


async def test_the_check_sees_filters_that_are_ignored_and_results_that_are_empty() -> None:
    """Field reports 8 and 31."""
    empty = sample("content/ECLI_NL_RBMNE_2016_1780.xml").replace(b"2016-03-25", b"2016-03-26")
    ask = Script(
        answer(empty), answer(sample("zoeken-one.recorded.xml")), _page(2, _row("ECLI:NL:RBAMS:2020:1", "01-02-2020"))
    )
    results = await connector().check(ask)
    assert [result.ok for result in results] == [False, False, False]
    assert results[2].seen == "2 resultaten, gerechten RBAMS"
    nothing = await connector().check(Script(answer(empty), answer(sample("zoeken-empty.constructed.xml")), _page(0)))
    assert [result.ok for result in nothing] == [False, False, False]


async def test_failures_of_a_check_are_results() -> None:
    ask = Script(
        TooSlowError("rechtspraak", 20.0),
        RefusedError("rechtspraak", 400),
        NotAnAnswerError("rechtspraak", Defect.HTML),
    )
    results = await connector().check(ask)
    assert [(result.ok, result.seen) for result in results] == [
        (False, "geen antwoord binnen 20 seconden"),
        (False, "geweigerd met status 400"),
        (False, "geen antwoord: een webpagina"),
    ]


async def test_phrases_reach_the_website_in_double_quotes() -> None:
    ask = Script(_page(0))
    await connector().search(words("hoger beroep", "ede"), ask)
    assert json.loads(ask.calls[0].body or b"")["SearchTerms"] == [
        {"Term": '"hoger beroep" ede', "Field": "AlleVelden"}
    ]


async def test_a_filter_beside_words_never_reaches_open_data() -> None:
    ask = Script(_page(0))
    query = words(
        "a", organisations=(court("Hoge Raad"),), kinds=frozenset({Kind.UITSPRAAK}), date_from=date(2020, 1, 1)
    )
    await connector().search(query, ask)
    await connector().search(replace(query, page=7), Script(_page(0)))
    assert {call.service for call in ask.calls} == {"zoeken"}
