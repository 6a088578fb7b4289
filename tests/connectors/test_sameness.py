"""Keys that one thing has everywhere: whole numbers and addresses without what makes no difference."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.sameness import address_keys, kamer_key, normalised, official_key, supplier_key

PLAIN = "raad.ede.nl/stukken/Voorstel%20A.pdf?id=7&soort=x"
UUID = "cc872c5d-ca9f-4d7b-828c-5816333910ff"


@pytest.mark.parametrize(
    "address",
    [
        "https://raad.ede.nl/stukken/Voorstel%20A.pdf?id=7&soort=x",
        "http://raad.ede.nl/stukken/Voorstel%20A.pdf?id=7&soort=x",
        "https://www.raad.ede.nl/stukken/Voorstel%20A.pdf?id=7&soort=x",
        "https://RAAD.Ede.NL/stukken/Voorstel%20A.pdf?id=7&soort=x",
        "https://raad.ede.nl:443/stukken/Voorstel%20A.pdf?id=7&soort=x",
        "https://raad.ede.nl./stukken/Voorstel%20A.pdf?id=7&soort=x",
        "https://raad.ede.nl//stukken//Voorstel%20A.pdf?id=7&soort=x",
        "https://raad.ede.nl/stukken/%56oorstel%20A.pdf?id=7&soort=x",
        "https://raad.ede.nl/stukken/Voorstel%20A.pdf?soort=x&id=7",
        "https://raad.ede.nl/stukken/Voorstel%20A.pdf?id=7&soort=x&utm_source=nieuwsbrief&pk_campaign=a",
        "https://raad.ede.nl/stukken/Voorstel%20A.pdf?ID=7&Soort=x&",
        "https://raad.ede.nl/stukken/Voorstel%20A.pdf?id=7&soort=x#page=12",
        "https://raad.ede.nl/stukken/Voorstel%20A.pdf?id=7&soort=x#pagina-12",
    ],
)
def test_an_address_is_the_same_however_it_is_written(address: str) -> None:
    assert normalised(address) == PLAIN


@pytest.mark.parametrize(
    "address",
    [
        "https://raad.ede.nl/stukken/Voorstel%20B.pdf?id=7&soort=x",
        "https://raad.ede.nl/stukken/voorstel%20a.pdf?id=7&soort=x",
        "https://raad.ede.nl/stukken/Voorstel%20A.pdf?id=17&soort=x",
        "https://raad.ede.nl/stukken/Voorstel%20A.pdf?id=7",
        "https://raad.ede.nl/stukken/Voorstel%20A.pdf?id=7&soort=x&soort=y",
        "https://raad.ede.nl/stukken%2FVoorstel%20A.pdf?id=7&soort=x",
        "https://raad.ede.nl:8443/stukken/Voorstel%20A.pdf?id=7&soort=x",
        "https://raad.ede.nl/stukken/Voorstel%20A.pdf?id=7&soort=x#ai_12",
        "https://ede.nl/stukken/Voorstel%20A.pdf?id=7&soort=x",
    ],
)
def test_another_file_is_another_address(address: str) -> None:
    assert normalised(address) not in {None, PLAIN}


def test_escapes_are_in_capitals_and_letters_with_accents_escaped() -> None:
    assert normalised("https://ede.nl/caf%c3%a9") == normalised("https://ede.nl/café") == "ede.nl/caf%C3%A9"


def test_a_blank_in_a_parameter_is_the_same_in_either_spelling_and_bytes_of_another_alphabet_stay_apart() -> None:
    assert normalised("https://ede.nl/?f=a+b") == normalised("https://ede.nl/?f=a%20b") == "ede.nl?f=a%20b"
    assert normalised("https://ede.nl/?f=%E9") != normalised("https://ede.nl/?f=%E8")


@pytest.mark.parametrize(
    "address", [None, "", "ede", "ftp://ede.nl/a", "https://ede.nl", "https://ede.nl/", "https://ede.nl/?utm_source=x"]
)
def test_a_whole_site_or_what_is_no_address_is_no_key(address: str | None) -> None:
    assert normalised(address) is None
    assert address_keys(address, "gemeente-ede") == ()


@given(st.text(max_size=80))
def test_any_text_behind_a_host_gives_a_key_that_stays_the_same_when_made_again(tail: str) -> None:
    once = normalised(f"https://ede.nl/{tail}")
    assert once is None or normalised(f"https://{once}") == once


def test_the_address_of_a_supplier_tells_its_number_whatever_the_version() -> None:
    number = supplier_key("notubiz", "document", "gemeente-ede", "16600412")
    for address in (
        "https://api.notubiz.nl/document/16600412/1",
        "https://api.notubiz.nl/document/16600412/2",
        "https://api.openraadsinformatie.nl/v1/resolve/api.notubiz.nl/document/16600412",
    ):
        assert address_keys(address, "gemeente-ede")[0] == number


def test_an_ibabs_file_is_known_by_its_number_in_any_case_and_order() -> None:
    number = supplier_key("ibabs", "document", "gemeente-utrecht", UUID)
    for address in (
        f"https://api1.ibabs.eu/publicdownload.aspx?site=Utrecht&id={UUID}",
        f"https://api1.ibabs.eu/publicdownload.aspx?id={UUID.upper()}&Site=utrecht",
    ):
        assert address_keys(address, "gemeente-utrecht")[0] == number


def test_a_number_of_a_supplier_is_of_one_body_and_whole() -> None:
    """Field report 43: "823" is not "1823"."""
    keys = {
        supplier_key("gemeenteoplossingen", "document", "gemeente-alblasserdam", "823"),
        supplier_key("gemeenteoplossingen", "document", "gemeente-alblasserdam", "1823"),
        supplier_key("gemeenteoplossingen", "document", "gemeente-groningen", "823"),
        supplier_key("gemeenteoplossingen", "meeting", "gemeente-alblasserdam", "823"),
    }
    assert len(keys) == 4
    first, second = (address_keys(f"https://api.notubiz.nl/document/{n}/1", "gemeente-ede") for n in ("823", "1823"))
    assert not set(first) & set(second)


def test_without_a_body_an_address_tells_no_number_of_a_council() -> None:
    assert address_keys("https://api.notubiz.nl/document/7/1", None) == ("adres:api.notubiz.nl/document/7/1",)


@pytest.mark.parametrize(
    "address",
    [
        "https://zoek.officielebekendmakingen.nl/kst-36045-299.html",
        "https://zoek.officielebekendmakingen.nl/kst-36045-299.pdf",
        "https://zoek.officielebekendmakingen.nl/KST-36045-299",
        "https://repository.overheid.nl/frbr/officielepublicaties/kst/36045/kst-36045-299/1/pdf/kst-36045-299.pdf",
    ],
)
def test_every_address_of_an_official_publication_tells_its_id(address: str) -> None:
    assert address_keys(address, None)[0] == official_key("kst-36045-299")


@pytest.mark.parametrize(
    "address",
    [
        "https://www.tweedekamer.nl/kamerstukken/detail?id=2026Z01234&did=2026D45064",
        "https://www.tweedekamer.nl/downloads/document?id=2026D45064",
        "https://tweedekamer.nl/kamerstukken/detail?did=2026d45064&id=2026Z01234",
    ],
)
def test_every_address_of_a_paper_of_the_kamer_tells_its_number(address: str) -> None:
    assert address_keys(address, None)[0] == kamer_key("2026D45064")


@pytest.mark.parametrize(
    "address",
    [
        "https://zoek.officielebekendmakingen.nl/resultaten?q=kst-36045-299",
        "https://www.tweedekamer.nl/kamerstukken/detail?id=voorbeeld",
        "https://evil.example/api.notubiz.nl/document/7/1",
        "https://api.notubiz.nl/document/7/1/2",
    ],
)
def test_an_address_that_only_looks_like_one_tells_nothing_but_itself(address: str) -> None:
    assert [key.partition(":")[0] for key in address_keys(address, "gemeente-ede")] == ["adres"]
