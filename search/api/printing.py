"""What a search answers, as data in the names of the API."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from search import serialise, texts
from search.answers import PlatformAnswer, State
from search.api.version import ROOT
from search.choices import lives, understood
from search.federation import Federation
from search.fewer import as_written, is_all_nothing, spare_words
from search.missing import BODIES_SHOWN, offices
from search.misspelt import UnknownGroup
from search.parameters import Asked
from search.references import candidates
from search.same import together
from search.votes_stand import AT_MOTIONS, of_motions

_READ: Final = "De woorden zijn letterlijk genomen. De website zou ze lezen als: {address}"
"""Said of a question that other doors read as a sentence (decision 0026), with the parameters that ask the same here."""
LISTED_SECONDS: Final = 300
"""How long a list that holds no question may be kept by whoever asked for it."""


def about(
    asked: Asked,
    answers: Sequence[PlatformAnswer],
    federation: Federation,
    now: datetime,
    unknown: Iterable[UnknownGroup] = (),
) -> dict[str, Any]:
    """What there is to say of a search as a whole."""
    hits = [hit for answer in answers if answer.result for hit in answer.result.hits]
    read = understood(asked, federation)
    literal = replace(asked, literally=True) if read.said else asked
    return {
        "zoekopdracht": f"{settings.SITE_ADDRESS}/zoeken?{literal.address()}",
        "gemaakt": serialise.utc(now),
        "opmerkingen": [
            *([_READ.format(address=read.asked.address())] if read.said else ()),
            *map(texts.remark, asked.question.remarks),
            *(one.sentence for one in unknown),
            *(offer.text for offer in lives(asked, federation.register)),
            *_votes(asked),
            *_offices(asked, answers, federation),
        ],
        "mogelijkeStukken": _named(asked, federation),
        "wegTeLaten": [as_written(term) for term in spare_words(asked.query.text)] if is_all_nothing(answers) else [],
        "dezelfdeStukken": serialise.same(together(hits)),
    }


def _votes(asked: Asked) -> Iterator[str]:
    """That votes stand at the motions, with the address that finds those."""
    if motions := of_motions(asked):
        yield f"{AT_MOTIONS} Hetzelfde met de soort motie: {settings.SITE_ADDRESS}{ROOT}/_zoek?{motions.address()}"


def _offices(asked: Asked, answers: Sequence[PlatformAnswer], federation: Federation) -> tuple[str, ...]:
    """Whom to ask for a paper, where a source found nothing."""
    if not any(answer.state is State.EMPTY for answer in answers):
        return ()
    return offices(asked.query.organisations[:BODIES_SHOWN], federation.register)


def _named(asked: Asked, federation: Federation) -> list[str]:
    """Ids of what the question is the number or address of, at the platforms that were asked; it may not be there."""
    found = candidates(asked.question.typed, federation.connectors)
    return [one.id for one in found if not asked.platforms or one.connector.platform.key in asked.platforms]


def whole(
    asked: Asked,
    answers: Sequence[PlatformAnswer],
    federation: Federation,
    now: datetime,
    unknown: Iterable[UnknownGroup] = (),
) -> dict[str, Any]:
    """All answers of one search."""
    told = {"vraag": asked.question.typed} | about(asked, answers, federation, now, unknown)
    return told | {"bronnen": [one(answer, asked, now) for answer in answers]}


def one(answer: PlatformAnswer, asked: Asked, now: datetime) -> dict[str, Any]:
    """One platform's answer, with the page that comes after it."""
    more = answer.result is not None and answer.result.has_more
    return serialise.answer(answer, now) | {"volgendePagina": asked.query.page + 1 if more else None}


_LINE_ENDS: Final = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}


def written(data: Any) -> str:
    """JSON on one line, also for who takes the rarer signs of Unicode for the end of a line, as streams of events do."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(_LINE_ENDS)


def private(data: Any) -> HttpResponse:
    """An answer that is of one asker and kept by nobody."""
    response = HttpResponse(written(data), content_type="application/json")
    response.headers["Cache-Control"] = "private, no-store"
    return response


def listed(request: HttpRequest, data: Any) -> HttpResponse:
    """A list that is the same for everybody: with a mark by which an asker knows that it did not change."""
    body = written(data).encode()
    mark = f'"{sha256(body).hexdigest()[:32]}"'
    known = {given.strip().removeprefix("W/") for given in request.headers.get("If-None-Match", "").split(",")}
    if mark in known or "*" in known:
        response = HttpResponse(status=HTTPStatus.NOT_MODIFIED)
    else:
        response = HttpResponse(body, content_type="application/json")
    response.headers["ETag"] = mark
    response.headers["Cache-Control"] = f"public, max-age={LISTED_SECONDS}"
    return response


def document_address(identifier: str) -> str:
    """Where a document is in the API; a colon needs no escape in a path, a slash does."""
    return f"{ROOT}/documenten/{quote(identifier, safe=':')}"
