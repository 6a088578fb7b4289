"""What the pages and the API of reports work with, by the settings."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from besluitbron.composition import Reach
from besluitbron.reporting import make_desk, open_office
from reports.doors import Reception, Terms
from reports.exports.pressing import Press
from reports.models import KEPT_FOR
from reports.workshop import Office
from search.federation import Federation
from throttling.once import Once


@asynccontextmanager
async def open_reception(reach: Reach, federation: Federation) -> AsyncIterator[Reception]:
    """The desk of this process with what its forms and files need, open for as long as the context lasts."""
    async with open_office(reach) as office:
        yield Reception(
            desk=make_desk(office, federation), spent=Once(reach.store), terms=partial(_terms, office), press=Press()
        )


def _terms(office: Office) -> Terms:
    rules, making = office.gate.rules, office.making
    return Terms(
        most_hits=making.most_hits,
        most_texts=making.most_texts,
        days=KEPT_FOR.days,
        longest_wait=rules.longest_minutes,
        per_hour=rules.per_hour,
    )
