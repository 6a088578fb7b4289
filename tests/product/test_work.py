"""Every way in is declared: nothing comes in of which nobody said whether it may wait, and what it does (rule L1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from django.urls import URLPattern, URLResolver, get_resolver

from assistants.tools import TOOLS, tools_for
from besluitbron.celery import app
from besluitbron.work import ADMIN, WORK
from connectors.platforms import PLATFORMS
from throttling.work import Access, Door, Load


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


def test_every_route_says_whether_it_may_wait() -> None:
    assert set(routes(get_resolver().url_patterns)) == declared(Door.ROUTE)


def test_every_task_says_whether_it_may_wait() -> None:
    app.loader.import_default_modules()
    assert {name for name in app.tasks if not name.startswith("celery.")} == declared(Door.TASK)


def test_every_tool_says_whether_it_may_wait() -> None:
    offered = {tool.name for tool in TOOLS} | {tool.name for one in PLATFORMS for tool in tools_for((one.key,))}
    assert offered == declared(Door.TOOL)


def test_nothing_is_declared_twice_and_what_people_look_at_never_waits() -> None:
    assert not [work for work, times in Counter((one.door, one.name) for one in WORK).items() if times > 1]
    assert {work.load for work in WORK if work.door in {Door.ROUTE, Door.TOOL}} == {Load.URGENT}
    assert {work.access for work in WORK if work.door is Door.TOOL} == {Access.READ}
