"""2026-07-28: every request stands alone and says of itself, in headers and body, what it is.

Nothing is kept between two requests. Closing the stream is how a client gives a call up; a notification is taken and dropped.
"""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Any, Final

from mcp.server.connection import Connection
from mcp.shared.inbound import (
    InboundLadderRejection,
    InboundModernRoute,
    classify_inbound_request,
    find_duplicated_routing_header,
    unsupported_protocol_version_rejection,
)
from mcp_types import HEADER_MISMATCH, INVALID_REQUEST

from assistants.dispatch import Dispatch
from assistants.exchange import Finished, respond
from assistants.messages import BadMessageError, Id, Message, read
from assistants.posted import Posted

_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_TAKEN: Final = Finished(b"", HTTPStatus.ACCEPTED)


async def answer(posted: Posted, dispatch: Dispatch) -> None:
    """Answer one POST. Raises ``BadMessageError``."""
    raw = posted.asked.json(posted.body)
    message = read(raw)
    if message is None:
        raise BadMessageError(INVALID_REQUEST, "Stuur één verzoek of één melding.")
    if message.about is None:
        unknown = unsupported_protocol_version_rejection(posted.asked.version)
        if unknown is not None:
            raise _refusal(unknown, None)
        await posted.answer(_TAKEN)
        return
    route = _route(posted, message)
    connection = Connection.from_envelope(route.protocol_version, route.client_info, route.client_capabilities)
    known = await dispatch.known(message, connection)
    if known is not None:
        await posted.answer(known)
        return
    exchange = posted.exchange(message)
    await respond(lambda: dispatch.finished(message, exchange, connection), exchange, posted.wire)


def _route(posted: Posted, message: Message) -> InboundModernRoute:
    twice = find_duplicated_routing_header((name.decode("latin-1"), "") for name, _ in posted.scope["headers"])
    if twice is not None:
        raise BadMessageError(HEADER_MISMATCH, "Een kop van dit verzoek staat er twee keer.", about=message.about)
    found = classify_inbound_request(message.raw, headers=posted.headers)
    if isinstance(found, InboundLadderRejection):
        raise _refusal(found, message.about)
    return found


def _refusal(rejection: InboundLadderRejection, about: Id | None) -> BadMessageError:
    """The SDK's own words name headers and keys, never values; only its data repeat the version that was asked for."""
    return BadMessageError(rejection.code, rejection.message, about=about, data=_harmless(rejection.data))


def _harmless(data: Any) -> Any:
    if not isinstance(data, dict) or "requested" not in data:
        return data
    requested = str(data["requested"])
    return {**data, "requested": requested if _DATE.fullmatch(requested) else "onbekend"}
