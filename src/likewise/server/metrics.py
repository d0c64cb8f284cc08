"""`Metrics`: counters in Prometheus' text format.

Several processes write their counters to files in a shared folder, and any of them can add them up.
The supervisor creates the folder and passes it in the environment.
"""

from __future__ import annotations

import os

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from likewise.server.settings import METRICS_FOLDER

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_DOCUMENTS = (
    b"# HELP likewise_documents Documents in the index.\n"
    b"# TYPE likewise_documents gauge\n"
    b"likewise_documents %d\n"
)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"})
_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30)


class Metrics:
    """The counters of this process."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "likewise_requests", "Requests answered.", ("method", "route", "status"),
            registry=self._registry,
        )  # fmt: skip
        self._seconds = Histogram(
            "likewise_request_seconds", "Time from a request's headers to the end of its answer.",
            ("method", "route"), buckets=_SECONDS, registry=self._registry,
        )  # fmt: skip
        self.in_flight = Gauge(
            "likewise_requests_in_flight", "Requests in progress.",
            multiprocess_mode="livesum", registry=self._registry,
        )  # fmt: skip
        self.transactions = Counter(
            "likewise_transactions", "Transactions in which documents were stored or removed.",
            registry=self._registry,
        )  # fmt: skip

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count an answered request."""
        if method not in _METHODS:
            method = "other"
        self._requests.labels(method, route, status).inc()
        self._seconds.labels(method, route).observe(seconds)

    def text(self, documents: int | None) -> bytes:
        """The counters of all processes; the number of documents if it is known."""
        registry = self._registry
        if os.environ.get(METRICS_FOLDER):
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        text = generate_latest(registry)
        return text if documents is None else text + _DOCUMENTS % documents
