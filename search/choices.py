"""What was chosen, each with a link that takes just that back, and what else somebody may want to choose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from connectors.connector import Connector
from connectors.exceptions import NotSupportedError
from connectors.language import here, say, say_number
from connectors.moments import AMSTERDAM, now
from connectors.platforms import PLATFORMS
from connectors.questions import refuse_foreign_groups, refuse_what_is_foreign
from connectors.records import Filter, Organisation, Query, Sort
from search import texts
from search.as_word import could_be_word, with_name_as_word
from search.federation import Federation
from search.named_bodies import Named, bodies_in
from search.organisations import Bodies, successors_now, with_predecessors
from search.parameters import MAX_VALUES, NO, Asked
from search.question import read_question
from search.sentences import Chosen, Sentence, read_sentence

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
    if len(query.organisations) <= MAX_VALUES:
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
    shown = tuple(Chip(label, value, zoeken(asked.address_without(pair))) for label, value, pair in found)
    return (*_very_many(asked), *shown)


def _very_many(asked: Asked) -> tuple[Chip, ...]:
    """One filter for very many bodies: a link for each would hold all the others."""
    bodies = asked.query.organisations
    if len(bodies) <= MAX_VALUES:
        return ()
    named = say("{count} organisaties", count=texts.number(len(bodies)))
    without = asked.address_without(*(("organisatie", body.id) for body in bodies))
    return (Chip(say("organisatie"), named, zoeken(without)),)


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
    """The question with the bodies, kinds and times that it names as filters, and the words of a sentence in its place.

    As assistants read it, with the same code (field report 9). Words that are to be taken literally are left alone.
    """
    if asked.literally or asked.query.text.ecli or not asked.query.text:
        return Understood(asked)
    typed, register, chosen = asked.question.typed, federation.register, asked.query.organisations
    connectors = federation.chosen(asked.platforms)
    keys = [connector.platform.key for connector in connectors]
    fits: Callable[[Organisation], bool] = lambda body: any(body.key_at(key) is not None for key in keys)  # noqa: E731
    named = Named() if chosen else bodies_in(typed, register, fits)
    beside = Chosen(
        bodies=bool(chosen),
        kinds=frozenset(asked.query.kinds),
        able=frozenset(kind for connector in connectors for kind in connector.capabilities.kinds),
        period=asked.query.has_period,
        order=asked.query.sort is not Sort.RELEVANCE,
        today=now().astimezone(AMSTERDAM).date(),
    )
    read = read_sentence(typed, register, lambda body: fits(body) or _is_word(body, keys, register), beside)
    if read is None:
        return Understood(asked, perhaps=named.perhaps, rest=named.rest)
    changed = replace(_as_read(with_bodies(asked, read.words, read.bodies or chosen), read), before=asked)
    perhaps = () if read.bodies else named.perhaps
    return Understood(changed, _said(read, named.rest), perhaps, named.rest)


def _is_word(body: Organisation, keys: Sequence[str], register: Bodies) -> bool:
    return any(could_be_word(body, key, register) for key in keys)


def _as_read(asked: Asked, read: Sentence) -> Asked:
    """The question with the kinds and days that were read from it."""
    query, place = asked.query, read.bodies[0].id if len(read.bodies) == 1 else ""
    first, last = read.first or query.date_from, read.last or query.date_until
    kinds = query.kinds | set(read.kinds)
    sort = Sort.NEWEST if read.newest_first else query.sort
    query = replace(query, kinds=kinds, date_from=first, date_until=last, sort=sort, read_body=place)
    return replace(asked, query=query)


def _said(read: Sentence, rest: str) -> str:
    """How a question was read. ``rest``: it without the bodies that it names."""
    at = (
        say("alleen bij {names}, omdat u die noemde", names=texts.listed([body.name for body in read.bodies]))
        if read.bodies
        else ""
    )
    named = (
        [say("alleen de soort {kinds}", kinds=texts.listed([say(kind.value) for kind in read.kinds]))]
        if read.kinds
        else []
    )
    named += [say("vanaf {day}", day=texts.day(read.first))] if read.first else []
    named += [say("tot en met {day}", day=texts.day(read.last))] if read.last else []
    named += [say("nieuwste eerst")] if read.newest_first else []
    if at and read.words == rest and not named:
        return say("We zoeken {at}.", at=at)
    words = say("op “{words}”", words=read.words) if read.words else say("alle stukken")
    return say("Zo lazen we uw vraag: we zoeken {what}.", what=", ".join(filter(None, (words, *named, at))))


def readings(typed: Asked, found: Understood) -> tuple[Offer, ...]:
    """How a question was read with the link that takes it back, and the bodies that it may name as links."""
    offers = []
    if found.said:
        literal = zoeken(replace(typed, literally=True).address(pagina=None))
        offers.append(
            Offer(found.said, ((say("Zoek “{typed}” als gewone woorden", typed=typed.question.typed), literal),))
        )
    if found.perhaps:
        links = [
            (body.name, zoeken(with_bodies(typed, found.rest, (body,)).address(pagina=None))) for body in found.perhaps
        ]
        offers.append(Offer(say("Alleen zoeken bij een organisatie die u noemt?"), tuple(links)))
    return tuple(offers)


def with_bodies(asked: Asked, rest: str, bodies: tuple[Organisation, ...]) -> Asked:
    """The question with other words and other bodies."""
    question = read_question(rest)
    return replace(asked, question=question, query=replace(asked.query, text=question.text, organisations=bodies))


def lives(asked: Asked, register: Bodies) -> tuple[Offer, ...]:
    """What asked bodies came of, which are asked too, and what those that ended went to (field report 13)."""
    return (*_predecessors(asked, register), *_successors(asked, register))


def _predecessors(asked: Asked, register: Bodies) -> tuple[Offer, ...]:
    chosen = {body.id for body in asked.query.organisations}
    added = [body for body in with_predecessors(asked.query.organisations, register) if body.id not in chosen]
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
        return (Offer(text, ((say("Laat die weg"), zoeken(asked.as_typed.address(voorgangers=NO, pagina=None))),)),)
    said = say_number("{names} telt nu niet mee.", "{names} tellen nu niet mee.", len(added), names=names)
    return (Offer(said, (_again(asked.as_typed),)),)


def _again(asked: Asked) -> tuple[str, str]:
    return say("Zoek daar ook"), zoeken(asked.address(voorgangers=None, pagina=None))


def _successors(asked: Asked, register: Bodies) -> tuple[Offer, ...]:
    offers = []
    for body in asked.query.organisations:
        heirs = successors_now(body, register)
        if body.ended is None or not heirs:
            continue
        names = texts.listed([heir.name for heir in heirs])
        if len(heirs) == 1 and asked.predecessors:
            text = say(
                "{body} bestaat niet meer sinds {day}. Stukken van daarna staan bij {names}. We zoeken daar ook.",
                body=body.name,
                day=texts.day(body.ended),
                names=names,
            )
            without = zoeken(asked.as_typed.address(voorgangers=NO, pagina=None))
            offers.append(Offer(text, ((say("Laat die weg"), without),)))
            continue
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
    return tuple(one.platform.name for one in chosen if not _is_foreign(query, one, federation.register))


def _is_foreign(query: Query, connector: Connector, register: Bodies) -> bool:
    query, _ = with_name_as_word(query, connector.platform.key, register)
    try:
        refuse_what_is_foreign(connector.platform.key, query, connector.capabilities.kinds)
        refuse_foreign_groups(connector.platform.key, query, connector.capabilities.groups)
    except NotSupportedError:
        return True
    return False


def not_everywhere(asked: Asked, federation: Federation) -> tuple[str, ...]:
    """Said before the answers: filters that a chosen platform does not have; the connector says the same with its answer."""
    query = asked.query
    said = []
    for group, _ in query.groups:
        able = [c.platform.name for c in federation.connectors if group in c.capabilities.groups]
        if all(group in c.capabilities.groups for c in federation.chosen(asked.platforms)):
            continue
        said.append(
            say(
                "Kiezen op {group} kan alleen bij {names}. De andere bronnen zijn daarom niet gevraagd.",
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
