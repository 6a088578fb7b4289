"""The forms that ask for and cancel reports: signed, good for one time and one question, and from our own pages alone.

There are no cookies, so a page of somebody else can use nobody's rights. What it could do is have every visitor ask for
reports, each at their own address: a form that was not made here, or not sent from here, does nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from enum import StrEnum
from hashlib import sha256
from typing import Final
from urllib.parse import urlsplit

from django.core import signing

from reports.doors import Spent

SECONDS: Final = 12 * 3600
"""How long a form is good: a page may stay open for a day's work."""
MOST_BYTES: Final = 65_536
"""How much a form may hold: a question of the longest kind with every body, chosen one by one, fits."""
_SALT: Final = "rapporten"
_SAME: Final = "same-origin"


class Purpose(StrEnum):
    """What a form is for."""

    ASK = "vragen"
    CANCEL = "annuleren"


class Wrong(StrEnum):
    """What is wrong with a form."""

    EXPIRED = "verlopen"
    USED = "gebruikt"
    FORGED = "vervalst"


class BadFormError(Exception):
    """A form that does nothing."""

    def __init__(self, wrong: Wrong) -> None:
        super().__init__(wrong)
        self.wrong = wrong


def signed(purpose: Purpose, about: str) -> str:
    """A new form's token for one ``purpose``, ``about`` a question or a report: of that it holds a digest alone."""
    return signing.dumps([purpose.value, secrets.token_urlsafe(12), _digest(about)], salt=_SALT)


async def use(token: str, purpose: Purpose, about: str, spent: Spent) -> None:
    """Use a form. Raises ``BadFormError``, and ``StoreLostError`` when nobody can tell whether it was used."""
    try:
        said = signing.loads(token, salt=_SALT, max_age=SECONDS)
    except signing.SignatureExpired as error:
        raise BadFormError(Wrong.EXPIRED) from error
    except signing.BadSignature as error:
        raise BadFormError(Wrong.FORGED) from error
    meant, once, digest = said
    if meant != purpose.value or not secrets.compare_digest(digest, _digest(about)):
        raise BadFormError(Wrong.FORGED)
    if not await spent.spend(f"{_SALT}:{once}", SECONDS):
        raise BadFormError(Wrong.USED)


def is_own(headers: Mapping[str, str], host: str, site: str) -> bool:
    """Whether a form was sent by a page of ours, by what the browser says. ``site`` is the address of our own pages.

    ``Sec-Fetch-Site`` says it itself; without it the host of ``Origin`` counts, else of ``Referer``. Whoever says nothing is
    not believed.
    """
    if fetched := headers.get("Sec-Fetch-Site"):
        return fetched == _SAME
    came = headers.get("Origin") or headers.get("Referer") or ""
    try:
        where = urlsplit(came).netloc
    except ValueError:
        return False
    return bool(where) and where in {host, urlsplit(site).netloc}


def _digest(about: str) -> str:
    return sha256(about.encode()).hexdigest()[:24]
