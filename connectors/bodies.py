"""Is a body really an answer? The one place that turns bytes into JSON or XML, or says in what way they are neither.

Platforms answer 200 with an error page, with nothing, or with half of it; each of those is a failure with a name, never "no
results" (field reports 20, 33, 34). Parsers build on these functions and raise nothing but ``ConnectorError``.
"""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from lxml import etree

from connectors.calls import Answer
from connectors.exceptions import Defect, NotAnAnswerError, OverLimitError, RefusedError

_BOM = b"\xef\xbb\xbf"
_HTML_STARTS = (b"<!doctype html", b"<html")
_MAX_RETRY_AFTER = 3600
_TOO_MANY = 429
_BUSY = 503
_SUCCESS = range(200, 300)
MOST_PIECES = 1_000_000
"""Elements, or values in JSON, in one body: each takes a hundred bytes or more, and a body of one kilobyte packs thousands."""


def retry_after(answer: Answer, default: int = 1) -> int:
    """What ``Retry-After`` says, in seconds or as a date, in whole seconds from 1 to an hour; ``default`` when it says nothing.

    A date (RFC 9110, section 10.2.3) counts from the answer's own ``Date``, so that two clocks need not agree.
    """
    told = answer.headers.get("retry-after", "")
    try:
        seconds = float(told)
    except ValueError:
        until, since = _http_date(told), _http_date(answer.headers.get("date", "")) or answer.fetched_at
        seconds = (until - since).total_seconds() if until else math.nan
    if not math.isfinite(seconds):
        return default
    return min(max(math.ceil(seconds), 1), _MAX_RETRY_AFTER)


def _http_date(text: str) -> datetime | None:
    """The moment of a date in a header; None for anything else."""
    try:
        found = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def require_not_over_limit(platform: str, answer: Answer) -> None:
    """Raise ``OverLimitError`` for a 429, and for a 503 that names a time."""
    if answer.status == _TOO_MANY or (answer.status == _BUSY and "retry-after" in answer.headers):
        raise OverLimitError(platform, answer.status, retry_after(answer))


def require_success(platform: str, answer: Answer, *, code: str = "") -> None:
    """Raise ``OverLimitError`` when the platform says "too much", ``RefusedError`` for any other status but 2xx."""
    require_not_over_limit(platform, answer)
    if answer.status not in _SUCCESS:
        raise RefusedError(platform, answer.status, code)


def looks_like_html(body: bytes) -> bool:
    """Whether the first bytes are those of an HTML page."""
    return body.removeprefix(_BOM).lstrip()[:15].lower().startswith(_HTML_STARTS)


def require_few_pieces(platform: str, body: bytes, signs: bytes, where: str) -> None:
    """Raise ``NotAnAnswerError`` (TOO_LARGE) for a body of more than ``MOST_PIECES`` pieces, each of which begins with a sign.

    Counted before it is read: 20 MB of the smallest elements there are would take 700 MB.
    """
    if len(body) > MOST_PIECES and sum(body.count(sign) for sign in signs) > MOST_PIECES:
        raise NotAnAnswerError(platform, Defect.TOO_LARGE, where)


def json_body(platform: str, answer: Answer) -> Any:
    """The JSON of a body. Raises ``NotAnAnswerError`` (empty, HTML, cut off, wrong type, too much)."""
    body = answer.body.removeprefix(_BOM).strip()
    if not body:
        raise NotAnAnswerError(platform, Defect.EMPTY)
    if looks_like_html(body):
        raise NotAnAnswerError(platform, Defect.HTML)
    if body[:1] not in b'{["' and answer.media_type and "json" not in answer.media_type:
        raise NotAnAnswerError(platform, Defect.WRONG_TYPE, answer.media_type[:80])
    require_few_pieces(platform, body, b"[{,", "json")
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise NotAnAnswerError(platform, Defect.CUT_OFF) from error


def json_object(platform: str, answer: Answer) -> dict[str, Any]:
    """The JSON object of a body. Raises ``NotAnAnswerError`` when it is anything else."""
    value = json_body(platform, answer)
    if not isinstance(value, dict):
        raise NotAnAnswerError(platform, Defect.WRONG_SHAPE, "root")
    return value


def xml_parser() -> etree.XMLParser:
    """A parser that expands no entities and reaches no network. Huge text nodes stay refused by libxml2's own limits."""
    return etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=False, recover=False
    )


def xml_root(platform: str, body: bytes) -> etree._Element:
    """The root element of a body. Raises ``NotAnAnswerError`` (empty, HTML, cut off or not well-formed, too much)."""
    body = body.removeprefix(_BOM).strip()
    if not body:
        raise NotAnAnswerError(platform, Defect.EMPTY)
    if looks_like_html(body):
        raise NotAnAnswerError(platform, Defect.HTML)
    if not body.startswith(b"<"):
        raise NotAnAnswerError(platform, Defect.WRONG_TYPE)
    require_few_pieces(platform, body, b"<", "xml")
    try:
        root = etree.fromstring(body, xml_parser())
    except etree.XMLSyntaxError as error:
        if error.code == etree.ErrorTypes.ERR_RESOURCE_LIMIT:  # of libxml2: one text too long, or nested too deep
            raise NotAnAnswerError(platform, Defect.TOO_LARGE, "xml") from error
        raise NotAnAnswerError(platform, Defect.CUT_OFF) from error
    except ValueError as error:
        raise NotAnAnswerError(platform, Defect.CUT_OFF) from error
    if root.getroottree().docinfo.doctype:
        # No platform sends one; what its entities stand for would be left out without a word.
        raise NotAnAnswerError(platform, Defect.WRONG_SHAPE, "doctype")
    return root
