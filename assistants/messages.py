"""JSON-RPC as it comes in and goes out. An error never repeats what somebody sent: a question may stand in it.

An id and a progress token are the exceptions, because a client knows its answer by them; both are short here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, Final, TypeGuard

import pydantic_core

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
STATUSES: Final = MappingProxyType({PARSE_ERROR: 400, INVALID_REQUEST: 400, -32601: 404})
"""HTTP statuses of errors, as the SDK has them; 400 for every other. Not imported from it: whoever only looks at a request
would wait for the whole SDK."""
Id = str | int
_MOST_CHARACTERS: Final = 256
_LARGEST_NUMBER: Final = 2**53
_METHOD_CHARACTERS: Final = 128
_VERSION: Final = "2.0"
# A message with one of these, and without a method, answers something.
_ANSWERS: Final = frozenset({"result", "error"})


class BadMessageError(Exception):
    """A message that cannot be answered: ``code`` and ``text`` as in JSON-RPC, the HTTP status, and what belongs to it."""

    def __init__(
        self, code: int, text: str, *, status: int | None = None, about: Id | None = None, data: Any = None
    ) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.status = status or STATUSES.get(code, HTTPStatus.BAD_REQUEST)
        self.about = about
        self.data = data

    def body(self) -> bytes:
        """The error as it goes out."""
        return error_body(self.about, self.code, self.text, self.data)


@dataclass(frozen=True, slots=True)
class Message:
    """A request when it has an ``about`` (its id), else a notification; ``raw`` is the whole, as it was read."""

    method: str
    params: Mapping[str, Any] | None
    about: Id | None
    raw: Mapping[str, Any]

    @property
    def meta(self) -> Mapping[str, Any]:
        """``params._meta``; empty when there is none."""
        return meta_of(self.params)


def meta_of(params: object) -> Mapping[str, Any]:
    """``_meta`` of a message's parameters, whatever they are; empty when there is none."""
    meta = params.get("_meta") if isinstance(params, Mapping) else None
    return meta if isinstance(meta, Mapping) else {}


def parsed(body: bytes) -> Any:
    """The JSON of a body. Raises ``BadMessageError``."""
    try:
        return pydantic_core.from_json(body, allow_inf_nan=False)
    except (ValueError, RecursionError):
        raise BadMessageError(PARSE_ERROR, "Dit is geen JSON die we kunnen lezen.") from None


def read(raw: object) -> Message | None:
    """One message; None for a client's answer to something, which we never ask. Raises ``BadMessageError``."""
    if not isinstance(raw, dict) or raw.get("jsonrpc") != _VERSION:
        raise BadMessageError(INVALID_REQUEST, "Dit is geen bericht van JSON-RPC 2.0.")
    about = raw.get("id")
    if "id" in raw and not is_id(about):
        raise BadMessageError(INVALID_REQUEST, "De id van een bericht is een korte tekst of een heel getal.")
    if "method" not in raw and not _ANSWERS.isdisjoint(raw):
        return None
    method, params = raw.get("method"), raw.get("params")
    if not isinstance(method, str) or len(method) > _METHOD_CHARACTERS:
        raise BadMessageError(INVALID_REQUEST, "Er staat geen methode in dit bericht.", about=about)
    if params is not None and not isinstance(params, dict):
        raise BadMessageError(INVALID_REQUEST, "De parameters van een bericht zijn een object.", about=about)
    return Message(method, params, about, raw)


def is_id(value: object) -> TypeGuard[Id]:
    """Whether a value can be the id of a request, or a token for progress."""
    if isinstance(value, str):
        return len(value) <= _MOST_CHARACTERS
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < _LARGEST_NUMBER


def printed(value: Any) -> bytes:
    """JSON in ASCII: half a character breaks nothing, nor a U+2028 that some readers of streams take for the end of a line."""
    return json.dumps(value, separators=(",", ":")).encode()


def answer_body(about: Id, result: bytes) -> bytes:
    """A result that was printed before, as the answer to the request ``about``."""
    return b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (json.dumps(about).encode(), result)


def error_body(about: Id | None, code: int, text: str, data: Any = None) -> bytes:
    """An error, as the answer to the request ``about`` (None when it could not be read)."""
    error = {"code": code, "message": text, **({} if data is None else {"data": data})}
    return printed({"jsonrpc": _VERSION, "id": about, "error": error})


def notification_body(method: str, params: Mapping[str, Any] | None) -> bytes:
    """A notification."""
    return printed({"jsonrpc": _VERSION, "method": method, **({} if params is None else {"params": params})})
