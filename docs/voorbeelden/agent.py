"""Een agent met een contract: vragen, bewijzen, zoeken, een rapport laten maken, en ophouden als het voorbij is.

Kopieer dit bestand naar uw eigen programma. Nodig: ``pip install httpx joserfc``. Uitleg: ``docs/doen/agent-schrijven.md``.
"""

from __future__ import annotations

import hashlib
import json
import random
import secrets
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx
from joserfc import jwt
from joserfc.jwk import OKPKey

DETAILS = "urn:besluitbron:admission:v1"
ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
MCP_VERSION = "2026-07-28"
MOST_TRIES = 5
LONGEST_WAIT = 300.0


class Refused(Exception):  # noqa: N818 - dit is wat er gebeurde, geen fout van het programma
    """De website weigert. ``problem`` is het antwoord in de vorm van RFC 9457: lees ``detail``, toon het, en ga niet raden."""

    def __init__(self, problem: Mapping[str, Any]) -> None:
        super().__init__(str(problem.get("detail") or problem.get("error_description") or problem.get("title")))
        self.problem = dict(problem)

    @property
    def reason(self) -> str:
        """Het laatste deel van ``type``, zoals ``contract-revoked``."""
        return str(self.problem.get("type", "")).rpartition("/")[2]


class ContractEnded(Refused):
    """``retryable`` is false: hetzelfde nog eens vragen helpt nooit. Houd op, en zeg waarom."""


class NotNow(Refused):
    """Later kan het wel, maar zo lang wachtte dit programma niet."""


