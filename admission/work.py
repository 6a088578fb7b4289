"""The kinds of work of this room: getting a contract and its tokens. None of it is granted to anybody: it proves itself."""

from __future__ import annotations

from typing import Final

from throttling.work import Access, Door, Load, works

CONTROL: Final = "/admission/"
"""Where contracts and tokens are asked for: the edge leaves it alone, for what comes there has no token yet."""
WORK: Final = (
    *works(
        Door.ROUTE,
        "contract-vragen",
        "pasje-vragen",
        "contract-teruggeven",
        load=Load.URGENT,
        access=Access.WRITE,
        methods=("POST",),
    ),
    *works(Door.TASK, "admission.tasks.fetch_document", load=Load.URGENT, access=Access.WRITE),
    *works(Door.ROUTE, "contract-stand", "goedkeuring-stand", "contract-sleutels", load=Load.URGENT),
    *works(
        Door.ROUTE,
        *("contract-uitleg", "contract-bron", "contract-bron-mcp", "contract-server", "llms"),
        load=Load.URGENT,
    ),
)
