"""``manage.py zoek``: the same question and the same answers as the page, on a terminal or as data."""

from __future__ import annotations

import asyncio
import io
import json
import os
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.utils.module_loading import import_string

from connectors.exceptions import UnreachableError
from connectors.moments import AMSTERDAM, now
from search import fault_texts, serialise, texts
from search.answers import PlatformAnswer
from search.choices import understood
from search.exceptions import InvalidQuestionError
from search.federation import Federation
from search.parameters import NO, YES, Asked, read_parameters
from search.present import fetched
from search.summary import is_ours, summary
from throttling.callers import house

ANSWERED, BAD_QUESTION, NO_PLATFORM, INTERRUPTED = 0, 2, 3, 130
_VISITOR = "terminal"  # all commands together are one visitor of the house
_REPEATED = ("platform", "organisatie", "soort")
_SINGLE = ("van", "tot", "sorteer", "pagina")
_HELP = {
    "platform": "alleen deze bron, bijvoorbeeld rechtspraak; mag vaker",
    "organisatie": "alleen deze organisatie, bijvoorbeeld ede; mag vaker",
    "soort": "alleen deze soort, bijvoorbeeld motie; mag vaker",
    "van": "vanaf deze dag, als 2026-03-12",
    "tot": "tot en met deze dag",
    "sorteer": "relevantie, nieuwste of oudste",
    "pagina": "de zoveelste bladzijde van elke bron",
}


class Command(BaseCommand):
    """Ask a question. Ends with 0 when a platform answered, 2 for a bad question, 3 when no platform answered."""

    help = "Stelt een vraag aan de bronnen en toont de antwoorden met hun bron."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("vraag", help="wat u zoekt, bijvoorbeeld: warmtenet")
        for name in _REPEATED:
            parser.add_argument(f"--{name}", action="append", default=[], help=_HELP[name])
        for name in _SINGLE:
            parser.add_argument(f"--{name}", default="", help=_HELP[name])
        parser.add_argument("--letterlijk", action="store_true", help="neem elk woord van de vraag zoals het er staat")
        parser.add_argument("--json", action="store_true", dest="as_data", help="toon de antwoorden als gegevens")

    def handle(self, *args: Any, **options: Any) -> None:
        del args
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")  # a terminal that cannot show an accent shows the rest
        try:
            code = asyncio.run(self._ask(options))
        except KeyboardInterrupt:
            code = INTERRUPTED
        except BrokenPipeError:
            # Whoever read along has seen enough. What is left in the stream would complain once more at the end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            code = ANSWERED
        if code:
            sys.exit(code)

    async def _ask(self, options: dict[str, Any]) -> int:
        async with import_string(settings.FEDERATION_FACTORY)() as federation:
            values = {name: options[name] for name in _REPEATED} | {name: [options[name]] for name in _SINGLE}
            values |= {"vraag": [options["vraag"]], "letterlijk": [YES if options["letterlijk"] else NO]}
            try:
                asked = read_parameters(values, federation.register, max_characters=settings.QUESTION_MAX_CHARACTERS)
            except InvalidQuestionError as error:
                return self._bad_question(error)
            if asked.is_empty:
                self.stderr.write("Er staat niets in uw vraag. Typ een of meer woorden, bijvoorbeeld: zoek warmtenet")
                return BAD_QUESTION
            answers = await self._collect(federation, self._understood(asked, federation), quiet=options["as_data"])
        if options["as_data"]:
            data = {
                "tijdstip": serialise.utc(now()),
                "platforms": [serialise.answer(answer, now()) for answer in answers],
            }
            self.stdout.write(json.dumps(data, ensure_ascii=False, indent=2))
        else:
            self.stdout.write(summary(answers))
        if any(answer.state.has_answered for answer in answers):
            return ANSWERED
        if any(is_ours(answer) for answer in answers):
            self.stderr.write(f"{texts.OWN_FAULT} {texts.START_HINT}")
            return NO_PLATFORM
        if any(isinstance(answer.failure, UnreachableError) for answer in answers) and settings.OPTIONS.with_stand_ins:
            self.stderr.write(
                f"Draait ./start wel, met dezelfde PORT? De proefbronnen zoeken we op {settings.STAND_INS_ADDRESS}."
            )
        return NO_PLATFORM

    def _understood(self, asked: Asked, federation: Federation) -> Asked:
        """The question as the page reads it. How that is, stands beside the answers: they may be data for a program."""
        found = understood(asked, federation)
        if found.said:
            self.stderr.write(f"{found.said} Met --letterlijk zoeken we op alle woorden.")
        if found.perhaps:
            names = " of ".join(f"--organisatie {body.id}" for body in found.perhaps)
            self.stderr.write(f"Alleen zoeken bij een organisatie die u noemt? Zoek met {names}.")
        return found.asked

    async def _collect(self, federation: Federation, asked: Asked, *, quiet: bool) -> list[PlatformAnswer]:
        last: dict[str, PlatformAnswer] = {}
        async for answer in federation.ask(asked.broad(federation.register), asked.platforms, house(_VISITOR)):
            last[answer.platform.key] = answer
            if not quiet:
                self._print(answer)
        return list(last.values())

    def _bad_question(self, error: InvalidQuestionError) -> int:
        for fault in error.faults:
            self.stderr.write(fault_texts.fault(fault, settings.QUESTION_MAX_CHARACTERS))
            for value, name in fault.choices:
                self.stderr.write(f"  {value}" + (f" ({name})" if name != value else ""))
        return BAD_QUESTION

    def _print(self, answer: PlatformAnswer) -> None:
        result = answer.result
        count = f", {texts.found(result)}" if result else ""
        self.stdout.write(f"── {answer.platform.name} ({answer.state.value}{count})")
        if not result or not result.hits:
            self.stdout.write(f"   {texts.state(answer, now())}")
        if not result:
            return
        self.stdout.write(f"   {fetched(result.fetched_at, now().astimezone(AMSTERDAM).date())}")
        for remark in texts.notes(result):
            self.stdout.write(f"   {remark}")
        for hit in result.hits:
            alike = f" ({texts.alike(hit)})" if hit.partly else ""
            self.stdout.write(f"\n   {hit.title}{alike}")
            meaning = f" ({hit.date.meaning.value})" if hit.date else ""
            self.stdout.write(f"   {hit.organisation} · {hit.kind.value} · {texts.moment(hit.date)}{meaning}")
            if hit.snippet:
                self.stdout.write(f"   {hit.snippet[:240]}")
            self.stdout.write(f"   {hit.address}")
        self.stdout.write("")
