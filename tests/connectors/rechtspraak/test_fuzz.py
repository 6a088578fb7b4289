"""Whatever the bytes, a parser gives a record or one of our own failures."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.calls import Answer
from connectors.exceptions import ConnectorError
from connectors.rechtspraak.documents import document_of, hit_of_atom, hit_of_ruling, hit_of_website
from connectors.rechtspraak.parse_atom import parse_atom
from connectors.rechtspraak.parse_content import parse_content
from connectors.rechtspraak.parse_lists import parse_court_list, parse_value_list
from connectors.rechtspraak.parse_website import parse_website
from connectors.rechtspraak.titles import read_title
from tests.connectors.rechtspraak.helpers import FETCHED, sample

Parse = Callable[[Answer], object]
CONTENT = ("RBMNE:2016:1780", "CRVB:2014:3494", "RBAMS:2007:YB0083")


def _atom(answer: Answer) -> object:
    return [hit_of_atom(row, "", FETCHED) for row in parse_atom(answer).rows]


def _website(answer: Answer) -> object:
    return [hit_of_website(row, FETCHED) for row in parse_website(answer).rows]


def _content(answer: Answer) -> object:
    ruling = parse_content(answer, "ECLI:NL:CRVB:2014:3494")
    return document_of(ruling, FETCHED), hit_of_ruling(ruling, FETCHED)


def _courts(answer: Answer) -> object:
    return parse_court_list(answer)


def _areas(answer: Answer) -> object:
    return parse_value_list(answer, "Rechtsgebieden")


PARSERS: dict[str, tuple[Parse, bytes]] = {
    "feed": (_atom, sample("zoeken-deleted.constructed.xml")),
    "website": (_website, sample("api-zoek-hits.mixed.json")),
    "content": (_content, sample("content/ECLI_NL_CRVB_2014_3494.xml")),
    "courts": (_courts, sample("waardelijst/five_institutions_xml.xml")),
    "areas": (_areas, sample("waardelijst/one_main_and_one_sub_legal_area_xml.xml")),
}
parsers = pytest.mark.parametrize("name", list(PARSERS))
statuses = st.sampled_from([200, 200, 200, 204, 301, 400, 404, 410, 429, 500, 503])
media_types = st.sampled_from(["", "text/html", "application/json", "text/xml"])


def _answer(body: bytes, status: int = 200, media_type: str = "") -> Answer:
    return Answer(status=status, headers={"content-type": media_type}, body=body, fetched_at=FETCHED)


@parsers
def test_the_untouched_sample_is_read(name: str) -> None:
    parse, body = PARSERS[name]
    assert parse(_answer(body))


@parsers
@given(body=st.binary(max_size=400), status=statuses, media_type=media_types)
def test_arbitrary_bytes_raise_nothing_but_our_failures(name: str, body: bytes, status: int, media_type: str) -> None:
    with suppress(ConnectorError):
        PARSERS[name][0](_answer(body, status, media_type))


@parsers
@given(data=st.data())
def test_samples_with_bytes_changed_or_cut_raise_nothing_but_our_failures(name: str, data: st.DataObject) -> None:
    parse, body = PARSERS[name]
    changed = bytearray(body)
    for _ in range(data.draw(st.integers(0, 4))):
        place = data.draw(st.integers(0, len(changed) - 1))
        changed[place : place + data.draw(st.integers(0, 30))] = data.draw(st.binary(max_size=30))
        changed = changed or bytearray(b" ")
    end = data.draw(st.integers(0, len(changed)) | st.just(len(changed)))
    with suppress(ConnectorError):
        parse(_answer(bytes(changed[:end])))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=8,
)
NAMES = ["TitelEmphasis", "Titel", "Uitspraakdatum", "GerechtelijkProductType", "Tekstfragment"]
rows = st.dictionaries(st.sampled_from(NAMES), json_values | st.just("ECLI:NL:HR:2024:1"), max_size=5)


@given(results=st.lists(rows | json_values, max_size=4) | json_values, count=json_values | st.integers(0, 9))
def test_any_json_in_the_shape_of_results_raises_nothing_but_our_failures(results: object, count: object) -> None:
    with suppress(ConnectorError):
        _website(_answer(json.dumps({"Results": results, "ResultCount": count}).encode()))


ELEMENTS = [
    "para",
    "parablock",
    "paragroup",
    "nr",
    "section",
    "title",
    "emphasis",
    "footnote",
    "footnote-ref",
    "row",
    "entry",
]
ELEMENTS += [
    "informaltable",
    "tgroup",
    "itemizedlist",
    "orderedlist",
    "listitem",
    "mediaobject",
    "uitspraak.info",
    "vreemd",
]
texts = st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=0x2FF, exclude_characters="<>&"), max_size=20)
trees = st.recursive(
    texts | st.just("<?linebreak?>") | st.just("<!-- x -->"),
    lambda inner: st.builds(
        lambda name, parts: f"<{name} id='a' linkend='a' numeration='arabic'>{''.join(parts)}</{name}>",
        st.sampled_from(ELEMENTS),
        st.lists(inner, max_size=4),
    ),
    max_leaves=25,
)


@given(body=trees, abstract=trees)
def test_any_tree_of_known_elements_keeps_all_its_text(body: str, abstract: str) -> None:
    xml = (
        "<open-rechtspraak><RDF><Description><identifier>ECLI:NL:HR:2024:1</identifier></Description></RDF>"
        f"<inhoudsindicatie>{abstract}</inhoudsindicatie><uitspraak>{body}</uitspraak></open-rechtspraak>"
    )
    ruling = parse_content(_answer(xml.encode()), "ECLI:NL:HR:2024:1")
    written = "".join(f"{passage.heading}{passage.text}" for passage in ruling.passages)
    kept = sorted(c for c in written if c.isalpha() and ord(c) > 127)
    lost = sorted(c for c in body if c.isalpha() and ord(c) > 127)
    assert kept == lost


@given(text=st.text(max_size=300))
def test_any_title_is_read(text: str) -> None:
    title = read_title(text)
    assert title.text == " ".join(title.text.split())
