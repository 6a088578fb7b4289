"""A page of nothing but marks is a few kB over the wire and hundreds of MB as elements: refused before it is read."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from connectors.bodies import MOST_PIECES
from connectors.calls import Answer
from connectors.exceptions import Defect, NotAnAnswerError
from connectors.moments import now
from connectors.officiele_bekendmakingen.parse_files import parse_html
from connectors.opentk.answers import html_root
from connectors.tweede_kamer.official import html_passages


def _gazette(body: bytes) -> object:
    return parse_html(Answer(status=200, headers={}, body=body, fetched_at=now()), "gmb-2024-1")


@pytest.mark.parametrize("parse", [_gazette, html_root, html_passages])
def test_a_page_of_more_elements_than_fit_in_memory_is_refused(parse: Callable[[bytes], object]) -> None:
    with pytest.raises(NotAnAnswerError) as caught:
        parse(b"<html><body>" + b"<b>" * MOST_PIECES)
    assert (caught.value.defect, caught.value.where) == (Defect.TOO_LARGE, "html")
