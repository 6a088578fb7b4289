"""What an operator is asked to allow, and how he decides."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client

from admission import approvals
from admission.approvals import Change, body_hash
from admission.models import Approval, ApprovalState
from tests.product.beheer_contracts.conftest import (
    ALL,
    ASKS,
    NASTY,
    WORKLOAD,
    Beheer,
    asked,
    staff,
)
from tests.support.pages import words_of

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_approval_shows_what_is_asked_in_fields_and_the_words_of_the_agent_apart(beheer: Beheer) -> None:
    """Attack 23 of the study: an agent that was whispered to asks for more."""
    beheer.agree()
    approval = asked(beheer, {"vraag": f"dijk {NASTY}", "platform": ["opentk", "rechtspraak"]})
    assert "rapport-aanvragen" in words_of(beheer.get(ASKS))
    page = beheer.get(f"{ASKS}{approval.approval}/")
    assert not page.xpath("//script[contains(., 'alert')]")
    (body,) = page.xpath("//*[@data-lijst='inhoud']")
    rows = {words_of(one.xpath("./th")[0]): words_of(one.xpath("./td")[0]) for one in body.xpath("./tbody/tr")}
    assert rows == {
        "vraag": "dijk <script>alert(1)</script>\\u202eneg",
        "platform": '["opentk", "rechtspraak"]',
    }
    (words,) = page.xpath("//*[@data-vreemd]")
    assert "niet na te gaan" in words_of(words)
    assert "\u202e" not in page.text_content()


def test_a_body_with_a_name_twice_is_shown_as_it_is(beheer: Beheer) -> None:
    text = '{"vraag":"a","vraag":"b"}'
    change = Change(contract="c", operation="o", resource="/r", body_sha256=body_hash(text.encode()))
    row_ = approvals.ask(change, workload=WORKLOAD, body=text, note="", at=datetime.now(UTC))
    assert text in words_of(beheer.get(f"{ASKS}{row_.approval}/"))


@pytest.mark.parametrize(("button", "state"), [("goedkeuren", "approved"), ("afwijzen", "denied")])
def test_an_approval_is_decided_once_by_a_form_and_never_by_a_look(beheer: Beheer, button: str, state: str) -> None:
    """Attack 15 of the study: an approval that is used for something else, or twice."""
    beheer.agree()
    approval = asked(beheer)
    address = f"{ASKS}{approval.approval}/beslis/"
    assert beheer.client.get(f"{address}?besluit={button}").status_code == 405
    beheer.press(address, besluit="misschien")
    approval.refresh_from_db()
    assert approval.state == ApprovalState.PENDING
    beheer.press(address, besluit=button)
    approval.refresh_from_db()
    assert (approval.state, approval.decided_by) == (state, "beheer")
    events = beheer.at_store(lambda ledger: ledger.events())
    (told,) = [event.fields for event in events if event.kind == "approve"]
    assert (told["contract"], told["op"], told["approval"]) == ("ctr_een", "rapport-aanvragen", approval.approval)
    assert told.get("reason", "") == {"approved": "", "denied": "approval-denied"}[state]
    assert "warmtenet" not in str(events), "an event holds no question"
    other = "afwijzen" if button == "goedkeuren" else "goedkeuren"
    assert "Er is niets veranderd" in words_of(beheer.press(address, besluit=other))
    approval.refresh_from_db()
    assert approval.state == state


def test_whoever_may_decide_sees_on_every_page_that_something_waits(beheer: Beheer) -> None:
    """Choice A8: an agent waits ten minutes at most, so an operator hears of it wherever he is."""
    beheer.agree()

    def told() -> list[str]:
        return [words_of(one) for at in ("/beheer/", ALL) for one in beheer.get(at).xpath("//*[@data-wacht]")]

    assert told() == []
    first = asked(beheer)
    assert told() == ["Eén wijziging wacht op uw goedkeuring"] * 2
    asked(beheer, {"vraag": "iets anders"})
    assert told() == ["2 wijzigingen wachten op uw goedkeuring"] * 2
    assert b"data-wacht" not in staff("view_agreement", "view_approval").get(ALL).content
    beheer.press(f"{ASKS}{first.approval}/beslis/", besluit="afwijzen")
    Approval.objects.filter(state=ApprovalState.PENDING).update(expires_at=datetime.now(UTC))
    assert told() == []


def test_what_an_agent_wants_to_send_lies_sealed_and_goes_after_two_weeks(beheer: Beheer) -> None:
    """No question stands in a table."""
    approval = asked(beheer, {"vraag": "waaromkreegmijnbuurmandievergunning"}, note="over de buurman")
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM admission_approval")
        stored = str(cursor.fetchall())
    assert "buurman" not in stored
    assert "waaromkreeg" in words_of(beheer.get(f"{ASKS}{approval.approval}/"))
    Approval.objects.update(asked_at=datetime.now(UTC) - approvals.WORDS_FOR - timedelta(minutes=1))
    page = words_of(beheer.get(f"{ASKS}{approval.approval}/"))
    assert "niet (meer) te lezen" in page
    approval.refresh_from_db()
    assert (approval.body, approval.note) == ("", "")


def test_what_cannot_be_read_is_not_decided_on(beheer: Beheer) -> None:
    approval = asked(beheer)
    Approval.objects.update(body="beschadigd")
    page = beheer.get(f"{ASKS}{approval.approval}/")
    assert "niet (meer) te lezen" in words_of(page)
    assert not page.xpath("//button[@name='besluit']")
    beheer.press(f"{ASKS}{approval.approval}/beslis/", besluit="goedkeuren")
    approval.refresh_from_db()
    assert approval.state == ApprovalState.PENDING


def test_a_form_from_elsewhere_decides_nothing(beheer: Beheer) -> None:
    approval = asked(beheer)
    client = Client(enforce_csrf_checks=True)
    client.force_login(get_user_model().objects.get(username="beheer"))
    assert client.post(f"{ASKS}{approval.approval}/beslis/", {"besluit": "goedkeuren"}).status_code == 403
    approval.refresh_from_db()
    assert approval.state == ApprovalState.PENDING
