"""The page, read as HTML."""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import quote, unquote, urlencode, urlsplit

from lxml import html

from besluitbron.bank.questions import BankQuestion, Door
from besluitbron.bank.seen import Seen, SeenHit, SeenPaper, SeenSource, words
from besluitbron.bank.web import Reply, Unanswered, Web

_NUMBER: Final = re.compile(r"\d{1,3}(?:\.\d{3})+|\d+")
_OK, _REDIRECTS, _REFUSED = 200, frozenset({301, 302, 303, 307, 308}), 400
_CLASSES: Final = ("melding", "opmerking", "staattekst", "samenvatting", "griffie", "dekking", "later")
_PLACES: Final = ("@role='alert'", "contains(@class, 'geen-stuk')", "contains(@class, 'niets')")
_SAID: Final = " | ".join(
    [f".//*[contains(concat(' ', @class, ' '), ' {name} ')]" for name in _CLASSES]
    + [f".//*[{place}]//*[self::p or self::li or self::h2]" for place in _PLACES]
)
"""Where a page speaks itself."""
_PAPER: Final = re.compile(r"/document/([a-z-]+)/([^/?#]+)")


class PageDoor:
    """Asks ``/zoeken`` and opens ``/document/…``."""

    door: Door = Door.PAGE

    def __init__(self, web: Web) -> None:
        self._web = web

    async def ask(self, question: BankQuestion) -> Seen:
        """The answer page, or the paper that the question led to."""
        reply = await self._web.get(f"/zoeken?{urlencode(question.values(self.door), doseq=True)}")
        if reply.status in _REDIRECTS:
            return Seen(straight=tuple(filter(None, (paper_at(reply.headers.get("location", "")),))))
        if reply.status not in {_OK, _REFUSED}:
            raise Unanswered(str(reply.status))
        return read_answers(reply.text)

    async def read(self, identifier: str) -> SeenPaper:
        """The page of a paper; who follows a replaced one sees the other."""
        key, _, number = identifier.partition(":")
        reply = await self._followed(f"/document/{key}/{quote(number, safe='')}")
        main = _main(reply.text)
        return SeenPaper(words(str(main.text_content())), _remarks(main))

    async def _followed(self, path: str) -> Reply:
        reply = await self._web.get(path)
        if reply.status in _REDIRECTS:
            reply = await self._web.get(reply.headers.get("location", "/"))
        return reply


def paper_at(address: str) -> str | None:
    """The id of the paper on a page of ours."""
    found = _PAPER.fullmatch(urlsplit(address).path)
    return f"{found[1]}:{unquote(found[2])}" if found else None


def read_answers(page: str) -> Seen:
    """An answer page."""
    tree = html.document_fromstring(page)
    sources = {str(one.get("data-bron")): _source(one) for one in tree.xpath("//section[@data-staat]")}
    main = _main(page)
    return Seen(sources, said=words(str(main.text_content())), remarks=_remarks(main))


def _source(section: Any) -> SeenSource:
    hits = []
    for link in section.xpath(".//h3/a"):
        paper = paper_at(str(link.get("href")))
        if paper is not None:
            hits.append(SeenHit(paper, words(str(link.text_content()))))
    count = " ".join(str(one.text_content()) for one in section.xpath(".//h2/*[@class='aantal']"))
    number = _NUMBER.search(count)
    return SeenSource(str(section.get("data-staat")), int(number[0].replace(".", "")) if number else None, tuple(hits))


def _remarks(main: Any) -> tuple[str, ...]:
    """What the page says of its answer or in the place of a paper: each paragraph, and each item of a list in it."""
    found = (words(" ".join(one.itertext())) for one in main.xpath(_SAID))
    return tuple(dict.fromkeys(filter(None, found)))


def _main(page: str) -> Any:
    found = html.document_fromstring(page).xpath("//main")
    if not found:
        raise Unanswered("main")  # noqa: EM101 - not read by people
    return found[0]
