"""Arguments as assistants give them: mended where they can mean one thing, else refused in Dutch without repeating them.

Field report 43: dates crashed, extra arguments passed in silence.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from assistants.arguments import BadArgumentsError, checked
from assistants.tools import TOOLS

SEARCH = next(tool for tool in TOOLS if tool.name == "zoek")
READ = next(tool for tool in TOOLS if tool.name == "lees")
SECRET = "geheimewoordenvaneenvrager"


def search(**given: Any) -> dict[str, Any]:
    return dict(checked("zoek", SEARCH.input_schema, given))


def refused(tool: str = "zoek", **given: Any) -> BadArgumentsError:
    schema = next(one for one in TOOLS if one.name == tool).input_schema
    with pytest.raises(BadArgumentsError) as error:
        checked(tool, schema, given)
    return error.value


@pytest.mark.parametrize(
    ("name", "value", "meant"),
    [
        ("platforms", "rechtspraak", ["rechtspraak"]),
        ("platforms", "Tweede Kamer", ["tweede-kamer"]),
        ("platforms", ["Officiële Bekendmakingen", "OPENTK"], ["officiele-bekendmakingen", "opentk"]),
        ("platforms", '["rechtspraak", "opentk"]', ["rechtspraak", "opentk"]),
        ("platforms", ["opentk", "opentk"], ["opentk"]),
        ("soorten", "Motie", ["motie"]),
        ("organisaties", "Ede", ["Ede"]),
        ("sorteer", "Nieuwste", "nieuwste"),
        ("pagina", "2", 2),
        ("pagina", 2.0, 2),
        ("van", "2026-03-12", "2026-03-12"),
        ("van", "12-03-2026", "2026-03-12"),
        ("van", "2026-3-2", "2026-03-02"),
        ("van", "2026-03-12T00:00:00", "2026-03-12"),
        ("van", "2026-03-12T12:00:00Z", "2026-03-12"),
        ("tot", "2026-07-01T00:30:00+02:00", "2026-07-01"),
    ],
)
def test_a_harmless_spelling_is_mended(name: str, value: Any, meant: Any) -> None:
    assert search(**{name: value}) == {name: meant}


def test_an_argument_without_a_value_counts_as_left_out() -> None:
    assert search(vraag="subsidie", van=None, platforms=None) == {"vraag": "subsidie"}


@pytest.mark.parametrize(
    "value", ["2026-02-30", "1 april", "2026-03-12T23:30:00Z", "2026", "", "0000-00-00", "9" * 400]
)
def test_a_date_that_is_none_or_is_another_day_in_the_netherlands_is_refused(value: str) -> None:
    """Field report 43."""
    assert "`van` is geen datum" in refused(van=value).text


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"vrag": "x"}, "Bedoelt u `vraag`?"),
        ({"platform": "rechtspraak"}, "Bedoelt u `platforms`?"),
        ({"organisatie": "Ede"}, "Bedoelt u `organisaties`?"),
        ({"platforms": ["rechtspraaak"]}, "Bedoelt u `rechtspraak`?"),
        ({"soorten": ["moties"]}, "Bedoelt u `motie`?"),
        ({"soorten": ["motie", "besluitt"]}, "`soorten` (nummer 2)"),
        ({"pagina": 0}, "minstens 1"),
        ({"pagina": 201}, "hooguit 200"),
        ({"pagina": True}, "een heel getal"),
        ({"pagina": "twee"}, "een heel getal"),
        ({"vraag": ["a"]}, "een tekst"),
        ({"vraag": "a" * 501}, "hooguit 500 tekens"),
        ({"organisaties": ["a"] * 2 + [str(n) for n in range(12)]}, "hooguit 10"),
        ({"zoiets totaal anders": 1}, "Er is een argument dat niet bestaat"),
    ],
)
def test_what_does_not_fit_is_refused_with_what_would(given: dict[str, Any], said: str) -> None:
    """Field report 43."""
    assert said in refused(**given).text


def test_what_is_missing_is_named() -> None:
    assert "`id` ontbreekt" in refused("lees").text


@pytest.mark.parametrize(
    "given",
    [
        {"vraag": [SECRET]},
        {"vraag": SECRET * 40},
        {SECRET: "x"},
        {f"{SECRET} over iets": 1},
        {"platforms": [SECRET]},
        {"soorten": SECRET},
        {"van": SECRET},
        {"pagina": SECRET},
        {"sorteer": SECRET},
        {"organisaties": {SECRET: SECRET}},
    ],
)
def test_no_message_repeats_what_was_given(given: dict[str, Any]) -> None:
    failure = refused(**given)
    assert SECRET not in failure.text
    assert SECRET not in repr(failure)


@pytest.mark.parametrize("given", [[], "vraag", 3, ["vraag"], True])
def test_arguments_that_are_no_object_are_refused(given: Any) -> None:
    with pytest.raises(BadArgumentsError, match="object"):
        checked("zoek", SEARCH.input_schema, given)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=30) | st.dates().map(str),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
names = st.sampled_from([name for tool in TOOLS for name in tool.input_schema["properties"]]) | st.text(max_size=12)


@given(st.sampled_from(TOOLS), st.dictionaries(names, values, max_size=5))
def test_whatever_is_given_either_fits_the_schema_or_is_refused_in_dutch(tool: Any, arguments: dict[str, Any]) -> None:
    found: Any = None
    faults: tuple[str, ...] = ()
    try:
        found = checked(tool.name, tool.input_schema, arguments)
    except BadArgumentsError as error:
        faults = error.faults
    if found is None:
        assert faults
        assert all(sentence.rstrip().endswith((".", "?")) for sentence in faults)
        return
    Draft202012Validator(dict(tool.input_schema)).validate(dict(found))
    assert checked(tool.name, tool.input_schema, found) == found


@pytest.mark.parametrize(
    "given",
    [
        {f"naam{number}": 1 for number in range(50_000)},
        {"platforms": ["x"] * 50_000},
        {"organisaties": [{}] * 50_000},
        {"soorten": "a" * 500_000},
        {"van": "1" * 500_000},
    ],
)
def test_a_flood_of_arguments_is_refused_in_a_few_sentences(given: dict[str, Any]) -> None:
    assert len(refused(**given).text) < 3_000
