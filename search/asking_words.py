"""Whether somebody asks in so many words, and which of those words say what is asked about."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from search import asking_lists as lists
from search.named_kinds import KIND_OF_WORD, words_of
from search.spelling import fold

_AROUND: Final = ".,;:!?()"
_PARTICIPLE: Final = re.compile(
    r"(?:aan|af|bij|door|in|mee|na|om|op|over|terug|toe|uit|voor|weg)?ge[a-z]{3,}(?:d|t|en)"
)
_FEWEST_OF_COMMAND: Final = 4
_FARTHEST_ABOUT: Final = 8
_ABOUT: Final = "over"
_PAPERS: Final = lists.GENERAL | frozenset(KIND_OF_WORD)
_BEFORE_ABOUT: Final = _PAPERS | lists.EVERYTHING | lists.AROUND_EVERYTHING | lists.COMMANDS | lists.NEWEST_FIRST
_HOW: Final = "hoe"
_NAME_GOES_ON: Final = frozenset({"van", "voor"})


def is_asking(text: str) -> bool:
    """Whether a text of at least three words is a sentence that asks or commands something."""
    words = _folded(text)
    first, second = words[0], words[1]
    if text.startswith('"'):
        return False
    if text.rstrip().endswith("?") or first in lists.QUESTION_WORDS | lists.AUXILIARIES | lists.ENGLISH_OPENERS:
        return True
    if first in lists.LIGHT_VERBS and second in lists.DETERMINERS:
        return True
    if _ABOUT in words[1:_FARTHEST_ABOUT] and _BEFORE_ABOUT.issuperset(words[: words.index(_ABOUT)]):
        return True
    return _names_papers(words) or _is_told(first, second, len(words)) or _ends_asking(words)


def _ends_asking(words: list[str]) -> bool:
    """Whether a question follows its subject: "parkeervergunning Ede, hoe zit dat"."""
    begins = [at for at, word in enumerate(words) if at and word in lists.QUESTION_WORDS]
    return any(len(words) - at > 1 and lists.FUNCTION_WORDS.issuperset(words[at:]) for at in begins)


def asks_for_newest(text: str) -> bool:
    """Whether a text asks for the newest papers: "de nieuwste moties", "laatste nieuws", "meest recente uitspraken"."""
    words = _folded(text)
    for at, word in enumerate(words[:-1]):
        most = word == "recente" and at and words[at - 1] == "meest"
        if (word in lists.NEWEST_FIRST or most) and (words[at + 1] in _PAPERS or words[at + 1] in lists.ABOUT):
            return True
    return False


def without_function_words(words: list[str]) -> list[str]:
    """Words without those that only hold a sentence together, as long as others are left."""
    left = [word for place, word in enumerate(words) if fold(word) not in lists.FUNCTION_WORDS or _is_kept(word, place)]
    return left or words


def _names_papers(words: list[str]) -> bool:
    """Whether a command is for papers: "Toon moties", "Vind ingediende moties"."""
    at = next((at for at, word in enumerate(words) if word in _PAPERS), 0)
    return words[0] in lists.COMMANDS and at > 0 and _BEFORE_ABOUT.issuperset(words[:at])


def _is_told(first: str, second: str, length: int) -> bool:
    """Whether these words begin a command, a wish, or a question behind a preposition ("In welk besluit")."""
    if length < _FEWEST_OF_COMMAND:
        return False
    if first in lists.COMMANDS:
        return second in lists.AFTER_COMMAND
    return first in lists.I_WORDS or (first in lists.NO_VERB_AFTER and second in lists.QUESTION_WORDS)


def says_nothing(text: str) -> bool:
    """Whether all words of a text are words of asking: "open", "wat staat er in", "mag ik … zien"."""
    empty = lists.FUNCTION_WORDS | lists.VERBS | lists.COMMANDS | lists.COMMAND_WORDS | lists.PAPER_WORDS
    return set(_folded(text)) <= empty | {""}


def telling(words: list[str], kinds: Collection[str], *, has_others: bool) -> list[str]:
    """The words that say what is asked about. ``has_others``: a body or a kind is named too, so that words may all go.

    What never says anything goes first; then verbs, as long as something is left; then nouns for who decides and for papers, as
    long as other words are left.
    """
    folded = [fold(word) for word in words]
    empty = lists.FUNCTION_WORDS | words_of(kinds)
    if lists.ENGLISH_ALONE & set(folded):
        empty |= lists.ENGLISH_WORDS
    if folded and folded[0] in lists.ADDRESSED:
        empty |= lists.COMMAND_WORDS
    left = [place for place, word in enumerate(words) if folded[place] not in empty or _is_kept(word, place)]
    verbs = _verbs(folded)
    told = [place for place in left if place not in verbs and folded[place] not in lists.VERBS]
    subjects = [place for place in told if folded[place] not in lists.GENERAL or _is_name(words, place)]
    chosen = subjects or told or ([] if has_others else left)
    return [words[place] for place in chosen]


def _verbs(folded: list[str]) -> frozenset[int]:
    """Where a verb stands, by its place: the first word of a question, the one after its question word, a participle."""
    found = set[int]()
    at = 1 if folded and folded[0] in lists.QUESTION_WORDS and folded[0] not in {"welke", "welk"} else 0
    if at + 1 < len(folded) and folded[at + 1] in lists.DETERMINERS and folded[at] not in lists.NO_VERB_AFTER:
        found.add(at)
    if folded[0:1] == [_HOW] and len(folded) > _FEWEST_OF_COMMAND and folded[3] in lists.DETERMINERS:
        found |= {1, 2}
    if lists.AUXILIARIES & set(folded):
        found |= {
            place
            for place, word in enumerate(folded)
            if place
            and _PARTICIPLE.fullmatch(word)
            and word not in lists.NO_PARTICIPLES
            and folded[place - 1] not in lists.NO_VERB_AFTER
            and (place + 1 == len(folded) or folded[place + 1] in lists.FUNCTION_WORDS - {"en", "of"})
        }
    return frozenset(found)


def _is_kept(word: str, place: int) -> bool:
    """Whether a word is a name after all: OM is the public prosecutor, "om" says nothing; the Staat is no verb."""
    if len(word) > 1 and word.isupper() and word.isalpha():
        return True
    return place > 0 and word[0].isupper() and fold(word) in lists.LIGHT_VERBS


def _is_name(words: list[str], place: int) -> bool:
    """Whether a word begins a name of more words: "Raad voor de Kinderbescherming"."""
    after = words[place + 1 : place + 4]
    if not words[place][0].isupper() or not after or after[0] not in _NAME_GOES_ON:
        return False
    return any(word[0].isupper() for word in after[1:])


def _folded(text: str) -> list[str]:
    return [fold(piece.strip(_AROUND)) for piece in text.split()]
