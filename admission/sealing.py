"""What an agent wants to change lies sealed in the database: a question may stand in it, and so may words about somebody."""

from __future__ import annotations

import base64
import hashlib
import hmac
from functools import cache

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings


def close(text: str) -> str:
    """Sealed under a key of this installation; nothing stays nothing."""
    return _fernet(settings.ADMISSION_KEY).encrypt(text.encode()).decode() if text else ""


def opened(sealed: str) -> str | None:
    """What was sealed; None when it was sealed under another key, or is damaged."""
    if not sealed:
        return ""
    try:
        return _fernet(settings.ADMISSION_KEY).decrypt(sealed.encode()).decode()
    except InvalidToken:
        return None


@cache
def _fernet(key: str) -> Fernet:
    """A key of its own, made of that of the room: what signs tokens seals nothing."""
    made = hmac.new(base64.urlsafe_b64decode(key), b"approvals", hashlib.sha256).digest()
    return Fernet(base64.urlsafe_b64encode(made))
