"""Snippets, supplier HTML and the parts of a text."""

from __future__ import annotations

import re

import nh3
import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.openbesluitvorming.text import parts, plain, snippet
from connectors.plaintext import MOST_OF_DESCRIPTION, MOST_OF_SNIPPET, clean, line


@pytest.mark.parametrize(
    ("summary_html", "summary", "text"),
    [
        ("over de <b>woningbouw</b> aan de Horsterweg", "anders", "over de woningbouw aan de Horsterweg"),
        ("5 &lt; 6 &amp; 7 &gt; 3", "", "5 < 6 & 7 > 3"),
        ("caf&#233; &quot;De Zon&quot;", "", 'café "De Zon"'),
        ("de naam &lt;partij&gt; invullen", "", "de naam <partij> invullen"),
        (None, "  Tekst\n\tover  water ", "Tekst over water"),
        ("", "Gewone tekst: 5 < 6", "Gewone tekst: 5 < 6"),
        (None, "Geen samenvatting beschikbaar.", ""),
        ("Geen <b>samenvatting</b> beschikbaar.", "", ""),
        (None, None, ""),
        (5, {"a": 1}, ""),
    ],
)
def test_a_snippet_is_plain_text_decoded_once(summary_html: object, summary: object, text: str) -> None:
    assert snippet(summary_html, summary) == text


@pytest.mark.parametrize(
    ("summary_html", "text"),
    [
        ("&lt;p&gt;De <b>raad</b>&lt;/p&gt;&lt;p&gt;besluit&lt;/p&gt;", "De raad besluit"),
        ("&amp;lt;p&amp;gt;De <b>raad</b>&amp;lt;/p&amp;gt;", "De raad"),
        ("AT&amp;amp;T&amp;nbsp;kiest", "AT&T kiest"),
        ("&lt;script&gt;alert(1)&lt;/script&gt;", "alert(1)"),
        ("&lt;img src=x onerror=alert(1)&gt;", ""),
    ],
)
def test_html_that_was_escaped_twice_leaves_no_tags_in_a_snippet(summary_html: str, text: str) -> None:
    """Issue 213 of the platform."""
    assert snippet(summary_html, "") == text


@given(st.text(alphabet=st.sampled_from("<>/&;bpltgamscriquonerx= \"'#0\x00\ud800")))
def test_no_markup_is_ever_left_as_a_tag(text: str) -> None:
    for found in (snippet(text, None), snippet(None, text), plain(text)):
        assert not re.search(r"</?(?:b|p|script|a|s)(?:\s[^<>]*)?>", found)
        found.encode()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("<p>De raad wordt gevraagd het plan vast te stellen.</p>", "De raad wordt gevraagd het plan vast te stellen."),
        ("<ul><li>een</li><li>twee &amp; drie</li></ul>", "een\ntwee & drie"),
        ("een<br/>twee<script>alert(1)</script>", "een\ntwee"),
        ("Gewone tekst\r\nmet een regel", "Gewone tekst\nmet een regel"),
        (None, ""),
    ],
)
def test_supplier_html_becomes_lines_of_text(value: object, text: str) -> None:
    assert plain(value) == text


def test_texts_lose_what_cannot_be_stored_or_sent() -> None:
    assert clean("a\x00b\x1fc\ud800d\te\r\nf") == "a b c?d\te\nf"
    assert line(" a\n\tb  c ") == "a b c"


def test_a_text_is_cut_at_its_top_headings() -> None:
    found = parts("Vooraf.\n\n# Inleiding\n\nTekst.\n\n### Onder\n\nMeer.\n\n## **Besluit** ##\nAkkoord.\n")

    assert [(part.heading, part.text) for part in found] == [
        ("", "Vooraf."),
        ("Inleiding", "Tekst.\n\n### Onder\n\nMeer."),
        ("Besluit", "Akkoord."),
    ]


def test_a_heading_without_text_keeps_the_next_one_with_it() -> None:
    assert [(part.heading, part.text) for part in parts("# Titel\n## Eerste\ntekst")] == [("Titel", "## Eerste\ntekst")]


def test_a_text_that_is_only_a_heading_is_one_part() -> None:
    assert [(part.heading, part.text) for part in parts("# Titel")] == [("Titel", "")]


def test_a_word_with_a_hash_in_front_is_no_heading() -> None:
    assert [(part.heading, part.text) for part in parts("#1 staat erin\n#")] == [("", "#1 staat erin\n#")]


