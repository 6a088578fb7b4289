"""``/metrics``: what this process counted, as Prometheus reads it. Free of limits; no session, address or question is in it.

Each process counts for itself, so each is to be read at its own port. Operators see all processes together in ``/beheer/``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client.core import CollectorRegistry, CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from admission.doorkeeper import doorkeeper
from besluitbron.admission_metrics import AdmissionFigures
from besluitbron.load_metrics import LoadFigures
from reports.signals import SEEN
from search.streams import Streams
from throttling.incoming import Incoming
from throttling.incoming_tally import PASSED


class IncomingFigures:
    """The incoming limits of this process, counted by themselves and read when somebody asks."""

    def __init__(self, incoming: Incoming) -> None:
        self._incoming = incoming

    def collect(self) -> Iterator[Metric]:
        """All figures, now."""
        seen = self._incoming
        passed = CounterMetricFamily(
            "besluitbron_incoming_passed", "Requests that passed all limits, by connector.", labels=["connector"]
        )
        refused = CounterMetricFamily(
            "besluitbron_incoming_refused",
            "Refusals, by connector and by the limit that refused; one request may be refused by two.",
            labels=["connector", "limit"],
        )
        for (connector, outcome), count in sorted(seen.tally.totals.items()):
            if outcome == PASSED:
                passed.add_metric([connector], count)
            else:
                refused.add_metric([connector, outcome], count)
        yield passed
        yield refused
        yield GaugeMetricFamily(
            "besluitbron_incoming_strict",
            "1 while the store is lost and this process keeps stricter limits by itself, else 0.",
            value=int(seen.strict),
        )
        yield CounterMetricFamily(
            "besluitbron_incoming_store_lost", "How often the store was lost to the incoming limits.", value=seen.losses
        )
        yield GaugeMetricFamily(
            "besluitbron_incoming_strict_keys",
            "Keys in the bounded table of the stricter limits.",
            value=len(seen.table),
        )
        info = GaugeMetricFamily("besluitbron_info", "The version that runs; always 1.", labels=["version"])
        info.add_metric([settings.VERSION], 1)
        yield info


class StreamFigures:
    """The streams of events of this process."""

    def __init__(self, streams: Streams) -> None:
        self._streams = streams

    def collect(self) -> Iterator[Metric]:
        """All figures, now."""
        seen = self._streams
        yield GaugeMetricFamily(
            "besluitbron_streams_open", "Answer pages that are told what comes later.", value=seen.now_open
        )
        yield CounterMetricFamily("besluitbron_streams_opened", "Streams that were opened.", value=seen.opened)
        yield CounterMetricFamily(
            "besluitbron_streams_refused", "Streams that were refused because too many were open.", value=seen.refused
        )


@require_safe
async def metrics(request: HttpRequest) -> HttpResponse:
    """The figures as text."""
    scope: dict[str, Any] = getattr(request, "scope", {})
    registry = CollectorRegistry()
    registry.register(IncomingFigures(scope["state"]["incoming"]))
    registry.register(AdmissionFigures(doorkeeper(scope)))
    registry.register(StreamFigures(scope["state"]["streams"]))
    registry.register(LoadFigures(SEEN))
    return HttpResponse(
        generate_latest(registry), content_type=CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"}
    )
