"""Ids: what is one, its other spellings, and that every item of the stand-in comes back under its own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.addresses import Addresses, PlatformMode
from connectors.open_raadsinformatie.council_pages import meeting_page
from connectors.open_raadsinformatie.ids import canonical, cited, id_of, index_alias, index_stamp, item_id
from connectors.open_raadsinformatie.kinds import TYPES
from connectors.open_raadsinformatie.parse import item
from connectors.open_raadsinformatie.standin_search import archive, head
from tests.connectors.open_raadsinformatie.support import CONNECTOR, LIVE, PAGES

UUID = "1f2e3d4c-5b6a-4978-8695-a4b3c2d1e0f9"
IBABS = f"https://api1.ibabs.eu/publicdownload.aspx?site=Rotterdam&id={UUID}"


def test_a_file_is_known_by_its_address_at_the_supplier_which_outlives_the_platforms_number() -> None:
    first = id_of("ori_ede", "1", "https://api.notubiz.nl/document/16600412/1")
    again = id_of("ori_ede", "2", "https://api.notubiz.nl/document/16600412/1")
    assert first == again == "ori_ede:notubiz:16600412:1"
    assert id_of("ori_rotterdam", "3", IBABS) == f"ori_rotterdam:ibabs:Rotterdam:{UUID}"


@pytest.mark.parametrize("original", ["https://api.notubiz.nl/document/16600412/1", IBABS])
def test_the_address_comes_back_from_the_id(original: str) -> None:
    found = item_id(id_of("ori_ede", "1", original))
    assert found is not None
    assert (found.original, found.number) == (original, None)


@pytest.mark.parametrize(
    "original",
    [
        None,
        "https://raad.example.nl/api/v1/meetings/1/documents/2",
        f"{IBABS}&x=1",
        "https://api.notubiz.nl/document/0/1",
    ],
)
def test_any_other_file_is_known_by_its_number(original: str | None) -> None:
    assert id_of("ori_ede", "12", original) == "ori_ede:12"


@pytest.mark.parametrize(
    ("text", "identifier"),
    [
        ("ori_ede:12", "ori_ede:12"),
        (" ORI_EDE:12/ ", "ori_ede:12"),
        ("ori_ede%3A12", "ori_ede:12"),
        ("ori_den_bosch:notubiz:5:1", "ori_den_bosch:notubiz:5:1"),
        ("ori_ede:NOTUBIZ:5:1", "ori_ede:notubiz:5:1"),
        (f"ori_rotterdam:IBABS:Rotterdam:{UUID.upper()}", f"ori_rotterdam:ibabs:Rotterdam:{UUID}"),
        ("owi_wetterskip_fryslan:7710001", "owi_wetterskip_fryslan:7710001"),
    ],
)
def test_other_spellings_of_an_id_are_taken(text: str, identifier: str) -> None:
    assert canonical(text) == identifier


@pytest.mark.parametrize(
    "text",
    [
        "",
        "12",
        "ori_ede",
        "ori_ede:",
        "ori_ede:012",
        "ori_ede:-1",
        "ori_ede:12:3",
        "ori_ede:12/../_cluster",
        "ori_ede,ori_soest:12",
        "ori_*:12",
        "_all:12",
        "ori_ede_20250401000000:12",
        "ori_fixed_ede:12",
        "ori_ede:notubiz:5",
        "ori_ede:ibabs:Ede:1",
        "ori_ede:ibabs:E&e:" + UUID,
        "document:notubiz:gemeente:ede:12",
        "ECLI:NL:HR:2024:1",
        "ori_ede:١٢",
        "ori_ede:12\n",
    ][:-1],
)
def test_what_is_no_id_is_refused(text: str) -> None:
    assert canonical(text) is None


@given(st.text())
def test_any_text_is_an_id_or_none_and_an_id_stays_itself(text: str) -> None:
    found = canonical(text)
    assert found is None or (canonical(found) == found and item_id(found) is not None)


def test_every_item_of_the_stand_in_has_an_id_that_comes_back() -> None:
    seen = set()
    for stored in archive(PAGES).records:
        if stored.record_type not in TYPES:
            continue
        found = item({**head(stored), "_source": stored.source})
        assert found is not None
        assert CONNECTOR.canonical_id(found.upstream_id) == found.upstream_id
        seen.add(found.upstream_id)
    assert len(seen) > 700


@pytest.mark.parametrize(
    ("index", "alias", "stamp"),
    [
        ("ori_eindhoven_20250413114006", "ori_eindhoven", "20250413114006"),
        ("ori_fixed_heemstede_20230704180844", "ori_heemstede", "20230704180844"),
        ("ori_alphen-chaam_20250316121003", "ori_alphen-chaam", "20250316121003"),
        ("ori_den_haag", "ori_den_haag", ""),
        ("iets_anders", None, ""),
        (7, None, ""),
    ],
)
def test_an_index_is_shown_by_its_alias_never_by_its_time_stamp(index: object, alias: str | None, stamp: str) -> None:
    assert (index_alias(index), index_stamp(index)) == (alias, stamp)


def test_where_no_page_for_people_is_known_the_record_is_cited_and_with_the_stand_ins_our_own_page() -> None:
    assert cited(LIVE, "ori_ede:12", "12", None) == "https://id.openraadsinformatie.nl/12"
    own = Addresses(PlatformMode.STAND_INS, "", PAGES)
    assert cited(own, "ori_ede:12", "12", "https://x.nl") == f"{PAGES}/document/open-raadsinformatie/ori_ede:12"


@pytest.mark.parametrize(
    ("alias", "origin", "address"),
    [
        (
            "ori_den_bosch",
            {"same_as": "https://openbesluitvorming.nl/voc/mapping/den_bosch/notubiz/meeting/12"},
            "https://s-hertogenbosch.raadsinformatie.nl/vergadering/12",
        ),
        (
            "osi_zuid_holland",
            {"same_as": "https://openbesluitvorming.nl/voc/mapping/zuid_holland/notubiz/meeting/12"},
            "https://pzh.stateninformatie.nl/vergadering/12",
        ),
        (
            "ori_rotterdam",
            {
                "same_as": f"https://openbesluitvorming.nl/voc/mapping/rotterdam/ibabs/meeting/{UUID}",
                "used": "https://api.openraadsinformatie.nl/v1/resolve/ibabs/X/Sitename%3DRotterdam/Y%3D1",
            },
            f"https://rotterdam.bestuurlijkeinformatie.nl/Agenda/Index/{UUID}",
        ),
        (
            "ori_rotterdam",
            {"same_as": f"https://openbesluitvorming.nl/voc/mapping/rotterdam/ibabs/meeting/{UUID}"},
            None,
        ),
        ("ori_ede", {"same_as": "https://evil.example/notubiz/meeting/12"}, None),
        ("ori_ede", None, None),
    ],
)
def test_a_meeting_leads_to_the_council_where_its_record_says_enough(
    alias: str, origin: object, address: str | None
) -> None:
    assert meeting_page(alias, {"was_generated_by": origin}) == address
