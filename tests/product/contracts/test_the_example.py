"""The example in the documentation, run as it stands: an agent written from ``docs/`` alone does all that is promised there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.db import connections
from pytest_django import Settings

from admission import approvals
from admission.contracts import Stop
from admission.models import Approval, ApprovalState
from admission.stopping import stop
from admission.storage import Order
from besluitbron.running.admitting import AdmittingOptions
from search.models import FaultReport
from tests.product.contracts.conftest import JOB, Doors, opened
from tests.product.contracts.examples import AGENT, TRIAL
from tests.support.agent import SITE, Platform
from tests.support.reports import DESKS, TOKEN, a_standing, ready

pytestmark = pytest.mark.anyio
OWNER = ("Redactie Voorbeeld", "mailto:redactie@voorbeeld.example")


@dataclass
class Operator:
    """Somebody in the admin, who decides while the agent waits. ``waits``: how long it was told to wait, each time."""

    approves: bool = True
    waits: list[float] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)
    also: Callable[[], Any] = lambda: None

    def while_asleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        assert len(self.waits) < 20, "it would go on for ever"
        for one in Approval.objects.filter(state=ApprovalState.PENDING):
            self.seen.append(f"{one.operation} {one.resource} {approvals.body_of(one)}")
            approvals.decide(one.approval, approved=self.approves, by="beheer", at=datetime.now(UTC))
        connections.close_all()
        self.also()


@asynccontextmanager
async def agreed(doors: Doors, operator: Operator) -> AsyncIterator[Any]:
    """The agent of the example, a job that its platform vouches for, with a contract for all of it."""
    with httpx.Client(base_url=str(doors.http.base_url), timeout=30, verify=False) as http:
        agent = AGENT.Agent(SITE, http, lambda: doors.platform.vouch(JOB), sleep=operator.while_asleep)
        actions = ["zoeken", "lezen", "lijsten", "rapport-lezen"]
        changes = ["rapport-aanvragen", "rapport-annuleren", "meld-fout"]
        told = await asyncio.to_thread(agent.negotiate, "monitoring", OWNER, actions, changes, units=200, writes=3)
        assert told["status"] == "active"
        yield agent


def fault_kept() -> FaultReport:
    """The one that is kept."""
    try:
        return FaultReport.objects.get()
    finally:
        connections.close_all()


async def test_it_searches_asks_for_a_report_that_an_operator_approves_and_reads_it(doors: Doors) -> None:
    operator = Operator()
    async with agreed(doors, operator) as agent:
        found = await asyncio.to_thread(agent.get, "/api/v1/organisaties", {"naam": "ede"})
        assert found["organisaties"]
        bodies = await asyncio.to_thread(agent.tool, "organisaties", {"naam": "gemeente-ede"})
        assert bodies["aantal"] == 1
        report = await asyncio.to_thread(agent.ask_report, {"vraag": "wärmtenet"}, "voor het dossier")
        assert report["staat"] == "wacht"
        assert operator.seen == ['rapport-aanvragen /api/v1/rapporten {"vraag": "wärmtenet"}']
        ((target, _),) = DESKS[-1].asked
        assert target == "vraag=w%C3%A4rmtenet"
        operator.also = lambda: DESKS[-1].reports or DESKS[-1].put(*ready())
        done = await asyncio.to_thread(agent.wait_for_report, f"/api/v1/rapporten/{TOKEN}")
        assert done["staat"] == "klaar"


async def test_a_change_that_must_wait_goes_on_with_a_new_token_and_the_same_approval(
    doors: Doors, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Changes wait for a while after a start: longer than a token holds, and nobody is asked twice."""
    operator = Operator()
    async with agreed(doors, operator) as agent:
        await doors.house.admissions.revoke(Stop.WRITES)

        def goes_on() -> None:
            if len(operator.waits) == 2:
                asyncio.run_coroutine_threadsafe(doors.house.admissions.lift(Stop.WRITES), loop).result()

        loop = asyncio.get_running_loop()
        operator.also = goes_on
        monkeypatch.setattr(AGENT, "LONGEST_WAIT", 1_000.0)
        report = await asyncio.to_thread(agent.ask_report, {"vraag": "dijk"})
        assert report["staat"] == "wacht"
        assert (len(operator.seen), len(operator.waits)) == (1, 2)


async def test_it_reports_a_fault_over_mcp_once_an_operator_approved_these_very_words(doors: Doors) -> None:
    fault = {"soort": "link", "platform": "opentk", "melding": "De link geeft 404."}
    async with agreed(doors, Operator()) as agent:
        told = await asyncio.to_thread(agent.report_fault, fault)
        kept = await asyncio.to_thread(fault_kept)
        assert (kept.number, kept.contract, kept.text) == (
            told["nummer"],
            agent.contract["contract"],
            fault["melding"],
        )


