"""The edge for ``/metrics``: what this process let through and refused, by class and reason. No contract is a label."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from admission.doorkeeper import Doorkeeper


class AdmissionFigures:
    """Read when somebody asks."""

    def __init__(self, keeper: Doorkeeper) -> None:
        self._keeper = keeper

    def collect(self) -> Iterator[Metric]:
        """All figures, now."""
        telling = self._keeper.telling
        requests = CounterMetricFamily(
            "besluitbron_admission_requests",
            "Requests at the edge. Lane: under a contract, anonymous, or unproven; outcome: allow, deny or throttle.",
            labels=["lane", "class", "outcome", "reason"],
        )
        ordered = sorted(telling.counts.items(), key=lambda one: (one[0].lane, one[0].access, one[0].reason))
        for label, count in ordered:
            requests.add_metric([label.lane, label.access, label.outcome, label.reason], count)
        yield requests
        refused = CounterMetricFamily(
            "besluitbron_admission_refused",
            "Refusals without an event of their own, told as one event a minute: by place and reason.",
            labels=["place", "reason"],
        )
        totals = self._keeper.gatehouse.tally.totals
        for one, count in sorted(totals.items(), key=lambda found: (found[0].place, found[0].reason)):
            refused.add_metric([one.place.value, one.reason], count)
        yield refused
        ended = CounterMetricFamily(
            "besluitbron_admission_ended", "Answers under way that were ended, by reason.", labels=["reason"]
        )
        for reason, count in sorted(telling.ended.items()):
            ended.add_metric([reason], count)
        yield ended
        yield GaugeMetricFamily(
            "besluitbron_admission_under_way", "Requests under a contract that go on.", value=len(self._keeper.leases)
        )
