"""Een uitgever om mee te proberen op uw eigen machine: een sleutel, een bestand met wie er mag, en pasjes voor een taak.

Alleen om te leren hoe het gaat: wie deze sleutel heeft, is elke taak. Hoort bij ``agent.py`` in deze map.

    python proefuitgever.py                          schrijft proefsleutel.json en toelating.json
    python proefuitgever.py http://localhost:8000    draait het voorbeeld, met die sleutel
"""

from __future__ import annotations

import json
import os
import secrets
import sys
import time
from collections.abc import Callable
from pathlib import Path

from agent import example
from joserfc import jwt
from joserfc.jwk import OKPKey

ISSUER = "https://proef.example"
"""Wie er instaat voor de taken. Het adres hoeft er niet te zijn: de publieke sleutel staat in het bestand zelf."""
JOB = f"taak:{secrets.token_hex(4)}"
"""Elke keer een andere taak: één taak heeft hooguit drie contracten tegelijk."""
KID = "proef-1"


def make(folder: Path) -> Path:
    """Maak een nieuwe sleutel, en het bestand dat haar toelaat. Geeft het pad daarvan, voor BESLUITBRON_TOELATING."""
    key = OKPKey.generate_key("Ed25519", {"kid": KID, "use": "sig"})
    own = os.open(folder / "proefsleutel.json", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(own, "w") as file:
        json.dump(key.as_dict(private=True), file)
    trusted = {"issuer": ISSUER, "subjects": ["taak:*"], "keys": {"keys": [key.as_dict(private=False)]}}
    allowing = folder / "toelating.json"
    allowing.write_text(json.dumps({"platforms": [trusted]}, indent=2))
    return allowing


def identity(folder: Path, site: str) -> Callable[[], str]:
    """Wat een platform voor zijn taak doet: elke keer een vers pasje, vijf minuten geldig, alleen voor ``site``."""
    key = OKPKey.import_key(json.loads((folder / "proefsleutel.json").read_text()))

    def vouch() -> str:
        now = int(time.time())
        claims = {"iss": ISSUER, "sub": JOB, "aud": f"{site}/admission", "iat": now, "exp": now + 300}
        return str(jwt.encode({"alg": "Ed25519", "typ": "JWT", "kid": KID}, claims, key, algorithms=["Ed25519"]))

    return vouch


if __name__ == "__main__":
    here = Path.cwd()
    if len(sys.argv) == 1:
        print(f"Start BesluitBron met BESLUITBRON_TOELATING={make(here)}")  # noqa: T201 - een voorbeeld
    else:
        example(sys.argv[1], identity(here, sys.argv[1]))
