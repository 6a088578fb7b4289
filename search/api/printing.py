"""What a search answers, as data in the names of the API."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote

from django.http import HttpRequest, HttpResponse

from connectors.records import Hit
from search import serialise, texts
from search.answers import PlatformAnswer
from search.api.version import ROOT
from search.choices import lives
from search.federation import Federation
from search.parameters import Asked
from search.references import candidates
from search.same import together

LISTED_SECONDS: Final = 300
"""How long a list that holds no question may be kept by whoever asked for it."""


def about(
    asked: Asked, answers: Sequence[PlatformAnswer], federation: Federation, site: str, now: datetime
) -> dict[str, Any]:
    """What there is to say of a search as a whole. ``site`` is the address of our own pages."""
    hits = [hit for answer in answers if answer.result for hit in answer.result.hits]
    return {
        "zoekopdracht": f"{site}/zoeken?{asked.address()}",
        "gemaakt": serialise.utc(now),
        "opmerkingen": [
            *map(texts.remark, asked.question.remarks),
            *(offer.text for offer in lives(asked, federation.register)),
        ],
        "mogelijkeStukken": _named(asked, federation),
        "dezelfdeStukken": list(_same(hits)),
    }


def _named(asked: Asked, federation: Federation) -> list[str]:
    """Ids of what the question is the number or address of, at the platforms that were asked; it may not be there."""
    found = candidates(asked.question.typed, federation.connectors)
    return [one.id for one in found if not asked.platforms or one.connector.platform.key in asked.platforms]


def whole(
    asked: Asked, answers: Sequence[PlatformAnswer], federation: Federation, site: str, now: datetime
) -> dict[str, Any]:
    """All answers of one search."""
    told = {"vraag": asked.question.typed} | about(asked, answers, federation, site, now)
    return told | {"bronnen": [one(answer, asked, now) for answer in answers]}


def one(answer: PlatformAnswer, asked: Asked, now: datetime) -> dict[str, Any]:
    """One platform's answer, with the page that comes after it."""
    more = answer.result is not None and answer.result.has_more
    return serialise.answer(answer, now) | {"volgendePagina": asked.query.page + 1 if more else None}


def _same(hits: Iterable[Hit]) -> Iterable[Mapping[str, Any]]:
    for item in together(hits):
        if item.is_shared:
            differs = [
                {"over": one.on.value, "volgens": [{"platform": key, "waarde": words} for key, words in one.said]}
                for one in item.disagreements
            ]
            yield {"ids": [thing.id for thing in item.things], "verschillen": differs}


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
