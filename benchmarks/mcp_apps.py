"""The two applications that ``incoming_sdk`` compares, each served by a uvicorn of its own: ours whole, and the bare SDK.

``python -m benchmarks.mcp_apps ours|limited|bare FD`` serves one on a socket that was handed down; ``limited`` is ours with
its usual limits, for ``incoming_flood``.

Both list the same tools. Ours is what ``./start`` serves, with its shell, sessions and limits; the limits still count, but are
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
    from assistants.servers import definition  # noqa: PLC0415 - as above
    from assistants.tools import TOOLS  # noqa: PLC0415 - as above

    tools = [definition(tool) for tool in TOOLS]

    async def listed(context: Any, params: Any) -> ListToolsResult:
        del context, params
        return ListToolsResult(tools=tools)

    return Server("bare", version="1", on_list_tools=listed).streamable_http_app(streamable_http_path="/mcp/unified/v1")


if __name__ == "__main__":
    made = {"ours": ours, "limited": limited, "bare": bare}[sys.argv[1]]()
    config = uvicorn.Config(made, access_log=False, log_level="critical")
    uvicorn.Server(config).run([socket.socket(fileno=int(sys.argv[2]))])
