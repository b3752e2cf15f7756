from __future__ import annotations

import gc
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import PySide6
import pytest
import shiboken6

from scrubjay_desktop.__main__ import prepare
from scrubjay_desktop.app.run_app import resume_garbage_collection

_LATER = (
    *("numpy", "sqlite_vec", "watchdog", "tomlkit", "yaml", "psutil", "keyring", "cryptography"),
    *("httpx2", "openai", "mcp", "huggingface_hub", "llama_cpp", "zstandard"),
    *("PIL", "onnxruntime", "pi_heif", "rapidocr", "scrubjay.documents.picture_reader"),
    *(
        "scrubjay.agents.dreaming",
        "scrubjay.agents.recall",
        "scrubjay.agents.connect",
        "scrubjay.onboarding.setup_import",
    ),
    *("scrubjay.health", "scrubjay.agents", "scrubjay.updates", "scrubjay.models"),
    *(
        "scrubjay.embedding",
        "scrubjay.search",
        "scrubjay.index.index_thread",
        "scrubjay.notes.watcher",
    ),
    *(
        "scrubjay.answers.journal",
        "scrubjay.answers.search_thread",
        "scrubjay.documents.document_converter",
        "scrubjay.engine.folder_commands",
        "scrubjay.events",
        "scrubjay.engine.key_commands",
        "scrubjay.engine.undoable_settings",
        "scrubjay.cli",
    ),
)
_PAGES = (
    *("settings.settings_page", "models.models_dialog", "health.help_dialogs"),
    *("health.health_page", "agents.agents_page", "timeline.timeline_page"),
    *("settings.api_keys_panel", "workspaces.setup_import_dialog"),
    *("preview.preview", "windows.quick_search", "windows.tray_menu", "search.days_dialog"),
    *("app.controllers.pausing", "app.controllers.notifications", "app.controllers.window_closing"),
    *("app.controllers.agents_entry", "app.controllers.engine_actions"),
    *("app.controllers.folder_menu_actions", "app.instance_server"),
)

_APP = """
import json, linecache, sys
from scrubjay_desktop.__main__ import prepare
prepare()
from PySide6.QtCore import QEvent, QObject, QTimer
from scrubjay_desktop.app.start_options import Start
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.app.run_app import run_app


class Eye(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint and watched is self.parent():
            watched.removeEventFilter(self)
            painted.extend(sorted(sys.modules))
            QTimer.singleShot(0, quit_)
        return False


def serve(desktop):
    global quit_
    built.extend(sorted(sys.modules))
    quit_ = desktop.quit
    desktop.window.installEventFilter(Eye(desktop.window))


built, painted = [], []
code = run_app(Start(StartRequest.WINDOW), serve)
read = [file for file in linecache.cache if "scrubjay" in file]
print(json.dumps({"built": built, "painted": painted, "read": read}))
sys.exit(code)
"""


def started(home: Path, **settings: object) -> dict[str, list[str]]:
    """The modules of a real start: when the window is built, and when it is painted first."""
    notes = home / "notes"
    notes.mkdir()
    (notes / "router.md").write_text("# Router\n\nOn the fridge.\n")
    settings |= {"workspaces": [{"path": str(notes)}], "memorySearch": {"provider": "none"}}
    (home / "config.json5").write_text(json.dumps(settings))
    done = subprocess.run(
        [sys.executable, "-c", _APP],
        env={**os.environ, "HOME": str(home), "SCRUBJAY_HOME": str(home)},
        stdout=subprocess.PIPE,
        timeout=120,
        check=True,
    )
    found: dict[str, list[str]] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Those of a start with one folder."""
    return started(tmp_path_factory.mktemp("start"))


def test_a_window_is_built_without_what_only_searching_and_indexing_need(
    loaded: dict[str, list[str]],
) -> None:
    assert "scrubjay.engine.engine" in loaded["built"]
    assert [one for one in _LATER if one in loaded["built"]] == []


def test_qt_for_python_keeps_no_source_of_modules(loaded: dict[str, list[str]]) -> None:
    assert loaded["read"] == []


def test_no_page_or_other_late_part_is_loaded_before_the_first_frame(
    loaded: dict[str, list[str]],
) -> None:
    assert "scrubjay_desktop.windows.main_window" in loaded["painted"]
    pages = [f"scrubjay_desktop.{name}" for name in _PAGES]
    assert all(importlib.util.find_spec(name) for name in pages)
    assert [one for one in pages if one in loaded["painted"]] == []


def test_a_shared_memory_is_shown_before_its_library_is_loaded(tmp_path: Path) -> None:
    loaded = started(tmp_path, sharedMemories=[{"uri": str(tmp_path / "team")}])
    assert "scrubjay.sharing.shared_memories" in loaded["painted"]
    assert [one for one in ("lancedb", "pyarrow") if one in loaded["painted"]] == []


@pytest.mark.needs("links", "odd names")
def test_a_folder_with_quotation_marks_in_its_name_still_has_plugins(tmp_path: Path) -> None:
    strange = tmp_path / "Mein Ordner 'ñ' \"日本\" 🐦"
    strange.mkdir()
    for package in (PySide6, shiboken6):
        (strange / package.__name__).symlink_to(Path(package.__file__).parent)
    program = (
        "from scrubjay_desktop.app.run_app import find_plugins; find_plugins()\n"
        "from PySide6.QtWidgets import QApplication; print(QApplication([]).platformName())"
    )
    path = os.pathsep.join([str(strange), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": path, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout.strip()) == (0, "offscreen"), done.stderr


@pytest.fixture
def collector() -> Iterator[None]:
    yield
    gc.unfreeze()
    gc.enable()


def test_waste_is_looked_for_again_once_the_window_is_there(
    collector: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYDANTIC_DISABLE_PLUGINS", "1")
    prepare()
    assert not gc.isenabled()
    resume_garbage_collection()
    assert gc.isenabled()
    assert gc.get_freeze_count() > 0
