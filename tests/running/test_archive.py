"""The settings of Open Archivaris, whose API is not public."""

from __future__ import annotations

from pathlib import Path

import pytest

from besluitbron.running.archive import ArchiveOptions
from besluitbron.running.faults import OptionsError
from besluitbron.running.options import read_options
from connectors.open_archivaris.field_map import PROPOSED_FILE

ADDRESS, FIELDS = "BESLUITBRON_OPEN_ARCHIVARIS_ADRES", "BESLUITBRON_OPEN_ARCHIVARIS_VELDEN"


@pytest.mark.parametrize("environment", [{}, {ADDRESS: "", FIELDS: ""}, {ADDRESS: "  "}])
def test_without_a_word_there_is_no_address(environment: dict[str, str]) -> None:
    assert read_options(environment).archive == ArchiveOptions()


def test_an_address_is_kept_without_its_last_slash_and_every_part_reads_the_same() -> None:
    options = read_options({ADDRESS: "https://archief.example.org/api/", FIELDS: str(PROPOSED_FILE)})
    assert options.archive == ArchiveOptions("https://archief.example.org/api", str(PROPOSED_FILE))
    assert read_options(options.environment()).archive == options.archive


@pytest.mark.parametrize(
    "address",
    [
        "http://archief.example.org",
        "archief.example.org",
        "https://",
        "https://wie:geheim@archief.example.org",
        "https://archief.example.org/?sleutel=1",
        "https://archief.example.org/#x",
        "https://archief example.org",
        "https://[",
        "file:///etc/passwd",
    ],
)
def test_an_address_that_cannot_be_asked_safely_is_refused_by_name(address: str) -> None:
    with pytest.raises(OptionsError, match=ADDRESS):
        read_options({ADDRESS: address})


def test_a_map_with_a_mistake_is_refused_with_its_place(tmp_path: Path) -> None:
    wrong = tmp_path / "velden.toml"
    wrong.write_text(PROPOSED_FILE.read_text("utf-8").replace('title = "title"', 'titel = "title"'), "utf-8")
    with pytest.raises(OptionsError, match=rf"{FIELDS} klopt niet: item.titel kennen we niet"):
        read_options({FIELDS: str(wrong)})


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_map_that_cannot_be_read_is_refused_by_name(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "velden.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(OptionsError, match=f"{FIELDS} is geen bestand"):
        read_options({FIELDS: str(path)})
