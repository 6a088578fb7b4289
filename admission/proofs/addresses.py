"""Method and address of a request in one form, for the proof, the replay key and the class alike.

A request that two readers could take for two addresses (an encoded slash, a dot segment, a backslash, an empty segment, a
character encoded twice) is not repaired: it has no form, and is refused. So is a method that a header would change (attacks
1, 3 and 10 of the study). The address of this site is set by its operator and never read from a request.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_letters, digits
from typing import Final
from urllib.parse import unquote_to_bytes

from admission.proofs.exceptions import Check, ClassMismatchError, OutOfScopeError

MOST_PATH: Final = 2_048
MOST_ADDRESS: Final = 2_304
_REMEMBERED: Final = 1024
"""Paths of which the one form is known; a longer one has none."""
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OVERRIDES: Final = frozenset(
    {
        b"x-http-method-override",
        b"x-http-method",
        b"x-method-override",
        b"x-original-url",
        b"x-rewrite-url",
    }
)
"""Headers by which frameworks take a request for another one. Those that a proxy of ours sets for a check are not of them."""
_PORTS: Final = {"https": 443, "http": 80}
_UNRESERVED: Final = frozenset(ascii_letters + digits + "-._~")
_PATH: Final = re.compile(r"(?:/(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})*)+", re.ASCII)
_ENCODED: Final = re.compile(r"%([0-9A-Fa-f]{2})", re.ASCII)
_TWICE: Final = re.compile(r"%25[0-9A-Fa-f]{2}", re.ASCII)
_HIDDEN: Final = re.compile(rb"[\x00-\x1f\x7f/\\]")
_ADDRESS: Final = re.compile(
    r"(?P<scheme>https?)://(?P<host>[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::(?P<port>[1-9][0-9]{0,4}))?(?P<path>/[^?#]*)?(?:[?#].*)?",
    re.ASCII | re.IGNORECASE,
)
_LABEL: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?", re.ASCII)
_LAST_PORT: Final = 65_535
_LONGEST_HOST: Final = 253
_SLASHES: Final = 3


@lru_cache(_REMEMBERED)
def normal_path(path: str) -> str | None:
    """The one form of a path as it stands in a request, or ``None`` when it can be read in more than one way.

    What need not be encoded is decoded, and the rest has capitals: ``/%7e%c3%a9`` is ``/~%C3%A9``.
    """
    if len(path) > MOST_PATH or not _PATH.fullmatch(path) or _TWICE.search(path):
        return None
    sent = path.split("/")[1:]
    segments = [unquote_to_bytes(segment) for segment in sent]
    if any(not segment.strip(b".") for segment in segments[:-1]) or (segments[-1] and not segments[-1].strip(b".")):
        return None
    if any(_HIDDEN.search(segment) or not _text(segment) for segment in segments):
        return None
    return _ENCODED.sub(_normal_sign, path)


def _text(segment: bytes) -> bool:
    try:
        segment.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _normal_sign(found: re.Match[str]) -> str:
    sign = chr(int(found[1], 16))
    return sign if sign in _UNRESERVED else found[0].upper()


def normal_address(address: str) -> str | None:
    """The one form of an address with scheme, host and path; without query and fragment (RFC 9449, section 4.3).

    Scheme and host in small letters, no default port, ``/`` for no path (RFC 3986, section 6.2). ``None``: not http(s), a user
    in it, a host that is not plain ASCII (a name in another script has its ``xn--`` form), or a path without one form.
    """
    found = _ADDRESS.fullmatch(address) if len(address) <= MOST_ADDRESS and address.isprintable() else None
    if found is None:
        return None
    scheme, host, port = found["scheme"].lower(), found["host"].lower(), int(found["port"] or 0)
    path = normal_path(found["path"] or "/")
    if path is None or port > _LAST_PORT or not _host(host):
        return None
    shown = "" if port in {0, _PORTS[scheme]} else f":{port}"
    return f"{scheme}://{host}{shown}{path}"


def _host(host: str) -> bool:
    return host.startswith("[") or (len(host) <= _LONGEST_HOST and all(map(_LABEL.fullmatch, host.split("."))))


@dataclass(frozen=True, slots=True)
class Target:
    """What a request is about, in its one form: method, path, and the address of both on this site."""

    method: str
    path: str
    address: str


@dataclass(frozen=True, slots=True)
class PublicAddress:
    """Where this site is for those who call it: scheme, host and port, as the operator set it."""

    origin: str

    @classmethod
    def of(cls, address: str) -> PublicAddress:
        """From a setting such as ``https://besluitbron.example``. Raises ``ValueError`` on a path, a query or no address."""
        normal = normal_address(address)
        if normal is None or normal.count("/") != _SLASHES or not normal.endswith("/") or {"?", "#"} & set(address):
            message = "an address has a scheme and a host, and no more"
            raise ValueError(message)
        return cls(normal.removesuffix("/"))

    def target(self, method: str, path: bytes, headers: Iterable[tuple[bytes, bytes]]) -> Target:
        """The one form of a request: ``path`` as it was sent, without the query; header names in small letters (ASGI).

        Raises ``ClassMismatchError`` for a method that is unknown or that a header would change, ``OutOfScopeError`` for a path
        without one form.
        """
        if method not in METHODS:
            raise ClassMismatchError(Check.METHOD)
        if any(name in OVERRIDES for name, _ in headers):
            raise ClassMismatchError(Check.OVERRIDE)
        normal = normal_path(path[: MOST_PATH + 1].decode("latin-1"))
        if normal is None:
            raise OutOfScopeError(Check.PATH)
        return Target(method, normal, f"{self.origin}{normal}")
