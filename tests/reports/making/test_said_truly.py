"""What pages and API say of a report is so: why it is refused, how it stands. The real website, desk, database and store."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from functools import partial

import httpx
import pytest
from django.db import OperationalError
from pytest_django import Settings

from connectors.platforms import OPENBESLUITVORMING
from connectors.records import Organisation, Query
from reports import collecting, storage, upkeep, words
from reports.codec import HitsPart, Made
from reports.models import ReportRun
from reports.reading import Asking
from reports.records import CutReason, Reason, ReportStatus
from reports.running import NoReportError, Run
from tests.product.test_api_rules import another
from tests.product.test_reports_page import form_of
from tests.reports.making.conftest import Bureau
from tests.reports.making.test_chosen_bodies import target
from tests.reports.making.test_whole_way import asked
from tests.support.pages import main_text
from tests.support.threads import in_thread
from throttling.load import AskState
from throttling.load_rules import Signal

pytestmark = pytest.mark.anyio
Open = Callable[[], AbstractAsyncContextManager[httpx.AsyncClient]]


@pytest.fixture
def site(bureau: Bureau, settings: Settings) -> Open:
    """The website, on the rules that the operator set before."""
    settings.PATIENCE_SECONDS = 40.0
    return partial(another, 60)


async def told(client: httpx.AsyncClient, address: str) -> tuple[dict[str, object], str]:
    """What the API and the page say of a report."""
    return (await client.get(f"/api/v1{address}")).json(), main_text((await client.get(address)).text)


@pytest.mark.parametrize("shut", [False, True])
async def test_who_is_refused_behind_one_huge_report_is_not_told_of_a_queue(
    site: Open, bureau: Bureau, *, shut: bool
) -> None:
    """Rule L6: nobody waits; one report runs for long still, and takes the last slot or keeps a signal shut."""
    wanted = {"counts": frozenset({Signal.SLOTS, Signal.DATABASE})} if shut else {"slots": 1}
    await in_thread(lambda: bureau.rules(**wanted))
    gate = bureau.office.gate
    await gate.ask("vraag", "adres:z", "vraag", "lang", 5000)
    await gate.take("lang", "werker")
    if shut:
        await gate.measure("machine", {Signal.DATABASE: 0.9})
    async with site() as client:
        refused = await asked(client, "zonnepanelen")
    said = main_text(refused.text)
    assert (refused.status_code, "grote drukte" in said) == (503, True)
    assert "Het is zo druk dat uw rapport langer op zijn beurt zou wachten dan hier mag." in said
    assert "wachten zo veel" not in said


async def test_who_waited_in_vain_hears_that_and_not_of_a_queue(site: Open, bureau: Bureau) -> None:
    """Rule L6."""
    await in_thread(lambda: bureau.rules(slots=1, lease=100_000.0, longest_wait=0.5))
    await bureau.ask("vraag=windmolens", by="adres:z")
    async with site() as client:
        address = (await asked(client, "zonnepanelen")).headers["location"]
        found = await bureau.ended(address.rsplit("/", 1)[1])
        data, said = await told(client, address)
    assert (found.status, found.reason) == (ReportStatus.REFUSED, Reason.WAIT)
    for text in (said, str(data["melding"])):
        assert "Het was zo druk dat uw rapport langer op zijn beurt wachtte dan hier mag." in text
        assert "wachten zo veel" not in text
    assert said.startswith("Rapport wegens grote drukte geweigerd")
    assert re.search(r"Vraag het na .*\d\d:\d\d uur opnieuw aan\.", said)


async def test_a_report_that_a_worker_took_is_being_made_before_its_first_part_is_done(
    site: Open, bureau: Bureau
) -> None:
    """A source that hangs takes minutes for the first part."""
    async with site() as client:
        address = (await asked(client, "zonnepanelen")).headers["location"]
        assert (await told(client, address))[0]["staat"] == ReportStatus.REQUESTED
        await bureau.office.gate.take(bureau.sent.pop(), "werker")
        data, said = await told(client, address)
        page = (await client.get(address)).text
    assert (data["staat"], data["delenKlaar"]) == (ReportStatus.BUSY, 0)
    assert f"Klaar: 0 van de {data['delenTotaal']} delen." in said
    assert f'<progress id="voortgang" max="{data["delenTotaal"]}" value="0">' in page
    assert "zo meteen" not in said


async def damage(bureau: Bureau) -> None:
    """What was made of all reports is there, and cannot be read."""

    def break_them() -> None:
        ReportRun.objects.update(body=b"kapot")

    await bureau.office.storage._apart.write(break_them)


async def test_a_report_that_is_damaged_is_made_anew_when_it_is_asked_for_again(site: Open, bureau: Bureau) -> None:
    """Rule L7: the same run answers nobody any more, neither who asked for it nor others."""
    async with site() as client:
        address = (await asked(client, "zonnepanelen")).headers["location"]
        await bureau.work()
        await damage(bureau)
        data, _ = await told(client, address)
        assert data["staat"] == ReportStatus.FAILED
        form = form_of((await client.get(address)).text)
        again = await client.post("/rapporten", data=form, headers={"Sec-Fetch-Site": "same-origin"})
        assert (again.status_code, again.headers["location"] != address) == (303, True)
        await bureau.work()
        data, said = await told(client, again.headers["location"])
        assert (data["staat"], "mislukt" in said) == (ReportStatus.READY, False)
    await damage(bureau)
    other = await bureau.ask(by="adres:z")
    assert other.status is ReportStatus.REQUESTED
    await bureau.work()
    assert await bureau.desk.report(other.token) is not None


async def test_a_source_that_pages_in_circles_is_not_said_to_have_more_than_fits(
    site: Open, bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says that it has more, and gives the same five again and again."""
    page = Asking.page

    async def round_and_round(self: Asking, platform: str, query: Query) -> HitsPart:
        first = await page(self, platform, replace(query, page=1))
        return replace(first, hits=first.hits[:5], has_more=True)

    monkeypatch.setattr(Asking, "page", round_and_round)
    reasons, said = await left_out(site, bureau)
    assert (CutReason.NOTHING_NEW in reasons, CutReason.MOST_HITS in reasons) == (True, False)
    assert "OpenBesluitvorming zegt dat er meer is, maar gaf telkens niets nieuws." in said


