"""What the server counts. No label tells a table, a player or a card."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from phaseten.server.logs import log, mark_of, where

_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


class Metrics:
    """The counters of one server."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.tables = Gauge("phaseten_tables", "Tables in memory.", registry=self._registry)
        self.connections = Gauge(
            "phaseten_connections", "Open WebSockets.", registry=self._registry
        )
        self.turned_away = Counter(
            "phaseten_connections_turned_away",
            "TCP connections that found no place.",
            registry=self._registry,
        )
        self.opened = Counter("phaseten_tables_opened", "Tables opened.", registry=self._registry)
        self.finished = Counter(
            "phaseten_games_finished", "Games that came to their end.", registry=self._registry
        )
        self.steps = Counter("phaseten_steps", "Steps kept.", ["by"], registry=self._registry)
        self.refusals = Counter(
            "phaseten_refusals", "Requests refused.", ["rule"], registry=self._registry
        )
        self.conflicts = Counter(
            "phaseten_conflicts", "Steps decided again.", registry=self._registry
        )
        self.append_seconds = self._seconds("phaseten_append_seconds", "Until a step is kept.")
        self.action_seconds = self._seconds(
            "phaseten_action_seconds", "From a request to its messages for everybody."
        )
        self.bot_seconds = self._seconds("phaseten_bot_seconds", "Until a bot has chosen.")
        self.hint_seconds = self._seconds(
            "phaseten_hint_seconds", "Until a bot has answered a person's question."
        )
        self.bots_waiting = Gauge(
            "phaseten_bots_waiting", "Bots that think or wait to.", registry=self._registry
        )
        self.pushes = Counter(
            "phaseten_pushes",
            "Messages to closed pages, by what became of them.",
            ["outcome"],
            registry=self._registry,
        )
        self.restarts = Counter(
            "phaseten_task_restarts",
            "Times that a task of the server's own ended and was begun again.",
            ["task"],
            registry=self._registry,
        )
        self.failures = Counter(
            "phaseten_failures", "Things that went wrong.", ["what"], registry=self._registry
        )

    def _seconds(self, name: str, about: str) -> Histogram:
        return Histogram(name, about, buckets=_SECONDS, registry=self._registry)

    def report(self, what: str, why: str, code: str = "") -> None:
        """Count something that went wrong and that others go on after, and log it.

        The code of the table where it went wrong is not logged, but its mark.
        """
        self.failures.labels(what).inc()
        mark = {"mark": mark_of(code)} if code else {}
        log.warning("failed", extra={"what": what, "why": why, **mark})

    def report_error(self, what: str, error: Exception, code: str = "") -> None:
        """The same of an error that nobody foresaw."""
        self.report(what, where(error), code)

    def text(self) -> bytes:
        """All of it, as Prometheus reads it."""
        return generate_latest(self._registry)
