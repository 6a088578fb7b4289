from __future__ import annotations

import html
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree

from connectors.cutting import PART_SIZE
from connectors.exceptions import Defect, NotAnAnswerError
from connectors.rechtspraak.numbering import item_mark
from connectors.rechtspraak.parse_body import paragraphs_of, passages_of
from connectors.rechtspraak.parse_content import parse_content
from connectors.records import Passage, TextForm
from tests.connectors.rechtspraak.helpers import CORPUS, SAMPLES, answer, ecli_of

CONTINUED = " (vervolg)"
FILES = [
    *sorted((CORPUS / "content").glob("*.xml")),
    *(file for file in sorted((SAMPLES / "content").glob("*.xml")) if "cp1252" not in file.name),
]


def _passages(inside: str) -> tuple[Passage, ...]:
    return passages_of(etree.fromstring(f"<uitspraak>{inside}</uitspraak>"))


def _text(inside: str) -> str:
    passages = _passages(inside)
    assert len(passages) == 1
    return passages[0].text


def _squashed(text: str) -> str:
    return "".join(text.split())


def _text_nodes(body: etree._Element) -> Iterator[str]:
    """The texts in order; three rulings were escaped twice before they were published."""
    for node in body.iter():
        if isinstance(node.tag, str):
            yield _squashed(html.unescape(node.text or ""))
        if node is not body:
            yield _squashed(html.unescape(node.tail or ""))


def _body(file: Path) -> etree._Element | None:
    root = etree.parse(file).getroot()
    return next((child for child in root if str(child.tag).rpartition("}")[2] in {"uitspraak", "conclusie"}), None)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_text_of_any_ruling_is_lost_moved_or_told_twice(file: Path) -> None:
    """Every text node of the body stands in the passages, in order; what we add is counted."""
    body = _body(file)
    passages = parse_content(answer(file.read_bytes()), ecli_of(file)).passages
    if body is None:
        assert passages == ()
        return
    written = "".join(
        _squashed(("" if passage.heading.endswith(CONTINUED) else passage.heading) + passage.text)
        for passage in passages
    )
    position = 0
    for node in _text_nodes(body):
        found = written.find(node, position)
        assert found >= 0, node[:60]
        position = found + len(node)
    count = {
        name: sum(1 for _ in body.iter(f"{{*}}{name}")) for name in ("entry", "listitem", "imagedata", "mediaobject")
    }
    marks = sum(1 for _ in body.iter("{*}footnote", "{*}footnote-ref"))
    added = len(written) - sum(map(len, _text_nodes(body)))
    image_marks = 12 * (count["imagedata"] + count["mediaobject"])
    notes_heading = 5 if marks else 0
    assert 0 <= added <= count["entry"] + 5 * count["listitem"] + image_marks + 6 * marks + notes_heading
    if not marks and not any(count.values()):
        assert added == 0


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_parts_are_numbered_plain_and_of_a_readable_length(file: Path) -> None:
    passages = parse_content(answer(file.read_bytes()), ecli_of(file)).passages
    assert [passage.number for passage in passages] == list(range(1, len(passages) + 1))
    for passage in passages:
        assert passage.form is TextForm.PLAIN
        assert passage.text == passage.text.strip() != ""
        assert "\n\n\n" not in passage.text
        assert len(passage.text) < PART_SIZE * 1.2


def test_every_para_is_a_paragraph_and_empty_ones_are_none() -> None:
    assert _text("<para>een</para><para/><parablock><para>twee</para><para> drie\n vier </para></parablock>") == (
        "een\n\ntwee\n\ndrie vier"
    )


def test_a_number_stands_before_its_paragraph() -> None:
    assert _text("<paragroup><nr>1.1.</nr><parablock><para>een</para><para>twee</para></parablock></paragroup>") == (
        "1.1. een\n\ntwee"
    )


def test_a_number_without_a_paragraph_or_before_another_number_is_kept() -> None:
    inside = "<paragroup><nr>4.</nr><paragroup><nr>4.1.</nr><para>een</para></paragroup></paragroup>"
    assert _text(f"{inside}<paragroup><nr>5.</nr><para/></paragroup>") == "4.\n\n4.1. een\n\n5."


def test_line_breaks_are_kept_and_emphasis_is_dropped() -> None:
    assert _text(
        "<para>een <emphasis role='bold'>twee</emphasis>drie<?linebreak?> vier<!-- nee --> vijf<?x y?></para>"
    ) == ("een tweedrie\nvier vijf")


def test_rows_of_a_table_are_lines_with_bars_between_cells() -> None:
    table = (
        "<informaltable><title>Tabel</title><tgroup><colspec/><tbody><row><entry><para>a</para><para>b</para></entry>"
        "<entry/><entry>c</entry></row><row><entry><para/></entry></row><row><entry>d</entry></row></tbody></tgroup></informaltable>"
    )
    assert _text(f"<para>voor</para>{table}<para>na</para>") == "voor\n\nTabel\na b | | c\nd\n\nna"


