"""One process of several that serve the same endpoints: ``python -m tests.support.mcp_process STORE FOLDER FD``.

Its tools: ``wie`` says which process answers, ``wacht`` waits for ever.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "besluitbron.settings")

import uvicorn

import tests.support.environment  # noqa: F401 - before Django's settings
from assistants.tool import Arguments, Outcome, Visit
from tests.support.assistants import Demo, demo_server, demo_tool, shell


async def who(arguments: Arguments, visit: Visit) -> Outcome:
    """Which process this is, and who it thinks calls."""
    said = f"{os.getpid()} {visit.caller.session}"
    return Outcome(data={"woord": said}, text=said)


def main(store: str, folder: str, listener: int) -> None:
    """Serve until stopped."""
    wait = next(tool for tool in Demo().tools() if tool.name == "wacht")
    app = shell(demo_server((demo_tool("wie", who), wait)), store, Path(folder))
    # A connection stays with its process for as long as the tests last, however long they leave it alone.
    config = uvicorn.Config(app, access_log=False, log_config=None, timeout_graceful_shutdown=1, timeout_keep_alive=600)
    asyncio.run(uvicorn.Server(config).serve([socket.socket(fileno=listener)]))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
