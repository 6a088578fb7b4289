"""``manage.py simulate``: the format of a scenario, what is wrong with a bad one, and the figures of the design page."""

from __future__ import annotations

import io
import json
import random
import statistics
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

import throttling
from tests.throttling.played import BUCKET, WINDOW, calls, scenario, session

ROOT = Path(throttling.__file__).parent.parent
SMALL = scenario({"kind": "window", "units": 2, "seconds": 10}, [session("a", *calls(3, takes=0.5))], 60)


@pytest.fixture
def simulate(tmp_path: Path) -> Any:
    """Play a scenario by the command, in this process; gives its lines."""

    def play(limit: dict[str, Any], *sessions: dict[str, Any], until: float) -> list[dict[str, Any]]:
        file, out = tmp_path / "scenario.json", io.StringIO()
        file.write_text(json.dumps(scenario(limit, sessions, until)))
        call_command("simulate", str(file), stdout=out)
        return [json.loads(line) for line in out.getvalue().splitlines()]

    return play


def run(*arguments: str, given: str | bytes = "") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "manage.py", "simulate", *arguments],
        cwd=ROOT,
        input=given.encode() if isinstance(given, str) else given,
        capture_output=True,
        check=False,
        timeout=120,
    )


def waits(lines: list[dict[str, Any]], *names: str) -> list[float]:
    return [line["granted_at"] - line["at"] for line in lines if line["session"] in names]


# The format


def test_each_call_is_one_line_with_these_fields_in_the_order_of_grants() -> None:
    done = run("-", given=json.dumps(SMALL))
    assert (done.returncode, done.stderr) == (0, b"")
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"session": "a", "call": 0, "at": 0.0, "granted_at": 0.0, "charged": 1.0},
        {"session": "a", "call": 1, "at": 0.0, "granted_at": 0.0, "charged": 1.0},
        {"session": "a", "call": 2, "at": 0.0, "granted_at": 10.5, "charged": 1.0},
    ]


def test_a_call_that_gets_no_turn_is_told_at_the_end_and_costs_nothing(simulate: Any) -> None:
    lines = simulate(WINDOW, session("a", *calls(61)), session("b", {"at": 1.0, "cost": 2}), until=30.0)
    assert [line["granted_at"] for line in lines] == [0.0] * 60 + [None] * 2
    assert [line["charged"] for line in lines[-2:]] == [0.0, 0.0]


def test_a_call_after_the_end_is_not_played(simulate: Any) -> None:
    assert len(simulate(WINDOW, session("a", {"at": 5.0}, {"at": 10.0}, {"at": 10.1}), until=10.0)) == 2


def test_calls_of_one_moment_come_in_the_order_written_whatever_their_session(simulate: Any) -> None:
    lines = simulate(WINDOW, session("b", *calls(2, at=3.0)), session("a", {"at": 3.0}, {"at": 1.0}), until=9.0)
    assert [(line["session"], line["call"]) for line in lines] == [("a", 1), ("b", 0), ("b", 1), ("a", 0)]


def test_answers_come_before_new_calls_of_the_same_instant(simulate: Any) -> None:
    """The answer at 2.0 lets the bucket fill from then on: the call of 3.0 finds its unit, and nobody waits."""
    bucket = {"kind": "bucket", "units": 1, "seconds": 1}
    lines = simulate(bucket, session("a", {"at": 0.0, "takes": 2.0}, {"at": 3.0}), until=9.0)
    assert [line["granted_at"] for line in lines] == [0.0, 3.0]


def test_a_thousand_calls_over_an_hour_are_all_played(simulate: Any) -> None:
    asked = [session(f"s{n}", *calls(100, at=n, every=36.0, takes=0.3)) for n in range(10)]
    lines = simulate(WINDOW, *asked, until=3600.0 + 60)
    assert len(lines) == 1000
    assert sorted(line["granted_at"] for line in lines) == [line["granted_at"] for line in lines]