def test_items_carry_the_mark_of_their_list() -> None:
    items = "<listitem><para>een</para><para>meer</para></listitem><listitem><para>twee</para></listitem><listitem/>"
    assert _text(f"<itemizedlist mark='-'>{items}</itemizedlist>") == "- een\n\nmeer\n\n- twee"
    assert _text(f"<orderedlist numeration='loweralpha'>{items}</orderedlist>") == "a. een\n\nmeer\n\nb. twee"


@pytest.mark.parametrize(
    ("numeration", "number", "mark"),
    [
        ("arabic", 12, "12."),
        ("loweralpha", 28, "ab."),
        ("upperalpha", 2, "B."),
        ("lowerroman", 49, "xlix."),
        ("upperroman", 4, "IV."),
        ("lowerroman", 400, "cd."),
        ("upperroman", 1994, "MCMXCIV."),
        ("lowerroman", 3999, "mmmcmxcix."),
        ("lowerroman", 4000, "4000."),
        ("upperroman", 1_000_000, "1000000."),
        ("", 3, "-"),
        ("klingon", 3, "-"),
    ],
)
def test_lists_count_in_their_own_way(numeration: str, number: int, mark: str) -> None:
    assert item_mark(numeration, number) == mark


def test_footnotes_stand_together_at_the_end_under_their_marks() -> None:
    passages = _passages(
        "<section><title>Feiten</title><para>Zie<footnote-ref linkend='n1'/> en<footnote id='n2' label='2'>"
        "<para>binnen</para></footnote>.</para></section>"
        "<footnote id='n1' label='1'><para>noot</para><para>meer</para></footnote>"
    )
    assert [(passage.heading, passage.text) for passage in passages] == [
        ("Feiten", "Zie[1] en[2]."),
        ("Noten", "[2] binnen\n\n[1] noot\n\nmeer"),
    ]


def test_a_note_inside_a_note_stands_behind_it() -> None:
    note = "<footnote id='1' label='1'><para>a<footnote id='2' label='2'><para>b</para></footnote></para></footnote>"
    assert [passage.text for passage in _passages(note)] == ["[1] a[2]\n\n[2] b"]


def test_a_mark_that_leads_nowhere_is_still_a_mark() -> None:
    assert _text("<para>Zie<footnote-ref linkend='weg'/></para>") == "Zie[*]"


def test_images_are_noted_and_their_words_kept() -> None:
    assert _text("<mediaobject><imageobject><imagedata/></imageobject></mediaobject>") == "[afbeelding]"
    assert _text("<mediaobject><textobject><para>schema</para></textobject></mediaobject>") == "[afbeelding]\nschema"
    assert _text("<para>a <inlinemediaobject><imageobject/></inlinemediaobject></para>") == "a [afbeelding]"


def test_sections_give_headings_with_their_number_or_else_their_role() -> None:
    passages = _passages(
        "<uitspraak.info><para>kop</para></uitspraak.info>"
        "<section><title><nr>2</nr>Feiten<?linebreak?>en meer</title><para>a</para></section>"
        "<section role='beslissing'><title/><para>b</para></section><section><para>c</para></section>"
        "<section><title>HD</title><para/></section>"
    )
    assert [(passage.heading, passage.text) for passage in passages] == [
        ("", "kop"),
        ("2 Feiten en meer", "a"),
        ("Beslissing", "b"),
        ("", "c"),
        ("", "HD"),
    ]


def test_a_long_section_is_cut_at_paragraphs_and_says_that_it_goes_on() -> None:
    paragraphs = "".join(f"<para>{'x' * 2500}</para>" for _ in range(5))
    passages = _passages(f"<section><title>Lang</title>{paragraphs}</section>")
    assert [(passage.heading, len(passage.text)) for passage in passages] == [
        ("Lang", 5002),
        ("Lang (vervolg)", 5002),
        ("Lang (vervolg)", 2500),
    ]


def test_text_that_stands_loose_or_in_unknown_elements_is_kept() -> None:
    assert _text(
        "los<parablock>ook<para>een</para>tussen</parablock><raar><para>twee</para></raar><vreemd>drie</vreemd>eind"
    ) == ("los\n\nook\n\neen\n\ntussen\n\ntwee\n\ndrie\n\neind")


def test_a_list_inside_a_line_does_not_run_into_it() -> None:
    assert _text("<para>som:<itemizedlist><listitem><para>a</para></listitem></itemizedlist></para>") == "som:\na"


def test_no_text_is_no_passage() -> None:
    assert _passages("<para/><parablock><para> </para></parablock>") == ()


def test_an_abstract_gives_its_paragraphs_with_its_notes() -> None:
    element = etree.fromstring(
        "<i>\n<para>een</para><para>twee<footnote label='1'><para>n</para></footnote></para></i>"
    )
    assert paragraphs_of(element) == ("een", "twee[1]", "[1] n")


@pytest.mark.parametrize("name", ["parablock", "emphasis", "itemizedlist", "informaltable", "para", "footnote"])
def test_elements_nested_without_end_are_refused(name: str) -> None:
    inside = f"<{name}>" * 150 + "x" + f"</{name}>" * 150
    with pytest.raises(NotAnAnswerError) as caught:
        _passages(inside)
    assert (caught.value.defect, caught.value.where) == (Defect.WRONG_SHAPE, "depth")
