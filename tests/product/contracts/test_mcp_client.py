"""The Python client of the ``mcp`` SDK, with a contract and without one, through the whole product over real HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import httpx2
import pytest
from django.contrib.auth import get_user_model
from lxml import html
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

from tests.product.contracts.conftest import JOB, Doors
from tests.product.contracts.examples import AGENT, MCP_AGENT
from tests.support.agent import SITE
from tests.support.pages import words_of
from tests.support.reports import DESKS, TOKEN, ready
from tests.support.threads import in_thread

pytestmark = pytest.mark.anyio
OWNER = ("Redactie Voorbeeld", "mailto:redactie@voorbeeld.example")
ASKS = "/beheer/admission/approval/"
WISH = {"vraag": "wärmtenet", "organisaties": ["gemeente-ede"]}
PASSWORD = "lang genoeg en van deze test"


@dataclass
class Operator:
    """Somebody in the admin, by its pages alone: logs in, looks at what waits, and presses a button."""

    http: httpx.Client
    answer: str = "goedkeuren"
    waits: list[float] = field(default_factory=list)
    read: list[str] = field(default_factory=list)

    def look(self, path: str) -> html.HtmlElement:
        answer = self.http.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
        return html.document_fromstring(answer.text)

    def press(self, page: html.HtmlElement, button: str = "", **typed: str) -> html.HtmlElement:
        """Send the one form of ours on a page, as a browser does; ``button``: its value."""
        (form,) = page.xpath("//form[@class='daad' or @id='login-form'][.//button[@value=$b] or $b='']", b=button)
        fields = {one.get("name"): one.get("value", "") for one in form.xpath(".//input[@name]")}
        pressed = {one.get("name"): button for one in form.xpath(".//button[@value=$b and @name]", b=button)}
        answer = self.http.post(form.get("action") or "", data=fields | pressed | typed)
        assert answer.status_code == 200, answer.status_code
        return html.document_fromstring(answer.text)

    def log_in(self) -> None:
        answer = self.http.get("/beheer/login/")
        page = html.document_fromstring(answer.text)
        (form,) = page.xpath("//form[@id='login-form']")
        fields = {one.get("name"): one.get("value", "") for one in form.xpath(".//input[@name]")}
        typed = {"username": "beheer", "password": PASSWORD}
        assert self.http.post("/beheer/login/", data=fields | typed).status_code == 200
        self.look("/beheer/")

    def while_asleep(self, seconds: float) -> None:
        """The agent waits; the operator looks at what is asked."""
        self.waits.append(seconds)
        assert len(self.waits) < 20, "it would go on for ever"
        for link in self.look(ASKS).xpath("//tr[@data-goedkeuring]//a[contains(., 'beslis')]/@href"):
            page = self.look(str(link))
            self.read.append(words_of(page))
            self.press(page, self.answer)

    def revoke(self, contract: str) -> None:
        """On the page of the contract: with a reason, and then again to say that it is meant."""
        page = self.look(f"/beheer/admission/agreement/{contract}/")
        fields = {"daad": "intrekken", "wat": "contract", "naam": contract, "waarom": "te druk", "terug": contract}
        token = page.xpath("//input[@name='csrfmiddlewaretoken']/@value")[0]
        sure = self.http.post("/beheer/admission/agreement/daad/", data={**fields, "csrfmiddlewaretoken": token})
        self.press(html.document_fromstring(sure.text))


@asynccontextmanager
async def operator(doors: Doors, answer: str = "goedkeuren") -> AsyncIterator[Operator]:
    await in_thread(get_user_model().objects.create_superuser, "beheer", "beheer@voorbeeld.example", PASSWORD)
    site = str(doors.http.base_url)
    with httpx.Client(base_url=site, timeout=30, follow_redirects=True, headers={"Origin": site.rstrip("/")}) as http:
        one = Operator(http, answer)
        await asyncio.to_thread(one.log_in)
        yield one


@asynccontextmanager
async def under_contract(doors: Doors, person: Operator) -> AsyncIterator[tuple[Any, Client]]:
    """The agent of the documentation with the client of the SDK, as a reader copies both."""
    site = str(doors.http.base_url).rstrip("/")
    with httpx.Client(base_url=site, timeout=30) as http:
        agent = AGENT.Agent(SITE, http, lambda: doors.platform.vouch(JOB), sleep=person.while_asleep)
        actions = ["zoeken", "lezen", "lijsten", "rapport-lezen"]
        await asyncio.to_thread(
            agent.negotiate, "monitoring", OWNER, actions, ["rapport-aanvragen"], units=200, writes=2
        )
        async with MCP_AGENT.connected(agent, f"{site}/mcp/unified/v1", "voor het dossier") as client:
            yield agent, client


async def left(doors: Doors, agent: Any) -> tuple[int, int]:
    standing = await doors.house.admissions.look(agent.contract["contract"])
    assert standing is not None
    return standing.left, standing.writes_left


async def test_it_searches_has_a_report_approved_reads_it_and_stops_when_it_is_revoked(doors: Doors) -> None:
    """All that the issue asks of an agent, with nothing between it and the operator but the pages and the protocol."""
    async with operator(doors) as person, under_contract(doors, person) as (agent, client):
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert {"zoek", "rapport_aanvragen", "rapport_stand"} <= tools
        found = await client.call_tool("zoek", {"vraag": "uitkering", "platforms": ["rechtspraak"]})
        assert not found.is_error
        assert found.structured_content["bronnen"][0]["platform"] == "rechtspraak"
        units, writes = await left(doors, agent)
        assert units < 200, "it was counted under the contract"
        asked = await client.call_tool("rapport_aanvragen", WISH)
        assert asked.structured_content["staat"] == "wacht"
        assert len(person.waits) == len(person.read) == 1, "it asked, an operator looked, it asked again"
        assert all(word in person.read[0] for word in ("rapport-aanvragen", "wärmtenet", "voor het dossier"))
        assert (await left(doors, agent))[1] == writes - 1
        DESKS[-1].put(*ready())
        told = (await client.call_tool("rapport_stand", {"nummer": TOKEN})).structured_content
        assert (told["staat"], told["opnieuwNa"]) == ("klaar", None)
        report = told["bestanden"][0]["adres"].removeprefix(SITE)
        assert (await doors.http.get(report)).status_code == 200
        await asyncio.to_thread(person.revoke, agent.contract["contract"])
        for name, arguments in (("zoek", {"vraag": "dijk"}), ("rapport_aanvragen", WISH)):
            with pytest.raises(MCPError) as ended:
                await client.call_tool(name, arguments)
            problem = ended.value.error.data
            assert (problem["type"].rpartition("/")[2], problem["retryable"]) == ("contract-revoked", False)
            assert "ingetrokken" in ended.value.error.message
    assert len(person.waits) == 1, "what is over is never tried again"
    assert len(DESKS[-1].asked) == 1


async def test_what_an_operator_denies_is_told_as_the_answer_of_the_call(doors: Doors) -> None:
    async with operator(doors, "afwijzen") as person, under_contract(doors, person) as (_, client):
        with pytest.raises(MCPError) as denied:
            await client.call_tool("rapport_aanvragen", WISH)
        assert denied.value.error.data["type"].endswith("/approval-denied")
        assert denied.value.error.data["retryable"] is False
        assert not (await client.call_tool("organisaties", {"naam": "ede"})).is_error, "it may still ask"
    assert DESKS[-1].asked == []


async def test_a_token_that_ran_out_in_the_middle_is_renewed_unseen(doors: Doors) -> None:
    async with operator(doors) as person, under_contract(doors, person) as (agent, client):
        before = agent._read_token
        agent._read_token = f"{before[:-8]}AAAAAAAA"
        assert not (await client.call_tool("organisaties", {"naam": "ede"})).is_error
        assert agent._read_token.count(".") == 2


async def test_a_contract_that_ended_while_its_token_ran_out_says_so(doors: Doors) -> None:
    async with operator(doors) as person, under_contract(doors, person) as (agent, client):
        await asyncio.to_thread(person.revoke, agent.contract["contract"])
        agent._read_token = ""
        with pytest.raises(MCPError) as ended:
            await client.call_tool("organisaties", {"naam": "ede"})
        assert ended.value.error.data["type"].endswith("/contract-revoked")


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_without_a_contract_it_reads_and_hears_what_changing_takes(doors: Doors, mode: Any) -> None:
    address = f"{str(doors.http.base_url).rstrip('/')}/mcp/unified/v1"
    async with (
        httpx2.AsyncClient(timeout=30) as http,
        Client(streamable_http_client(address, http_client=http), mode=mode) as client,
    ):
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        hints = tools["rapport_aanvragen"].annotations
        assert hints is not None
        assert not hints.read_only_hint
        found = await client.call_tool("zoek", {"vraag": "uitkering", "platforms": ["rechtspraak"]})
        assert not found.is_error
        for name, arguments in (("rapport_aanvragen", WISH), ("rapport_annuleren", {"nummer": TOKEN})):
            with pytest.raises(MCPError) as refused:
                await client.call_tool(name, arguments)
            error = refused.value.error
            assert (error.code, error.data["reason"]) == (4010, "token-required")
            assert "Vraag een contract" in error.message
            assert error.data["needs"] == {"class": "write", "tier": "federated", "approval": "required"}
            assert error.data["discovery"] == f"{SITE}/.well-known/admission-contract"
    assert DESKS[-1].asked == []
    assert [event.kind for event in await doors.house.admissions.events()] == ["open"]


@pytest.mark.parametrize(
    ("shown", "reason"),
    [("Bearer abc", "token-invalid"), ("DPoP a.b.c", "proof-invalid"), ("Basic YTpi", "token-invalid")],
)
async def test_what_proves_nothing_is_told_to_the_client_with_its_reason(doors: Doors, shown: str, reason: str) -> None:
    """A static key or a plain Bearer token is never served as anonymous (choice A1)."""
    address = f"{str(doors.http.base_url).rstrip('/')}/mcp/unified/v1"
    async with httpx2.AsyncClient(timeout=30, headers={"Authorization": shown}) as http:
        with pytest.raises(BaseExceptionGroup) as refused:
            async with Client(streamable_http_client(address, http_client=http)) as client:
                await client.list_tools()
        errors = refused.value.subgroup(MCPError)
        assert errors is not None
        assert reason in repr(errors.exceptions)
