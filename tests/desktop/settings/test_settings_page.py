from __future__ import annotations

from collections.abc import Callable, Iterator

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import KeyringError
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QFrame,
    QLineEdit,
    QMessageBox,
    QPlainTextEdit,
    QScrollArea,
    QSpinBox,
    QWidget,
)

from scrubjay.config.loading import LoadedSettings, load_settings
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.settings.api_keys_panel import ApiKeysPanel, KeyDialog
from scrubjay_desktop.settings.settings_page import SettingsPage
from scrubjay_desktop.widgets.buttons import SmallButton
from support.vault import TIMEOUT

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)
RESULTS = "memorySearch.query.maxResults"
EVERYDAY = {
    "localOnly",
    "updates.check",
    "memorySearch.query.hybrid.temporalDecay.enabled",
    "memorySearch.history.days",
}


@pytest.fixture
def page(qtbot, desktop: Desktop) -> SettingsPage:
    with qtbot.waitSignal(desktop.started):
        desktop.begin(StartRequest.WINDOW)
    page = desktop.show_settings()
    page.experts.click()
    return page


@pytest.fixture
def held(paths: Paths) -> Iterator[Callable[[], LoadedSettings]]:
    """What the settings file says right now."""
    return lambda: load_settings(paths.config_file)


def test_a_switch_is_written_and_taken_back(qtbot, desktop, page, held) -> None:
    control = page.rows["localOnly"].control
    assert isinstance(control, QCheckBox)
    control.click()
    qtbot.waitUntil(lambda: held().settings.local_only)
    qtbot.waitUntil(lambda: "Never use services" in desktop.window.banner.words)
    desktop.window.banner.offer.click()
    qtbot.waitUntil(lambda: not held().settings.local_only)
    qtbot.waitUntil(lambda: not control.isChecked())


def test_a_number_is_written_and_reset(qtbot, page, held) -> None:
    row = page.rows[RESULTS]
    assert isinstance(row.control, QSpinBox)
    row.control.setValue(12)
    row.control.editingFinished.emit()
    qtbot.waitUntil(lambda: held().settings.memory_search.query.max_results == 12)
    qtbot.waitUntil(lambda: not row.reset.isHidden())
    assert "Default: 6." in row.control.accessibleDescription()
    row.reset.click()
    qtbot.waitUntil(lambda: row.control.value() == 6)
    assert row.reset.isHidden()
    assert "Usual" not in row.control.accessibleDescription()


def test_one_of_several_and_lists_are_written(qtbot, page, held) -> None:
    box = page.rows["memorySearch.provider"].control
    assert isinstance(box, QComboBox)
    box.setCurrentIndex(box.findText("None (search by words only)"))
    box.activated.emit(box.currentIndex())
    qtbot.waitUntil(lambda: held().settings.memory_search.provider == "none")
    lines = page.rows["memorySearch.extraPaths"].control
    assert isinstance(lines, QPlainTextEdit)
    lines.setFocus()
    lines.setPlainText("~/one\n\n ~/two ")
    page.box.setFocus()
    qtbot.waitUntil(lambda: held().settings.memory_search.extra_paths == ("~/one", "~/two"))


def test_settings_are_found_by_their_words(page) -> None:
    found = {
        "new version": {"updates.check"},
        "halflifedays": {"memorySearch.query.hybrid.temporalDecay.halfLifeDays"},
        "zebra": set(),
    }
    for text, shown in found.items():
        page.box.setText(text)
        assert {key for key, row in page.rows.items() if row.isVisible()} == shown
        assert page._nothing.isVisible() == (not shown)  # noqa: SLF001
        is_everyday = all(page.rows[key].setting.is_everyday for key in shown)
        assert page.experts.isVisible() == (not is_everyday)
        assert page.findChild(QFrame, "rule").isVisible() == page.experts.isVisible()
        page.box.clear()
        assert page.experts.isVisible()
        assert all(row.isVisible() for row in page.rows.values())


