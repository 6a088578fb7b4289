"""Asking whether something is still the same, instead of asking for it again (RFC 9110 section 13, RFC 9111 section 4.3)."""

from __future__ import annotations

from dataclasses import replace
from http import HTTPStatus
from types import MappingProxyType

from connectors.calls import Answer, Call


def only_if_changed(call: Call, kept: Answer) -> Call:
    """``call`` with the conditions that ``kept`` allows: its mark, its date, or both."""
    conditions = (("if-none-match", kept.headers.get("etag")), ("if-modified-since", kept.headers.get("last-modified")))
    return replace(call, headers=(*call.headers, *((name, value) for name, value in conditions if value)))


def confirmed(kept: Answer, answer: Answer) -> Answer | None:
    """``kept``, fresh as of ``answer``, when that says that nothing changed; else None."""
    if answer.status != HTTPStatus.NOT_MODIFIED:
        return None
    said = {name: answer.headers[name] for name in ("etag", "last-modified") if name in answer.headers}
    return replace(
        kept, headers=MappingProxyType({**kept.headers, **said}), fetched_at=answer.fetched_at, buffered=False
    )
