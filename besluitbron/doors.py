"""The ways in for people, each with its own limits, and who asks at a way in: how a refusal is told there."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from starlette.types import Scope

from besluitbron.errors import busy_page, problem_page
from connectors.language import Language, say
from throttling.incoming import Asker
from throttling.middleware import Door, Printed, Refusal, accepts_pages, machine_refusal
from throttling.problems import Kinds, Problem

FREE: Final = ("/gezondheid/leeft", "/gezondheid/klaar", "/metrics", "/status", "/en/status", "/static/")
"""What is never limited: whoever looks after this site must see that it is full."""
PAGE: Final = "pagina"
OPERATORS: Final = "beheer"


def page_doors() -> tuple[Door, ...]:
    """The pages, and apart from them the operators' site: a crowd at the one does not keep operators out of the other.

    Forms for reports are read here, within bounds, before Django would read whatever comes.
    """
    refusal = page_refusal(settings.SITE_ADDRESS)
    return (
        Door(prefix="/beheer/", connector=OPERATORS, asker=_reader, refusal=refusal),
        *(
            Door(
                prefix=f"{language.prefix}/rapporten/", connector=PAGE, asker=_reader, refusal=refusal, reads_body=True
            )
            for language in Language
        ),
        Door(prefix="/", connector=PAGE, asker=_reader, refusal=refusal),
    )


def page_refusal(site: str) -> Refusal:
    """A page for people, the problem itself for programs, in the language of the address."""
    for_machines = machine_refusal(site, lambda _scope, words: say(words))

    def refusal(problem: Problem, scope: Scope, body: bytes) -> Printed:
        if accepts_pages(scope):
            busy = problem.kind is Kinds.TOO_MANY.value
            page = busy_page(problem, scope) if busy else problem_page(problem)
            return Printed(b"text/html; charset=utf-8", page.encode())
        return for_machines(problem, scope, body)

    return refusal


def program(scope: Scope, body: bytes) -> Asker:
    """A program, by where it asks from: what is asked of a way in for programs says nothing of who asks."""
    del body
    return Asker(settings.CALLERS.program(scope))


def _reader(scope: Scope, body: bytes) -> Asker:
    del body
    return Asker(settings.CALLERS.visitor(scope))