async def test_a_source_with_more_pages_than_are_asked_is_said_to_be_cut_for_that(
    site: Open, bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Asking.page

    async def little(self: Asking, platform: str, query: Query) -> HitsPart:
        first = await page(self, platform, replace(query, page=1))
        at = query.page - 1
        return replace(first, hits=first.hits[at : at + 1], has_more=True)

    monkeypatch.setattr(Asking, "page", little)
    monkeypatch.setattr(collecting, "MAX_PAGE", 2)
    reasons, said = await left_out(site, bureau)
    assert (CutReason.MOST_PAGES in reasons, CutReason.MOST_HITS in reasons) == (True, False)
    assert "OpenBesluitvorming heeft meer dan de 2 bladzijden die we van één bron vragen." in said


async def left_out(site: Open, bureau: Bureau) -> tuple[list[str], str]:
    """Why something is not in a report of one source, in the API and on the page."""
    async with site() as client:
        address = (await asked(client, "zonnepanelen", OPENBESLUITVORMING.key)).headers["location"]
        await bureau.work()
        data = (await client.get(f"/api/v1{address}")).json()
        return [one["reden"] for one in data["uitkomst"]["ontbreekt"]], main_text((await client.get(address)).text)


@pytest.mark.parametrize("why", [Reason.NO_SOURCE, Reason.BROKEN, Reason.DISK, None])
async def test_why_a_report_failed_is_said_as_it_was_also_where_that_could_not_be_written_down(
    site: Open, bureau: Bureau, monkeypatch: pytest.MonkeyPatch, why: Reason | None
) -> None:
    """``None``: the worker told nobody why. The page says it at once, and the database has the same once it is back."""

    async def fails(self: Run, *_: object) -> Made:
        raise NoReportError(why or Reason.BROKEN)

    def away(*_: object) -> None:
        raise OperationalError

    async with site() as client:
        address = (await asked(client, "zonnepanelen")).headers["location"]
        with monkeypatch.context() as patch:
            patch.setattr(storage, "_fail", away)
            if why is None:
                await bureau.office.gate.take(run := bureau.sent.pop(), "werker")
                await bureau.office.gate.done(run, "werker", AskState.FAILED)
            else:
                patch.setattr(Run, "_made", fails)
                await bureau.work()
            seen = await told(client, address)
        monkeypatch.setattr(upkeep, "_SETTLED", -upkeep._SETTLED)
        await upkeep.look_after(bureau.office)
        written = await told(client, address)
    known = why or Reason.UNKNOWN
    for data, said in (seen, written):
        assert (data["staat"], data["reden"]) == (ReportStatus.FAILED, known)
        assert words.reason(known) in said
    assert [row["reason"] for row in await bureau.rows(ReportRun)] == [known.value]


async def test_who_chose_all_organisations_is_not_told_to_choose_one(site: Open) -> None:
    def everybody(_: Organisation) -> bool:
        return True

    chosen = target(everybody).removeprefix("vraag=zonnepanelen&")
    form = {"zoekvraag": chosen, "formulier": "x"}
    async with site() as client:
        answer = await client.post("/rapporten", data=form, headers={"Sec-Fetch-Site": "same-origin"})
    said = main_text(answer.text)
    assert (answer.status_code, "Er is niets om een rapport van te maken." in said) == (400, True)
    assert "kies een organisatie" not in said
    assert "Wie alle organisaties kiest, kiest er geen." in said
