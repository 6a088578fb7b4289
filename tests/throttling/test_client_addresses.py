"""From which address somebody asks: only proxies of the operator are believed, from the right, and nonsense never."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from throttling.client_addresses import Address, client_address, group, read_address

PROXIES = (ip_network("10.0.0.0/8"), ip_network("2001:db8:ffff::/48"))
PROXY = "10.0.0.1"
XFF, FORWARDED = b"x-forwarded-for", b"forwarded"

outside = st.ip_addresses().filter(lambda a: read_address(str(a)) == a and not any(a in n for n in PROXIES))
proxies = st.one_of(st.ip_addresses(network="10.0.0.0/8"), st.ip_addresses(network="2001:db8:ffff::/48"))
nonsense = st.one_of(
    st.sampled_from(
        ["", "unknown", "_verborgen", "localhost", "1.2.3", "1.2.3.4.5", "256.1.1.1", "::1::", "fe80::1%eth0"]
    ),
    st.text(st.characters(min_codepoint=33, max_codepoint=255, exclude_characters=',;"')).filter(
        lambda text: read_address(text) is None
    ),
)


def asked(*headers: tuple[bytes, str], peer: str = PROXY) -> str:
    lines = [(name, value.encode("latin-1")) for name, value in headers]
    return str(client_address(peer, lines, PROXIES))


def node(address: Address, port: int | None) -> str:
    host = f"[{address}]" if isinstance(address, IPv6Address) else str(address)
    return host if port is None else f"{host}:{port}"


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("192.0.2.1:8080", "192.0.2.1"),
        ("2001:db8::1", "2001:db8::1"),
        ("[2001:DB8::1]", "2001:db8::1"),
        ("[2001:db8::1]:443", "2001:db8::1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("[::ffff:c000:0201]:5", "192.0.2.1"),
    ],
)
def test_an_address_is_read_with_and_without_a_port_and_without_its_ipv6_clothes(text: str, address: str) -> None:
    assert str(read_address(text)) == address


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "x", "192.0.2", "192.0.2.01", "192.0.2.1:", "192.0.2.1:x", "192.0.2.1:123456", "1", "[192.0.2.1]"),
        *("[::1", "::1]", "[::1]x", "[::1]:", "[::1]:x", "fe80::1%eth0", "١.٢.٣.٤", "192.0.2.1/32", "http://192.0.2.1"),
    ],
)
def test_anything_else_is_no_address(text: str) -> None:
    assert read_address(text) is None


@given(outside, st.lists(st.tuples(st.sampled_from([XFF, FORWARDED]), st.text(st.characters(max_codepoint=255)))))
def test_who_is_no_proxy_of_ours_can_say_what_it_wants(peer: Address, said: list[tuple[bytes, str]]) -> None:
    assert asked(*said, peer=str(peer)) == str(peer)


@given(
    st.lists(st.one_of(outside.map(str), proxies.map(str), nonsense), max_size=4),
    outside,
    st.lists(proxies, max_size=3),
)
def test_whatever_stands_left_of_the_first_stranger_changes_nothing(
    made_up: list[str], client: Address, between: list[Address]
) -> None:
    listed = ", ".join([*made_up, str(client), *map(str, between)])
    assert asked((XFF, listed)) == str(client)


@given(
    st.lists(st.one_of(outside, proxies), max_size=4),
    outside,
    st.lists(proxies, max_size=3),
    st.none() | st.integers(0, 65535),
    st.booleans(),
)
def test_both_headers_say_the_same_thing_the_same_way(
    made_up: list[Address], client: Address, between: list[Address], port: int | None, capital: bool
) -> None:
    way = [*made_up, client, *between]
    name = "For" if capital else "for"
    described = ", ".join(f'proto=https;{name}="{node(address, port)}";by=_ons' for address in way)
    listed = ",".join(node(address, port) for address in way)
    assert asked((FORWARDED, described)) == asked((XFF, listed)) == str(client)
    assert asked((FORWARDED, described), (XFF, listed)) == str(client)


@given(st.lists(outside.map(str), max_size=3), nonsense, st.lists(proxies, max_size=3))
def test_nonsense_ends_the_walk_at_the_last_proxy(left: list[str], junk: str, between: list[Address]) -> None:
    last = str(read_address(str(between[0]))) if between else PROXY
    assert asked((XFF, ", ".join([*left, junk, *map(str, between)]))) == last


@given(outside, outside)
def test_headers_that_disagree_are_both_not_believed(one: Address, other: Address) -> None:
    said = asked((XFF, str(one)), (FORWARDED, f'for="{node(other, None)}"'))
    assert said == (str(one) if one == other else PROXY)


@given(st.lists(st.tuples(st.sampled_from([XFF, FORWARDED]), st.text(st.characters(max_codepoint=255), max_size=80))))
def test_whatever_is_said_an_address_comes_out(said: list[tuple[bytes, str]]) -> None:
    ip_address(asked(*said))


@pytest.mark.parametrize(
    ("header", "address"),
    [
        ("for=192.0.2.43", "192.0.2.43"),
        ('For="[2001:db8:cafe::17]:4711"', "2001:db8:cafe::17"),
        ("for=192.0.2.60;proto=http;by=203.0.113.43", "192.0.2.60"),
        ("for=192.0.2.43, for=198.51.100.17", "198.51.100.17"),
        ('for="192.0.2\\.9"', "192.0.2.9"),
        ("for=192.0.2.43,for=unknown", PROXY),
        ("for=192.0.2.43,for=_gazonk", PROXY),
        ("for=192.0.2.43;for=192.0.2.44", PROXY),
        ('for="192.0.2.43', PROXY),
        ("by=192.0.2.43", PROXY),
        ("192.0.2.43", PROXY),
        ("for=192.0.2.43 for=192.0.2.44", PROXY),
        ("for=192.0.2.43,", PROXY),
    ],
)
def test_forwarded_is_read_as_its_standard_says(header: str, address: str) -> None:
    """RFC 7239, section 4, with its own examples."""
    assert asked((FORWARDED, header)) == address


def test_several_lines_are_one_list() -> None:
    assert asked((XFF, "192.0.2.1"), (XFF, "192.0.2.2, 10.1.1.1")) == "192.0.2.2"
    assert asked((FORWARDED, "for=192.0.2.1"), (FORWARDED, "for=192.0.2.2")) == "192.0.2.2"


def test_a_list_that_is_far_too_long_is_not_read() -> None:
    assert asked((XFF, "192.0.2.1," * 1000 + "192.0.2.1")) == PROXY
    assert asked((FORWARDED, "for=192.0.2.1," * 1000 + "for=192.0.2.1")) == PROXY


@pytest.mark.parametrize("peer", ["", "testclient", "/run/x.sock"])
def test_a_connection_without_an_address_comes_from_nowhere(peer: str) -> None:
    assert client_address(peer, [(XFF, b"192.0.2.1")], PROXIES) is None


def test_a_proxy_in_ipv6_clothes_or_with_a_zone_is_still_that_proxy() -> None:
    assert asked((XFF, "192.0.2.1"), peer="::ffff:10.0.0.1") == "192.0.2.1"
    assert asked((XFF, "192.0.2.1"), peer="2001:db8:ffff::1%eth0") == "192.0.2.1"


@given(st.ip_addresses(v=4))
def test_an_ipv4_address_stands_alone(address: IPv4Address) -> None:
    assert group(address) == str(address)


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_a_whole_64_of_ipv6_is_one(site: int, one: int, other: int) -> None:
    shared = group(IPv6Address(site << 64 | one))
    assert shared == group(IPv6Address(site << 64 | other))
    assert shared != group(IPv6Address((site ^ 1) << 64 | one))
