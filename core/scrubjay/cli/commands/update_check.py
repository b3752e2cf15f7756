"""`scrubjay update-check`: whether there is a newer version."""

from __future__ import annotations

from scrubjay.cli import output
from scrubjay.cli.session import AsJson, opened


def check(as_json: AsJson = False) -> None:
    """Ask whether there is a newer Scrubjay. Nothing is downloaded or installed."""
    with opened() as engine:
        state = engine.updates.check().result()
    if as_json:
        newer = state.newer.model_dump(mode="json") if state.newer else None
        answer = {"current": state.current, "newer": newer}
        output.data(answer | {"checkedAt": state.checked_at.isoformat()})
        return
    if state.newer is None:
        print(f"Scrubjay {state.current} is the newest.")
        return
    print(f"Scrubjay {state.newer.version} is there; this is {state.current}.")
    if state.newer.summary:
        print(state.newer.summary)
    print(f"Get it at {state.newer.page}")