def test_a_long_text_without_headings_is_cut_between_paragraphs() -> None:
    paragraph = "woord " * 500
    found = parts("\n\n".join([paragraph] * 10))

    assert len(found) == 4
    assert max(len(part.text) for part in found) < 12_000


def test_one_endless_line_is_cut_too() -> None:
    found = parts("x" * 100_000 + "\n\nslot")

    assert "".join(part.text.replace("\n", "") for part in found) == "x" * 100_000 + "slot"
    assert max(len(part.text) for part in found) <= 64_001


def test_an_empty_text_has_no_parts() -> None:
    assert parts(" \n\n ") == ()


@given(
    st.lists(st.sampled_from(["# kop", "## kop", "### kop", "#", "tekst", "", "| a | b |", "y" * 5000])).map("\n".join)
)
def test_no_word_of_a_text_is_lost_in_its_parts(text: str) -> None:
    found = parts(text)
    words = " ".join(f"{part.heading} {part.text}" for part in found)

    for word in ("kop", "tekst", "| a | b |", "y" * 5000):
        assert words.count(word) == text.count(word)
    assert all(part.heading or part.text for part in found)


A_MILLION = 1_000_000
ENDLESS = (
    "<div>",
    "<p>",
    "</div>",
    "<table><tr><td>",
    "<b><i>",
    "<a x='>'>",
    "&amp;lt;div&amp;gt;",
    " ",
    "\t",
    "\x00",
    "\n ",
)


@pytest.mark.parametrize("unit", ENDLESS)
def test_a_million_characters_of_one_thing_are_read_as_far_as_a_text_of_a_council_goes(unit: str) -> None:
    """Blanks, NULs and deep elements took time that grows with the square of their number: here, minutes."""
    endless = f"begin {unit * (A_MILLION // len(unit))} eind"

    for found in (plain(endless), snippet(endless, None), snippet(None, endless)):
        assert found.startswith("begin")
        assert not found.endswith("eind")


def test_what_lies_within_the_caps_is_read_to_its_end() -> None:
    assert plain(f"a{' ' * (MOST_OF_DESCRIPTION - 2)}b").endswith("b")
    assert plain("<div>" * 30_000 + "diep" + "</div>" * 1_000) == "diep"
    assert snippet("<i>" * 6_000 + "diep", None) == "diep"
    assert len(plain("a" * A_MILLION)) == MOST_OF_DESCRIPTION
    assert len(snippet("a" * A_MILLION, None)) == MOST_OF_SNIPPET


def test_lines_lose_the_blanks_around_them_and_no_others() -> None:
    assert plain("een  twee \t\n \tdrie<br> vier \n\n\n\n\nvijf") == "een  twee\ndrie\nvier\n\nvijf"


@pytest.mark.parametrize("reference", [f"&#{'1' * 5_000};", f"&#x{'f' * 5_000};", f"&#{'1' * 5_000}"])
def test_a_reference_to_no_character_is_read_as_one_sign(reference: str) -> None:
    """Python refuses to read a number of that length."""
    escaped = reference.replace("&", "&amp;")

    for found in (plain(reference), plain(f"&amp;nbsp;{escaped}"), snippet(f"&amp;nbsp;{escaped}", None)):
        assert set(found.strip()) <= {"\ufffd", "1", "f", "&", "#", "x", ";"}
        assert len(found) < 10


def test_scripts_and_styles_leave_nothing_behind_and_text_in_brackets_stays() -> None:
    assert plain("a<script>x<b>y</b></script>b<STYLE>p{}</STYLE>c") == "abc"
    assert plain("5 < 6 en &lt;naam&gt;") == "5 < 6 en <naam>"
    assert plain('<a title="a>b" href="x">tekst</a><scripture>er bij</scripture>') == "tekster bij"


def test_elements_that_are_looked_for_among_all_open_ones_are_never_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deep ``<div>`` took a time that grows with the square of their number: 30,000 of them twelve seconds."""
    parsed: list[str] = []
    strip = nh3.clean

    def watched(markup: str, tags: set[str]) -> str:
        parsed.append(markup)
        return strip(markup, tags=tags)

    monkeypatch.setattr(nh3, "clean", watched)

    assert plain("<div class='a'><P>een</P></div><table><td>twee") == "een\n\ntwee"
    assert snippet("<div><b>drie</b></div>", None) == "drie"
    assert {name.lower() for markup in parsed for name in re.findall(r"</?([a-zA-Z]+)", markup)} == {"x"}
