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
        mine = [serialise.hit(hit) for hit in gathered.hits if hit.platform == answer.platform.key]
        shown = serialise.answer(answer, gathered.made_at) | {"treffers": mine}
        bronnen.append(shown | {"volledig": answer.platform.key not in gathered.partly and answer.state.has_answered})
    whole = {
        "vraag": gathered.asked.question.typed,
        "zoekopdracht": address,
        "gemaakt": utc(gathered.made_at),
        "opmerkingen": list(gathered.remarks),
        "bronnen": bronnen,
    }
    return json.dumps(whole, ensure_ascii=False, indent=1).encode()
