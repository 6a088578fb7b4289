"""Whoever asks for reports, as a browser does: the form of the page, then its address; and whoever searches meanwhile."""

from __future__ import annotations

import asyncio
import html
import http.client
import json
import re
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Final
from urllib.parse import quote_plus, urlencode

from benchmarks.site import LOOPBACK
from benchmarks.visiting import request
from reports.records import Reason, ReportStatus

_FIELD: Final = re.compile(r'name="([a-z-]+)" value="([^"]*)"')
_FORM: Final = re.compile(r'<form method="post" action="/rapporten">(.*?)</form>', re.DOTALL)
_SAID: Final = re.compile(r"<h1>.*?</h1>\s*<p>(.*?)</p>", re.DOTALL)
LOST: Final = "verloren"
"""How a report fares of which nobody says how it stands, or that was refused for no reason of the gate."""
GATE: Final = MappingProxyType(
    {
        Reason.HOUR: "U vroeg het afgelopen uur al zo veel rapporten als kan.",
        Reason.FULL: "Het is nu zo druk dat we geen rapporten maken.",
        Reason.WAIT: "Het is zo druk dat uw rapport langer op zijn beurt zou wachten dan hier mag.",
        Reason.QUEUE: "Er zijn al zo veel rapporten gevraagd dat er nu geen meer bij kan.",
        Reason.NO_WORKER: "De machine die rapporten maakt, nam te lang geen werk aan.",
    }
)
"""Why the gate refuses, each as the page says it. Any other reason is a fault of somebody, and no refusal."""
_PATIENCE: Final = 60.0
_ENDED: Final = frozenset(state.value for state in ReportStatus if state.is_final)
_READ_BYTES: Final = 65_536
_AGAIN: Final = 1.0


async def searched(port: int, target: str) -> float:
    """Seconds until a whole page was there, over a new connection. Raises ``AssertionError`` for another answer."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    async with asyncio.timeout(_PATIENCE):
        reader, writer = await asyncio.open_connection(LOOPBACK, port)
        try:
            writer.write(request(target).replace(b"\r\n\r\n", b"\r\nconnection: close\r\n\r\n"))
            first = await reader.read(_READ_BYTES)
            assert b" 200 " in first[:20], first[:200]
            while await reader.read(_READ_BYTES):
                continue
        finally:
            writer.close()
    return loop.time() - began


def refusal(page: str) -> Reason | None:
    """Why the gate refuses, as a page says it below its heading; None for a page that says no reason of the gate."""
    found = _SAID.search(page)
    said = html.unescape(found[1]) if found else ""
    return next((why for why, sentence in GATE.items() if said.startswith(sentence)), None)


class Reporter:
    """Asks for reports, each by somebody else, and looks how they fare.

    ``refused``: asks to which the gate said why not; ``lost``: how asks were answered that led to no report and to no reason.
    """

    def __init__(self, port: int) -> None:
        self.port = port
        self._forms: dict[str, Mapping[str, str]] = {}
        self._askers = 0
        self.addresses: list[str] = []
        self.taken_on: set[str] = set()
        self.refused = 0
        self.lost: Counter[str] = Counter()

    def prepare(self, questions: Iterable[str]) -> None:
        """Fetch the page of each question with its form; a form is good for one time, so each question has two."""
        for question in questions:
            for copy in range(2):
                _, page, _ = self._exchange("GET", f"/zoeken?vraag={quote_plus(question)}")
                form = _FORM.search(page)
                assert form is not None
                found = {name: html.unescape(value) for name, value in _FIELD.findall(form[1])}
                self._forms[f"{question}#{copy}"] = found

    def ask(self, question: str) -> None:
        """Ask for the report of a question, and count what comes of it: an address, a reason of the gate, or nothing."""
        form = self._forms.pop(f"{question}#0", None) or self._forms.pop(f"{question}#1")
        self._askers += 1
        headers = {
            "sec-fetch-site": "same-origin",
            "x-forwarded-for": f"10.1.{self._askers // 250}.{self._askers % 250}",
        }
        try:
            status, page, where = self._exchange("POST", "/rapporten", urlencode(form), headers)
        except (OSError, http.client.HTTPException) as failure:
            self.lost[type(failure).__name__] += 1
            return
        if status == HTTPStatus.SEE_OTHER:
            self.addresses.append(where)
            self.taken_on.add(question)
        elif refusal(page) is not None:
            self.refused += 1
        else:
            self.lost[str(status)] += 1

    def finish(self, seconds: float) -> None:
        """Wait until all have ended, so long at most."""
        ends = time.monotonic() + seconds
        while any(state not in _ENDED for state in self._states()) and time.monotonic() < ends:
            time.sleep(_AGAIN)  # noqa: TID251 - another process gives no event

    def ended(self) -> Counter[str]:
        """How all fared that were taken on: by their state, or ``LOST``."""
        return Counter(self._states())

    def _states(self) -> list[str]:
        states = []
        for address in self.addresses:
            try:
                _, answer, _ = self._exchange("GET", f"/api/v1{address}")
                states.append(_state(json.loads(answer)))
            except (OSError, http.client.HTTPException, ValueError):
                states.append(LOST)
        return states

    def _exchange(
        self, method: str, target: str, body: str = "", headers: Mapping[str, str] | None = None
    ) -> tuple[int, str, str]:
        connection = http.client.HTTPConnection(LOOPBACK, self.port, timeout=_PATIENCE)
        form = {"content-type": "application/x-www-form-urlencoded"} if body else {}
        connection.request(method, target, body or None, {"host": "localhost", **form, **(headers or {})})
        answer = connection.getresponse()
        try:
            return answer.status, answer.read().decode(), answer.headers.get("location", "")
        finally:
            connection.close()


def _state(answer: object) -> str:
    """How a report stands, as the API says it. A refusal counts with a reason of the gate alone."""
    given = answer if isinstance(answer, dict) else {}
    state = str(given.get("staat", LOST))
    if state == ReportStatus.REFUSED.value and given.get("reden") not in {why.value for why in GATE}:
        return LOST
    return state