async def test_it_cancels_a_report_once_an_operator_approved_that(doors: Doors) -> None:
    operator = Operator()
    DESKS[-1].put(a_standing())
    async with agreed(doors, operator) as agent:
        told = await asyncio.to_thread(agent.cancel_report, TOKEN)
        assert told["staat"] == "geannuleerd"
        with pytest.raises(AGENT.ContractEnded) as ended:
            await asyncio.to_thread(agent._allowed, "rapport-annuleren", "/api/v1/rapporten", "", "")
        assert ended.value.reason == "out-of-scope"
    assert operator.seen == [f"rapport-annuleren /api/v1/rapporten/{TOKEN} "]


async def test_it_ends_with_a_reason_when_an_operator_denies_and_never_asks_again(doors: Doors) -> None:
    """Attack 22 of the study: retry storms."""
    operator = Operator(approves=False)
    async with agreed(doors, operator) as agent:
        with pytest.raises(AGENT.ContractEnded) as ended:
            await asyncio.to_thread(agent.ask_report, {"vraag": "dijk"})
    assert ended.value.reason == "approval-denied"
    assert len(operator.seen) == 1
    assert DESKS[-1].asked == []


async def test_it_stops_at_its_next_call_when_it_is_revoked_in_the_middle_and_says_why(doors: Doors) -> None:
    operator = Operator()
    async with agreed(doors, operator) as agent:
        await asyncio.to_thread(agent.get, "/api/v1/organisaties", {"naam": "ede"})
        order = Order(what=Stop.CONTRACT, name=agent.contract["contract"], by="beheer", why="te druk")
        await stop(doors.house, order)
        calls: list[Callable[[], Any]] = [
            lambda: agent.get("/api/v1/organisaties", {"naam": "ede"}),
            lambda: agent.tool("organisaties", {"naam": "ede"}),
            lambda: agent.ask_report({"vraag": "dijk"}),
        ]
        for call in calls:
            with pytest.raises(AGENT.ContractEnded) as ended:
                await asyncio.to_thread(call)
            assert ended.value.reason == "contract-revoked"
            assert str(ended.value)
    assert operator.waits == [], "what is over is never tried again"


async def test_what_may_go_well_later_is_tried_a_few_times_and_not_for_ever() -> None:
    """Attack 22 of the study: retry storms."""
    sent: list[str] = []

    def busy(request: httpx.Request) -> httpx.Response:
        sent.append(request.url.path)
        problem = {"type": f"{SITE}/problemen/in-flight-exceeded", "retryable": True, "detail": "Te veel tegelijk."}
        return httpx.Response(429, json=problem, headers={"Retry-After": "1"})

    waits: list[float] = []
    http = httpx.Client(base_url=SITE, transport=httpx.MockTransport(busy))
    agent = AGENT.Agent(SITE, http, sleep=waits.append, contract={"contract": "ctr_x"})
    with http, pytest.raises(AGENT.NotNow):
        agent.get("/api/v1/platforms")
    assert len(sent) == AGENT.MOST_TRIES
    assert all(1 <= wait <= 2 for wait in waits)


@pytest.mark.parametrize(("retryable", "said"), [(True, "Nu niet"), (False, "Gestopt")])
def test_whatever_it_is_refused_for_it_says_so_and_ends(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], retryable: bool, said: str
) -> None:
    """Longer than it waits for, or never: a reader who copied it sees why, and no stack of calls."""
    problem = {"type": f"{SITE}/problemen/admission-unavailable", "retryable": retryable, "detail": "Het kan niet."}
    wait = {"Retry-After": str(int(AGENT.LONGEST_WAIT) + 1)}
    refusing = httpx.MockTransport(lambda _request: httpx.Response(503, json=problem, headers=wait))
    client = httpx.Client
    monkeypatch.setattr(AGENT.httpx, "Client", lambda **given: client(transport=refusing, **given))
    AGENT.example(SITE, lambda: "x")
    told = capsys.readouterr().out
    assert told.startswith(said)
    assert "admission-unavailable" in told
    assert "Het kan niet." in told


@pytest.mark.usefixtures("database")
async def test_whoever_tries_it_at_home_vouches_for_a_job_of_its_own(
    settings: Settings, tmp_path: Path, platform: Platform, domain: Platform
) -> None:
    """As the page says: the file that is made is the one that the product is started with."""
    settings.OPTIONS = replace(settings.OPTIONS, admitting=AdmittingOptions(str(TRIAL.make(tmp_path))))
    assert (tmp_path / "proefsleutel.json").stat().st_mode & 0o777 == 0o600
    async with opened(settings, platform, domain) as doors:
        with httpx.Client(base_url=str(doors.http.base_url), timeout=30, verify=False) as http:
            agent = AGENT.Agent(SITE, http, TRIAL.identity(tmp_path, SITE))
            told = await asyncio.to_thread(agent.negotiate, "research", OWNER, ["zoeken"], ["meld-fout"], writes=1)
    assert (told["tier"], told["workload"], told["budget"]["writes"]) == ("federated", f"{TRIAL.ISSUER}#{TRIAL.JOB}", 1)
