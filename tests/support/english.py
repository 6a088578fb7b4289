"""Dutch words of ours that are left on a page in English: what is neither marked as Dutch nor a name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from lxml import html

from connectors.platforms import PLATFORMS
from tests.support.catalogue import read

_ATTRIBUTES = ("aria-label", "title", "alt", "placeholder", "data-woorden", "data-kopie")
_FUNCTION_WORDS = re.compile(
    r"\b(de|het|een|van|niet|geen|wordt|worden|zijn|heeft|hebben|uw|voor|bij|naar|uit|deze|dit|ook|wat|waar|maar|nog|wel|"
    r"zoeken|stuk|stukken|bron|bronnen|vraag|opnieuw|pagina|onbekend|wacht|resultaten|antwoord)\b",
    re.IGNORECASE,
)
_NOT_SAID = re.compile(r"[“‘(][^”’)]*[”’)]|https?://\S+|/(?:en/)?[\w./-]*\?\S+")
"""What is quoted or stands between brackets, and addresses."""
_LONG = 18
"""A text of so many letters is looked for within others too."""


@cache
def dutch_texts() -> frozenset[str]:
    """Every text of ours whose English is another, without its values."""
    found = set()
    for message in read():
        ids = [message.id] if isinstance(message.id, str) else list(message.id)
        said = [message.string] if isinstance(message.string, str) else list(message.string or ())
        found |= {_plain(one) for one in ids if one and one not in said}
    return frozenset(found)


def _plain(text: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", "", text).split())


def dutch_left(page: str, names: Iterable[str] = ()) -> list[str]:
    """What of a page is Dutch and should not be. ``names``: of bodies and what was typed, which stay as they are."""
    known = sorted({*names, *(platform.name for platform in PLATFORMS)}, key=len, reverse=True)
    return [text for text in _said(html.document_fromstring(page)) if _is_dutch(text, known)]


def _is_dutch(text: str, names: Iterable[str]) -> bool:
    if text in dutch_texts():
        return True
    if not _seems_dutch(text):
        return False
    for name in names:
        text = text.replace(name, "")
    return _seems_dutch(_NOT_SAID.sub("", text))


def _seems_dutch(text: str) -> bool:
    return bool(_FUNCTION_WORDS.search(text)) or any(one in text for one in _long_texts())


@cache
def _long_texts() -> tuple[str, ...]:
    return tuple(one for one in dutch_texts() if len(one) >= _LONG and "{" not in one)


def _said(tree: html.HtmlElement) -> Iterator[str]:
    """Every text and attribute that somebody can read, outside what is marked as Dutch and what is code."""
    for element in tree.iter():
        if not isinstance(element.tag, str) or _is_foreign(element):
            continue
        if element.tag not in {"script", "style", "code", "pre"}:
            yield from filter(None, (" ".join((element.text or "").split()),))
        yield from (str(element.get(name)) for name in _ATTRIBUTES if element.get(name))
        for child in element:
            if text := " ".join((child.tail or "").split()):
                yield text


def _is_foreign(element: html.HtmlElement) -> bool:
    nearest = element.xpath("ancestor-or-self::*[@lang][1]/@lang")
    return bool(nearest) and nearest[-1] != "en"
