"""Whom the operator trusts to say who a job is, and which clients may name themselves: read once from a file of the operator.

Without a file nobody is trusted: then there are ad hoc contracts alone. A mistake in the file is told in Dutch, and
nothing starts with half of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from admission.contracts import Budget, Tier
from admission.proofs.identities import Method, Subjects
from admission.proofs.keys import STRONG, SVID_USE, Algorithm, KeySet, UnusableKeyError, key_set
from admission.targets import BadTargetError, Target
from admission.tiers import AD_HOC_ISSUER, RULES, Share, TierRules

_TOP: Final = frozenset({"trustDomains", "platforms", "clients", "tiers"})
_DOMAIN: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,254}", re.ASCII)
_HOST: Final = re.compile(r"\*|(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+", re.ASCII)
_TIERS: Final = MappingProxyType({tier.value: tier for tier in RULES})


class TrustFileError(Exception):
    """The file of the operator cannot be used. The text is Dutch, for whoever starts the product."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Voucher:
    """Somebody who may say who a job is: a trust domain of SPIFFE, or the issuer of a platform's tokens.

    Its keys stand in the file (``keys``) or at an address (``keys_at``).
    """

    name: str
    method: Method
    subjects: Subjects
    keys: KeySet | None = None
    keys_at: str = ""
    algorithms: frozenset[Algorithm] = STRONG

    @property
    def key_use(self) -> str:
        """The use that a key of it must name."""
        return SVID_USE if self.method is Method.SVID else "sig"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """What the operator allows. ``clients``: hosts of documents of clients, ``*.`` for all below one, ``*`` for any."""

    vouchers: tuple[Voucher, ...] = ()
    clients: tuple[str, ...] = ()
    tiers: Mapping[Tier, TierRules] = field(default_factory=lambda: RULES)

    def voucher(self, method: Method, name: str) -> Voucher | None:
        """Who has this name and proves in this way."""
        return next((one for one in self.vouchers if (one.method, one.name) == (method, name)), None)

    def allows(self, host: str) -> bool:
        """Whether clients may have their documents at a host."""
        return any(
            one in {"*", host} or (one.startswith("*.") and host.endswith(one.removeprefix("*")))
            for one in self.clients
        )


