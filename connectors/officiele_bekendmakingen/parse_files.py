"""The files of a publication: XML and HTML in, passages out (platform page, section 6)."""

from __future__ import annotations

from typing import Final

from lxml import etree

from connectors.bodies import looks_like_html, require_few_pieces
from connectors.calls import Answer
from connectors.exceptions import Defect, NotAnAnswerError, WithdrawnError
from connectors.officiele_bekendmakingen.elements import KEY, root_of
from connectors.officiele_bekendmakingen.failures import require_answer
from connectors.officiele_bekendmakingen.text import HTML, XML, passages_of
from connectors.records import Passage

WITHDRAWN: Final = "Deze publicatie is op verzoek van de publicerende organisatie verwijderd."
_WITHDRAWN_PAGE: Final = 3000
_ABOUT: Final = "Technische informatie over de publicatie"
_BODY_IDS: Final = ("broodtekst", "officiele-publicatie")
_NOT_THERE: Final = frozenset({404, 410})
_BOM: Final = b"\xef\xbb\xbf"


def parse_xml(answer: Answer, identifier: str) -> tuple[Passage, ...]:
    """The text of the XML edition; nothing when it holds metadata alone. Raises ``WithdrawnError``.

    The site delivered its page "Technische informatie" where XML was expected: that is no text of a publication.
    """
    if answer.status in _NOT_THERE:
        return ()
    require_answer(answer)
    if looks_like_html(answer.body):
        if _ABOUT.encode() in answer.body:
            return ()
        raise NotAnAnswerError(KEY, Defect.HTML, "xml")
    return _kept(passages_of(root_of(answer.body), XML), identifier)


def parse_html(answer: Answer, identifier: str) -> tuple[Passage, ...]:
    """The text of the HTML edition, without the site around it. Raises ``WithdrawnError``."""
    if answer.status in _NOT_THERE:
        return ()
    require_answer(answer)
    body = answer.body.removeprefix(_BOM).strip()
    if not body:
        raise NotAnAnswerError(KEY, Defect.EMPTY, "html")
    require_few_pieces(KEY, body, b"<", "html")
    parser = etree.HTMLParser(no_network=True, huge_tree=False, recover=True, encoding="utf-8", remove_comments=True)
    try:
        root = etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise NotAnAnswerError(KEY, Defect.CUT_OFF, "html") from error
    if root is None:
        raise NotAnAnswerError(KEY, Defect.CUT_OFF, "html")
    if WITHDRAWN.encode() in body and len(body) <= _WITHDRAWN_PAGE:
        raise WithdrawnError(KEY, identifier)
    holder = _holder(root)
    if holder is None:
        raise NotAnAnswerError(KEY, Defect.HTML, "broodtekst")
    passages = passages_of(holder, HTML)
    if passages and passages[0].heading.startswith(_ABOUT):
        return ()
    return _kept(passages, identifier)


def _holder(root: etree._Element) -> etree._Element | None:
    """The element in which the publication stands; None on any other page."""
    for element in root.iter("div", "main", "article"):
        if element.get("id") in _BODY_IDS or element.get("class", "").split()[:1] == ["officiele-publicatie"]:
            return element
    return None


def _kept(passages: tuple[Passage, ...], identifier: str) -> tuple[Passage, ...]:
    """The passages, unless all they say is that the publication was withdrawn."""
    written = " ".join(passage.text for passage in passages[:3])
    if WITHDRAWN in written and len(written) <= _WITHDRAWN_PAGE:
        raise WithdrawnError(KEY, identifier)
    return passages