# Bad scenarios

CALL = {"at": 0.0}


def changed(**fields: Any) -> dict[str, Any]:
    return {**SMALL, **fields}


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (changed(limit={"kind": "emmer", "units": 1, "seconds": 1}), "limit.kind"),
        (changed(limit={"kind": "window", "units": 0, "seconds": 1}), "groter zijn dan 0"),
        (changed(limit={"kind": "window", "units": 0.5, "seconds": 1}), "limiet onder 1"),
        (changed(limit={"kind": "window", "units": -1, "seconds": 1}), "limit.units"),
        (changed(limit={"kind": "window", "units": True, "seconds": 1}), "limit.units"),
        (changed(limit={"kind": "window", "units": 1}), "seconds ontbreekt"),
        (changed(limit=[]), "limit: dit moet een object zijn"),
        (changed(limit={"kind": "bucket", "units": 1e308, "seconds": 1e-308}), "limit"),
        (changed(sessions={}), "sessions: dit moet een lijst zijn"),
        (changed(sessions=[session("a"), session("a")]), "eigen naam"),
        (changed(sessions=[{"name": "", "calls": []}]), "sessions[0]"),
        (changed(sessions=[{"name": "a", "calls": [], "house": "ja"}]), "house is true of false"),
        (changed(sessions=[session("a", used=-5)]), "sessions[0].used"),
        (changed(sessions=[session("a", CALL, {"at": "nu"})]), "sessions[0].calls[1].at"),
        (changed(sessions=[session("a", {"at": 0, "cost": 0})]), "sessions[0].calls[0].cost"),
        (changed(sessions=[session("a", {"at": 0, "kost": 1})]), "kost is onbekend"),
        (changed(sessions=[session("a", {"at": 0, "visitor": 7})]), "visitor"),
        (changed(sessions=[session("a", {})]), "at ontbreekt"),
        (changed(until=None), "until"),
        (changed(until=1e400), "until"),
        ({}, "limit ontbreekt, sessions ontbreekt, until ontbreekt"),
        ([], "het scenario: dit moet een object zijn"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_bad_scenario_ends_with_2_and_says_where_it_is_wrong(tmp_path: Path, bad: Any, says: str) -> None:
    file, errors = tmp_path / "scenario.json", io.StringIO()
    file.write_text(json.dumps(bad))
    with pytest.raises(SystemExit) as ended:
        call_command("simulate", str(file), stdout=io.StringIO(), stderr=errors)
    assert ended.value.code == 2
    assert "Dit scenario kan niet worden gespeeld." in errors.getvalue()
    assert says in errors.getvalue()


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (b"{", "geen JSON"),
        (b"[" * 100_000, "geen JSON"),
        (b"\xff\xfe", "geen tekst in UTF-8"),
        (b"", "geen JSON"),
    ],
    ids=["half", "deep", "bytes", "nothing"],
)
def test_what_is_no_json_ends_with_2(tmp_path: Path, given: bytes, says: str) -> None:
    file, errors = tmp_path / "scenario.json", io.StringIO()
    file.write_bytes(given)
    with pytest.raises(SystemExit) as ended:
        call_command("simulate", str(file), stdout=io.StringIO(), stderr=errors)
    assert ended.value.code == 2
    assert says in errors.getvalue()


def test_bytes_on_the_input_and_a_file_that_is_not_there_end_with_2_in_dutch() -> None:
    """From the command line itself: no traceback, nothing on the output."""
    for done, says in ((run("-", given=b"\xff\xfe"), "UTF-8"), (run("nergens.json"), "Kijk of de naam klopt")):
        assert (done.returncode, done.stdout) == (2, b"")
        assert says in done.stderr.decode()
        assert "Traceback" not in done.stderr.decode()


# The figures of the design page


