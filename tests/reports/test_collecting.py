"""Who is asked for a next page, and whose hits and texts a report holds."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from connectors.moments import now
from connectors.platforms import OPEN_RAADSINFORMATIE, OPENBESLUITVORMING, OPENTK
from connectors.records import Certainty, Hit, Total
from reports.codec import HitsPart
from reports.collecting import Lane, shares, still_to_come, sum_up, taken, to_ask, to_read
from reports.records import CutReason, Reading
from tests.support.scripted import hit

ORI, OBV = OPEN_RAADSINFORMATIE, OPENBESLUITVORMING
EXACT = Total(3, Certainty.EXACT)


def page(platform: object, numbers: range, *, more: bool = False) -> HitsPart:
    hits = tuple(hit(platform, number) for number in numbers)  # type: ignore[arg-type]
    return HitsPart(hits=hits, total=EXACT, fetched_at=now(), has_more=more)


@given(st.lists(st.integers(0, 400), min_size=1, max_size=9), st.integers(0, 900))
def test_a_cap_is_divided_fairly_and_used_whole(wanted: list[int], most: int) -> None:
    given_ = shares(wanted, most)
    assert sum(given_) == min(sum(wanted), most)
    assert all(0 <= got <= want for got, want in zip(given_, wanted, strict=True))
    short = [got for got, want in zip(given_, wanted, strict=True) if got < want]
    assert not short or max(given_) - min(short) <= 1


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(1, 10)), min_size=1, max_size=6), st.integers(1, 60))
def test_asking_ends_with_as_much_as_may_be_and_no_page_too_many(platforms: list[tuple[int, int]], most: int) -> None:
    """Each platform has so many pages of so many hits; a page is asked only while what may be had is not there."""
    lanes = [Lane(f"p{number}") for number in range(len(platforms))]
    for _ in range(200):
        asks = to_ask(lanes, most)
        if not asks:
            break
        for lane in asks:
            pages, size = platforms[lanes.index(lane)]
            number = len(lane.pages)
            first = number * size
            numbers = range(first, first + size) if number < pages else range(0)
            made = page(OBV, numbers, more=number + 1 < pages)
            lane.pages.append(replace(made, hits=tuple(replace(one, platform=lane.platform) for one in made.hits)))
    there = [pages * size for pages, size in platforms]
    held = taken(lanes, most)
    assert [len(held[lane.platform]) for lane in lanes] == shares(there, most)
    for lane, (_, size) in zip(lanes, platforms, strict=True):
        assert len(lane.hits) < len(held[lane.platform]) + most + size


def test_what_is_still_to_come_is_pages_and_texts_by_what_platforms_say_they_have() -> None:
    """The cap is divided as it will be: one that has much leaves the others their part."""
    much = replace(page(OBV, range(10), more=True), total=Total(1000, Certainty.AT_LEAST))
    few = page(ORI, range(3))
    lanes = [Lane(OBV.key, [much]), Lane(ORI.key, [few]), Lane(OPENTK.key)]
    assert (
        still_to_come(lanes, 43, 200) == 1 + 3 + 43
    )  # a page of who was not asked, three of who has more, and the texts
    assert still_to_come(lanes, 43, 20) == 1 + 3 + 20
    assert still_to_come([Lane(OBV.key), Lane(ORI.key)], 500, 200) == 2
    silent = Lane(OPENTK.key, [HitsPart(failed=True)])
    assert still_to_come([Lane(ORI.key, [few]), silent], 500, 200) == 3
    unsaid = replace(page(OBV, range(10), more=True), total=None)
    assert still_to_come([Lane(OBV.key, [unsaid])], 500, 200) == 1 + 11


def test_a_platform_that_pages_in_circles_is_left_alone() -> None:
    lane = Lane(OBV.key, [page(OBV, range(5), more=True) for _ in range(4)])
    assert to_ask([lane], 500) == []
    assert len(lane.hits) == 5


def test_what_only_looks_like_the_question_is_left_out_and_counted_as_such_alone() -> None:
    alike = replace(page(OBV, range(3), more=True), total=Total(1, Certainty.AT_LEAST))
    pages = [
        replace(alike, hits=(alike.hits[0], *(replace(one, partly=True) for one in alike.hits[1:]))),
        *(replace(alike, hits=(replace(hit(OBV, number), partly=True),)) for number in (7, 8, 9)),
    ]
    lane = Lane(OBV.key, pages)
    assert to_ask([lane], 500) == []
    assert [one.upstream_id for one in lane.hits] == ["0"]
    made = sum_up([lane], {}, most_hits=500, most_texts=0)
    assert made.overview.number == made.totals[0].taken == 1
    assert [(cut.reason, cut.values) for cut in made.cuts] == [(CutReason.ALIKE, ("5",))]


def test_texts_are_chosen_after_what_is_the_same_was_put_together_and_platforms_take_turns() -> None:
    same = ("nummer:7",)
    ori = [replace(hit(ORI, number), same_as=same if number == 0 else ()) for number in range(4)]
    obv = [replace(hit(OBV, number), same_as=same if number == 0 else ()) for number in range(4)]
    chosen = to_read({ORI.key: ori, OBV.key: obv}, 6)
    assert [item.first.platform for item in chosen] == [ORI.key, OBV.key] * 3
    assert len(chosen[0].things) == 2
    assert len(to_read({ORI.key: ori, OBV.key: obv}, 100)) == 7


def test_what_failed_what_cannot_be_asked_and_what_was_too_much_are_three_things() -> None:
    late = HitsPart(failed=True, said=("weg",))
    lanes = [
        Lane(ORI.key, [page(ORI, range(3), more=True), late]),
        Lane(OBV.key, [page(OBV, range(9))]),
        Lane(OPENTK.key, [HitsPart(failed=True, not_supported=True, said=("kan niet",))]),
    ]
    made = sum_up(lanes, {}, most_hits=8, most_texts=0)
    assert {(cut.platform, cut.reason) for cut in made.cuts} == {
        (ORI.key, CutReason.FAILED_LATER),
        (OBV.key, CutReason.MOST_HITS),
        (OPENTK.key, CutReason.NOT_ASKED),
    }
    assert [found.taken for found in made.totals] == [3, 5]
    assert made.sources == (ORI.key, OBV.key, OPENTK.key)


def test_a_reading_goes_with_its_thing() -> None:
    hits: tuple[Hit, ...] = tuple(hit(OBV, number) for number in range(2))
    lanes = [Lane(OBV.key, [HitsPart(hits=hits, total=EXACT, fetched_at=now())])]
    made = sum_up(lanes, {hits[1].id: Reading(hit=hits[1].id, passages=2)}, most_hits=5, most_texts=1)
    entries = [entry for body in made.overview.bodies for month in body.months for entry in month.entries]
    assert [entry.reading is not None for entry in entries] == [False, True]
    assert [cut.reason for cut in made.cuts] == [CutReason.MOST_TEXTS]
