"""A request brought to the SDK's server, and what comes back printed. Failures never carry what somebody asked.

What is the same for everybody (the lists of tools, prompts and resources) is printed once for each revision.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final

import structlog
from mcp.server.connection import Connection
from mcp.server.lowlevel.server import Server
from mcp.server.runner import serve_one
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import ERROR_CODE_HTTP_STATUS
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, methods
from pydantic import ValidationError

from assistants.exchange import Exchange, Finished
from assistants.messages import Message, answer_body, error_body, printed
from assistants.revisions import MODERN

_SAME_FOR_ALL: Final = frozenset(
    {"tools/list", "prompts/list", "resources/list", "resources/templates/list", "server/discover"}
)
_NOT_FOUND: Final = "Deze methode is er niet."
_BAD_PARAMETERS: Final = "De parameters van dit bericht kloppen niet."
_BROKEN: Final = "Er ging bij ons iets mis. Probeer het later opnieuw."

log = structlog.get_logger(__name__)


class Dispatch:
    """Brings requests to one ``server``."""

    def __init__(self, server: Server[Any]) -> None:
        self._server = server
        self._printed: dict[tuple[str, str], bytes] = {}

    async def known(self, message: Message, connection: Connection) -> Finished | None:
        """The answer to a request that has the same answer for everybody; None for any other, and for one that is wrong."""
        if message.method not in _SAME_FOR_ALL or (message.params or {}).get("cursor") is not None:
            return None
        version = connection.protocol_version
        try:
            methods.validate_client_request(message.method, version, message.params)
        except (KeyError, ValidationError):
            return None
        result = self._printed.get((message.method, version))
        if result is None:
            exchange = Exchange(request_id=message.about or 0, request=None)
            if self._server.get_request_handler(message.method) is None:
                return None
            result = printed(await self._served(message, exchange, connection))
            self._printed[message.method, version] = result
        return Finished(answer_body(_about(message), result))

    async def finished(self, message: Message, exchange: Exchange, connection: Connection) -> Finished:
        """The answer to any request, or the error that stands for it. Never raises but when it is cancelled."""
        try:
            result = printed(await self._served(message, exchange, connection))
        except MCPError as failure:
            return self._failed(message, connection, failure)
        except ValidationError:
            return _error(message, connection, INVALID_PARAMS, _BAD_PARAMETERS)
        except Exception:
            log.exception("mcp_request_failed", method=message.method if _is_ours(message.method) else "")
            return _error(message, connection, INTERNAL_ERROR, _BROKEN)
        return Finished(answer_body(_about(message), result))

    async def _served(self, message: Message, exchange: Exchange, connection: Connection) -> dict[str, Any]:
        return await serve_one(
            self._server, exchange, message.method, message.params, connection=connection, lifespan_state=None
        )

    @staticmethod
    def _failed(message: Message, connection: Connection, failure: MCPError) -> Finished:
        code = failure.error.code
        if code == METHOD_NOT_FOUND:  # the SDK repeats the method
            return _error(message, connection, code, _NOT_FOUND)
        if code == INTERNAL_ERROR:
            log.error("mcp_request_failed", method=message.method)
            return _error(message, connection, code, _BROKEN)
        return _error(message, connection, code, failure.error.message, failure.error.data)


def _is_ours(method: str) -> bool:
    return method in methods.SPEC_CLIENT_METHODS


def _about(message: Message) -> str | int:
    assert message.about is not None, "only requests come here"
    return message.about


def _error(message: Message, connection: Connection, code: int, text: str, data: Any = None) -> Finished:
    modern = connection.protocol_version == MODERN
    status = ERROR_CODE_HTTP_STATUS.get(code, HTTPStatus.OK) if modern else HTTPStatus.OK
    return Finished(error_body(_about(message), code, text, data), status, failed=True)
