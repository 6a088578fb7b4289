"""Keys, proofs and tokens as tests need them: good ones, and any that are wrong in one place. Keys come from fixed texts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, derive_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from joserfc.jwk import ECKey, OctKey, OKPKey, RSAKey
from joserfc.jws import JWSRegistry

from admission.proofs import strict
from admission.proofs.addresses import PublicAddress, Target
from admission.proofs.calls import Call
from admission.proofs.dpop import token_hash
from admission.proofs.own_keys import Keyring, own_key
from admission.proofs.tokens import Grant, Issuer
from throttling.work import Access

NOW = 1_790_000_000
SITE = PublicAddress.of("https://site.test")
VECTORS = Path(__file__).parents[1] / "vectors"
_SIGNERS = JWSRegistry(algorithms=["Ed25519", "ES256", "RS256", "HS256"])

Private = OKPKey | ECKey | RSAKey


def vectors(file: str) -> Any:
    return json.loads((VECTORS / file).read_text(encoding="utf-8"))


def ed25519(name: str) -> OKPKey:
    return OKPKey.import_key(Ed25519PrivateKey.from_private_bytes(hashlib.sha256(name.encode()).digest()))


def p256(name: str) -> ECKey:
    return ECKey.import_key(derive_private_key(int.from_bytes(hashlib.sha256(name.encode()).digest()), SECP256R1()))


def shown(key: Private, **more: Any) -> dict[str, Any]:
    bare = dict(key.as_dict(private=False))
    bare.pop("kid", None)
    return bare | more


def private(key: Private) -> dict[str, Any]:
    bare = dict(key.as_dict(private=True))
    bare.pop("kid", None)
    return bare


def algorithm(key: Private | OctKey) -> str:
    return {"OKP": "Ed25519", "EC": "ES256", "RSA": "RS256", "oct": "HS256"}[key.key_type]


def sign(header: Any, claims: Any, key: Private | OctKey, *, alg: str | None = None) -> str:
    """A token over any header and claims; bytes go in as they are."""
    parts = [part if isinstance(part, bytes) else json.dumps(part).encode() for part in (header, claims)]
    message = ".".join(map(strict.encode, parts))
    return f"{message}.{strict.encode(_SIGNERS.get_alg(alg or algorithm(key)).sign(message.encode(), key))}"


def without(members: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in members.items() if name not in names}


JOB = ed25519("the job")
OURS = own_key(private(ed25519("the site")), NOW - 86_400)
ISSUER = Issuer(name="https://site.test", audience="https://site.test", keys=Keyring((OURS,)))


def grant(token_class: Access = Access.READ, **changed: Any) -> Grant:
    told = {
        "subject": "spiffe://bank.test/agent/indexer",
        "client": "spiffe://bank.test/agent/indexer",
        "contract": "ctr_7Q2M4KX3",
        "handle": "r7k3m9q2",
        "token_class": token_class,
        "jkt": JOB.thumbprint(),
    }
    return Grant(**(told | changed))


def target(method: str = "GET", path: str = "/zoeken") -> Target:
    return SITE.target(method, path.encode(), [])


def proof_claims(
    token: str | None = None, method: str = "GET", htu: str = "https://site.test/zoeken"
) -> dict[str, Any]:
    told: dict[str, Any] = {"jti": "p-1", "htm": method, "htu": htu, "iat": NOW}
    return told if token is None else told | {"ath": token_hash(token)}


def proof_header(key: Private = JOB) -> dict[str, Any]:
    return {"typ": "dpop+jwt", "alg": algorithm(key), "jwk": shown(key)}


def proof(claims: Any = None, key: Private = JOB, header: Any = None) -> str:
    return sign(proof_header(key) if header is None else header, proof_claims() if claims is None else claims, key)


def call(token: str, sent: str, method: str = "GET", path: bytes = b"/zoeken", *more: tuple[bytes, bytes]) -> Call:
    brought = [(b"host", b"site.test"), (b"authorization", f"DPoP {token}".encode()), (b"dpop", sent.encode()), *more]
    return Call(method, path, brought)
