"""Under which name something is kept: a digest that tells nobody what was asked.

The digest is keyed, so that whoever can read the cache cannot try out questions either. The version of the product is not
in it (it stands in the item); what answers is: an answer of a stand-in is never taken for one of the platform itself.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from base64 import b64encode
from dataclasses import dataclass, field

from connectors.addresses import PlatformMode
from connectors.calls import Call


@dataclass(frozen=True, slots=True)
class Keys:
    """Digests under ``secret`` for what ``mode`` answers. The same secret on every machine gives the same digests."""

    secret: bytes = field(repr=False)
    mode: PlatformMode

    def call(self, call: Call) -> str:
        """The digest of everything that makes ``call`` this call. Also the name of its flight."""
        body = None if call.body is None else b64encode(call.body).decode()
        return self._digest(
            "call", call.platform, call.service, call.method, call.path, call.params, call.headers, body
        )

    def document(self, platform: str, upstream_id: str) -> str:
        """The digest of a document's number at its platform."""
        return self._digest("document", platform, upstream_id)

    def _digest(self, *parts: object) -> str:
        # JSON keeps apart what a joined text would not: ("a", "bc") and ("ab", "c").
        text = json.dumps([self.mode.value, *parts], ensure_ascii=True, separators=(",", ":"))
        return hmac.new(self.secret, text.encode(), hashlib.sha256).hexdigest()
