"""Become one part: ``python -m besluitbron.running.part web``. The supervisor runs this; paths never pass its parser.

The supervisor is told at its start what the parts of its run are (``told``), so that none reads all settings only to know its
own command: several begin at the same moment, and people wait for the website. The stores are left out: where their program
is, takes longer to find than they wait for.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from besluitbron.running.niceness import step_back

if TYPE_CHECKING:
    from besluitbron.running.options import Options
    from besluitbron.running.parts import Part

PARTS: Final = "BESLUITBRON_PARTS"


def told(options: Options, parts: Iterable[Part]) -> str:
    """What the parts of a run are, for the environment of its supervisor: command, niceness and note of each."""
    from besluitbron.running.parts import Group  # noqa: PLC0415 - the supervisor's side has it already

    return json.dumps({one.name: _what(options, one) for one in parts if one.group is not Group.STORES})


def _what(options: Options, part: Part) -> tuple[list[str], int, str]:
    """Command, niceness and note."""
    return part.command(options), part.nice, str(options.layout.part_pids / f"{part.name}.pid")


def main(name: str) -> None:
    """Note who we are, then turn this process into the part called ``name``. Raises ``KeyError`` for an unknown one."""
    from besluitbron.running.leftovers import leave_note  # noqa: PLC0415 - after what is asked of the environment

    command, nice, note = json.loads(os.environ.pop(PARTS, "{}")).get(name) or _alone(name)
    leave_note(Path(note), os.getpid())
    if nice:
        step_back(nice)
    os.execv(command[0], command)  # noqa: S606 - our own command, and no shell is what we want


def _alone(name: str) -> tuple[list[str], int, str]:
    """What a part is of which nothing was told."""
    from besluitbron.running.options import read_options  # noqa: PLC0415 - see above
    from besluitbron.running.parts import parts  # noqa: PLC0415 - see above

    options = read_options(os.environ)
    return _what(options, {part.name: part for part in parts(options)}[name])


if __name__ == "__main__":
    main(sys.argv[1])
