"""The settings of how much may come in: what they mean, and that nonsense is refused by name."""

from __future__ import annotations

import pytest

from besluitbron.running.faults import OptionsError
from besluitbron.running.incoming import IncomingOptions, read_incoming_options
from besluitbron.running.options import read_options
from throttling.incoming_rules import SECOND, DoorRules, IncomingRules, Rate

MCP, PAGE, VENDORS = "BESLUITBRON_MCP_RATE_LIMIT", "BESLUITBRON_PAGINA_RATE_LIMIT", "BESLUITBRON_AANBIEDERS"
API = "BESLUITBRON_API_RATE_LIMIT"


def test_by_itself_the_limits_are_generous() -> None:
    usual = read_incoming_options({})
    assert usual == read_incoming_options({MCP: " ", PAGE: ""}) == IncomingOptions()
    assert usual.rules.process == Rate(200)
    for door in (usual.rules.mcp, usual.rules.page, usual.rules.api):
        assert door == DoorRules(Rate(60), Rate(20, 1, 60))


def test_the_documented_default_is_the_default() -> None:
    written = {MCP: "process=200,connector=60,session=20:60,opening=30/60:60", PAGE: "connector=60,session=20:60"}
    written[API] = written[PAGE]
    assert read_incoming_options(written).rules == IncomingRules()


def test_what_is_named_is_raised_and_the_rest_stays() -> None:
    rules = read_incoming_options(
        {MCP: "process=800, session=50:200 ,", PAGE: "connector=30/60:5", API: "session=7"}
    ).rules
    assert (rules.process, rules.mcp.connector, rules.mcp.session) == (Rate(800), Rate(60), Rate(50, 1, 200))
    assert rules.page == DoorRules(Rate(30, 60, 5), Rate(20, 1, 60))
    assert rules.api == DoorRules(Rate(60), Rate(7))
    assert (rules.of("mcp:unified"), rules.of("api")) == (rules.mcp, rules.api)
    assert rules.of("pagina") == rules.of("beheer") == rules.page


def test_a_vendor_may_have_a_limit_of_its_own_and_every_part_of_a_run_is_told_the_same() -> None:
    given = {VENDORS: "een=192.0.2.0/24 2001:db8::/32=100:300, twee=198.51.100.7", MCP: "session=5"}
    given |= {PAGE: "session=6", API: "session=7"}
    options = read_options(given)
    assert [vendor.rate for vendor in options.asking.vendors] == [Rate(100, 1, 300), None]
    again = read_options(options.environment())
    assert (again.incoming, again.asking) == (options.incoming, options.asking)


@pytest.mark.parametrize(
    ("setting", "value", "said"),
    [
        (
            MCP,
            "snelheid=3",
            "noemt 'snelheid', maar die grens bestaat niet. Kies uit: process, connector, session, opening",
        ),
        (API, "opening=3", "noemt 'opening', maar die grens bestaat niet. Kies uit: connector, session"),
        (PAGE, "process=3", "noemt 'process', maar die grens bestaat niet. Kies uit: connector, session"),
        (MCP, "20", "noemt '20', maar die grens bestaat niet"),
        (MCP, "session", "zegt niets bij 'session'"),
        (MCP, "session=", "zegt '' bij 'session'"),
        (MCP, "session=0", "zegt '0' bij 'session': elk getal"),
        (MCP, "session=20:0", "zegt '20:0' bij 'session': elk getal"),
        (MCP, "session=20/0", "zegt '20/0' bij 'session': elk getal"),
        (MCP, "connector=-3", "zegt '-3' bij 'connector'"),
        (MCP, "connector=1.5", "zegt '1.5' bij 'connector'"),
        (MCP, "connector=٣", "zegt '٣' bij 'connector'"),
        (MCP, "process=veel", "zegt 'veel' bij 'process'"),
        (MCP, "process=100001", "zegt '100001' bij 'process'"),
        (MCP, "process=200,process=300", "noemt 'process' twee keer"),
        (MCP, "session=1/61", "bij 'session': dan moet iemand soms langer dan 60 seconden wachten"),
        (MCP, "opening=2/121", "bij 'opening': dan moet iemand soms langer dan 60 seconden wachten"),
        (PAGE, "session=1/3600", "bij 'session': dan moet iemand soms langer dan 60 seconden wachten"),
        (PAGE, "session=1/60:2000", "bij 'session': het zou langer dan een dag duren"),
        (VENDORS, "een=192.0.2.0/24=", "zegt '' bij 'een'"),
        (VENDORS, "een=192.0.2.0/24=0", "zegt '0' bij 'een'"),
        (VENDORS, "een=192.0.2.0/24=1/90", "bij 'een': dan moet iemand soms langer dan 60 seconden wachten"),
        (VENDORS, "een==5", "moet een naam met reeksen zijn"),
    ],
)
def test_nonsense_is_refused_by_name_before_anything_starts(setting: str, value: str, said: str) -> None:
    with pytest.raises(OptionsError, match=f"^{setting} .*{said}"):
        read_options({setting: value})


@pytest.mark.parametrize("text", ["1/60", "59/60", "20:60", "100000:100000", "1/60:1000"])
def test_no_setting_that_is_accepted_makes_anybody_wait_longer_than_a_minute(text: str) -> None:
    rate = read_incoming_options({MCP: f"session={text}"}).rules.mcp.session
    for one in (rate, rate.stricter()):
        assert one.wait(one.room) <= 60 * SECOND
