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
from typing import Final
from urllib.parse import quote_plus, urlencode

from benchmarks.site import LOOPBACK
from benchmarks.visiting import request
from reports.records import ReportStatus

_FIELD: Final = re.compile(r'name="([a-z-]+)" value="([^"]*)"')
_FORM: Final = re.compile(r'<form method="post" action="/rapporten">(.*?)</form>', re.DOTALL)
_PATIENCE: Final = 60.0
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


class Reporter:
    """Asks for reports, each by somebody else, and looks how they fare."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._forms: dict[str, Mapping[str, str]] = {}
        self._askers = 0
        self.addresses: list[str] = []
        self.taken_on: set[str] = set()
        self.refused = 0

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
        """Ask for the report of a question. Raises ``AssertionError`` for what is neither an address nor a refusal."""
        form = self._forms.pop(f"{question}#0", None) or self._forms.pop(f"{question}#1")
        self._askers += 1
        headers = {
            "sec-fetch-site": "same-origin",
            "x-forwarded-for": f"10.1.{self._askers // 250}.{self._askers % 250}",
        }
        status, page, where = self._exchange("POST", "/rapporten", urlencode(form), headers)
        if status == HTTPStatus.SEE_OTHER:
            self.addresses.append(where)
            self.taken_on.add(question)
        else:
            assert status in {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE}, (status, page[-2000:])
            self.refused += 1

    def finish(self, seconds: float) -> None:
        """Wait until all have ended, so long at most."""
        ends = time.monotonic() + seconds
        while not all(ReportStatus(state).is_final for state in self._states()) and time.monotonic() < ends:
            time.sleep(_AGAIN)  # noqa: TID251 - another process gives no event

    def ended(self) -> Counter[str]:
        """How all fared."""
        return Counter(self._states())

    def _states(self) -> list[str]:
        states = []
        for address in self.addresses:
            _, answer, _ = self._exchange("GET", f"/api/v1{address}")
            states.append(str(json.loads(answer)["staat"]))
        return states

    def _exchange(
        self, method: str, target: str, body: str = "", headers: Mapping[str, str] | None = None
    ) -> tuple[int, str, str]:
        connection = http.client.HTTPConnection(LOOPBACK, self._port, timeout=_PATIENCE)
        form = {"content-type": "application/x-www-form-urlencoded"} if body else {}
        connection.request(method, target, body or None, {"host": "localhost", **form, **(headers or {})})
        answer = connection.getresponse()
        try:
            return answer.status, answer.read().decode(), answer.headers.get("location", "")
        finally:
            connection.close()
