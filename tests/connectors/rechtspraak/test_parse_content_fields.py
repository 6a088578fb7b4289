"""Every field of every sample of a decision."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from connectors.rechtspraak.parse_content import Reference, Relation, Ruling, parse_content
from tests.connectors.rechtspraak.helpers import CORPUS, SAMPLES, answer, ecli_of

NOTHING = Ruling(
    ecli="",
    kind="Uitspraak",
    court="",
    decided=None,
    published=None,
    changed=None,
    registered=None,
    case_numbers=(),
    subjects=(),
    procedures=(),
    places=(),
    periods=(),
    published_in=(),
    relations=(),
    references=(),
    replaces=(),
    replaced_by="",
    abstract="",
    passages=(),
)
PENAL = "Wetboek van Strafrecht"
PENAL_PROCEDURE = "Wetboek van Strafvordering"


def _ruling(name: str) -> Ruling:
    file = next((SAMPLES / "content").glob(f"*{name}*.xml"), None) or next((CORPUS / "content").glob(f"*{name}.xml"))
    return parse_content(answer(file.read_bytes()), ecli_of(file))


def _law(text: str, identifier: str) -> Reference:
    return Reference("Wetsverwijzing", text, f"1.0:v:BWB:{identifier}")


def test_a_decision_without_text_is_read_to_the_last_field() -> None:
    """Field report 32."""
    assert _ruling("CBB_1997_ZG0125") == replace(
        NOTHING,
        ecli="ECLI:NL:CBB:1997:ZG0125",
        court="College van Beroep voor het bedrijfsleven",
        decided=date(1997, 10, 14),
        registered=date(2013, 4, 8),
        case_numbers=("97/1143/17000",),
        subjects=("Bestuursrecht",),
        procedures=("Voorlopige voorziening",),
        references=(
            _law("Algemene wet bestuursrecht 1:3", "BWBR0005537&artikel=1:3&g=1997-10-14"),
            _law("Warenwet 5", "BWBR0001969&artikel=5&g=1997-10-14"),
        ),
        replaces=("ZG0125",),
    )


def test_a_decision_without_area_of_law_is_read_to_the_last_field() -> None:
    assert _ruling("GHAMS_2007_AZ8310") == replace(
        NOTHING,
        ecli="ECLI:NL:GHAMS:2007:AZ8310",
        court="Gerechtshof Amsterdam",
        decided=date(2007, 1, 4),
        registered=date(2013, 4, 5),
        case_numbers=("21.4758.06",),
        published_in=("NS 2007, 40", "NBSTRAF 2007/40"),
        references=(
            _law(PENAL, "BWBR0001854"),
            _law(f"{PENAL} 77k", "BWBR0001854&artikel=77k"),
            _law(PENAL_PROCEDURE, "BWBR0001903"),
            _law(f"{PENAL_PROCEDURE} 66", "BWBR0001903&artikel=66"),
            _law(f"{PENAL_PROCEDURE} 75", "BWBR0001903&artikel=75"),
        ),
        replaces=("AZ8310",),
    )


def test_a_decision_with_only_the_registers_block_is_read_to_the_last_field() -> None:
    assert _ruling("GHARN_2007_53") == replace(
        NOTHING,
        ecli="ECLI:NL:GHARN:2007:53",
        court="Gerechtshof Arnhem",
        decided=date(2007, 1, 26),
        registered=date(2013, 4, 24),
        case_numbers=("04-01606",),
        subjects=("Bestuursrecht; Belastingrecht",),
    )


def test_a_replaced_decision_is_read_to_the_last_field() -> None:
    assert _ruling("RBAMS_2007_YB0083") == replace(
        NOTHING,
        ecli="ECLI:NL:RBAMS:2007:YB0083",
        court="Rechtbank Amsterdam",
        decided=date(2007, 1, 16),
        registered=date(2015, 11, 26),
        case_numbers=("2006.173",),
        replaced_by="ECLI:NL:TGDKG:2007:1",
    )


@pytest.mark.parametrize(
    ("name", "expected", "parts"),
    [
        (
            "CRVB_2014_2942",
            replace(
                NOTHING,
                ecli="ECLI:NL:CRVB:2014:2942",
                court="Centrale Raad van Beroep",
                decided=date(2014, 9, 2),
                published=date(2014, 9, 9),
                changed=date(2014, 9, 8),
                registered=date(2014, 9, 8),
                case_numbers=("13-3129 WWB",),
                subjects=("Bestuursrecht; Socialezekerheidsrecht",),
                procedures=("Hoger beroep",),
                published_in=("Rechtspraak.nl",),
                relations=(Relation("Oorspronkelijke uitspraak: ECLI:NL:CRVB:2014:3774", "ECLI:NL:CRVB:2014:3774"),),
            ),
            ["", "OVERWEGINGEN", "OVERWEGINGEN (vervolg)", "OVERWEGINGEN (vervolg)", "BESLISSING", ""],
        ),
        (
            "CRVB_2014_3494",
            replace(
                NOTHING,
                ecli="ECLI:NL:CRVB:2014:3494",
                court="Centrale Raad van Beroep",
                decided=date(2014, 1, 28),
                published=date(2014, 10, 29),
                changed=date(2014, 10, 29),
                registered=date(2014, 10, 29),
                case_numbers=("14-3462 WWB-VV-R",),
                subjects=("Bestuursrecht; Socialezekerheidsrecht",),
                procedures=("Voorlopige voorziening+bodemzaak",),
                published_in=("Rechtspraak.nl",),
                relations=(Relation("Uitspraak na rectificatie: ECLI:NL:CRVB:2014:3488", "ECLI:NL:CRVB:2014:3488"),),
            ),
            ["", "OVERWEGINGEN", "BESLISSING", ""],
        ),
        (
            "PHR_2011_BP5608",
            replace(
                NOTHING,
                ecli="ECLI:NL:PHR:2011:BP5608",
                kind="Conclusie",
                court="Parket bij de Hoge Raad",
                decided=date(2011, 5, 27),
                published=date(2011, 5, 27),
                changed=date(2013, 4, 5),
                registered=date(2013, 4, 5),
                case_numbers=("09/04566",),
                subjects=("Civiel recht",),
                published_in=("Rechtspraak.nl", "RvdW 2011/687", "JWB 2011/282"),
                relations=(Relation("Arrest Hoge Raad: ECLI:NL:HR:2011:BP5608", "ECLI:NL:HR:2011:BP5608"),),
                replaces=("BP5608",),
            ),
            [""] * 7,
        ),
        (
            "RBMNE_2016_1780",
            replace(
                NOTHING,
                ecli="ECLI:NL:RBMNE:2016:1780",
                court="Rechtbank Midden-Nederland",
                decided=date(2016, 3, 25),
                published=date(2016, 4, 12),
                changed=date(2016, 6, 30),
                registered=date(2016, 4, 1),
                case_numbers=("AWB - 14 _ 5548",),
                subjects=("Bestuursrecht",),
                procedures=("Eerste aanleg - meervoudig", "Tussenbeschikking"),
                places=("Utrecht",),
                published_in=("Rechtspraak.nl",),
            ),
            ["", "Procesverloop", "Overwegingen", *["Overwegingen (vervolg)"] * 8, "Beslissing", "Rechtsmiddel"],
        ),
        (
            "RBZWB_2016_1440",
            replace(
                NOTHING,
                ecli="ECLI:NL:RBZWB:2016:1440",
                court="Rechtbank Zeeland-West-Brabant",
                decided=date(2016, 3, 4),
                published=date(2016, 4, 12),
                changed=date(2016, 4, 12),
                registered=date(2016, 3, 11),
                case_numbers=("AWB - 15 _ 5561_5562_6430",),
                subjects=("Bestuursrecht; Belastingrecht",),
                procedures=("Eerste aanleg - enkelvoudig",),
                places=("Tilburg",),
                periods=("2009 - 2013",),
                published_in=("Rechtspraak.nl",),
            ),
            ["", "1 Beslissing", "2 Gronden", "2 Gronden (vervolg)", "2 Gronden (vervolg)"],
        ),
        (
            "RBZWB_2020_5807",
            replace(
                NOTHING,
                ecli="ECLI:NL:RBZWB:2020:5807",
                court="Rechtbank Zeeland-West-Brabant",
                decided=date(2020, 11, 24),
                published=date(2020, 11, 24),
                changed=date(2020, 11, 24),
                registered=date(2020, 11, 24),
                case_numbers=("02-665079-19",),
                subjects=("Strafrecht",),
                procedures=("Peek", "Op tegenspraak"),
                places=("Breda",),
                published_in=("Rechtspraak.nl",),
                relations=(
                    Relation(
                        "Hoger beroep: ECLI:NL:GHSHE:2023:643, (Gedeeltelijke) vernietiging en zelf afgedaan",
                        "ECLI:NL:GHSHE:2023:643",
                    ),
                ),
            ),
            [
                "",
                "1 Onderzoek van de zaak",
                "2 De tenlastelegging",
                "3 De voorvragen",
                "4 De beoordeling van het bewijs",
                "4 De beoordeling van het bewijs (vervolg)",
                "5 De strafbaarheid",
                "6 De strafoplegging",
                "7 De benadeelde partij",
                "8 De wettelijke voorschriften",
                "9 De beslissing",
                "10 Bijlage I",
                "11 Bijlage II",
            ],
        ),
    ],
)
def test_a_decision_with_text_is_read_to_the_last_field(name: str, expected: Ruling, parts: list[str]) -> None:
    """The last one has lost its namespaces, another has a line feed inside the identifier of its procedure."""
    ruling = _ruling(name)
    assert replace(ruling, abstract="", passages=()) == expected
    assert [passage.heading for passage in ruling.passages] == parts
    assert [passage.number for passage in ruling.passages] == list(range(1, len(parts) + 1))
