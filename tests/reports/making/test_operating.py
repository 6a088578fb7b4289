"""What operators see of the load, and how the rules change: a real store and database, Django's own client."""

from __future__ import annotations

import asyncio

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connections
from django.test import Client
from lxml import html
from pytest_django import Settings

from besluitbron.load_metrics import LoadFigures
from connectors.moments import now
from reports import rules as kept_rules
from reports.models import LoadChange
from reports.records import ReportStatus
from reports.signals import Latest
from tests.reports.making.conftest import CALM, PATIENCE, Bureau
from tests.reports.making.operators import FORM, PAGE, RULES, changes, operator
from tests.support.pages import words_of
from tests.support.threads import in_thread
from throttling.load_rules import BadLoadRulesError, LoadRules, Signal

pytestmark = pytest.mark.anyio


async def test_an_operator_sees_who_runs_who_waits_and_both_thresholds(bureau: Bureau) -> None:
    await in_thread(bureau.rules, slots=1)
    await bureau.ask("vraag=zonnepanelen", by="adres:a")
    waits = await bureau.ask("vraag=windmolens", by="mcp:b")
    assert waits.status is ReportStatus.WAITS
    client = await in_thread(operator, "view_loadchange")
    answer = await in_thread(client.get, PAGE)
    page = html.fromstring(answer.content)
    assert answer.status_code == 200
    assert words_of(page.xpath('//*[@data-cijfer="bezig"]')[0]) == "1 van 1"
    assert words_of(page.xpath('//*[@data-cijfer="wachten"]')[0]) == "1"
    said = words_of(page)
    assert "drempels bij 70 en 80 %" in answer.content.decode()
    assert "lezers" in said
    assert "sessies van assistenten" in said
    assert not {"zonnepanelen", waits.token, "adres:a"} & set(said.split())
    assert "Regels wijzigen" not in said


METRICS = {
    "alarm": "besluitbron_load_alarm",
    "in-gebruik": "besluitbron_load_share",
    "houdt-tegen": "besluitbron_load_shut",
    "drempels": "besluitbron_load_threshold",
    "bezig": "besluitbron_reports_running besluitbron_reports_most",
    "zonder-werker": "besluitbron_reports_without_worker",
    "langste": "besluitbron_reports_longest_seconds",
    "wachten": "besluitbron_reports_waiting",
    "oudste": "besluitbron_reports_oldest_seconds",
    "gevraagd": "besluitbron_reports_asked",
    "herhaald": "besluitbron_reports_asked",
    "geweigerd": "besluitbron_reports_refused",
    "na-wachten-geweigerd": "besluitbron_reports_refused_late",
    "voorspeld": "besluitbron_reports_foretold besluitbron_reports_foretold_error_seconds",
    "verbindingen": "besluitbron_load_connections",
    "verbindingen-van-een-proces": "besluitbron_reports_connections_most",
    "groep": "besluitbron_reports_waited",
    "wachttijd-van-groep": "besluitbron_reports_waited_seconds",
    "zoektijd": "besluitbron_search_seconds",
    "eigen-tijd": "besluitbron_page_own_seconds",
}
"""Where each figure on the page is at ``/metrics``."""


async def test_every_figure_on_the_page_is_at_metrics_and_every_one_there_is_on_the_page(bureau: Bureau) -> None:
    """The design page, "What operators see": both name nobody and no question."""
    await in_thread(bureau.rules, slots=1, longest_wait=20 * 60.0)
    await bureau.ask("vraag=zonnepanelen", by="adres:a")
    waits = await bureau.ask("vraag=windmolens", by="mcp:b")
    bureau.office.gate.frozen = now().timestamp() + 15 * 60
    seen, _ = await bureau.office.gate.overview()  # from now on the store is a quarter of an hour ahead: an alarm
    bureau.office.seen.latest = Latest(seen, bureau.office.gate.rules)
    client = await in_thread(operator, "view_loadchange")
    answer = await in_thread(client.get, PAGE)
    shown = {mark.get("data-cijfer") for mark in html.fromstring(answer.content).xpath("//*[@data-cijfer]")}
    families = list(LoadFigures(bureau.office.seen).collect())
    assert shown == set(METRICS)
    assert {family.name for family in families} == set(" ".join(METRICS.values()).split())
    labels = {label for family in families for sample in family.samples for label in sample.labels.values()}
    for text in (answer.content.decode(), " ".join(labels)):
        assert not [word for word in ("zonnepanelen", "windmolens", waits.token, "adres:a", "mcp:b") if word in text]


