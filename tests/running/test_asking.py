"""The settings of who asks: proxies and vendors, and that nonsense is refused by name."""

from __future__ import annotations

from ipaddress import ip_network

import pytest

from besluitbron.running.asking import AskingOptions, read_asking_options
from besluitbron.running.faults import OptionsError
from besluitbron.running.options import read_options
from besluitbron.running.parts import STAND_INS, WEB
from throttling.client_addresses import Vendor

GIVEN = {
    "BESLUITBRON_PROXIES": "127.0.0.1, 2001:db8::/64 ,",
    "BESLUITBRON_AANBIEDERS": "een=192.0.2.0/24 2001:db8:1::/48, twee=198.51.100.7",
}


def test_by_itself_nobody_is_believed() -> None:
    assert read_asking_options({}) == read_asking_options({"BESLUITBRON_PROXIES": " "}) == AskingOptions()


def test_proxies_and_vendors_are_read_and_every_part_of_a_run_is_told_the_same() -> None:
    options = read_options(GIVEN)
    assert options.asking.proxies == (ip_network("127.0.0.1/32"), ip_network("2001:db8::/64"))
    assert options.asking.vendors == (
        Vendor("een", (ip_network("192.0.2.0/24"), ip_network("2001:db8:1::/48"))),
        Vendor("twee", (ip_network("198.51.100.7/32"),)),
    )
    assert read_options(options.environment()).asking == options.asking


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("PROXIES", "proxy.example.nl", "'proxy.example.nl', maar dat is geen adres"),
        ("PROXIES", "10.0.0.1/8", "'10.0.0.1/8'"),
        ("PROXIES", "10.0.0.0/33", "'10.0.0.0/33'"),
        ("PROXIES", "0.0.0.0/0", "'0.0.0.0/0': dat is iedereen"),
        ("PROXIES", "::/0", "'::/0': dat is iedereen"),
        ("AANBIEDERS", "192.0.2.0/24", "moet een naam met reeksen zijn"),
        ("AANBIEDERS", "een=", "moet een naam met reeksen zijn"),
        ("AANBIEDERS", "Een!=192.0.2.0/24", "moet een naam met reeksen zijn"),
        ("AANBIEDERS", "een=192.0.2.0/x", "'192.0.2.0/x'"),
        ("AANBIEDERS", "een=192.0.2.0/24,twee=192.0.2.7", "een en twee, maar die overlappen"),
        ("AANBIEDERS", "een=192.0.2.0/24,een=198.51.100.0/24", "een en een, maar die overlappen"),
    ],
)
def test_nonsense_is_refused_by_name_before_anything_starts(name: str, value: str, said: str) -> None:
    with pytest.raises(OptionsError, match=f"^BESLUITBRON_{name} .*{said}"):
        read_options({f"BESLUITBRON_{name}": value})


def test_the_server_itself_believes_no_proxy() -> None:
    assert all("--no-proxy-headers" in part.command(read_options({})) for part in (WEB, STAND_INS))
