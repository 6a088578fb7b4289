"""Words looked for in a text: found whatever its markup, counted once each, and never in the markup itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.records import Passage, TextForm
from search.finding import read_finder
from search.markup import to_html


def found(text: str, typed: str, form: TextForm = TextForm.PLAIN) -> tuple[str, int]:
    seen = read_finder(typed, 500).found_in(Passage(1, text, form=form), {})
    return str(seen.html), seen.count


@pytest.mark.parametrize(
    ("text", "typed", "html", "count"),
    [
        ("Het Warmtenet.", "warmtenet", "<p>Het <mark>Warmtenet</mark>.</p>", 1),
        ("energiesubsidies", "subsidie", "<p><mark>energiesubsidies</mark></p>", 1),
        ("de bode", "de", "<p><mark>de</mark> bode</p>", 1),
        ("coördinatie", "coordinatie", "<p><mark>coördinatie</mark></p>", 1),
        ("warm net, net warm", '"net warm"', "<p>warm net, <mark>net</mark> <mark>warm</mark></p>", 1),
        ("foto's van foto en s", "foto's", "<p><mark>foto</mark>&#x27;<mark>s</mark> van foto en s</p>", 1),
        ("a & b amp", "amp", "<p>a &amp; b <mark>amp</mark></p>", 1),
        ("niets", "", "<p>niets</p>", 0),
        ("niets", "iets anders", "<p><mark>niets</mark></p>", 1),
    ],
)
def test_a_text_has_these_marks(text: str, typed: str, html: str, count: int) -> None:
    assert found(text, typed) == (html, count)


def test_words_in_a_heading_count_and_are_marked_and_go_on_in_no_text() -> None:
    passage = Passage(1, "voor sport", heading="Subsidie & meer")
    seen = read_finder("subsidie", 500).found_in(passage, {})
    assert (seen.heading, seen.html, seen.count) == ("<mark>Subsidie</mark> &amp; meer", "<p>voor sport</p>", 1)
    assert read_finder("sport meer", 500).found_in(passage, {}).count == 2
    assert read_finder('"meer voor"', 500).found_in(passage, {}).count == 0
    odd = read_finder("script", 500).found_in(Passage(1, "", heading="<script>"), {})
    assert odd.heading == "&lt;<mark>script</mark>&gt;"


def test_words_in_the_address_of_a_link_are_not_marked() -> None:
    html, count = found('[subsidie](https://example.org/subsidie?a="subsidie>")', "subsidie", TextForm.MARKDOWN)
    assert html.count("<mark>") == count
    assert "<mark>" not in html.partition('href="')[2].partition('"')[0]


def test_words_that_are_too_many_are_not_looked_for() -> None:
    assert not read_finder("x" * 501, 500)
    assert "woord" not in repr(read_finder("woord", 500))


@given(st.text(max_size=200), st.text(max_size=40), st.sampled_from(list(TextForm)))
def test_marks_change_nothing_but_marks(text: str, typed: str, form: TextForm) -> None:
    html, count = found(text, typed, form)
    assert html.replace("<mark>", "").replace("</mark>", "") == str(to_html(Passage(1, text, form=form)))
    assert html.count("<mark>") >= count
