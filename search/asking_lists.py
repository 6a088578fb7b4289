"""Words with which Dutch (and English) people ask, and which say nothing of what they ask about. Folded (``search.spelling``).

They stand in ``lists/asking.toml``, by what they are in grammar and not by the papers that happen to be there. Closed classes
stand there whole: articles, pronouns, prepositions, conjunctions, adverbs of time and degree, auxiliaries. Of the open classes
only two groups do: verbs of saying and deciding, in all their forms; and nouns for who decides and for papers in general.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final

_LISTS: Final = tomllib.loads((Path(__file__).parent / "lists" / "asking.toml").read_text(encoding="utf-8"))


def _words(*names: str) -> frozenset[str]:
    return frozenset(word for name in names for word in _LISTS[name].split())


QUESTION_WORDS: Final = _words("vraagwoorden")
AUXILIARIES: Final = _words("hulpwerkwoorden")
LIGHT_VERBS: Final = _words("lichte_werkwoorden")
FUNCTION_WORDS: Final = (
    QUESTION_WORDS
    | AUXILIARIES
    | LIGHT_VERBS
    | _words("lidwoorden_en_voornaamwoorden", "voorzetsels", "voegwoorden", "bijwoorden")
)
GENERAL: Final = _words("algemeen")
"""Nouns for who decides, for papers and for what is asked of them: dropped where other words are left ("Welke plannen?")."""
VERBS: Final = _words("zeggen", "beslissen") - GENERAL
"""Verbs of saying and deciding: dropped where a word, a body or a kind is left. Forms that are nouns too are ``GENERAL``."""
PAPER_WORDS: Final = _words("stukwoorden")
"""What a paper with a number is called: before or behind its number these say nothing more."""
COMMANDS: Final = _words("opdrachten")
AFTER_COMMAND: Final = _words("na_een_opdracht")
"""What follows a command to an assistant, and no subject: "Geef mij", "Zoek alle", "Vat samen"."""
COMMAND_WORDS: Final = COMMANDS | _words("opdrachten_verderop")
I_WORDS: Final = frozenset({"ik", "wij", "we"})
DETERMINERS: Final = _words("bepalers")
"""What follows the verb with which a question begins: "Verdwijnt de bus?"."""
NO_VERB_AFTER: Final = DETERMINERS | _words("geen_werkwoord_na")
"""After these a word is no verb: "hinder van geluid"."""
NO_PARTICIPLES: Final = _words("geen_voltooid_deelwoord")
ADDRESSED: Final = COMMANDS | I_WORDS | _words("aangesproken")
"""With these begins a sentence that speaks to an assistant."""
EVERYTHING: Final = _words("alles")
"""With these begins who asks for all there is on something: "Alle stukken over …"."""
AROUND_EVERYTHING: Final = _words("rond_alles")
"""What else may stand before "over" in such a question, beside kinds and papers."""
NEWEST_FIRST: Final = _words("nieuwste_eerst")
"""Before a word for papers these ask for the newest first."""
ABOUT: Final = _words("over")
"""After a kind at the beginning these lead to a subject or a sender: "jurisprudentie inzake", "brieven van"."""
ENGLISH_OPENERS: Final = _words("engels_begin")
ENGLISH_WORDS: Final = ENGLISH_OPENERS | _words("engels")
ENGLISH_ALONE: Final = _words("alleen_engels")
"""Words that no Dutch sentence has."""
