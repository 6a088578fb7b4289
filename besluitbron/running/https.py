"""Addresses of platforms that an operator gives: over https alone, because the questions of visitors go there."""

from __future__ import annotations

from urllib.parse import urlsplit

from besluitbron.running.faults import OptionsError
from connectors.addresses import web_address


def https_address(variable: str, text: str, when_empty: str) -> str:
    """``text`` without a slash at the end; it holds nothing but a host and a path, or nothing at all.

    Raises ``OptionsError``, which names ``variable`` and says what leaving it empty does.
    """
    text = text.rstrip("/")
    parts = urlsplit(web_address(text) or "")
    if not text or (parts.scheme == "https" and not set(text) & set("?#@")):
        return text
    message = f"{variable} moet een adres zijn dat met https:// begint, zonder ?, # of @ erin. {when_empty}"
    raise OptionsError(message)
