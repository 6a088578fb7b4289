"""Become one part: ``python -m besluitbron.running.part web``. The supervisor runs this; paths never pass its parser."""

from __future__ import annotations

import os
import sys

from besluitbron.running.leftovers import leave_note
from besluitbron.running.options import read_options
from besluitbron.running.parts import parts


def main(name: str) -> None:
    """Note who we are, then turn this process into the part called ``name``. Raises ``KeyError`` for an unknown one."""
    options = read_options(os.environ)
    part = {part.name: part for part in parts(options)}[name]
    leave_note(options.layout.part_pids / f"{name}.pid", os.getpid())
    if part.nice:
        os.nice(part.nice)
    command = part.command(options)
    os.execv(command[0], command)  # noqa: S606 - our own command, and no shell is what we want


if __name__ == "__main__":
    main(sys.argv[1])
