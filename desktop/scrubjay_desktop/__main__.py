"""Starts the desktop app, or forwards the request to the instance that runs already."""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scrubjay.platform.autostart.start_at_login import HOME_OPTION
from scrubjay.platform.current_folder import exclude_current_folder
from scrubjay.platform.paths import HOME_VARIABLE, Paths
from scrubjay.platform.streams import use_utf8
from scrubjay_desktop.app.start_request import (
    InstanceAddress,
    StartRequest,
    forward_to_running_instance,
    instance_address,
    lock_instance,
)

if TYPE_CHECKING:
    from PySide6.QtCore import QLockFile

    from scrubjay_desktop.app.application import Desktop
    from scrubjay_desktop.widgets.theme import ThemeChoice

_PATIENCE_S = 10.0
"""Seconds, more than a quit takes, or a start until it listens, on a busy computer too."""
_RETRY_S = 0.05
"""Seconds between two tries to be the first instance."""
_EXIT_BUSY = 75
"""Exit code EX_TEMPFAIL: another Scrubjay is there and does not answer."""
_EXIT_UNWRITABLE = 73
"""Exit code EX_CANTCREAT: the home cannot be written to."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the app; returns its exit code."""
    exclude_current_folder()
    use_utf8()
    options = _parser().parse_args(arguments)
    # Child processes and entries of agents belong to the same profile.
    if options.home:
        os.environ[HOME_VARIABLE] = options.home
    request: StartRequest = options.request
    address = instance_address(Paths.of_user())
    if forward_to_running_instance(address, request):
        return 0
    # Only now: a second start is over before the core and Qt are loaded.
    prepare()
    try:
        lock = _claimed(address, request)
    except OSError:
        folder = Path(address.lock).parent
        _tell(
            f"Scrubjay cannot write to {folder}. Free some space on the disk, or allow writing "
            "there, then try again.",
            request,
        )
        return _EXIT_UNWRITABLE
    if lock is None:
        return 0
    try:
        if request is StartRequest.QUIT:
            return 0
        return _run_first(address, request, options.theme)
    finally:
        lock.unlock()
        # After uninstalling, the lock was the last thing in its folder.
        with contextlib.suppress(OSError):
            Path(address.lock).parent.rmdir()
        # Collecting garbage once more took longer than the rest of quitting.
        gc.freeze()


def _claimed(address: InstanceAddress, request: StartRequest) -> QLockFile | None:
    """The lock of the first instance; None when another one took the request.

    Raises OSError where it cannot be written, and SystemExit when the other one does not answer.
    """
    deadline = time.monotonic() + _PATIENCE_S
    lock = lock_instance(address)
    while lock is None:
        # The first instance is starting and does not listen yet, or quitting and not gone yet.
        if forward_to_running_instance(address, request):
            return None
        if time.monotonic() > deadline:
            _tell(busy_message(address), request)
            sys.exit(_EXIT_BUSY)
        time.sleep(_RETRY_S)
        lock = lock_instance(address)
    return lock


def _tell(sentence: str, request: StartRequest) -> None:
    """Tell why there is no app."""
    from scrubjay_desktop.platform.start_failures import tell_start_failure

    # Systems and installers make the other requests, and a box would keep them waiting.
    is_for_person = request not in (StartRequest.BACKGROUND, StartRequest.QUIT)
    tell_start_failure(sentence, is_for_person=is_for_person)


def busy_message(address: InstanceAddress) -> str:
    """What a person can do when the first instance does not answer."""
    # A lock outlives its app if another Scrubjay program gets the same number of a process.
    return (
        "Scrubjay is already running but does not respond. Wait a moment, then try again. "
        f"If no Scrubjay is running, delete the file {address.lock}."
    )


def _run_first(address: InstanceAddress, request: StartRequest, theme: ThemeChoice | None) -> int:
    from scrubjay_desktop.app.run_app import run_app
    from scrubjay_desktop.app.start_options import Start

    def serve(desktop: Desktop) -> None:
        # Later starts wait that long; it takes Qt's library for networks.
        desktop.shown.connect(lambda: listen(desktop))

    def listen(desktop: Desktop) -> None:
        from scrubjay_desktop.app.instance_server import BusActivation, InstanceServer

        servers: list[InstanceServer | BusActivation] = [InstanceServer(address, desktop)]
        if sys.platform.startswith("linux"):
            from PySide6.QtDBus import QDBusConnection

            servers.append(BusActivation(QDBusConnection.sessionBus(), desktop))
        for server in servers:
            server.requested.connect(desktop.fulfil)
            desktop.quitting.connect(server.close)

    return run_app(Start(request, theme), serve)


def prepare() -> None:
    """Make the imports that follow cheaper."""
    from scrubjay.platform.malloc import limit_arenas

    limit_arenas()
    # Modules stay, so collecting them only takes time; `settle` switches the collector on again.
    gc.disable()
    # pydantic would read about every installed package, and nothing here has plug-ins for it.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")
    # Qt for Python would read and keep the source of each module that is imported after it, to see
    # whether it may switch to other names of Qt: 50 ms and 12 MB. None of these modules does.
    import PySide6.QtCore  # noqa: F401

    switches = sys.modules.get("shibokensupport.feature")
    if switches:
        vars(switches)["_mod_uses_pyside"] = lambda module: False


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scrubjay-desktop", description="Search your notes by words and by meaning."
    )
    kind = parser.add_mutually_exclusive_group()
    for request, effect in (
        (StartRequest.QUICK_SEARCH, "open or close quick search"),
        (StartRequest.BACKGROUND, "start without opening a window"),
        (StartRequest.SAMPLE, "start with the sample notes"),
        (StartRequest.QUIT, "quit the Scrubjay that is running"),
    ):
        kind.add_argument(
            f"--{request}", action="store_const", dest="request", const=request, help=effect
        )
    parser.set_defaults(request=StartRequest.WINDOW)
    parser.add_argument(
        HOME_OPTION, metavar="FOLDER", help="store files in this folder, like SCRUBJAY_HOME"
    )
    parser.add_argument("--theme", choices=["light", "dark"], help=argparse.SUPPRESS)
    return parser


if __name__ == "__main__":
    sys.exit(main())
