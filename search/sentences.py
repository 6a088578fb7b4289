"""A question as people ask it, read as words to search for and the bodies, kinds and times that it names.

"Welke moties zijn er in Ede sinds 2021 over warmtenetten?" is searched as *warmtenetten* among the motions of the
municipality of Ede from 2021, and the answer says so: all words of a question must occur in a paper, and no paper holds those
of the sentence. Bodies are found as on the search page (``search.named_bodies``, field report 9). What stands between quotes
is never touched, nor is a question of one or two words but for a body's name. Page, files, feeds, terminal and
assistants read a question with this; the API takes it literally (decision 0026).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from types import MappingProxyType
from typing import Final

from connectors.records import BodyKind, Kind, Organisation
from search.asking_words import asks_for_newest, is_asking, telling, without_function_words
from search.named_bodies import Named, bodies_in
from search.named_kinds import begins_with_kind, kinds_in
from search.named_periods import Times, times_in
from search.organisations import Bodies
from search.question import clean
from search.spelling import fold, names_of

_QUOTES: Final = re.compile("[“”„‟«»＂]")
_PHRASE: Final = re.compile(r'"[^"]*"')
_NATIONAL: Final = (
    ("tweede-kamer", re.compile(r"\b(?:de )?tweede kamer\b", re.IGNORECASE)),
    ("eerste-kamer", re.compile(r"\b(?:de )?eerste kamer\b", re.IGNORECASE)),
    ("gerecht-raad-van-state", re.compile(r"\b(?:de )?raad van state\b", re.IGNORECASE)),
    ("gerecht-hoge-raad", re.compile(r"\b(?:de )?hoge raad\b", re.IGNORECASE)),
    ("gerecht-centrale-raad-van-beroep", re.compile(r"\b(?:de )?centrale raad van beroep\b", re.IGNORECASE)),
)
"""Bodies of which there is one, which a sentence names without a word for their kind."""
_RULED_BY: Final[Mapping[BodyKind, tuple[str, ...]]] = MappingProxyType(
    {
        BodyKind.GEMEENTE: ("raad", "gemeenteraad", "college", "wethouder", "wethouders", "burgemeester"),
        BodyKind.PROVINCIE: ("staten", "commissaris"),
    }
)
"""Who decides at a body of a kind: "het college van Utrecht" is that of the municipality."""
_MAYOR_AND_ALDERMEN: Final = re.compile(r"\bB ?(?:&|en) ?W\b", re.IGNORECASE)
_FEWEST_WORDS: Final = 3
_AROUND: Final = ".,;:!?()"


@dataclass(frozen=True, slots=True)
class Chosen:
    """What was chosen beside the words, which is then not read from them, and what can be chosen.

    ``order``: whether an order was chosen. ``kinds``: the kinds chosen; ``able``: those that a chosen platform has; ``today``:
    the day from which "vorig jaar" counts, None where no time may be read.
    """

    bodies: bool = False
    kinds: frozenset[str] = frozenset()
    able: Collection[Kind] = frozenset(Kind)
    period: bool = False
    order: bool = False
    today: date | None = None


_NOTHING: Final = Chosen()


@dataclass(frozen=True, slots=True)
class Sentence:
    """What is left of a question: ``words`` to search for, and what it names. ``perhaps``: bodies it may name.

    ``first`` and ``last``: days, both included. Hidden in logs.
    """

    words: str = field(repr=False)
    bodies: tuple[Organisation, ...] = field(default=(), repr=False)
    perhaps: tuple[Organisation, ...] = field(default=(), repr=False)
    kinds: tuple[Kind, ...] = field(default=(), repr=False)
    first: date | None = field(default=None, repr=False)
    last: date | None = field(default=None, repr=False)
    newest_first: bool = False

    @property
    def said(self) -> str:
        """In Dutch, how it was read, for a program."""
        parts = [f"gezocht op: {self.words or 'alle stukken'}"]
        parts += [f"soort: {kind.value}" for kind in self.kinds]
        parts += [f"{name}: {day}" for name, day in (("van", self.first), ("tot", self.last)) if day]
        parts += ["nieuwste eerst"] if self.newest_first else []
        parts += [f"organisatie: {body.name} (`{body.id}`)" for body in self.bodies]
        choices = " of ".join(f"`{body.id}`" for body in self.perhaps)
        doubt = f" Bedoelt u een organisatie? Geef dan `organisaties`: {choices}." if choices else ""
        return (
            f"Zo lazen we de vraag: {', '.join(parts)}. Wilt u het anders? Zet woorden tussen aanhalingstekens.{doubt}"
        )


def read_sentence(
    typed: str, register: Bodies, fits: Callable[[Organisation], bool], chosen: Chosen = _NOTHING
) -> Sentence | None:
    """How a question is read; None when it stays as it is. ``fits``: whether a chosen platform has a body."""
    cleaned = clean(typed)
    text = _QUOTES.sub('"', cleaned)
    if text.count('"') % 2:
        return None if chosen.bodies else _with_bodies_alone(cleaned, bodies_in(cleaned, register, fits))
    phrases = [cleaned[found.start() : found.end()] for found in _PHRASE.finditer(text)]
    numbers = iter(range(len(phrases)))
    hidden = _PHRASE.sub(lambda _: f'"{next(numbers)}"', text)
    read = _read(hidden, register, fits, chosen)
    words = _PHRASE.sub(lambda found: phrases[int(found[0].strip('"'))], read.words)
    is_same = words == cleaned and not (read.bodies or read.kinds or read.first or read.last or read.newest_first)
    if is_same or not (words or read.bodies or read.kinds or chosen.bodies):
        return None
    return replace(read, words=words)


def _with_bodies_alone(text: str, named: Named) -> Sentence | None:
    return Sentence(named.rest, named.bodies, named.perhaps) if named.bodies and named.rest != text else None


def _read(text: str, register: Bodies, fits: Callable[[Organisation], bool], chosen: Chosen) -> Sentence:
    """The parts of a question, with what is left of it. Phrases stand hidden in ``text``, each as its number."""
    times, rest, asks, newest = Times(), text, False, False
    if _may_be_read(text):
        text = rest = _MAYOR_AND_ALDERMEN.sub("college", text) if is_asking(text) else text
        asks = is_asking(text)
        newest = asks and not chosen.order and asks_for_newest(text)
        if chosen.today and not chosen.period:
            found, rest = times_in(text, chosen.today, asks=asks or begins_with_kind(text.split()))
            times = found or times
    bodies: dict[str, Organisation] = {}
    perhaps: tuple[Organisation, ...] = ()
    if not chosen.bodies:
        named = _certain(bodies_in(rest, register, fits), rest, asks=asks)
        bodies, perhaps = {body.id: body for body in named.bodies}, named.perhaps
        rest = named.rest if named.bodies else rest
        rest = _without_national(rest, bodies, register, fits) if asks else rest
    words = [word for piece in rest.split() if (word := piece.strip(_AROUND))]
    kinds: tuple[Kind, ...] = ()
    if asks or (_may_be_read(text) and begins_with_kind(words)):
        if not chosen.kinds:
            kinds, words = kinds_in(words, chosen.able)
        words = telling(words, chosen.kinds, has_others=bool(bodies or kinds or chosen.bodies))
        rest = " ".join(words)
    elif times != Times():
        rest = " ".join(without_function_words(words))
    if not (rest or bodies or kinds):
        return Sentence(text)
    return Sentence(rest, tuple(bodies.values()), perhaps, kinds, times.first, times.last, newest)


def _may_be_read(text: str) -> bool:
    """Whether a text has words enough, and no signs with a meaning of their own."""
    pieces = text.split()
    return (
        len(pieces) >= _FEWEST_WORDS
        and not any(sign in text for sign in "*~|")
        and not {"OR", "NOT", "AND"} & set(pieces)
    )


def _certain(named: Named, text: str, *, asks: bool) -> Named:
    """In a sentence, the one of two bodies with a name of which who rules it is named too."""
    folded = f" {fold(text)} "
    sure = [
        body
        for body in (named.perhaps if asks and not named.bodies else ())
        if any(f" {ruler} van {name} " in folded for ruler in _RULED_BY.get(body.kind, ()) for name in names_of(body))
    ]
    return Named(tuple(sure), named.rest) if len(sure) == 1 else named


def _without_national(
    rest: str, bodies: dict[str, Organisation], register: Bodies, fits: Callable[[Organisation], bool]
) -> str:
    """The rest of a sentence without the national bodies that it names; those are added to ``bodies``."""
    for key, name in _NATIONAL:
        body = register.body(key)
        if body is not None and fits(body) and name.search(rest):
            bodies[key] = body
            rest = name.sub(" ", rest)
    return rest
