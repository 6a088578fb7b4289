"""A worker for reports says that it is there, also while there is nothing to make: it is missed before anybody asks."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress

from throttling.presence import EVERY, Presence
from throttling.store import Store, StoreLostError


def keep_signing(address: str) -> None:
    """Give signs of life to the store at ``address`` for as long as this process lives, beside whatever it does."""
    threading.Thread(target=lambda: asyncio.run(_sign(address)), name="teken-van-leven", daemon=True).start()


async def _sign(address: str) -> None:
    async with Store(address) as store:
        presence = Presence(store)
        while True:
            with suppress(StoreLostError):  # the next one comes soon
                await presence.sign()
            await asyncio.sleep(EVERY)
