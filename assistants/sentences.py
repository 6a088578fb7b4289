"""A question written as a sentence, read as words to search for and the bodies that it names.

"Wat is er in Ede besloten over warmtenetten?" is searched as *warmtenetten* at the municipality of Ede, and the answer says so:
all words of a question must occur in a paper, and no paper holds those of the sentence. Nothing but a question in so many words
is touched, and whoever wants it otherwise gives words (field report 9).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from connectors.records import Organisation
from search.organisations import Bodies
from search.spelling import fold

_WORD: Final = re.compile(r"\w+")
_ASKING: Final = frozenset(
    _WORD.findall("wat welke welk wie waar waarom wanneer hoe hoeveel is zijn heeft hebben wordt worden kan")
)
_EMPTY: Final = _ASKING | frozenset(
    _WORD.findall(
        "was waren werd werden had hadden kunnen mag moet er het de een en of in op over van voor bij met door aan te tot uit "
        "om dat die dit deze daar dan als ook nog al naar rond sinds na tussen onze ons mijn u uw je jij ik wij we zij ze men "
        "iets alles staat staan stond gaat gaan komt komen zegt zeggen zei gezegd stemde gestemd besloten besloot beslist "
        "genomen gebeurd gebeurt bekend gevonden"
    )
)
_BEFORE_BODIES: Final = frozenset(_WORD.findall("in van bij te gemeente provincie waterschap door aan voor de het"))
_KINDS: Final = frozenset(("gemeente", "provincie", "waterschap"))
_BEGINNINGS: Final = frozenset(("ministerie", "rechtbank", "gerechtshof", "hoogheemraadschap", "stadsdeel"))
_LONGEST_NAME: Final = 6
_FEWEST_WORDS: Final = 3
_AROUND: Final = ".,;:!?()"


@dataclass(frozen=True, slots=True)
class Sentence:
    """What is left of a sentence: ``words`` to search for, the ``bodies`` it names, and ``doubtful`` names of several."""

    words: str
    bodies: tuple[Organisation, ...] = ()
    doubtful: tuple[tuple[Organisation, ...], ...] = ()

    @property
    def said(self) -> str:
        """In Dutch, how it was read."""
        parts = [f"gezocht op: {self.words or 'alle stukken'}"]
        parts += [f"organisatie: {body.name} (`{body.id}`)" for body in self.bodies]
        doubts = [
            f" Een naam kan meer organisaties zijn; kies zelf: {' of '.join(f'`{body.id}`' for body in bodies)}."
            for bodies in self.doubtful
        ]
        return f"De vraag is een zin; {', '.join(parts)}. Wilt u het anders? Geef losse zoekwoorden.{''.join(doubts)}"


def read_sentence(typed: str, register: Bodies, *, has_bodies: bool) -> Sentence | None:
    """The sentence that was typed; None when it is no sentence, or has signs with a meaning of their own.

    ``has_bodies``: bodies were chosen already, so that none is read from the sentence.
    """
    pieces = typed.split()
    first = fold(pieces[0]) if pieces else ""
    if len(pieces) < _FEWEST_WORDS or not (typed.rstrip().endswith("?") or first in _ASKING):
        return None
    if any(sign in typed for sign in '"“”„*~|') or {"OR", "NOT", "AND"} & set(pieces):
        return None
    words = [piece.strip(_AROUND) for piece in pieces]
    bodies, doubtful, taken = ({}, {}, set[int]()) if has_bodies else _named(words, register)
    left = [word for at, word in enumerate(words) if at not in taken and word and fold(word) not in _EMPTY]
    if not left and not bodies and not has_bodies:
        return None
    return Sentence(" ".join(left), tuple(bodies.values()), tuple(doubtful.values()))


def _named(
    words: Sequence[str], register: Bodies
) -> tuple[dict[str, Organisation], dict[str, tuple[Organisation, ...]], set[int]]:
    """The bodies that are named, the names of several, and the places of the words that are taken by either."""
    bodies: dict[str, Organisation] = {}
    doubtful: dict[str, tuple[Organisation, ...]] = {}
    taken: set[int] = set()
    at = 1
    while at < len(words):
        length, found = _longest(words, at, register)
        if len(found) == 1:
            bodies[found[0].id] = found[0]
            taken |= set(range(at, at + length))
        elif found:
            doubtful[words[at]] = found
        if found and fold(words[at - 1]) in _KINDS and len(found) == 1:
            taken.add(at - 1)
        at += max(length, 1)
    return bodies, doubtful, taken


def _longest(words: Sequence[str], at: int, register: Bodies) -> tuple[int, tuple[Organisation, ...]]:
    """The longest name of a body that begins here, with a capital or a word for its kind, behind a word that may be there."""
    kind, begins = fold(words[at - 1]), fold(words[at]) in _BEGINNINGS
    if kind not in _BEFORE_BODIES or not (begins or words[at][:1].isupper()):
        return 0, ()
    for length in range(min(_LONGEST_NAME, len(words) - at), 1 if begins else 0, -1):
        name = " ".join(words[at : at + length])
        found = (register.find(f"{kind} {name}") if kind in _KINDS else ()) or register.find(name)
        if found:
            return length, found
    return 0, ()
