"""The same question with one word less, for who found nothing: all words must occur in a paper, and one too many hides it.

The words that tell least go first. No platform is asked for it: whether it helps, whoever follows a link sees.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from connectors.language import say
from connectors.records import SearchText, Term
from search import asking_lists as lists
from search.answers import PlatformAnswer, State
from search.choices import understood, with_bodies, zoeken
from search.federation import Federation
from search.parameters import Asked
from search.question import read_question
from search.spelling import fold

_MOST: Final = 5
_VERB: Final = re.compile(
    r"(?:aan|af|bij|door|in|mee|na|om|op|open|over|terug|toe|uit|voor|weg|samen|vast)\w{3,}en|\w+eren"
)
_SAYS_NOTHING: Final = lists.FUNCTION_WORDS | lists.VERBS | lists.GENERAL | lists.COMMAND_WORDS


def is_all_nothing(answers: Iterable[PlatformAnswer]) -> bool:
    """Whether every source that could be asked answered, and none with a paper that has all words."""
    last = [answer for answer in answers if answer.state is not State.NOT_SUPPORTED]
    return bool(last) and all(one.state.has_answered and not one.fitting for one in last)


def spare_words(text: SearchText) -> tuple[Term, ...]:
    """At most five words or phrases that may be left out, those that tell least first; none where there is one alone."""
    if text.ecli or text.operators or len(text.terms) < 2:  # noqa: PLR2004 - of one word nothing is left
        return ()
    places = sorted(range(len(text.terms)), key=lambda at: (_weight(text.terms[at], at), -at))
    return tuple(dict.fromkeys(text.terms[at] for at in places))[:_MOST]


def as_written(term: Term) -> str:
    """A word or phrase as it was typed."""
    return term.written or " ".join(term.words)


def _weight(term: Term, at: int) -> int:
    """How much a word tells: words of asking, verbs, other words, names and numbers, phrases."""
    word = as_written(term)
    if term.phrase:
        return 4
    if fold(word) in _SAYS_NOTHING:
        return 0
    if any(sign.isdigit() for sign in word) or word.isupper() or (at and word[0].isupper()):
        return 3
    return 1 if _VERB.fullmatch(word) else 2


def fewer(asked: Asked, federation: Federation) -> tuple[tuple[str, str], ...]:
    """A link (words, address) for each word that may be left out; everything else of the question stays."""
    spare = spare_words(asked.query.text)
    telling = [term for term in spare if not _is_small(term)]
    return tuple(
        (say("zonder ‘{word}’", word=as_written(term)), _address(asked, term, federation))
        for term in (telling if len(telling) > 1 else spare)
    )


def _is_small(term: Term) -> bool:
    """Whether a word only joins others ("in", "van"): without it alone nobody finds more, and alone it finds nothing."""
    return not term.phrase and fold(as_written(term)) in lists.FUNCTION_WORDS


def _address(asked: Asked, term: Term, federation: Federation) -> str:
    """The typed question without the word where it is then read as before, else the question as it was read."""
    typed = asked.as_typed
    others = tuple(one for one in asked.query.text.terms if one != term)
    kept = tuple(one for one in others if not _is_small(one)) or others
    left = SearchText(kept, asked.query.text.operators)
    wanted = replace(asked.query, text=left, page=1)
    rest = typed.question.typed
    for gone in (term, *(one for one in others if one not in kept)):
        rest = re.sub(rf'"?(?<!\w){re.escape(as_written(gone))}(?!\w)"?', " ", rest)
    shorter = with_bodies(typed, rest, typed.query.organisations)
    shorter = replace(shorter, query=replace(shorter.query, page=1))
    if understood(shorter, federation).asked.query == wanted:
        return zoeken(shorter.address())
    words = " ".join(f'"{as_written(one)}"' if one.phrase else as_written(one) for one in left.terms)
    plain = replace(asked, question=read_question(words), query=wanted, before=None)
    is_read = understood(plain, federation).asked.query != wanted
    return zoeken(replace(plain, literally=asked.literally or is_read).address())
