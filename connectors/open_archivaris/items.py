"""One item of an answer as the field map finds it: what a hit and a document have in common. Never a failure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from connectors.addresses import web_address
from connectors.archived import ArchivedCopy
from connectors.council_kinds import kind_of_paper
from connectors.json_values import count
from connectors.moments import AMSTERDAM, parsed
from connectors.open_archivaris.field_map import FieldMap
from connectors.open_archivaris.ids import is_id
from connectors.open_archivaris.organisations import UNKNOWN, Bodies
from connectors.open_archivaris.paths import Path, found, written
from connectors.open_archivaris.text import one_line
from connectors.records import DateMeaning, Kind, Moment
from connectors.sameness import address_keys

UNTITLED: Final = "Ongetiteld stuk"
_YEARS: Final = range(1901, 2200)


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """The fields of one item. ``original_url`` is what is cited, also when nothing stands there any more."""

    upstream_id: str
    title: str
    author: str
    organisation: str
    organisation_id: str | None
    kind: Kind
    created: Moment | None
    pages: int | None
    pages_searched: int | None
    page: int | None
    original_url: str
    copy: ArchivedCopy | None
    mime: str
    sha256: str
    snippet: str

    @property
    def same_as(self) -> tuple[str, ...]:
        """The keys of the original at other platforms, also when it is gone there."""
        return address_keys(self.original_url, self.organisation_id)

    @property
    def file(self) -> str | None:
        """The address of the original file, None when it is gone."""
        return None if self.copy and self.copy.original_gone else self.original_url


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads items by a map: ``fields`` for the ids and kinds, and the places that belong to the answer at hand."""

    fields: FieldMap
    bodies: Bodies

    def item(self, row: Any, places: Mapping[str, Path], asked: str | None = None) -> Item | None:
        """The item; None when its id, its title or the address of its original cannot be read.

        ``asked`` is its id when it was asked for by that and the map allows that the answer does not repeat it.
        """

        def value(name: str) -> Any:
            return found(row, places.get(name))

        title, original = value("title"), web_address(value("original_url"))
        upstream_id = _identifier(value("id"))
        if upstream_id is None and written(places["id"]) in self.fields.absent:
            upstream_id = asked
        if upstream_id is None or not is_id(upstream_id, self.fields) or original is None:
            return None
        if not isinstance(title, str):
            return None
        title = one_line(title) or UNTITLED
        label = one_line(value("body_label"))
        body = self.bodies.body(one_line(value("body_code")), label, one_line(value("body_kind")))
        return Item(
            upstream_id=upstream_id,
            title=title,
            author=one_line(value("author")),
            organisation=body.name if body else label or UNKNOWN,
            organisation_id=body.id if body else None,
            kind=kind_of_paper(title),
            created=moment(value("created_on")),
            pages=count(value("pages")),
            pages_searched=count(value("pages_searched")),
            page=count(value("page")) or None,
            original_url=original,
            copy=self._copy(value),
            mime=one_line(value("mime")),
            sha256=one_line(value("sha256")),
            snippet=one_line(value("snippet")),
        )

    @staticmethod
    def _copy(value: Callable[[str], Any]) -> ArchivedCopy | None:
        """The kept copy; None when the answer says nothing of one, nor that the original is gone."""
        address, made, gone = web_address(value("archive_url")), moment(value("archived_on")), value("original_gone")
        if address is None and made is None and gone is not True:
            return None
        return ArchivedCopy(address, _day(made), original_gone=gone is True)


def moment(value: Any) -> Moment | None:
    """The date in ``value``: a plain day as it is, a time with an offset by its day in Amsterdam (field report 12)."""
    at = parsed(value)
    if at is None or at.year not in _YEARS:
        return None
    if at.tzinfo is None:
        return Moment(at.date(), DateMeaning.DOCUMENT)
    shown = at.astimezone(AMSTERDAM)
    return Moment(shown.date(), DateMeaning.DOCUMENT, shown)


def _day(found_at: Moment | None) -> date | None:
    return found_at.day if found_at else None


def _identifier(value: Any) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) else None
