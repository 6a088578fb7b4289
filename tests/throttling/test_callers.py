"""Who is asking: a contract before an MCP session, that before an address; the pages ask as the house."""

from __future__ import annotations

from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest

from throttling.callers import Callers
from throttling.client_addresses import Vendor
from throttling.daily_key import DayKey

NOON = 20_000.5 * 86_400
VENDOR = Vendor("voorbeeld", (ip_network("198.51.100.0/24"), ip_network("2001:db8:5::/48")))


@pytest.fixture
def callers(tmp_path: Path) -> Callers:
    return Callers(DayKey(tmp_path / "day-key", lambda: NOON), (ip_network("10.0.0.0/8"),), (VENDOR,))


def request(peer: str | None, forwarded: str = "") -> dict[str, Any]:
    headers = [(b"x-forwarded-for", forwarded.encode())] if forwarded else []
    return {"type": "http", "client": None if peer is None else (peer, 4711), "headers": headers}


def test_readers_of_pages_are_visitors_of_the_house_told_apart_by_address(callers: Callers) -> None:
    one, again, other = (callers.visitor(request(a)) for a in ("192.0.2.1", "192.0.2.1", "192.0.2.2"))
    assert one.is_house
    assert one == again
    assert one.visitor != other.visitor
    assert not one.one_at_a_time


def test_a_visitor_whose_address_nobody_can_tell_is_a_visitor_and_not_our_own_maintenance(callers: Callers) -> None:
    for scope in ({}, request(None), request("testclient"), {"client": ["", 0], "headers": []}):
        asker = callers.visitor(scope)
        assert asker.visitor == callers.visitor(request(None)).visitor != ""
        assert not asker.one_at_a_time


def test_a_proxy_of_ours_may_say_for_whom_it_asks(callers: Callers) -> None:
    assert callers.visitor(request("10.0.0.1", "192.0.2.1")) == callers.visitor(request("192.0.2.1"))
    assert callers.visitor(request("192.0.2.9", "192.0.2.1")) == callers.visitor(request("192.0.2.9"))


def test_a_program_asks_by_its_address(callers: Callers) -> None:
    asker = callers.program(request("2001:db8::1"))
    assert asker == callers.program(request("2001:db8::2"))
    assert not asker.is_house
    assert asker.session.startswith("adres:")


def test_a_session_goes_before_an_address_and_inherits_its_use(callers: Callers) -> None:
    address = callers.program(request("192.0.2.1"))
    one = callers.program(request("192.0.2.1"), mcp_session="geheim-1")
    other = callers.program(request("192.0.2.1"), mcp_session="geheim-2")
    assert one.session != other.session
    assert one.heir_of == other.heir_of == address.session
    assert "geheim" not in repr(one)
    assert callers.program(request("192.0.2.7"), mcp_session="geheim-1").session == one.session


def test_a_contract_goes_before_everything(callers: Callers) -> None:
    asker = callers.program(request("198.51.100.1"), contract="gemeente-x", mcp_session="geheim")
    assert (asker.session, asker.heir_of) == ("contract:gemeente-x", "")


def test_all_who_ask_from_a_vendor_are_that_vendor(callers: Callers) -> None:
    askers = [
        callers.program(request("198.51.100.1")),
        callers.program(request("2001:db8:5::1"), mcp_session="a"),
        callers.program(request("10.0.0.1", "198.51.100.9"), mcp_session="b"),
    ]
    assert {asker.session for asker in askers} == {"aanbieder:voorbeeld"}
    assert {asker.heir_of for asker in askers} == {""}
    assert callers.visitor(request("198.51.100.1")).visitor == "aanbieder:voorbeeld"


@pytest.mark.parametrize("address", ["192.0.2.1", "2001:db8::abcd"])
def test_no_address_stands_in_a_key(callers: Callers, address: str) -> None:
    for asker in (
        callers.visitor(request(address)),
        callers.program(request(address)),
        callers.program(request(address), mcp_session="s"),
    ):
        assert address not in repr(asker)
        assert address.replace(":", "").replace(".", "") not in repr(asker)
