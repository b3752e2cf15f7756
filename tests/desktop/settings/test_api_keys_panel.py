"""Keys in the settings page, with a real keychain and a server that knows the key."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QPushButton

from scrubjay.engine.engine import Engine
from scrubjay.platform.keychain import Keychain
from scrubjay.platform.paths import Paths
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.settings.api_keys_panel import ApiKeysPanel, KeyRow
from support.embedding_server import FAR_HOST, KEY, EmbeddingServer, far_url, serving
from support.secret_service import SecretService, secret_service
from support.vault import write_notes

USED = "Used for search by meaning."


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecretService]:
    with secret_service(tmp_path_factory.mktemp("keychain")) as running:
        yield running


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    """Answers for every host there is."""
    with serving() as running:
        running.stand_for_all(monkeypatch)
        yield running


@pytest.fixture
def panel(
    qtbot, service: SecretService, server: EmbeddingServer, paths: Paths
) -> Iterator[ApiKeysPanel]:
    """Over settings that name an endpoint elsewhere, and hold a key for it."""
    block = {
        "provider": "openai",
        "model": "brand-new",
        "remote": {"baseUrl": far_url("openai"), "apiKey": KEY},
    }
    write_notes(paths.config, {"config.json5": json.dumps({"memorySearch": block})})
    engine = Engine(paths)
    tasks = Tasks()
    made = ApiKeysPanel(engine.keys, tasks)
    qtbot.addWidget(made)
    made.show()
    yield made
    tasks.close()
    engine.close()


def give(qtbot, panel: ApiKeysPanel, row: KeyRow, key: str) -> None:
    row.put.click()
    dialog = next(one for one in panel.children() if hasattr(one, "session"))
    assert not dialog.session.isChecked()
    qtbot.keyClicks(dialog.edit, key)
    dialog.ok.click()


def answer(qtbot, panel: ApiKeysPanel, row: KeyRow, text: str) -> None:
    """Press Delete, then a button of the question."""
    row.delete.click()
    question = next(box for box in panel.findChildren(QMessageBox) if box.isVisible())
    button = next(button for button in question.buttons() if button.text() == text)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def is_shown(button: QPushButton) -> bool:
    return not button.isHidden()


def test_a_key_is_moved_tested_replaced_and_deleted(
    qtbot, panel: ApiKeysPanel, server: EmbeddingServer, paths: Paths
) -> None:
    assert is_shown(panel.move_keys)
    panel.move_keys.click()
    qtbot.waitUntil(lambda: FAR_HOST in panel.rows)
    row = panel.rows[FAR_HOST]
    qtbot.waitUntil(lambda: row.line.text() == f"In the keychain: …{KEY[-4:]}. {USED}")
    assert Keychain().get(FAR_HOST) == KEY
    assert [file for file in paths.config.rglob("*") if holds(file, KEY)] == []

    row.test.click()
    qtbot.waitUntil(lambda: row.line.text().startswith("The key works"))
    assert server.requests[-1].headers["authorization"] == f"Bearer {KEY}"

    give(qtbot, panel, row, "sk-another-key-9876")
    qtbot.waitUntil(lambda: row.line.text() == f"In the keychain: …9876. {USED}")
    assert row.put.text() == "Replace key…"
    row.test.click()
    qtbot.waitUntil(lambda: "refused the key" in row.line.text())
    assert "sk-another" not in row.line.text()

    answer(qtbot, panel, row, "&Keep")
    assert Keychain().get(FAR_HOST) == "sk-another-key-9876"
    answer(qtbot, panel, row, "&Delete")
    qtbot.waitUntil(lambda: row.line.text() == "No key")
    assert not is_shown(row.delete)
    assert Keychain().get(FAR_HOST) == ""


def test_a_key_that_is_set_is_used_with_one_press(qtbot, panel: ApiKeysPanel, paths: Paths) -> None:
    row = panel.rows["voyage"]
    assert not is_shown(row.use)
    give(qtbot, panel, row, "pa-0123456789wxyz")
    qtbot.waitUntil(
        lambda: row.line.text() == "In the keychain: …wxyz. Not used for search by meaning."
    )
    row.use.click()
    qtbot.waitUntil(lambda: row.line.text() == f"In the keychain: …wxyz. {USED}")
    assert not is_shown(row.use)
    search = json.loads((paths.config / "config.json5").read_text())["memorySearch"]
    assert (search["provider"], search["model"], search["remote"]["baseUrl"]) == ("voyage", "", "")


def test_a_key_that_was_stored_before_is_found_when_a_person_looks(
    qtbot, panel: ApiKeysPanel
) -> None:
    Keychain().set("mistral", "ms-0123456789wxyz")
    panel.refresh()
    assert panel.rows["mistral"].line.text() == "Not checked yet"
    panel.look.click()
    qtbot.waitUntil(
        lambda: "…wxyz. Not used for search by meaning." in panel.rows["mistral"].line.text()
    )
    qtbot.waitUntil(lambda: panel.rows["gemini"].line.text() == "No key")


def test_the_focus_stays_in_the_row_of_a_key_that_was_set(qtbot, panel: ApiKeysPanel) -> None:
    row = panel.rows["voyage"]
    row.put.setFocus()
    give(qtbot, panel, row, "pa-0123456789wxyz")
    qtbot.waitUntil(lambda: row.line.text().startswith("In the keychain"))
    qtbot.waitUntil(lambda: panel.window().focusWidget() is row.put)


def holds(file: Path, text: str) -> bool:
    return file.is_file() and text.encode() in file.read_bytes()
