"""`python -m bench.reader`: times from a click on a link to the painted note and related notes.

Does not need a screen, because Qt paints into memory.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QObject, QUrl
from PySide6.QtWidgets import QApplication

from bench.synthetic import CHUNKS_A_NOTE, RandomDocuments, write_notes
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.embedding.local.local_provider import LocalProvider
from scrubjay.engine.engine import Engine
from scrubjay.models.model_files import find_model
from scrubjay.platform.paths import Paths
from scrubjay.records.note_records import NoteAddress, Relation
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.preview.open_external import Opener
from scrubjay_desktop.preview.preview import Preview
from scrubjay_desktop.results.result_rows import row_of_line

_CHUNKS = 20_000
_ASKED = 100
_LINKS_A_NOTE = 3


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(prog="python -m bench.reader")
    parser.add_argument("--chunks", type=int, default=_CHUNKS)
    parser.add_argument("--keep", type=Path, help="folder of the notes and their index; used again")
    options = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    model = find_model(Paths.of_user())
    if model is None:
        parser.error("the built-in model is missing: run `make setup`")
    with tempfile.TemporaryDirectory(prefix="scrubjay-bench-") as name:
        folder = options.keep or Path(name)
        root = folder / "linked"
        if not root.is_dir():
            write_notes(root, options.chunks // CHUNKS_A_NOTE)
            _link(root)
        engine = Engine(
            Paths.under(folder / "home"), provider=RandomDocuments(LocalProvider(model))
        )
        try:
            workspaces = engine.workspaces()
            workspace = workspaces[0] if workspaces else engine.add_workspace(root).result()
            engine.refresh(workspace).result()
            print(json.dumps(_measured(engine, workspace.id, root), indent=2))
        finally:
            engine.close()


def _link(root: Path) -> None:
    """Write links to others into each note."""
    rng = np.random.default_rng(13)
    files = sorted(root.rglob("*.md"))
    for file in files:
        others = (files[at].stem for at in rng.integers(0, len(files), _LINKS_A_NOTE))
        with file.open("a") as note:
            note.write("\n" + " ".join(f"See [[{other}]]." for other in others) + "\n")


def _measured(engine: Engine, workspace: WorkspaceId, root: Path) -> dict[str, Any]:
    labels = sorted(file.relative_to(root).as_posix() for file in root.rglob("*.md"))
    asked = labels[:: max(1, len(labels) // _ASKED)]
    return {
        "notes": len(labels),
        "first_related_ms": _related(engine, workspace, asked[:1])["p50"],
        "related_ms": _related(engine, workspace, asked),
        "link_to_painted_ms": _clicks(engine, workspace, root, asked),
    }


def _related(engine: Engine, workspace: WorkspaceId, labels: list[str]) -> dict[str, float]:
    """Times from the question to similar notes, backlinks and notes of the day, all together."""
    times: list[float] = []
    counts = dict.fromkeys(Relation, 0)
    for label in labels:
        began = time.perf_counter()
        for each in engine.relations.of(NoteAddress(workspace, label), CancelToken()).result():
            counts[each.relation] += 1
        times.append(1000 * (time.perf_counter() - began))
    return {**_spread(times), **{kind.value: count / len(labels) for kind, count in counts.items()}}


class _Paints(QObject):
    """Counts the paintings of a widget."""

    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt's hook for events of the widget."""
        self.count += event.type() == QEvent.Type.Paint
        return False


def _clicks(
    engine: Engine, workspace: WorkspaceId, root: Path, labels: list[str]
) -> dict[str, float]:
    """Times from the click on a link to the first frame with the note that it leads to."""
    app = QApplication.instance() or QApplication([])

    def wait(is_true: Callable[[], bool]) -> None:
        while not is_true():
            app.processEvents()

    tasks = Tasks()
    preview, paints = Preview(engine, tasks, Opener()), _Paints()
    shown: list[int] = []
    preview.matches_changed.connect(shown.append)
    preview.view.viewport().installEventFilter(paints)
    preview.resize(600, 700)
    preview.show()
    preview.show_row(row_of_line(workspace, labels[0], root / labels[0], 1, {}))
    wait(lambda: bool(shown))
    times: list[float] = []
    for label in labels[1:]:
        shown.clear()
        began = time.perf_counter()
        preview.view.anchorClicked.emit(QUrl(f"note:{label}"))
        wait(lambda: bool(shown))
        before = paints.count
        wait(lambda before=before: paints.count > before)  # type: ignore[misc]
        times.append(1000 * (time.perf_counter() - began))
        until = time.perf_counter() + 0.1
        wait(lambda until=until: time.perf_counter() > until)  # type: ignore[misc]
    tasks.close()
    return _spread(times)


def _spread(times: list[float]) -> dict[str, float]:
    p95 = statistics.quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
    return {
        "p50": round(statistics.median(times), 1),
        "p95": round(p95, 1),
        "max": round(max(times), 1),
    }


if __name__ == "__main__":
    main()
