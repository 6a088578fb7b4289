"""Which database a run uses, by what the environment says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from besluitbron.running.database import read_database_options
from besluitbron.running.faults import OptionsError
from besluitbron.running.options import read_options

FILE = Path("/srv/besluitbron.sqlite3")
SECRET = "geh%40im%2F%25"
ADDRESS = f"postgresql://bron:{SECRET}@db.example:5433/besluiten?sslmode=verify-full"


def django(address: str) -> dict[str, Any]:
    return read_database_options({"BESLUITBRON_DATABASE": address}).django(FILE)


@pytest.mark.parametrize("empty", ["", "  "])
def test_without_a_word_from_the_environment_it_is_sqlite_in_the_data_folder(empty: str) -> None:
    made = django(empty)
    assert (made["ENGINE"], made["NAME"]) == ("django.db.backends.sqlite3", FILE)
    assert made["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


def test_an_address_of_postgresql_is_read_with_all_that_it_says() -> None:
    made = django(ADDRESS)
    found = {name: made[name] for name in ("ENGINE", "NAME", "USER", "PASSWORD", "HOST", "PORT")}
    assert found == {
        "ENGINE": "besluitbron.postgres",
        "NAME": "besluiten",
        "USER": "bron",
        "PASSWORD": "geh@im/%",
        "HOST": "db.example",
        "PORT": "5433",
    }
    assert made["OPTIONS"]["sslmode"] == "verify-full"
    assert made["OPTIONS"]["connect_timeout"] == 5


def test_a_socket_and_options_of_the_operator_count() -> None:
    made = django("postgres:///besluiten?host=%2Frun%2Fpostgresql&connect_timeout=9&options=-c%20work_mem%3D8MB")
    assert made["HOST"] == "/run/postgresql"
    assert made["OPTIONS"]["connect_timeout"] == "9"
    assert made["OPTIONS"]["options"].endswith("-c TimeZone=UTC -c work_mem=8MB")


@pytest.mark.parametrize(
    ("address", "why"),
    [
        (f"mysql://bron:{SECRET}@db/besluiten", "begint niet met postgresql://"),
        (f"host=db dbname=besluiten password={SECRET}", "begint niet met postgresql://"),
        (f"postgresql://bron:{SECRET}@db", "naam van de database ontbreekt"),
        (f"postgresql://bron:{SECRET}@db/", "naam van de database ontbreekt"),
        (f"postgresql://bron:{SECRET}@db:0/besluiten", "poort is geen getal"),
        (f"postgresql://bron:{SECRET}@db:http/besluiten", "poort is geen getal"),
        (f"postgresql://bron:{SECRET}@db/besluiten?geheim=ja", "klopt niet"),
        (f"postgresql://bron:{SECRET}%zz@db/besluiten", "klopt niet"),
        (f"postgresql://bron:{SECRET}@[::1/besluiten", "klopt niet"),
        (f"postgresql://bron:{SECRET}\udcff@db/besluiten", "klopt niet"),
    ],
)
def test_an_address_that_cannot_be_is_refused_without_its_password(address: str, why: str) -> None:
    with pytest.raises(OptionsError, match="BESLUITBRON_DATABASE klopt niet") as refused:
        read_database_options({"BESLUITBRON_DATABASE": address})
    said = str(refused.value)
    assert why in said
    assert "postgresql://naam:wachtwoord@machine/database" in said
    assert not [secret for secret in (SECRET, "geh@im", "geheim", "geh%40im") if secret in said]
    assert refused.value.__context__ is None or refused.value.__suppress_context__


def test_no_form_of_the_options_shows_the_password_and_every_part_reads_the_same_again() -> None:
    options = read_options({"BESLUITBRON_DATABASE": ADDRESS})
    for said in (repr(options), str(options.database), options.database.place(FILE)):
        assert "geh" not in said
    assert options.database.place(FILE) == "besluiten op db.example"
    assert options.database.without_password('FATAL: "geh@im/%" klopt niet') == 'FATAL: "…" klopt niet'
    assert read_options(options.environment()) == options
