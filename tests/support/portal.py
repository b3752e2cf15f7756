"""A desktop portal with global shortcuts, in a process and on a bus of its own.

Run as a program it serves the bus of its environment: it grants a key, or refuses it, and presses
it whenever a line comes on standard input.
"""

import asyncio
import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from dbus_fast import Message, MessageType, PropertyAccess, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.service import ServiceInterface, dbus_property, method, signal

PATH = "/org/freedesktop/portal/desktop"
NAME = "org.freedesktop.portal.Desktop"


class Shortcuts(ServiceInterface):
    """Grants what it is asked for, or nothing."""

    def __init__(self, bus: MessageBus, *, is_willing: bool) -> None:
        super().__init__("org.freedesktop.portal.GlobalShortcuts")
        self._bus = bus
        self._is_willing = is_willing
        self.session = ""

    @method()
    async def CreateSession(self, options: "a{sv}") -> "o":  # noqa: F722, F821
        self.session = f"{PATH}/session/x/{options['session_handle_token'].value}"
        return self._answer(options, {"session_handle": Variant("s", self.session)})

    @method()
    async def BindShortcuts(
        self,
        session: "o",  # noqa: F821
        shortcuts: "a(sa{sv})",  # noqa: F722
        parent: "s",  # noqa: F821
        options: "a{sv}",  # noqa: F722
    ) -> "o":  # noqa: F821
        [[name, facts]] = shortcuts
        print(f"asked for {name} at {facts['preferred_trigger'].value}", flush=True)
        code = 0 if self._is_willing else 1
        return self._answer(options, {"shortcuts": Variant("a(sa{sv})", [])}, code)

    @signal()
    def Activated(
        self, session: str, name: str, moment: int, options: dict[str, Variant]
    ) -> "osta{sv}":  # noqa: F722
        return [session, name, moment, options]

    @dbus_property(access=PropertyAccess.READ)
    def version(self) -> "u":  # noqa: F821
        return 1

    def _answer(
        self, options: dict[str, Variant], results: dict[str, Variant], code: int = 0
    ) -> str:
        path = f"{PATH}/request/x/{options['handle_token'].value}"
        response = Message(
            message_type=MessageType.SIGNAL,
            path=path,
            interface="org.freedesktop.portal.Request",
            member="Response",
            signature="ua{sv}",
            body=[code, results],
        )
        asyncio.get_running_loop().call_later(0.02, self._bus.send, response)
        return path


async def serve(*, is_willing: bool) -> None:
    """Until standard input ends."""
    bus = await MessageBus().connect()
    shortcuts = Shortcuts(bus, is_willing=is_willing)
    bus.export(PATH, shortcuts)
    await bus.request_name(NAME)
    print("ready", flush=True)
    loop = asyncio.get_running_loop()
    while await loop.run_in_executor(None, sys.stdin.readline):
        shortcuts.Activated(shortcuts.session, "quick-search", 0, {})


class Portal:
    """The process, seen from a test."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def press(self) -> None:
        """Press the key that was granted."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()

    def line(self) -> str:
        """The next thing it says."""
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


@contextlib.contextmanager
def bus() -> Iterator[str]:
    """A session bus of one's own: its address."""
    with subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--print-address"],
        stdout=subprocess.PIPE,
        text=True,
    ) as daemon:
        assert daemon.stdout is not None
        try:
            yield daemon.stdout.readline().strip()
        finally:
            daemon.terminate()


@contextlib.contextmanager
def portal(address: str, *, is_willing: bool = True) -> Iterator[Portal]:
    """A portal on this bus."""
    environ = {**os.environ, "DBUS_SESSION_BUS_ADDRESS": address}
    command = [sys.executable, str(Path(__file__)), "yes" if is_willing else "no"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environ
    ) as process:
        made = Portal(process)
        assert made.line() == "ready"
        try:
            yield made
        finally:
            process.terminate()


if __name__ == "__main__":
    asyncio.run(serve(is_willing=sys.argv[1] == "yes"))