@dataclass
class Agent:
    """Eén taak, met een sleutel die alleen voor deze taak gemaakt is.

    ``site``: het adres van BesluitBron, zonder streep aan het eind. ``identity``: geeft elke keer een vers pasje van wie voor
    deze taak instaat (het platform waar zij draait), met ``{site}/admission`` als ontvanger. Zonder kan alleen lezen.
    """

    site: str
    http: httpx.Client
    identity: Callable[[], str] | None = None
    method: str = "platform-jwt"
    sleep: Callable[[float], None] = time.sleep
    contract: dict[str, Any] = field(default_factory=dict)
    _key: OKPKey = field(default_factory=lambda: OKPKey.generate_key("Ed25519"), repr=False)
    _read_token: str = field(default="", repr=False)

    # ── Het contract ─────────────────────────────────────────────────────────────────────────────────────────────────

    def negotiate(  # noqa: PLR0913 - alles wat een contract noemt
        self,
        purpose: str,
        owner: tuple[str, str],
        read: list[str],
        write: list[str] | None = None,
        *,
        units: int = 100,
        writes: int = 0,
        note: str = "",
    ) -> dict[str, Any]:
        """Vraag een contract: waarvoor, van wie, wat, en hoeveel. Wat te veel is, wordt minder; kijk wat u kreeg."""
        details = [self._details("read", read), *([self._details("write", write)] if write else [])]
        wish: dict[str, Any] = {
            "purpose": {"code": purpose, "note": note},
            "owner": {"name": owner[0], "contact": owner[1]},
            "expected_use": {"units": units, "writes": writes},
            "authorization_details": details,
            "budget": {"in_flight": 2, "units": units, "writes": writes},
            "expires_in": 3600,
        }
        once = secrets.token_urlsafe(16)  # nog eens sturen geeft hetzelfde contract

        def send() -> httpx.Response:
            vouched = {} if self.identity is None else {"identity": {"method": self.method, "token": self.identity()}}
            headers = {"DPoP": self._proof("POST", "/admission/contracts"), "Idempotency-Key": once}
            return self.http.post("/admission/contracts", json=wish | vouched, headers=headers)

        self.contract = self._until_told(send).json()
        return self.contract

    # ── Vragen ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def get(self, path: str, params: Mapping[str, Any] | None = None) -> Any:
        """Lees iets uit de API, onder het contract."""

        def send() -> httpx.Response:
            return self.http.get(path, params=params, headers=self._headers("GET", path, self._reading()))

        return self._until_told(send).json()

    def tool(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """Roep een gereedschap aan over MCP dat alleen leest; geeft zijn gegevens."""
        path = "/mcp/unified/v1"

        def send() -> httpx.Response:
            headers = self._headers("POST", path, self._reading()) | _mcp_headers(name)
            return self.http.post(path, json=_mcp_call(name, arguments), headers=headers)

        return _result(self._until_told(send).json())

    def read_headers(self, method: str, path: str, *, anew: bool = False) -> dict[str, str]:
        """Wat een verzoek dat leest meestuurt; ook voor een ander programma, zoals in ``mcp_agent.py``.

        ``anew``: met een nieuw pasje, want het oude is voorbij (401).
        """
        if anew:
            self._read_token = ""
        return self._headers(method, path, self._reading())

    def change_headers(self, method: str, path: str, operation: str, body: str, note: str = "") -> dict[str, str]:
        """Wat één verzoek dat verandert meestuurt, zodra een beheerder precies dit goedkeurde; ook voor ``mcp_agent.py``."""
        return self._headers(method, path, self._allowed(operation, path, body, note))

    # ── Veranderen: een beheerder kijkt eerst ────────────────────────────────────────────────────────────────────────

    def ask_report(self, question: Mapping[str, Any], note: str = "") -> dict[str, Any]:
        """Vraag een rapport aan bij de API, en wacht tot een beheerder het goedkeurde. Geeft hoe het met het rapport staat."""
        path, body = "/api/v1/rapporten", json.dumps(question, ensure_ascii=False).encode()

        def send() -> httpx.Response:
            # Elke keer met een nieuw pasje: het oude is na 2 minuten voorbij, de goedkeuring niet.
            token = self._allowed("rapport-aanvragen", path, body.decode(), note)
            headers = self._headers("POST", path, token) | {"Content-Type": "application/json"}
            return self.http.post(path, content=body, headers=headers)

        found: dict[str, Any] = self._until_told(send).json()
        return found

    def cancel_report(self, number: str, note: str = "") -> dict[str, Any]:
        """Trek een rapport in; ook dat keurt een beheerder goed. ``number``: het laatste deel van zijn adres."""
        path = f"/api/v1/rapporten/{number}"

        def send() -> httpx.Response:
            token = self._allowed("rapport-annuleren", path, "", note)
            return self.http.delete(path, headers=self._headers("DELETE", path, token))

        found: dict[str, Any] = self._until_told(send).json()
        return found

    def report_fault(self, fault: Mapping[str, Any], note: str = "") -> Any:
        """Meld een fout over MCP: wat de beheerder goedkeurt, zijn de argumenten van het gereedschap."""
        path, name = "/mcp/unified/v1", "meld_fout"

        def send() -> httpx.Response:
            token = self._allowed("meld-fout", path, json.dumps(fault, ensure_ascii=False), note)
            return self.http.post(
                path, json=_mcp_call(name, fault), headers=self._headers("POST", path, token) | _mcp_headers(name)
            )

        return _result(self._until_told(send).json())

    def wait_for_report(self, address: str) -> dict[str, Any]:
        """Kijk zo vaak als het antwoord zelf zegt, tot er niets meer verandert."""
        while True:
            standing: dict[str, Any] = self.get(address)
            if standing["opnieuwNa"] is None:
                return standing
            self.sleep(standing["opnieuwNa"])

    # ── Pasjes en bewijzen ───────────────────────────────────────────────────────────────────────────────────────────

    def _reading(self) -> str:
        if not self._read_token:
            self._read_token = self._until_told(lambda: self._ask_token("read")).json()["access_token"]
        return self._read_token

    def _allowed(self, operation: str, path: str, body: str, note: str) -> str:
        """Een pasje voor precies deze wijziging. 202 betekent: een beheerder moet nog kijken, vraag het straks weer."""
        told = {"operation": operation, "path": path, "body": body, "note": note}
        while True:
            answer = self._until_told(lambda: self._ask_token("write", **told))
            if answer.status_code != httpx.codes.ACCEPTED:
                token: str = answer.json()["access_token"]
                return token
            self.sleep(float(answer.headers["Retry-After"]))

    def _ask_token(self, access: str, **more: str) -> httpx.Response:
        form = {
            "grant_type": "client_credentials",
            "scope": f"admission:{access}",
            "contract": str(self.contract["contract"]),
            "resource": self.site,
        }
        if self.identity is not None:
            form |= {"client_assertion_type": ASSERTION, "client_assertion": self.identity()}
        headers = {"DPoP": self._proof("POST", "/admission/token")}
        given = {name: value for name, value in (form | more).items() if value}
        return self.http.post("/admission/token", data=given, headers=headers)

    def _headers(self, method: str, path: str, token: str) -> dict[str, str]:
        return {"Authorization": f"DPoP {token}", "DPoP": self._proof(method, path, token)}

    def _proof(self, method: str, path: str, token: str = "") -> str:
        """Een bewijs voor één verzoek: nooit twee keer gebruiken."""
        claims: dict[str, Any] = {
            "jti": secrets.token_urlsafe(16),
            "htm": method,
            "htu": f"{self.site}{path}",
            "iat": int(time.time()),
        }
        if token:
            claims["ath"] = urlsafe_b64encode(hashlib.sha256(token.encode()).digest()).rstrip(b"=").decode()
        own = self._key.as_dict(private=False)
        header = {"alg": "Ed25519", "typ": "dpop+jwt", "jwk": {name: own[name] for name in ("kty", "crv", "x")}}
        return str(jwt.encode(header, claims, self._key, algorithms=["Ed25519"]))

    def _details(self, access: str, actions: list[str]) -> dict[str, Any]:
        return {"type": DETAILS, "class": access, "actions": actions, "locations": [self.site]}

    # ── Ophouden, of nog eens ────────────────────────────────────────────────────────────────────────────────────────

    def _until_told(self, send: Callable[[], httpx.Response]) -> httpx.Response:
        """Stuur, met elke keer een nieuw bewijs. Alleen wat ``retryable`` is, wordt nog eens gestuurd, en niet eindeloos."""
        problem: dict[str, Any] | None = {}
        for _ in range(MOST_TRIES):
            answer = send()
            problem = problem_of(answer)
            if problem is None:
                return answer
            if problem.get("retryable") is not True:
                raise ContractEnded(problem)
            self._read_token = ""
            wait = float(answer.headers.get("Retry-After") or problem.get("retryAfter") or 0)
            if wait > LONGEST_WAIT:
                break
            self.sleep(wait + random.uniform(0, 1))  # noqa: S311 - spreiding, geen geheim
        raise NotNow(problem or {})


def problem_of(answer: httpx.Response) -> dict[str, Any] | None:
    """Het probleem in een antwoord: van HTTP (RFC 9457), van OAuth, of als ``data`` van een fout van JSON-RPC."""
    try:
        told = answer.json()
    except ValueError:
        told = {}
    if not isinstance(told, dict):
        return None
    error = told.get("error")
    if isinstance(error, dict):
        data = error.get("data")
        return data if isinstance(data, dict) and "retryable" in data else {"detail": str(error.get("message", ""))}
    return told if answer.is_error else None


def _mcp_headers(name: str) -> dict[str, str]:
    return {
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": MCP_VERSION,
        "Mcp-Method": "tools/call",
        "Mcp-Name": name,
    }


def _mcp_call(name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    prefix = "io.modelcontextprotocol/"
    meta = {f"{prefix}protocolVersion": MCP_VERSION, f"{prefix}clientCapabilities": {}}
    return {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": name, "arguments": dict(arguments), "_meta": meta},
    }


def _result(told: Mapping[str, Any]) -> Any:
    result = told["result"]
    if result.get("isError"):
        raise ValueError(result["content"][0]["text"])
    return result["structuredContent"]


def example(site: str, identity: Callable[[], str]) -> None:
    """Zoek, laat een rapport maken, en houd netjes op."""
    with httpx.Client(base_url=site, timeout=60) as http:
        agent = Agent(site, http, identity)
        try:
            agent.negotiate(
                "monitoring",
                ("Redactie Voorbeeld", "mailto:redactie@voorbeeld.example"),
                ["zoeken", "lezen", "rapport-lezen"],
                ["rapport-aanvragen"],
                units=200,
                writes=1,
            )
            print(agent.get("/api/v1/_zoek", {"vraag": "warmtenet", "organisatie": "gemeente-ede"}))  # noqa: T201 - een voorbeeld
            print("Een beheerder kijkt nu naar het rapport, in /beheer/ bij Goedkeuringen.")  # noqa: T201 - idem
            report = agent.ask_report(
                {"vraag": "warmtenet", "organisatie": ["gemeente-ede"]}, "voor het dossier warmte"
            )
            print(agent.wait_for_report(f"/api/v1/rapporten/{report['bladzijde'].rpartition('/')[2]}"))  # noqa: T201 - idem
        except ContractEnded as ended:
            print(f"Gestopt ({ended.reason}): {ended}")  # noqa: T201 - idem
        except NotNow as later:
            print(f"Nu niet ({later.reason}), probeer het straks opnieuw: {later}")  # noqa: T201 - idem
