"""What a question names beside what its reader chose: another body, kind or time. What he chose counts, and that is said.

Somebody who types a second question into a form with choices easily overlooks those; a search that leaves out in silence what
he typed is taken for an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from connectors.exceptions import NotSupportedError, Unsupported
from connectors.language import say
from connectors.records import Organisation, Query
from search import texts
from search.answers import PlatformAnswer
from search.as_word import could_be_word, name_of
from search.choices import Offer, Understood, understood, with_bodies, zoeken
from search.federation import Federation
from search.organisations import Bodies
from search.parameters import MAX_VALUES, Asked
from search.question import read_question

_FEW: Final = 3


def word_link(answer: PlatformAnswer, asked: Asked, register: Bodies) -> tuple[str, str] | None:
    """For a source that was not asked because of a choice: (words, address) of asking it all the same.

    With the name of a chosen place as a word, or without a chosen party or committee.
    """
    bodies, key = asked.query.organisations, answer.platform.key
    failure = answer.failure
    if isinstance(failure, NotSupportedError) and failure.reason is Unsupported.NO_SUCH_GROUP:
        without = {group.value: None for group, _ in asked.query.groups}
        return say("Zoek hier zonder die keuze"), zoeken(asked.address(**without, platform=key, pagina=None))
    if not isinstance(failure, NotSupportedError) or failure.reason is not Unsupported.NO_SUCH_BODY or len(bodies) != 1:
        return None
    (body,) = bodies
    if not could_be_word(body, key, register):
        return None
    name = name_of(body)
    words = " ".join(filter(None, (asked.question.typed, f'"{name}"' if " " in name else name)))
    question = read_question(words)
    query = replace(asked.query, text=question.text, organisations=(), page=1)
    there = Asked(question, query, (key,), predecessors=True, literally=True)
    return say("Zoek hier met ‘{name}’ als gewoon woord", name=name), zoeken(there.address())


def beside(typed: Asked, federation: Federation) -> tuple[Offer, ...]:
    """What the words of ``typed`` name that its filters leave out, each with links that choose it instead."""
    query = typed.query
    if typed.literally or not (query.organisations or query.kinds or query.has_period):
        return ()
    found = [
        _bodies(typed, understood(_without(typed, organisations=()), federation), federation),
        _kinds(typed, understood(_without(typed, kinds=frozenset()), federation)),
        _times(typed, understood(_without(typed, date_from=None, date_until=None), federation)),
    ]
    return tuple(filter(None, found))


def _without(asked: Asked, **changes: object) -> Asked:
    query: Query = replace(asked.query, **changes)  # type: ignore[arg-type]  # the callers above name fields of a query
    return replace(asked, query=query)


def _bodies(typed: Asked, free: Understood, federation: Federation) -> Offer | None:
    """Another body that is named; one that went into a chosen one is asked already."""
    chosen = typed.query.organisations
    asked = {body.id for body in (*chosen, *typed.broad(federation.register).organisations)}
    sure = [body for body in free.asked.query.organisations if body.id not in asked]
    others = sure or [body for body in free.perhaps if body.id not in asked]
    if not chosen or len(chosen) > MAX_VALUES or not others or asked & {body.id for body in free.perhaps}:
        return None
    text = say(
        "U noemt {named}, maar koos {chosen}. We zoeken alleen bij wat u koos.",
        named=_names(others, say("of")),
        chosen=_names(chosen, say("en")),
    )
    if sure:
        only = (
            say("Zoek bij {naam}", naam=_names(sure, say("en"))),
            zoeken(typed.address(organisatie=None, pagina=None)),
        )
        both = with_bodies(typed, free.asked.question.typed, (*chosen, *sure))
        return Offer(text, (only, (say("Zoek bij allebei"), zoeken(both.address(pagina=None)))))
    links = [
        (say("Zoek bij {naam}", naam=body.name), zoeken(with_bodies(typed, free.rest, (body,)).address(pagina=None)))
        for body in others[:_FEW]
    ]
    return Offer(text, tuple(links))


def _names(bodies: Sequence[Organisation], joined: str) -> str:
    names = [body.name for body in bodies]
    if len(names) > _FEW:
        return say("{count} organisaties", count=texts.number(len(names)))
    return f" {joined} ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _kinds(typed: Asked, free: Understood) -> Offer | None:
    others = [say(kind.value) for kind in sorted(free.asked.query.kinds - typed.query.kinds)]
    if not typed.query.kinds or not others:
        return None
    text = say(
        "U noemt de soort {named}, maar koos {chosen}. We zoeken alleen in wat u koos.",
        named=texts.listed(others),
        chosen=texts.listed([say(kind.value) for kind in sorted(typed.query.kinds)]),
    )
    return Offer(
        text, ((say("Zoek in {soort}", soort=texts.listed(others)), zoeken(typed.address(soort=None, pagina=None))),)
    )


def _times(typed: Asked, free: Understood) -> Offer | None:
    query, other = typed.query, free.asked.query
    if not query.has_period or not other.has_period:
        return None
    if (query.date_from, query.date_until) == (other.date_from, other.date_until):
        return None
    text = say("U noemt een andere tijd dan u koos. We zoeken alleen in de tijd die u koos.")
    link = zoeken(typed.address(van=None, tot=None, pagina=None))
    return Offer(text, ((say("Zoek in de tijd die u noemt"), link),))
