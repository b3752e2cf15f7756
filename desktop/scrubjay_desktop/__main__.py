"""Starts the desktop app, or hands the wish over to the one that runs already."""

from __future__ import annotations

import argparse
import gc
import os
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from scrubjay import Paths
from scrubjay_desktop.app.start_request import (
    Meeting,
    StartRequest,
    forward_to_running_instance,
    socket_name,
)

if TYPE_CHECKING:
    from scrubjay_desktop.app.application import Desktop
    from scrubjay_desktop.widgets.theme import Choice

_PATIENCE_S = 10.0
"""Longer than a quit takes, or a start until it listens, on a busy computer too."""
_RETRY_S = 0.05
_EXIT_BUSY = 75
"""EX_TEMPFAIL: another Scrubjay is there and does not answer."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the app; returns its exit code."""
    chosen = _parser().parse_args(arguments)
    wish = _wish(chosen)
    meeting = socket_name(Paths.of_user())
    if forward_to_running_instance(meeting, wish):
        return 0
    # Only now: a second start is over before Qt is loaded.
    from scrubjay_desktop.app.single_instance import claim

    deadline = time.monotonic() + _PATIENCE_S
    while (lock := claim(meeting)) is None:
        # The first instance is starting and does not listen yet, or quitting and not gone yet.
        if forward_to_running_instance(meeting, wish):
            return 0
        if time.monotonic() > deadline:
            print("Scrubjay is running already, but it does not answer.", file=sys.stderr)
            return _EXIT_BUSY
        time.sleep(_RETRY_S)
    try:
        return 0 if wish is StartRequest.QUIT else _be_the_first(meeting, wish, chosen.theme)
    finally:
        lock.unlock()
        # What is left goes with the process. To look through it once more took longer than the
        # rest of quitting.
        gc.freeze()


def _be_the_first(meeting: Meeting, wish: StartRequest, theme: Choice | None) -> int:
    prepare()
    from scrubjay_desktop.app.application import Start
    from scrubjay_desktop.app.run_app import run
    from scrubjay_desktop.app.single_instance import InstanceServer

    def serve(desktop: Desktop) -> None:
        server = InstanceServer(meeting, desktop)
        server.wished.connect(desktop.fulfil)
        desktop.quitting.connect(server.close)
        if sys.platform.startswith("linux"):
            _serve_bus(desktop)

    return run(Start(wish, theme), serve)


def prepare() -> None:
    """Make the imports that follow cheaper."""
    # Modules stay, so collecting them only takes time; `settle` switches the collector on again.
    gc.disable()
    # pydantic would read about every installed package, and nothing here has plug-ins for it.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")


def _serve_bus(desktop: Desktop) -> None:
    from PySide6.QtDBus import QDBusConnection

    from scrubjay_desktop.app.single_instance import BusActivation

    activation = BusActivation(QDBusConnection.sessionBus(), desktop)
    activation.wished.connect(desktop.fulfil)
    desktop.quitting.connect(activation.close)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scrubjay-desktop", description="Find your notes by their words and by their meaning."
    )
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--quick-search", action="store_true", help="open or close the search popup")
    kind.add_argument("--background", action="store_true", help="start without a window")
    kind.add_argument("--sample", action="store_true", help="start with the sample notes")
    kind.add_argument("--quit", action="store_true", help="end the Scrubjay that runs")
    parser.add_argument("--theme", choices=["light", "dark"], help=argparse.SUPPRESS)
    return parser


def _wish(chosen: argparse.Namespace) -> StartRequest:
    if chosen.quick_search:
        return StartRequest.QUICK_SEARCH
    if chosen.background:
        return StartRequest.BACKGROUND
    if chosen.sample:
        return StartRequest.SAMPLE
    return StartRequest.QUIT if chosen.quit else StartRequest.WINDOW


if __name__ == "__main__":
    sys.exit(main())
