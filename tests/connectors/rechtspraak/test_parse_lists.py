from __future__ import annotations

import json
from datetime import date

import pytest

from connectors.exceptions import Defect, NotAnAnswerError, RefusedError
from connectors.rechtspraak.courts import court_named, shipped_courts
from connectors.rechtspraak.parse_lists import Court, parse_court_list, parse_courts, parse_items, parse_value_list
from connectors.records import BodyKind, ListItem, Organisation
from tests.connectors.rechtspraak.helpers import answer, sample

AREA = "http://psi.rechtspraak.nl/rechtsgebied#"


def test_all_courts_are_read_also_the_one_without_a_first_day() -> None:
    courts = parse_courts(sample("waardelijst/Instanties.xml"))
    assert len(courts) == 260
    assert courts[0] == Court(
        "http://psi.rechtspraak.nl/AG DH",
        "Ambtenarengerecht 's-Gravenhage",
        "AGSGR",
        "AndereGerechtelijkeInstantie",
        date(1913, 1, 1),
        None,
    )
    assert courts[-1] == Court(
        "http://psi.rechtspraak.nl/buitenlandseInstantie",
        "Buitenlandse instanties",
        "XX",
        "http://psi.rechtspraak.nl/buitenlandseInstantie",
        None,
        None,
    )
    assert sum(court.last_day is not None for court in courts) == 146


def test_areas_of_law_know_the_area_above_them() -> None:
    items = parse_items(sample("waardelijst/Rechtsgebieden.xml"), "Rechtsgebieden")
    assert len(items) == 32
    assert {item.name for item in items if item.parent is None} == {
        "Bestuursrecht",
        "Civiel recht",
        "Internationaal publiekrecht",
        "Strafrecht",
    }
    assert items[2] == ListItem(f"{AREA}bestuursrecht_belastingrecht", "Belastingrecht", f"{AREA}bestuursrecht")


@pytest.mark.parametrize(
    ("file", "name", "count", "last"),
    [
        ("Proceduresoorten.xml", "Proceduresoorten", 37, "Wraking"),
        ("FormeleRelaties.constructed.xml", "FormeleRelaties", 21, "Hoger beroep"),
        ("InstantiesBuitenlands.partial.xml", "Instanties", 1, "Audiencia Nacional (Nationaal Hof)"),
        ("five_institutions_xml.xml", "Instanties", 5, "Ambtenarengerecht Roermond"),
        ("five_procedure_types_xml.xml", "ProcedureSoorten", 5, "Conservatoire maatregel"),
        ("one_institution_xml.xml", "Instanties", 1, "Ambtenarengerecht Amsterdam"),
        ("one_main_and_one_sub_legal_area_xml.xml", "Rechtsgebieden", 2, "Ambtenarenrecht"),
        ("one_procedure_type_xml.xml", "Proceduresoorten", 1, "Artikel 81 RO-zaken"),
        ("two_main_and_two_sub_legal_areas_xml.xml", "Rechtsgebieden", 6, "Arbeidsrecht"),
    ],
)
def test_every_value_list_is_read_whatever_the_case_of_its_root(file: str, name: str, count: int, last: str) -> None:
    items = parse_items(sample(f"waardelijst/{file}"), name)
    assert (len(items), items[-1].name) == (count, last)
    assert all(item.identifier == item.identifier.strip() for item in items)


def test_an_item_without_a_name_is_called_by_its_identifier() -> None:
    items = parse_items(sample("waardelijst/two_main_and_two_sub_legal_areas_xml.xml"), "Rechtsgebieden")
    assert items[0] == ListItem(f"{AREA}bestuursrecht", f"{AREA}bestuursrecht", None)


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("no_legal_areas_xml.xml", "Rechtsgebieden"),
        ("no_procedure_types_xml.xml", "Proceduresoorten"),
        ("NietNederlandseUitspraken.partial.xml", "NietNederlandseUitspraken"),
    ],
)
def test_an_empty_list_is_a_failure_so_that_it_never_replaces_a_good_one(file: str, name: str) -> None:
    """Field report 34."""
    with pytest.raises(NotAnAnswerError) as caught:
        parse_value_list(answer(sample(f"waardelijst/{file}")), name)
    assert (caught.value.defect, caught.value.where) == (Defect.EMPTY, name)


def test_no_courts_another_list_or_a_refusal_are_failures() -> None:
    with pytest.raises(NotAnAnswerError):
        parse_court_list(answer(sample("waardelijst/no_institutions_xml.xml")))
    with pytest.raises(NotAnAnswerError) as caught:
        parse_court_list(answer(sample("waardelijst/Rechtsgebieden.xml")))
    assert (caught.value.defect, caught.value.where) == (Defect.WRONG_SHAPE, "root")
    with pytest.raises(RefusedError):
        parse_court_list(answer(b"weg", 500))


def test_a_list_nested_without_end_is_refused() -> None:
    body = b"<R>" + b"<R><Identifier>x</Identifier>" * 40 + b"</R>" * 40 + b"</R>"
    with pytest.raises(NotAnAnswerError) as caught:
        parse_items(body, "R")
    assert caught.value.where == "depth"


def test_the_shipped_courts_have_ids_codes_and_ends_of_their_own() -> None:
    courts = shipped_courts()
    assert len({court.id for court in courts}) == len(courts) == 260
    codes = [court.code for court in courts if court.code]
    assert len(set(codes)) == len(codes)
    assert {court.kind for court in courts} == {BodyKind.GERECHT}
    assert court_named("Rechtbank 's-Gravenhage", "") == Organisation(
        id="gerecht-rechtbank-s-gravenhage",
        name="Rechtbank 's-Gravenhage",
        kind=BodyKind.GERECHT,
        keys=(("rechtspraak", "http://standaarden.overheid.nl/owms/terms/Rechtbank_s-Gravenhage"),),
        code="RBSGR",
        ended=date(2013, 1, 1),
    )


def test_the_shipped_list_holds_every_code_that_stands_in_an_ecli() -> None:
    codes = {court.code for court in shipped_courts()}
    assert set(json.loads(sample("gerechtcodes.json"))) <= codes


def test_a_court_is_found_by_name_and_else_by_the_code_in_the_ecli() -> None:
    by_name = court_named("hoge raad", "ECLI:NL:RBAMS:2021:1")
    by_code = court_named("Rb. A'dam", "ECLI:NL:RBAMS:2021:1")
    assert by_name is not None
    assert by_code is not None
    assert (by_name.code, by_code.name) == ("HR", "Rechtbank Amsterdam")
    assert court_named("Hof van Justitie", "ECLI:EU:C:2021:1") is None
