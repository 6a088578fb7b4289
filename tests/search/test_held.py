"""Field report 18: the years held of a body are shown before the search, and what is not known is said, never guessed."""

from __future__ import annotations

from datetime import UTC, date, datetime

from connectors.load_status import LoadState
from connectors.records import BodyKind, Organisation
from search.held import NOT_KNOWN, NOT_LOOKED_UP, Held, held
from search.kept import KeptYears, by_body

TODAY = date(2026, 11, 30)
ROTTERDAM = Organisation(
    "gemeente-rotterdam",
    "Gemeente Rotterdam",
    BodyKind.GEMEENTE,
    (("openbesluitvorming", "rotterdam"), ("open-raadsinformatie", "ori_rotterdam")),
)


def of(platform: str, *rows: LoadState) -> Held:
    found = {one.platform: one for one in held(ROTTERDAM, {platform: rows} if rows else {}, TODAY)}
    return found[platform]


def test_every_platform_that_knows_the_body_is_there_in_a_fixed_order() -> None:
    assert [one.platform for one in held(ROTTERDAM, {}, TODAY)] == ["open-raadsinformatie", "openbesluitvorming"]


def test_a_first_year_that_is_known_and_a_newest_paper_make_a_span() -> None:
    """Field report 18: the years held, before the search."""
    row = LoadState(
        "ori_rotterdam", "Gemeente Rotterdam", "geladen", last_content=datetime(2026, 7, 3, tzinfo=UTC), documents=9
    )
    one = of("open-raadsinformatie", row)
    assert (one.first, one.last, one.documents, one.state) == (date(2018, 1, 1), date(2026, 7, 3), 9, "geladen")
    assert one.sentence == "Deze bron heeft stukken van 2018 tot en met 2026."


def test_without_a_laadstatus_only_the_first_year_is_said() -> None:
    assert of("open-raadsinformatie").sentence == "Deze bron heeft stukken vanaf 2018. Tot wanneer is niet bekend."


def test_without_a_first_year_it_says_that_it_is_not_known() -> None:
    """Field report 18: a history that begins late must not look like nothing happened."""
    row = LoadState("rotterdam", "Rotterdam", "ok", last_content=datetime(2026, 2, 1, tzinfo=UTC))
    one = of("openbesluitvorming", row)
    assert one.is_known
    assert one.sentence.endswith("Vanaf welk jaar deze bron stukken heeft, is nog niet nagegaan.")


def asked(first: date | None, last: date | None) -> Held:
    years = KeptYears(platform="openbesluitvorming", body=ROTTERDAM.id, first=first, last=last, on=TODAY)
    found = {one.platform: one for one in held(ROTTERDAM, {}, TODAY, by_body([years]))}
    assert not found["open-raadsinformatie"].looked_up
    return found["openbesluitvorming"]


def test_what_was_looked_up_once_is_known() -> None:
    assert asked(date(2003, 5, 1), date(2026, 3, 1)).sentence == "Deze bron heeft stukken van 2003 tot en met 2026."
    assert asked(date(2003, 5, 1), date(2027, 3, 1)).last == TODAY


def test_what_was_looked_up_in_vain_is_not_known_and_no_longer_to_be_looked_up() -> None:
    assert asked(None, None).sentence == NOT_KNOWN
    assert asked(None, date(2026, 3, 1)).sentence.endswith("Vanaf welk jaar deze bron stukken heeft, is niet bekend.")


def test_a_body_of_which_nothing_is_told_is_not_known() -> None:
    one = of("openbesluitvorming", LoadState("amsterdam", "Amsterdam", "ok"))
    assert (one.is_known, one.state, one.sentence) == (False, "", NOT_LOOKED_UP)


def test_a_paper_of_a_meeting_to_come_is_not_held_until_after_today() -> None:
    row = LoadState("rotterdam", "Rotterdam", "ok", last_content=datetime(2027, 3, 1, tzinfo=UTC))
    assert of("openbesluitvorming", row).last == TODAY


def test_the_newest_day_is_that_of_amsterdam() -> None:
    row = LoadState("rotterdam", "Rotterdam", "ok", last_content=datetime(2025, 12, 31, 23, 30, tzinfo=UTC))
    assert of("openbesluitvorming", row).last == date(2026, 1, 1)


def test_a_platform_that_names_bodies_without_keys_is_read_by_their_whole_names() -> None:
    row = LoadState("Rotterdam", "Gemeente Rotterdam", "geladen", documents=3)
    assert of("openbesluitvorming", row).documents == 3
