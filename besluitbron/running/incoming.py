"""What the environment says of how much may come in: at the MCP endpoints, the pages and the API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from besluitbron.running.faults import OptionsError
from besluitbron.running.rates import read_rate
from throttling.incoming_rules import CONNECTOR, OPENING, PROCESS, SESSION, DoorRules, IncomingRules, Rate

_MCP: Final = "BESLUITBRON_MCP_RATE_LIMIT"
_PAGE: Final = "BESLUITBRON_PAGINA_RATE_LIMIT"
_API: Final = "BESLUITBRON_API_RATE_LIMIT"
_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    _MCP: (PROCESS, CONNECTOR, SESSION, OPENING),
    _PAGE: (CONNECTOR, SESSION),
    _API: (CONNECTOR, SESSION),
}
_USUAL: Final = IncomingRules()


@dataclass(frozen=True, slots=True)
class IncomingOptions:
    """The limits, and what the environment says of them, for every part of a run. Vendors' own rates stand with the vendors."""

    rules: IncomingRules = field(default_factory=IncomingRules)
    given: Mapping[str, str] = field(default_factory=dict)


def read_incoming_options(environment: Mapping[str, str]) -> IncomingOptions:
    """The options in ``environment``; what is unset, empty or not named keeps its default. Raises ``OptionsError``."""
    given = {name: environment[name].strip() for name in _NAMES if environment.get(name, "").strip()}
    mcp, page, api = (dict(_rates(setting, given.get(setting, ""))) for setting in _NAMES)
    rules = IncomingRules(
        process=mcp.get(PROCESS, _USUAL.process),
        mcp=DoorRules(mcp.get(CONNECTOR, _USUAL.mcp.connector), mcp.get(SESSION, _USUAL.mcp.session)),
        page=DoorRules(page.get(CONNECTOR, _USUAL.page.connector), page.get(SESSION, _USUAL.page.session)),
        api=DoorRules(api.get(CONNECTOR, _USUAL.api.connector), api.get(SESSION, _USUAL.api.session)),
        opening=mcp.get(OPENING, _USUAL.opening),
    )
    return IncomingOptions(rules, given)


def _rates(setting: str, text: str) -> Mapping[str, Rate]:
    names, found = _NAMES[setting], dict[str, Rate]()
    for part in filter(None, map(str.strip, text.split(","))):
        name, equals, wanted = (piece.strip() for piece in part.partition("="))
        if name not in names:
            message = f"{setting} noemt {name!r}, maar die grens bestaat niet. Kies uit: {', '.join(names)}."
            raise OptionsError(message)
        if not equals:
            message = f"{setting} zegt niets bij {name!r}. Schrijf bijvoorbeeld {name}=20."
            raise OptionsError(message)
        if name in found:
            message = f"{setting} noemt {name!r} twee keer."
            raise OptionsError(message)
        found[name] = read_rate(setting, name, wanted)
    return found
