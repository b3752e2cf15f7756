"""How the app was started, and what stands in for parts of the platform."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from scrubjay_desktop.app.start_request import StartRequest

if TYPE_CHECKING:
    from scrubjay.platform.power import IsOnBattery
    from scrubjay_desktop.platform.hotkey.hotkey import Hotkey
    from scrubjay_desktop.platform.tray import SystemTray
    from scrubjay_desktop.widgets.theme import ThemeChoice


class Start(Struct, frozen=True):
    """How the app was started."""

    request: StartRequest = StartRequest.WINDOW
    theme: ThemeChoice | None = None
    """Light or dark in place of the user's own choice; for screenshots."""
    hotkey: Hotkey | None = None
    """Hotkey in place of the platform's own; for tests."""
    is_on_battery: IsOnBattery | None = None
    """Function that tells whether the computer runs on battery, in place of the platform's own; for
    tests."""
    tray: SystemTray | None = None
    """Tray in place of the platform's own; for tests."""
    health_rest_ms: int = 3_000
    """Milliseconds from the last of several changes until the health page looks at them, so that
    learning many notes is looked at once, at its end."""
    unseen_health_rest_ms: int = 20_000
    """The same while only the number in the navigation is seen."""