@pytest.mark.parametrize("limit", [WINDOW, BUCKET], ids=lambda limit: limit["kind"])
def test_a_newcomer_behind_two_hundred_calls_waits_hardly_longer_than_the_limit_makes_it(
    simulate: Any, limit: dict[str, Any]
) -> None:
    """At most 1.1 of the larger of W·c/L and what the ledger needs to free its cost."""
    for at in (61.0, 90.3):
        queue = session("druk", *calls(200, takes=0.3))
        lines = simulate(limit, queue, session("nieuw", {"at": at, "takes": 0.3}), until=400.0)
        (waited,) = waits(lines, "nieuw")
        assert waited <= 1.1 * max(1.0, frees_at(lines, at, limit) - at) + 1e-6


def frees_at(lines: list[dict[str, Any]], at: float, limit: dict[str, Any]) -> float:
    """When the window has room again for a unit, by what was granted before ``at`` alone."""
    if limit["kind"] == "bucket":
        return at + 1.0
    ends = sorted(line["granted_at"] + 60.3 for line in lines if line["granted_at"] < at)
    standing = [end for end in ends if end > at]
    return at if len(standing) < 60 else standing[len(standing) - 60]


def test_a_newcomer_behind_five_greedy_sessions_and_a_heavy_one_waits_four_seconds_at_most(simulate: Any) -> None:
    greedy = [session(name, *calls(120, takes=0.3)) for name in "vwxyz"]
    heavy = session("zwaar", *calls(120, takes=0.3), used=6000)
    moments = [70.0 + 17.3 * number for number in range(20)]
    newcomers = [session(f"nieuw{n}", {"at": at, "takes": 0.3}) for n, at in enumerate(moments)]
    lines = simulate(WINDOW, *greedy, heavy, *newcomers, until=600.0)
    assert statistics.median(waits(lines, *(f"nieuw{n}" for n in range(20)))) <= 4.0


@pytest.mark.parametrize("limit", [WINDOW, BUCKET], ids=lambda limit: limit["kind"])
def test_the_second_visitor_of_the_page_waits_three_seconds_at_most(simulate: Any, limit: dict[str, Any]) -> None:
    asked = [*calls(200, visitor="x", takes=0.3), *calls(1, at=80.0, visitor="y", takes=0.3)]
    lines = simulate(limit, session("pagina", *asked, house=True), until=400.0)
    (waited,) = [line["granted_at"] - line["at"] for line in lines if line["call"] == 200]
    assert waited <= 3.0


@pytest.mark.parametrize("limit", [WINDOW, BUCKET], ids=lambda limit: limit["kind"])
def test_sixty_turns_are_shared_by_use(simulate: Any, limit: dict[str, Any]) -> None:
    askers = [session(name, *calls(80, at=0.1), used=used) for name, used in (("a", 0), ("b", 60), ("c", 120))]
    lines = simulate(limit, session("vol", *calls(60)), *askers, until=300.0)
    shares = Counter([line["session"] for line in lines if line["session"] != "vol"][:60])
    assert [shares[name] for name in "abc"] == [pytest.approx(share, abs=1) for share in (30, 18, 12)]


@pytest.mark.parametrize("takes", [0.1, 0.5, 2.0])
def test_hardly_any_room_is_lost_to_fairness(simulate: Any, takes: float) -> None:
    """At least 0.98 of L·W/(W + mean answer time) in each W, while somebody waits."""
    chance = random.Random(5)
    asked = [{"at": 0.0, "takes": chance.uniform(0, 2 * takes)} for _ in range(700)]
    lines = simulate(WINDOW, session("a", *asked[:350]), session("b", *asked[350:]), until=540.0)
    mean = statistics.mean(call["takes"] for call in asked)
    grants = [line["granted_at"] for line in lines if line["granted_at"] is not None]
    served = sum(60.0 <= at < 540.0 for at in grants)
    assert served / 8 >= 0.98 * 60 * 60 / (60 + mean)
