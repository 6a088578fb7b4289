"""What somebody would write instead: a Django view that renders the very same templates from records in memory.

No middleware, no limits, no buffer, no turns, no platforms: the records come once, from the product's own buffer, when the
server starts. Served by uvicorn as the product is: ``uvicorn benchmarks.plain_view:application``.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "besluitbron.settings")

import django

django.setup(set_prefix=False)

from django.conf import settings
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import URLPattern, path
from starlette.routing import Router

from benchmarks.question import QUESTION
from besluitbron.composition import open_federation, open_reach
from connectors.moments import now
from search import texts
from search.answer_page import exports, form
from search.answers import PlatformAnswer
from search.choices import fitting
from search.federation import Federation
from search.forms import as_asked
from search.parameters import Asked, read_parameters
from search.present import section_view
from search.seen import Seen
from search.summary import summary
from throttling.callers import house


@dataclass(frozen=True, slots=True)
class Records:
    """What every page of this view is made of: the answers, and what stands above and below them."""

    asked: Asked
    answers: tuple[PlatformAnswer, ...]
    begin: dict[str, Any]
    end: dict[str, Any]


async def page(request: HttpRequest) -> HttpResponse:
    """The page, whole."""
    scope: Any = request
    records: Records = scope.scope["state"]["records"]
    seen = Seen()
    sections = [
        render_to_string("search/section.html", {"bron": section_view(answer, records.asked, now(), seen)}, request)
        for answer in records.answers
    ]
    begin = render_to_string("search/answers_begin.html", records.begin, request)
    return HttpResponse([begin, *sections, render_to_string("search/answers_end.html", records.end, request)])


async def read_records(federation: Federation) -> Records:
    """What came of asking once."""
    asked = read_parameters({"vraag": [QUESTION]}, federation.register, max_characters=settings.QUESTION_MAX_CHARACTERS)
    came = [answer async for answer in federation.ask(asked.query, (), house())]
    answers = tuple(answer for answer in came if answer.state.is_final)
    seen = Seen()
    for answer in answers:
        section_view(answer, asked, now(), seen)
    begin = form(federation, as_asked(asked)) | {
        "getypt": QUESTION,
        "gevraagd": True,
        "passend": texts.listed(fitting(asked, federation)),
    }
    return Records(asked, answers, begin, {"samenvatting": summary(answers, seen.copies), "uitvoer": exports(asked)})


@asynccontextmanager
async def lifespan(app: Any) -> AsyncIterator[dict[str, Any]]:
    """Read the records before the first visitor comes; nothing of the product stays open."""
    del app
    async with open_reach() as reach, open_federation(reach) as federation:
        records = await read_records(federation)
    yield {"records": records}


urlpatterns: list[URLPattern] = [path("zoeken", page)]
settings.MIDDLEWARE = []
settings.ROOT_URLCONF = __name__
_view: Any = ASGIHandler()
application = Router([], default=_view, lifespan=lifespan)
