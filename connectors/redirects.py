"""Where a redirect may lead: below the same service, plainly said, for a GET; everything else is no answer."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final
from urllib.parse import SplitResult, parse_qsl, urljoin, urlsplit

from connectors.calls import Answer, Call
from connectors.exceptions import Defect, NotAnAnswerError

STATUSES: Final = frozenset({301, 302, 303, 307, 308})
_CLIMBS: Final = re.compile(r"(?:^|/)(?:\.|%2e){1,2}(?:/|$)|%2f|\\", re.IGNORECASE)
_PORTS: Final = {"http": 80, "https": 443}


def redirected(call: Call, base: str, answer: Answer) -> Call:
    """The call to where a redirect points, when that is below ``base``, the address of the same service.

    Only a GET is asked again elsewhere, and only at an address that says plainly where it is; else ``NotAnAnswerError``.
    """
    location = answer.headers.get("location", "")
    try:
        target, home = urlsplit(urljoin(base + call.path, location)), urlsplit(base)
        params = tuple(parse_qsl(target.query, keep_blank_values=True, errors="strict"))
        same_host = _host(target) == _host(home)
    except ValueError:
        raise NotAnAnswerError(call.platform, Defect.REDIRECTED) from None
    path = target.path.removeprefix(home.path)
    inside = target.path.startswith(f"{home.path}/") and not _CLIMBS.search(target.path)
    if call.method != "GET" or not location or not same_host or not inside or target.username is not None:
        raise NotAnAnswerError(call.platform, Defect.REDIRECTED)
    return replace(call, path=path, params=params)


def _host(address: SplitResult) -> tuple[str, str | None, int | None]:
    return address.scheme, address.hostname, address.port or _PORTS.get(address.scheme)
