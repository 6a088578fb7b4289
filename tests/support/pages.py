"""Reading a page as a person's program would: sections, states, texts."""

from __future__ import annotations

from dataclasses import dataclass

from lxml import html


@dataclass(frozen=True, slots=True)
class Section:
    """One source's section of an answer page."""

    platform: str
    state: str
    text: str
    titles: tuple[str, ...]
    links: tuple[str, ...]


def words_of(element: html.HtmlElement) -> str:
    return " ".join(str(element.text_content()).split())


def sections(page: str) -> list[Section]:
    tree = html.document_fromstring(page)
    return [
        Section(
            platform=str(section.get("data-bron")),
            state=str(section.get("data-staat")),
            text=words_of(section),
            titles=tuple(words_of(title) for title in section.xpath(".//h3")),
            links=tuple(str(link) for link in section.xpath(".//h3/a/@href")),
        )
        for section in tree.xpath("//section[@data-staat]")
    ]


def main_text(page: str) -> str:
    (main,) = html.document_fromstring(page).xpath("//main")
    return words_of(main)
