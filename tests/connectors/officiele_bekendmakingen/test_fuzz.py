"""Whatever the bytes, a parser gives a record or one of our own failures."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.addresses import Addresses, PlatformMode
from connectors.calls import Answer
from connectors.exceptions import ConnectorError
from connectors.officiele_bekendmakingen.documents import document_of, hit_of, without_text
from connectors.officiele_bekendmakingen.links import Links, file_path
from connectors.officiele_bekendmakingen.parse_files import parse_html, parse_xml
from connectors.officiele_bekendmakingen.parse_search import parse_search
from connectors.officiele_bekendmakingen.text import NOTES_HEADING
from tests.connectors.officiele_bekendmakingen.helpers import CORPUS, FETCHED, answer, sample

LINKS = Links(Addresses(PlatformMode.STAND_INS, "http://127.0.0.1:1", "http://127.0.0.1:2"))
Parse = Callable[[Answer], object]


def _search(body: Answer) -> object:
    page = parse_search(body)
    for record in page.records:
        assert hit_of(record, LINKS, FETCHED).kind_at_source
        document_of(record, (), LINKS, FETCHED, without_text())
        file_path(record, "xml")
    return page.records


def _xml(body: Answer) -> object:
    return parse_xml(body, "gmb-2024-1")


def _html(body: Answer) -> object:
    return parse_html(body, "gmb-2024-1")


PARSERS: dict[str, tuple[Parse, bytes]] = {
    "search": (_search, sample("sru-search-hits.constructed.xml")),
    "json": (_search, sample("sru-search-hits.constructed.json")),
    "xml": (_xml, (CORPUS / "documents" / "kst-33576-433.xml").read_bytes()),
    "html": (_html, (CORPUS / "documents" / "stcrt-2013-10981.html").read_bytes()),
}
parsers = pytest.mark.parametrize("name", list(PARSERS))
statuses = st.sampled_from([200, 200, 200, 204, 301, 400, 404, 410, 429, 500, 503])


@parsers
def test_the_untouched_sample_is_read(name: str) -> None:
    parse, body = PARSERS[name]
    assert parse(answer(body))


@parsers
@given(body=st.binary(max_size=400), status=statuses)
def test_arbitrary_bytes_raise_nothing_but_our_failures(name: str, body: bytes, status: int) -> None:
    with suppress(ConnectorError):
        PARSERS[name][0](answer(body, status, ""))


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
        parse(answer(bytes(changed[:end])))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=30),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["$", "scheme", "x"]), inner, max_size=3)
    ),
    max_leaves=8,
)
blocks = st.dictionaries(
    st.sampled_from(["identifier", "title", "type", "creator", "available", "source", "abstract"]),
    json_values | st.just("gmb-2024-1"),
    max_size=6,
)


@given(kern=blocks, mantel=blocks | json_values, urls=json_values, count=json_values | st.integers(0, 9))
def test_any_json_in_the_shape_of_records_raises_nothing_but_our_failures(
    kern: object, mantel: object, urls: object, count: object
) -> None:
    gzd = {"originalData": {"meta": {"owmskern": kern, "owmsmantel": mantel}}, "enrichedData": {"itemUrl": urls}}
    record = {"recordData": {"gzd": gzd}}
    body = {"searchRetrieveResponse": {"numberOfRecords": count, "records": {"record": [record, kern]}}}
    with suppress(ConnectorError):
        _search(answer(json.dumps(body).encode()))


ELEMENTS = ["al", "kop", "titel", "label", "nr", "lijst", "li", "li.nr", "lid", "lidnr", "artikel", "nadruk", "extref"]
ELEMENTS += ["noot", "table", "row", "entry", "spreker", "tekst", "tussenkop", "kamerstukkop", "motie", "vreemd"]
texts = st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=0x2FF, exclude_characters="<>&"), max_size=20)
trees = st.recursive(
    texts | st.just("<?xpp qa?>") | st.just("<!-- x -->"),
    lambda inner: st.builds(
        lambda name, parts: f"<{name}>{''.join(parts)}</{name}>", st.sampled_from(ELEMENTS), st.lists(inner, max_size=4)
    ),
    max_leaves=25,
)


@given(body=trees)
def test_any_tree_of_known_elements_keeps_all_its_text(body: str) -> None:
    xml = f"<officiele-publicatie><gemeenteblad>{body}</gemeenteblad></officiele-publicatie>"
    try:
        passages = parse_xml(answer(xml.encode()), "gmb-2024-1")
    except ConnectorError:
        return  # nested deeper than any publication
    written = "".join(
        ("" if passage.heading == NOTES_HEADING else passage.heading) + passage.text for passage in passages
    )
    kept = sorted(c for c in written if c.isalpha() and ord(c) > 127)
    there = sorted(c for c in body if c.isalpha() and ord(c) > 127)
    assert kept == there
