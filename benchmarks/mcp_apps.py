"""The applications that ``incoming_sdk`` compares, each served by a uvicorn of its own: ours whole, and the SDK in two ways.

``python -m benchmarks.mcp_apps ours|limited|bare|prepared FD`` serves one on a socket that was handed down; ``limited`` is ours
with its usual limits, for ``incoming_flood``.

All list the same tools. Ours is what ``./start`` serves, with its shell, sessions and limits; the limits still count, but are
raised above what one machine can send.
"""

from __future__ import annotations

import os
import socket
import sys
from typing import Any, Final

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "besluitbron.settings")

import uvicorn
from mcp.server.lowlevel.server import Server
from mcp_types import ListToolsResult
from starlette.types import ASGIApp

from throttling.incoming_rules import DoorRules, IncomingRules, Rate

STORE: Final = "BENCHMARK_STORE"
"""The environment variable with the address of the store."""
_RAISED: Final = 1_000_000
_PATH: Final = "/mcp/unified/v1"


def ours() -> ASGIApp:
    """BesluitBron, with raised limits."""
    raised = Rate(_RAISED)
    door = DoorRules(raised, raised)
    return limited(IncomingRules(process=raised, mcp=door, page=door, opening=raised))


def limited(rules: IncomingRules | None = None) -> ASGIApp:
    """BesluitBron, with the limits of its settings or with these."""
    from django.conf import settings  # noqa: PLC0415 - as above

    from besluitbron.asgi import make_application  # noqa: PLC0415 - the other application is made without Django

    settings.INCOMING_RULES = rules or settings.INCOMING_RULES
    settings.STATE_STORE = os.environ[STORE]
    settings.TURNS_MEMORY = "throttling.memory.ForgetfulMemory"
    return make_application()


def bare() -> ASGIApp:
    """What the SDK serves by itself, with its defaults: sessions in memory for older revisions, streams of events."""
    return _sdk(_listed()).streamable_http_app(streamable_http_path=_PATH)


def prepared() -> ASGIApp:
    """The cheapest that the SDK has: no sessions, whole answers in JSON, and a list that was made into plain values once."""
    plain = _listed().model_dump(by_alias=True, mode="json", exclude_none=True)
    return _sdk(plain).streamable_http_app(streamable_http_path=_PATH, json_response=True, stateless_http=True)


def _listed() -> ListToolsResult:
    from assistants.servers import definition  # noqa: PLC0415 - as above
    from assistants.tools import TOOLS  # noqa: PLC0415 - as above

    return ListToolsResult(tools=[definition(tool) for tool in TOOLS])


def _sdk(result: Any) -> Server[Any]:
    """A server of the SDK that lists these tools."""

    async def listed(context: Any, params: Any) -> Any:
        del context, params
        return result

    return Server("bare", version="1", on_list_tools=listed)


if __name__ == "__main__":
    made = {"ours": ours, "limited": limited, "bare": bare, "prepared": prepared}[sys.argv[1]]()
    config = uvicorn.Config(made, access_log=False, log_level="critical")
    uvicorn.Server(config).run([socket.socket(fileno=int(sys.argv[2]))])
