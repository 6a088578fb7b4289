"""Kinds of papers named in a question: "Welke moties zijn er over isolatie?" asks for motions, about isolatie.

The word for a kind becomes a filter only where it says what is asked for; a word that stands alone, or between quotes, stays a
word (``search.sentences`` sees to that).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Final

from connectors.records import Kind
from search.asking_lists import ABOUT
from search.spelling import fold

_WORDS: Final[Mapping[Kind, str]] = MappingProxyType(
    {
        Kind.MOTIE: "motie moties kamermotie kamermoties raadsmotie raadsmoties motion motions",
        Kind.AMENDEMENT: "amendement amendementen amendment amendments",
        Kind.TOEZEGGING: "toezegging toezeggingen commitment commitments",
        Kind.VOORSTEL: "voorstel voorstellen raadsvoorstel raadsvoorstellen statenvoorstel statenvoorstellen collegevoorstel "
        "collegevoorstellen proposal proposals",
        Kind.BRIEF: "brief brieven raadsbrief raadsbrieven statenbrief statenbrieven kamerbrief kamerbrieven collegebrief "
        "collegebrieven letter letters",
        Kind.VRAAG: "kamervraag kamervragen raadsvraag raadsvragen statenvragen",
        Kind.UITSPRAAK: "uitspraak uitspraken arrest arresten vonnis vonnissen jurisprudentie "
        "rechtspraak ruling rulings judgment judgments",
        Kind.VERSLAG: "verslag verslagen notulen raadsnotulen",
        Kind.BEKENDMAKING: "bekendmaking bekendmakingen",
    }
)
KIND_OF_WORD: Final[Mapping[str, Kind]] = MappingProxyType(
    {word: kind for kind, words in _WORDS.items() for word in words.split()}
)
_BESIDE: Final[Mapping[Kind, frozenset[str]]] = MappingProxyType(
    {Kind.TOEZEGGING: frozenset({"open", "openstaande", "openstaand"})}
)
"""What else says nothing more of papers of a kind: "Welke toezeggingen over isolatie staan open?"."""
_WRITTEN_QUESTIONS: Final = ("schriftelijke", "vragen")
_BETWEEN: Final = frozenset({"en", "of", "and", "or"})
_PERSONS: Final = frozenset({"wethouder", "wethouders", "burgemeester", "minister", "staatssecretaris", "gedeputeerde"})
"""What these say in public is an "uitspraak" too, of no court."""


_ABOUT: Final = frozenset({"over", "about", "inzake", "betreffende", "omtrent"})
_MANY: Final = frozenset(word for word in KIND_OF_WORD if word.endswith(("s", "en")) and word != "vonnis") | {
    *("jurisprudentie", "rechtspraak", "vragen"),
}
"""Of one paper "van" belongs to its title: "Motie van het lid …"."""


def words_of(kinds: Collection[str]) -> frozenset[str]:
    """The folded words that say nothing more where ``kinds`` were chosen."""
    named = {word for word, kind in KIND_OF_WORD.items() if kind in kinds}
    return frozenset(named.union(*(_BESIDE.get(Kind(kind), frozenset()) for kind in kinds)))


def kinds_in(words: list[str], able: Collection[Kind]) -> tuple[tuple[Kind, ...], list[str]]:
    """The kinds that a sentence asks for, and its words without those. ``able``: those that a chosen platform has.

    The first word for a kind counts, and those joined to it ("moties en amendementen"). Another one further on is a part of
    what is asked about.
    """
    folded = [fold(word) for word in words]
    at = 0
    while at < len(words):
        kind, used = _kind_at(folded, at)
        if kind in able and not (kind is Kind.UITSPRAAK and _PERSONS & set(folded)):
            break
        at += 1
    else:
        return (), words
    kinds, end = [kind], at + used
    while end + 1 < len(words) and folded[end] in _BETWEEN:
        kind, used = _kind_at(folded, end + 1)
        if kind not in able:
            break
        kinds.append(kind)
        end += 1 + used
    found = tuple(dict.fromkeys(kind for kind in kinds if kind))
    beside = frozenset[str]().union(*(_BESIDE.get(kind, frozenset()) for kind in found))
    return found, [word for place, word in enumerate(words) if not at <= place < end and folded[place] not in beside]


def begins_with_kind(words: list[str]) -> bool:
    """Whether words say in what kind of papers a subject is looked for: "toezeggingen over isolatie"."""
    folded = [fold(word) for word in words]
    kind, used = _kind_at(folded, 0)
    if kind is None or len(words) <= used + 1:
        return False
    is_many = folded[used - 1] in _MANY
    return folded[used] in (ABOUT if is_many else _ABOUT)


def _kind_at(folded: list[str], at: int) -> tuple[Kind | None, int]:
    """The kind that begins at a place, and of how many words its name is."""
    if tuple(folded[at : at + 2]) == _WRITTEN_QUESTIONS:
        return Kind.VRAAG, 2
    return (KIND_OF_WORD.get(folded[at]) if at < len(folded) else None), 1
