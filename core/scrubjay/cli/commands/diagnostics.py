"""`scrubjay diagnostics`: what helps to find a fault, to look at before it is handed on."""

from __future__ import annotations

from scrubjay.cli.session import opened


def diagnostics() -> None:
    """Print versions, sizes, settings and logs: no text of any note, no key."""
    with opened() as engine:
        print(engine.diagnostics().result().rstrip())
