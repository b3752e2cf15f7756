"""A real keychain for tests: gnome-keyring on a D-Bus of its own, with a home of its own."""

from __future__ import annotations

import contextlib
import gc
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import keyring.core

from support import platforms

if sys.platform == "linux":
    import jeepney
    from jeepney.io.blocking import open_dbus_connection

TIMEOUT = 60
BACKEND = "PYTHON_KEYRING_BACKEND"
NO_KEYCHAIN = {BACKEND: "keyring.backends.fail.Keyring"}
_SECRETS = "org.freedesktop.secrets"
_PROMPTER = "org.gnome.keyring.SystemPrompter"


@dataclass(frozen=True)
class SecretService:
    """A running keychain, unlocked at first."""

    variables: Mapping[str, str]
    """How a process finds it."""

    def lock(self) -> None:
        """Lock all of it; whoever asks for a secret then has to ask a person."""
        command = "import secretstorage as s\ns.get_default_collection(s.dbus_init()).lock()"
        environment = {**os.environ, **self.variables}
        subprocess.run([sys.executable, "-c", command], env=environment, check=True)

    @contextlib.contextmanager
    def person_who_never_answers(self) -> Iterator[None]:
        """Inside, a dialog for the password opens and nobody types."""
        with open_dbus_connection(self.variables["DBUS_SESSION_BUS_ADDRESS"]) as bus:
            bus.send_and_get_reply(jeepney.bus_messages.message_bus.RequestName(_PROMPTER))
            yield


@contextlib.contextmanager
def secret_service(root: Path) -> Iterator[SecretService]:
    """A keychain whose files are below root, for this process and its children."""
    platforms.require("Secret Service")
    runtime = root / "run"
    runtime.mkdir(mode=0o700, parents=True)
    variables = {"HOME": str(root), "XDG_DATA_HOME": str(root), "XDG_RUNTIME_DIR": str(runtime)}
    environment = {**os.environ, **variables}
    environment.pop("DISPLAY", None)
    bus = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--print-address=1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
    )
    assert bus.stdout is not None
    address = bus.stdout.readline().strip()
    environment["DBUS_SESSION_BUS_ADDRESS"] = address
    daemon = subprocess.Popen(
        ["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    try:
        assert daemon.stdin is not None
        daemon.stdin.write(b"password")
        daemon.stdin.close()
        _wait_for_name(address, daemon)
        found = {
            "DBUS_SESSION_BUS_ADDRESS": address,
            "XDG_RUNTIME_DIR": str(runtime),
            BACKEND: "keyring.backends.SecretService.Keyring",
        }
        with keyring_variables(found):
            yield SecretService(found)
    finally:
        daemon.terminate()
        bus.terminate()
        daemon.wait(TIMEOUT)
        bus.wait(TIMEOUT)
        bus.stdout.close()
        with warnings.catch_warnings():
            # keyring forgets to close its connection to a keychain that stays locked.
            warnings.simplefilter("ignore", ResourceWarning)
            gc.collect()


@contextlib.contextmanager
def keyring_variables(variables: Mapping[str, str]) -> Iterator[None]:
    """Inside, this process looks for its keychain with these environment variables."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    chosen, keyring.core._keyring_backend = keyring.core._keyring_backend, None  # noqa: SLF001
    try:
        yield
    finally:
        keyring.core._keyring_backend = chosen  # noqa: SLF001
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _wait_for_name(address: str, daemon: subprocess.Popen[bytes]) -> None:
    # A direct call would make the bus start a second, locked daemon.
    until = time.monotonic() + TIMEOUT
    with open_dbus_connection(address) as bus:
        ask = jeepney.bus_messages.message_bus.NameHasOwner(_SECRETS)
        while not bus.send_and_get_reply(ask).body[0]:
            assert time.monotonic() < until
            assert daemon.poll() is None
            time.sleep(0.02)
