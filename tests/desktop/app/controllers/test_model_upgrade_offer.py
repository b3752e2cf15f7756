from __future__ import annotations

from dataclasses import replace

import pytest

from scrubjay.records.model_records import ModelInfo, ModelState
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.models.models_page import ModelsPage
from support.fake_engine import FakeEngine

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)

SMALL = ModelInfo("small", "Small", "Fast.", ModelState.READY, is_used=True)
BETTER = ModelInfo(
    "better", "Better", "Good.", ModelState.ABSENT, is_used=False, size_bytes=300 * 1024 * 1024,
    languages=("mul",), licence="Gemma",
)  # fmt: skip


def test_a_better_model_is_offered_once_with_size_and_licence(
    qtbot, desktop: Desktop, engine: FakeEngine
) -> None:
    engine.catalogue = {one.id: one for one in (SMALL, BETTER)}
    desktop.begin(StartRequest.WINDOW)
    banner = desktop.window.banner
    qtbot.waitUntil(banner.isVisible)
    assert banner.words.endswith("Better, 300.0 MB · many languages · licence Gemma.")
    assert banner.is_good
    banner.offer.click()
    qtbot.waitUntil(lambda: bool(desktop.window.findChildren(ModelsPage)))
    assert desktop.preferences.has_read_all


@pytest.mark.parametrize("better", [None, replace(BETTER, state=ModelState.READY)])
def test_nobody_is_offered_what_is_here_already(
    qtbot, desktop: Desktop, engine: FakeEngine, better: ModelInfo | None
) -> None:
    engine.catalogue = {one.id: one for one in (SMALL, better) if one is not None}
    with qtbot.waitSignal(desktop.news.all_read):
        desktop.begin(StartRequest.WINDOW)
    qtbot.waitUntil(lambda: desktop.window.search.list.row() is not None)
    assert desktop.window.banner.words == ""
