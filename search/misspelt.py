"""What somebody may have meant by a name that stands in no list: a body misspelt in the question, a fractie that is not there.

Nothing is changed for him: the question is asked as it was typed, and the name that looks like it is a link.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from connectors.language import say
from connectors.names import own_name
from connectors.records import BodyKind, Group, Organisation
from search.choices import Offer, Understood, zoeken
from search.federation import Federation
from search.group_names import GroupNames, Named
from search.organisations import Bodies
from search.parameters import Asked
from search.question import read_question
from search.spelling import fold, names_of

_WORD: Final = re.compile(r"[^\W\d_][\w'’-]*")
_BEFORE_PLACE: Final = frozenset({"in", "te", "bij", "uit", "gemeente", "provincie", "waterschap", "stad"})
_ALIKE: Final = 0.85
_ALIKE_AFTER: Final = 0.75
_ALIKE_SHORT: Final = 0.6
"""Of two or three letters one may be wrong: ``VDD`` for VVD."""
_SHORTEST: Final = 4
_FEW: Final = 3
_PLACES: Final = frozenset({BodyKind.GEMEENTE, BodyKind.PROVINCIE, BodyKind.WATERSCHAP})


def misspelt(typed: Asked, found: Understood, register: Bodies) -> tuple[Offer, ...]:
    """A body whose name looks like a word of the question, as a link that asks the question with its right name."""
    if typed.literally or found.perhaps or found.asked.query.organisations or '"' in typed.question.typed:
        return ()
    text = typed.question.typed
    begin, end, bodies = looks_like(text, register)
    if not bodies:
        return ()
    links = []
    for body in bodies:
        meant = f"{text[:begin]}{own_name(body.kind, body.name)}{text[end:]}"
        links.append((body.name, zoeken(_asking(typed, meant).address(pagina=None))))
    return (Offer(say("Bedoelt u een van deze organisaties?"), tuple(links)),)


def looks_like(text: str, register: Bodies) -> tuple[int, int, tuple[Organisation, ...]]:
    """Where the first word stands that is almost the name of a place, and the bodies it may be: none when no word is."""
    before = ""
    for word in _WORD.finditer(text):
        after = fold(before) in _BEFORE_PLACE
        before = word[0]
        if len(word[0]) < _SHORTEST or not (after or word[0][0].isupper() or word.end() == len(text.rstrip("?!. "))):
            continue
        if bodies := _alike(word[0], register, _ALIKE_AFTER if after else _ALIKE):
            return word.start(), word.end(), tuple(bodies)
    return 0, 0, ()


def _alike(word: str, register: Bodies, least: float) -> list[Organisation]:
    folded = fold(word)
    if register.find(word):
        return []
    near = [
        body
        for body in register.suggestions(word)
        if body.kind in _PLACES
        and any(
            difflib.SequenceMatcher(None, folded, name).ratio() >= least and name[0] == folded[0]
            for name in names_of(body)
        )
    ]
    return [body for body in near if body.ended is None][:_FEW] or near[:_FEW]


def _asking(typed: Asked, words: str) -> Asked:
    question = read_question(words)
    return replace(typed, question=question, query=replace(typed.query, text=question.text))


@dataclass(frozen=True, slots=True)
class UnknownGroup:
    """A fractie or committee that stands in no list, and the names that look like it."""

    group: Group
    name: str
    meant: tuple[str, ...]

    @property
    def said(self) -> str:
        """That it is not there, as a whole sentence."""
        return say(
            "{group} ‘{name}’ staat niet in de lijst van de Tweede Kamer.",
            group=say(self.group.value).capitalize(),
            name=self.name,
        )

    @property
    def sentence(self) -> str:
        """The same with what it may have been, for a door without links."""
        return f"{self.said} {say('Bedoelt u:')} {', '.join(self.meant)}?" if self.meant else self.said


async def unknown_groups(asked: Asked, names: GroupNames, federation: Federation) -> tuple[UnknownGroup, ...]:
    """Each chosen fractie or committee that stands in no list of its platform. Reads nothing when none was chosen."""
    found = []
    for group, name in asked.query.groups:
        known = await names.listed(group, federation.connectors)
        if known and not _is_known(name, group, known):
            found.append(UnknownGroup(group, name, tuple(_meant(name, known))))
    return tuple(found)


def group_offers(typed: Asked, unknown: Iterable[UnknownGroup]) -> tuple[Offer, ...]:
    """The same with a link for each name that it may have been."""
    offers = []
    for one in unknown:
        links = [(name, zoeken(typed.address(**{one.group.value: name, "pagina": None}))) for name in one.meant]
        offers.append(Offer(f"{one.said} {say('Bedoelt u:')}" if links else one.said, tuple(links)))
    return tuple(offers)


def _is_known(name: str, group: Group, known: tuple[Named, ...]) -> bool:
    wanted = fold(name)
    if group is Group.PARTY:
        return any(wanted == fold(one.asked) for one in known)
    return any(wanted in fold(one.asked) for one in known)


def _meant(name: str, known: tuple[Named, ...]) -> list[str]:
    """The names that look like it: the whole name of an abbreviation first, then what begins alike or is spelled alike."""
    wanted = fold(name)
    least = _ALIKE_AFTER if len(wanted) > _SHORTEST else _ALIKE_SHORT
    rated = []
    for one in known:
        full, short = fold(one.full), fold(one.asked)
        parts = {full, short, *full.split("-"), *short.split("-")}  # half of a name that two parties have together
        ratio = max(difflib.SequenceMatcher(None, wanted, other).ratio() for other in parts)
        if wanted == full:
            ratio = 2.0
        elif len(wanted) >= _SHORTEST and (full.startswith(wanted) or short.startswith(wanted)):
            ratio = 1.5
        if ratio >= least:
            rated.append((-ratio, one.asked))
    return list(dict.fromkeys(asked for _, asked in sorted(rated)))[:_FEW]
