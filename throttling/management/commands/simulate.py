"""``manage.py simulate``: play a scenario of calls through the real rules in invented time, one JSON line a call."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandParser

from throttling.private_store import private_store
from throttling.scenario import BadScenarioError, Scenario, read_scenario
from throttling.simulation import simulate
from throttling.store import StoreLostError

_BAD: Final = 2


class Command(BaseCommand):
    """Ends with 0 when the scenario was played, 2 when it cannot be."""

    help = "Speelt een scenario van aanroepen door de echte regels, in bedachte tijd."
    requires_system_checks: list[str] = []  # noqa: RUF012 - as Django declares it; nothing of the product is needed

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("scenario", help="bestand met het scenario als JSON; - leest van de invoer")

    def handle(self, *args: Any, **options: Any) -> None:
        del args
        try:
            asyncio.run(self._play(read_scenario(_read(options["scenario"]))))
        except BadScenarioError as failure:
            self._stop(f"Dit scenario kan niet worden gespeeld. {failure}")
        except OSError as failure:
            self._stop(f"Het bestand kan niet worden gelezen: {failure.strerror}. Kijk of de naam klopt.")
        except UnicodeDecodeError:
            self._stop("Het bestand is geen tekst in UTF-8. Bewaar het als UTF-8 en probeer het opnieuw.")
        except StoreLostError:
            self._stop("De opslag voor de simulatie start niet. Kijk of er ruimte is in de tijdelijke map.")

    def _stop(self, message: str) -> None:
        self.stderr.write(message)
        sys.exit(_BAD)

    async def _play(self, scenario: Scenario) -> None:
        async with private_store() as store:
            async for line in simulate(scenario, store):
                self.stdout.write(json.dumps(asdict(line), ensure_ascii=False))


def _read(name: str) -> str:
    return (sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()).decode("utf-8")
