"""A search for several organisations: a call each up to six, and one answer."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from connectors.exceptions import NotSupportedError, TooSlowError, UnreachableError, Unsupported
from connectors.openbesluitvorming.connector import OpenBesluitvorming
from connectors.records import BodyKind, Certainty, Filter, Kind, Note, NoteCode, Organisation, Query, Sort, Total
from tests.connectors.openbesluitvorming.support import (
    LIVE,
    SEVEN,
    Script,
    body,
    full,
    natives,
    of,
    page,
    query,
    refusal,
    row,
    sample,
    titled,
    words,
)

pytestmark = pytest.mark.anyio
CONNECTOR = OpenBesluitvorming(LIVE)
TOO_SLOW = TooSlowError("openbesluitvorming", 20.0)
UNREACHABLE = UnreachableError("openbesluitvorming", "reset")
COURT = Organisation("gerecht-hoge-raad", "Hoge Raad", BodyKind.GERECHT, keys=(("rechtspraak", "HR"),))
ELSEWHERE = Organisation("gemeente-lopik", "Gemeente Lopik", BodyKind.GEMEENTE)


async def test_without_words_an_organisation_is_browsed_newest_first_and_the_answer_says_so() -> None:
    ask = Script(full(*sample("search_browse_organization")["results"], total=412))

    result = await CONNECTOR.search(query(organisations=("gemeente-schagen",)), ask)

    assert [call.params for call in ask.calls] == [
        (("organization", "schagen"), ("sort", "date_desc"), ("offset", "0"), ("limit", "24"))
    ]
    assert result.total == Total(412, Certainty.EXACT)
    assert result.notes == (Note(NoteCode.SORTED_BY_DATE),)


async def test_several_organisations_are_a_call_each_and_one_answer_by_date() -> None:
    ask = Script(
        by_key={
            "ede": page(of("ede", 1, "2024-05-03T18:00:00Z"), of("ede", 2)),
            "soest": page(of("soest", 3, "2024-06-01T00:00:00Z"), of("soest", 4, "2024-05-03T00:00:00Z"), total=2),
        }
    )

    result = await CONNECTOR.search(
        query("water", organisations=("gemeente-ede", "gemeente-soest"), sort=Sort.NEWEST), ask
    )

    assert sorted(filter(None, ask.params("organization"))) == ["ede", "soest"]
    assert natives(result) == ["3", "1", "4", "2"]
    assert (result.total, result.has_more, result.notes) == (Total(4, Certainty.EXACT), False, ())


async def test_the_oldest_first_still_puts_the_undated_last() -> None:
    """Field report 12."""
    ask = Script(
        by_key={
            "ede": page(of("ede", 1, "2024-05-03T18:00:00Z"), of("ede", 2)),
            "soest": page(of("soest", 3, "2012-06-01T00:00:00Z")),
        }
    )

    result = await CONNECTOR.search(
        query("water", organisations=("gemeente-ede", "gemeente-soest"), sort=Sort.OLDEST), ask
    )

    assert natives(result) == ["3", "1", "2"]


async def test_by_relevance_each_organisation_keeps_its_rank_in_turn() -> None:
    ask = Script(
        by_key={
            "ede": page(of("ede", 1), of("ede", 2), of("ede", 3)),
            "soest": page(of("soest", 4, "2026-01-01T00:00:00Z")),
            "epe": page(of("epe", 5), of("epe", 6)),
        }
    )

    result = await CONNECTOR.search(
        query("water", organisations=("gemeente-ede", "gemeente-soest", "gemeente-epe")), ask
    )

    assert natives(result) == ["1", "4", "5", "2", "6", "3"]


async def test_a_sum_is_as_sure_as_the_least_sure_of_its_parts() -> None:
    """Field report 3."""
    known = query("water", organisations=("gemeente-ede", "gemeente-soest"))
    estimate = Script(by_key={"ede": page(of("ede", 1)), "soest": page(of("soest", 2), total=400, approximate=True)})
    unknown = Script(by_key={"ede": page(of("ede", 1)), "soest": page(of("soest", 2), total="veel")})

    assert (await CONNECTOR.search(known, estimate)).total == Total(401, Certainty.ESTIMATE)
    assert (await CONNECTOR.search(known, unknown)).total == Total(None, Certainty.UNKNOWN)


async def test_an_organisation_that_is_asked_twice_is_one_call() -> None:
    ask = Script(page(row()))

    await CONNECTOR.search(query("water", organisations=("gemeente-ede", "gemeente-ede")), ask)

    assert ask.params("organization") == ["ede"]


async def test_six_organisations_are_six_calls() -> None:
    ask = Script(*(page(row(number)) for number in range(6)))

    result = await CONNECTOR.search(query("water", organisations=SEVEN[:6]), ask)

    assert len(ask.calls) == 6
    assert result.total == Total(6, Certainty.EXACT)


async def test_more_than_six_are_one_call_that_we_filter_and_the_answer_says_so() -> None:
    strangers = [of("utrecht", number) for number in range(100, 121)]
    ask = Script(full(of("utrecht", 1), of("ede", 2), of("goes", 3), *strangers, total=900))

    result = await CONNECTOR.search(query("water", organisations=SEVEN), ask)

    assert ask.params("organization") == [None]
    assert natives(result) == ["2", "3"]
    assert (result.total, result.has_more) == (Total(2, Certainty.AT_LEAST), True)
    assert result.notes == (Note(NoteCode.TOO_MANY_ORGANISATIONS, ("7", "6")),)


async def test_our_filter_tells_a_province_from_the_city_of_the_same_name() -> None:
    asked = query("water", organisations=("provincie-groningen", *SEVEN[:6]))
    province = row(1, entityId="document:notubiz:provincie:groningen:1", organization="Groningen")
    ask = Script(page(province, of("groningen", 2), total=900))

    assert natives(await CONNECTOR.search(asked, ask)) == ["1"]


async def test_organisations_that_are_not_here_are_named_and_the_others_asked() -> None:
    ask = Script(page(row()))
    asked = Query(text=words("water"), organisations=(ELSEWHERE, body("gemeente-ede"), COURT))

    result = await CONNECTOR.search(asked, ask)

    assert ask.params("organization") == ["ede"]
    assert result.notes == (Note(NoteCode.ORGANISATIONS_NOT_HERE, ("Gemeente Lopik", "Hoge Raad")),)


async def test_organisations_whose_call_failed_are_named_and_the_others_stand() -> None:
    ask = Script(by_key={"ede": page(of("ede", 1)), "soest": TOO_SLOW, "epe": UNREACHABLE})

    result = await CONNECTOR.search(
        query("water", organisations=("gemeente-soest", "gemeente-ede", "gemeente-epe")), ask
    )

    assert natives(result) == ["1"]
    assert result.total == Total(1, Certainty.AT_LEAST)
    assert result.notes == (Note(NoteCode.ORGANISATIONS_FAILED, ("Gemeente Soest", "Gemeente Epe")),)


async def test_an_organisation_that_the_platform_does_not_know_is_not_here_rather_than_failed() -> None:
    """Field report 13: Land van Cuijk came late to the catalogue, and its key there is not known to us."""
    asked = query("water", organisations=("gemeente-land-van-cuijk", "gemeente-ede"))
    ask = Script(by_key={"land_van_cuijk": refusal("error_400_unknown_organization"), "ede": page(of("ede", 1))})

    result = await CONNECTOR.search(asked, ask)

    assert (natives(result), result.total) == (["1"], Total(1, Certainty.EXACT))
    assert result.notes == (Note(NoteCode.ORGANISATIONS_NOT_HERE, ("Gemeente Land van Cuijk",)),)


async def test_when_the_platform_knows_none_of_them_it_has_no_such_body() -> None:
    ask = Script(refusal("error_400_unknown_organization"))

    with pytest.raises(NotSupportedError) as failure:
        await CONNECTOR.search(query("water", organisations=("gemeente-land-van-cuijk",)), ask)

    assert (failure.value.reason, failure.value.filters) == (Unsupported.NO_SUCH_BODY, (Filter.ORGANISATION,))


async def test_of_an_organisation_with_one_failed_stream_nothing_is_shown() -> None:
    ask = Script(page(of("ede", 1)), TOO_SLOW, page(titled(2, "Motie")), page(titled(3, "Motie")))
    organisations = ("gemeente-ede", "gemeente-soest")

    result = await CONNECTOR.search(query("water", organisations=organisations, kinds=frozenset({Kind.MOTIE})), ask)

    assert natives(result) == ["2", "3"]
    assert Note(NoteCode.ORGANISATIONS_FAILED, ("Gemeente Ede",)) in result.notes


async def test_when_all_organisations_fail_the_first_failure_is_the_answer() -> None:
    ask = Script(by_key={"ede": TOO_SLOW, "soest": UNREACHABLE})

    with pytest.raises(TooSlowError):
        await CONNECTOR.search(query("water", organisations=("gemeente-ede", "gemeente-soest")), ask)


async def test_an_answer_is_as_old_as_the_oldest_of_its_parts() -> None:
    fresh, kept = page(of("ede", 1)), page(of("soest", 2))
    earlier = kept.fetched_at - timedelta(hours=1)
    ask = Script(by_key={"ede": fresh, "soest": replace(kept, fetched_at=earlier, buffered=True)})

    result = await CONNECTOR.search(query("water", organisations=("gemeente-ede", "gemeente-soest")), ask)

    assert result.fetched_at == earlier
    assert {hit.fetched_at for hit in result.hits} == {earlier, fresh.fetched_at}
