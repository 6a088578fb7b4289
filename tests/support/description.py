"""The description of the API as tests use it: what an operation answers must fit the form that is described."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker

_FORMATS = FormatChecker(())


@_FORMATS.checks("date", raises=ValueError)
def _is_day(value: object) -> bool:
    return not isinstance(value, str) or len(date.fromisoformat(value).isoformat()) == len(value)


@_FORMATS.checks("date-time", raises=ValueError)
def _is_moment_in_utc(value: object) -> bool:
    return not isinstance(value, str) or (value.endswith("Z") and bool(datetime.fromisoformat(value)))


def operations(description: dict[str, Any]) -> dict[str, tuple[str, dict[str, Any]]]:
    """Each operation by its id, with its path."""
    found = {}
    for path, methods in description["paths"].items():
        for operation in methods.values():
            found[operation["operationId"]] = (path, operation)
    return found


def faults(description: dict[str, Any], operation_id: str, answer: Any, status: str = "200") -> list[str]:
    """In what ``answer`` does not fit the form of an operation's answer."""
    _, operation = operations(description)[operation_id]
    content = operation["responses"][status]["content"]
    media = "application/json" if status.startswith("2") else "application/problem+json"
    schema = {"components": description["components"], "allOf": [content[media]["schema"]]}
    found = Draft202012Validator(schema, format_checker=_FORMATS).iter_errors(answer)
    return [f"{error.json_path}: {error.message[:200]}" for error in found]