def test_few_settings_come_first_and_the_others_are_folded(
    qtbot, desktop: Desktop, page: SettingsPage
) -> None:
    page.experts.click()
    page.box.setText("file")
    assert page.rows["memorySearch.local.modelPath"].isVisible()
    page.box.clear()
    assert {key for key, row in page.rows.items() if row.isVisible()} == EVERYDAY
    assert not page.keys.isVisible()
    page.experts.click()
    assert all(row.isVisible() for row in page.rows.values())
    assert desktop.preferences.shows_experts
    page.box.setText("dark")
    assert not page.rows["memorySearch.local.modelPath"].isVisible()
    page.box.clear()
    assert all(row.isVisible() for row in page.rows.values())


def test_a_wrong_value_in_the_file_is_shown_at_its_setting(
    page, engine: Engine, paths: Paths
) -> None:
    paths.config.mkdir(parents=True, exist_ok=True)
    paths.config_file.write_text("{ memorySearch: { query: { maxResults: 'many' } } }")
    engine.reload_settings().result(TIMEOUT)
    page.experts.click()
    assert not page.rows[RESULTS].isVisible()
    page.refresh()
    assert page.rows[RESULTS].isVisible()
    assert "Scrubjay is using" in page.rows[RESULTS]._problem.text()  # noqa: SLF001
    assert page.rows[RESULTS].control.value() == 6


def test_a_file_edited_by_hand_is_shown_at_once(qtbot, page, paths: Paths) -> None:
    paths.config_file.write_text("{ memorySearch: { query: { maxResults: 17 } } }")
    qtbot.waitUntil(lambda: page.rows[RESULTS].control.value() == 17)


def test_every_control_says_what_it_is(page: SettingsPage) -> None:
    for row in page.rows.values():
        assert row.control.accessibleName()
        assert row.reset.accessibleName()


def look_at_keys(page: SettingsPage) -> ApiKeysPanel:
    area = page.findChild(QScrollArea)
    assert area is not None
    area.ensureWidgetVisible(page.keys)
    return page.keys


class Asking(KeyringBackend):
    """A keychain that asks for a password at every call, and is refused."""

    priority = 1
    calls = 0

    def get_password(self, service: str, username: str) -> str:
        self.calls += 1
        raise KeyringError("Failed to create the collection: Prompt dismissed..")

    set_password = get_password  # type: ignore[assignment]


@pytest.fixture
def asking(engine: Engine) -> Asking:
    backend = Asking()
    keyring.set_keyring(backend)
    return backend


def type_key(qtbot, keys: ApiKeysPanel, *, is_for_session: bool = False) -> None:
    keys.rows["openai"].put.click()
    dialog = next(one for one in keys.findChildren(KeyDialog) if one.isVisible())
    assert not dialog.session.isChecked()
    assert dialog.session.isEnabled()
    assert dialog.edit.echoMode() is QLineEdit.EchoMode.Password
    dialog.session.setChecked(is_for_session)
    qtbot.keyClicks(dialog.edit, "sk-not-a-real-key-1234")
    dialog.ok.click()


def test_looking_at_keys_and_keys_of_this_session_open_no_keychain(
    qtbot, asking: Asking, desktop: Desktop, page: SettingsPage
) -> None:
    keys = look_at_keys(page)
    page.box.setText("k")
    qtbot.waitUntil(lambda: not keys.visibleRegion().isEmpty())
    type_key(qtbot, keys, is_for_session=True)
    row = keys.rows["openai"]
    qtbot.waitUntil(
        lambda: row.line.text().startswith("Kept until Scrubjay closes: …1234. Not used")
    )
    row.delete.click()
    question = next(box for box in keys.findChildren(QMessageBox) if box.isVisible())
    question.buttons()[0].click()
    qtbot.waitUntil(lambda: row.line.text() == "No key")
    assert asking.calls == 0


