"""Which database a run uses: SQLite in the data folder, or the PostgreSQL database that the environment names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from besluitbron.running.faults import OptionsError

_ADDRESS: Final = "BESLUITBRON_DATABASE"
_SCHEMES: Final = ("postgresql://", "postgres://")
_OWN: Final = {"user": "USER", "password": "PASSWORD", "host": "HOST", "port": "PORT"}
_HIGHEST_PORT: Final = 65535
_HOW: Final = (
    f"{_ADDRESS} klopt niet{{why}}. Zo hoort het: postgresql://naam:wachtwoord@machine/database. Een teken als @, / of % in "
    "een naam of wachtwoord schrijft u als %40, %2F of %25. Leeg: SQLite in de gegevensmap."
)
SQLITE: Final[Mapping[str, Any]] = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 10,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA journal_size_limit=67108864;",
}
"""Django's options for SQLite."""
POSTGRES: Final[Mapping[str, Any]] = {
    "application_name": "besluitbron",
    "connect_timeout": 5,
    "tcp_user_timeout": 20_000,
}
"""Django's options for PostgreSQL (those of libpq) where the address gives no other: a server that is away is soon known so."""
_SESSION: Final = "-c lock_timeout=10s -c idle_in_transaction_session_timeout=60s -c TimeZone=UTC"
"""As patient with another writer as SQLite is; and a session in Django's own time zone costs no question."""


@dataclass(frozen=True, slots=True)
class DatabaseOptions:
    """``address``: of a PostgreSQL database, with its password (empty: SQLite). ``parts``: the same as libpq reads it."""

    address: str = field(default="", repr=False)
    parts: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def given(self) -> dict[str, str]:
        """The same in the environment of every part."""
        return {_ADDRESS: self.address}

    def place(self, file: Path) -> str:
        """Where it is, for a person; ``file`` is that of SQLite. Never its password."""
        if not self.parts:
            return str(file)
        return f"{self.parts['dbname']} op {self.parts.get('host') or 'deze machine'}"

    def without_password(self, text: str) -> str:
        """``text`` as anybody may read it."""
        password = self.parts.get("password")
        return text.replace(password, "…") if password else text

    def django(self, file: Path) -> dict[str, Any]:
        """Django's settings of this database; ``file`` is that of SQLite."""
        if not self.parts:
            return {"ENGINE": "django.db.backends.sqlite3", "NAME": file, "OPTIONS": dict(SQLITE)}
        rest = {name: value for name, value in self.parts.items() if name not in {*_OWN, "dbname", "options"}}
        session = f"{_SESSION} {self.parts.get('options', '')}".strip()
        return {
            "ENGINE": "besluitbron.postgres",
            "NAME": self.parts["dbname"],
            **{name: self.parts[part] for part, name in _OWN.items() if part in self.parts},
            "OPTIONS": {**POSTGRES, **rest, "options": session},
        }


def read_database_options(environment: Mapping[str, str]) -> DatabaseOptions:
    """The options in ``environment``. Raises ``OptionsError``, which never says what the address holds."""
    address = environment.get(_ADDRESS, "").strip()
    if not address:
        return DatabaseOptions()
    if not address.startswith(_SCHEMES):
        raise OptionsError(_HOW.format(why=": het begint niet met postgresql://"))
    parts = _parts(address)
    if not parts.get("dbname"):
        raise OptionsError(_HOW.format(why=": de naam van de database ontbreekt"))
    if not all(_is_port(port) for port in parts.get("port", "").split(",")):
        raise OptionsError(_HOW.format(why=": de poort is geen getal van 1 tot en met 65535"))
    return DatabaseOptions(address, parts)


def _parts(address: str) -> dict[str, str]:
    """What an address says, as the client of PostgreSQL reads it."""
    from psycopg import ProgrammingError  # noqa: PLC0415 - takes 0.1 s, and most installations do without
    from psycopg.conninfo import conninfo_to_dict  # noqa: PLC0415 - as above

    try:
        return {name: str(value) for name, value in conninfo_to_dict(address).items() if value is not None}
    except (ProgrammingError, ValueError):  # its text may quote the password
        raise OptionsError(_HOW.format(why="")) from None


def _is_port(text: str) -> bool:
    return not text or (text.isascii() and text.isdigit() and 0 < int(text[:9]) <= _HIGHEST_PORT)
