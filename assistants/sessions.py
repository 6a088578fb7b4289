"""Sessions without memory: what a client shows says by itself, under our seal, which conversation it is.

Older revisions: an ``Mcp-Session-Id`` given at ``initialize``, whose last use stands in the store. 2026-07-28: a handle that a
client may send back in ``_meta``; without it, the session is the address. Only what bears our seal becomes a session key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Final

from assistants.messages import BadMessageError, meta_of, parsed
from assistants.revisions import OLDER, UNSAID
from assistants.tokens import Sealer
from connectors.moments import now
from throttling.callers import Caller, Callers
from throttling.incoming import Asker

SESSION_HEADER: Final = b"mcp-session-id"
VERSION_HEADER: Final = b"mcp-protocol-version"
HANDLE_KEY: Final = "besluitbron/gesprek"
"""Where the handle of a conversation stands in ``_meta``, of a result and of a request."""
IDLE_SECONDS: Final = 1800
ASKED: Final = "besluitbron.mcp"
"""Where in an ASGI scope stands what the first look at a request found (``Asked``)."""

_IN_BODY: Final = b"gesprek"  # a look for the handle without reading the body: the slash may be written in two ways
_DIGITS: Final = 32
_UNREAD: Final = object()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Who asks, in which revision. ``session`` is the key of a session whose seal is ours ("" for none).

    ``shown``: an ``Mcp-Session-Id`` was given, ours or not. ``name`` is the conversation of a handle ("" for none).
    """

    caller: Caller
    address: Caller
    version: str
    session: str = ""
    shown: bool = False
    name: str = ""
    raw: Any = _UNREAD

    @property
    def is_older(self) -> bool:
        """Whether this is a revision with a handshake. A version we do not know is not: it is told what we speak."""
        return self.version in OLDER

    def json(self, body: bytes) -> Any:
        """The body as JSON, read once. Raises ``BadMessageError``."""
        return parsed(body) if self.raw is _UNREAD else self.raw


class Sessions:
    """Gives out and recognises sessions, for all endpoints and all processes that share ``secret``."""

    def __init__(self, secret: str, callers: Callers, clock: Callable[[], datetime] = now) -> None:
        self._callers = callers
        self._clock = clock
        self._sessions = Sealer(secret, "mcp-sessie")
        self._handles = Sealer(secret, "mcp-gesprek")

    def asker(self, scope: MutableMapping[str, Any], body: bytes) -> Asker:
        """Who makes this request, for the limits, which look whether its session lives and renew it."""
        asked = self.asked(scope, body)
        return Asker(asked.caller, (asked.session, IDLE_SECONDS) if asked.session else None)

    def asked(self, scope: MutableMapping[str, Any], body: bytes) -> Asked:
        """Who makes this request; looked at once for each scope."""
        found = scope.get(ASKED)
        if isinstance(found, Asked):
            return found
        asked = self._look(scope, body)
        scope[ASKED] = asked
        return asked

    def new_session(self, scope: Mapping[str, Any], version: str) -> tuple[str, str]:
        """A session at the endpoint of this request: what the client gets, and the key under which its use is kept."""
        text = self._sessions.new(f"{_endpoint(scope)}-{version}")
        return text, self._key(text.partition(".")[0])

    def handle(self, name: str = "") -> str:
        """A handle for the conversation ``name``, or for a new one; good for ``IDLE_SECONDS`` from now."""
        return self._handles.new(f"{int(self._clock().timestamp())}", name)

    def _look(self, scope: Mapping[str, Any], body: bytes) -> Asked:
        headers = dict(scope["headers"])
        address = self._callers.program(scope)
        version = headers.get(VERSION_HEADER, b"").decode("latin-1")
        if version and version not in OLDER:
            return self._in_conversation(scope, body, address, version)
        shown = headers.get(SESSION_HEADER)
        token = self._sessions.read(shown.decode("latin-1")) if shown is not None else None
        endpoint, _, agreed = token.note.partition("-") if token else ("", "", "")
        if token is None or endpoint != _endpoint(scope):
            return Asked(caller=address, address=address, version=version or UNSAID, shown=shown is not None)
        caller = self._callers.program(scope, mcp_session=token.name)
        key = self._key(token.name)
        return Asked(caller=caller, address=address, version=version or agreed, session=key, shown=True)

    def _in_conversation(self, scope: Mapping[str, Any], body: bytes, address: Caller, version: str) -> Asked:
        alone = Asked(caller=address, address=address, version=version)
        if _IN_BODY not in body:
            return alone
        try:
            raw = parsed(body)
        except BadMessageError:
            return alone
        name = self._conversation(meta_of(raw.get("params") if isinstance(raw, dict) else None).get(HANDLE_KEY))
        caller = self._callers.program(scope, mcp_session=name) if name else address
        return Asked(caller=caller, address=address, version=version, name=name, raw=raw)

    def _conversation(self, text: object) -> str:
        token = self._handles.read(text) if isinstance(text, str) else None
        if token is None or not token.note.isdecimal():
            return ""
        age = self._clock().timestamp() - int(token.note)
        return token.name if age < IDLE_SECONDS else ""

    @staticmethod
    def _key(name: str) -> str:
        return f"mcp:{sha256(name.encode()).hexdigest()[:_DIGITS]}"


def _endpoint(scope: Mapping[str, Any]) -> str:
    """The name of the endpoint without dashes: ``/mcp/tweede-kamer/v1`` → ``tweede_kamer``."""
    return str(scope["path"]).strip("/").split("/")[1].replace("-", "_")
