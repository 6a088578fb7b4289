"""An operator at the pages about contracts, and the store behind them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.test import Client
from lxml import html
from pytest_django import Settings

from admission import approvals
from admission.approvals import Change, body_hash
from admission.edge import Decision
from admission.ledger import Ledger
from admission.models import Agreement, AgreementState, Approval
from admission.storage import contract_of
from tests.admission.asking import search
from tests.support.pages import words_of
from tests.support.valkey import Valkey, private_valkey
from throttling.store import Store

ALL = "/beheer/admission/agreement/"
ACT = f"{ALL}daad/"
OVER = f"{ALL}over-budget/"
ASKS = "/beheer/admission/approval/"
EVENTS = "/beheer/admission/admissionevent/"
TRIAL = "/beheer/admission/dryrun/"
FAULTS = "/beheer/search/faultreport/"
WORKLOAD = "spiffe://bank.example/agent/indexer"
NASTY = "<script>alert(1)</script>\u202eneg"


@dataclass(slots=True)
class Beheer:
    """An operator at the pages, and the store behind them."""

    client: Client
    valkey: Valkey

    def get(self, address: str) -> html.HtmlElement:
        answer = self.client.get(address)
        assert answer.status_code == 200, answer.status_code
        return html.document_fromstring(answer.content.decode())

    def press(self, address: str = ACT, **fields: str) -> html.HtmlElement:
        answer = self.client.post(address, fields, follow=True)
        return html.document_fromstring(answer.content.decode())

    def stop(self, what: str, name: str, **more: str) -> html.HtmlElement:
        """Press the button, and say that it is meant."""
        fields = {"daad": "intrekken", "wat": what, "naam": name, "waarom": "te druk", "zeker": "ja"}
        return self.press(**(fields | more))

    def agree(self, contract: str = "ctr_een", **changed: Any) -> Agreement:
        """A contract that runs, in the database and in the store."""
        at = datetime.now(UTC)
        told: dict[str, Any] = {
            "contract": contract,
            "handle": contract[-8:],
            "workload": WORKLOAD,
            "issuer": "bank.example",
            "client": WORKLOAD,
            "tier": "federated",
            "jkt": "k" * 43,
            "key": contract,
            "asked": "a" * 43,
            "state": AgreementState.AGREED,
            "purpose": "search",
            "note": NASTY,
            "expected_units": 50,
            "expected_writes": 1,
            "owner": "Bank",
            "owner_contact": "agents@bank.example",
            "grants": [["zoeken", ["/zoeken"]], ["rapport-aanvragen", ["/api/v1/rapporten"]]],
            "in_flight": 5,
            "units": 100,
            "writes": 5,
            "most": [10, 1000, 50],
            "pools": [],
            "asked_at": at,
            "ends_at": at + timedelta(hours=1),
            "left": 100,
            "writes_left": 5,
        }
        row = Agreement.objects.create(**(told | changed))
        self.at_store(lambda ledger: ledger.put(contract_of(row, 3600.0)))
        return row

    def ask(self, contract: str = "ctr_een", number: int = 1, token: str = "pasje-een") -> Decision:
        """What the edge says of a search under a contract, with a token by its ``jti``."""
        asked = search(contract, token=token, proof=f"{contract}.{number}", request=f"{contract}.{number}")
        decision: Decision = self.at_store(lambda ledger: ledger.decide(asked))
        return decision

    def at_store(self, work: Any) -> Any:
        async def beside() -> Any:
            async with Store(self.valkey.address) as store:
                ledger = Ledger(store)
                await ledger.open(0)
                return await work(ledger)

        return asyncio.run(beside())


@pytest.fixture
def beheer(transactional_db: None, settings: Settings) -> Iterator[Beheer]:
    with private_valkey() as valkey:
        settings.STATE_STORE = valkey.address
        client = Client()
        client.force_login(get_user_model().objects.create_superuser("beheer"))
        yield Beheer(client, valkey)


def staff(*permissions: str) -> Client:
    """Somebody who works here and may do this much."""
    user = get_user_model().objects.create_user("kijker", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client()
    client.force_login(user)
    return client


def row(page: html.HtmlElement, contract: str) -> str:
    (found,) = page.xpath("//*[@data-contract=$name]", name=contract)
    return words_of(found)


def asked(beheer: Beheer, body: dict[str, Any] | None = None, note: str = NASTY) -> Approval:
    """A change that an operator is asked to allow."""
    text = json.dumps({"vraag": "warmtenet"} if body is None else body)
    change = Change(
        contract="ctr_een",
        operation="rapport-aanvragen",
        resource="/api/v1/rapporten",
        body_sha256=body_hash(text.encode()),
    )
    del beheer
    return approvals.ask(change, workload=WORKLOAD, body=text, note=note, at=datetime.now(UTC))
