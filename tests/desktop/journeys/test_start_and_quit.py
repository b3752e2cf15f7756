"""The app is started, started again while it runs, quit, and started anew."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay_desktop.__main__ import main
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.instance_server import InstanceServer
from scrubjay_desktop.app.start_options import Start
from scrubjay_desktop.app.start_request import StartRequest, instance_address
from scrubjay_desktop.windows.main_window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)


def test_later_starts_open_the_popup_and_end_the_app_that_runs(
    qtbot, desktop: Desktop, notes_window: MainWindow, paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCRUBJAY_HOME", str(paths.config))
    server = InstanceServer(instance_address(Paths.of_user()))
    server.requested.connect(desktop.fulfil)
    codes: list[int] = []

    def start_again(option: str) -> None:
        desktop.tasks.run(lambda: main([option]), CancelToken(), done=codes.append)

    start_again("--quick-search")
    qtbot.waitUntil(desktop.late.popup.isVisible)
    qtbot.waitUntil(lambda: codes == [0])
    with qtbot.waitSignal(desktop.engine_closed):
        start_again("--quit")
    assert (desktop.late.popup.isVisible(), notes_window.isVisible()) == (False, False)
    server.close()


def test_the_window_comes_back_in_the_size_it_was_left_in(
    qtbot,
    qapp: QApplication,
    desktop: Desktop,
    notes_window: MainWindow,
    engine: Engine,
    paths: Paths,
) -> None:
    notes_window.resize(790, 560)
    qtbot.waitUntil(lambda: notes_window.width() == 790)
    with qtbot.waitSignal(desktop.engine_closed):
        desktop.quit()
    again = Desktop(qapp, engine, paths, Start(StartRequest.WINDOW, theme="light"))
    try:
        assert (again.window.width(), again.window.height()) == (790, 560)
    finally:
        again.dispose()
