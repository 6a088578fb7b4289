"""``manage.py controleer``: do the platforms still answer as we expect? For people, or as data."""

from __future__ import annotations

import asyncio
import io
import json
import math
import os
import sys
from datetime import UTC
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from connectors.apps import open_house
from connectors.connector import Connector
from connectors.moments import now
from connectors.upkeep import Checked, House, Verdict, check_all

ALL_GOOD, NOT_AS_EXPECTED, BAD_PARAMETER, OWN_FAULT, INTERRUPTED = 0, 1, 2, 3, 130


class Command(BaseCommand):
    """Check platforms.

    Ends with 0 when all is well, 1 when something is not as expected, 2 for an unknown platform, 3 when nothing could be asked
    because of a fault of our own.
    """

    help = "Controleert of de bronnen nog antwoorden zoals verwacht."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--platform", action="append", default=[], help="alleen deze bron, bijvoorbeeld rechtspraak; mag vaker"
        )
        parser.add_argument("--json", action="store_true", dest="as_data", help="toon de uitkomst als gegevens")

    def handle(self, *args: Any, **options: Any) -> None:
        del args
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")  # a terminal that cannot show an accent shows the rest
        try:
            code = self._check(open_house(), options["platform"], as_data=options["as_data"])
        except KeyboardInterrupt:
            code = INTERRUPTED
        except BrokenPipeError:
            # Whoever read along has seen enough. What is left in the stream would complain once more at the end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            code = ALL_GOOD
        if code:
            sys.exit(code)

    def _check(self, house: House, wanted: list[str], *, as_data: bool) -> int:
        known = {connector.platform.key: connector for connector in house.connectors}
        unknown = [key for key in wanted if key not in known]
        if unknown:
            self.stderr.write(f"Deze bron kennen we niet: {', '.join(unknown)}. Kies uit:")
            for connector in known.values():
                self.stderr.write(f"  {connector.platform.key} ({connector.platform.name})")
            return BAD_PARAMETER
        chosen = [connector for key, connector in known.items() if not wanted or key in wanted]
        checked = asyncio.run(self._collect(house, chosen, quiet=as_data))
        if as_data:
            data = {"tijdstip": now().astimezone(UTC).isoformat(), "platforms": [_as_data(one) for one in checked]}
            self.stdout.write(json.dumps(data, ensure_ascii=False, indent=2))
        if any(one.is_ours for one in checked):
            self.stderr.write(
                "BesluitBron kan niet bij haar eigen opslag voor de beurten. Aan de bronnen ligt het niet. "
                "Start ./start, met dezelfde map (BESLUITBRON_DATA), en probeer het opnieuw."
            )
            return OWN_FAULT
        failed = any(one.verdict in {Verdict.BAD, Verdict.NOT_ASKED} for one in checked)
        return NOT_AS_EXPECTED if failed else ALL_GOOD

    async def _collect(self, house: House, chosen: list[Connector], *, quiet: bool) -> list[Checked]:
        found: list[Checked] = []
        async for one in check_all(house, chosen, self._waiting):
            found.append(one)
            if not quiet:
                self._print(one)
        return found

    def _waiting(self, seconds: float) -> None:
        self.stderr.write(f"Even wachten op een beurt bij deze bron (ongeveer {math.ceil(seconds)} s).")

    def _print(self, one: Checked) -> None:
        self.stdout.write(f"── {one.platform.name}: {one.words}")
        for result in one.results:
            seen = f": {result.seen}" if result.seen else ""
            self.stdout.write(f"   {'goed' if result.ok else 'FOUT'}  {result.name}{seen}")


def _as_data(one: Checked) -> dict[str, Any]:
    results = [{"naam": result.name, "goed": result.ok, "gezien": result.seen} for result in one.results]
    return {"platform": one.platform.key, "staat": one.verdict.value, "controles": results}
