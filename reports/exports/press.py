"""Sets one report: JSON comes in, a PDF goes out. Runs by itself as a child process, and imports nothing of this project.

``python press.py <folder of the template> <most seconds of the processor> <most bytes of memory>``
"""

from __future__ import annotations

import os
import resource
import sys
from typing import Literal


def main(folder: str, seconds: str, memory: str) -> None:
    """Read all of the input, and write the PDF: for everybody (PDF/UA-1), with the letters of the wheel alone.

    What keeps a paper from being for everybody (a sign without a letter) is no reason to have none: then it has tags alone.
    """
    os.nice(10)
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
    resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    import typst  # noqa: PLC0415 - under the bounds above

    given = sys.stdin.buffer.read().decode()

    def made(standard: Literal["ua-1"] | None) -> bytes:
        return typst.compile(
            os.path.join(folder, "rapport.typ"),  # noqa: PTH118 - nothing is imported that is not needed
            root=folder,
            ignore_system_fonts=True,
            sys_inputs={"rapport": given},
            package_path=os.devnull,
            package_cache_path=os.devnull,
            pdf_standards=standard,
        )

    try:
        paper = made("ua-1")
    except typst.TypstError:
        paper = made(None)
    sys.stdout.buffer.write(paper)


if __name__ == "__main__":
    main(*sys.argv[1:])
