"""The text of a passage as HTML: nothing that a platform sends becomes markup of ours."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html as lxml_html

from connectors.records import Passage, TextForm
from search.markup import to_html

ALLOWED = {
    *("div", "p", "br", "strong", "em", "ul", "ol", "li", "blockquote", "pre", "code", "hr", "a"),
    *("table", "thead", "tbody", "tr", "th", "td", "h3", "h4", "h5", "h6"),
}


def test_headings_start_below_the_headings_of_the_page() -> None:
    assert to_html(Passage(1, "# Titel\n\n## Kop", form=TextForm.MARKDOWN)) == "<h3>Titel</h3>\n<h4>Kop</h4>\n"


def test_a_table_and_a_list_are_kept() -> None:
    made = to_html(Passage(1, "|a|b|\n|-|-|\n|1|2|\n\n- een\n- twee", form=TextForm.MARKDOWN))
    assert "<td>1</td>" in made
    assert made.count('<div class="tabel" role="group" tabindex="0" aria-label="Tabel"><table>') == 1
    assert made.count("</table></div>") == 1
    assert made.count("<li>") == 2


def test_plain_text_keeps_its_paragraphs_and_lines() -> None:
    assert to_html(Passage(1, "een <b>\ntwee\n\ndrie")) == "<p>een &lt;b&gt;<br>twee</p><p>drie</p>"


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "[klik](javascript:alert(1))",
        "![plaatje](https://example.org/x.png)",
        '<a href="x" onclick="y">z</a>',
        "<img src=x onerror=alert(1)>",
        "[klik](data:text/html,x)",
    ],
)
@pytest.mark.parametrize("form", TextForm)
def test_hostile_text_stays_text(text: str, form: TextForm) -> None:
    tree = lxml_html.fragment_fromstring(to_html(Passage(1, text, form=form)), create_parent="div")
    for element in tree.iter():
        assert element.tag in ALLOWED
        assert set(element.attrib) <= {"href", "rel"}
        assert element.get("href", "https://").startswith("http")


@given(st.text(max_size=200), st.sampled_from(TextForm))
def test_any_text_becomes_allowed_markup_only(text: str, form: TextForm) -> None:
    made = to_html(Passage(1, text, form=form))
    tree = lxml_html.fragment_fromstring(made or "<p></p>", create_parent="div")
    assert {element.tag for element in tree.iter() if isinstance(element.tag, str)} <= ALLOWED
