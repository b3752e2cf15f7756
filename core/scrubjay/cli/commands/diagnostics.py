"""`scrubjay diagnostics`: a report for finding faults, to read before sharing it."""

from __future__ import annotations

from scrubjay.cli.session import opened


def diagnostics() -> None:
    """Print versions, sizes, settings and logs: no text of any note, no key."""
    with opened() as engine:
        print(engine.diagnostics().result().rstrip())
