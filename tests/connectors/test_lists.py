"""From records to rows and back, and which list may take the place of which."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.addresses import Addresses, PlatformMode
from connectors.exceptions import (
    ClosedError,
    ConnectorError,
    Defect,
    GoneError,
    NotAnAnswerError,
    OverLimitError,
    QueueFullError,
    RefusedError,
    TooSlowError,
    UnreachableError,
)
from connectors.lists import (
    ORGANISATIONS,
    TROUBLE_WORDS,
    Row,
    Source,
    Trouble,
    doubt,
    joined,
    organisation_of,
    organisation_rows,
    rows_of,
    trouble_of,
)
from connectors.models import age_words
from connectors.records import BodyKind, ListItem, Lists, Organisation
from connectors.registry import default_registry

CONNECTORS = tuple(default_registry(Addresses(PlatformMode.LIVE, "", "")))
texts = st.text(min_size=1, max_size=20)
organisations = st.builds(
    Organisation,
    id=texts,
    name=texts,
    kind=st.sampled_from(BodyKind),
    keys=st.dictionaries(texts, texts, max_size=3).map(lambda keys: tuple(keys.items())),
    names=st.lists(texts, max_size=3).map(tuple),
    code=st.none() | texts,
    ended=st.none() | st.dates(),
    successor=st.none() | texts,
)
json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(organisations)
def test_an_organisation_comes_back_as_it_was_written_down(one: Organisation) -> None:
    assert [organisation_of(row) for row in organisation_rows([one])] == [one]


@pytest.mark.parametrize("connector", CONNECTORS, ids=lambda connector: connector.platform.key)
def test_every_shipped_organisation_comes_back_as_it_was_written_down(connector: Any) -> None:
    shipped = connector.organisations()
    assert tuple(map(organisation_of, organisation_rows(shipped))) == tuple({one.id: one for one in shipped}.values())


@given(st.dictionaries(st.sampled_from(["kind", "keys", "names", "code", "ended", "successor"]), json))
def test_an_odd_row_is_left_out_and_breaks_nothing(details: dict[str, Any]) -> None:
    found = organisation_of(Row("gemeente-ede", "Gemeente Ede", details=details))
    assert found is None or isinstance(found.kind, BodyKind)
    assert organisation_of(Row("", "Gemeente Ede", details={"kind": "gemeente"})) is None


def test_all_lists_of_a_platform_become_rows_by_name() -> None:
    lists = Lists(
        (Organisation("gemeente-ede", "Gemeente Ede", BodyKind.GEMEENTE),),
        (("personen", (ListItem("p1", "Jansen", "gemeente-ede"),)), ("registers", ())),
    )
    found = rows_of(lists)
    assert list(found) == [ORGANISATIONS, "personen", "registers"]
    assert found["personen"] == (Row("p1", "Jansen", "gemeente-ede"),)


def test_what_the_platform_gives_counts_and_what_only_we_know_stays() -> None:
    ended = date(2021, 1, 1)
    ours = (
        Organisation("gemeente-haaren", "Gemeente Haaren", BodyKind.GEMEENTE, ended=ended, successor="gemeente-boxtel"),
        Organisation(
            "gemeente-ede", "Gemeente Ede", BodyKind.GEMEENTE, keys=(("a", "oud"), ("b", "x")), names=("Ee",), code="1"
        ),
    )
    theirs = (
        Organisation("gemeente-ede", "Ede", BodyKind.GEMEENTE, keys=(("a", "nieuw"),)),
        Organisation("gemeente-nieuw", "Gemeente Nieuw", BodyKind.GEMEENTE),
    )
    found = {one.id: one for one in joined(ours, theirs)}
    assert found["gemeente-haaren"] == ours[0]
    assert found["gemeente-nieuw"] == theirs[1]
    ede = found["gemeente-ede"]
    assert (ede.name, dict(ede.keys), ede.names, ede.code) == (
        "Ede",
        {"a": "nieuw", "b": "x"},
        ("Gemeente Ede", "Ee"),
        "1",
    )


@pytest.mark.parametrize(
    ("new", "old", "source", "expected"),
    [
        (0, 0, Source.PLATFORM, None),
        (0, 5, Source.SHIPPED, Trouble.EMPTY),
        (0, 5, Source.PLATFORM, Trouble.EMPTY),
        (2, 5, Source.PLATFORM, Trouble.SHRUNK),
        (2, 5, Source.SHIPPED, None),
        (3, 5, Source.PLATFORM, None),
        (9, 5, Source.PLATFORM, None),
    ],
)
def test_a_list_that_is_strangely_short_takes_no_ones_place(
    new: int, old: int, source: Source, expected: Trouble | None
) -> None:
    assert doubt(new, old, source) is expected


@pytest.mark.parametrize(
    ("failure", "trouble"),
    [
        (UnreachableError("x", "ConnectError"), Trouble.UNREACHABLE),
        (TooSlowError("x", 20), Trouble.TOO_SLOW),
        (OverLimitError("x", 429, 5), Trouble.OVER_LIMIT),
        (RefusedError("x", 500), Trouble.REFUSED),
        (QueueFullError("x", 5), Trouble.QUEUE_FULL),
        (ClosedError("x"), Trouble.CLOSED),
        (NotAnAnswerError("x", Defect.HTML), Trouble.NOT_AN_ANSWER),
        (GoneError("x", "1"), Trouble.OTHER),
    ],
)
def test_of_a_failure_only_its_kind_is_kept(failure: ConnectorError, trouble: Trouble) -> None:
    assert trouble_of(failure) is trouble


def test_every_trouble_has_a_sentence() -> None:
    assert TROUBLE_WORDS.keys() == set(Trouble)


@pytest.mark.parametrize(
    ("age", "words"),
    [
        (timedelta(days=3, hours=5), "3 dagen oud"),
        (timedelta(days=1), "1 dag oud"),
        (timedelta(hours=2), "2 uur oud"),
        (timedelta(seconds=61), "1 minuut oud"),
        (timedelta(seconds=5), "net opgehaald"),
        (timedelta(seconds=-5), "net opgehaald"),
    ],
)
def test_an_age_is_said_in_words(age: timedelta, words: str) -> None:
    assert age_words(age) == words
