"""A part that steps back leaves the processors to the others, on systems that weigh sessions as well."""

from __future__ import annotations

import os
import subprocess
import sys

from besluitbron.running.layout import PROJECT
from besluitbron.running.niceness import AUTOGROUP

NICER = str(min(os.nice(0) + 7, 19))
STEP_BACK = """
import os
from besluitbron.running.niceness import AUTOGROUP, step_back
step_back(7)
print(os.nice(0), *AUTOGROUP.read_text().split()[-1:] if AUTOGROUP.exists() else ())
"""


def weight() -> list[str]:
    """How this session is weighed; nothing where the system does not weigh it, which it may say by an empty file too."""
    return AUTOGROUP.read_text().split()[-1:] if AUTOGROUP.exists() else []


def stepped_back(*, alone: bool) -> list[str]:
    command = [sys.executable, "-c", STEP_BACK]
    found = subprocess.run(command, check=True, cwd=PROJECT, capture_output=True, text=True, start_new_session=alone)
    return found.stdout.split()


def test_a_session_of_its_own_is_nicer_as_a_whole() -> None:
    nice, *session = stepped_back(alone=True)
    assert nice == NICER
    assert session in ([], ["7"])


def test_the_session_of_others_is_left_as_it_was() -> None:
    before = weight()
    assert stepped_back(alone=False) == [NICER, *before]
    assert weight() == before
