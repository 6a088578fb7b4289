"""Bodies named in a question: "parkeren in Ede" asks for the word parkeren at Gemeente Ede (field report 9).

Only what is certain becomes a filter: a name with the word for its kind ("gemeente Best"), or the bare name of a place that
belongs to one body and is no ordinary word. What may be meant is handed on as a choice. Nothing between quotes is touched.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from connectors.records import BodyKind, Organisation
from search.organisations import Bodies
from search.question import clean
from search.spelling import fold, names_of, readings

_TOKEN: Final = re.compile(r"\S+")
_QUOTES: Final = re.compile('["“”„‟«»＂]')
_QUOTED: Final = re.compile(r'"[^"]*("|$)')
_EDGES: Final = " \t.,;:?!()"
_NOT: Final = "NOT"
_EXCLUDING: Final = ("!", "-", "−")
"""Who leaves a word out by these does not ask for the body of that name."""
_MOST_WORDS: Final = 7
_MOST_TOKENS: Final = 60
"""Further words of a question are not looked up: nobody who names a body writes so many before it."""
_MOST_CHOICES: Final = 4
_PLACES: Final = frozenset({BodyKind.GEMEENTE, BodyKind.PROVINCIE, BodyKind.WATERSCHAP})
_KIND_WORDS: Final = frozenset(
    {
        *(
            "gemeente",
            "gem",
            "gemeenteraad",
            "provincie",
            "prov",
            "waterschap",
            "ws",
            "hoogheemraadschap",
            "wetterskip",
        ),
        *("stadsdeel", "ministerie", "min", "rechtbank", "gerechtshof"),
    }
)
_PREPOSITIONS: Final = frozenset({"in", "te", "bij", "van", "uit"})
_ARTICLES: Final = frozenset({"de", "het"})
_BETWEEN: Final = frozenset({"en", "of"})
_OTHER_THING: Final = frozenset(
    {
        *_KIND_WORDS,
        *("hof", "kantongerecht", "nieuw", "station", "regio", "luchthaven", "vliegveld", "universiteit", "hogeschool"),
        *("fc", "kasteel", "vrede", "verdrag", "akkoord", "bisdom", "hotel", "omgevingsdienst", "veiligheidsregio"),
    }
)
"""What stands before a name that is then the name of something else ("Nieuw Zeeland", "rechtbank Gelderland")."""
_ORDINARY: Final = frozenset(
    {
        *("beek", "best", "buren", "delft", "duiven", "echt", "grave", "haren", "heel", "helden", "hoorn", "houten"),
        *("huizen", "hulst", "kampen", "kapelle", "laren", "leek", "leiden", "losser", "putten", "schermer", "sluis"),
        *("veluwe", "voorst", "waterland", "weert", "zeeland", "rivierenland", "rijnland", "delfland", "westland"),
    }
)
"""Names that are ordinary words, surnames or regions too: a body only with the word for its kind."""


@dataclass(frozen=True, slots=True)
class Named:
    """The bodies that a question certainly names, and what is left of it. ``perhaps``: bodies that it may name. Hidden in logs.

    Without certain bodies ``rest`` is the question, or what would be left of it for the one that ``perhaps`` is about.
    """

    bodies: tuple[Organisation, ...] = ()
    rest: str = field(default="", repr=False)
    perhaps: tuple[Organisation, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class _Found:
    """A name at a place of the text, and the bodies that have it."""

    start: int
    end: int
    bodies: tuple[Organisation, ...]
    certain: bool


def bodies_in(typed: str, register: Bodies, fits: Callable[[Organisation], bool]) -> Named:
    """What ``typed`` names. Bodies for which ``fits`` is false (no chosen platform has them) are not looked at.

    A question that is nothing but a name stays as it is: whoever types "Ede" may want everything in which that stands.
    """
    text = clean(typed)
    masked = _QUOTED.sub(lambda found: " " * len(found[0]), _QUOTES.sub('"', text))
    tokens = tuple((found.start(), found.end()) for found in islice(_TOKEN.finditer(masked), _MOST_TOKENS))
    found = _Text(text, tokens, register, fits).names()
    certain = [one for one in found if one.certain]
    rest = _without(text, certain)
    if certain and _says_something(rest):
        bodies = {body.id: body for one in certain for body in one.bodies}
        return Named(tuple(bodies.values()), rest)
    perhaps = (certain or found)[:1]
    choices = tuple(body for one in perhaps for body in one.bodies)[:_MOST_CHOICES]
    return Named(rest=_without(text, perhaps), perhaps=choices)


@dataclass(frozen=True, slots=True)
class _Text:
    """A question, its words by place (those between quotes left out), and where names are looked up."""

    text: str
    tokens: tuple[tuple[int, int], ...]
    register: Bodies
    fits: Callable[[Organisation], bool]

    def word(self, at: int) -> str:
        start, end = self.tokens[at]
        return self.text[start:end]

    def names(self) -> list[_Found]:
        """The names in it, the longest first at each place."""
        found: list[_Found] = []
        at = 0
        while at < len(self.tokens):
            longest = min(_MOST_WORDS, len(self.tokens) - at)
            named = ((number, self._name(at, number)) for number in range(longest, 0, -1))
            used, one = next(((number, one) for number, one in named if one is not None), (1, None))
            found += [one] if one is not None else []
            at += used
        return found

    def _name(self, at: int, number: int) -> _Found | None:
        """The name that these words are, when they are one and stand for a body here."""
        start, end = self.tokens[at][0], self.tokens[at + number - 1][1]
        piece = self.text[start:end].strip(_EDGES)
        before = self.word(at - 1) if at else ""
        if (
            any(self.word(at + place).endswith((",", ";")) for place in range(number - 1))
            or fold(before) in _OTHER_THING
            or before == _NOT
            or self.word(at).startswith(_EXCLUDING)
        ):
            return None
        spelled = set(readings(piece))
        bodies = tuple(body for body in self.register.find(piece) if spelled & names_of(body) and self.fits(body))
        if bodies and fold(piece).split(" ", 1)[0] in _KIND_WORDS:
            return _Found(start, end, bodies, certain=len(bodies) == 1)
        places = tuple(body for body in bodies if body.kind in _PLACES)
        ordinary = fold(piece) in _ORDINARY
        if not places or (ordinary and not piece[0].isupper()):
            return None
        is_surname = at > 1 and before in {"Van", "De"}
        return _Found(start, end, bodies, certain=len(bodies) == 1 and not (ordinary or is_surname))


def _without(text: str, found: list[_Found]) -> str:
    """The text without these names, the words that tie them to it, and "en" between two of them."""
    kept: list[str] = []
    last = 0
    for one in found:
        words = text[last : one.start].split()
        joined = bool(kept) and [fold(word) for word in words] in [[word] for word in _BETWEEN]
        kept += [] if joined else _untied(words)
        last = one.end
    return " ".join([*kept, *text[last:].split()])


def _untied(words: list[str]) -> list[str]:
    """Words before a name, without the preposition and the article that belong to it."""
    rest = list(words)
    if len(rest) > 1 and fold(rest[-1]) in _ARTICLES and fold(rest[-2]) in _PREPOSITIONS:
        rest.pop()
    if rest and fold(rest[-1]) in _PREPOSITIONS:
        rest.pop()
    return rest


def _says_something(rest: str) -> bool:
    return any(len(word) > 1 and word not in _PREPOSITIONS | _ARTICLES | _BETWEEN for word in fold(rest).split())
