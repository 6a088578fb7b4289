"""How templates say texts: ``{% zeg %}…{% endzeg %}``, ``{{ word|zeg }}``, and addresses with ``{% hier %}``.

What stands between ``{% zeg %}`` and ``{% endzeg %}`` is one Dutch text, with markup and ``{{ values }}`` where it has them:
in the catalogue a value is ``{its_name}``, with an underscore for a point. Django loads these tags for every template.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from django import template
from django.template.base import (
    FilterExpression,
    Node,
    NodeList,
    Parser,
    TextNode,
    Token,
    VariableNode,
    render_value_in_context,
)
from django.template.context import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from connectors.language import Language, say, spoken
from search import texts

register = template.Library()
_NAME = re.compile(r"\W+")
_TEXT_ALONE = "{% zeg %} holds text and values alone"
_TWICE = "a text has two values with the name "


class SayNode(Node):
    """One text. In Dutch it is rendered as it stands in the template."""

    def __init__(self, nodes: NodeList, words: str, values: Mapping[str, FilterExpression]) -> None:
        self._nodes = nodes
        self._words = words
        self._values = values
        self._plain = mark_safe(words) if not values else None  # noqa: S308 - text of a template

    def render(self, context: Context) -> SafeString:
        """The text in the language that is spoken; values are escaped as everywhere, the text itself is ours."""
        if spoken() is Language.DUTCH:
            return self._nodes.render(context) if self._plain is None else self._plain
        values = {
            name: render_value_in_context(found.resolve(context), context) for name, found in self._values.items()
        }
        return mark_safe(say(self._words, **values))  # noqa: S308 - our own text, and values that were escaped


def placeholder(expression: str) -> str:
    """How the value of an expression is called in the catalogue: ``bron.name|lower`` is ``bron_name``."""
    return _NAME.sub("_", expression.partition("|")[0].strip()).strip("_")


@register.tag("zeg")
def do_say(parser: Parser, token: Token) -> SayNode:
    """``{% zeg %}Geen antwoord van {{ naam }}.{% endzeg %}``: text and values, no other tags."""
    del token
    nodes = parser.parse(("endzeg",))
    parser.delete_first_token()
    words, values = "", dict[str, FilterExpression]()
    for node in nodes:
        if isinstance(node, TextNode):
            words += node.s
        elif isinstance(node, VariableNode):
            name = placeholder(node.filter_expression.token)
            if values.setdefault(name, node.filter_expression).token != node.filter_expression.token:
                raise template.TemplateSyntaxError(_TWICE + name)
            words += f"{{{name}}}"
        else:
            raise template.TemplateSyntaxError(_TEXT_ALONE)
    return SayNode(nodes, words, values)


@register.filter(name="zeg")
def say_word(words: Any) -> str:
    """A word from a closed list (a kind, a state) in the language that is spoken."""
    return say(str(words))


@register.filter(name="nl")
def dutch(words: Any) -> str:
    """Words of a source within a text of ours: marked as Dutch on a page that speaks another language."""
    if spoken() is Language.DUTCH:
        return str(words)
    return format_html('<span lang="nl">{}</span>', words)


@register.filter(name="label")
def label(words: str) -> str:
    """The label of a fact: translated when it is one of ours, else a word of the source."""
    said = say(words)
    return said if said != words else dutch(words)


@register.filter(name="dag")
def day(value: date) -> str:
    """A day as people write it: 12 maart 2026."""
    return texts.day(value)


class ConstantNode(Node):
    """A text of each language, made when the template is read: these tags stand in every result of every page."""

    def __init__(self, words: Callable[[Language], str]) -> None:
        self._words = {language: words(language) for language in Language}

    def render(self, context: Context) -> SafeString:
        """The text of the language that is spoken."""
        del context
        return mark_safe(self._words[spoken()])  # noqa: S308 - constants


@register.tag("hier")
def do_here(parser: Parser, token: Token) -> ConstantNode:
    """``{% hier "/zoeken" %}``: the address of one of our pages in the language that is spoken."""
    del parser
    _, path = token.split_contents()
    return ConstantNode(lambda language: f"{language.prefix}{path[1:-1]}")


@register.tag("nl")
def do_dutch(parser: Parser, token: Token) -> ConstantNode:
    """`` lang="nl"`` for words of a source on a page that speaks another language."""
    del parser, token
    return ConstantNode(lambda language: "" if language is Language.DUTCH else ' lang="nl"')


@register.tag("eigen")
def do_own(parser: Parser, token: Token) -> ConstantNode:
    """`` lang="en"`` for our own words among words of a source, on a page that does not speak Dutch."""
    del parser, token
    return ConstantNode(lambda language: "" if language is Language.DUTCH else f' lang="{language.value}"')


@register.tag("taal")
def do_language(parser: Parser, token: Token) -> ConstantNode:
    """The language that is spoken, for ``lang``."""
    del parser, token
    return ConstantNode(lambda language: language.value)
