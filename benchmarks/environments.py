"""A Python environment for each peer: their pinned packages clash with ours, so none of them is installed here."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path
from typing import Final

PEERS: Final = Path(__file__).parent / "peers"
_INSTALL_SECONDS: Final = 300


def python_of(name: str, folder: Path) -> Path | None:
    """The Python in which the peer ``name`` can be imported, made below ``folder`` when needed; None when that fails.

    Its packages stand in ``peers/<name>.txt``.
    """
    home = folder / name
    python = home / "bin" / "python"
    wanted = PEERS / f"{name}.txt"
    done = home / "installed"
    if done.is_file() and done.read_text("utf-8") == wanted.read_text("utf-8"):
        return python
    try:
        venv.create(home, with_pip=True, clear=True)
        command = [str(python), "-m", "pip", "install", "--quiet", "--requirement", str(wanted)]
        subprocess.run(command, check=True, capture_output=True, timeout=_INSTALL_SECONDS)  # noqa: S603 - our own command
    except (OSError, subprocess.SubprocessError) as failure:
        sys.stderr.write(f"{name} kon niet worden geïnstalleerd: {type(failure).__name__}\n")
        return None
    done.write_text(wanted.read_text("utf-8"), "utf-8")
    return python
