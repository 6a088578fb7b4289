"""A title in another language is known as such, and no Dutch title ever is."""

from __future__ import annotations

import pytest

from connectors.council_papers import council_papers
from search.foreign import language_of


@pytest.mark.parametrize(
    ("title", "language"),
    [
        ("Agreement between the Kingdom of the Netherlands and the Republic of Korea", "en"),
        ("Convention internationale sur la protection des végétaux et les semences", "fr"),
        ("Abkommen zwischen dem Königreich und der Bundesrepublik Deutschland", "de"),
        ("Ferslach fan de gearkomste oer it ferkear yn Ljouwert", "fy"),
        ("Brief over The Hague Conference on Private International Law", ""),
        ("Verdrag van Wenen", ""),
        ("Motie over in control of the budget", ""),
        ("Raad van State 2023", ""),
        ("", ""),
    ],
)
def test_a_title_is_of_another_language_only_where_that_is_plain(title: str, language: str) -> None:
    """Eis 7.2."""
    assert language_of(title) == language


def test_no_title_of_a_council_is_taken_for_another_language() -> None:
    """Eis 7.2."""
    assert [paper.title for paper in council_papers().papers if language_of(paper.title)] == []
