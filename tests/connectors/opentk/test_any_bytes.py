"""Whatever bytes come: a value, or a failure with a name. Nothing else, and in time that grows with their number."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connectors.exceptions import ConnectorError
from connectors.kamer_words import line
from connectors.opentk import cases
from connectors.opentk.activities import activity
from connectors.opentk.answers import html_root
from connectors.opentk.cases import case, with_votes
from connectors.opentk.hits import found, ids_in, snippet
from connectors.opentk.lists import committees, dossiers, members
from connectors.opentk.markup import MOST_CHARACTERS, page_text
from connectors.opentk.others import commitment, gift, open_document, report
from connectors.opentk.papers import paper
from connectors.opentk.status import feed_items, is_up, load_status
from connectors.opentk.texts import paper_text, with_file
from connectors.opentk.values import change, moment
from connectors.records import DateMeaning
from tests.connectors.opentk.helpers import answer, page, pages, place, row, rows, sample_answer

GUID = "b1000000-0000-4000-8000-00000000000a"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)
FIELDS = st.sampled_from(
    ["category", "datum", "nummer", "onderwerp", "relurl", "score", "snip", "meta", "docs", "agendapunten", "tkconv"]
)
MARKUP = st.lists(
    st.sampled_from(
        [
            *(
                f"<{name}>"
                for name in ("h1", "h4", "p", "li", "ul", "b", "pre", "td", "br", "hr", "table", "tr", "div")
            ),
            *(f"</{name}>" for name in ("h1", "h4", "p", "li", "ul", "b", "pre", "td", "table", "tr", "div")),
            '<a href="zaak.html?nummer=2026Z14299">',
            '<a href="document.html?nummer=2026D33299">',
            '<a href="https://[">',
            "<a name=1></a>",
            "</a>",
            "Nummer: ",
            "Zaak 2026Z14299, gestart op 2026-07-02",
            "Datum 2026-13-45",
            "2026-07-07 ⇒ Aangenomen. (Besluit)",
            "Voor 77: CDA | D66",
            "Preview document",
            "Toezegging",
            "Openbaarmakingsdatum: 2026-02-31",
            "&#x0;",
            "\ud800".encode("utf-8", "replace").decode(),
        ]
    )
    | st.text(max_size=8),
    max_size=25,
).map("".join)


def readers() -> list[Any]:
    document = activity(sample_answer("activiteit_json.constructed.json"), place("2024A02517")).document
    paper_place, gift_place = place("2026D33299"), place(f"geschenk:9001:{GUID}")
    return [
        lambda given: found(given, pages()),
        ids_in,
        lambda given: activity(given, place("2024A02517")),
        lambda given: case(given, place("2026Z14299")),
        lambda given: with_votes(given, document, "2026Z14299"),
        lambda given: commitment(given, place("TZ202603-130")),
        lambda given: report(given, place(f"verslag:{GUID}")),
        lambda given: open_document(given, place("oo:oep-00112233445566778899aabbccddeeff")),
        lambda given: gift(given, gift_place),
        lambda given: paper(given, paper_place),
        lambda given: paper_text(given, document),
        lambda given: with_file(given, document),
        committees,
        members,
        dossiers,
        load_status,
        is_up,
        feed_items,
    ]


READERS = readers()


@settings(max_examples=30)
@pytest.mark.parametrize("reader", READERS, ids=range(len(READERS)))
@given(
    body=st.binary(max_size=200) | JSON.map(lambda value: str(value).encode()), status=st.sampled_from([200, 404, 500])
)
def test_any_bytes_are_read_or_refused_by_name(reader: Any, body: bytes, status: int) -> None:
    _read(reader, answer(body, status))


@settings(max_examples=30)
@pytest.mark.parametrize("reader", READERS, ids=range(len(READERS)))
@given(value=st.dictionaries(FIELDS, JSON, max_size=5) | JSON.map(lambda value: {"results": [value], "meta": value}))
def test_any_json_is_read_or_refused_by_name(reader: Any, value: dict[str, Any]) -> None:
    _read(reader, answer(value))
    _read(reader, answer({"results": [value, value]}))
    _read(reader, answer([value]))


@settings(max_examples=30)
@pytest.mark.parametrize("reader", READERS, ids=range(len(READERS)))
@given(main=MARKUP)
def test_any_page_is_read_or_refused_by_name(reader: Any, main: str) -> None:
    _read(reader, page(main))


@given(st.text(max_size=60), st.sampled_from(["Document", "Activiteit", "OODocument", "?"]))
def test_no_fragment_keeps_the_marks_of_the_search(text: str, category: str) -> None:
    plain = snippet(category, f"a <b>{text}</b>")
    assert "<b>" not in plain.replace(text, "")
    assert "\n" not in plain


@given(JSON)
def test_any_value_is_a_moment_or_none(value: Any) -> None:
    moment(value, DateMeaning.DOCUMENT)
    change(value)


@pytest.mark.parametrize(
    "piece",
    [
        "<div>",
        "<p>a",
        "<li>a: b",
        "<h1>",
        "<a name=1></a>a",
        "<table><tr><td>",
        "<b>",
        "<ul><li>",
        "a ",
        "&#160;",
        "⇒ (",
        "<pre>\n",
    ],
)
def test_a_long_page_of_the_same_is_read_once_through(piece: str) -> None:
    """A page of a megabyte costs no more than one walk: what is read is bounded, and says when something was left out."""
    body = f"<!DOCTYPE html><html><body><main>{piece * 20_000}</main></body></html>".encode()
    text = page_text(html_root(body))
    assert sum(len(one.text) for one in text.passages) <= MOST_CHARACTERS + 1_000_000
    for reader in READERS:
        _read(reader, answer(body))


def test_text_behind_the_bound_is_left_out_and_said() -> None:
    line = "a" * 1000
    body = f"<html><body>{f'<p>{line}</p>' * 2100}</body></html>".encode()
    text = page_text(html_root(body))
    assert text.is_cut
    assert sum(len(one.text) for one in text.passages) <= MOST_CHARACTERS + 3000


@pytest.mark.parametrize("score", [b"1" + b"0" * 400, b"NaN", b"-Infinity", b"true", b'"x"', b"[]"])
def test_a_score_that_is_no_number_to_order_by_takes_no_hit_away(score: bytes) -> None:
    body = b'{"results":[{"category":"Document","relurl":"get/2026D00001","score":%s}]}' % score
    (one,) = found(answer(body), pages()).hits
    assert math.isfinite(one.score)


def test_a_reference_with_thousands_of_digits_is_one_odd_character() -> None:
    assert snippet("Activiteit", f"a &#{'9' * 5000}; b") == "a \ufffd b"


def test_no_control_character_or_half_a_character_comes_through() -> None:
    """Such a text cannot be stored or sent, and in a terminal it is a command."""
    (one,) = found(rows(row(1, onderwerp="a\ud800\x1b[31mb\x00", snip="c\x07\udfff")), pages()).hits
    assert (one.hit.title, one.hit.snippet) == ("a? [31mb", "c ?")
    document = activity(sample_answer("activiteit_json.constructed.json"), place("2024A02517")).document
    text = paper_text(page("<p>d\x1b[2J&#27;e</p>"), document).passages[-1].text
    assert text == "d [2J e"


def test_an_item_with_thousands_of_links_is_read_once_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    about = cases._about

    def counted(item: Any) -> str:
        read.append("once")
        return about(item)

    monkeypatch.setattr(cases, "_about", counted)
    links = "".join(f'<a href="activiteit.html?nummer=2026A{number:05}">x</a>' for number in range(1000))
    opened = case(page(f"<h4>Zaak 2026Z14299, gestart op 2026-07-02</h4><p>{links}</p>"), place("2026Z14299"))
    assert len(opened.document.related) >= 1000
    assert len(read) == 1


def test_a_comment_in_a_decision_is_not_read_and_harms_nothing() -> None:
    item = "<li>2026-07-07 <!-- x --> ⇒ Aangenomen. (Besluit)</li>"
    opened = case(page(f"<h4>Zaak 2026Z14299, gestart op 2026-07-02</h4><ul>{item}</ul>"), place("2026Z14299"))
    assert opened.document.votes
    assert opened.document.votes.literal == "Aangenomen."


def test_of_a_long_text_in_front_of_many_links_only_the_start_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    lengths: list[int] = []

    def measured(value: object) -> str:
        lengths.append(len(str(value)))
        return line(value)

    monkeypatch.setattr("connectors.opentk.papers.line", measured)
    links = "".join(f'<a href="document.html?nummer=2026D{number:05}">x</a>' for number in range(100))
    body = f"<p>Nummer: <b>1</b></p><p>Bijlage bij {'x ' * 5000}{links}</p>"
    opened = paper(page(body), place("2026D33299"))
    assert {one.relation for one in opened.document.related if one.upstream_id} == {"Bijlage bij"}
    assert max(lengths) < 1000


def _read(reader: Any, given: Any) -> None:
    with suppress(ConnectorError):
        reader(given)
