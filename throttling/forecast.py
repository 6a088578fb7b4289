"""When will who waits probably start: the plain model run ahead of a queue as it is, never a place times a rate.

It assumes that nobody new comes, nobody leaves, and that an answer takes as long as the recent ones did, or as long as those
under way have taken already.
"""

from __future__ import annotations

import math
from typing import Final

from throttling.plain import Call, Model, Rules, Session
from throttling.rules import QueueRules
from throttling.snapshot import CallNow, Snapshot

HORIZON: Final = 660.0
"""Seconds that are looked ahead: past the longest wait that is ever taken on (rule R14)."""


USUAL_ANSWER: Final = 0.5
"""Seconds that an answer is thought to take until answers were seen."""


def starts(snapshot: Snapshot, rules: QueueRules) -> dict[str, float]:
    """For each waiting call the seconds until its start, in the order of their starts.

    ``HORIZON`` for those that start later than that: they come last.
    """
    model, answers_in = _model(snapshot, rules), _answers_in(snapshot)
    now, end = snapshot.now, snapshot.now + HORIZON
    waiting = {call.id for call in snapshot.calls if call.state == "wacht"}
    model.dispatch(now)
    while any(session.waiting for session in model.sessions.values()):
        answers = [call.granted_at + answers_in for call in model.calls.values() if call.granted_at is not None]
        due = min([*(max(at, now) for at in answers), model.comes_back(now)])
        if due > end:
            break
        now = due
        for call in [c for c in model.calls.values() if c.granted_at is not None and c.granted_at + answers_in <= now]:
            model.done(now, call.id)
        model.dispatch(now)
    begun = {call: at - snapshot.now for call, at in model.grants if call in waiting}
    return begun | {call.id: HORIZON for call in snapshot.calls if call.id in waiting and call.id not in begun}


def _answers_in(snapshot: Snapshot) -> float:
    """How many seconds after its grant a call will probably be answered."""
    seen = USUAL_ANSWER if snapshot.answers_in is None else snapshot.answers_in
    under_way = [
        snapshot.now - c.granted_at for c in snapshot.calls if c.state == "onderweg" and c.granted_at is not None
    ]
    return max(seen, sum(under_way) / len(under_way)) if under_way else seen


def _model(snapshot: Snapshot, rules: QueueRules) -> Model:
    """The model in the state of the queue, with leases that do not run out."""
    model = Model(Rules.of(rules, cap=snapshot.cap))
    model.virtual, model.given, model.slot, model.ages = snapshot.virtual, snapshot.given, snapshot.slot, snapshot.ages
    model.blocked_until = max(snapshot.blocked, snapshot.closed)
    model.tokens, model.tokens_at = snapshot.tokens, snapshot.tokens_at
    for s in snapshot.sessions:
        model.sessions[s.name] = Session(
            name=s.name, tag=s.tag, used=s.used, last=math.inf, g0=s.g0, t0=s.t0, age=s.age
        )
    calls = {call.id: call for call in snapshot.calls}
    for call in snapshot.calls:
        if call.state in {"onderweg", "kwijt"}:
            model.calls[call.id] = _planned(call)
    for name, row in snapshot.rows:
        for call_id in row:
            waiting = _planned(calls[call_id])
            model.calls[call_id] = waiting
            model.sessions[name].add(waiting)
    _charge(model, snapshot)
    return model


def _planned(call: CallNow) -> Call:
    flying = call.granted_at is not None
    return Call(
        id=call.id,
        session=call.session,
        visitor=call.visitor,
        cost=call.cost,
        granted_at=call.granted_at,
        stride=call.stride,
        under_way=flying,
    )


def _charge(model: Model, snapshot: Snapshot) -> None:
    for cost, until, call_id in snapshot.charges:
        call = model.calls.get(call_id)
        if call is None:
            gone = Call(id=call_id, session="", visitor="", cost=cost, granted_at=snapshot.now, expires=until)
            model.kept.append(gone)
        else:
            call.expires = until
