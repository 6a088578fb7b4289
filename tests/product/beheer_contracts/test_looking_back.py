"""What an operator reads of what happened: events, budgets, trials, reported faults."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from admission.books import Books
from admission.dry_runs import Following, current
from admission.edge import Decision, Reason
from admission.events import keep
from admission.ledger import Ledger
from admission.models import AdmissionEvent, Approval
from search.models import FaultReport
from tests.admission.asking import search
from tests.product.beheer_contracts.conftest import (
    ASKS,
    EVENTS,
    FAULTS,
    NASTY,
    OVER,
    TRIAL,
    WORKLOAD,
    Beheer,
    asked,
    staff,
)
from tests.support.pages import words_of
from throttling.store import Store

pytestmark = pytest.mark.django_db(transaction=True)


def test_events_are_chosen_by_contract_and_reason(beheer: Beheer) -> None:
    beheer.agree()
    at = datetime.now(UTC)
    for number, (contract, reason) in enumerate([("ctr_een", "out-of-scope"), ("ctr_een", ""), ("ctr_twee", "")]):
        AdmissionEvent.objects.create(
            entry=f"{number}-0", at=at, kind="deny" if reason else "allow", contract=contract, reason=reason
        )
    assert len(beheer.get(EVENTS).xpath("//tr[@data-gebeurd]")) == 3
    assert len(beheer.get(f"{EVENTS}?contract=ctr_een").xpath("//tr[@data-gebeurd]")) == 2
    (one,) = beheer.get(f"{EVENTS}?contract=ctr_een&reden=out-of-scope").xpath("//tr[@data-gebeurd]")
    assert one.get("data-gebeurd") == "deny"
    assert "geweigerd" in words_of(one)


def test_what_happened_is_said_in_words_and_may_be_chosen_by_them(beheer: Beheer) -> None:
    """Choice A6: whatever the store writes of a contract, from its beginning to its end, has a word for operators."""
    beheer.agree()
    assert beheer.ask().allowed
    asked(beheer)
    beheer.press(f"{ASKS}{Approval.objects.get().approval}/beslis/", besluit="afwijzen")
    beheer.stop("contract", "ctr_een")
    assert not beheer.ask(number=2).allowed
    beheer.stop("writes", "")
    beheer.stop("writes", "", daad="opheffen")
    events = beheer.at_store(lambda ledger: ledger.events())
    keep(events, datetime.now(UTC))
    page = beheer.get(EVENTS)
    kinds = {one.get("data-gebeurd") for one in page.xpath("//tr[@data-gebeurd]")}
    assert {"open", "negotiate", "allow", "deny", "approve", "revoke", "lift"} <= kinds
    offered = {one.get("value"): words_of(one) for one in page.xpath("//select[@name='soort']/option")}
    for one in page.xpath("//tr[@data-gebeurd]"):
        kind = one.get("data-gebeurd")
        (said,) = one.xpath("td[@data-kop='Soort']")
        assert words_of(said) == offered[kind] != kind


def test_one_page_says_which_contract_went_over_its_budget_and_whether_that_was_expected(beheer: Beheer) -> None:
    beheer.agree("ctr_netjes", left=90)
    beheer.agree("ctr_klein", expected_units=500, left=0, workload="a")
    beheer.agree("ctr_meer", expected_units=10, left=20, workload="b")
    beheer.agree("ctr_door", expected_units=100, left=60, workload="c")
    for number, contract in enumerate(("ctr_klein", "ctr_klein", "ctr_door")):
        AdmissionEvent.objects.create(
            entry=f"{number}-1", at=datetime.now(UTC), kind="deny", contract=contract, reason="quota-exhausted"
        )
    page = beheer.get(OVER)
    found = {one.get("data-contract"): one for one in page.xpath("//tr[@data-contract]")}
    assert set(found) == {"ctr_klein", "ctr_meer", "ctr_door"}
    assert {name: one.get("data-verwacht") for name, one in found.items()} == {
        "ctr_klein": "ja",
        "ctr_meer": "nee",
        "ctr_door": "nee",
    }
    assert "2 verzoeken zijn daarom geweigerd" in words_of(found["ctr_klein"])
    assert "gebruikte 80 eenheden, en zei 10" in words_of(found["ctr_meer"])


def test_an_operation_that_reads_can_be_put_on_trial_and_one_that_changes_something_cannot(beheer: Beheer) -> None:
    page = beheer.get(TRIAL)
    assert {str(one.get("data-handeling")) for one in page.xpath("//tr[@data-handeling]")} >= {"zoeken", "meld-fout"}
    beheer.press(f"{TRIAL}zet/", handeling="zoeken", stand="aan")
    for name in ("rapport-aanvragen", "nergens", ""):
        assert "Er is niets veranderd" in words_of(beheer.press(f"{TRIAL}zet/", handeling=name, stand="aan"))
    assert current() == {"zoeken"}
    (on,) = beheer.get(TRIAL).xpath("//tr[@data-proef='aan']")
    assert "door beheer" in words_of(on)
    beheer.press(f"{TRIAL}zet/", handeling="zoeken", stand="uit")
    assert current() == frozenset()
    assert beheer.client.get(f"{TRIAL}zet/").status_code == 405


def test_every_process_follows_what_is_on_trial(beheer: Beheer) -> None:
    beheer.agree("ctr_een", units=1, left=1)
    assert beheer.ask(number=1).allowed
    assert not beheer.ask(number=2).passes
    beheer.press(f"{TRIAL}zet/", handeling="zoeken", stand="aan")

    async def follow() -> Decision:
        books = Books()
        try:
            async with Store(beheer.valkey.address) as store:
                ledger = Ledger(store)
                await Following(ledger, books).look()
                return await ledger.decide(search("ctr_een", proof="x.3", request="x.3"))
        finally:
            books.close()

    decision = asyncio.run(follow())
    assert (decision.reason, decision.passes) == (Reason.QUOTA_EXHAUSTED, True)


def a_fault(**changed: Any) -> FaultReport:
    told: dict[str, Any] = {
        "number": "fout_1",
        "at": datetime.now(UTC),
        "kind": "link",
        "platform": "rechtspraak",
        "document": "rechtspraak:ECLI:NL:HR:2019:2006",
        "text": NASTY,
        "contract": "ctr_een",
        "workload": WORKLOAD,
    }
    return FaultReport.objects.create(**(told | changed))


def test_a_fault_is_shown_with_the_words_of_the_program_apart_and_is_marked_by_an_operator(beheer: Beheer) -> None:
    """Attack 23 of the study."""
    fault = a_fault()
    a_fault(number="fout_oud", at=datetime.now(UTC) - timedelta(days=366))
    page = beheer.get(FAULTS)
    assert "fout_1" in words_of(page)
    assert "fout_oud" not in words_of(page)
    one = beheer.get(f"{FAULTS}{fault.pk}/change/")
    (words,) = one.xpath("//*[@data-vreemd]")
    assert "<script>alert(1)</script>" in words_of(words)
    assert one.xpath("//a[@href='/document/rechtspraak/ECLI:NL:HR:2019:2006']")
    assert not one.xpath("//textarea")
    beheer.press(f"{FAULTS}{fault.pk}/change/", state="gezien", text="anders", contract="ctr_ander")
    fault.refresh_from_db()
    assert (fault.state, fault.changed_by, fault.text, fault.contract) == ("gezien", "beheer", NASTY, "ctr_een")
    beheer.press(FAULTS, action="mark_solved", _selected_action=str(fault.pk))
    fault.refresh_from_db()
    assert fault.state == "opgelost"
    assert staff("view_faultreport").post(f"{FAULTS}{fault.pk}/change/", {"state": "nieuw"}).status_code == 403
