"""What the controllers and pages of the app work with."""

from __future__ import annotations

from msgspec import Struct

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay_desktop.bridge.bridge import EventBridge, Tasks
from scrubjay_desktop.bridge.engine_feed import StatusFeed
from scrubjay_desktop.preview.open_external import Opener
from scrubjay_desktop.settings.preferences import Preferences
from scrubjay_desktop.windows.main_window import MainWindow


class Ui(Struct, frozen=True, kw_only=True):
    """The parts that the app has from its first moment on."""

    engine: Engine
    bridge: EventBridge
    """Source of the engine's events."""
    feed: StatusFeed
    tasks: Tasks
    preferences: Preferences
    opener: Opener
    window: MainWindow
    life: CancelToken
    """Token that is cancelled when the app quits."""
