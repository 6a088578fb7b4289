"""The load and the reports for ``/metrics``: the figures of the operators' page, as this process saw and counted them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from statistics import median

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

from reports.apart import CONNECTIONS
from reports.minutes import merged
from reports.signals import BOUNDS, SEARCH_BOUNDS, Latest, Seen
from reports.under_way import alone, longest
from reports.watching import GROUPS, AlarmKind, alarms, errors, near, shares, waits_by_group
from throttling.load import LATE
from throttling.load_rules import Signal


class LoadFigures:
    """Read when somebody asks. What the gate says is at most some seconds old; before the first look it is left out."""

    def __init__(self, seen: Seen) -> None:
        self._seen = seen

    def collect(self) -> Iterator[Metric]:
        """All figures, now."""
        yield from self._counted()
        yield from self._gate()

    def _counted(self) -> Iterator[Metric]:
        seen = self._seen
        asked = CounterMetricFamily(
            "besluitbron_reports_asked", "Reports asked of this process, by what came of it.", labels=["answer"]
        )
        refused = CounterMetricFamily(
            "besluitbron_reports_refused", "Reports that this process refused, by reason.", labels=["reason"]
        )
        for name, number in sorted(seen.totals.items()):
            kind, _, label = name.partition(":")
            (refused if kind == "refused" else asked).add_metric([label], number)
        yield asked
        yield refused
        own = HistogramMetricFamily(
            "besluitbron_page_own_seconds", "Our own time for a page, without waits for platforms."
        )
        own.add_metric([], _buckets(BOUNDS, seen.classes), seen.seconds)
        yield own
        searches = HistogramMetricFamily(
            "besluitbron_search_seconds",
            "How long a search took until all of it was there, waits for platforms with it.",
        )
        searches.add_metric([], _buckets(SEARCH_BOUNDS, seen.search_classes), seen.search_seconds)
        yield searches
        yield GaugeMetricFamily(
            "besluitbron_reports_connections_most",
            "Connections with the database that reports hold at most in this process.",
            value=CONNECTIONS,
        )

    def _gate(self) -> Iterator[Metric]:
        found = self._seen.latest
        if found is None:
            return
        share = GaugeMetricFamily("besluitbron_load_share", "Use by signal; 1 is full.", labels=["signal"])
        shut = GaugeMetricFamily(
            "besluitbron_load_shut", "1 while a signal lets no report start beside others, else 0.", labels=["signal"]
        )
        for signal, (value, is_shut) in shares(found.overview, found.rules).items():
            share.add_metric([signal.value], value)
            shut.add_metric([signal.value], int(is_shut and signal in found.rules.counts))
        yield share
        yield shut
        yield from self._queue(found)
        yield from self._foretold(found)
        yield self._alarms(found)
        yield self._connections(found)
        edges = GaugeMetricFamily(
            "besluitbron_load_threshold", "Where signals shut and open again.", labels=["signal", "edge"]
        )
        for signal in Signal:
            shut_at, open_at = found.rules.threshold(signal)
            edges.add_metric([signal.value, "shut"], shut_at)
            if signal is not Signal.SLOTS:
                edges.add_metric([signal.value, "open"], open_at)
        yield edges

    def _queue(self, found: Latest) -> Iterator[Metric]:
        yield GaugeMetricFamily(
            "besluitbron_reports_running", "Reports that have a place.", value=found.overview.running
        )
        yield GaugeMetricFamily(
            "besluitbron_reports_without_worker",
            "Those of them that no worker has taken or goes on with, for a lease at least.",
            value=alone(found.overview, found.rules),
        )
        yield GaugeMetricFamily(
            "besluitbron_reports_longest_seconds",
            "How long the report that a worker has been at longest has been made.",
            value=longest(found.overview),
        )
        yield GaugeMetricFamily(
            "besluitbron_reports_most", "Reports that may be made at once.", value=found.overview.most
        )
        yield GaugeMetricFamily("besluitbron_reports_waiting", "Reports that wait.", value=found.waiting)
        yield GaugeMetricFamily(
            "besluitbron_reports_oldest_seconds", "How long the oldest has waited.", value=found.oldest
        )
        late = CounterMetricFamily(
            "besluitbron_reports_refused_late",
            "Reports that were refused after waiting as long as may be, of all processes, by reason.",
            labels=["reason"],
        )
        for why in dict.fromkeys((*LATE, *found.overview.late_ever)):
            late.add_metric([why.value], found.overview.late_ever.get(why, 0))
        yield late
        asks = GaugeMetricFamily(
            "besluitbron_reports_waited", "The last asks that began or wait, by group of requesters.", labels=["group"]
        )
        waited = GaugeMetricFamily(
            "besluitbron_reports_waited_seconds", "How long the middle one of them waited.", labels=["group"]
        )
        for group, own in waits_by_group(found.overview).items():
            asks.add_metric([GROUPS[group]], len(own))
            waited.add_metric([GROUPS[group]], median(own))
        yield asks
        yield waited

    def _foretold(self, found: Latest) -> Iterator[Metric]:
        foretold = GaugeMetricFamily(
            "besluitbron_reports_foretold",
            "The last foretold starts, and those of them foretold well.",
            labels=["which"],
        )
        foretold.add_metric(["all"], len(found.overview.told))
        foretold.add_metric(["near"], near(found.overview))
        yield foretold
        off = errors(found.overview)
        error = GaugeMetricFamily(
            "besluitbron_reports_foretold_error_seconds", "By how much the middle one of them was beside what was said."
        )
        if off:
            error.add_metric([], median(off))
        yield error

    def _alarms(self, found: Latest) -> Metric:
        past = merged(self._seen.past)
        ringing = {alarm.kind for alarm in alarms(found.overview, found.rules, past, found.silent)}
        rings = GaugeMetricFamily(
            "besluitbron_load_alarm", "1 while it calls for an operator, else 0.", labels=["alarm"]
        )
        for kind in AlarmKind:
            rings.add_metric([kind.value], int(kind in ringing))
        return rings

    def _connections(self, found: Latest) -> Metric:
        """Without samples on SQLite: there they do not run out."""
        shown = GaugeMetricFamily(
            "besluitbron_load_connections",
            "Connections with the database server: held by reports, what they may hold, and free of those reserved.",
            labels=["which"],
        )
        if found.held is not None:
            shown.add_metric(["reports"], found.held.reports)
            shown.add_metric(["reports_most"], found.held.most)
            shown.add_metric(["reserved"], found.held.reserved)
            shown.add_metric(["reserved_free"], found.held.free)
        return shown


def _buckets(bounds: Sequence[float], classes: Sequence[int]) -> list[tuple[str, float]]:
    """Classes as Prometheus has them: each with all below it."""
    return list(zip([*map(str, bounds), "+Inf"], accumulate(classes), strict=True))
