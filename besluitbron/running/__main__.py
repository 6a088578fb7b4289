"""``python -m besluitbron.running``: what ``./start`` runs once the packages are there."""

import signal
import sys
import threading

if __name__ == "__main__":
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: stop.set())

    from besluitbron.running.launcher import main  # takes a second, in which Ctrl-C must already end well

    sys.exit(main(stop))
