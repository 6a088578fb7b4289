"""Which language a request speaks: of a page its address says so and nothing else does (no cookie, no header; decision 0020).

A refusal about contracts is read by programs, which have one address in both languages: there ``Accept-Language`` says so.
"""

from __future__ import annotations

import re
from typing import Final

from django.utils.translation.trans_real import parse_accept_lang_header
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from connectors.language import Language, catalogue, say, speaking

_PREFIX: Final = Language.ENGLISH.prefix
_PAGES: Final = frozenset(
    {"/", "/zoeken", "/zoeken/stroom", "/status", "/privacy", "/toegankelijkheid", "/aansluiten", "/api", "/vragenbank"}
    | {"/fout-melden", "/rapporten"}
    | {"/zoeken.csv", "/zoeken.ris", "/zoeken.json"}
)
"""The pages that there are in English; with all that begins as one of the next. Of a file only its refusal has both."""
_BELOW: Final = ("/document/", "/problemen/", "/bronnen/")
_REPORT: Final = re.compile(r"/rapporten/[A-Za-z0-9_-]+(/annuleren|\.(csv|json|pdf|ris))?")
"""A report's page, its form and its files."""


def in_english(path: str) -> bool:
    """Whether the page with this Dutch address is there in English too."""
    return path in _PAGES or path.startswith(_BELOW) or bool(_REPORT.fullmatch(path))


class Languages:
    """ASGI middleware: whatever is made for an address under ``/en/`` is made in English, its end included.

    For a page the prefix moves to ``root_path``, so that Django finds the page by its Dutch address and writes English ones.
    Other addresses under ``/en/`` are nothing: programs, feeds and the operators' site have one language.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        catalogue(Language.ENGLISH)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request in its language."""
        path: str = scope.get("path", "")
        if scope["type"] != "http" or not (path == _PREFIX or path.startswith(f"{_PREFIX}/")):
            with speaking(Language.DUTCH):
                await self._app(scope, receive, send)
            return
        if path == _PREFIX:
            await RedirectResponse(f"{_PREFIX}/", status_code=308)(scope, receive, send)
            return
        root = scope.get("root_path", "")
        if in_english(path.removeprefix(_PREFIX)):
            scope = {**scope, "root_path": f"{root}{_PREFIX}"}
        with speaking(Language.ENGLISH):
            await self._app(scope, receive, send)


def in_their_language(scope: Scope, words: str) -> str:
    """A text for a program's reader: English where ``Accept-Language`` puts that first, else Dutch.

    A page says its language by its address (decision 0020); a program has one address in both.
    """
    sent = next((value for name, value in scope["headers"] if name == b"accept-language"), b"")[:256]
    ranked = [code.partition("-")[0] for code, weight in parse_accept_lang_header(sent.decode("latin-1")) if weight]
    first = next((code for code in ranked if code in set(Language)), Language.DUTCH)
    with speaking(Language(first)):
        return say(words)
