"""A question in so many words, read as words to search for and the bodies, kinds and times it names (field report 9)."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.addresses import Addresses, PlatformMode
from connectors.records import Kind
from connectors.registry import default_registry
from search.organisations import Register
from search.question import clean
from search.sentences import Chosen, Sentence, read_sentence

REGISTER = Register.of(
    connector.organisations() for connector in default_registry(Addresses(PlatformMode.STAND_INS, "http://s.test", ""))
)
TODAY = date(2026, 3, 31)


def read(typed: str, chosen: Chosen | None = None) -> Sentence | None:
    return read_sentence(typed, REGISTER, lambda _: True, chosen or Chosen(today=TODAY))


def read_surely(typed: str, chosen: Chosen | None = None) -> Sentence:
    found = read(typed, chosen)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("typed", "words", "bodies"),
    [
        ("Wat is er in Ede besloten over warmtenetten?", "warmtenetten", ["gemeente-ede"]),
        ("wat is er in de gemeente Ede besloten over warmtenetten", "warmtenetten", ["gemeente-ede"]),
        ("Wat staat er over windmolens in Land van Cuijk?", "windmolens", ["gemeente-land-van-cuijk"]),
        ("Hoe stemde de Tweede Kamer over stikstof?", "stikstof", ["tweede-kamer"]),
        ("Wat zegt de Raad van State over windparken?", "windparken", ["gerecht-raad-van-state"]),
        ("Wat zegt het ministerie van Financiën over toeslagen?", "toeslagen", ["ministerie-financien"]),
        ("Welke brugwachters stelde het college van Utrecht aan?", "brugwachters", ["gemeente-utrecht"]),
        ("Wat is er in Ede besloten?", "", ["gemeente-ede"]),
        ("Verhuist de brandweerkazerne in Ede?", "brandweerkazerne", ["gemeente-ede"]),
        ("Waarom zijn de kastanjes aan de Kade gesnoeid?", "kastanjes Kade", []),
        ("Ik wil graag weten hoe het staat met de hondenlosloopgebieden", "hondenlosloopgebieden", []),
        ("Geef mij alles over de jaarwisseling", "jaarwisseling", []),
        ("Nieuwste stukken over de jaarwisseling", "jaarwisseling", []),
        ("Alles over de jaarwisseling in Ede", "jaarwisseling", ["gemeente-ede"]),
        ("Hoe lang duurt de jaarwisseling in Ede?", "jaarwisseling", ["gemeente-ede"]),
        ("Hoeveel kost de jaarwisseling in Ede?", "jaarwisseling", ["gemeente-ede"]),
        ("Ik zoek informatie over de Wet open overheid", "Wet open overheid", []),
        ("Kun je voor mij nagaan wat er bekend is over lachgas?", "lachgas", []),
        ("What did the council of Ede decide about kermis?", "kermis", ["gemeente-ede"]),
    ],
)
def test_a_sentence_becomes_words_and_bodies_and_says_so(typed: str, words: str, bodies: list[str]) -> None:
    found = read_surely(typed)
    assert (found.words, [body.id for body in found.bodies]) == (words, bodies)
    assert all(f"`{body}`" in found.said for body in bodies)
    assert (words or "alle stukken") in found.said


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("Welke plannen heeft Ede?", "plannen"),
        ("Welke plannen voor hoogbouw heeft Ede?", "hoogbouw"),
        ("Wat is er goedgekeurd?", "goedgekeurd"),
        ("Hoe werkt de raad?", "raad"),
        ("Wat kost de raad per inwoner?", "inwoner"),
        ("Wat vindt het OM van de Staat?", "OM Staat"),
        ("Wat doet de Raad voor de Kinderbescherming?", "Raad Kinderbescherming"),
        ("Wat is er bekend over hinder van geluid?", "hinder geluid"),
        ("Zijn er klachten over geluid en trillingen?", "klachten geluid trillingen"),
        ("Wordt er in de gebieden gebouwd?", "gebieden"),
    ],
)
def test_what_can_be_asked_for_stays_where_nothing_else_is_asked(typed: str, words: str) -> None:
    assert read_surely(typed).words == words


@pytest.mark.parametrize(
    ("typed", "words", "kinds"),
    [
        ("Welke moties gaan over stikstof?", "stikstof", [Kind.MOTIE]),
        ("welke moties zijn er over studentenwoningen", "studentenwoningen", [Kind.MOTIE]),
        ("toezeggingen over isolatie", "isolatie", [Kind.TOEZEGGING]),
        ("Welke toezeggingen over isolatie staan nog open?", "isolatie", [Kind.TOEZEGGING]),
        ("Welke moties en amendementen gaan over de jeugd?", "jeugd", [Kind.MOTIE, Kind.AMENDEMENT]),
        ("Welke toezegging volgde op de motie over vuurwerk?", "volgde motie vuurwerk", [Kind.TOEZEGGING]),
        ("Wie stelde schriftelijke vragen over lachgas?", "lachgas", [Kind.VRAAG]),
        ("Welke arresten zijn er over onrechtmatige hinder?", "onrechtmatige hinder", [Kind.UITSPRAAK]),
        ("Welke uitspraken deed de wethouder over hinder?", "uitspraken hinder", []),
        ("Which motions are there about stikstof?", "stikstof", [Kind.MOTIE]),
        ("Welke moties zijn er?", "", [Kind.MOTIE]),
    ],
)
def test_a_kind_in_a_sentence_becomes_a_filter_and_says_so(typed: str, words: str, kinds: list[Kind]) -> None:
    found = read_surely(typed)
    assert (found.words, list(found.kinds)) == (words, kinds)
    assert all(f"soort: {kind.value}" in found.said for kind in kinds)


def test_a_kind_that_no_chosen_platform_has_stays_a_word() -> None:
    found = read_surely("Welke moties gaan over stikstof?", Chosen(able=frozenset({Kind.UITSPRAAK})))
    assert (found.words, found.kinds) == ("moties stikstof", ())


def test_a_kind_that_was_chosen_is_no_word_and_no_other_is_read() -> None:
    found = read_surely("Welke moties gaan over amendementen?", Chosen(kinds=frozenset({"motie"})))
    assert (found.words, found.kinds) == ("amendementen", ())


@pytest.mark.parametrize(
    ("typed", "words", "first", "last"),
    [
        ("Wat is er in 2023 besloten over stikstof?", "stikstof", date(2023, 1, 1), date(2023, 12, 31)),
        ("Wat is er sinds maart 2024 besloten over stikstof?", "stikstof", date(2024, 3, 1), None),
        ("Wat is er op 5 mei 2020 gezegd over stikstof?", "stikstof", date(2020, 5, 5), date(2020, 5, 5)),
        ("Wat is er vorig jaar besloten over stikstof?", "stikstof", date(2025, 1, 1), date(2025, 12, 31)),
        ("Wat is er dit jaar besloten over stikstof?", "stikstof", date(2026, 1, 1), TODAY),
        ("Wat is er vorige maand besloten over stikstof?", "stikstof", date(2026, 2, 1), date(2026, 2, 28)),
        ("Wat is er de afgelopen maand besloten over stikstof?", "stikstof", date(2026, 2, 28), TODAY),
        ("Wat is er de laatste twee jaar besloten over stikstof?", "stikstof", date(2024, 3, 31), TODAY),
        ("Wat is er vorige week besloten over stikstof?", "stikstof", date(2026, 3, 23), date(2026, 3, 29)),
        ("Wat is er gisteren besloten over stikstof?", "stikstof", date(2026, 3, 30), date(2026, 3, 30)),
        ("Wat is er tussen 2019 en 2021 besloten over stikstof?", "stikstof", date(2019, 1, 1), date(2021, 12, 31)),
        ("Wat is er na 2020 besloten over stikstof?", "stikstof", date(2021, 1, 1), None),
        ("Wat is er vóór juni 2020 besloten over stikstof?", "stikstof", None, date(2020, 5, 31)),
        ("stikstof bouwen sinds 2019", "stikstof bouwen", date(2019, 1, 1), None),
        ("What was decided in March 2024 about the kermis?", "kermis", date(2024, 3, 1), date(2024, 3, 31)),
        ("Wat staat er in de begroting van 2025?", "begroting 2025", None, None),
        ("Wat zijn de doelen in 2050?", "doelen 2050", None, None),
        ("Wat is er op 31 februari 2020 gezegd over hinder?", "31 februari 2020 hinder", None, None),
        ("Wat staat er over 'Wonen tussen 2030 en 2040'?", "'Wonen 2030 2040'", None, None),
    ],
)
def test_a_time_becomes_a_period_and_a_year_that_belongs_to_a_name_does_not(
    typed: str, words: str, first: date | None, last: date | None
) -> None:
    found = read_surely(typed)
    assert (found.words, found.first, found.last) == (words, first, last)
    assert all(f": {day}" in found.said for day in (first, last) if day)


def test_no_time_is_read_beside_a_chosen_period() -> None:
    found = read_surely("Wat is er in 2023 besloten over stikstof?", Chosen(period=True, today=TODAY))
    assert (found.words, found.first) == ("2023 stikstof", None)


@pytest.mark.parametrize(
    "typed",
    [
        *("", "warmtenet", "Ede", "is er?", "wat dan?", "moties stikstof", "motie", "stikstof 2023", "in 2023"),
        *('"wat is er" in de polder?', "wat OR hoe is dat?", '"moties over isolatie"', "wat is er met stik*?"),
        *("Motie van het lid Ergin over dit en dat", "Staat van de uitvoering", "verslag raadsnacht 26 oktober 2025"),
    ],
)
def test_words_stay_as_they_are(typed: str) -> None:
    assert read(typed) is None


def test_a_phrase_in_a_sentence_stays_as_it_was_typed() -> None:
    found = read_surely("Bestaat er een motie over “wat er in 2023 is, in Ede”?")
    assert (found.words, found.kinds, found.first) == ("“wat er in 2023 is, in Ede”", (Kind.MOTIE,), None)


def test_a_body_among_words_is_read_as_on_the_search_page() -> None:
    found = read_surely("parkeren in Ede")
    assert (found.words, [body.id for body in found.bodies]) == ("parkeren", ["gemeente-ede"])


def test_a_name_of_several_bodies_is_searched_for_as_a_word_and_the_choices_are_named() -> None:
    found = read_surely("Wat is er in Utrecht besloten over parkeren?")
    assert found.bodies == ()
    assert found.words == "Utrecht parkeren"
    assert "`gemeente-utrecht`" in found.said
    assert "`provincie-utrecht`" in found.said


def test_no_body_is_read_from_a_sentence_when_bodies_were_chosen() -> None:
    found = read_surely("Wat is er in Ede besloten over warmtenetten?", Chosen(bodies=True))
    assert (found.words, found.bodies) == ("Ede warmtenetten", ())


sentences = st.lists(
    st.sampled_from(
        ["Wat", "in", "Ede", "van", "de", "over", "?", "Den", "Haag", "moties", "2023", "sinds", '"', "“x”"]
    ),
    max_size=9,
)


@given(st.text(max_size=60) | sentences.map(" ".join))
def test_no_text_breaks_the_reading_and_no_word_is_made_up(typed: str) -> None:
    found = read(typed)
    if found is not None:
        assert all(word in clean(typed) for word in found.words.split())
        again = read(found.words, Chosen(bodies=True, kinds=frozenset({"motie"}), period=True))
        assert again is None or again.words
