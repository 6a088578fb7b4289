"""The register finds a body by any spelling, id or code, and knows what it came of (field report 13)."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.addresses import Addresses, PlatformMode
from connectors.records import BodyKind, Organisation
from connectors.registry import default_registry
from search.lives import Life, Succession, shipped_lives
from search.organisations import CurrentRegister, Kept, Register, successors_now, with_predecessors
from search.spelling import Lookalikes, fold

LISTED = [
    connector.organisations()
    for connector in default_registry(Addresses(PlatformMode.STAND_INS, "http://127.0.0.1:1", "http://127.0.0.1:2"))
]
REGISTER = Register.of(LISTED, shipped_lives())


def found(text: str) -> list[str]:
    return [body.id for body in REGISTER.find(text)]


def widened(text: str) -> list[str]:
    return [body.id for body in with_predecessors(REGISTER.find(text), REGISTER)]


def now(text: str) -> set[str]:
    return {body.id for body in successors_now(REGISTER.find(text)[0], REGISTER)}


@pytest.mark.parametrize(
    ("text", "identifier"),
    [
        ("Ede", "gemeente-ede"),
        ("gemeente Ede", "gemeente-ede"),
        ("Gem. Ede", "gemeente-ede"),
        ("gem ede", "gemeente-ede"),
        ("de gemeente Ede", "gemeente-ede"),
        ("Ede (gemeente)", "gemeente-ede"),
        ("gemeenteraad van Ede", "gemeente-ede"),
        ("GM0228", "gemeente-ede"),
        ("gm0228", "gemeente-ede"),
        ("0228", "gemeente-ede"),
        ("https://identifier.overheid.nl/tooi/id/gemeente/gm0228", "gemeente-ede"),
        ("'s-Gravenhage", "gemeente-den-haag"),
        ("’s-Gravenhage", "gemeente-den-haag"),
        ("s gravenhage", "gemeente-den-haag"),
        ("sGravenhage", "gemeente-den-haag"),
        ("The Hague", "gemeente-den-haag"),
        ("DEN HAAG", "gemeente-den-haag"),
        ("Den Bosch", "gemeente-s-hertogenbosch"),
        ("Súdwest-Fryslân", "gemeente-sudwest-fryslan"),
        ("Su\u0301dwest-Frysla\u0302n", "gemeente-sudwest-fryslan"),
        ("sudwestfryslan", "gemeente-sudwest-fryslan"),
        ("provincie Friesland", "provincie-fryslan"),
        ("prov. Fryslân", "provincie-fryslan"),
        ("Provinciale Staten van Utrecht", "provincie-utrecht"),
        ("Utrecht (provincie)", "provincie-utrecht"),
        ("PV26", "provincie-utrecht"),
        ("waterschap Rijnland", "waterschap-rijnland"),
        ("Krimpen a/d IJssel", "gemeente-krimpen-aan-den-ijssel"),
        ("St. Michielsgestel", "gemeente-sint-michielsgestel"),
        ("Mill en St. Hubert", "gemeente-mill-en-sint-hubert"),
        ("Nuenen c.a.", "gemeente-nuenen-gerwen-en-nederwetten"),
        ("Hengelo (O.)", "gemeente-hengelo"),
        ("RBAMS", "gerecht-rechtbank-amsterdam"),
        ("Landerd", "gemeente-landerd"),
        ("Regge en Dinkel", "waterschap-regge-en-dinkel"),
        ("ori_ede", "gemeente-ede"),
        (" ORI_Ede ", "gemeente-ede"),
        ("http://psi.rechtspraak.nl/AG DH", "gerecht-ambtenarengerecht-s-gravenhage"),
    ],
)
def test_a_body_is_found_by_every_spelling_code_and_abbreviation(text: str, identifier: str) -> None:
    assert found(text) == [identifier]


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        ("Utrecht", {"gemeente-utrecht", "provincie-utrecht"}),
        ("Bergen", {"gemeente-bergen-l", "gemeente-bergen-nh"}),
        ("Limburg", {"provincie-limburg", "waterschap-limburg"}),
        ("Friesland", {"provincie-fryslan", "waterschap-fryslan"}),
    ],
)
def test_a_name_of_several_bodies_gives_all_of_them(text: str, choices: set[str]) -> None:
    assert set(found(text)) == choices


@pytest.mark.parametrize("text", ["", "   ", "gemeente", "qqqq", "9999", "GM9999", "?" * 3, "e" * 100_000])
def test_what_names_no_body_finds_none(text: str) -> None:
    assert found(text) == []


@given(st.text(max_size=300))
def test_any_text_finds_bodies_that_are_in_the_register_or_none(text: str) -> None:
    assert all(REGISTER.body(body.id) is body for body in REGISTER.find(text))


def test_a_name_that_is_right_is_found_without_comparing_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Lookalikes, "like", None)
    assert found("Gem. Ede") == ["gemeente-ede"]
    assert found("sudwestfryslan") == ["gemeente-sudwest-fryslan"]


def test_a_name_is_never_read_as_another_whole_name() -> None:
    """Field report 43: "823" is not "1823"."""
    assert found("228") == []
    assert found("Haaren") == ["gemeente-haaren"]
    assert found("Haren") == ["gemeente-haren"]


@pytest.mark.parametrize(
    ("text", "best"),
    [
        ("Eede", "gemeente-ede"),
        ("amterdam", "gemeente-amsterdam"),
        ("Suidwest fryslan", "gemeente-sudwest-fryslan"),
        ("cuik", "gemeente-cuijk"),
        ("gem. Edde", "gemeente-ede"),
        ("oude ijselstreek", "gemeente-oude-ijsselstreek"),
    ],
)
def test_a_slip_of_the_pen_gets_the_meant_body_as_first_suggestion(text: str, best: str) -> None:
    assert REGISTER.find(text) == ()
    assert REGISTER.suggestions(text)[0].id == best


def test_the_first_word_of_a_name_suggests_the_bodies_that_have_it() -> None:
    assert "gemeente-voorne-aan-zee" in [body.id for body in REGISTER.suggestions("Voorne")]


@given(st.text(max_size=300))
def test_any_text_gives_at_most_five_suggestions_each_once(text: str) -> None:
    ids = [body.id for body in REGISTER.suggestions(text)]
    assert len(ids) == len(set(ids)) <= 5


def test_a_suggestion_looks_closely_at_few_names_only() -> None:
    names = tuple(f"plaats nummer {number}" for number in range(5_000))
    assert len(Lookalikes.of(names).like("plaats nummer 12")) <= 30


def test_asking_for_land_van_cuijk_also_asks_its_five_predecessors() -> None:
    """Field report 13: Land van Cuijk was missing altogether. Eis Z2."""
    assert widened("Land van Cuijk") == [
        "gemeente-land-van-cuijk",
        "gemeente-boxmeer",
        "gemeente-cuijk",
        "gemeente-grave",
        "gemeente-mill-en-sint-hubert",
        "gemeente-sint-anthonis",
    ]


def test_asking_for_maashorst_also_asks_landerd_and_uden_from_before_2022() -> None:
    """Field report 13: Maashorst lacked what Landerd and Uden had."""
    assert set(widened("Maashorst")) == {"gemeente-maashorst", "gemeente-landerd", "gemeente-uden"}


def test_predecessors_of_predecessors_are_asked_too() -> None:
    assert set(widened("Molenlanden")) >= {"gemeente-molenwaard", "gemeente-graafstroom", "gemeente-liesveld"}
    assert set(widened("Berg en Dal")) >= {"gemeente-groesbeek", "gemeente-ubbergen"}


def test_a_body_of_which_a_part_came_is_not_asked_for_it() -> None:
    """Haaren was divided over four: to ask for Tilburg is not to ask for all of Haaren."""
    assert widened("Tilburg") == ["gemeente-tilburg"]


def test_a_body_without_predecessors_is_itself_and_what_is_named_twice_is_asked_once() -> None:
    assert widened("Ede") == ["gemeente-ede"]
    both = (*REGISTER.find("Cuijk"), *REGISTER.find("Land van Cuijk"))
    ids = [body.id for body in with_predecessors(both, REGISTER)]
    assert ids[0] == "gemeente-cuijk"
    assert len(ids) == len(set(ids)) == 6


def test_the_bodies_of_today_are_found_over_as_many_steps_as_it_takes() -> None:
    assert now("Ubbergen") == {"gemeente-berg-en-dal"}
    assert now("Liesveld") == {"gemeente-molenlanden"}
    assert now("Haaren") == {"gemeente-boxtel", "gemeente-oisterwijk", "gemeente-tilburg", "gemeente-vught"}
    assert "gemeente-de-fryske-marren" in now("Boarnsterhim")
    assert now("Ede") == set()


def test_lists_that_run_in_a_circle_end_all_the_same() -> None:
    a, b = Life(id="a", name="A", kind=BodyKind.GEMEENTE), Life(id="b", name="B", kind=BodyKind.GEMEENTE)
    day = REGISTER.by_id["gemeente-weesp"].ended
    assert day is not None
    there, back = Succession("a", "b", day, whole=True), Succession("b", "a", day, whole=True)
    lives = {
        "a": Life(id="a", name=a.name, kind=a.kind, came_of=(back,), went_to=(there,)),
        "b": Life(id="b", name=b.name, kind=b.kind, came_of=(there,), went_to=(back,)),
    }
    register = Register.of([], lives)
    assert {body.id for body in with_predecessors(register.find("A"), register)} == {"a", "b"}
    assert successors_now(register.by_id["a"], register) == ()


def test_without_lives_a_successor_that_a_platform_names_is_followed() -> None:
    old = Organisation("gemeente-oud", "Gemeente Oud", BodyKind.GEMEENTE, successor="gemeente-nieuw")
    new = Organisation("gemeente-nieuw", "Gemeente Nieuw", BodyKind.GEMEENTE)
    register = Register.of([[old, new]])
    assert successors_now(old, register) == (new,)
    assert register.life("gemeente-oud") == Life(id="gemeente-oud")
    assert register.body("gemeente-weg") is None


def test_the_current_register_keeps_the_lives_when_a_new_list_comes() -> None:
    new = Organisation("gemeente-nieuwstad", "Gemeente Nieuwstad", BodyKind.GEMEENTE)

    async def read(_seen: object) -> tuple[object, Kept]:
        return "nieuw", {"a": (new,)}

    register = CurrentRegister({"a": ()}, read, shipped_lives())
    before = register.find("Nieuwstad")
    asyncio.run(register.look())
    assert (before, register.find("Nieuwstad")) == ((), (new,))
    assert register.life("gemeente-uden").went_to[0].after == "gemeente-maashorst"
    assert [body.id for body in with_predecessors(register.find("Maashorst"), register)][1:] == [
        "gemeente-landerd",
        "gemeente-uden",
    ]
    assert register.body("gemeente-uden") is not None
    assert register.suggestions("Uddn")[0].id == "gemeente-uden"


def test_folding_makes_spellings_of_one_name_equal() -> None:
    assert fold("  'S-GRAVENHAGE ") == fold("’s gravenhage") == "s gravenhage"
