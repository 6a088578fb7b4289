"""What an operator sees of contracts and how he stops them: a real store, a real database, Django's own client."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission

from admission.contracts import Stop
from admission.edge import Reason
from admission.models import Agreement, Stopped
from tests.product.beheer_contracts.conftest import (
    ACT,
    ALL,
    ASKS,
    EVENTS,
    WORKLOAD,
    Beheer,
    asked,
    row,
    staff,
)
from tests.support.pages import words_of

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_contract_is_seen_with_what_is_left_and_who_asked_for_it(beheer: Beheer) -> None:
    beheer.agree()
    assert beheer.ask().allowed
    seen = row(beheer.get(ALL), "ctr_een")
    assert "loopt" in seen
    assert "1 van 100" in seen
    assert f"Bank: {WORKLOAD} (uitgever staat in voor de taak)" in seen
    assert "1 van 5" in seen, "one call is in flight"
    page = beheer.get(f"{ALL}ctr_een/")
    told = words_of(page)
    assert "1 van 100; 99 over" in told
    assert "50 eenheden, 1 wijzigingen" in told
    assert "agents@bank.example" in told
    assert not page.xpath("//*[@data-vreemd]//script"), "the words of an agent are text, whatever they hold"
    (words,) = page.xpath("//*[@data-vreemd]")
    assert "<script>alert(1)</script>" in words_of(words)


def test_a_contract_is_found_by_the_number_on_the_phone(beheer: Beheer) -> None:
    beheer.agree("ctr_een", handle="r7k3m9q2")
    beheer.agree("ctr_twee", handle="aaaabbbb", workload="spiffe://bank.example/agent/ander")
    page = beheer.get(f"{ALL}?zoek=R7K3M9Q2")
    assert [one.get("data-contract") for one in page.xpath("//tr[@data-contract]")] == ["ctr_een"]


def test_what_is_revoked_is_refused_at_the_next_request_and_kept_with_who_and_why(beheer: Beheer) -> None:
    """Attack 16 of the study: a revocation that is lost."""
    beheer.agree()
    assert beheer.ask(number=1).allowed
    sure = beheer.press(daad="intrekken", wat="contract", naam="ctr_een", waarom="te druk", terug="ctr_een")
    assert "Er stopt 1 contract dat nu loopt." in words_of(sure)
    assert beheer.ask(number=2).allowed, "nothing was done before it was said to be meant"
    page = beheer.stop("contract", "ctr_een", terug="ctr_een")
    assert "Ingetrokken: contract ctr_een." in words_of(page)
    assert beheer.ask(number=3).reason is Reason.CONTRACT_REVOKED
    kept = Stopped.objects.get()
    assert (kept.what, kept.name, kept.by, kept.why) == ("contract", "ctr_een", "beheer", "te druk")
    assert kept.applied_at is not None
    assert Agreement.objects.get().revoked_at is not None
    assert "ingetrokken" in row(beheer.get(f"{ALL}?alle=ja"), "ctr_een")
    assert "Waarom: te druk" in LogEntry.objects.get().get_change_message()


def test_one_token_stops_and_the_contract_goes_on_with_another(beheer: Beheer) -> None:
    """Choice A4: the smallest thing that can be revoked."""
    beheer.agree()
    assert beheer.ask(number=1, token="gelekt").allowed
    page = beheer.stop("token", "gelekt")
    assert "gelekt" in words_of(page)
    assert beheer.ask(number=2, token="gelekt").reason is Reason.TOKEN_INVALID
    assert beheer.ask(number=3, token="nieuw").allowed
    kept = Stopped.objects.get()
    assert (kept.what, kept.name, kept.by, kept.why) == ("token", "gelekt", "beheer", "te druk")


def test_a_workload_and_an_issuer_stop_with_all_they_have_and_may_come_again(beheer: Beheer) -> None:
    for what, name, place in ((Stop.WORKLOAD, WORKLOAD, "een"), (Stop.ISSUER, "bank.example", "twee")):
        beheer.agree(f"ctr_{place}")
        beheer.stop(what.value, name)
        assert beheer.ask(f"ctr_{place}").reason is Reason.CONTRACT_REVOKED
        page = beheer.stop(what.value, name, daad="opheffen")
        assert "Er kan weer een nieuw contract komen." in words_of(page)
        kept = Stopped.objects.get(what=what.value)
        assert (kept.lifted_by, kept.lifted_at is None) == ("beheer", False)
        assert beheer.ask(f"ctr_{place}", 2).reason is Reason.CONTRACT_REVOKED, "what was revoked stays so"
    beheer.agree("ctr_drie")
    assert beheer.ask("ctr_drie").allowed


def test_all_changes_stop_and_start_again(beheer: Beheer) -> None:
    beheer.stop("writes", "")
    assert "Alle wijzigingen staan stil" in words_of(beheer.get(ALL))
    beheer.stop("writes", "", daad="opheffen")
    assert not beheer.get(ALL).xpath("//*[@role='alert']")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"what": "contract", "name": "ctr_nergens"}, "Dit kennen we niet"),
        ({"what": "workload", "name": "spiffe://x/y"}, "Dit kennen we niet"),
        ({"what": "alles", "name": "x"}, "Dit kan hier niet"),
        ({"what": "contract", "name": ""}, "Schrijf op welk contract"),
        ({"what": "contract", "name": "ctr_een", "waarom": ""}, "Schrijf waarom"),
        ({"what": "contract", "name": "ctr_een", "waarom": "x" * 201}, "Schrijf waarom"),
        ({"what": "contract", "name": "ctr_een", "daad": "opheffen"}, "Wat is ingetrokken, blijft dat"),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_stops(beheer: Beheer, fields: dict[str, str], said: str) -> None:
    beheer.agree()
    assert said in words_of(beheer.stop(fields.pop("what"), fields.pop("name"), **fields))
    assert not Stopped.objects.exists()
    assert beheer.ask().allowed


def test_without_the_store_a_revocation_is_written_down_and_said_not_to_hold_yet(beheer: Beheer) -> None:
    beheer.agree()
    beheer.valkey.kill()
    answer = beheer.client.get(ALL)
    assert answer.status_code == 503
    assert "De opslag antwoordt niet" in answer.content.decode()
    page = words_of(beheer.stop("contract", "ctr_een"))
    assert "Dit is opgeschreven, maar de opslag antwoordt niet." in page
    assert Stopped.objects.get().applied_at is None
    assert "Er is niets opgeheven" in words_of(beheer.stop("writes", "", daad="opheffen"))


def test_who_may_only_look_stops_nothing_and_decides_nothing(beheer: Beheer) -> None:
    """Attack 15 of the study: roles are apart."""
    beheer.agree()
    approval = asked(beheer)
    client = staff("view_agreement", "view_approval", "change_agreement")
    assert client.get(ALL).status_code == 200
    assert client.get(EVENTS).status_code == 403
    decided = client.post(f"{ASKS}{approval.approval}/beslis/", {"besluit": "goedkeuren"})
    assert decided.status_code == 403, "who may stop contracts may not by that allow changes"
    client.logout()
    assert client.get(ALL).status_code == 302
    other = get_user_model().objects.get(username="kijker")
    other.user_permissions.set(Permission.objects.filter(codename="view_agreement"))
    client.force_login(other)
    assert client.post(ACT, {"daad": "intrekken", "wat": "writes", "waarom": "x", "zeker": "ja"}).status_code == 403
    assert not Stopped.objects.exists()
