"""The start of the register: every body of government once, over all platforms of the registry, with each one's own key."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from datetime import date

import pytest

from connectors.addresses import Addresses, PlatformMode
from connectors.calls import Answer, Call
from connectors.connector import Connector
from connectors.exceptions import ConnectorError, NotSupportedError, UnreachableError, Unsupported
from connectors.records import BodyKind, Filter, Organisation, Query, SearchText, Term
from connectors.registry import default_registry
from search.organisations import Register
from search.spelling import fold
from tests.support.asking import asking

CONNECTORS = tuple(default_registry(Addresses(PlatformMode.STAND_INS, "http://127.0.0.1:1", "http://127.0.0.1:2")))
LISTS = {connector.platform.key: connector.organisations() for connector in CONNECTORS}
REGISTER = Register.of(LISTS.values())
BODIES = tuple(REGISTER.by_id.values())
WORDS = SearchText((Term(("klimaat",)),))
SHARED_NAMES = {(BodyKind.GEMEENTE, "bergen")}
"""Names of which there really are two: Bergen in Noord-Holland and Bergen in Limburg."""


@pytest.mark.parametrize("key", LISTS)
def test_a_platform_lists_every_body_once_under_its_own_key(key: str) -> None:
    listed = LISTS[key]
    assert len({body.id for body in listed}) == len(listed)
    assert len({(body.kind, body.key_at(key)) for body in listed}) == len(listed)
    assert all(body.key_at(key) for body in listed)


def test_the_register_keeps_every_key_of_every_platform() -> None:
    for key, listed in LISTS.items():
        lost = [body.id for body in listed if REGISTER.by_id[body.id].key_at(key) != body.key_at(key)]
        assert lost == []


def test_one_body_has_one_id_at_all_platforms() -> None:
    ids = defaultdict(set)
    for body in BODIES:
        for name in (body.name, *body.names):
            ids[body.kind, fold(name)].add(body.id)
    assert {name for name, found in ids.items() if len(found) > 1} <= SHARED_NAMES


def test_a_code_is_of_one_body() -> None:
    ids = defaultdict(set)
    for listed in LISTS.values():
        for body in listed:
            if body.code:
                ids[body.kind, body.code].add(body.id)
    assert [found for found in ids.values() if len(found) > 1] == []


def test_platforms_agree_on_name_kind_and_end_of_a_body() -> None:
    facts = defaultdict(set)
    for listed in LISTS.values():
        for body in listed:
            facts[body.id].add((body.name, body.kind, body.ended, body.successor))
    assert {identifier: found for identifier, found in facts.items() if len(found) > 1} == {}


@pytest.mark.parametrize(
    ("text", "identifier"),
    [
        ("gemeente-ede", "gemeente-ede"),
        ("GEMEENTE EDE", "gemeente-ede"),
        ("sudwest fryslan", "gemeente-sudwest-fryslan"),
        ("Súdwest-Fryslân", "gemeente-sudwest-fryslan"),
        ("'s-Gravenhage", "gemeente-den-haag"),
        ("Den Haag", "gemeente-den-haag"),
        ("de dommel", "waterschap-de-dommel"),
        ("Tweede Kamer der Staten-Generaal", "tweede-kamer"),
        ("tweede kamer", "tweede-kamer"),
        ("eerste kamer", "eerste-kamer"),
        ("Financien", "ministerie-financien"),
        ("ministerie van financiën", "ministerie-financien"),
        ("Raad van State", "gerecht-raad-van-state"),
        ("rijkswaterstaat", "overig-rijkswaterstaat"),
    ],
)
def test_a_body_is_found_by_any_spelling_of_its_name(text: str, identifier: str) -> None:
    assert [body.id for body in REGISTER.find(text)] == [identifier]


def test_every_body_is_found_by_its_id_and_by_its_name_without_accents() -> None:
    for body in BODIES:
        bare = "".join(c for c in unicodedata.normalize("NFKD", body.name) if not unicodedata.combining(c))
        assert body in REGISTER.find(body.id)
        assert body in REGISTER.find(bare.upper())


def test_a_body_that_several_platforms_know_has_the_keys_of_all_of_them() -> None:
    keys = dict(REGISTER.by_id["gemeente-ede"].keys)
    assert (
        keys.items()
        >= {
            "open-raadsinformatie": "ori_ede",
            "openbesluitvorming": "ede",
            "officiele-bekendmakingen": "Ede",
        }.items()
    )
    chamber = dict(REGISTER.by_id["tweede-kamer"].keys)
    assert chamber.keys() >= {"tweede-kamer", "officiele-bekendmakingen"}
    assert dict(REGISTER.by_id["gerecht-raad-van-state"].keys).keys() >= {"rechtspraak", "officiele-bekendmakingen"}


def test_merged_municipalities_are_there_as_themselves_with_their_end_and_successor() -> None:
    """Field report 13: Weesp ended on 24 March 2022, and what ended still has its papers."""
    weesp = REGISTER.by_id["gemeente-weesp"]
    assert (weesp.name, weesp.ended, weesp.successor) == ("Gemeente Weesp", date(2022, 3, 24), "gemeente-amsterdam")
    for listed in LISTS.values():
        for body in listed:
            held = REGISTER.by_id[body.id]
            assert (held.ended, held.successor) == (body.ended, body.successor)
            after = REGISTER.by_id[body.successor].ended if body.successor else None
            assert after is None or (body.ended is not None and after > body.ended)
    assert sum(1 for body in BODIES if body.kind is BodyKind.GEMEENTE and body.ended) >= 80


def test_every_kind_of_body_is_in_the_register() -> None:
    assert {body.kind for body in BODIES} == set(BodyKind)


async def _outcome(connector: Connector, body: Organisation) -> str:
    """What becomes of a question for one body: ``asked`` when a call is made, else why not."""
    calls: list[Call] = []

    async def ask(call: Call) -> Answer:
        calls.append(call)
        raise UnreachableError(call.platform, "connect")

    try:
        await connector.search(Query(text=WORDS, organisations=(body,)), asking(ask))
    except NotSupportedError as refused:
        known_reason = (refused.reason, refused.filters) == (Unsupported.NO_SUCH_BODY, (Filter.ORGANISATION,))
        return "niet-ondersteund" if known_reason and not calls else "refused"
    except ConnectorError:
        pass
    return "asked" if calls else "nothing"


@pytest.mark.anyio
@pytest.mark.parametrize("connector", CONNECTORS, ids=lambda connector: connector.platform.key)
async def test_a_question_for_a_body_reaches_the_platforms_that_know_it_and_no_other(connector: Connector) -> None:
    key = connector.platform.key
    wrong = {
        body.id: outcome
        for body in BODIES
        if (outcome := await _outcome(connector, body)) != ("asked" if body.key_at(key) else "niet-ondersteund")
    }
    assert wrong == {}


@pytest.mark.parametrize("connector", CONNECTORS, ids=lambda connector: connector.platform.key)
def test_a_platform_says_which_kinds_of_bodies_it_has(connector: Connector) -> None:
    assert {body.kind for body in connector.organisations()} == set(connector.capabilities.bodies)
