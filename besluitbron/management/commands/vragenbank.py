"""``manage.py vragenbank``: put the questions of the bank to page, API and MCP, and say where each was lost."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from besluitbron.bank import record
from besluitbron.bank.own_product import own_products
from besluitbron.bank.questions import BadQuestionError, BankQuestion, UserGroup, read_bank, read_others
from besluitbron.bank.running import doors_of, run, warm
from besluitbron.bank.scoring import Outcome
from besluitbron.bank.web import Unanswered, Web
from besluitbron.running.alone import NotStartedError
from connectors.moments import AMSTERDAM, now

FOLDER: Final = Path("tests") / "vragenbank"
LOST: Final = 1
PRODUCTS: Final = 2
_FEW: Final = 40


class Command(BaseCommand):
    """Ends with 0, or with 1 when less than ``--minstens`` percent is right."""

    help = "Stelt de vragen van de vragenbank bij pagina, API en MCP, en zegt waar elke verloren vraag verloren ging."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--adres", default="", help="een BesluitBron die al draait; anders start het commando een eigen"
        )
        parser.add_argument("--groep", action="append", default=[], choices=[one.value for one in UserGroup])
        parser.add_argument("--alleen", action="append", default=[], metavar="ID", help="alleen deze vraag; mag vaker")
        parser.add_argument("--json", action="store_true", dest="as_data", help="toon de uitslag als gegevens")
        parser.add_argument("--bewaar", default="", metavar="BESTAND", help="schrijf de uitslag ook hierheen")
        parser.add_argument("--minstens", type=float, default=0.0, help="eindig met 1 als minder procent goed is")

    def handle(self, *args: Any, **options: Any) -> None:
        del args
        questions = self._chosen(options)
        address = options["adres"]
        count = 1 if len(questions) <= _FEW else PRODUCTS
        where: AbstractContextManager[tuple[str, ...]] = nullcontext((address,)) if address else own_products(count)
        try:
            with where as addresses:
                outcomes = asyncio.run(_asked(questions, addresses))
        except (NotStartedError, Unanswered, ValueError) as error:
            raise CommandError(str(error)) from error
        found = record.record(
            questions,
            outcomes,
            version=settings.VERSION,
            day=now().astimezone(AMSTERDAM).date().isoformat(),
            over=record.ELSEWHERE if address else record.STAND_INS,
        )
        as_data = json.dumps(found, ensure_ascii=False, indent=1)
        self.stdout.write(as_data if options["as_data"] else "\n".join(record.lines(found)))
        if options["bewaar"]:
            Path(options["bewaar"]).write_text(f"{as_data}\n", encoding="utf-8")
        if found["score"][-1]["procent"] < options["minstens"]:
            sys.exit(LOST)

    def _chosen(self, options: dict[str, Any]) -> Sequence[BankQuestion]:
        try:
            folder = settings.BASE_DIR / FOLDER
            questions = (*read_bank(folder), *read_others(folder))
        except FileNotFoundError as error:
            message = "De vragen staan in tests/vragenbank/, en die map is er niet bij deze installatie."
            raise CommandError(message) from error
        except BadQuestionError as error:
            raise CommandError(str(error)) from error
        groups, only = set(options["groep"]), set(options["alleen"])
        chosen = [one for one in questions if (not groups or one.group in groups) and (not only or one.id in only)]
        if not chosen:
            message = "Geen enkele vraag heet zo."
            raise CommandError(message)
        return chosen


async def _asked(questions: Sequence[BankQuestion], addresses: Sequence[str]) -> list[Outcome]:
    """The outcomes at the products at these addresses, which share the questions."""
    with ExitStack() as opened:
        products = [opened.enter_context(Web(address)) for address in addresses]
        await asyncio.gather(*(warm(web) for web in products))
        return await run(questions, [doors_of(web) for web in products], settings.BREAKER_SECONDS + 1)
