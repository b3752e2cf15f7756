"""The process that reads exports, with a reader that was taken over by one and tries its luck."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from scrubjay.note_import import export_worker
from scrubjay.note_import.export_source import ExportSource
from scrubjay.note_import.imported_note import ImportedNote


class Intruder:
    """Tries what no reader may do; its only note tells what came of it."""

    program = "Bear"

    def __init__(self, folder: Path, port: int) -> None:
        """The folder has a file `secret.md`; the port listens."""
        self._attacks: dict[str, Callable[[], object]] = {
            "read": (folder / "secret.md").read_text,
            "write": lambda: (folder / "new.md").write_text("x"),
            "delete": (folder / "secret.md").unlink,
            "connect": lambda: socket.create_connection(("127.0.0.1", port)),
            "start": lambda: subprocess.run([sys.executable, "-c", ""], check=True),
            "fork": os.fork,
        }

    def notes(self) -> Iterator[ImportedNote]:
        """The outcomes in JSON."""
        outcomes = {}
        for name, attack in self._attacks.items():
            try:
                attack()
                outcomes[name] = "done"
            except OSError as error:
                outcomes[name] = type(error).__name__
        yield ImportedNote("1", "Outcomes", json.dumps(outcomes))


@contextlib.contextmanager
def _intruded(_: ExportSource) -> Iterator[tuple[Intruder, int]]:
    yield Intruder(Path(sys.argv[1]), int(sys.argv[2])), 0


if __name__ == "__main__":
    export_worker.open_export_reader = _intruded
    export_worker.main()
