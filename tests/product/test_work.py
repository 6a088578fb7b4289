"""Every way in is declared: nothing comes in of which nobody said whether it may wait, and what it does (rule L1)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, fields
from http import HTTPStatus
from inspect import Parameter, signature

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from assistants.tools import TOOLS, tools_for
from besluitbron.celery import REPORTS, app
from besluitbron.work import ADMIN, WORK
from connectors.platforms import PLATFORMS
from search.exports.gathering import MOST_ROWS
from tests.product.conftest import Product
from throttling.load import LoadGate, NeverWaitsError
from throttling.load_rules import LoadRules
from throttling.store import Store
from throttling.work import Access, Door, Load, Work, works

_CHANGING = ("POST", "PUT", "PATCH", "DELETE")


def declared(door: Door) -> set[str]:
    return {work.name for work in WORK if work.door is door}


def routes(patterns: Iterable[URLPattern | URLResolver]) -> Iterator[str]:
    for one in patterns:
        if isinstance(one, URLPattern):
            yield one.name or f"zonder naam: {one.pattern}"
        elif str(one.pattern) == ADMIN:
            yield ADMIN
        else:
            yield from routes(one.url_patterns)


def addresses(patterns: Iterable[URLPattern | URLResolver]) -> Iterator[tuple[str, str]]:
    """Each route outside the operators' site, with an address that leads to it."""
    for one in patterns:
        if isinstance(one, URLPattern):
            yield one.name or "", "/" + re.sub(r"<\w+:(\w+)>", "openbesluitvorming", str(one.pattern))
        elif str(one.pattern) != ADMIN:
            assert not str(one.pattern)  # else it stands before the addresses in it
            yield from addresses(one.url_patterns)


def test_no_work_is_urgent_because_nobody_thought_of_it() -> None:
    """Rule L1: a declaration without a class is none."""
    assert next(field for field in fields(Work) if field.name == "load").default is MISSING
    assert signature(works).parameters["load"].default is Parameter.empty


@pytest.mark.anyio
async def test_every_method_by_which_a_route_takes_anything_is_declared(product: Product) -> None:
    """A new method on a known route is a new kind of work."""
    taken = {
        (name, method)
        for name, path in addresses(get_resolver().url_patterns)
        for method in _CHANGING
        if (await product.site.request(method, path)).status_code != HTTPStatus.METHOD_NOT_ALLOWED
    }
    said = {(work.name, method) for work in WORK if work.door is Door.ROUTE for method in work.methods}
    assert taken == {(name, method) for name, method in said if method in _CHANGING}


def test_every_route_says_whether_it_may_wait() -> None:
    assert set(routes(get_resolver().url_patterns)) == declared(Door.ROUTE)


def test_every_task_says_whether_it_may_wait() -> None:
    app.loader.import_default_modules()
    assert {name for name in app.tasks if not name.startswith("celery.")} == declared(Door.TASK)


def test_every_tool_says_whether_it_may_wait() -> None:
    offered = {tool.name for tool in TOOLS} | {tool.name for one in PLATFORMS for tool in tools_for((one.key,))}
    assert offered == declared(Door.TOOL)


def test_what_may_wait_has_a_queue_of_its_own_and_nothing_else_is_in_it() -> None:
    """Rule L2: the declaration decides."""
    app.loader.import_default_modules()
    queues = {name: app.amqp.router.route({}, name)["queue"].name for name in declared(Door.TASK)}
    waits = {name for name, queue in queues.items() if queue == REPORTS}
    assert waits == {work.name for work in WORK if work.load is Load.DEFERRABLE} == {"reports.tasks.build"}


def test_a_gate_for_work_that_is_declared_urgent_does_not_open() -> None:
    """Rule L8: urgent work never queues for load."""
    urgent = [work for work in WORK if work.load is Load.URGENT]
    for work in urgent:
        with pytest.raises(NeverWaitsError):
            LoadGate(Store("unix:///nergens"), LoadRules(), work=work)


def test_an_export_of_more_rows_than_are_written_while_somebody_looks_on_may_wait() -> None:
    """Rule L1; and no export that is written while somebody looks on can have more rows."""
    exports = [work for work in WORK if work.rows is not None]
    assert {work.name for work in exports} == {"rapport-csv", "rapport-json", "rapport-ris", "rapport-pdf"}
    assert [(work.may_wait(500), work.may_wait(501)) for work in exports] == [(False, True)] * 4
    assert all(not work.may_wait(MOST_ROWS) for work in exports)


def test_nothing_is_declared_twice_and_what_people_look_at_never_waits() -> None:
    assert not [work for work, times in Counter((one.door, one.name, one.methods) for one in WORK).items() if times > 1]
    assert {work.load for work in WORK if work.door in {Door.ROUTE, Door.TOOL}} == {Load.URGENT}
    writes = {work.name for work in WORK if work.door is Door.TOOL and work.access is Access.WRITE}
    assert writes == {tool.name for tool in TOOLS if tool.operation}
