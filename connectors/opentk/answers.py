"""Is an answer of this platform an answer? Its failures by name, also those that it gives with status 200 (section 6)."""

from __future__ import annotations

from typing import Final

from lxml import etree, html

from connectors.bodies import json_object, looks_like_html, require_few_pieces, require_not_over_limit, require_success
from connectors.calls import Answer
from connectors.exceptions import Defect, GoneError, NotAnAnswerError
from connectors.opentk.values import Row
from connectors.platforms import OPENTK

KEY: Final = OPENTK.key
_NOTHING_THERE: Final = frozenset({404, 410})
_NOT_FOUND: Final = (b"Found nothing!!", b"Could not find a ")
"""What the platform says with status 200 of an activity or a file that it does not have."""
_NOT_FOUND_WITHIN: Final = 64
_TROUBLE: Final = "storing"
_OLD_ERROR: Final = b"<h1>Error 500</h1>"
_MOST_BYTES: Final = 20 * 1024 * 1024


def require_ok(answer: Answer) -> None:
    """Raise for any status but 2xx; ``code`` says which error page it was.

    A search over its time limit and a query that does not parse look alike since October 2025 (section 6); as every word is
    quoted by us, it is the first.
    """
    code = ""
    if answer.body.lstrip().startswith(_OLD_ERROR):
        code = "sqlite"
    elif looks_like_html(answer.body) and b"<H1>Storing</H1>".lower() in answer.body[:4096].lower():
        code = _TROUBLE
    require_success(KEY, answer, code=code)


def require_found(answer: Answer, upstream_id: str) -> None:
    """Raise ``GoneError`` for a 404 and for a 200 that says in words that there is nothing."""
    require_not_over_limit(KEY, answer)
    if answer.status in _NOTHING_THERE:
        raise GoneError(KEY, upstream_id)
    require_ok(answer)
    if len(answer.body) <= 2 * _NOT_FOUND_WITHIN and answer.body.strip().startswith(_NOT_FOUND):
        raise GoneError(KEY, upstream_id)
    if not answer.body.strip():
        raise NotAnAnswerError(KEY, Defect.EMPTY)


def search_rows(answer: Answer) -> list[object]:
    """The rows of a search. Raises ``RefusedError`` for an error page, ``NotAnAnswerError`` for no answer."""
    require_ok(answer)
    rows = json_object(KEY, answer).get("results")
    if not isinstance(rows, list):
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "results")
    return rows


def found_object(answer: Answer, upstream_id: str) -> Row:
    """The JSON object of one thing. Raises ``GoneError`` where there is none."""
    require_found(answer, upstream_id)
    return json_object(KEY, answer)


def main_of(answer: Answer, upstream_id: str) -> etree._Element:
    """The part of a page that holds its content. Raises ``GoneError``, or ``NotAnAnswerError`` for a page of another kind."""
    require_found(answer, upstream_id)
    root = html_root(answer.body)
    main = next(root.iter("main"), None)
    if main is None:
        raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "main")
    heading = next(main.iter("h1"), None)
    if heading is not None and "".join(heading.itertext("*")).strip().lower() == _TROUBLE:
        raise NotAnAnswerError(KEY, Defect.ERROR_IN_200)
    return main


def html_root(body: bytes) -> etree._Element:
    """The root of an HTML page. Raises ``NotAnAnswerError`` for what is none, and for too much of it."""
    start = body[:1024].lower()
    if not looks_like_html(body) and b"<html" not in start:
        raise NotAnAnswerError(KEY, Defect.WRONG_TYPE, "html")
    if len(body) > _MOST_BYTES:
        raise NotAnAnswerError(KEY, Defect.TOO_LARGE, "html")
    require_few_pieces(KEY, body, b"<", "html")
    try:
        return html.document_fromstring(body, parser=html.HTMLParser(encoding="utf-8", no_network=True))
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        raise NotAnAnswerError(KEY, Defect.CUT_OFF, "html") from error
