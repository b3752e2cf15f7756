"""The whole app on the real engine, without a screen."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from PySide6.QtWidgets import QApplication

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.engine_limits import DEFAULT_LIMITS, EngineLimits
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.start_options import Start
from scrubjay_desktop.app.start_request import StartRequest
from support.providers import WordProvider

LIGHT = Start(theme="light")

WORDS_ONLY = "memorySearch: { provider: 'none' }"
"""For the settings file, where no model is wanted."""
QUICK = "memorySearch: { sync: { watchDebounceMs: 100 } }"
"""Takes changed notes in at once, so that tests need not wait."""


@contextlib.contextmanager
def running_app(
    qapp: QApplication,
    paths: Paths,
    provider: WordProvider | None = None,
    settings: str = "",
    *,
    limits: EngineLimits = DEFAULT_LIMITS,
    start: Start = LIGHT,
) -> Iterator[Desktop]:
    """With its window open; settings are written into the settings file first."""
    if settings:
        paths.config.mkdir(parents=True)
        paths.config_file.write_text(f"{{ {settings} }}")
    engine = Engine(paths, provider=provider, limits=limits)
    app = Desktop(qapp, engine, paths, start)
    app.begin(StartRequest.WINDOW)
    try:
        yield app
    finally:
        app.dispose()
        engine.close()
