"""Words for the slots of a sentence: who decides, where, how much, by when. One ``Wording`` a dossier keeps them consistent.

Of the body: ``naam`` (de gemeente Ede), ``naamkort``, ``plaats``, ``inplaats`` (in Ede, op Texel), ``gemeente`` (de gemeente,
de provincie, het waterschap), ``raad``, ``college``, ``wethouder``. Of the dossier, the same in all its papers: ``wijk``,
``straat``, ``plein`` (``wijknaam`` and so on without article), ``zaak`` and ``onderwerp`` of the topic, ``bedrag``,
``bedragklein``, ``kleinvast``, ``maand``, ``vorigjaar``, ``ditjaar``, ``jaar1``, ``jaar``. Of the sentence, the same wherever a
dossier uses it: ``bedraganders``, ``aantal``, ``aantalklein``, ``procent``; with a name behind a colon (``aantal:wachtlijst``)
of the dossier, for a fact that stands in several sentences. Of the form: ``partij``, ``datum``, ``tijd``, ``eindtijd``,
``overweging``.
A capital first letter of the slot gives a capital. ``[is|zijn]`` follows the number of ``raad``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from random import Random
from typing import TypeVar
from zlib import crc32

from connectors.council_papers.bodies import Body, BodyType
from connectors.council_papers.topics import Topic, lines, pair
from connectors.moments import AMSTERDAM, MONTHS

Entry = TypeVar("Entry")
_DATA = Path(__file__).parent / "data" / "sentences"
_SLOT = re.compile(r"\{(\w+)(?::(\w+))?\}|\[([^|\]]+)\|([^|\]]+)\]")

_ROLES: dict[BodyType, dict[str, str]] = {
    BodyType.GEMEENTE: {
        "gemeente": "de gemeente",
        "raad": "de raad",
        "college": "het college",
        "wethouder": "de wethouder",
    },
    BodyType.PROVINCIE: {
        "gemeente": "de provincie",
        "raad": "Provinciale Staten",
        "college": "het college",
        "wethouder": "de gedeputeerde",
    },
    BodyType.WATERSCHAP: {
        "gemeente": "het waterschap",
        "raad": "het algemeen bestuur",
        "college": "het dagelijks bestuur",
        "wethouder": "de portefeuillehouder",
    },
}
_DISTRICTS: dict[BodyType, tuple[str, ...]] = {
    BodyType.GEMEENTE: (
        "de Vogelbuurt",
        "het Stationskwartier",
        "de Bloemenwijk",
        "de Noordrand",
        "het Havenkwartier",
        "de Kersenhof",
        "de Westerbuurt",
        "het Molenveld",
        "de Zuiderpoort",
        "het Oude Dorp",
        "de Tuinwijk",
        "het Lindekwartier",
    ),
    BodyType.PROVINCIE: ("de Kanaalzone", "het Middengebied", "de Noordrand", "de Oostflank", "het Rivierenland"),
    BodyType.WATERSCHAP: ("de Oosterpolder", "het Beekdal", "de Lage Landen", "de Zuidwaard", "het Broekgebied"),
}
_STREETS: dict[BodyType, tuple[str, ...]] = {
    BodyType.GEMEENTE: (
        "de Molenweg",
        "de Stationsstraat",
        "de Schoolstraat",
        "de Industrieweg",
        "de Parallelweg",
        "de Lindelaan",
        "de Havenweg",
        "de Ringweg",
        "de Kerkstraat",
        "de Dorpsstraat",
        "de Eikenlaan",
        "de Kanaalweg",
    ),
    BodyType.PROVINCIE: ("de Rijksstraatweg", "de Provincialeweg", "de Kanaaldijk", "de Oude Postweg"),
    BodyType.WATERSCHAP: ("de Waterdijk", "de Zomerdijk", "de Sluisweg", "de Oude Zeedijk"),
}
_NUMBERS = {
    "aantal": range(112, 887),
    "aantalklein": range(7, 29),
    "procent": range(12, 48),
    "bedraganders": range(12_000, 185_000, 1_000),
}
_ISLANDS = frozenset({"Texel"})
_SQUARES = ("het Marktplein", "het Raadhuisplein", "het Stationsplein", "het Dorpsplein", "het Havenplein")


def money(amount: int) -> str:
    """An amount as Dutch papers write it: ``€ 1.250.000``."""
    return f"€ {amount:,}".replace(",", ".")


def long_date(moment: datetime) -> str:
    """The day of a moment in Amsterdam: ``12 maart 2026``."""
    local = moment.astimezone(AMSTERDAM)
    return f"{local.day} {MONTHS[local.month - 1]} {local.year}"


def clock(moment: datetime) -> str:
    """The time of a moment in Amsterdam: ``19.30``."""
    return f"{moment.astimezone(AMSTERDAM):%H.%M}"


def upper_first(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def without_article(text: str) -> str:
    """A noun without the article before it."""
    return text.partition(" ")[2]


@cache
def sentences(kind: str) -> tuple[str, ...]:
    """The general sentences of one kind. Raises ``KeyError`` for a kind that no table holds."""
    return _tables()[kind]


def sentence_kinds() -> tuple[str, ...]:
    """The kinds of general sentences there are."""
    return tuple(_tables())


@cache
def _tables() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for path in sorted(_DATA.glob("*.toml")):
        found.update({kind: lines(text) for kind, text in tomllib.loads(path.read_text(encoding="utf-8")).items()})
    return found


def draw(dice: Random, choices: Sequence[Entry], count: int) -> list[Entry]:
    """``count`` different entries (or all, when there are fewer) in the order of the table, so that a text keeps its line."""
    chosen = sorted(dice.sample(range(len(choices)), min(count, len(choices))))
    return [choices[place] for place in chosen]


class Wording:
    """Fills the slots of sentences about one topic at one body in one year."""

    def __init__(self, dice: Random, body: Body, topic: Topic, moment: datetime) -> None:
        self._dice = dice
        self._salt = str(dice.getrandbits(32))
        self._plural = body.type is BodyType.PROVINCIE
        self.words: dict[str, str] = {**_body_words(body), **_dossier_words(dice, body, moment)}
        title, running = (self.fill(side) for side in dice.choice(topic.subjects))
        self.title = title
        self.words |= {"zaak": topic.thing, "onderwerp": running}

    def fill(self, template: str, extra: Mapping[str, str] | None = None) -> str:
        """The template with every slot filled. Raises ``KeyError`` for a slot that is not known."""
        words = {**self.words, **extra} if extra else self.words

        def slot(match: re.Match[str]) -> str:
            name, fact, one, many = match.groups()
            if name is None:
                return str(many if self._plural else one)
            key = name[0].lower() + name[1:]
            word = self._number(key, fact or template) if key in _NUMBERS else words[key]
            return upper_first(word) if name[0].isupper() else word

        return _SLOT.sub(slot, template)

    def _number(self, name: str, of: str) -> str:
        """A number of this dossier that belongs to ``of``, a sentence or a fact: drawn from that itself, not from the dice."""
        numbers = _NUMBERS[name]
        value = numbers[crc32(f"{self._salt} {name} {of}".encode()) % len(numbers)]
        return money(value) if name == "bedraganders" else str(value)

    def sentence(self, template: str, extra: Mapping[str, str] | None = None) -> str:
        """A filled template with a capital first letter."""
        return upper_first(self.fill(template, extra))

    def some(self, choices: Sequence[str], count: int, extra: Mapping[str, str] | None = None) -> list[str]:
        """``count`` different filled sentences."""
        return [self.sentence(choice, extra) for choice in draw(self._dice, choices, count)]

    def general(self, kind: str, count: int, extra: Mapping[str, str] | None = None) -> list[str]:
        """``count`` different filled sentences of a general kind."""
        return self.some(sentences(kind), count, extra)

    def pairs(self, choices: Sequence[tuple[str, str]], count: int) -> list[tuple[str, str]]:
        """``count`` different pairs, both sides filled."""
        return [(self.sentence(one), self.sentence(other)) for one, other in draw(self._dice, choices, count)]

    def general_pairs(self, kind: str, count: int) -> list[tuple[str, str]]:
        """``count`` different general pairs, both sides filled."""
        return self.pairs([pair(line) for line in sentences(kind)], count)


def _body_words(body: Body) -> dict[str, str]:
    article = "het" if body.type is BodyType.WATERSCHAP else "de"
    short = f"{body.type.value} {body.name}"
    return {
        **_ROLES[body.type],
        "naam": f"{article} {short}",
        "naamkort": short,
        "plaats": body.name,
        "inplaats": f"{'op' if body.name in _ISLANDS else 'in'} {body.name}",
    }


def _dossier_words(dice: Random, body: Body, moment: datetime) -> dict[str, str]:
    district = dice.choice(_DISTRICTS[body.type])
    street = dice.choice(_STREETS[body.type])
    square = dice.choice(_SQUARES)
    year = moment.astimezone(AMSTERDAM).year
    return {
        "wijk": district,
        "wijknaam": without_article(district),
        "straat": street,
        "straatnaam": without_article(street),
        "plein": square,
        "pleinnaam": without_article(square),
        "bedrag": money(dice.randrange(300, 4_800, 25) * 1_000),
        "bedragklein": money(dice.randrange(15, 195, 5) * 1_000),
        "kleinvast": str(dice.randrange(9, 29)),
        "maand": dice.choice(MONTHS[:6] + MONTHS[8:11]),
        "vorigjaar": str(year - 1),
        "ditjaar": str(year),
        "jaar1": str(year + 1),
        "jaar": str(year + dice.randrange(2, 5)),
    }
