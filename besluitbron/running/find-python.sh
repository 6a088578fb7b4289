# Sets PYTHON to a Python that can make our environment, or says in Dutch what is missing and ends. Read by ./start and ./check.

PYTHON=
oldest=
for candidate in python3 python3.14 python3.13 python3.12 python3.11; do
    if command -v "$candidate" >/dev/null 2>&1; then
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            PYTHON=$candidate
            break
        fi
        oldest=$candidate
    fi
done
if [ -z "$PYTHON" ]; then
    if [ -n "$oldest" ]; then
        echo "BesluitBron heeft Python 3.11 of nieuwer nodig; gevonden: $("$oldest" --version 2>&1)." >&2
    else
        echo "BesluitBron heeft Python 3.11 of nieuwer nodig; er is geen python3 gevonden." >&2
    fi
    echo "Installeer een nieuwere Python (Debian en Ubuntu: apt install python3 python3-venv) en start opnieuw." >&2
    exit 2
fi
