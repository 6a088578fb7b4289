"""What an assistant may change, over MCP: under a contract that says so, one thing a request."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import httpx
import pytest
from mcp import Client, MCPError

from assistants.places import UNIFIED, path
from assistants.tools import TOOLS
from reports.exceptions import WishRefusedError
from reports.records import Reason
from search.models import FaultReport
from tests.product.conftest import Product
from tests.product.test_mcp import MODES, _assistant, _said
from tests.product.test_reports_page import desk
from tests.support.admitted import CONTRACT, under
from tests.support.reports import NOW, TOKEN, MemoryDesk, a_standing, ready
from throttling.work import Access

__all__ = ["desk"]
pytestmark = pytest.mark.anyio
FAULT = {"soort": "link", "document": "rechtspraak:ECLI:NL:HR:2019:2006", "melding": "De link geeft 404."}
CALLS: dict[str, dict[str, Any]] = {
    "rapport_aanvragen": {"vraag": "warmtenet", "organisaties": ["gemeente-ede"]},
    "rapport_annuleren": {"nummer": TOKEN},
    "meld_fout": FAULT,
}
OPERATIONS = {tool.name: tool.operation for tool in TOOLS if tool.operation}


async def refused(client: Client, name: str) -> MCPError:
    with pytest.raises(MCPError) as caught:
        await client.call_tool(name, CALLS[name])
    return caught.value


async def test_everybody_sees_what_can_be_changed_and_hears_what_that_takes(product: Product, desk: MemoryDesk) -> None:
    """Attack 10 of the study: with the wrong contract nothing is changed either."""
    for mode in MODES:
        async with _assistant(product, UNIFIED, mode) as client:
            seen = {tool.name for tool in (await client.list_tools()).tools}
            assert set(CALLS) == set(OPERATIONS) <= seen
            for name, operation in OPERATIONS.items():
                for admitted in (None, under(operation, Access.READ), under("zoeken", Access.READ), under("lijsten")):
                    product.edge.admitted = admitted
                    error = await refused(client, name)
                    assert error.error.code == 4010
                    assert (error.error.data["reason"], error.error.data["operation"]) == ("token-required", operation)
                    assert error.error.data["discovery"] == "http://localhost:8000/.well-known/admission-contract"
                    assert error.error.data["status"] == 401
    assert (desk.asked, desk.cancelled) == ([], [])


async def test_a_source_by_itself_changes_nothing(product: Product) -> None:
    async with _assistant(product, "rechtspraak") as client:
        seen = {tool.name for tool in (await client.list_tools()).tools}
    assert seen.isdisjoint({*CALLS, "rapport_stand"})


async def test_under_a_contract_a_report_is_asked_for_watched_and_cancelled(product: Product, desk: MemoryDesk) -> None:
    """Rule L5: who waits sees so over MCP as well."""
    for mode in MODES:
        desk.standings.clear()
        async with _assistant(product, UNIFIED, mode) as client:
            product.edge.admitted = under("rapport-aanvragen")
            asked = await client.call_tool("rapport_aanvragen", CALLS["rapport_aanvragen"])
            assert not asked.is_error
            told = asked.structured_content
            assert (told["staat"], told["plaats"], told["nummer"]) == ("wacht", 3, TOKEN)
            assert told["bladzijde"] == f"http://localhost:8000/rapporten/{TOKEN}"
            assert "nummer 3 in de rij" in _said(asked.content[0])
            target, requester = desk.asked[-1]
            assert target == "vraag=warmtenet&organisatie=gemeente-ede"
            assert requester.startswith("contract:")
            assert CONTRACT not in requester
            product.edge.admitted = None
            assert (await client.call_tool("rapport_stand", {"nummer": TOKEN})).structured_content == told
            product.edge.admitted = under("rapport-annuleren")
            for _ in range(2):
                done = await client.call_tool("rapport_annuleren", {"nummer": TOKEN})
                assert done.structured_content["staat"] == "geannuleerd"
            product.edge.admitted = None


async def test_a_report_that_is_ready_says_where_it_is_and_one_that_is_gone_that_it_is(
    product: Product, desk: MemoryDesk
) -> None:
    async with _assistant(product, UNIFIED) as client:
        gone = await client.call_tool("rapport_stand", {"nummer": TOKEN})
        assert gone.is_error
        assert "niet (meer)" in _said(gone.content[0])
        desk.put(*ready())
        told = (await client.call_tool("rapport_stand", {"nummer": TOKEN})).structured_content
    assert (told["staat"], told["opnieuwNa"]) == ("klaar", None)
    for file in told["bestanden"]:
        assert (await product.site.get(file["adres"].removeprefix("http://localhost:8000"))).status_code == 200


async def test_a_report_that_is_ready_when_it_is_asked_for_again_is_told_as_when_it_is_looked_at(
    product: Product, desk: MemoryDesk
) -> None:
    """Rule L7; and nobody is told to refresh a page that an assistant does not have."""
    desk.put(*ready())
    product.edge.admitted = under("rapport-aanvragen")
    async with _assistant(product, UNIFIED) as client:
        again = (await client.call_tool("rapport_aanvragen", CALLS["rapport_aanvragen"])).structured_content
        product.edge.admitted = None
        assert again == (await client.call_tool("rapport_stand", {"nummer": TOKEN})).structured_content
        assert again["bestanden"]
        product.edge.admitted = under("rapport-aanvragen")
        desk.loses_contents = True
        told = await client.call_tool("rapport_aanvragen", CALLS["rapport_aanvragen"])
    assert not told.is_error
    assert told.structured_content["melding"] == "Uw rapport is klaar. U leest het op zijn eigen adres."


async def test_why_no_report_is_made_is_said_with_when_to_come_back(product: Product, desk: MemoryDesk) -> None:
    product.edge.admitted = under("rapport-aanvragen")
    async with _assistant(product, UNIFIED) as client:
        desk.refuses = WishRefusedError(Reason.FULL)
        full = await client.call_tool("rapport_aanvragen", {"vraag": "dijk"})
        assert full.is_error
        assert "Er is geen rapport aangevraagd." in _said(full.content[0])
        desk.closed = True
        closed = await client.call_tool("rapport_aanvragen", {"vraag": "dijk"})
        assert closed.is_error
        assert "Er is geen rapport aangevraagd." in _said(closed.content[0])
        empty = await client.call_tool("rapport_aanvragen", {})
        assert "niets om te zoeken" in _said(empty.content[0])


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("rapport_aanvragen", "Of uw aanvraag is aangekomen, is niet zeker."),
        ("rapport_annuleren", "Of het rapport is geannuleerd, is niet zeker."),
    ],
)
async def test_where_only_the_answer_was_lost_that_is_said(
    product: Product, desk: MemoryDesk, name: str, words: str
) -> None:
    desk.put(a_standing())
    desk.loses_answers = True
    product.edge.admitted = under(OPERATIONS[name])
    async with _assistant(product, UNIFIED) as client:
        answer = await client.call_tool(name, CALLS[name])
    assert answer.is_error
    assert words in _said(answer.content[0])
    assert "niets gebeurd" not in _said(answer.content[0])


async def post(product: Product, body: Any) -> httpx.Response:
    """A message of revision 2025-03-26, which knows batches."""
    headers = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
    opened = {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "proef", "version": "1"}}
    hello = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": opened}
    first = await product.site.post(path(UNIFIED), json=hello, headers=headers)
    return await product.site.post(
        path(UNIFIED), json=body, headers={**headers, "mcp-session-id": first.headers["mcp-session-id"]}
    )


async def test_one_request_changes_one_thing_also_in_a_batch(product: Product, desk: MemoryDesk) -> None:
    """Attack 10 of the study: a batch is one decision of the edge, and so one change."""
    product.edge.admitted = under("rapport-aanvragen")
    call = {"name": "rapport_aanvragen", "arguments": {"vraag": "dijk"}}
    batch = [{"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": call} for number in range(1, 6)]
    answers = (await post(product, batch)).json()
    assert len([one for one in answers if "result" in one]) == 1
    assert len(desk.asked) == 1


@pytest.mark.django_db(transaction=True)
async def test_a_fault_is_kept_for_the_operator_without_signs_that_nobody_sees(product: Product) -> None:
    product.edge.admitted = under("meld-fout")
    nasty = {**FAULT, "melding": "Regel één\x00\x1b[31m\u202eomgekeerd\u200b\r\n<script>alert(1)</script>\n"}
    async with _assistant(product, UNIFIED) as client:
        told = (await client.call_tool("meld_fout", nasty)).structured_content
        for wrong in ({"document": "nergens:1"}, {"platform": "opentk"}, {"melding": "\u202e\u200b"}):
            answer = await client.call_tool("meld_fout", {**FAULT, **wrong})
            assert answer.is_error, wrong
    kept = [one async for one in FaultReport.objects.all()]
    assert [one.number for one in kept] == [told["nummer"]]
    assert kept[0].text == "Regel één[31momgekeerd\n<script>alert(1)</script>"
    assert (kept[0].platform, kept[0].contract, kept[0].state) == ("rechtspraak", CONTRACT, "nieuw")


async def test_a_standing_of_a_report_that_waits_fits_its_schema(product: Product, desk: MemoryDesk) -> None:
    """Rule L5: its place and its start, as they are by then."""
    desk.put(a_standing(place=2))
    async with _assistant(product, UNIFIED) as client:
        told = (await client.call_tool("rapport_stand", {"nummer": TOKEN})).structured_content
        assert (told["plaats"], told["verwachteStart"]) == (2, None)
        desk.put(a_standing(place=1, start_in=290.0, start_at=NOW + timedelta(seconds=290)))
        nearer = await client.call_tool("rapport_stand", {"nummer": TOKEN})
    assert nearer.structured_content["plaats"] == 1
    assert nearer.structured_content["verwachteStart"] == "2026-11-30T13:31:50Z"
    assert "Uw rapport begint over ongeveer 5 minuten, rond 14:31 uur." in _said(nearer.content[0])
