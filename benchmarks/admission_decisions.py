"""The edge in front of an origin that does nothing, with a real store and real connections: time, exactness, and endings."""

from __future__ import annotations

import asyncio
import os
import socket
import statistics
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Final

from admission.contracts import Budget, Contract, Grant, Stop, Tier
from admission.edge import Reason
from admission.ledger import Ledger
from admission.proofs.own_keys import OwnKey
from admission.tiers import AD_HOC_ALL, RULES, pools
from benchmarks.admission_agent import Agent, contract, ed25519, p256, plain
from benchmarks.admission_apps import HANGS, ORIGIN, READS, STORE, issuer
from benchmarks.admission_quota import search
from benchmarks.incoming_flood import Line
from benchmarks.site import LOOPBACK
from besluitbron.running.layout import PROJECT
from throttling.private_store import private_server
from throttling.store import Store

_HOST: Final = "localhost"
_AGAIN: Final = 0.05
_START: Final = 60.0
_ROUNDS, _EACH = 20, 50
_QUOTA, _PROCESSES, _TRIES = 1000, 16, 100
_REVOKES, _LINES, _AFTER = 25, 16, 50
_SLOTS: Final = 5
_KEYS, _NETWORKS, _TOGETHER = 10_000, 500, 32


@dataclass(slots=True)
class Server:
    """A served application in a process of its own."""

    port: int
    process: asyncio.subprocess.Process


@asynccontextmanager
async def served(name: str, store: str) -> AsyncIterator[Server]:
    """``edge`` or ``bare`` of ``admission_apps``, once it answers."""
    with socket.socket() as listener:
        listener.bind((LOOPBACK, 0))
        listener.listen(128)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "benchmarks.admission_apps", name, str(listener.fileno())),
            env={**os.environ, STORE: store},
            cwd=PROJECT,
            pass_fds=(listener.fileno(),),
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            server = Server(listener.getsockname()[1], process)
            async with asyncio.timeout(_START), line(server.port) as one:
                while not await one.ask(plain(READS, _HOST)):  # noqa: ASYNC110 - another process gives no event
                    await asyncio.sleep(_AGAIN)
            yield server
        finally:
            if process.returncode is None:
                process.terminate()
            await process.wait()


@asynccontextmanager
async def line(port: int) -> AsyncIterator[Line]:
    """One connection."""
    _, one = await asyncio.get_running_loop().create_connection(Line, LOOPBACK, port)
    try:
        yield one
    finally:
        one.close()


@asynccontextmanager
async def books(*contracts: Contract) -> AsyncIterator[tuple[str, Ledger]]:
    """The address of a store of our own, open for decisions, with these contracts."""
    async with private_server() as listens, Store(f"unix://{listens}") as store:
        ledger = Ledger(store)
        await ledger.open(0)
        for one in contracts:
            await ledger.put(one)
        yield f"unix://{listens}", ledger


def agent(name: str, own: OwnKey | None = None) -> Agent:
    """The agent under the contract ``name``."""
    return Agent(name, ORIGIN, issuer(), _HOST, own or ed25519())


async def decision_added() -> dict[str, float]:
    """``decision_added_p50_ms``: a whole request with its decision and event, above the same without an edge.

    By turns over one connection each, so that whatever else the machine does touches both. ``_es256``: the same for an agent
    that signs with P-256 instead of Ed25519.
    """
    one, other = agent("meting"), agent("ander", p256())
    times: dict[str, list[float]] = {"bare": [], "edge": [], "es256": []}
    async with (
        books(contract(one.name), contract(other.name)) as (address, _),
        served("edge", address) as edge,
        served("bare", address) as bare,
        line(edge.port) as to_edge,
        line(bare.port) as to_bare,
    ):
        for _ in range(_ROUNDS):
            asked, others = ([signer.request(READS) for _ in range(_EACH)] for signer in (one, other))
            times["bare"] += await _times(to_bare, [plain(READS, _HOST)] * _EACH)
            times["edge"] += await _times(to_edge, asked)
            times["es256"] += await _times(to_edge, others)
    bare_p50, edge_p50, es256_p50 = (statistics.median(times[name]) * 1000 for name in ("bare", "edge", "es256"))
    return {
        "decision_added_p50_ms": round(edge_p50 - bare_p50, 3),
        "decision_added_p50_ms_es256": round(es256_p50 - bare_p50, 3),
        "bare_p50_ms": round(bare_p50, 3),
        "edge_p99_ms": round(statistics.quantiles(times["edge"], n=100)[98] * 1000, 3),
    }


async def _times(over: Line, asked: Sequence[bytes]) -> list[float]:
    loop, found = asyncio.get_running_loop(), []
    for sent in asked:
        began = loop.time()
        code = await over.ask(sent)
        found.append(loop.time() - began)
        assert code == b"200", code
    return found


