"""What somebody asks for in a contract, read strictly: all that is wrong is said at once, and free text decides nothing.

Asking too much is no fault: it is narrowed (``Wish.narrowed``). What does not exist, or cannot be an amount, is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Final

from admission.contracts import MOST_SECONDS, MOST_UNITS, Budget, Grant
from admission.operations import Operation, Operations
from admission.proofs.addresses import normal_path
from admission.proofs.tokens import CLASSES
from admission.texts import plain
from admission.tiers import TierRules
from throttling.words import Words, later
from throttling.work import Access

TYPE: Final = "urn:besluitbron:admission:v1"
"""The type of our ``authorization_details`` (RFC 9396). Private, until there is a registry of them."""
UNIT: Final = "unit"
USUAL_SECONDS: Final = 3_600
MOST_DETAILS: Final = 8
MOST_ACTIONS: Final = 50
MOST_PREFIXES: Final = 20
MOST_NOTE: Final = 500
_MOST_UNKNOWN: Final = 10
_PLAIN_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,31}", re.ASCII)
_TOOL: Final = "mcp:"
_CONTACT: Final = re.compile(
    r"(?:mailto:[^\s@<>\"]{1,64}@[a-z0-9.-]{3,200}|https://[a-z0-9.-]{3,200}(?:/[!-~]{0,90})?)", re.IGNORECASE
)
_WISH: Final = frozenset({"purpose", "owner", "expected_use", "authorization_details", "budget", "expires_in"})
_UNITS: Final = frozenset({"in_flight", "units", "writes", "unit"})
_DETAIL: Final = frozenset({"type", "class", "actions", "locations", "prefixes"})
PURPOSES: Final[Mapping[str, str]] = {
    "search": "antwoorden van deze website opnemen in een zoekmachine of index",
    "answer": "de vraag van één mens beantwoorden",
    "monitoring": "geregeld kijken wat er nieuw is",
    "research": "onderzoek of journalistiek",
    "archive": "bewaren wat er was",
    "train-ai": "een taalmodel trainen",
}
"""What a job may be for, with what that means. ``search`` and ``train-ai`` are words of AIPREF. It decides nothing."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: where (names with dots between), and why."""

    name: str
    reason: Words