def read_trust(text: str) -> Trust:
    """From the text of the file (see ``docs/doen/agents-toelaten.md``). Raises ``TrustFileError``."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        message = "Het bestand is geen JSON."
        raise TrustFileError(message) from None
    found = _members(given, "het bestand", _TOP)
    domains = _list(found.get("trustDomains", []), "trustDomains")
    platforms = _list(found.get("platforms", []), "platforms")
    vouchers = (
        *(_trust_domain(one, f"trustDomains {place}") for place, one in enumerate(domains, 1)),
        *(_platform(one, f"platforms {place}") for place, one in enumerate(platforms, 1)),
    )
    if len({(one.method, one.name) for one in vouchers}) < len(vouchers):
        message = "Een naam of uitgever staat er twee keer in."
        raise TrustFileError(message)
    clients = tuple(_list(found.get("clients", []), "clients"))
    if not all(isinstance(host, str) and _HOST.fullmatch(host) for host in clients):
        message = "clients noemt iets dat geen naam van een website is, zoals agents.voorbeeld.nl of *.voorbeeld.nl."
        raise TrustFileError(message)
    return Trust(vouchers=vouchers, clients=clients, tiers=_tiers(found.get("tiers", {})))


def _trust_domain(given: Any, where: str) -> Voucher:
    found = _members(given, where, frozenset({"name", "subjects", "keys", "keysAt"}))
    name = found.get("name")
    if not isinstance(name, str) or not _DOMAIN.fullmatch(name) or name == AD_HOC_ISSUER:
        message = f"{where}: name moet de naam van het trust domain zijn, zonder spiffe:// en niet ad-hoc."
        raise TrustFileError(message)
    subjects = _subjects(found.get("subjects"), where)
    if not all(pattern.startswith(f"spiffe://{name}/") for pattern in subjects.patterns):
        message = f"{where}: elk patroon begint met spiffe://{name}/."
        raise TrustFileError(message)
    keys, at = _keys(found, where, SVID_USE)
    return Voucher(name=name, method=Method.SVID, subjects=subjects, keys=keys, keys_at=at)


def _platform(given: Any, where: str) -> Voucher:
    found = _members(given, where, frozenset({"issuer", "subjects", "keys", "keysAt", "algorithms"}))
    issuer = found.get("issuer")
    if not isinstance(issuer, str) or not issuer.startswith("https://") or not issuer.isascii() or "#" in issuer:
        message = f"{where}: issuer moet het adres zijn dat in iss staat, en begint met https://."
        raise TrustFileError(message)
    asked = _list(found.get("algorithms", sorted(STRONG)), f"{where}, algorithms")
    if not asked or not set(asked) <= set(Algorithm):
        message = f"{where}: algorithms mag {', '.join(Algorithm)} bevatten."
        raise TrustFileError(message)
    keys, at = _keys(found, where, "sig")
    return Voucher(
        name=issuer,
        method=Method.PLATFORM,
        subjects=_subjects(found.get("subjects"), where),
        keys=keys,
        keys_at=at,
        algorithms=frozenset(map(Algorithm, asked)),
    )


def _keys(found: Mapping[str, Any], where: str, use: str) -> tuple[KeySet | None, str]:
    at = found.get("keysAt", "")
    if ("keys" in found) == bool(at):
        message = f"{where}: geef keys of keysAt, een van beide."
        raise TrustFileError(message)
    try:
        if at:
            return None, Target.of(at if isinstance(at, str) else "").url
        keys = key_set(json.dumps(found["keys"]).encode(), use=use)
    except BadTargetError:
        message = f"{where}: keysAt moet een adres met https:// en een naam zijn."
        raise TrustFileError(message) from None
    except UnusableKeyError:
        message = f"{where}: keys is geen verzameling publieke sleutels (JWK Set), elk met een kid."
        raise TrustFileError(message) from None
    if not keys.keys:
        message = f"{where}: keys heeft geen sleutel die hier te gebruiken is."
        raise TrustFileError(message)
    return keys, ""


def _subjects(given: Any, where: str) -> Subjects:
    patterns = _list(given, f"{where}, subjects")
    try:
        if patterns and all(isinstance(one, str) and one.strip("*") for one in patterns):
            return Subjects(tuple(patterns))
    except ValueError:
        pass
    message = (
        f"{where}: subjects moet patronen bevatten, met hooguit drie sterretjes en tussen twee / of : hooguit een."
    )
    raise TrustFileError(message)


def _tiers(given: Any) -> Mapping[Tier, TierRules]:
    found = _members(given, "tiers", frozenset(_TIERS))
    return MappingProxyType({**RULES, **{_TIERS[name]: _tier(name, found[name]) for name in found}})


def _tier(name: str, given: Any) -> TierRules:
    where, usual = f"tiers, {name}", RULES[_TIERS[name]]
    found = _members(given, where, frozenset({"usual", "most", "shared"}))
    shared = _numbers(found.get("shared", {}), f"{where}, shared", ("in_flight", "units"))
    return TierRules(
        usual=_budget(found.get("usual", {}), f"{where}, usual", usual.usual),
        most=_budget(found.get("most", {}), f"{where}, most", usual.most),
        shared=Share(shared.get("in_flight", usual.shared.in_flight), shared.get("units", usual.shared.units)),
    )


def _budget(given: Any, where: str, usual: Budget) -> Budget:
    found = _numbers(given, where, ("in_flight", "units", "writes"))
    return Budget(
        in_flight=found.get("in_flight", usual.in_flight),
        units=found.get("units", usual.units),
        writes=found.get("writes", usual.writes),
    )


def _numbers(given: Any, where: str, names: tuple[str, ...]) -> Mapping[str, int]:
    found = _members(given, where, frozenset(names))
    for name, number in found.items():
        least = 0 if name == "writes" else 1
        if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= 10**6:
            message = f"{where}: {name} moet een heel getal van {least} tot een miljoen zijn."
            raise TrustFileError(message)
    return found


def _members(given: Any, where: str, names: frozenset[str]) -> Mapping[str, Any]:
    if not isinstance(given, dict):
        message = f"{where} moet een object zijn."
        raise TrustFileError(message)
    if other := sorted(set(given) - names):
        message = f"{where} noemt {other[0]!r}, maar dat bestaat niet. Kies uit: {', '.join(sorted(names))}."
        raise TrustFileError(message)
    return given


def _list(given: Any, where: str) -> list[Any]:
    if not isinstance(given, list):
        message = f"{where} moet een lijst zijn."
        raise TrustFileError(message)
    return given
