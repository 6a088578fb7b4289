"""What a request asks for, before anybody decides: which operation, where, with what body, and at what cost.

In HTTP the route says it. Over MCP the message does, so a body is read there, within bounds, by whoever has proven a key; it
must be readable in one way alone, and what its headers say must be what it says (attack 10 of the study).
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from admission.approvals import arguments_body, body_hash
from admission.operations import PROTOCOL, UNKNOWN, Operation, Operations
from admission.proofs import strict

MCP: Final = "/mcp/"
"""Where the endpoints for assistants begin."""
MODERN: Final = b"2026-07-28"
"""Since this revision headers say what a message is; they sort as their dates do."""
HEADER_MISMATCH: Final = -32020
"""What MCP calls headers that say another thing than the body (2026-07-28, transports)."""
_CALL: Final = "tools/call"
_PROTOCOL: Final = frozenset(
    {
        *("initialize", "ping", "server/discover", "logging/setLevel", "completion/complete"),
        *("tools/list", "prompts/list", "prompts/get", "resources/list", "resources/templates/list"),
        *("notifications/initialized", "notifications/cancelled", "notifications/progress"),
        "notifications/roots/list_changed",
    }
)
"""What asks no source anything."""
_MOST_ID: Final = 256
_LARGEST_ID: Final = 2**53
_ENCODED: Final = ("=?base64?", "?=")

Id = str | int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What one request asks. ``arguments``: of a tool. ``about``: the id of a message of JSON-RPC, for its answer.

    ``disagrees``: headers and body of a message do. ``body_sha256`` is what an approval binds.
    """

    operation: Operation
    path: str
    query: bytes = b""
    body_sha256: str = ""
    tool: str = ""
    arguments: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    about: Id = None
    disagrees: bool = False

    @property
    def is_message(self) -> bool:
        """Whether it is a message to an endpoint for assistants."""
        return is_mcp(self.path)


def is_mcp(path: str) -> bool:
    """Whether a path is an endpoint for assistants, or below where they are."""
    return path.startswith(MCP)


def of_http(operations: Operations, method: str, path: str, query: bytes, body: bytes) -> Asked:
    """What a request that is no message asks. ``path``: normalised."""
    operation = operations.of_request(method, path)
    return Asked(operation=operation, path=path, query=query, body_sha256=body_hash(body))


def of_message(
    operations: Operations,
    path: str,
    headers: Sequence[tuple[bytes, bytes]],
    body: bytes,
    methods: Mapping[str, str] = MappingProxyType({}),
) -> Asked:
    """What a POST to an endpoint for assistants asks.

    A body that is no single message, or can be read in two ways, and a tool or method that nobody declared, change state:
    no contract grants them. Under a contract one request is one message, because one proof is. ``methods``: the operations of
    methods that ask as tools do, by id.
    """
    message = single(body)
    if message is None:
        return Asked(operation=UNKNOWN, path=path)
    method, params = message.get("method"), message.get("params")
    given = params if isinstance(params, dict) else {}
    name = given.get("name")
    about, disagrees = id_of(message), _disagrees(headers, method, name)
    if method == _CALL and isinstance(name, str):
        arguments = given.get("arguments")
        arguments = arguments if isinstance(arguments, dict) else {}
        hashed = _hashed(arguments)
        return Asked(
            operation=operations.of_tool(name) if hashed else UNKNOWN,
            path=path,
            body_sha256=hashed,
            tool=name,
            arguments=arguments,
            about=about,
            disagrees=disagrees,
        )
    operation = PROTOCOL if isinstance(method, str) and method in _PROTOCOL else UNKNOWN
    if isinstance(method, str) and method in methods:
        operation = operations.named(methods[method]) or UNKNOWN
    return Asked(operation=operation, path=path, about=about, disagrees=disagrees)


def tools_called(body: bytes) -> tuple[str | None, ...]:
    """The tools that a body calls, also as several messages: for who shows no contract, as the origin would read it.

    Of a name that stands twice in one object the origin takes the last; then it cannot be told which it takes, and None stands
    for it. What is no JSON the origin refuses.
    """
    try:
        read = json.loads(body)
    except (ValueError, RecursionError):
        return ()
    called = [one["params"].get("name") for one in (read if isinstance(read, list) else [read]) if _calls(one)]
    names = [name for name in called if isinstance(name, str)]
    return (*names, None) if names and _strict(body) is None else tuple(names)


def single(body: bytes) -> dict[str, Any] | None:
    """One JSON object that can be read in one way; None for anything else."""
    found = _strict(body)
    return found if isinstance(found, dict) else None


def id_of(message: Mapping[str, Any]) -> Id:
    """The id of a message, when it can be one."""
    found = message.get("id")
    if isinstance(found, str):
        return found if len(found) <= _MOST_ID else None
    return found if isinstance(found, int) and not isinstance(found, bool) and abs(found) < _LARGEST_ID else None


def _hashed(arguments: Mapping[str, Any]) -> str:
    """What an approval binds; "" for arguments that cannot be written as UTF-8."""
    try:
        return body_hash(arguments_body(arguments))
    except (ValueError, RecursionError):
        return ""


def _calls(message: object) -> bool:
    return isinstance(message, dict) and message.get("method") == _CALL and isinstance(message.get("params"), dict)


def _strict(body: bytes) -> Any:
    try:
        return _DECODER.decode(body.decode("utf-8"))
    except (ValueError, RecursionError):
        return None


_DECODER: Final = json.JSONDecoder(object_pairs_hook=strict.once, parse_constant=strict.refuse)


def _disagrees(headers: Sequence[tuple[bytes, bytes]], method: object, name: object) -> bool:
    """Whether headers say something else than the message. Of a revision that has none of them, they must not be there."""
    told = {wanted: [value for header, value in headers if header == wanted] for wanted in _ROUTING}
    if any(len(values) > 1 for values in told.values()):
        return True
    version, method_told, name_told = (told[wanted][0] if told[wanted] else None for wanted in _ROUTING)
    if version is None or version < MODERN:
        wrong = method_told is not None and _plain(method_told) != method
        return wrong or (method == _CALL and name_told is not None and _plain(name_told) != name)
    if method_told is None or _plain(method_told) != method:
        return True
    return method == _CALL and (name_told is None or _plain(name_told) != name)


_ROUTING: Final = (b"mcp-protocol-version", b"mcp-method", b"mcp-name")


def _plain(value: bytes) -> str | None:
    """The text of a header, which may come in base64 where it is not plain (2026-07-28, transports)."""
    begin, end = _ENCODED
    text = value.decode("latin-1").strip(" \t")
    if not (text.startswith(begin) and text.endswith(end)):
        return text
    try:
        return base64.b64decode(text[len(begin) : -len(end)], validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return None