def test_a_refusal_can_be_tried_again(qtbot, asking: Asking, page: SettingsPage) -> None:
    keys = look_at_keys(page)
    for calls in (1, 2):
        type_key(qtbot, keys)
        qtbot.waitUntil(lambda: asking.calls == calls)  # noqa: B023
        qtbot.waitUntil(lambda: "Prompt dismissed. Try again." in keys.rows["openai"].line.text())
        assert "until you quit Scrubjay" in keys.rows["openai"].line.text()


def test_the_settings_open_with_their_key(qtbot, desktop: Desktop) -> None:
    with qtbot.waitActive(desktop.window):
        desktop.begin(StartRequest.WINDOW)
    qtbot.keyClick(desktop.window, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    assert desktop.window.pages.key == "settings"


def test_a_folder_with_a_value_of_its_own_is_named(qtbot, page: SettingsPage) -> None:
    row = page.rows[RESULTS]
    assert row.overrides.isHidden()
    row.show_setting(replace(row.setting, overrides=(("Work", 20), ("Home", 3))))
    assert (
        row.overrides.text()
        == "The settings file sets different values for individual folders: Work: 20; Home: 3."
    )
    assert row.overrides.isVisible()


def test_choices_of_the_window_and_keys_are_found_too(page) -> None:
    found = {
        "": (9, True),
        "dark": (1, False),
        "español": (1, False),
        "log in": (1, False),
        "key": (1, True),
        "ey": (1, False),
        "k": (5, True),
        "xylophone": (0, False),
    }
    of_window = page.window_settings
    for text, (windows, has_keys) in found.items():
        page.box.setText(text)
        children = of_window.children()
        rows = [row for row in children if isinstance(row, QWidget) and not row.isHidden()]
        assert (text, len(rows), page.keys.isHidden()) == (text, windows, not has_keys)
        assert page._window_title.isHidden() == (windows == 0)  # noqa: SLF001


def test_the_controls_of_all_settings_end_at_one_line(qtbot, page) -> None:
    window = page.window_settings
    controls = [window.theme_box, window.start_box, window.battery_box, window.copy_command]
    controls += [row.control for row in page.rows.values() if row.isVisible()]
    controls += [row.put for row in page.keys.rows.values()]

    def ends() -> set[int]:
        return {one.mapTo(page, one.rect().topRight()).x() for one in controls}

    assert len(controls) > 6
    qtbot.waitUntil(lambda: len(ends()) == 1)


def test_who_scrolls_the_settings_changes_none(qtbot, page) -> None:
    boxes = page.findChildren(QComboBox) + page.findChildren(QAbstractSpinBox)
    assert len(boxes) > 10
    before = [box.property("currentText") or box.property("value") for box in boxes]
    for box in boxes:
        for turn in (-120, 120, 120):
            turned = QWheelEvent(
                QPointF(5, 5), box.mapToGlobal(QPointF(5, 5)), QPoint(), QPoint(0, turn),
                Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
                Qt.ScrollPhase.NoScrollPhase, False,
            )  # fmt: skip
            QApplication.sendEvent(box, turned)
    assert [box.property("currentText") or box.property("value") for box in boxes] == before


@pytest.mark.parametrize("width", [900, 1700])
def test_all_controls_end_below_the_last_button_of_the_title(
    desktop: Desktop, page: SettingsPage, width: int
) -> None:
    desktop.window.resize(width, 700)
    QApplication.processEvents()

    def edge(widget: QWidget) -> int:
        return widget.mapTo(page, QPoint(widget.width(), 0)).x()

    [models] = [
        button for button in page.findChildren(SmallButton) if button.text() == "Language helpers…"
    ]
    boxes = [page.window_settings.theme_box, *(row.control for row in page.rows.values())]
    assert {edge(box) for box in boxes} == {edge(models)}
    # Few settings do not scroll, and stay where they are.
    page.box.setText("battery")
    QApplication.processEvents()
    assert edge(page.window_settings.battery_box) == edge(models)
