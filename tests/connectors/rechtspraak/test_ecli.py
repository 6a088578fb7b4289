from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.rechtspraak.ecli import court_code, parse_ecli, parse_ljn
from tests.connectors.rechtspraak.helpers import connector, sample

ONE = "ECLI:NL:HR:2024:1"


@pytest.mark.parametrize(
    "text",
    [
        "ECLI:NL:HR:2024:1",
        "ecli:nl:hr:2024:1",
        " ECLI:NL:HR:2024:1 ",
        "ECLI NL HR 2024 1",
        "ECLINLHR20241",
        "eclinlhr20241.",
        "ecli nl hr 2024 1",
        "ECLI: NL: HR: 2024: 1",
        "ECLI:NL:HR\n:2024:1",
        "NL:HR:2024:1",
        "nl hr 2024 1",
        "ECLI_NL_HR_2024_1",
        "ECLI:NL::HR:2024:1",
        "ECLI:NL:HR:2024;1",
        "ECLI:NL:HR:2024,1",
        "ECLI:NL:HR:2024:1,",
        "(ECLI:NL:HR:2024:1).",
        "“ECLI:NL:HR:2024:1”",
        "ECLI:NL:HR:2024:\u200c1",
        "ECLI:NL:H\u00adR:2024:1",
        "\u202eECLI:NL:HR:2024:1",
        "ECLI\uff1aNL\uff1aHR\uff1a2024\uff1a1",
        "ECL:NL:HR:2024:1",
        "ELCI:NL:HR:2024:1",
        "CLI:NL:HR:2024:1",
        "ECLI:NL:HR:2024:1:INH",
        "ECLI:NL:HR:2024:1:DOC",
        "ECLI%3ANL%3AHR%3A2024%3A1",
        "ecli%3Anl%3Ahr%3A2024%3A1%0A",
        "ECLI:NL:HR:2024:1/",
        "https://deeplink.rechtspraak.nl/uitspraak?id=ECLI:NL:HR:2024:1/",
        "https://deeplink.rechtspraak.nl/uitspraak?id=ECLI:NL:HR:2024:1",
        "https://deeplink.rechtspraak.nl/uitspraak?id=ECLI:NL:HR:2024:1&pk_campaign=rss&pk_medium=rss",
        "https://uitspraken.rechtspraak.nl/details?id=ECLI:NL:HR:2024:1&showbutton=true&keyword=test",
        "https://uitspraken.rechtspraak.nl/#!/details?id=ECLI:NL:HR:2024:1&keyword=test",
        "http://uitspraken.rechtspraak.nl/inziendocument?id=ecli:nl:hr:2024:1",
        "https://uitspraken.rechtspraak.nl/InzienDocument?id=ECLI%3ANL%3AHR%3A2024%3A1",
        "https://data.rechtspraak.nl/uitspraken/content?return=META&id=ECLI:NL:HR:2024:1",
        "deeplink.rechtspraak.nl/uitspraak?id=ECLI:NL:HR:2024:1.",
    ],
)
def test_every_way_to_write_an_ecli_leads_to_its_stored_form(text: str) -> None:
    """Field report 30."""
    assert parse_ecli(text) == ONE
    assert connector().canonical_id(text) == ONE


@pytest.mark.parametrize(
    ("text", "ecli"),
    [
        ("ecli:nl:phr:2011:bp5608", "ECLI:NL:PHR:2011:BP5608"),
        ("ECLI:NL:XX:2009:BJ4574", "ECLI:NL:XX:2009:BJ4574"),
        ("ECLINLHR1984AC8252", "ECLI:NL:HR:1984:AC8252"),
        ("ECLINLRBAMS20218211", "ECLI:NL:RBAMS:2021:8211"),
        ("EU:C:2022:276,", "ECLI:EU:C:2022:276"),
        ("EU:T:2015:10", "ECLI:EU:T:2015:10"),
        ("ECLI CE 1 2020 5", "ECLI:CE:1:2020:5"),
        ("ECLI:CE:ECHR:2016:0913JUD005054108,", "ECLI:CE:ECHR:2016:0913JUD005054108"),
        ("ECLI:EP:BA:1991:T071790.19910710", "ECLI:EP:BA:1991:T071790.19910710"),
    ],
)
def test_old_numbers_and_other_countries_keep_their_form(text: str, ecli: str) -> None:
    assert parse_ecli(text) == ecli


