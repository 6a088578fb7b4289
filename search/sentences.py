"""A question as people ask it, read as words to search for and the bodies that it names.

"Wat is er in Ede besloten over warmtenetten?" is searched as *warmtenetten* at the municipality of Ede, and the answer says so:
all words of a question must occur in a paper, and no paper holds those of the sentence. Bodies are found as on the search page
(``search.named_bodies``, field report 9). What stands between quotation marks is never touched. Page, terminal and assistants
read a question with this; the API takes it literally (decision 0019).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from connectors.records import Kind, Organisation
from search.named_bodies import bodies_in
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
        "genomen gebeurd gebeurt bekend gevonden besprak besproken bespreekt behandelde behandeld stuurde gestuurd schreef "
        "geschreven antwoordde geantwoord college"
    )
)
_CHAMBERS: Final = (
    ("tweede-kamer", re.compile(r"\btweede kamer\b", re.IGNORECASE)),
    ("eerste-kamer", re.compile(r"\beerste kamer\b", re.IGNORECASE)),
)
_KIND_WORDS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        Kind.MOTIE: frozenset({"motie", "moties"}),
        Kind.AMENDEMENT: frozenset({"amendement", "amendementen"}),
        Kind.TOEZEGGING: frozenset({"toezegging", "toezeggingen", "open", "openstaande"}),
        Kind.VOORSTEL: frozenset({"voorstel", "voorstellen"}),
        Kind.BRIEF: frozenset({"brief", "brieven"}),
        Kind.UITSPRAAK: frozenset({"uitspraak", "uitspraken"}),
        Kind.VERSLAG: frozenset({"verslag", "verslagen"}),
    }
)
"""Words of a sentence that say nothing more when that kind was chosen: "Welke toezeggingen over isolatie staan open?"."""
_FEWEST_WORDS: Final = 3
_AROUND: Final = ".,;:!?()"


@dataclass(frozen=True, slots=True)
class Sentence:
    """What is left of a question: ``words`` to search for, the ``bodies`` it names, and those it ``perhaps`` names."""

    words: str
    bodies: tuple[Organisation, ...] = ()
    perhaps: tuple[Organisation, ...] = ()

    @property
    def said(self) -> str:
        """In Dutch, how it was read."""
        parts = [f"gezocht op: {self.words or 'alle stukken'}"]
        parts += [f"organisatie: {body.name} (`{body.id}`)" for body in self.bodies]
        choices = " of ".join(f"`{body.id}`" for body in self.perhaps)
        doubt = f" Bedoelt u een organisatie? Geef dan `organisaties`: {choices}." if choices else ""
        return (
            f"Zo lazen we de vraag: {', '.join(parts)}. Wilt u het anders? Zet woorden tussen aanhalingstekens.{doubt}"
        )


def read_sentence(
    typed: str,
    register: Bodies,
    fits: Callable[[Organisation], bool],
    *,
    has_bodies: bool = False,
    kinds: Iterable[str] = (),
) -> Sentence | None:
    """How a question is read; None when it stays as it is.

    ``fits``: whether a chosen platform has a body. ``has_bodies``: bodies were chosen already, so that none is read from words.
    ``kinds``: those that were chosen, whose names in a sentence say nothing more.
    """
    is_sentence = _is_sentence(typed)
    bodies: dict[str, Organisation] = {}
    perhaps: tuple[Organisation, ...] = ()
    rest = typed
    if not has_bodies:
        named = bodies_in(typed, register, fits)
        bodies, perhaps = {body.id: body for body in named.bodies}, named.perhaps
        rest = named.rest if named.bodies else typed
        if is_sentence:
            rest = _without_chambers(rest, bodies, register, fits)
    words = " ".join(_telling(rest, kinds)) if is_sentence else rest
    if words == typed or not (words or bodies or has_bodies):
        return None
    return Sentence(words, tuple(bodies.values()), perhaps)


def _is_sentence(typed: str) -> bool:
    """Whether somebody asks in so many words, without signs that have a meaning of their own."""
    pieces = typed.split()
    if len(pieces) < _FEWEST_WORDS or any(sign in typed for sign in '"“”„*~|') or {"OR", "NOT", "AND"} & set(pieces):
        return False
    return typed.rstrip().endswith("?") or fold(pieces[0]) in _ASKING


def _telling(rest: str, kinds: Iterable[str]) -> list[str]:
    """The words that say what is asked about."""
    words = (piece.strip(_AROUND) for piece in rest.split())
    empty = _EMPTY.union(*(_KIND_WORDS.get(kind, ()) for kind in kinds))
    return [word for word in words if word and fold(word) not in empty]


def _without_chambers(
    rest: str, bodies: dict[str, Organisation], register: Bodies, fits: Callable[[Organisation], bool]
) -> str:
    """The rest of a sentence without the Chambers of parliament that it names; those are added to ``bodies``."""
    for key, name in _CHAMBERS:
        body = register.body(key)
        if body is not None and fits(body) and name.search(rest):
            bodies[key] = body
            rest = name.sub(" ", rest)
    return rest