class BadWishError(Exception):
    """A wish that cannot be read."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("bad wish")
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What is told to the operator: purpose, owner, and what is expected. Words of a stranger."""

    purpose: str
    note: str
    owner: str
    owner_contact: str
    expected_units: int
    expected_writes: int
    expected_note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A contract as it is asked for. ``budget`` None: the usual one of the tier. ``granted``: per class, what is asked."""

    said: Said
    granted: Mapping[Access, tuple[Grant, ...]]
    budget: Budget | None
    seconds: int

    def narrowed(self, rules: TierRules, *, may_write: bool) -> tuple[tuple[Grant, ...], Budget]:
        """What may be had of it in a tier: less than asked, where that is too much. No grants: nothing is left."""
        write = self.granted.get(Access.WRITE, ()) if may_write else ()
        asked, most = self.budget or rules.usual, rules.most
        budget = Budget(
            in_flight=min(asked.in_flight, most.in_flight),
            units=min(asked.units, most.units),
            writes=min(asked.writes, most.writes) if write else 0,
        )
        return (*self.granted.get(Access.READ, ()), *write), budget


class Reader:
    """Reads wishes for the operations of this site. ``tools_below``: where the address of every MCP tool begins."""

    def __init__(self, operations: Operations, site: str, tools_below: str) -> None:
        self._operations = operations
        self._site = site
        self._tools_below = tools_below

    def read(self, asked: Mapping[str, Any]) -> Wish:
        """A wish as JSON has it (see ``docs/naslag/contracten-aanvragen.md``). Raises ``BadWishError``."""
        faults = _unknown("", asked, _WISH)
        said = _said(asked, faults)
        granted = self._granted(asked.get("authorization_details"), faults)
        budget = _budget(asked.get("budget"), faults, writes=Access.WRITE in granted)
        seconds = _seconds(asked.get("expires_in", USUAL_SECONDS), faults)
        if faults or said is None:
            raise BadWishError(faults)
        return Wish(said=said, granted=granted, budget=budget, seconds=seconds)

    def _granted(self, details: Any, faults: list[Fault]) -> dict[Access, tuple[Grant, ...]]:
        name = "authorization_details"
        if not isinstance(details, list) or not 0 < len(details) <= MOST_DETAILS:
            faults.append(Fault(name, later("Geef een lijst van 1 tot {most}.", most=MOST_DETAILS)))
            return {}
        found: dict[Access, dict[str, Grant]] = {}
        for place, detail in enumerate(details):
            where = f"{name}.{place}"
            if not isinstance(detail, dict):
                faults.append(Fault(where, later("Geef een object.")))
                continue
            access, grants = self._detail(where, detail, faults)
            if access is not None:
                for grant in grants:
                    kept = found.setdefault(access, {}).get(grant.operation)
                    found[access][grant.operation] = grant if kept is None else _both(kept, grant)
        return {access: tuple(grants.values()) for access, grants in found.items()}

    def _detail(
        self, where: str, detail: Mapping[str, Any], faults: list[Fault]
    ) -> tuple[Access | None, tuple[Grant, ...]]:
        faults += _unknown(f"{where}.", detail, _DETAIL)
        if detail.get("type") != TYPE:
            faults.append(Fault(f"{where}.type", later("Dit moet {value} zijn.", value=TYPE)))
        if detail.get("locations", [self._site]) != [self._site]:
            faults.append(Fault(f"{where}.locations", later("Dit moet alleen {value} zijn.", value=self._site)))
        access = next((one for one, word in CLASSES.items() if word == detail.get("class")), None)
        if access is None:
            faults.append(Fault(f"{where}.class", later("Kies uit: {choices}.", choices=", ".join(CLASSES.values()))))
        operations = self._actions(f"{where}.actions", detail.get("actions"), access, faults)
        prefixes = _prefixes(f"{where}.prefixes", detail.get("prefixes"), faults)
        return access, tuple(self._grant(f"{where}.prefixes", one, prefixes, faults) for one in operations)

    def _actions(self, where: str, actions: Any, access: Access | None, faults: list[Fault]) -> list[Operation]:
        if not isinstance(actions, list) or not 0 < len(actions) <= MOST_ACTIONS:
            faults.append(Fault(where, later("Geef een lijst van 1 tot {most}.", most=MOST_ACTIONS)))
            return []
        found: dict[str, Operation] = {}
        for place, action in enumerate(actions):
            operation = self._operation(action)
            if operation is None:
                faults.append(Fault(f"{where}.{place}", later("Deze handeling bestaat hier niet.")))
            elif access is not None and operation.access is not access:
                faults.append(Fault(f"{where}.{place}", later("Deze handeling is van de andere klasse.")))
            else:
                found[operation.id] = operation
        return list(found.values())

    def _operation(self, action: Any) -> Operation | None:
        if not isinstance(action, str):
            return None
        if action.startswith(_TOOL):
            found = self._operations.of_tool(action.removeprefix(_TOOL))
            return found if found.id else None
        return self._operations.named(action)

    def _grant(self, where: str, operation: Operation, prefixes: Iterable[str], faults: list[Fault]) -> Grant:
        """The grant of an operation below these prefixes: of each, what lies within where the operation is at all."""
        wanted = tuple(prefixes)
        if not wanted:
            return Grant(operation.id)
        whole = (*sorted(operation.prefixes), *((self._tools_below,) if operation.tools else ()))
        kept = {one for prefix in wanted for one in _common(prefix, whole)}
        if not kept:
            faults.append(Fault(where, later("{operation} is op geen van deze adressen.", operation=operation.id)))
        return Grant(operation.id, tuple(sorted(kept)))


def _common(prefix: str, whole: Iterable[str]) -> Iterable[str]:
    """What lies both below ``prefix`` and below one of ``whole``: whichever of two is the narrower."""
    for place in whole:
        if within(prefix, place):
            yield prefix
        elif within(place, prefix):
            yield place


def within(path: str, prefix: str) -> bool:
    """Whether an address lies below a prefix, as the edge reads it: a prefix ends where a part of the address ends."""
    rest = path[len(prefix) : len(prefix) + 1]
    return path.startswith(prefix) and (rest in {"", "/"} or prefix.endswith("/"))


def _both(one: Grant, other: Grant) -> Grant:
    """Two grants of the same operation together; one without prefixes is everywhere."""
    if not one.prefixes or not other.prefixes:
        return Grant(one.operation)
    return Grant(one.operation, tuple(sorted({*one.prefixes, *other.prefixes})))


def _prefixes(where: str, given: Any, faults: list[Fault]) -> tuple[str, ...]:
    if given is None:
        return ()
    if not isinstance(given, list) or not 0 < len(given) <= MOST_PREFIXES:
        faults.append(Fault(where, later("Geef een lijst van 1 tot {most}, of laat het weg.", most=MOST_PREFIXES)))
        return ()
    for place, prefix in enumerate(given):
        if not isinstance(prefix, str) or normal_path(prefix) != prefix:
            faults.append(
                Fault(
                    f"{where}.{place}", later("Dit is geen begin van een adres, of het is op meer manieren te lezen.")
                )
            )
            return ()
    return tuple(given)


def _said(asked: Mapping[str, Any], faults: list[Fault]) -> Said | None:
    before = len(faults)
    purpose = _object(asked, "purpose", {"code", "note"}, faults)
    owner = _object(asked, "owner", {"name", "contact"}, faults)
    expected = _object(asked, "expected_use", {"units", "writes", "note"}, faults)
    code, contact = purpose.get("code"), owner.get("contact")
    if not isinstance(code, str) or code not in PURPOSES:
        faults.append(Fault("purpose.code", later("Kies uit: {choices}.", choices=", ".join(PURPOSES))))
    if not isinstance(contact, str) or not _CONTACT.fullmatch(contact):
        faults.append(
            Fault("owner.contact", later("Geef een adres waar een mens te bereiken is: mailto:… of https://…"))
        )
    name = _words("owner.name", owner.get("name", ""), 200, faults)
    if not name:
        faults.append(Fault("owner.name", later("Zeg wie hiervoor staat.")))
    note = _words("purpose.note", purpose.get("note", ""), MOST_NOTE, faults)
    expected_note = _words("expected_use.note", expected.get("note", ""), MOST_NOTE, faults)
    units = _amount("expected_use.units", expected.get("units"), 1, faults)
    writes = _amount("expected_use.writes", expected.get("writes", 0), 0, faults)
    if len(faults) > before:
        return None
    return Said(
        purpose=str(code),
        note=note,
        owner=name,
        owner_contact=str(contact),
        expected_units=units,
        expected_writes=writes,
        expected_note=expected_note,
    )


def _object(asked: Mapping[str, Any], name: str, members: AbstractSet[str], faults: list[Fault]) -> Mapping[str, Any]:
    found = asked.get(name)
    if not isinstance(found, dict):
        faults.append(Fault(name, later("Dit is nodig, als object.")))
        return {}
    faults += _unknown(f"{name}.", found, members)
    return found


def _unknown(where: str, given: Mapping[str, Any], members: AbstractSet[str]) -> list[Fault]:
    """What has no place here, by its name where that is a plain word: nothing else that was sent is sent back."""
    others = sorted(set(given) - members)[:_MOST_UNKNOWN]
    shown = (other if _PLAIN_NAME.fullmatch(other) else "?" for other in others)
    return [Fault(f"{where}{other}", later("Dit bestaat hier niet.")) for other in shown]


def _words(where: str, given: Any, most: int, faults: list[Fault]) -> str:
    words = plain(given, most) if isinstance(given, str) else None
    if words is None:
        faults.append(Fault(where, later("Geef een tekst van hooguit {most} tekens.", most=most)))
    return words or ""


def _amount(where: str, given: Any, least: int, faults: list[Fault]) -> int:
    """A whole number from ``least`` on; what is larger than any budget is a mistake, and not a wish."""
    if isinstance(given, bool) or not isinstance(given, int) or not least <= given <= MOST_UNITS:
        faults.append(
            Fault(where, later("Geef een heel getal van {least} tot en met {most}.", least=least, most=MOST_UNITS))
        )
        return least
    return given


def _budget(given: Any, faults: list[Fault], *, writes: bool) -> Budget | None:
    if given is None:
        return None
    if not isinstance(given, dict):
        faults.append(Fault("budget", later("Geef een object, of laat het weg.")))
        return None
    faults += _unknown("budget.", given, _UNITS)
    if given.get("unit", UNIT) != UNIT:
        faults.append(Fault("budget.unit", later("Dit moet {value} zijn.", value=UNIT)))
    return Budget(
        in_flight=_amount("budget.in_flight", given.get("in_flight"), 1, faults),
        units=_amount("budget.units", given.get("units"), 1, faults),
        writes=_amount("budget.writes", given.get("writes", 0), int(writes), faults),
    )


def _seconds(given: Any, faults: list[Fault]) -> int:
    return min(_amount("expires_in", given, 1, faults), MOST_SECONDS)
