"""Links to the platforms' own search carry the same words, and there is none where no address is known."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from connectors.platforms import PLATFORMS, Platform
from search.own_search import own_search
from search.question import read_question

BY_KEY = {platform.key: platform for platform in PLATFORMS}


@pytest.mark.parametrize(
    ("key", "parameter"),
    [
        ("open-raadsinformatie", "zoekterm"),
        ("openbesluitvorming", "query"),
        ("officiele-bekendmakingen", "zv"),
        ("rechtspraak", "zoekterm"),
        ("tweede-kamer", "qry"),
        ("opentk", "q"),
    ],
)
def test_the_words_and_their_quotes_come_along(key: str, parameter: str) -> None:
    address = urlsplit(own_search(BY_KEY[key], read_question('dijk & "hoog water"').text))
    assert address.scheme == "https"
    assert parse_qs(address.query)[parameter] == ['dijk "hoog water"']


def test_quotes_do_not_break_the_language_of_the_journals() -> None:
    address = urlsplit(own_search(BY_KEY["officiele-bekendmakingen"], read_question('"hoog water"').text))
    assert parse_qs(address.query)["q"] == ['cql.textAndIndexes="hoog water"']


def test_no_address_is_made_up() -> None:
    without = {key for key, platform in BY_KEY.items() if not own_search(platform, read_question("dijk").text)}
    assert without == {"open-archivaris"}


@pytest.mark.parametrize("platform", PLATFORMS, ids=lambda platform: platform.key)
def test_without_words_there_is_nothing_to_link_to(platform: Platform) -> None:
    assert own_search(platform, read_question("").text) == ""
