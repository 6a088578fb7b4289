"""A word that somebody searches for stands nowhere but in the answer: no metric, no key, nothing that is kept in the clear."""

from __future__ import annotations

from pathlib import Path

import pytest
from mcp import Client
from redis import Redis

from assistants.places import UNIFIED, path
from besluitbron.caches import DATABASES
from besluitbron.running.layout import PROJECT
from tests.product.conftest import Product
from tests.support.valkey import Valkey

pytestmark = pytest.mark.anyio
CANARY = "kanariepiet"
PAPER = "rechtspraak:ECLI:NL:CBB:2022:1"
WAYS = (
    "/zoeken?vraag={}",
    "/zoeken?vraag={}+in+Ede&soort=motie",
    "/zoeken/stroom?vraag={}&wacht=rechtspraak",
    "/zoeken.csv?vraag={}",
    "/zoeken.ris?vraag={}",
    "/zoeken.json?vraag={}",
    "/zoeken.atom?vraag={}",
    f"/document/{PAPER.replace(':', '/', 1)}?in-stuk={{}}",
    "/en/zoeken?vraag={}",
    "/api/v1/_zoek?vraag={}",
)
TOOLS: tuple[tuple[str, dict[str, str]], ...] = (
    ("zoek", {"vraag": CANARY}),
    ("zoek", {"vraag": f"Wat is er in Ede besloten over {CANARY}?"}),
    ("zoek_in_document", {"id": PAPER, "woorden": CANARY}),
    ("controleer_citaat", {"id": PAPER, "citaat": f"De {CANARY} zingt elke dag in de raadzaal."}),
    ("herleid", {"verwijzing": CANARY}),
)


def keys(store: Valkey) -> list[bytes]:
    """The names of everything in the store and in every buffer, and what the values of the store hold."""
    found: list[bytes] = []
    for database in {0, *DATABASES.values()}:
        client = Redis(unix_socket_path=str(store.path), db=database)
        for key in client.scan_iter(count=1000):
            found.append(key)
            if database == 0:
                found.append(client.dump(key) or b"")
        client.close()
    return found


@pytest.mark.usefixtures("buffer")
async def test_a_searched_word_is_in_no_metric_no_key_and_no_referrer(product: Product, store: Valkey) -> None:
    """Eis 6.5; Eis V13; Field report 39. Log lines: ``test_logs``."""
    for way in WAYS:
        answer = await product.site.get(way.format(CANARY))
        assert answer.status_code == 200, way
        assert answer.headers["referrer-policy"] == "same-origin"
    for mode in ("legacy", "auto"):
        async with Client(f"{product.site.base_url}".rstrip("/") + path(UNIFIED), mode=mode) as client:
            said = [await client.call_tool(tool, given) for tool, given in TOOLS]
        assert not any(one.is_error for one in said[:-1])  # the last names nothing that any source knows
    names = keys(store)
    assert len(names) > 20
    assert not [name for name in names if CANARY.encode() in name]
    assert CANARY not in (await product.site.get("/metrics")).text


def test_nothing_that_traces_requests_is_among_what_we_install() -> None:
    """Eis 6.5: no span holds a question, because there are none: what would make them puts the whole address in."""
    pinned = Path(PROJECT / "requirements.txt").read_text("utf-8").lower()
    assert not [
        name for name in ("opentelemetry-sdk", "ddtrace", "sentry", "elastic-apm", "newrelic") if name in pinned
    ]
