"""What operations that change something read: the contract of a request, and a body of JSON in which all is strings."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest

from search.api.errors import problem
from search.api.reading import JSON, Parameter, Reading
from search.carried import scope_of
from throttling.admitted import Admitted, may_change, needs
from throttling.problems import Kinds

MOST_BYTES: Final = 16_384


def contract_of(request: HttpRequest, operation: str) -> Admitted:
    """The contract under which a request may do ``operation``, or the problem that there is none."""
    found = may_change(scope_of(request), operation)
    if found is None:
        raise problem(Kinds.TOKEN_REQUIRED, **needs(settings.SITE_ADDRESS, operation))
    return found


def nothing_beside(request: HttpRequest) -> None:
    """Refuse parameters in the address: what changes something has all of it in its body or its path."""
    Reading.of(request, ()).done()


def read_body(request: HttpRequest, known: Sequence[Parameter]) -> Reading:
    """The members of a body of JSON, each a text or a list of texts, with each that is not ``known`` as a fault."""
    if request.content_type != JSON:
        raise problem(Kinds.CONTENT_TYPE)
    body = request.body
    if len(body) > MOST_BYTES:
        raise problem(Kinds.TOO_LARGE, f"We lezen hier hooguit {MOST_BYTES} bytes.")
    members = _members(body)
    by_name = {one.name: one for one in known}
    wrong = [name for name, value in members.items() if name in by_name and not _fits(value, by_name[name])]
    values = {name: _texts(value) for name, value in members.items() if name not in wrong}
    reading = Reading.given(values, known)
    for name in wrong:
        reading.fault(name, "Hier hoort een lijst van teksten." if by_name[name].repeats else "Hier hoort een tekst.")
    return reading


def body_of(known: Sequence[Parameter], example: Mapping[str, Any], *required: str) -> dict[str, Any]:
    """Such a body as OpenAPI describes it."""
    members = {one.name: {**one.schema, "description": one.about} for one in known}
    needed = {"required": list(required)} if required else {}
    schema = {"type": "object", "properties": members, **needed, "additionalProperties": False}
    return {"required": True, "content": {JSON: {"schema": schema, "example": dict(example)}}}


def _members(body: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(body.decode("utf-8"), object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise problem(Kinds.INVALID_INPUT, "De inhoud is geen object van JSON dat op één manier te lezen is.")
    return found


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Two readers of a name that comes twice may each take another value."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError
    return found


def _no_number(_: str) -> float:
    raise ValueError


def _fits(value: Any, parameter: Parameter) -> bool:
    if parameter.repeats:
        return isinstance(value, list) and bool(value) and all(map(_is_text, value))
    return _is_text(value)


def _is_text(value: Any) -> bool:
    """Whether it is a text that can be written down: JSON can hold half a character."""
    if not isinstance(value, str):
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _texts(value: Any) -> list[str]:
    """What a member holds, for a reader of texts; of a name that is not known it does not matter what."""
    given = value if isinstance(value, list) else [value]
    return [one if isinstance(one, str) else "?" for one in given]
