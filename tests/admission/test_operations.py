"""What a request does is known before it is let in: by route and tool, never by what it calls itself (choices A2, A7)."""

from __future__ import annotations

import pytest
from django.urls import Resolver404, URLPattern, get_resolver, resolve
from hypothesis import given
from hypothesis import strategies as st

from admission.operations import SAFE, UNKNOWN, BadDeclarationError, Operations, decoded
from besluitbron.work import WORK
from throttling.work import Access, Cost, Door, Load, Work


def route_at(path: str) -> str | None:
    """The route of the real site at a path."""
    try:
        found = resolve(path)
    except Resolver404:
        return None
    return found.view_name if "admin" not in found.app_names else None


@pytest.fixture(scope="module")
def operations() -> Operations:
    return Operations(WORK, route_at)


def beginnings() -> dict[str, str]:
    """Where the address of each route of the site begins."""
    flat = (one for each in get_resolver().url_patterns for one in getattr(each, "url_patterns", [each]))
    return {
        one.name: f"/{one.pattern}".split("<", maxsplit=1)[0]
        for one in flat
        if isinstance(one, URLPattern) and one.name
    }


def test_every_route_and_tool_has_a_class(operations: Operations) -> None:
    """A route or tool that nobody declared is caught by ``test_work.py``; one that was declared is found here by its name."""
    for work in WORK:
        if work.door is Door.TOOL:
            assert operations.of_tool(work.name).access is work.access
            assert work.operation, work.name
    assert {work.operation for work in WORK if work.operation} == {one.id for one in operations.granted}


def test_each_route_that_can_be_granted_begins_where_it_says() -> None:
    real = beginnings()
    for work in WORK:
        if work.operation and work.door is Door.ROUTE:
            assert real[work.name].startswith(work.prefixes), work.name


@pytest.mark.parametrize(
    ("method", "path", "operation", "access"),
    [
        ("GET", "/zoeken", "zoeken", Access.READ),
        ("HEAD", "/zoeken/stroom", "zoeken", Access.READ),
        ("GET", "/zoeken.csv", "zoeken", Access.READ),
        ("GET", "/document/rechtspraak/ECLI%3ANL%3AHR%3A2024%3A1", "lezen", Access.READ),
        ("GET", "/api/v1/documenten/x", "lezen", Access.READ),
        ("GET", "/api/v1/organisaties", "lijsten", Access.READ),
        ("GET", "/api/v1/platforms/tweede-kamer/limieten", "bronnen", Access.READ),
        ("POST", "/api/v1/rapporten", "rapport-aanvragen", Access.WRITE),
        ("GET", "/api/v1/rapporten/abcdefghijklmnop1", "rapport-lezen", Access.READ),
        ("HEAD", "/api/v1/rapporten/abcdefghijklmnop1", "rapport-lezen", Access.READ),
        ("DELETE", "/api/v1/rapporten/abcdefghijklmnop1", "rapport-annuleren", Access.WRITE),
        ("GET", "/rapporten", "", Access.READ),
        ("POST", "/rapporten", "", Access.WRITE),
        ("POST", "/rapporten/abcdefghijklmnop1/annuleren", "", Access.WRITE),
        ("GET", "/rapporten/abcdefghijklmnop1.csv", "rapport-lezen", Access.READ),
        ("GET", "/privacy", "", Access.READ),
        ("GET", "/metrics", "", Access.READ),
    ],
)
def test_a_request_is_what_its_route_says(
    operations: Operations, method: str, path: str, operation: str, access: Access
) -> None:
    found = operations.of_request(method, path)
    assert (found.id, found.access) == (operation, access)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/bestaat-niet"),
        ("GET", "/beheer/"),
        ("POST", "/zoeken"),
        ("DELETE", "/zoeken"),
        ("DELETE", "/rapporten"),
        ("POST", "/api/v1/rapporten/abcdefghijklmnop1"),
        ("PUT", "/api/v1/rapporten/abcdefghijklmnop1"),
        ("get", "/zoeken"),
        ("GET", "/document/rechtspraak/a%2fb"),
        ("GET", "/document/rechtspraak/a%252fb"),
        ("GET", "/document/../rapporten"),
        ("GET", "/document/%2e%2e/rapporten"),
        ("GET", "/zoeken/."),
        ("GET", "/zoeken."),
        ("GET", "//zoeken"),
        ("GET", "/zoeken%00"),
        ("GET", "/zoeken%0a"),
        ("GET", "/zoeken%zz"),
        ("GET", "/zoeken%ff"),
        ("GET", "/document/rechtspraak/a%5cb"),
        ("GET", "/zoeken?vraag=x"),
        ("GET", "https://elders.example/zoeken"),
        ("GET", ""),
        ("GET", "/" + "a" * 16_384),
    ],
)
def test_what_is_not_known_or_can_be_read_in_two_ways_changes_state_and_is_granted_to_nobody(
    operations: Operations, method: str, path: str
) -> None:
    """Attack 10 of the study: class confusion."""
    assert operations.of_request(method, path) is UNKNOWN


