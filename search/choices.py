"""What was chosen, each with a link that takes just that back, and what else somebody may want to choose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from connectors.connector import Connector
from connectors.exceptions import NotSupportedError
from connectors.language import here, say, say_number
from connectors.platforms import PLATFORMS
from connectors.questions import refuse_what_is_foreign
from connectors.records import Filter, Organisation, Query, Sort
from search import texts
from search.federation import Federation
from search.named_bodies import Named, bodies_in
from search.organisations import Bodies, successors_now
from search.parameters import NO, Asked
from search.question import read_question
from search.sentences import Sentence, read_sentence

_NAMES: Final = {platform.key: platform.name for platform in PLATFORMS}
_FEW: Final = 3


@dataclass(frozen=True, slots=True)
class Chip:
    """One filter that is on: what it chooses by, the choice, and the address of the same question without it."""

    label: str
    value: str
    without: str


@dataclass(frozen=True, slots=True)
class Offer:
    """A sentence with links that change the question: (words, address)."""

    text: str
    links: tuple[tuple[str, str], ...]


def zoeken(query: str) -> str:
    """The address of an answer page."""
    return here(f"/zoeken?{query}" if query else "/zoeken")


def chips(asked: Asked) -> tuple[Chip, ...]:
    """The filters that are on, in the order of the form."""
    query = asked.query
    found = [(say("bron"), _NAMES[key], ("platform", key)) for key in asked.platforms]
    found += [(say("organisatie"), body.name, ("organisatie", body.id)) for body in query.organisations]
    found += [(say("soort"), say(kind.value), ("soort", kind.value)) for kind in sorted(query.kinds)]
    found += [(say(group.value), name, (group.value, name)) for group, name in query.groups]
    found += [
        (words, texts.day(day), (name, day.isoformat()))
        for name, words, day in (("van", say("vanaf"), query.date_from), ("tot", say("tot en met"), query.date_until))
        if day
    ]
    if query.sort is not Sort.RELEVANCE:
        found.append((say("volgorde"), say(query.sort.value), ("sorteer", query.sort.value)))
    return tuple(Chip(label, value, zoeken(asked.address_without(pair))) for label, value, pair in found)


def nothing_chosen(asked: Asked) -> str:
    """The address of the same words without any filter."""
    return zoeken(replace(asked, query=Query(text=asked.query.text), platforms=(), predecessors=True).address())


@dataclass(frozen=True, slots=True)
class Understood:
    """A question as it was read. ``said``: how, in Dutch; empty when it stayed as it was. ``perhaps``: bodies it may name.

    ``rest``: the words without the name that ``perhaps`` is about. Hidden in logs.
    """

    asked: Asked
    said: str = field(default="", repr=False)
    perhaps: tuple[Organisation, ...] = field(default=(), repr=False)
    rest: str = field(default="", repr=False)


def understood(asked: Asked, federation: Federation) -> Understood:
    """The question with the bodies that it names as filters, and the words of a sentence in its place (field report 9).

    As assistants read it, with the same code. Words that are to be taken literally are left alone.
    """
    if asked.literally or asked.query.text.ecli or not asked.query.text:
        return Understood(asked)
    typed, register, chosen = asked.question.typed, federation.register, asked.query.organisations
    keys = [connector.platform.key for connector in federation.chosen(asked.platforms)]
    fits: Callable[[Organisation], bool] = lambda body: any(body.key_at(key) is not None for key in keys)  # noqa: E731
    named = Named() if chosen else bodies_in(typed, register, fits)
    read = read_sentence(typed, register, fits, has_bodies=bool(chosen), kinds=asked.query.kinds)
    if read is None:
        return Understood(asked, perhaps=named.perhaps, rest=named.rest)
    changed = _with(asked, read.words, read.bodies or chosen)
    perhaps = () if read.bodies else named.perhaps
    return Understood(changed, _said(read, named.rest), perhaps, named.rest)


def _said(read: Sentence, rest: str) -> str:
    """How a question was read. ``rest``: it without the bodies that it names."""
    at = (
        say("alleen bij {names}, omdat u die noemde", names=texts.listed([body.name for body in read.bodies]))
        if read.bodies
        else ""
    )
    if at and read.words == rest:
        return say("We zoeken {at}.", at=at)
    words = say("op “{words}”", words=read.words) if read.words else say("alle stukken")
    return say("Zo lazen we uw vraag: we zoeken {what}.", what=", ".join(filter(None, (words, at))))


def readings(typed: Asked, found: Understood) -> tuple[Offer, ...]:
    """How a question was read with the link that takes it back, and the bodies that it may name as links."""
    offers = []
    if found.said:
        literal = zoeken(replace(typed, literally=True).address(pagina=None))
        offers.append(
            Offer(found.said, ((say("Zoek “{typed}” als gewone woorden", typed=typed.question.typed), literal),))
        )
    if found.perhaps:
        links = [(body.name, zoeken(_with(typed, found.rest, (body,)).address(pagina=None))) for body in found.perhaps]
        offers.append(Offer(say("Alleen zoeken bij een organisatie die u noemt?"), tuple(links)))
    return tuple(offers)


def _with(asked: Asked, rest: str, bodies: tuple[Organisation, ...]) -> Asked:
    question = read_question(rest)
    return replace(asked, question=question, query=replace(asked.query, text=question.text, organisations=bodies))


def lives(asked: Asked, register: Bodies) -> tuple[Offer, ...]:
    """What asked bodies came of, which are asked too, and what those that ended went to (field report 13)."""
    return (*_predecessors(asked, register), *_successors(asked, register))


def _predecessors(asked: Asked, register: Bodies) -> tuple[Offer, ...]:
    chosen = {body.id for body in asked.query.organisations}
    added = [b for b in replace(asked, predecessors=True).broad(register).organisations if b.id not in chosen]
    if not added:
        return ()
    names = texts.listed([body.name for body in added])
    if asked.predecessors:
        text = say_number(
            "We zoeken ook bij {names}: die ging erin op.",
            "We zoeken ook bij {names}: die gingen erin op.",
            len(added),
            names=names,
        )
        return (Offer(text, ((say("Laat die weg"), zoeken(asked.address(voorgangers=NO, pagina=None))),)),)
    said = say_number("{names} telt nu niet mee.", "{names} tellen nu niet mee.", len(added), names=names)
    return (Offer(said, (_again(asked),)),)


def _again(asked: Asked) -> tuple[str, str]:
    return say("Zoek daar ook"), zoeken(asked.address(voorgangers=None, pagina=None))


def _successors(asked: Asked, register: Bodies) -> tuple[Offer, ...]:
    offers = []
    for body in asked.query.organisations:
        heirs = successors_now(body, register)
        if body.ended is None or not heirs:
            continue
        names = texts.listed([heir.name for heir in heirs])
        text = say(
            "{body} bestaat niet meer sinds {day}. Stukken van daarna staan bij {names}.",
            body=body.name,
            day=texts.day(body.ended),
            names=names,
        )
        links = [
            (say("Zoek bij {naam}", naam=heir.name), zoeken(_instead(asked, body, heir).address()))
            for heir in heirs[:_FEW]
        ]
        offers.append(Offer(text, tuple(links)))
    return tuple(offers)


def _instead(asked: Asked, body: Organisation, heir: Organisation) -> Asked:
    others = tuple(one for one in asked.query.organisations if one.id not in {body.id, heir.id})
    return replace(asked, query=replace(asked.query, organisations=(*others, heir), page=1))


def fitting(asked: Asked, federation: Federation) -> tuple[str, ...]:
    """The names of the chosen platforms that can answer, as far as that is known before they are asked."""
    query = asked.broad(federation.register)
    chosen = (one for one in federation.chosen(asked.platforms) if one.platform.key not in federation.off)
    return tuple(one.platform.name for one in chosen if not _is_foreign(query, one))


def _is_foreign(query: Query, connector: Connector) -> bool:
    try:
        refuse_what_is_foreign(connector.platform.key, query, connector.capabilities.kinds)
    except NotSupportedError:
        return True
    return False


def not_everywhere(asked: Asked, federation: Federation) -> tuple[str, ...]:
    """Said before the answers: filters that a chosen platform does not have; the connector says the same with its answer."""
    query = asked.query
    said = []
    for group, _ in query.groups:
        able = [c.platform.name for c in federation.connectors if group in c.capabilities.groups]
        said.append(
            say(
                "Kiezen op {group} kan alleen bij {names}. De andere bronnen zoeken zonder die keuze.",
                group=say(group.value),
                names=texts.listed(able),
            )
        )
    on = [
        (Filter.KIND, bool(query.kinds)),
        (Filter.FROM, query.date_from is not None),
        (Filter.UNTIL, query.date_until is not None),
    ]
    for name, is_on in on:
        without = [
            connector.platform.name
            for connector in federation.chosen(asked.platforms)
            if is_on and name not in connector.capabilities.filters | connector.capabilities.own_filters
        ]
        if without:
            said.append(
                say(
                    "Kiezen op {filter} kan niet bij {names}.",
                    filter=say(texts.FILTER_NAMES[name]),
                    names=texts.listed(without),
                )
            )
    return tuple(said)
