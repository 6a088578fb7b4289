"""The outcome of a motion and what else is known about it (platform page, section 3.2).

The result is one of a closed list beside the supplier's own words (field report 25). Party names are spelt differently per
council and stay as they are (field report 15). Members' votes are summed per party; who voted what is not shown.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from connectors.json_values import count, mapping, objects
from connectors.plaintext import clean, line
from connectors.records import Detail
from connectors.voting import VoteGroup, Votes

RESULTS = frozenset({"aangenomen", "verworpen", "ingetrokken", "aangehouden", "overig"})
_OTHER = "overig"
_WITHOUT_PARTY = "Fractie onbekend"


def votes(motion: dict[str, Any]) -> Votes | None:
    """The outcome, or None when nothing is known of it. Counts are the platform's; none is made from the members' votes."""
    result, literal = line(motion.get("result")).lower(), line(motion.get("status"))
    summary = clean(motion.get("vote_summary"))
    groups = _groups(objects(motion.get("votes")))
    tally = mapping(motion.get("tally"))
    if not (result or literal or summary or groups or tally):
        return None
    return Votes(
        result=result if result in RESULTS else _OTHER,
        literal=literal or result,
        in_favour=count(tally.get("in_favour")),
        against=count(tally.get("against")),
        groups=groups,
        summary=summary,
    )


def motion_details(motion: dict[str, Any]) -> tuple[Detail, ...]:
    """The facts about a motion for the list on its page."""
    facts = (
        ("Soort bij de bron", line(motion.get("motion_type"))),
        ("Indieners", _joined(motion.get("proposers"))),
        ("Mede-indieners", _joined(motion.get("co_proposers"))),
        ("Fracties", ", ".join(_names(motion.get("parties")))),
        ("Agendapunt", _hint(motion.get("agenda_item_hint"))),
    )
    return tuple(Detail(label, value) for label, value in facts if value)


def _joined(value: object) -> str:
    return "; ".join(_names(value))  # a name may hold a comma: "Jansen, A. (Anna) (Partij)"


def _hint(value: object) -> str:
    r"""The agenda item as iBabs words it, where a line break is written as a backslash and an n."""
    return ": ".join(part for text in clean(value).replace("\\n", "\n").split("\n") if (part := line(text)))


def _groups(rows: list[dict[str, Any]]) -> tuple[VoteGroup, ...]:
    """The votes of each party, in the order in which the platform first names them."""
    cast = Counter((_party(row), line(row.get("option")).lower()) for row in rows)
    parties = dict.fromkeys(_party(row) for row in rows)
    groups = (VoteGroup(party, cast[party, "voor"], cast[party, "tegen"]) for party in parties)
    return tuple(group for group in groups if group.in_favour or group.against)


def _party(row: dict[str, Any]) -> str:
    return line(row.get("group_name")) or _WITHOUT_PARTY


def _names(value: object) -> list[str]:
    """The names in a list of texts, each on one line and none of them empty."""
    return [name for entry in value if (name := line(entry))] if isinstance(value, list) else []
