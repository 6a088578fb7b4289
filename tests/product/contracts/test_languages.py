"""Why something is refused can be read in Dutch and in English, at every door and for every reason there is."""

from __future__ import annotations

from typing import Any

import pytest
from pytest_django import Settings

from admission import shown
from admission.edge import Reason
from admission.problems import Refusals
from admission.refusing import Refusal
from besluitbron.edge import refusing
from connectors.language import Language, catalogue
from tests.product.contracts.conftest import Doors
from tests.support.agent import SITE, Agent

pytestmark = pytest.mark.anyio
SIGNS = {Language.DUTCH: b"nl", Language.ENGLISH: b"en-GB, nl;q=0.5"}


def scope(language: Language, path: str = "/api/v1/platforms") -> dict[str, Any]:
    return {"type": "http", "method": "GET", "path": path, "headers": [(b"accept-language", SIGNS[language])]}


def in_english(words: str) -> str:
    said = catalogue(Language.ENGLISH).gettext(words)
    assert said != words, f"no English for: {words}"
    return said


@pytest.mark.parametrize("reason", Reason)
@pytest.mark.parametrize("path", ["/api/v1/platforms", "/mcp/unified/v1"])
def test_the_edge_says_every_reason_in_both_languages(settings: Settings, reason: Reason, path: str) -> None:
    """The closed list of reasons; over MCP it is the message of the error, and the problem is its data."""
    settings.SITE_ADDRESS = SITE
    kind = Refusals[reason.name].value
    for language, say in ((Language.DUTCH, str), (Language.ENGLISH, in_english)):
        told = refusing().problem(scope(language, path), Refusal(reason=reason))
        assert told["title"] == say(kind.title)
        assert told["detail"] == f"{say(kind.means)} {say(kind.advice)}"
        assert told["reason"] == reason.value


@pytest.mark.parametrize("one", Refusals)
async def test_negotiation_says_every_kind_as_the_edge_does(doors: Doors, one: Refusals) -> None:
    kind = one.value
    for language, say in ((Language.DUTCH, str), (Language.ENGLISH, in_english)):
        told = shown.members(doors.house, scope(language), shown.Told(kind))
        assert (told["title"], told["detail"]) == (say(kind.title), f"{say(kind.means)} {say(kind.advice)}")
        assert (told["reason"], told["retryable"]) == (kind.slug, kind.retryable)
        assert told["discovery"] == f"{SITE}/.well-known/admission-contract"


async def refused(agent: Agent, language: Language) -> list[dict[str, Any]]:
    """Some refusals at each of the doors."""
    headers = {"Accept-Language": SIGNS[language].decode()}
    wrong = agent.wish("bestaat-niet", budget={"in_flight": 0, "units": 1}, owner={"name": "", "contact": "x"})
    answers = [
        await agent.negotiate(wrong, **headers),
        await agent.negotiate(**headers, DPoP="x"),
        await agent.token(headers=headers, grant_type="password"),
        await agent.token(headers=headers, contract="ctr_NIETER"),
        await agent.http.get("/api/v1/platforms", headers=headers | {"Authorization": "Bearer x"}),
        await agent.http.post("/api/v1/rapporten", json={}, headers=headers),
        await agent.http.post("/mcp/unified/v1", json={"id": 1}, headers=headers | {"Authorization": "Bearer x"}),
    ]
    return [answer.json() for answer in answers]


async def test_at_every_door_the_language_is_the_one_that_was_asked_for(doors: Doors) -> None:
    agent = doors.ad_hoc()
    dutch, english = [await refused(agent, language) for language in Language]
    faults = [{one["name"]: one["reason"] for one in found[0]["invalidParams"]} for found in (dutch, english)]
    assert set(faults[0]) == set(faults[1])
    reach = "Geef een adres waar een mens te bereiken is: mailto:… of https://…"
    assert [found["owner.contact"] for found in faults] == [reach, in_english(reach)]
    for mine, other in zip(dutch, english, strict=True):
        first, second = (one["error"]["data"] if "jsonrpc" in one else one for one in (mine, other))
        assert first["type"] == second["type"]
        for member in ("title", "detail"):
            assert first[member] != second[member], first
    assert (dutch[2]["error_description"], english[2]["error_description"]) == (
        dutch[2]["detail"],
        english[2]["detail"],
    )
    assert dutch[6]["error"]["message"] != english[6]["error"]["message"]
