"""How people write down numbers and addresses, for each platform, brought to the one id (field reports 30 and 43)."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.addresses import Addresses, PlatformMode
from connectors.registry import default_registry
from search.notations import embedded
from search.references import candidates

CONNECTORS = tuple(default_registry(Addresses(PlatformMode.STAND_INS, "http://stand.test", "http://localhost:8000")))
GUID = "dcbb09e2-e67e-4518-8454-7391e8a7e013"
OBV = "openbesluitvorming:document:notubiz:gemeente:ermelo:16678798"
ECLI = "rechtspraak:ECLI:NL:HR:2024:1"
GMB = "officiele-bekendmakingen:gmb-2024-216934"
KST = "officiele-bekendmakingen:kst-36600-VII-139"
BOTH = ("tweede-kamer:2025D43274", "opentk:2025D43274")


def ids(text: str) -> set[str]:
    return {one.id for one in candidates(text, CONNECTORS)}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # Rechtspraak
        ("ECLI:NL:HR:2024:1", ECLI),
        ("ecli:nl:hr:2024:1", ECLI),
        ("ECLI NL HR 2024 1", ECLI),
        ("(ECLI:NL:HR:2024:1).", ECLI),
        ("NL:HR:2024:1", ECLI),
        ("ECLI%3ANL%3AHR%3A2024%3A1", ECLI),
        ("https://deeplink.rechtspraak.nl/uitspraak?id=ECLI:NL:HR:2024:1", ECLI),
        ("https://uitspraken.rechtspraak.nl/details?id=ECLI%3ANL%3AHR%3A2024%3A1&showbutton=true", ECLI),
        ("https://uitspraken.rechtspraak.nl/#!/details?id=ECLI:NL:HR:2024:1", ECLI),
        ("http://uitspraken.rechtspraak.nl/inziendocument?id=ecli:nl:hr:2024:1", ECLI),
        ("https://data.rechtspraak.nl/uitspraken/content?id=ECLI:NL:HR:2024:1", ECLI),
        ("Rechtspraak: ECLI:NL:HR:2024:1", ECLI),
        # Officiële Bekendmakingen
        ("gmb-2024-216934", GMB),
        ("GMB 2024 216934", GMB),
        ("Gmb. 2024, 216934", GMB),
        ("Gemeenteblad 2024, 216934", GMB),
        ("Gemeenteblad van Ede 2024, nr. 216934", GMB),
        ("gemeenteblad 2024/216934", GMB),
        ("https://zoek.officielebekendmakingen.nl/gmb-2024-216934.html", GMB),
        ("https://zoek.officielebekendmakingen.nl/gmb-2024-216934/metadata.xml", GMB),
        ("https://zoek.officielebekendmakingen.nl/gmb-2024-216934.pdf?x=1", GMB),
        ("https://www.officielebekendmakingen.nl/gmb-2024-216934.html", GMB),
        (
            "https://repository.overheid.nl/frbr/officielepublicaties/gmb/2024/gmb-2024-216934/1/xml/gmb-2024-216934.xml",
            GMB,
        ),
        ("gmb‑2024‑216934", GMB),
        ("gmb2024216934", GMB),
        ("gmb-2024216934", GMB),
        ("GMB-2024 - 216934", GMB),
        ("GMB-2024-216934.html", GMB),
        ("stcrt-2015-4711", "officiele-bekendmakingen:stcrt-2015-4711"),
        ("Staatscourant 2015, 4711", "officiele-bekendmakingen:stcrt-2015-4711"),
        ("Stcrt. 2015, nr. 4711", "officiele-bekendmakingen:stcrt-2015-4711"),
        ("Stb. 2018, 84", "officiele-bekendmakingen:stb-2018-84"),
        ("Trb. 2017, 47", "officiele-bekendmakingen:trb-2017-47"),
        ("Provinciaal blad 2014, 6", "officiele-bekendmakingen:prb-2014-6"),
        ("kst-36600-VII-139", KST),
        ("KST-36600-vii-139", KST),
        ("36600-VII, nr. 139", KST),
        ("36 600 VII, nr. 139", KST),
        ("36600 VII-139", KST),
        ("kamerstuk 36600 VII 139", KST),
        ("Kamerstukken 36 600 VII 139", KST),
        ("Kamerstukken II 2024/25, 36600-VII 139", KST),
        ("36045 299", "officiele-bekendmakingen:kst-36045-299"),
        ("kst-36045-299.pdf", "officiele-bekendmakingen:kst-36045-299"),
        ("Kamerstuk 36600-VII-139", KST),
        ("Kamerstukken II 2024/25, 36600-VII, nr. 139", KST),
        ("Kamerstukken II 2024-2025, 36 600 VII, nr. 139", KST),
        ("https://zoek.officielebekendmakingen.nl/kst-36600-VII-139.html", KST),
        ("https://berthub.eu/tkconv/kst-36600-VII-139", KST),
        ("21501-20-2150", "officiele-bekendmakingen:kst-21501-20-2150"),
        ("35570, nr. A", "officiele-bekendmakingen:kst-35570-A"),
        ("Handelingen II 2014/15, nr. 33, item 13", "officiele-bekendmakingen:h-tk-20142015-33-13"),
        ("Aanhangsel Handelingen II 2023/24, nr. 123", "officiele-bekendmakingen:ah-tk-20232024-123"),
        # Tweede Kamer and OpenTK, which share their numbers
        ("tweede-kamer:2025d43274", BOTH[0]),
        ("Tweede Kamer:2025D43274", BOTH[0]),
        ("opentk:2025D43274", BOTH[1]),
        ("https://berthub.eu/tkconv/get/2025D43274", BOTH[1]),
        ("https://berthub.eu/tkconv/document.html?nummer=2025d43274", BOTH[1]),
        (f"https://berthub.eu/tkconv/verslag.html?vergaderingid={GUID}", f"opentk:verslag:{GUID}"),
        (
            f"https://gegevensmagazijn.tweedekamer.nl/OData/v4/2.0/Vergadering({GUID})",
            f"tweede-kamer:vergadering:{GUID}",
        ),
        (
            f"https://gegevensmagazijn.tweedekamer.nl/OData/v4/2.0/Document({GUID.upper()})/resource",
            f"tweede-kamer:document:{GUID}",
        ),
        # OpenBesluitvorming
        (OBV, OBV),
        (OBV.partition(":")[2], OBV),
        (quote(OBV, safe=""), OBV),
        (f"https://openbesluitvorming.nl/?view={quote(OBV.partition(':')[2], safe='')}&page=3", OBV),
        (f"https://openbesluitvorming.nl/api/entities/{quote(OBV.partition(':')[2], safe='')}/pdf", OBV),
        (
            "https://schagen.raadsinformatie.nl/vergadering/1524240#ai_99",
            "openbesluitvorming:meeting:notubiz:gemeente:schagen:1524240",
        ),
        (
            "https://schagen.raadsinformatie.nl/document/16678798/1/Raadsvoorstel",
            "openbesluitvorming:document:notubiz:gemeente:schagen:16678798",
        ),
        (
            f"https://zeewolde.bestuurlijkeinformatie.nl/Agenda/Index/{GUID}",
            f"openbesluitvorming:meeting:ibabs:gemeente:zeewolde:{GUID}",
        ),
        # Open Raadsinformatie
        ("ori_ede:7900100", "open-raadsinformatie:ori_ede:7900100"),
        ("ORI_EDE:7900100", "open-raadsinformatie:ori_ede:7900100"),
        ("https://api.openraadsinformatie.nl/v1/elastic/ori_ede/_doc/7900100", "open-raadsinformatie:ori_ede:7900100"),
        (
            (
                'https://zoek.openraadsinformatie.nl/?zoekterm=brug&organisaties=["ori_ede"]&showResource='
                "https%253A%252F%252Fid.openraadsinformatie.nl%252F7900100"
            ),
            "open-raadsinformatie:ori_ede:7900100",
        ),
        # Open Archivaris
        ("oa-5345756580", "open-archivaris:oa-5345756580"),
        ("OA-5345756580", "open-archivaris:oa-5345756580"),
        # Our own pages and resources
        ("http://localhost:8000/document/rechtspraak/ECLI:NL:HR:2024:1", ECLI),
        ("https://ander.example.org/document/rechtspraak/ECLI%3ANL%3AHR%3A2024%3A1/", ECLI),
        (f"/document/openbesluitvorming/{OBV.partition(':')[2]}", OBV),
        ("besluitbron://document/rechtspraak:ECLI:NL:HR:2024:1", ECLI),
    ],
)
def test_every_spelling_leads_to_the_one_id(text: str, found: str) -> None:
    """Field report 30, and the same for every other number. Eis Z5."""
    assert ids(text) == {found}
    assert ids(f"  “{text}” ") == {found}


@pytest.mark.parametrize(
    "text",
    [
        "2025D43274",
        "2025d43274",
        " 2025D43274. ",
        "2025 D 43274",
        "2025d 43274",
        "https://www.tweedekamer.nl/kamerstukken/detail?id=2025Z18000&did=2025D43274",
        "https://www.tweedekamer.nl/downloads/document?id=2025D43274",
    ],
)
def test_a_number_of_the_kamer_may_be_at_both_platforms_that_have_its_papers(text: str) -> None:
    assert set(BOTH) <= ids(text)


@pytest.mark.parametrize(
    "text",
    ["", "de begroting", "823", "2024", "36600", "gmb", "http://", "https://example.org/36600-16/nieuws", "a:b", "::"],
)
def test_what_is_no_number_of_any_source_is_taken_for_none(text: str) -> None:
    assert ids(text) == set()


def test_a_number_among_other_words_is_found() -> None:
    assert list(embedded("zie ECLI:NL:HR:2024:1, r.o. 3.2 en https://example.org/x.")) == [
        "https://example.org/x",
        "ECLI:NL:HR:2024:1",
    ]


@given(st.text(max_size=80) | st.from_regex(r"[a-z-]{0,12}[:/. ][A-Za-z0-9:/. %-]{0,40}", fullmatch=True))
def test_no_text_breaks_the_reading_and_what_is_read_reads_as_itself(text: str) -> None:
    for one in candidates(text, CONNECTORS):
        assert ids(one.id) == {one.id}