def test_an_unknown_tool_changes_state(operations: Operations) -> None:
    assert operations.of_tool("wis_alles") is UNKNOWN
    assert operations.of_tool("zoek").id == "zoeken"


@given(
    method=st.sampled_from(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "x")), data=st.data()
)
def test_nothing_reads_by_a_method_that_may_change_state(
    operations: Operations, method: str, data: st.DataObject
) -> None:
    """Attack 10 of the study, over all routes and methods."""
    begin = data.draw(st.sampled_from(sorted(beginnings().values())))
    path = begin + data.draw(st.text(alphabet="abc/.%2fe5c-_?;=\\ \n", max_size=12))
    if operations.of_request(method, path).access is Access.READ:
        assert method in SAFE
        assert decoded(path) is not None
        assert route_at(str(decoded(path))) is not None


def test_an_operation_costs_what_it_asks(operations: Operations) -> None:
    """Choice A3: a unit for each platform asked, a report one for each part, and nothing is free."""
    searching, ordering, reading = map(operations.named, ("zoeken", "rapport-aanvragen", "lezen"))
    assert searching is not None
    assert ordering is not None
    assert reading is not None
    assert (searching.units(platforms=7), searching.units(platforms=0)) == (7, 1)
    assert (ordering.units(parts=40), reading.units(platforms=7, parts=40)) == (40, 1)
    assert operations.named("wissen") is None
    listing = operations.named("lijsten")
    assert listing is not None
    assert (listing.units(platforms=7), listing.units(platforms=7, years=True)) == (1, 14)


def test_an_operation_is_known_by_its_routes_and_tools(operations: Operations) -> None:
    searching = operations.named("zoeken")
    assert searching is not None
    assert searching.cost is Cost.PLATFORMS
    assert searching.tools == {"zoek"}
    assert {"zoeken", "api-zoek"} <= searching.routes
    assert searching.prefixes == {"/zoeken", "/api/v1/_zoek"}


@pytest.mark.parametrize(
    "works",
    [
        (
            Work(Door.TOOL, "a", Load.URGENT, operation="x"),
            Work(Door.TOOL, "b", Load.URGENT, operation="x", access=Access.WRITE),
        ),
        (
            Work(Door.TOOL, "a", Load.URGENT, operation="x"),
            Work(Door.TOOL, "b", Load.URGENT, operation="x", cost=Cost.PARTS),
        ),
        (Work(Door.ROUTE, "a", Load.URGENT, operation="x"),),
        (Work(Door.ROUTE, "a", Load.URGENT), Work(Door.ROUTE, "a", Load.URGENT)),
        (Work(Door.ROUTE, "a", Load.URGENT), Work(Door.ROUTE, "a", Load.URGENT, methods=("POST",))),
        (
            Work(Door.ROUTE, "a", Load.URGENT, methods=("GET", "POST")),
            Work(Door.ROUTE, "a", Load.URGENT, methods=("POST",)),
        ),
        (Work(Door.TOOL, "a", Load.URGENT), Work(Door.TOOL, "a", Load.URGENT)),
    ],
    ids=[
        "two classes",
        "two costs",
        "no prefix",
        "a route twice",
        "a route by each method and by one",
        "a method twice",
        "a tool twice",
    ],
)
def test_declarations_that_contradict_each_other_are_no_registry(works: tuple[Work, ...]) -> None:
    with pytest.raises(BadDeclarationError):
        Operations(works, route_at)


def test_a_route_whose_address_lies_outside_its_prefixes_is_not_known() -> None:
    moved = (Work(Door.ROUTE, "a", Load.URGENT, operation="x", prefixes=("/hier/",)),)
    assert Operations(moved, lambda _: "a").of_request("GET", "/daar/1") is UNKNOWN
    assert Operations(moved, lambda _: "a").of_request("GET", "/hier/1").id == "x"
