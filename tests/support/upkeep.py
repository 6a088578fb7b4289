"""Maintenance in tests: a house of a few platforms, and a background that only writes down what was sent to it."""

from __future__ import annotations

from besluitbron.composition import UpkeepHouse
from connectors.calls import Ask
from connectors.connector import Connector
from connectors.exceptions import NotSupportedError, Unsupported
from connectors.platforms import OPEN_ARCHIVARIS, RECHTSPRAAK
from connectors.records import BodyKind, CheckResult, ListItem, Lists, Organisation
from tests.support.scripted import ScriptedConnector


class SmallHouse(UpkeepHouse):
    """The two platforms without a known limit: their maintenance has no pause to wait for."""

    def __init__(self) -> None:
        super().__init__()
        keys = {"open-raadsinformatie", "tweede-kamer"}
        self.connectors = tuple(one for one in self.connectors if one.platform.key in keys)


class HouseWithoutAddress(UpkeepHouse):
    """One platform that has no address in live mode, whatever the registry has."""

    def __init__(self) -> None:
        super().__init__()
        one: Connector = ScriptedConnector(OPEN_ARCHIVARIS)
        self.connectors = (one,)


class HouseWithoutLists(UpkeepHouse):
    """One platform that can give no lists."""

    def __init__(self) -> None:
        super().__init__()
        one: Connector = ListlessConnector(OPEN_ARCHIVARIS)
        self.connectors = (one,)


class ListlessConnector(ScriptedConnector):
    """A connector that ships one organisation and cannot ask for more."""

    def organisations(self) -> tuple[Organisation, ...]:
        return (Organisation("gemeente-ede", "Gemeente Ede", BodyKind.GEMEENTE),)

    async def lists(self, ask: Ask) -> Lists:
        raise NotSupportedError(self.platform.key, Unsupported.NO_SUCH_FUNCTION)


class HouseWithAnOddName(UpkeepHouse):
    """A platform that gives a name which no database takes, in front of one that is fine."""

    def __init__(self) -> None:
        super().__init__()
        odd: Connector = OddConnector(OPEN_ARCHIVARIS)
        fine: Connector = ListlessConnector(RECHTSPRAAK)
        self.connectors = (odd, fine)


class HouseOfFaults(UpkeepHouse):
    """One platform whose connector breaks."""

    def __init__(self) -> None:
        super().__init__()
        one: Connector = BrokenConnector(OPEN_ARCHIVARIS)
        self.connectors = (one,)


class OddConnector(ListlessConnector):
    """A connector that gives a second organisation, and half a character in a list behind that."""

    async def lists(self, ask: Ask) -> Lists:
        other = Organisation("gemeente-texel", "Gemeente Texel", BodyKind.GEMEENTE)
        return Lists((*self.organisations(), other), (("wijken", (ListItem("w1", "Wijk \ud800"),)),))


class BrokenConnector(ScriptedConnector):
    """A connector with a fault of ours."""

    async def lists(self, ask: Ask) -> Lists:
        raise ZeroDivisionError

    async def check(self, ask: Ask) -> tuple[CheckResult, ...]:
        raise ZeroDivisionError


SENT: list[tuple[str, tuple[str, ...], dict[str, bool]]] = []
"""What was sent to the background; a test empties it first."""


def send(task: str, *arguments: str, **options: bool) -> None:
    """Stands in for the broker."""
    SENT.append((task, arguments, options))
