from __future__ import annotations

import re

from besluitbron.running.layout import PROJECT, Layout

_NAME = re.compile(r"\b(?:BESLUITBRON_[A-Z_]*[A-Z]|HYPOTHESIS_PROFILE)\b|(?<=\")PORT(?=\")")


def test_every_setting_is_described_and_every_description_is_of_a_setting() -> None:
    """What reads the environment and what the page says are the same list. Eis 6.7."""
    rooms = [file.parent for file in PROJECT.glob("*/__init__.py")]
    code = [*(file for room in rooms for file in room.rglob("*.py")), PROJECT / "tests" / "conftest.py"]
    used = {name for file in code for name in _NAME.findall(file.read_text("utf-8"))}
    page = (PROJECT / "docs" / "naslag" / "instellingen.md").read_text("utf-8")
    described = set(re.findall(r"^\| `([A-Z_]+)` \|", page, re.MULTILINE))
    assert described == used


def test_the_page_on_starting_names_every_part_of_the_data_folder() -> None:
    page = (PROJECT / "docs" / "doen" / "starten.md").read_text("utf-8")
    layout = Layout(PROJECT / "var")
    names = {
        getattr(layout, name).relative_to(layout.data).parts[0]
        for name, value in vars(Layout).items()
        if isinstance(value, property)
    }
    assert {name for name in names if f"`{name}" not in page} == set()