@pytest.mark.parametrize(
    "text",
    [
        "",
        "warmtenet",
        "BP5608",
        "ECLI",
        "ECLI:NL:HR:2024:",
        "ECLI:NL:HR:2024",
        "ECLINLHR2024",
        "ECLINLHRBX5881",
        "ECLINLHR20241 kernoverweging",
        "ECLI:NL:HR:BX5881",
        "ECLI:HR:2018:597",
        "ECLI:NL:2020:2644",
        "ECLI:NL:HR2019:1575",
        "ECLI:NL:HR:22024:1",
        "ECLI:NL:HR:2024:1 kernoverweging",
        "arrest ECLI:NL:HR:2024:1",
        "ECLI:NL:HR:2024:1 ECLI:NL:HR:2024:2",
        "in ede 2024 12",
        "CE 1 2020 5",
        "ce 1a 2020 5",
        "eu c 2022 276",
        "CE:C:2020:5",
        "EU:A:2022:276",
        "NL:1:2020:5",
        "AB:CD:2020:5",
        "hr 2024 1",
        "HR:2024:1",
        "50%",
        "ECLI%3ANL%3AHR",
        "14:30:2024:1",
        "22:48:40",
        "CELEX:31994H0079:NL:HTML.",
        "kst-36045-299",
        "gm-2024-1",
        "https://uitspraken.rechtspraak.nl/resultaat?zoekterm=test",
        "https://example.org/?id=ECLI:NL:HR:2024:1",
        "ECLI:NL:ḦR:2024:1",
        "ECLI:NL:HR:2024:1" + "1" * 25,
        "ECLI:NL:HR:2024:1" + " " * 600,
    ],
)
def test_what_is_no_single_ecli_is_refused(text: str) -> None:
    assert parse_ecli(text) is None


def _first_words(name: str) -> list[str]:
    """What stands before the first line break of each line; the keeper wrote those as backslash-n."""
    return [line.split(r"\n")[0].replace(r"\u200c", "\u200c") for line in sample(name).decode().splitlines()]


def test_every_well_written_ecli_in_rulings_is_read_unless_another_word_is_glued_to_it() -> None:
    """Field report 30."""
    refused = [text for text in _first_words("ecli_good.txt") if parse_ecli(text) is None]
    assert refused == [
        "ECLI:NL:CBB:2019:1-7).",
        "ECLI:NL:CRVB:2008:BE8919.</al><al/><al><vet>[14]</vet></al><al>CRvB",
        "ECLI:NL:CRVB:2012:BW4400).</al><al><onderstreept>Burgemeester",
        "ECLI:NL:CRVB:22016:2266)",
        "ECLI:NL:HR:2000:AA5730,NJ",
        r"ECLI:NL:HR:2013:1206).\t",
        "ECLI:NL:HR:2020:1671/HR",
        "ECLI:NL:RBROE:2010:BM6304).</al><al/><al><cursief>Lid",
        "ECLI:NL:RBZWB:2013:BZ5171).</al><al>In",
        "ECLI:NL:RVS:2016:2840.</noot.al></noot>.",
    ]


def test_of_the_badly_written_ones_only_those_with_all_four_parts_are_read() -> None:
    """Read: the first part missing or misspelt, other separators. Refused: country, court, year or number missing."""
    read = {text: ecli for text in _first_words("ecli_bad.txt") if (ecli := parse_ecli(text))}
    assert len(read) > 350
    for text, ecli in read.items():
        letters = "".join(c for c in text.upper() if c.isascii() and c.isalnum())
        assert "".join(ecli.replace(".", "").split(":")[1:]) in letters


def test_the_court_stands_in_the_third_part() -> None:
    assert court_code("ECLI:NL:RBAMS:2021:8211") == "RBAMS"


@given(
    court=st.from_regex(r"[A-Z0-9]{1,7}", fullmatch=True),
    year=st.integers(1000, 2099),
    number=st.from_regex(r"[A-Z0-9]{1,25}", fullmatch=True),
    separator=st.sampled_from([":", " ", " : ", "_", "\n:"]),
    lower=st.booleans(),
)
def test_a_canonical_ecli_survives_every_spelling(
    court: str, year: int, number: str, separator: str, lower: bool
) -> None:
    ecli = f"ECLI:NL:{court}:{year}:{number}"
    spelled = ecli.replace(":", separator)
    assert parse_ecli(spelled.lower() if lower else spelled) == ecli
    assert parse_ecli(f"https://deeplink.rechtspraak.nl/uitspraak?id={ecli}") == ecli


@given(st.text())
def test_any_text_is_an_ecli_or_none_and_reading_twice_changes_nothing(text: str) -> None:
    ecli = parse_ecli(text)
    assert ecli is None or parse_ecli(ecli) == ecli


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("BP5608", "BP5608"),
        ("LJN BP5608", "BP5608"),
        ("ljn: bp5608.", "BP5608"),
        ("BP560", None),
        ("A BP5608", None),
        ("", None),
    ],
)
def test_an_old_number_is_read(text: str, number: str | None) -> None:
    assert parse_ljn(text) == number
