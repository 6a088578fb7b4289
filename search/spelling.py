"""How names of bodies are spelled: what makes two spellings equal, other readings of one, and names that look alike."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Self

from connectors.records import BodyKind, Organisation

_NAMED_BY_KIND: Final = frozenset(
    {BodyKind.GEMEENTE, BodyKind.PROVINCIE, BodyKind.WATERSCHAP, BodyKind.STADSDEEL, BodyKind.MINISTERIE}
)
_SHORT: Final[Mapping[str, str]] = MappingProxyType(
    {"gem": "gemeente", "prov": "provincie", "ws": "waterschap", "min": "ministerie", "st": "sint"}
)
_ASSEMBLIES: Final = (
    (re.compile(r"^gemeenteraad (?:van )?(?:de gemeente )?"), "gemeente "),
    (re.compile(r"^provinciale staten (?:van )?(?:de provincie )?"), "provincie "),
)
_ARTICLE: Final = re.compile(r"^(?:de|het) (?=(?:gemeente|provincie|waterschap|ministerie)\b)")
_KIND_BEHIND: Final = re.compile(r"^(.+) (gemeente|provincie|waterschap)$")
_ON_THE: Final = re.compile(r"\ba d\b")
_NO_WORD: Final = re.compile(r"[^a-z0-9]+")
_COMPARED: Final = 30
_CUTOFF: Final = 0.75
_SHORTEST_PART: Final = 3


def fold(name: str) -> str:
    """A name without case, accents and punctuation, so that spellings of one name are equal."""
    if name.isascii():  # the same in one go, as most names and titles are
        return " ".join(_NO_WORD.sub(" ", name.lower()).split())
    decomposed = unicodedata.normalize("NFKD", name)
    kept = "".join(c if c.isalnum() else " " for c in decomposed if not unicodedata.combining(c))
    return " ".join(kept.casefold().split())


def squeezed(folded: str) -> str:
    """A folded name without blanks: "sudwestfryslan", "sgravenhage"."""
    return folded.replace(" ", "")


def readings(text: str) -> Iterator[str]:
    """The folded text, and then what it stands for when its words are abbreviated or in another order.

    "Gem. Ede" → "gemeente ede"; "Utrecht (provincie)" → "provincie utrecht"; "gemeenteraad van Ede" → "gemeente ede".
    """
    folded = fold(text)
    yield folded
    whole = " ".join(_SHORT.get(word, word) for word in _ON_THE.sub("aan den", folded).split())
    whole = _ARTICLE.sub("", whole)
    for assembly, kind in _ASSEMBLIES:
        whole = assembly.sub(kind, whole)
    whole = _KIND_BEHIND.sub(r"\2 \1", whole)
    if whole != folded:
        yield whole


def names_of(organisation: Organisation) -> set[str]:
    """The folded names of a body: as they are, and each with and without the word for its kind."""
    names = {fold(name) for name in (organisation.name, *organisation.names)}
    if organisation.kind is not BodyKind.GERECHT:
        prefix = f"{organisation.kind.value} "
        names |= {name.removeprefix(prefix) for name in names}
        if organisation.kind in _NAMED_BY_KIND:
            names |= {prefix + name for name in names if not name.startswith(prefix)}
    return names - {"", organisation.kind.value}


@dataclass(frozen=True, slots=True)
class Lookalikes:
    """Names by the groups of three letters in them, so that few of them need a close look."""

    _by_letters: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, names: Iterable[str]) -> Self:
        """Of folded names."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for name in names:
            for letters in _threes(name):
                found[letters].append(name)
        return cls(MappingProxyType({letters: tuple(held) for letters, held in found.items()}))

    def like(self, text: str) -> tuple[str, ...]:
        """The names that look like ``text`` (folded), best first; then those that begin with it or hold it as words."""
        wanted = _threes(text)
        shared = Counter(name for letters in wanted for name in self._by_letters.get(letters, ()))
        near = sorted(shared, key=lambda name: (-shared[name] / (len(wanted) + len(name)), name))[:_COMPARED]
        matcher = difflib.SequenceMatcher(b=text)
        rated = []
        for name in near:
            matcher.set_seq1(name)
            if matcher.real_quick_ratio() >= _CUTOFF and (ratio := matcher.ratio()) >= _CUTOFF:
                rated.append((-ratio, name))
        close = [name for _, name in sorted(rated)]
        held = [name for name in near if len(text) >= _SHORTEST_PART and f" {text}" in f" {name}"]
        return tuple(dict.fromkeys((*close, *held)))


def _threes(name: str) -> frozenset[str]:
    padded = f"  {name} "
    return frozenset(padded[at : at + 3] for at in range(len(padded) - 2))
