"""``python -m besluitbron.running``: what ``./start`` runs once the packages are there."""

import sys

from besluitbron.running.launcher import main

if __name__ == "__main__":
    sys.exit(main())