async def test_what_comes_to_light_as_an_operator_looks_is_passed_on(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rule L6: who looks first tells the background and the database, whoever it is."""

    async def nobody(*_: object) -> None:
        return None

    monkeypatch.setattr(bureau.office.passing, "on", nobody)
    await in_thread(bureau.rules, slots=1, lease=0.01)
    await bureau.ask("vraag=zonnepanelen")
    assert bureau.sent == []
    client = await in_thread(operator, "view_loadchange")
    await in_thread(client.get, PAGE)
    assert len(bureau.sent) >= 1


async def test_without_the_store_the_page_says_so(bureau: Bureau, settings: Settings) -> None:
    settings.STATE_STORE = "unix:///nergens.sock"
    client = await in_thread(operator, "view_loadchange")
    answer = await in_thread(client.get, PAGE)
    assert answer.status_code == 503
    assert "De opslag antwoordt niet." in answer.content.decode()


async def test_a_changed_threshold_holds_in_every_process_within_seconds_and_is_kept_with_its_author(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rule L12: slots, thresholds and longest wait change without restart."""
    client = await in_thread(operator, "view_loadchange", "change_loadchange")
    one = await bureau.ask("vraag=zonnepanelen", by="adres:a")
    assert one.status is ReportStatus.REQUESTED
    answer = await in_thread(client.post, RULES, FORM | {"slots": "1", "longest_wait": "10"}, follow=True)
    assert answer.status_code == 200
    async with asyncio.timeout(20):
        while bureau.office.gate.rules.slots != 1:
            await asyncio.sleep(0.05)
    assert (await bureau.ask("vraag=windmolens", by="adres:b")).status is ReportStatus.WAITS
    newest, before = await bureau.rows(LoadChange)
    assert (newest["by"], before["by"]) == ("els", "beheerder")
    assert changes(answer)[:2] == [
        ("els", "Plaatsen: rapporten tegelijk", "5", "1"),
        ("els", "Zoveel minuten wacht een rapport hooguit", "30", "10"),
    ]
    assert len(await bureau.rows(LogEntry)) == 1


async def test_targets_and_smoothing_that_are_changed_are_what_a_running_process_measures_by(bureau: Bureau) -> None:
    """Rules L3, L4 and L12: and the page says by which target."""
    client = await in_thread(operator, "view_loadchange", "change_loadchange")
    changed = {"smoothing": "1", "page_target": "40", "write_target": "70", "report_connections": "7"}
    answer = await in_thread(client.post, RULES, FORM | changed, follow=True)
    said = answer.content.decode()
    assert {row[1:] for row in changes(answer) if row[0] == "els"} >= {
        ("Over zoveel seconden worden metingen gemiddeld", "10", "1"),
        ("Een pagina mag zoveel duizendsten van een seconde kosten", "500", "40"),
        ("Schrijven in de database mag zoveel duizendsten van een seconde wachten", "50", "70"),
        ("Verbindingen met de database voor alle rapporten samen", "3", "7"),
    }
    assert "Eigen tijd voor een pagina (doel: 0,04 s)" in said
    async with asyncio.timeout(PATIENCE):
        while (await bureau.office.gate.overview())[0].signals[Signal.PAGE][0] < 1.0:
            bureau.office.seen.page(0.06)
            await asyncio.sleep(0.05)
    rules = bureau.office.gate.rules
    assert (rules.smoothing, rules.write_target, rules.report_connections) == (1.0, 0.07, 7)


async def test_a_signal_with_a_threshold_of_its_own_shuts_and_opens_there_and_others_as_before(bureau: Bureau) -> None:
    """Rule L3: an operator chooses which count and with what threshold."""
    client = await in_thread(operator, "view_loadchange", "change_loadchange")
    own = {"counts": ["plaatsen", "processor", "database"], "shut_processor": "60", "open_processor": "50"}
    answer = await in_thread(client.post, RULES, FORM | own, follow=True)
    said = answer.content.decode()
    assert ("els", "Processoren: vanaf zoveel procent begint er geen rapport meer bij", "80", "60") in changes(answer)
    assert "drempels bij 50 en 60 %" in said
    assert "drempels bij 70 en 80 %" in said
    assert "drempel bij 80 %" in said
    bureau.office.gate.rules = await in_thread(kept_rules.current)
    connections.close_all()
    for signal, share, shut in (
        (Signal.DATABASE, 0.65, False),
        (Signal.PROCESSOR, 0.65, True),
        (Signal.PROCESSOR, 0.55, True),
        (Signal.PROCESSOR, 0.5, False),
    ):
        await bureau.office.gate.measure("proef", {signal: share})
        seen, _ = await bureau.office.gate.overview()
        assert seen.signals[signal][1] is shut


async def test_the_form_shows_the_rules_as_they_are_and_says_what_they_mean(bureau: Bureau) -> None:
    client = await in_thread(operator, "view_loadchange", "change_loadchange")
    page = html.fromstring((await in_thread(client.get, RULES)).content)
    filled = {field.get("name"): field.get("value") for field in page.xpath("//form//input[@type='number']")}
    assert filled == {name: value for name, value in FORM.items() if name != "counts"}
    for field in page.xpath("//form//input[@aria-describedby]"):
        assert page.get_element_by_id(field.get("aria-describedby")).text_content().endswith(".")


@pytest.mark.parametrize(
    "wrong",
    [
        {"slots": "0"},
        {"slots": "21"},
        {"open_processor": "90"},
        {"shut_pagina": "101"},
        {"shut_plaatsen": ""},
        {"per_hour": "x"},
        {"lease": ""},
        {"longest_run": "0"},
        {"smoothing": "0"},
        {"most_open": "501"},
        {"page_target": "9"},
        {"write_target": "0"},
        {"report_connections": "0"},
    ],
)
async def test_rules_that_cannot_be_kept_change_nothing(bureau: Bureau, wrong: dict[str, str]) -> None:
    client = await in_thread(operator, "view_loadchange", "change_loadchange")
    answer = await in_thread(client.post, RULES, FORM | wrong)
    assert answer.status_code == 400
    assert "Er is niets veranderd." in answer.content.decode()
    assert await bureau.count(LoadChange) == 1


async def test_a_low_threshold_above_the_high_one_is_told_of_its_own_signal(bureau: Bureau) -> None:
    client = await in_thread(operator, "view_loadchange", "change_loadchange")
    answer = await in_thread(client.post, RULES, FORM | {"shut_database": "60", "open_pagina": "80"})
    page = html.fromstring(answer.content)
    told = [one.text_content().strip() for one in page.xpath("//form//ul[contains(@class, 'errorlist')]/li")]
    assert (answer.status_code, len(told)) == (400, 1)
    assert told[0].startswith("Database: de lage drempel (70 %) ligt boven de hoge (60 %).")


async def test_the_last_change_is_set_back_in_one_step_which_is_a_change_itself(bureau: Bureau) -> None:
    """Rule L12: each change is kept, also the one that takes another back."""
    client = await in_thread(operator, "view_loadchange", "change_loadchange")
    before = await in_thread(kept_rules.current)
    await in_thread(client.post, RULES, FORM | {"slots": "1"})
    page = html.fromstring((await in_thread(client.get, PAGE)).content)
    [way] = page.xpath("//a[contains(., 'Zet de laatste wijziging terug')]/@href")
    step = html.fromstring((await in_thread(client.get, way)).content)
    [fields] = [dict(one.form_values()) for one in step.forms if "wijziging" in one.fields]
    answer = await in_thread(client.post, way, fields, follow=True)
    assert (await in_thread(kept_rules.current)).slots == before.slots == 5
    assert changes(answer)[:2] == [
        ("els", "Plaatsen: rapporten tegelijk", "1", "5"),
        ("els", "Plaatsen: rapporten tegelijk", "5", "1"),
    ]
    again = await in_thread(client.post, way, fields)
    assert again.status_code == 409
    assert "Er is niets veranderd." in again.content.decode()
    assert await bureau.count(LoadChange) == 3
    assert len(await bureau.rows(LogEntry)) == 2


async def test_the_headings_around_these_pages_are_dutch(bureau: Bureau) -> None:
    """Those of the list of all pages too, which is beside each: Django has them in English alone."""
    client = await in_thread(operator, "view_loadchange", "change_loadchange")
    for address in ("/beheer/", "/beheer/reports/", PAGE, RULES):
        page = html.fromstring((await in_thread(client.get, address)).content.decode())
        [reports] = page.xpath("//table[.//tr[contains(@class, 'model-loadchange')]]")
        assert [one.text_content() for one in reports.xpath("./thead//th")][:2] == ["Onderdeel", "Toevoegen"]
        assert reports.xpath(".//th[@scope='row']/a/@href") == [PAGE]
        for english in ("Model name", "Add link", "Change or view"):
            assert english not in page.text_content()


async def test_who_may_only_look_sets_nothing_back(bureau: Bureau) -> None:
    client = await in_thread(operator, "view_loadchange")
    assert (await in_thread(client.get, f"{RULES}terugzetten/")).status_code == 403
    assert (await in_thread(client.post, f"{RULES}terugzetten/")).status_code == 403
    assert await bureau.count(LoadChange) == 1


async def test_beside_the_slots_it_is_said_what_they_cost_searches_at_a_source(bureau: Bureau) -> None:
    """Rule L2: where a source takes one call at once, nothing can be kept free."""
    client = await in_thread(operator, "view_loadchange", "change_loadchange")
    page = html.fromstring((await in_thread(client.get, RULES)).content.decode())
    [slots] = page.xpath("//input[@name='slots']")
    said = page.get_element_by_id(slots.get("aria-describedby")).text_content()
    assert "Een zoekvraag krijgt dan de eerste die vrijkomt" in said
    for name in ("Officiële Bekendmakingen", "OpenTK"):
        assert name in said


async def test_who_may_only_look_changes_nothing(bureau: Bureau) -> None:
    client = await in_thread(operator, "view_loadchange")
    assert (await in_thread(client.get, RULES)).status_code == 403
    assert (await in_thread(client.post, RULES, FORM)).status_code == 403
    other = await in_thread(Client)
    assert (await in_thread(other.get, PAGE)).status_code == 302
    assert await bureau.count(LoadChange) == 1


async def test_rules_that_cannot_be_read_back_are_the_usual_ones(bureau: Bureau) -> None:
    def damage() -> LoadRules:
        try:
            LoadChange.objects.create(at=now(), by="x", rules={"slots": "veel"})
            return kept_rules.current()
        finally:
            connections.close_all()

    assert await in_thread(damage) == LoadRules()
    assert kept_rules.from_data(kept_rules.as_data(CALM)) == CALM
    before = {"slots": 2, "counts": ["plaatsen"]}  # as a version kept them that knew less
    assert kept_rules.from_data(before) == LoadRules(slots=2, counts=frozenset({Signal.SLOTS}))
    with pytest.raises(BadLoadRulesError):
        kept_rules.from_data({"counts": ["nonsens"]})
