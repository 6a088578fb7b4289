from __future__ import annotations

from pathlib import Path

import pytest

from besluitbron.running.faults import OptionsError
from besluitbron.running.options import read_options
from connectors.addresses import PlatformMode


@pytest.mark.parametrize("environment", [{}, {"PORT": "", "BESLUITBRON_PLATFORMS": "", "BESLUITBRON_DATA": ""}])
def test_without_a_word_from_the_environment_the_stand_ins_answer_on_8000(environment: dict[str, str]) -> None:
    options = read_options(environment)
    assert (options.port, options.stand_ins_port, options.platforms) == (8000, 8001, PlatformMode.STAND_INS)
    assert options.address == "http://localhost:8000"


def test_live_platforms_are_asked_without_stand_ins() -> None:
    options = read_options({"BESLUITBRON_PLATFORMS": "live", "BESLUITBRON_CONTACT": "beheer@example.org"})
    assert not options.with_stand_ins
    assert options.contact == "beheer@example.org"


@pytest.mark.parametrize("contact", ["", " "])
def test_real_platforms_are_never_asked_without_saying_who_asks(contact: str) -> None:
    with pytest.raises(OptionsError, match="BESLUITBRON_CONTACT is leeg"):
        read_options({"BESLUITBRON_PLATFORMS": "live", "BESLUITBRON_CONTACT": contact})


@pytest.mark.parametrize("contact", ["a@b\r\nX-Kop: 1", "é@example.org"])
def test_a_contact_that_would_break_a_header_is_refused(contact: str) -> None:
    with pytest.raises(OptionsError, match="BESLUITBRON_CONTACT mag alleen"):
        read_options({"BESLUITBRON_CONTACT": contact})


@pytest.mark.parametrize(
    "port", ["0", "-1", "65535", "65536", "99999999999", "http", "80a", "8000 ", "8_000", "٨٠٠٠", "²"]
)
def test_a_port_that_cannot_be_is_named(port: str) -> None:
    with pytest.raises(OptionsError, match=r"PORT is .* maar moet een getal zijn van 1 tot en met 65534"):
        read_options({"PORT": port})


@pytest.mark.parametrize("mode", ["Live", "standins", "stand-ins ", "ja"])
def test_platforms_other_than_the_two_are_named(mode: str) -> None:
    with pytest.raises(OptionsError, match=r"BESLUITBRON_PLATFORMS is .* maar moet stand-ins of live zijn"):
        read_options({"BESLUITBRON_PLATFORMS": mode})


def test_every_part_reads_the_same_options_again(tmp_path: Path) -> None:
    given = {"PORT": "9001", "BESLUITBRON_DATA": str(tmp_path), "BESLUITBRON_PLATFORMS": "live"}
    options = read_options(given | {"BESLUITBRON_CONTACT": "beheer@example.org"})
    assert read_options(options.environment()) == options


@pytest.mark.parametrize("folder", ["~nobody-of-that-name/x", "a\0b"])
def test_a_data_folder_that_cannot_be_is_named(folder: str) -> None:
    with pytest.raises(OptionsError, match="BESLUITBRON_DATA is geen map die kan bestaan"):
        read_options({"BESLUITBRON_DATA": folder})
