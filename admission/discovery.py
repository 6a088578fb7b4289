"""What a program needs to know before it asks for a contract: one document, and the pointers to it where programs look first.

All is made from what holds: the registry of operations, the tiers, and whom the operator trusts. Nothing here asks anybody.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from admission.arriving import MOST_BODY
from admission.contracts import MOST_CONTRACTS, MOST_SECONDS, Budget, Tier
from admission.documents import MOST_CARD
from admission.gatehouse import Gatehouse
from admission.oauth import Word
from admission.operations import Operation
from admission.problems import Refusals
from admission.proofs.dpop import WINDOW
from admission.proofs.identities import Method
from admission.proofs.tokens import CLASSES, LIFETIMES
from admission.rules import PURPOSES, TYPE, UNIT, USUAL_SECONDS
from admission.storage import LAPSES_AFTER
from admission.tokens_view import GRANT_TYPES
from throttling.incoming_rules import IncomingRules, Rate
from throttling.problems import PATH
from throttling.work import Access, Cost

VERSION: Final = "1"
EXTENSION: Final = "nl.besluitbron/admission-contract"
"""By which name MCP's ``server/discover`` tells of it."""
ALGORITHMS: Final = ("Ed25519", "ES256")
SCOPES: Final = tuple(f"admission:{word}" for word in CLASSES.values())
_COSTS: Final[Mapping[Cost, str]] = {
    Cost.ONE: "request",
    Cost.PLATFORMS: "platform",
    Cost.PARTS: "part",
    Cost.YEARS: "request; twice per platform where years are asked for",
}
"""What one unit is paid for."""
_TIERS: Final[Mapping[Tier, tuple[str, ...]]] = {
    Tier.FEDERATED: (Method.SVID, Method.PLATFORM),
    Tier.CIMD: (Method.CLIENT,),
    Tier.AD_HOC: (),
}
_PROVES: Final[Mapping[Tier, str]] = {
    Tier.FEDERATED: "a running job, vouched for by its issuer",
    Tier.CIMD: "who publishes a document, not a running job",
    Tier.AD_HOC: "a key, and nothing else",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """What the document tells of the site beside contracts: its public limits, the paths of its MCP endpoints, who to reach."""

    limits: IncomingRules
    endpoints: Sequence[str]
    contact: str


def contract_document(house: Gatehouse, site: Site) -> dict[str, Any]:
    """``/.well-known/admission-contract``."""
    origin = house.site.origin
    return {
        "version": VERSION,
        "issuer": origin,
        **_endpoints(origin),
        "jwks_uri": f"{origin}/admission/jwks.json",
        "authorization_details_type": TYPE,
        "unit": UNIT,
        "identity_methods": _methods(house),
        "operations": [_operation(one, house.serving) for one in house.operations.granted],
        "purposes": [{"code": code, "meaning": meaning} for code, meaning in PURPOSES.items()],
        "tiers": [_tier(house, tier) for tier in _TIERS],
        "lifetimes": {
            "contract": USUAL_SECONDS,
            "contract_most": MOST_SECONDS,
            "lapses_without_token": int(LAPSES_AFTER.total_seconds()),
            **{f"{CLASSES[access]}_token": seconds for access, seconds in LIFETIMES.items()},
            "proof_window": WINDOW,
        },
        "bounds": {
            "request_bytes": MOST_BODY,
            "client_document_bytes": MOST_CARD,
            "contracts_of_workload": MOST_CONTRACTS,
        },
        "anonymous": _anonymous(site),
        "problem_types": [_problem(origin, one) for one in Refusals],
        "oauth_errors": [word.value for word in Word],
        "contact": site.contact,
        "honesty": "Een contract maakt een agent aanspreekbaar en te stoppen. Het maakt hem niet betrouwbaar.",
    }


def resource_metadata(house: Gatehouse, path: str) -> dict[str, Any]:
    """RFC 9728, of the whole site (``path`` empty) or of one MCP endpoint. Bearer tokens are not taken anywhere."""
    origin = house.site.origin
    return {
        "resource": f"{origin}{path}",
        "authorization_servers": [origin],
        "scopes_supported": list(SCOPES),
        "bearer_methods_supported": [],
        "dpop_signing_alg_values_supported": list(ALGORITHMS),
        "dpop_bound_access_tokens_required": True,
        "authorization_details_types_supported": [TYPE],
        "resource_name": "BesluitBron",
        "admission_contract": f"{origin}/.well-known/admission-contract",
    }


def server_metadata(house: Gatehouse) -> dict[str, Any]:
    """RFC 8414."""
    origin = house.site.origin
    ends = _endpoints(origin)
    return {
        "issuer": origin,
        "token_endpoint": ends["token_endpoint"],
        "revocation_endpoint": ends["revocation_endpoint"],
        "jwks_uri": f"{origin}/admission/jwks.json",
        "response_types_supported": [],
        "grant_types_supported": list(GRANT_TYPES),
        "scopes_supported": list(SCOPES),
        "token_endpoint_auth_methods_supported": ["private_key_jwt", "none"],
        "token_endpoint_auth_signing_alg_values_supported": list(ALGORITHMS),
        "revocation_endpoint_auth_methods_supported": ["none"],
        "dpop_signing_alg_values_supported": list(ALGORITHMS),
        "authorization_details_types_supported": [TYPE],
        "client_id_metadata_document_supported": bool(house.trust.clients),
        "admission_contract": f"{origin}/.well-known/admission-contract",
    }


def extension(origin: str) -> dict[str, Any]:
    """What MCP's ``server/discover`` tells, under ``EXTENSION``."""
    return {"version": VERSION, "discovery": f"{origin}/.well-known/admission-contract", "required": False}


def llms_text(origin: str, endpoints: Sequence[str]) -> str:
    """``/llms.txt``: where an assistant finds what it needs."""
    return f"""# BesluitBron

> Zoekt besluiten, stukken en uitspraken van Nederlandse overheden, bij zeven openbare bronnen tegelijk, met de bron erbij.

- [MCP]({origin}{endpoints[0]}): gereedschap voor assistenten; zonder sleutel te gebruiken, binnen de openbare grenzen
- [API]({origin}/api/v1): dezelfde vragen voor programma's, met OpenAPI
- [Contract voor agents]({origin}/.well-known/admission-contract): meer ruimte, en wat iets verandert
"""


def _endpoints(origin: str) -> dict[str, str]:
    return {
        "negotiation_endpoint": f"{origin}/admission/contracts",
        "token_endpoint": f"{origin}/admission/token",
        "revocation_endpoint": f"{origin}/admission/revoke",
    }


def _methods(house: Gatehouse) -> list[dict[str, Any]]:
    shared = {"aud": house.identification.audience, "alg": list(ALGORITHMS)}
    jobs = [
        {"method": one.method.value, "issuer": one.name, **shared, "alg": _algorithms(one.algorithms)}
        for one in house.trust.vouchers
    ]
    clients = (
        [{"method": Method.CLIENT.value, "hosts": list(house.trust.clients), **shared}] if house.trust.clients else []
    )
    return [*jobs, *clients, {"method": "dpop", "alg": list(ALGORITHMS), "tier": Tier.AD_HOC.value}]


def _algorithms(allowed: Any) -> list[str]:
    return sorted(one.value for one in allowed)


def _operation(operation: Operation, serving: Callable[[str], Sequence[str]]) -> dict[str, Any]:
    """An operation with where it is: a program asks for it by its id, and never by an address."""
    told: dict[str, Any] = {
        "id": operation.id,
        "class": CLASSES[operation.access],
        "cost_per": _COSTS[operation.cost],
        "prefixes": sorted(operation.prefixes),
    }
    if operation.tools:
        tools = sorted(operation.tools)
        # In the order that the site has them in, and each once: all tools of an operation are at the same endpoints.
        told |= {
            "mcp_tools": tools,
            "mcp_endpoints": list(dict.fromkeys(one for tool in tools for one in serving(tool))),
        }
    return told


def _tier(house: Gatehouse, tier: Tier) -> dict[str, Any]:
    rules = house.trust.tiers[tier]
    writes = tier is Tier.FEDERATED
    return {
        "tier": tier.value,
        "proves": _PROVES[tier],
        "identity_methods": [str(one) for one in _TIERS[tier]],
        "classes": [CLASSES[one] for one in CLASSES if one is Access.READ or writes],
        "default_budget": _budget(rules.usual),
        "most_of_workload": _budget(rules.most),
        "shared_pool": {
            "in_flight": rules.shared.in_flight,
            "units": rules.shared.units,
            "seconds": rules.shared.seconds,
        },
    }


def _budget(budget: Budget) -> dict[str, int]:
    return {"in_flight": budget.in_flight, "units": budget.units, "writes": budget.writes}


def _anonymous(site: Site) -> dict[str, Any]:
    def told(rate: Rate) -> dict[str, int]:
        return {"units": rate.units, "seconds": rate.seconds, "burst": rate.burst}

    return {
        "why": "Wie alleen leest, heeft geen contract nodig: vragen van burgers via een assistent blijven mogelijk.",
        "mcp_session": told(site.limits.mcp.session),
        "api_session": told(site.limits.api.session),
    }


def _problem(origin: str, one: Refusals) -> dict[str, Any]:
    kind = one.value
    return {
        "reason": kind.slug,
        "type": f"{origin}{PATH}{kind.slug}",
        "status": int(kind.status),
        "code": kind.code,
        "retryable": kind.retryable,
    }
