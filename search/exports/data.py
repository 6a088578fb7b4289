"""A search as data: the answers of all platforms with every hit that was gathered."""

from __future__ import annotations

import json
from typing import Any

from search import serialise
from search.exports.gathering import Gathered
from search.serialise import utc


def data(gathered: Gathered, address: str) -> bytes:
    """JSON: question, moment, ``address`` of the search for people, the state of each platform, and the hits."""
    bronnen: list[dict[str, Any]] = []
    for answer in gathered.answers:
        shown = serialise.answer(gathered.of(answer), gathered.made_at)
        is_whole = answer.platform.key not in gathered.unfinished and answer.state.has_answered
        bronnen.append(shown | {"volledig": is_whole})
    whole = {
        "vraag": gathered.asked.question.typed,
        "zoekopdracht": address,
        "gemaakt": utc(gathered.made_at),
        "opmerkingen": list(gathered.remarks),
        "bronnen": bronnen,
        "dezelfdeStukken": serialise.same(gathered.things),
    }
    return json.dumps(whole, ensure_ascii=False, indent=1).encode()
