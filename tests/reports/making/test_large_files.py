"""Files of very many rows are heavy work: made with the report, by its worker, and kept with it (rule L1)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import httpx
import pytest
from pypdf import PdfReader
from pytest_django import Settings

from besluitbron.asgi import make_application
from reports import filed, running
from reports.exports import forms
from reports.exports.forms import FORMS
from reports.exports.pressing import NotPrintedError, Press
from reports.foreseeing import LastParts
from reports.models import KEPT_FOR, ReportFile
from reports.records import Report, ReportStatus
from reports.running import Run
from reports.work import EXPORTS
from reports.workshop import Workshop
from tests.reports.making.conftest import Bureau
from tests.support.serving import served

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten rows count as very many here, and a row of the database holds little of a file."""
    monkeypatch.setattr(forms, "EXPORTS", tuple(replace(one, rows=10) for one in EXPORTS))
    monkeypatch.setattr(filed, "PIECE", 8_192)


@pytest.fixture
async def site(bureau: Bureau, settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    settings.PATIENCE_SECONDS = 40.0
    async with (
        served(make_application(), lifespan="on") as address,
        httpx.AsyncClient(base_url=address, timeout=60, verify=False) as client,
    ):
        yield client


async def made(bureau: Bureau, target: str = "vraag=zonnepanelen") -> str:
    standing = await bureau.ask(target)
    await bureau.work()
    assert (await bureau.standing(standing.token)).status is ReportStatus.READY
    return standing.token


async def test_a_large_report_has_its_files_before_anybody_asks_and_fetching_one_makes_nothing(
    site: httpx.AsyncClient, bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = await made(bureau)
    report = await bureau.desk.report(token)
    assert report is not None
    monkeypatch.setattr("reports.export_page._made", None)
    answers = {form: await site.get(f"/rapporten/{token}.{form}") for form in FORMS}
    assert {form: (one.status_code, one.headers["content-type"]) for form, one in answers.items()} == {
        form: (200, known.media) for form, known in FORMS.items()
    }
    number = report.overview.number
    assert number > 10
    assert len(list(csv.reader(io.StringIO(answers["csv"].text), delimiter=";"))) == 1 + number + len(report.cuts)
    assert len(json.loads(answers["json"].text)["stukken"]) == number
    assert answers["ris"].text.count("TY  - ") == number
    paper = PdfReader(io.BytesIO(answers["pdf"].content))
    assert paper.metadata is not None
    assert paper.metadata.title == "Rapport: zonnepanelen"


async def test_who_waits_for_files_to_be_written_is_told_how_long_that_took_before(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rules L5 and L11: the last part of a report of very many rows is no matter of a second."""
    lefts: list[float | None] = []
    file = Run._file

    async def slow(self: Run, shop: Workshop, report: Report) -> None:
        lefts.append(self.progress.left)
        self._read_at -= 1000.0  # as if writing took so long
        await file(self, shop, report)

    monkeypatch.setattr(Run, "_file", slow)
    monkeypatch.setattr(running, "LAST_PARTS", LastParts())
    await made(bureau)
    await made(bureau, "vraag=windmolens")
    first, second = lefts
    assert first is not None
    assert second is not None
    assert first < 500 < second


async def test_what_is_kept_of_a_file_is_sealed_in_small_pieces(bureau: Bureau) -> None:
    await made(bureau)
    rows = await bureau.rows(ReportFile)
    assert len({row["form"] for row in rows}) == 4
    assert len(rows) > 8
    bodies = [bytes(row["body"]) for row in rows]  # type: ignore[call-overload]
    assert max(map(len, bodies)) < 2 * 8_192
    assert not any(word in body for body in bodies for word in (b"zonnepanelen", b"%PDF"))


async def test_a_file_is_of_the_report_and_tells_nobody_when_another_asked(bureau: Bureau) -> None:
    """Rule L7: different requesters, one computation."""
    first = await bureau.ask(by="adres:a")
    second = await bureau.ask(by="adres:b")
    await bureau.work()
    assert first.token != second.token
    one, other = [await bureau.desk.file(token, "json") for token in (first.token, second.token)]
    assert one is not None
    assert one == other
    assert "gevraagdOp" not in json.loads(one.content)


async def test_a_paper_that_cannot_be_set_costs_the_report_nothing_but_its_paper(
    site: httpx.AsyncClient, bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(self: Press, given: bytes) -> bytes:
        raise NotPrintedError(busy=False)

    monkeypatch.setattr(Press, "set", broken)
    token = await made(bureau)
    missing = await site.get(f"/rapporten/{token}.pdf")
    assert (missing.status_code, "dit bestand er niet" in missing.text) == (404, True)
    assert (f'<a href="/rapporten/{token}">' in missing.text, "<h1>Dit bestand is er niet</h1>" in missing.text) == (
        True,
        True,
    )
    assert (await site.get(f"/rapporten/{token}.csv")).status_code == 200
    page = (await site.get(f"/rapporten/{token}")).text
    assert (f"/rapporten/{token}.pdf" in page, f"/rapporten/{token}.csv" in page) == (False, True)
    assert "Als PDF is dit rapport er niet:" in page
    listed = (await site.get(f"/api/v1/rapporten/{token}")).json()["bestanden"]
    assert [one["vorm"] for one in listed] == ["csv", "json", "ris"]


async def test_the_files_go_with_their_report(bureau: Bureau) -> None:
    await made(bureau)
    await bureau.office.storage.remove_old(bureau.office.clock())
    assert await bureau.count(ReportFile) > 0
    await bureau.office.storage.remove_old(bureau.office.clock() + KEPT_FOR + timedelta(minutes=1))
    assert await bureau.count(ReportFile) == 0


async def test_a_file_of_which_a_piece_is_gone_is_no_file(bureau: Bureau) -> None:
    token = await made(bureau)
    assert await bureau.desk.file(token, "csv") is not None
    last = max(int(str(row["place"])) for row in await bureau.rows(ReportFile) if row["form"] == "csv")

    def lose() -> None:
        ReportFile.objects.filter(form="csv", place=last).delete()

    await bureau.office.storage._apart.write(lose)
    assert await bureau.desk.file(token, "csv") is None
    assert await bureau.desk.file("x" * 32, "csv") is None
