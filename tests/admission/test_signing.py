"""Keys for tokens follow each other without anybody being told, and no token dies of it (attack 5 of the study)."""

from __future__ import annotations

import pytest

from admission.proofs.exceptions import TokenInvalidError
from admission.proofs.own_keys import OVERLAP
from admission.signing import PERIOD, Signing
from tests.admission.proofs.made import grant

SITE = "https://site.test"
FIRST = 700 * PERIOD


class Clock:
    now = float(FIRST + 5)

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def signing(clock: Clock) -> Signing:
    return Signing(b"s" * 32, SITE, clock)


def test_processes_that_share_the_secret_read_each_others_tokens_and_nobody_else_does(
    signing: Signing, clock: Clock
) -> None:
    token = signing.issuer.mint(grant(), jti="j" * 22, now=int(clock.now))
    assert Signing(b"s" * 32, SITE, clock).issuer.read(token, clock.now).grant == grant()
    with pytest.raises(TokenInvalidError):
        Signing(b"t" * 32, SITE, clock).issuer.read(token, clock.now)


def test_a_token_of_the_last_second_of_a_key_holds_to_its_end(signing: Signing, clock: Clock) -> None:
    """Attack 5: keys change under load, and no request is refused for it."""
    clock.now = FIRST + PERIOD - 1
    token = signing.issuer.mint(grant(), jti="j" * 22, now=int(clock.now))
    old = signing.issuer.keys.signer(clock.now)
    clock.now = FIRST + PERIOD + 298
    assert signing.issuer.read(token, clock.now).grant == grant()
    assert signing.issuer.keys.signer(clock.now) != old


def test_the_next_key_is_told_a_month_ahead_and_an_old_one_not_long_after(signing: Signing, clock: Clock) -> None:
    def told() -> list[str]:
        return [key["kid"] for key in signing.issuer.keys.document(clock.now)["keys"]]

    before, first, second = told()
    clock.now = FIRST + OVERLAP + 1
    assert told() == [first, second]
    clock.now = FIRST + PERIOD + 1
    assert told()[:2] == [first, second]
    assert before not in told()


def test_a_short_secret_is_none() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Signing(b"kort", SITE, Clock())
