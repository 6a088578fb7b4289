"""Template filter that prints the text of a passage."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString

from connectors.records import Passage
from search.markup import to_html

register = template.Library()


@register.filter
def passage_html(passage: Passage) -> SafeString:
    """The passage as safe HTML."""
    return to_html(passage)
