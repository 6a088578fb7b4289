"""The JSON API: ``_zoek``, ``documenten/{id}`` and the parts of its text."""

from __future__ import annotations

import json
from typing import Any, Final
from urllib.parse import quote, urlencode

from besluitbron.bank.questions import BankQuestion, Door
from besluitbron.bank.seen import Seen, SeenPaper, remarks_in, sources_in, words
from besluitbron.bank.web import Unanswered, Web

_ROOT: Final = "/api/v1"
_JSON: Final = "application/json, application/problem+json"
_OK: Final = 200
_LITERALLY: Final = "letterlijk"
_PARTS: Final = 50
_MOST_PAGES: Final = 40


class ApiDoor:
    """Asks as a program does."""

    door: Door = Door.API

    def __init__(self, web: Web) -> None:
        self._web = web

    async def ask(self, question: BankQuestion) -> Seen:
        """The answer of ``_zoek``."""
        given = question.values(self.door)
        given.pop(_LITERALLY, None)  # it takes everything literally (decision 0019)
        _, answer = await self._json(f"/_zoek?{urlencode(given, doseq=True)}")
        return read_answer(answer)

    async def read(self, identifier: str) -> SeenPaper:
        """A document with all of its text."""
        where = f"/documenten/{quote(identifier, safe=':')}"
        status, document = await self._json(where)
        pieces = [json.dumps(document, ensure_ascii=False)]
        if status == _OK:
            pieces += _values(document)
        page: int | None = 1 if status == _OK and document["delen"] else None
        while page is not None and page <= _MOST_PAGES:
            _, parts = await self._json(f"{where}/delen?pagina={page}&aantal={_PARTS}")
            pieces += [part.get("tekst", "") for part in parts.get("delen", ())]
            page = parts.get("volgendePagina")
        return SeenPaper(words(" ".join(pieces)), remarks_in(document))

    async def _json(self, path: str) -> tuple[int, dict[str, Any]]:
        reply = await self._web.get(f"{_ROOT}{path}", accept=_JSON)
        try:
            found = json.loads(reply.text)
        except ValueError as error:
            raise Unanswered(str(reply.status)) from error
        return reply.status, found if isinstance(found, dict) else {}


def read_answer(answer: dict[str, Any]) -> Seen:
    """An answer of ``_zoek``, or the problem in its place."""
    straight = tuple(answer.get("mogelijkeStukken", ()))
    return Seen(sources_in(answer), straight, words(" ".join(_values(answer))), remarks_in(answer))


def _values(data: Any) -> list[str]:
    """All words and numbers in it, in order."""
    if isinstance(data, dict):
        return [word for value in data.values() for word in _values(value)]
    if isinstance(data, list):
        return [word for value in data for word in _values(value)]
    return [] if data is None else [str(data)]
