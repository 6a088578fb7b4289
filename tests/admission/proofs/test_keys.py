"""Public keys: one spelling, no private part, no key under which anybody can sign."""

from __future__ import annotations

import json
from typing import Any

import pytest
from joserfc.jwk import ECKey, RSAKey

from admission.proofs import strict
from admission.proofs.exceptions import Check
from admission.proofs.keys import MOST_SET, SVID_USE, Algorithm, UnusableKeyError, key_set, public_key
from tests.admission.proofs.made import Private, algorithm, ed25519, p256, private, shown

RSA = RSAKey.generate_key(2048)
GOOD = shown(ed25519("a"))
POINT = shown(p256("a"))
P = 2**255 - 19
LOW = [0, 1, P - 1, 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826]


def height(value: int) -> dict[str, str]:
    return GOOD | {"x": strict.encode(value.to_bytes(32, "little"))}


@pytest.mark.parametrize("key", [ed25519("a"), p256("a"), RSA], ids=algorithm)
def test_a_key_is_named_by_its_thumbprint_whatever_stands_beside_it(key: Private) -> None:
    beside = shown(key, kid="k", use="sig", key_ops=["verify"], alg=algorithm(key))
    assert public_key(beside).thumbprint == public_key(shown(key)).thumbprint == key.thumbprint()


@pytest.mark.parametrize(
    "jwk",
    [
        None,
        [],
        "key",
        {},
        {"kty": "oct", "k": "c2VjcmV0"},
        {"kty": ["OKP"]},
        GOOD | {"crv": "X25519"},
        GOOD | {"crv": "Ed448"},
        GOOD | {"crv": ["Ed25519"]},
        GOOD | {"x": GOOD["x"] + "="},
        GOOD | {"x": GOOD["x"][:-1]},
        GOOD | {"x": GOOD["x"] + "AA"},
        GOOD | {"x": 7},
        GOOD | {"x": "A" * 16_384},
        GOOD | {"y": POINT["y"]},
        GOOD | {"kty": "EC"},
        GOOD | {"use": "enc"},
        GOOD | {"use": SVID_USE},
        GOOD | {"key_ops": ["sign"]},
        GOOD | {"key_ops": "verify"},
        GOOD | {"alg": "ES256"},
        GOOD | {"alg": "none"},
        GOOD | {"alg": ["Ed25519"]},
        GOOD | {"alg": None},
        GOOD | {"kid": ""},
        GOOD | {"kid": "k" * 129},
        GOOD | {"kid": "k\n"},
        GOOD | {"kid": 1},
        GOOD | {"x5u": "https://evil.test/k"},
        GOOD | {"x5c": ["MIIB"]},
        POINT | {"crv": "P-384"},
        POINT | {"crv": "secp256k1"},
        POINT | {"y": POINT["x"]},
        POINT | {"x": strict.encode(b"\0" * 32), "y": strict.encode(b"\0" * 32)},
        POINT | {"x": strict.encode(b"\0" + (strict.decode(POINT["x"]) or b""))},
        shown(RSA) | {"e": "Aw"},
        shown(RSA) | {"n": strict.encode(b"\0" + (strict.decode(shown(RSA)["n"]) or b""))},
        shown(RSA) | {"n": strict.encode(b"\xff" * 128)},
        shown(RSA) | {"n": strict.encode(b"\xff" * 513)},
        *(height(low) for low in LOW),
        *(height(low + 2**255) for low in LOW),
        height(P),
        height(P + 1),
        height(2**255 - 1),
    ],
)
def test_what_is_no_key_here_is_refused(jwk: Any) -> None:
    """Attack 9, and keys of small order or in a second spelling."""
    with pytest.raises(UnusableKeyError) as refused:
        public_key(jwk)
    assert refused.value.check is Check.KEY


@pytest.mark.parametrize("key", [ed25519("a"), p256("a"), RSA], ids=algorithm)
def test_a_private_part_is_refused_as_such(key: Private) -> None:
    with pytest.raises(UnusableKeyError) as refused:
        public_key(private(key))
    assert refused.value.check is Check.KEY_PRIVATE


def test_a_key_signs_by_its_own_algorithm_only() -> None:
    """Attack 9: algorithms confused."""
    from joserfc.jws import JWSRegistry  # noqa: PLC0415  the library's own signing, for this one test

    key = ed25519("a")
    signature = JWSRegistry(algorithms=["Ed25519"]).get_alg("Ed25519").sign(b"message", key)
    read = public_key(GOOD)
    fitting = [one for one in Algorithm if read.signed(b"message", signature, one)]
    assert fitting == [Algorithm.ED25519, Algorithm.EDDSA]
    assert public_key(GOOD | {"alg": "EdDSA"}).signed(b"message", signature, Algorithm.ED25519)
    assert not read.signed(b"message", signature[:-1], Algorithm.ED25519)
    assert not public_key(POINT).signed(b"message", signature, Algorithm.ES256)
    assert not public_key(POINT).signed(b"message", b"", Algorithm.ES256)


def test_a_key_is_never_shown_whole() -> None:
    assert GOOD["x"] not in repr(public_key(GOOD))


def document(*keys: Any, **more: Any) -> bytes:
    return json.dumps({"keys": keys} | more).encode()


def test_keys_of_a_set_are_found_by_their_names_and_others_are_passed_over() -> None:
    """A rotation (attack 5): both keys are there, and neither what is for another use nor what is not read here."""
    keys = key_set(
        document(
            GOOD | {"kid": "old"},
            POINT | {"kid": "new", "x5c": ["MIIB"], "x5t#S256": "x"},
            GOOD | {"kid": "enc", "use": "enc"},
            shown(ECKey.generate_key("P-521")) | {"kid": "large"},
            {"kty": "AKP", "kid": "later", "alg": "ML-DSA-44"},
        )
    )
    assert set(keys.keys) == {"old", "new"}
    assert keys.find(None) is keys.find("enc") is None


def test_a_bundle_gives_only_keys_that_are_for_its_use() -> None:
    bundle = document(
        GOOD | {"kid": "x", "use": "x509-svid"}, POINT | {"kid": "j", "use": SVID_USE}, GOOD | {"kid": "none"}
    )
    assert set(key_set(bundle, use=SVID_USE).keys) == {"j"}


@pytest.mark.parametrize(
    ("sent", "check"),
    [
        (b"", Check.FORM),
        (b"[]", Check.FORM),
        (b"{}", Check.FORM),
        (b'{"keys":{}}', Check.FORM),
        (b'{"keys":[1]}', Check.FORM),
        (b'{"keys":[],"keys":[]}', Check.FORM),
        (document(*[GOOD | {"kid": str(number)} for number in range(21)]), Check.FORM),
        (document(GOOD | {"kid": "k"}, more="x" * MOST_SET), Check.FORM),
        (document(GOOD), Check.KEY_UNKNOWN),
        (document(GOOD | {"kid": "k"}, POINT | {"kid": "k"}), Check.KEY_UNKNOWN),
        (document(private(ed25519("a")) | {"kid": "k"}), Check.KEY_PRIVATE),
    ],
)
def test_a_set_that_is_none_is_refused_whole(sent: bytes, check: Check) -> None:
    """Attack 6: 64 kB, 20 keys."""
    with pytest.raises(UnusableKeyError) as refused:
        key_set(sent)
    assert refused.value.check is check
