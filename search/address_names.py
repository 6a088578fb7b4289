"""The names in an address: which one was meant where a name is unknown, and which are not ours to look at.

An unknown name is refused and never dropped in silence: ``soorten=motie`` would otherwise give every kind (field report 8).
Names that mailings and advertisers hang behind any link ask nothing, so they are left out. Pure.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from search.exceptions import SHOWN_CHARACTERS, Fault, FieldFault

SHOWN: Final = 64
"""How many characters of an unknown name are looked at, and shown."""
_TOLD: Final = 20
"""How many unknown names are told at once."""
_NEAR: Final = 0.6
_TRACKING: Final = frozenset({"fbclid", "gclid", "dclid", "gbraid", "wbraid", "msclkid", "igshid"})
_TRACKING_BEGINS: Final = ("utm_", "mc_")
_MEANT: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "q": ("vraag", "naam"),
        "query": ("vraag", "naam"),
        "zoek": ("vraag", "naam"),
        "vraag": ("naam",),
        "bron": ("platform",),
        "type": ("soort",),
        "page": ("pagina",),
        "from": ("van",),
        "until": ("tot",),
        "sort": ("sorteer",),
    }
)


def is_tracking(name: str) -> bool:
    """Whether a name in an address only tells by which link somebody came."""
    lowered = name.lower()
    return lowered in _TRACKING or lowered.startswith(_TRACKING_BEGINS)


def asked_only(values: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """The names and values of an address without those that only tell by which link somebody came."""
    return {name: list(given) for name, given in values.items() if not is_tracking(name)}


def meant(name: str, known: Sequence[str]) -> str:
    """The name among ``known`` that was probably meant; empty when none comes near."""
    lowered = name[:SHOWN].lower()
    usual = [one for one in _MEANT.get(lowered, ()) if one in known]
    return next(iter(usual or difflib.get_close_matches(lowered, known, 1, _NEAR)), "")


def unknown_names(given: Iterable[str], known: Sequence[str], beside: Collection[str] = ()) -> tuple[FieldFault, ...]:
    """A fault for each name that is neither ``known`` nor ``beside`` them, with the one that was probably meant as its choice.

    The name stands in ``value``, which shows in no log: somebody may have typed his question there.
    """
    names = [name for name in given if name not in known and name not in beside and not is_tracking(name)]
    return tuple(_unknown(name, meant(name, known)) for name in names[:_TOLD])


def _unknown(name: str, near: str) -> FieldFault:
    return FieldFault("", Fault.UNKNOWN_NAME, name.strip()[:SHOWN_CHARACTERS], ((near, near),) if near else ())
