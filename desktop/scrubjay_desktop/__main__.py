"""Starts the desktop app, or forwards the request to the instance that runs already."""

from __future__ import annotations

import argparse
import gc
import os
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from scrubjay.platform.paths import Paths
from scrubjay_desktop.app.start_request import (
    InstanceAddress,
    StartRequest,
    forward_to_running_instance,
    instance_address,
)

if TYPE_CHECKING:
    from scrubjay_desktop.app.application import Desktop
    from scrubjay_desktop.widgets.theme import ThemeChoice

_PATIENCE_S = 10.0
"""Longer than a quit takes, or a start until it listens, on a busy computer too."""
_RETRY_S = 0.05
_EXIT_BUSY = 75
"""EX_TEMPFAIL: another Scrubjay is there and does not answer."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the app; returns its exit code."""
    options = _parser().parse_args(arguments)
    request = _request(options)
    address = instance_address(Paths.of_user())
    if forward_to_running_instance(address, request):
        return 0
    # Only now: a second start is over before Qt is loaded.
    from scrubjay_desktop.app.single_instance import claim

    deadline = time.monotonic() + _PATIENCE_S
    while (lock := claim(address)) is None:
        # The first instance is starting and does not listen yet, or quitting and not gone yet.
        if forward_to_running_instance(address, request):
            return 0
        if time.monotonic() > deadline:
            print("Scrubjay is running already, but it does not answer.", file=sys.stderr)
            return _EXIT_BUSY
        time.sleep(_RETRY_S)
    try:
        if request is StartRequest.QUIT:
            return 0
        return _run_first(address, request, options.theme)
    finally:
        lock.unlock()
        # Collecting garbage once more took longer than the rest of quitting.
        gc.freeze()


def _run_first(address: InstanceAddress, request: StartRequest, theme: ThemeChoice | None) -> int:
    prepare()
    from scrubjay_desktop.app.application import Start
    from scrubjay_desktop.app.run_app import run
    from scrubjay_desktop.app.single_instance import InstanceServer

    def serve(desktop: Desktop) -> None:
        server = InstanceServer(address, desktop)
        server.requested.connect(desktop.fulfil)
        desktop.quitting.connect(server.close)
        if sys.platform.startswith("linux"):
            _serve_bus(desktop)

    return run(Start(request, theme), serve)


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
    activation.requested.connect(desktop.fulfil)
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


def _request(options: argparse.Namespace) -> StartRequest:
    if options.quick_search:
        return StartRequest.QUICK_SEARCH
    if options.background:
        return StartRequest.BACKGROUND
    if options.sample:
        return StartRequest.SAMPLE
    return StartRequest.QUIT if options.quit else StartRequest.WINDOW


if __name__ == "__main__":
    sys.exit(main())
