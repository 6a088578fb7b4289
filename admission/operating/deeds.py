"""What an operator wants stopped or lifted, read from a form. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from admission.contracts import Stop
from admission.proofs.tokens import LIFETIMES

LONGEST_WHY: Final = 200
STOP: Final = "intrekken"
LIFT: Final = "opheffen"
LIFTABLE: Final = frozenset({Stop.WORKLOAD, Stop.ISSUER, Stop.WRITES})
"""What may be let in again; what was agreed before stays stopped."""
TOKEN_SECONDS: Final = float(max(LIFETIMES.values()))
"""So long a token is remembered: the longest that it can live."""
NAMES: Final[Mapping[Stop, str]] = {
    Stop.TOKEN: "pasje",
    Stop.CONTRACT: "contract",
    Stop.WORKLOAD: "werklast",
    Stop.ISSUER: "uitgever",
    Stop.WRITES: "alle wijzigingen",
}
_LONGEST_NAME: Final = 512


class BadDeedError(ValueError):
    """What was asked cannot be done; the text is Dutch, for the operator."""


@dataclass(frozen=True, slots=True)
class Deed:
    """Stop something, or ``lifts`` it. ``name``: of what; empty for all changes. ``why``: kept, and told to who was stopped."""

    what: Stop
    name: str
    why: str
    lifts: bool = False

    @property
    def done(self) -> str:
        """What was done, in a sentence."""
        name = f" {self.name}" if self.name else ""
        if self.what is Stop.WRITES:
            return "Wijzigingen kunnen weer." if self.lifts else "Alle wijzigingen staan stil."
        if self.lifts:
            return f"Opgeheven: {NAMES[self.what]}{name}. Er kan weer een nieuw contract komen."
        return f"Ingetrokken: {NAMES[self.what]}{name}. Het volgende verzoek wordt geweigerd."


def read_deed(fields: Mapping[str, str], is_known: Callable[[Stop, str], bool]) -> Deed:
    """The deed in the fields of a form. Raises ``BadDeedError``."""
    wrong, deed = _read(fields, is_known)
    if deed is None:
        raise BadDeedError(wrong)
    return deed


def _read(fields: Mapping[str, str], is_known: Callable[[Stop, str], bool]) -> tuple[str, Deed | None]:
    word, given = fields.get("daad", ""), fields.get("wat", "")
    if word not in {STOP, LIFT} or given not in {one.value for one in Stop}:
        return "Dit kan hier niet. Kies een van de knoppen op deze pagina.", None
    what, lifts = Stop(given), word == LIFT
    if lifts and what not in LIFTABLE:
        return "Wat is ingetrokken, blijft dat. Alleen een werklast, een uitgever en wijzigingen kunnen weer aan.", None
    name = "" if what is Stop.WRITES else fields.get("naam", "").strip()
    if what is not Stop.WRITES and not (0 < len(name) <= _LONGEST_NAME and name.isprintable()):
        return f"Schrijf op welk {NAMES[what]}.", None
    if what is not Stop.TOKEN and not is_known(what, name):
        return f"Dit kennen we niet: {NAMES[what]} {name}. Er is niets gedaan.", None
    why = " ".join(fields.get("waarom", "").split())
    if not why or len(why) > LONGEST_WHY or not why.isprintable():
        return f"Schrijf waarom, in hooguit {LONGEST_WHY} tekens. Wie wordt gestopt, leest dat.", None
    return "", Deed(what, name, why, lifts)
