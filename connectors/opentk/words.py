"""From words to a query for SQLite's FTS5, in which nothing that somebody typed is an operator (section 2).

Text is split at everything but letters and digits and each word is quoted: bare punctuation would be answered with 500.
"""

from __future__ import annotations

import re
from typing import Final

from connectors.records import SearchText, Term

_WORD: Final = re.compile(r"[^\W_]+")
_YEAR: Final = re.compile(r"(?:19|20)[0-9]{2}", re.ASCII)
_SHORT: Final = 2
_MANY: Final = 8
_FREQUENT: Final = frozenset(
    """aan al als alle bij dan dat de deze die dit door een en er heeft het hoe hun ik in is kan maar meer met na naar niet
    nog nu of om ook op over te tot uit van voor wat wel wij worden wordt zal ze zich zij zijn zo zou antwoord brief
    commissie datum debat document fractie heer kabinet kamer kamerbrief kamerstuk leden lid mevrouw minister ministerie
    ministers motie moties nederland nederlandse nr onderwerp overheid regering rijk staat staatssecretaris stuk tweede
    vaste vergadering verslag verzoekt voorzitter vraag vragen wet wetsvoorstel""".split()  # noqa: SIM905 - a list of words is read as words
)
"""Words that stand in a large part of all papers: to rank one, every row of the index that holds it is counted."""


def fts_query(text: SearchText) -> str:
    """The query: each word in quotes, the words of a phrase in one pair, each once. Empty when there is no word at all.

    A word that is said a hundred times means no more, and costs the platform as much as a hundred words.
    """
    return " ".join({piece.lower(): piece for term in text.terms for piece in _quoted(term)}.values())


def is_expensive(text: SearchText) -> bool:
    """Whether the page of the platform calls this search expensive: a frequent or very short word, or very many words."""
    words = [word for part in text.words for word in _WORD.findall(part.casefold())]
    return len(words) > _MANY or any(
        word in _FREQUENT or len(word) <= _SHORT or _YEAR.fullmatch(word) is not None for word in words
    )


def _quoted(term: Term) -> list[str]:
    words = [word for part in term.words for word in _WORD.findall(part)]
    if term.phrase:
        return [f'"{" ".join(words)}"'] if words else []
    return [f'"{word}"' for word in words]
