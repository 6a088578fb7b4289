"""``manage.py overspoel``: let a queue build up at a stand-in, to see in the admin how it drains. Never at a live platform."""

from __future__ import annotations

import asyncio
import io
import os
import sys
import uuid
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.utils.module_loading import import_string

from connectors.addresses import PlatformMode
from connectors.flooding import Tally, flood
from connectors.platforms import PLATFORMS
from throttling.callers import Caller

DONE, BAD_PARAMETER, NO_ANSWER, INTERRUPTED = 0, 2, 3, 130
_BOUNDS: Final = {"sessies": (1, 50), "aanroepen": (1, 1000), "seconden": (1, 900)}


class Command(BaseCommand):
    """Ends with 0 when it did what was asked, 2 when that cannot be, 3 when nothing answered, 130 after Ctrl-C."""

    help = (
        "Overspoelt een proefbron, zodat u in het beheer een rij ziet groeien en leeglopen. Kan niet bij echte bronnen."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("bron", help="welke bron, bijvoorbeeld openbesluitvorming")
        for name, usual, words in (
            ("sessies", 3, "hoeveel vragers samen"),
            ("aanroepen", 200, "hoeveel aanroepen samen, om en om verdeeld over de vragers"),
            ("seconden", 600, "na hoeveel seconden het stopt"),
        ):
            least, most = _BOUNDS[name]
            parser.add_argument(
                f"--{name}", default=str(usual), help=f"{words}, van {least} tot en met {most} ({usual})"
            )

    def handle(self, *args: Any, **options: Any) -> None:
        del args
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")  # a terminal that cannot show an accent shows the rest
        wrong = _wrong(options)
        if wrong:
            self.stderr.write(wrong)
            sys.exit(BAD_PARAMETER)
        numbers = {name: int(options[name]) for name in _BOUNDS}
        tally = Tally(numbers["aanroepen"])
        try:
            asyncio.run(self._flood(options["bron"], numbers, tally))
            code = self._end(tally)
        except KeyboardInterrupt:
            self._tell(tally, None)
            self.stdout.write("Gestopt. De plaatsen in de rij zijn opgegeven.")
            code = INTERRUPTED
        except BrokenPipeError:
            # Whoever read along has seen enough. What is left in the stream would complain once more at the end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            code = DONE
        if code:
            sys.exit(code)

    async def _flood(self, platform: str, numbers: dict[str, int], tally: Tally) -> None:
        run = uuid.uuid4().hex[:4]
        callers = [Caller(f"overspoel:{run}-{number + 1}") for number in range(numbers["sessies"])]
        self.stdout.write(
            f"{tally.calls} aanroepen van {len(callers)} vragers (overspoel {run}-1 en verder). Stoppen: Ctrl-C.\n"
            f"Kijk mee op {settings.SITE_ADDRESS}/beheer/throttling/platformstate/{platform}/nu/"
        )
        clock = asyncio.get_running_loop().time
        async with import_string(settings.FLOOD_FACTORY)(platform) as tools:
            await flood(
                tools, callers, tally, lambda: self._tell(tally, tally.last_start(clock())), numbers["seconden"]
            )

    def _tell(self, tally: Tally, last: float | None) -> None:
        estimate = "" if last is None else f", de laatste begint over ongeveer {last:.0f} s"
        trouble = "".join(
            f", {number} {words}"
            for number, words in ((tally.failed, "zonder antwoord"), (tally.closed, "niet toegelaten"))
            if number
        )
        self.stdout.write(
            f"{tally.granted} aan de beurt geweest, {tally.waiting} wachten{estimate}, "
            f"{tally.refused} geweigerd door onze rij, {tally.over_limit} door de bron{trouble}"
        )
        self.stdout.flush()

    def _end(self, tally: Tally) -> int:
        if tally.text:
            self.stderr.write(f"Een beheerder heeft deze bron uitgezet: ‘{tally.text}’")
        elif tally.closed:
            self.stderr.write("De rij was dicht: de opslag antwoordde niet, of een beheerder maakte de rij leeg.")
        if tally.waiting:
            self.stdout.write("De tijd is om. De plaatsen in de rij zijn opgegeven.")
        if tally.answered or tally.waiting:
            return DONE
        if tally.failed and not tally.text:
            self.stderr.write("De proefbron gaf geen enkel antwoord.")
        if not tally.text:
            self.stderr.write("Draait ./start wel, met dezelfde PORT en BESLUITBRON_DATA?")
        return NO_ANSWER


def _wrong(options: dict[str, Any]) -> str:
    """What cannot be done about these options, in Dutch; empty when they are good."""
    if settings.PLATFORM_MODE is PlatformMode.LIVE:
        return (
            "Overspoelen kan niet: BesluitBron vraagt nu de echte bronnen (BESLUITBRON_PLATFORMS=live). "
            "Start het zonder die instelling, dan antwoorden de proefbronnen."
        )
    if options["bron"] not in {platform.key for platform in PLATFORMS}:
        known = "".join(f"\n  {platform.key} ({platform.name})" for platform in PLATFORMS)
        return f"Deze bron kennen we niet: {options['bron']}. Kies uit:{known}"
    for name, (least, most) in _BOUNDS.items():
        text = str(options[name])
        if not (text.isascii() and text.isdigit() and least <= int(text[:9]) <= most):
            return f"--{name} is {text!r}, maar moet een heel getal zijn van {least} tot en met {most}."
    return ""
