"""The part of OData's filter language that the stand-in understands, with the service's limit of nodes and its refusals."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final, NoReturn

from connectors.kamer_corpus.schema import EntityType
from connectors.moments import AMSTERDAM

Row = dict[str, Any]
Test = Callable[[Row], bool | None]
"""Whether a row fits; None where a field is null, as in the database below: such a row is not given either way."""

Related = Callable[[EntityType, str], tuple[EntityType, Callable[[Row], list[Row]]] | None]
"""What a navigation of an entity leads to, and the rows to which it leads from one; None when there is no such navigation."""

_MOST_NODES: Final = 100
_DEEPEST: Final = 40
_MOST_LAMBDAS: Final = 2
"""Within one ``any()`` there may be one more (section 4)."""
_TOKEN: Final = re.compile(
    r"\s*(?:(?P<text>'(?:[^']|'')*')|(?P<guid>[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})"
    r"|(?P<moment>\d{4}-\d{2}-\d{2}(?:T[0-9:.]+(?:Z|[+-]\d{2}:\d{2}))?)|(?P<number>-?\d+)"
    r"|(?P<word>[A-Za-z_][A-Za-z_0-9/]*)|(?P<mark>[(),:]))"
)
_FUNCTIONS: Final[dict[str, Callable[[str, str], bool]]] = {
    "contains": lambda held, asked: asked in held,
    "startswith": lambda held, asked: held.startswith(asked),
    "endswith": lambda held, asked: held.endswith(asked),
}
_COMPARISONS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "eq": lambda a, b: bool(a == b),
    "ne": lambda a, b: bool(a != b),
    "gt": lambda a, b: bool(a > b),
    "ge": lambda a, b: bool(a >= b),
    "lt": lambda a, b: bool(a < b),
    "le": lambda a, b: bool(a <= b),
}


class RefusedFilterError(ValueError):
    """What the service answers 400 to; the text is the message."""


def refuse(reason: str) -> NoReturn:
    """Refuse a request as the service does."""
    message = f"The query specified in the URI is not valid. {reason}"
    raise RefusedFilterError(message)


class TooShortError(ValueError):
    """A very short text to look for: the service works on it for half a minute and fails (section 12)."""


def filter_test(text: str, entity: EntityType, related: Related = lambda *_: None) -> Test:
    """The test for a filter on rows of ``entity``."""
    parser = _Parser(text, entity, related)
    test = parser.disjunction(0)
    if parser.at < len(parser.tokens):
        refuse("Syntax error in $filter.")
    if parser.nodes > _MOST_NODES:
        refuse(
            f"The node count limit of '{_MOST_NODES}' has been exceeded. To "
            "increase the limit, set the 'MaxNodeCount' property on EnableQueryAttribute or ODataValidationSettings."
        )
    return test


def no_such_field(name: str, entity: EntityType) -> NoReturn:
    """The refusal of a field that is not there."""
    refuse(f"Could not find a property named '{name}' on type 'TK.DA.GGM.OData.{entity.name}'.")


class _Parser:
    def __init__(self, text: str, entity: EntityType, related: Related) -> None:
        self.entity = entity
        self.related = related
        self.prefix = ""
        self.lambdas = 0
        self.tokens = _tokens(text)
        self.at = 0
        self.nodes = 0

    def disjunction(self, depth: int) -> Test:
        return self._chain("or", self._conjunction, depth, decided_by=True)

    def _conjunction(self, depth: int) -> Test:
        return self._chain("and", self._negation, depth, decided_by=False)

    def _chain(self, word: str, part: Callable[[int], Test], depth: int, *, decided_by: bool) -> Test:
        if depth > _DEEPEST:
            refuse("The filter is too deep.")
        tests = [part(depth)]
        while self._take("word", word):
            self.nodes += 1
            tests.append(part(depth))
        if len(tests) == 1:
            return tests[0]

        def chained(row: Row) -> bool | None:
            found = [test(row) for test in tests]
            if decided_by in found:
                return decided_by
            return None if None in found else not decided_by

        return chained

    def _negation(self, depth: int) -> Test:
        if not self._take("word", "not"):
            return self._atom(depth)
        self.nodes += 1
        inner = self._negation(depth + 1) if depth < _DEEPEST else self._atom(depth)

        def negated(row: Row) -> bool | None:
            found = inner(row)
            return None if found is None else not found

        return negated

    def _atom(self, depth: int) -> Test:
        if self._take("mark", "("):
            test = self.disjunction(depth + 1)
            self._expect(")")
            return test
        kind, name = self._next()
        if kind != "word":
            refuse("Syntax error in $filter.")
        if name in _FUNCTIONS:
            return self._function(name)
        if name.endswith("/any"):
            return self._any(name.removesuffix("/any"), depth)
        return self._comparison(name)

    def _any(self, path: str, depth: int) -> Test:
        """``Navigation/any(a:a/Field eq …)``: five nodes beside its body, and one for each step in a path."""
        outer, prefix = self.entity, self.prefix
        navigation = path.removeprefix(prefix)
        found = self.related(outer, navigation)
        if found is None:
            no_such_field(navigation, outer)
        if self.lambdas == _MOST_LAMBDAS:
            refuse("The Any/All nesting limit has been exceeded.")
        self.entity, rows_of = found
        self._expect("(")
        self.prefix = f"{self._next()[1]}/"
        self._expect(":")
        self.nodes += 5 + bool(prefix)
        self.lambdas += 1
        test = self.disjunction(depth + 1)
        self.entity, self.prefix = outer, prefix
        self.lambdas -= 1
        self._expect(")")
        return lambda row: any(test(one) is True for one in rows_of(row))

    def _function(self, name: str) -> Test:
        self._expect("(")
        field = self._field(self._next()[1])
        self._expect(",")
        kind, asked = self._next()
        self._expect(")")
        if kind != "text":
            refuse("A text was expected.")
        asked = asked.lower()
        if name == "contains" and len(asked) < 3:  # noqa: PLR2004 - "OV" was the word that failed
            raise TooShortError
        self.nodes += 4
        decide = _FUNCTIONS[name]

        def test(row: Row) -> bool | None:
            held = row.get(field)
            return decide(held.lower(), asked) if isinstance(held, str) else None

        return test

    def _comparison(self, name: str) -> Test:
        field = self._field(name)
        operator = self._next()[1]
        if operator == "in":
            return self._one_of(field)
        if operator not in _COMPARISONS:
            refuse("Syntax error in $filter.")
        kind, text = self._next()
        self.nodes += 4 if kind == "text" else 5
        field_type = self.entity.fields[field]
        asked = self._literal(kind, text, field_type)
        decide = _COMPARISONS[operator]

        def test(row: Row) -> bool | None:
            held = comparable(row.get(field), field_type)
            if asked is None:
                return (held is None) == (operator == "eq")
            return decide(held, asked) if held is not None else None

        return test

    def _one_of(self, field: str) -> Test:
        self._expect("(")
        asked = []
        field_type = self.entity.fields[field]
        while True:
            kind, text = self._next()
            asked.append(self._literal(kind, text, field_type))
            self.nodes += 2
            if not self._take("mark", ","):
                break
        self._expect(")")
        return lambda row: comparable(row.get(field), field_type) in asked

    def _field(self, path: str) -> str:
        name = path.removeprefix(self.prefix)
        self.nodes += bool(self.prefix)
        if name not in self.entity.fields:
            no_such_field(name, self.entity)
        return name

    def _literal(self, kind: str, text: str, field_type: str) -> Any:
        if kind == "word":
            if text not in {"true", "false", "null"}:
                no_such_field(text, self.entity)
            value: Any = {"true": True, "false": False, "null": None}[text]
        else:
            value = int(text) if kind == "number" else comparable(text, field_type if kind != "text" else "Edm.String")
        expected = comparable(_EXAMPLES.get(field_type, ""), field_type)
        if value is not None and type(value) is not type(expected):
            refuse("A binary operator with incompatible types was detected.")
        return value

    def _next(self) -> tuple[str, str]:
        if self.at >= len(self.tokens):
            refuse("Expression expected.")
        self.at += 1
        return self.tokens[self.at - 1]

    def _take(self, kind: str, text: str) -> bool:
        if self.at < len(self.tokens) and self.tokens[self.at] == (kind, text):
            self.at += 1
            return True
        return False

    def _expect(self, mark: str) -> None:
        if not self._take("mark", mark):
            refuse(f"'{mark}' was expected.")


_EXAMPLES: Final[dict[str, Any]] = {
    "Edm.DateTimeOffset": "2000-01-01",
    "Edm.Date": "2000-01-01",
    "Edm.Boolean": True,
    "Edm.Int32": 0,
    "Edm.Int64": 0,
    "Edm.Double": 0,
    "Edm.Decimal": 0,
}


def comparable(value: Any, field_type: str) -> Any:
    """A value in a form that compares: a date without a time is midnight in the Netherlands, texts ignore case."""
    if not isinstance(value, str):
        return value
    if field_type not in {"Edm.DateTimeOffset", "Edm.Date"}:
        return value.lower()
    try:
        found = datetime.fromisoformat(value)
        return (found if found.tzinfo else found.replace(tzinfo=AMSTERDAM)).astimezone(UTC)
    except (ValueError, OverflowError):
        return datetime.min.replace(tzinfo=UTC)


def _tokens(text: str) -> list[tuple[str, str]]:
    tokens: list[tuple[str, str]] = []
    at = 0
    text = text.rstrip()
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            refuse(f"Syntax error at position {at}.")
        kind = str(found.lastgroup)
        value = found[kind]
        tokens.append((kind, value[1:-1].replace("''", "'") if kind == "text" else value))
        at = found.end()
    return tokens