async def exact_quota() -> dict[str, float]:
    """``exact_quota``: how many of a quota of 1,000 sixteen processes got together, that ask 1,600 times at once."""
    async with books(contract("quota", Budget(in_flight=100, units=_QUOTA))) as (address, _):
        told = await asyncio.gather(*(_attempts(address, f"a{n}") for n in range(_PROCESSES)))
    return {"exact_quota": sum(told)}


async def _attempts(address: str, name: str) -> int:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "benchmarks.admission_quota", address, "quota", name, str(_TRIES)),
        cwd=PROJECT,
        stdout=asyncio.subprocess.PIPE,
    )
    said, _ = await process.communicate()
    return int(said)


async def accepted_after_revoke() -> dict[str, float]:
    """``accepted_after_revoke``: of 20,000 requests that began after ``revoke`` had returned, how many were let in.

    Sixteen connections at two processes ask on and on, each time until their contract was revoked and refused fifty times.
    """
    late = counted = before = 0
    async with books() as (address, ledger), AsyncExitStack() as stack:
        servers = [await stack.enter_async_context(served("edge", address)) for _ in range(2)]
        lines = [await stack.enter_async_context(line(servers[n % 2].port)) for n in range(_LINES)]
        for number in range(_REVOKES):
            name = f"weg{number}"
            await ledger.put(contract(name))
            returned, some = asyncio.Event(), asyncio.Event()
            asking = [asyncio.create_task(_ask_on(one, agent(name), returned, some)) for one in lines]
            await some.wait()
            await ledger.revoke(Stop.CONTRACT, name, why="meting")
            returned.set()
            for found in await asyncio.gather(*asking):
                before, counted, late = before + found[0], counted + found[1], late + found[2]
    return {"accepted_after_revoke": late, "asked_after_revoke": counted, "accepted_before_revoke": before}


async def _ask_on(over: Line, one: Agent, returned: asyncio.Event, some: asyncio.Event) -> tuple[int, int, int]:
    """How many were let in, how many began after the revocation, and how many of those were let in."""
    accepted = after = late = 0
    while after < _AFTER:
        began_after = returned.is_set()
        code = await over.ask(one.request(READS))
        assert code in {b"200", b"403"}, code
        accepted += code == b"200"
        after += began_after
        late += began_after and code == b"200"
        if accepted > 2:  # noqa: PLR2004 - it is under way
            some.set()
    return accepted, after, late


async def slots_free() -> dict[str, float]:
    """``slots_free_after_s``: seconds from the death (``kill -9``) of a process that held all slots, until one is free."""
    one = agent("plaatsen")
    held = contract(one.name, Budget(in_flight=_SLOTS, units=100_000))
    loop = asyncio.get_running_loop()
    async with books(held) as (address, ledger), AsyncExitStack() as stack:
        dies = await stack.enter_async_context(served("edge", address))
        lives = await stack.enter_async_context(served("edge", address))
        for _ in range(_SLOTS):
            hangs = await stack.enter_async_context(line(dies.port))
            stack.push_async_callback(_cancelled, asyncio.ensure_future(hangs.ask(one.request(HANGS))))
        while True:
            standing = await ledger.look(one.name)
            if standing is not None and standing.in_flight == _SLOTS:
                break
            await asyncio.sleep(_AGAIN)
        asks = await stack.enter_async_context(line(lives.port))
        refused = await asks.ask(one.request(READS))
        assert refused == b"429", refused
        dies.process.kill()
        began = loop.time()
        while await asks.ask(one.request(READS)) != b"200":  # noqa: ASYNC110 - as above
            await asyncio.sleep(_AGAIN)
        return {"slots_free_after_s": round(loop.time() - began, 1)}


async def _cancelled(task: asyncio.Future[bytes]) -> None:
    task.cancel()
    await asyncio.wait({task})


async def sybil_share() -> dict[str, float]:
    """``sybil_share``: what 10,000 keys without anybody behind them got together, of the pool that all of them share.

    They come from 500 networks, each with one request, at one moment at which every pool is full.
    """
    allowed: list[bool] = []
    async with books() as (_, ledger):
        rules = RULES[Tier.AD_HOC]
        ledger.frozen = 2e9
        gate = asyncio.Semaphore(_TOGETHER)

        async def key(number: int) -> None:
            async with gate:
                name = f"sleutel{number}"
                await ledger.put(
                    Contract(
                        id=name,
                        workload=f"jkt:{number}",
                        issuer="ad-hoc",
                        tier=Tier.AD_HOC,
                        budget=rules.usual,
                        most=rules.most,
                        seconds=3600.0,
                        grants=(Grant("zoeken"),),
                        pools=pools(Tier.AD_HOC, "ad-hoc", (f"net{number % _NETWORKS}",), rules),
                    )
                )
                decision = await ledger.decide(search(name, name))
                assert decision.reason in {None, Reason.PUBLIC_LIMIT}, decision
                allowed.append(decision.allowed)
                if decision.allowed:
                    await ledger.release(name, decision.lease)

        await asyncio.gather(*map(key, range(_KEYS)))
    return {"sybil_share": round(sum(allowed) / AD_HOC_ALL.units, 3), "sybil_keys": len(allowed)}
