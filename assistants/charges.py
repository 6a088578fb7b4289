"""What the incoming limits could not see from outside: sessions that begin, and the messages of a batch."""

from __future__ import annotations

from http import HTTPStatus

from assistants.exchange import Finished, Headers
from assistants.messages import Message, printed
from assistants.posted import Posted
from throttling.incoming import Asker, Incoming, Opening
from throttling.incoming_rules import OPENING
from throttling.middleware import Refusal
from throttling.problems import too_many


class Charges:
    """Charges for one endpoint, known to the limits as ``connector``."""

    def __init__(self, connector: str, refusal: Refusal) -> None:
        self._connector = connector
        self._refusal = refusal

    async def another(self, posted: Posted, message: Message) -> bytes | None:
        """Charge one more message of a batch; an error when a limit is in the way."""
        incoming: Incoming = posted.state["incoming"]
        verdict = incoming.enter(self._connector)
        if verdict is None:
            verdict = await incoming.admit(self._connector, Asker(posted.asked.caller))
        if not verdict.refused_by:
            return None
        problem = too_many(verdict.retry_after, verdict.refused_by)
        return self._refusal(problem, posted.scope, printed({"id": message.about})).body

    def too_many_sessions(self, posted: Posted, opening: Opening) -> tuple[Finished, Headers]:
        """That this address must wait before it begins another session: counted, and told beside what the three limits say."""
        posted.state["incoming"].tally.refused(self._connector, (OPENING,))
        problem = too_many(opening.retry_after, (OPENING,))
        body = self._refusal(problem, posted.scope, posted.body).body
        headers = (
            (b"cache-control", b"no-store"),
            (b"retry-after", b"%d" % opening.retry_after),
            (b"ratelimit-policy", opening.policy),
            (b"ratelimit", opening.standing),
        )
        return Finished(body, HTTPStatus.TOO_MANY_REQUESTS), headers
