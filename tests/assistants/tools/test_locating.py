"""The one document that an id means, or why it is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistants.locating import locate
from assistants.tool import ToolFailedError, Visit
from connectors.addresses import Addresses, PlatformMode
from connectors.platforms import PLATFORMS
from connectors.registry import default_registry
from search.federation import Federation
from search.organisations import Register
from throttling.callers import Caller

KEYS = tuple(platform.key for platform in PLATFORMS)
CONNECTORS = tuple(default_registry(Addresses(PlatformMode.STAND_INS, "http://stand.test", "http://localhost:8000")))


async def tell(text: str) -> None:
    raise AssertionError(text)


def visit(*platforms: str) -> Visit:
    """A visit that can ask nobody anything."""
    federation = Federation(connectors=CONNECTORS, client=None, register=Register.of(()))  # type: ignore[arg-type]
    return Visit(federation=federation, platforms=platforms or KEYS, caller=Caller("mcp:proef"), tell=tell)


def test_an_id_is_taken_as_it_is_given_and_in_other_spellings() -> None:
    for text in ("rechtspraak:ECLI:NL:HR:2024:1", "Rechtspraak:ecli:nl:hr:2024:1", "ECLI NL HR 2024 1"):
        assert locate(text, visit()).id == "rechtspraak:ECLI:NL:HR:2024:1"


def test_a_number_that_several_sources_have_is_refused_with_the_choices() -> None:
    with pytest.raises(ToolFailedError, match="`tweede-kamer:2025D43274` of `opentk:2025D43274`"):
        locate("2025D43274", visit())
    assert locate("2025D43274", visit("opentk")).id == "opentk:2025D43274"


@pytest.mark.parametrize("text", ["rechtspraak:onzin", "onzin", "rechtspraak:", ":", "tweede-kamer:ECLI:NL:HR:2024:1"])
def test_what_is_no_id_is_refused_with_what_to_do(text: str) -> None:
    with pytest.raises(ToolFailedError, match="Er is geen bron gevraagd") as failed:
        locate(text, visit())
    assert "`herleid`" in failed.value.advice


def test_an_id_of_another_endpoint_names_it_also_when_its_number_is_wrong() -> None:
    for text in ("opentk:2025D43274", "opentk:onzin"):
        with pytest.raises(ToolFailedError, match="/mcp/opentk/v1"):
            locate(text, visit("rechtspraak"))


@given(st.text(max_size=80) | st.tuples(st.sampled_from(KEYS), st.text(max_size=40)).map(":".join))
def test_any_text_is_an_id_or_a_failure_with_a_name(text: str) -> None:
    try:
        found = locate(text, visit())
    except ToolFailedError:
        return
    assert locate(found.id, visit()).id == found.id
