from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.platform.installation import removal_advice
from scrubjay.platform.paths import PORTABLE_FLAG


@pytest.mark.parametrize(
    ("program", "platform", "advice"),
    [
        (None, "linux", "pip uninstall scrubjay"),
        ("/usr/lib/scrubjay/scrubjay", "linux", "sudo apt remove scrubjay"),
        ("/opt/scrubjay/scrubjay", "linux", f"delete the folder {Path('/opt/scrubjay')}."),
        (
            "/A/Scrubjay.app/Contents/MacOS/scrubjay",
            "darwin",
            f"move {Path('/A/Scrubjay.app')} to the Trash",
        ),
        ("/programs/scrubjay/scrubjay.exe", "win32", "Installed apps"),
    ],
)
def test_the_way_to_remove_the_program_fits_how_it_was_installed(
    program: str | None, platform: str, advice: str
) -> None:
    file = Path(program) if program else None
    assert advice in removal_advice(file, platform=platform)


def test_a_portable_copy_on_windows_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / PORTABLE_FLAG).touch()
    removal = removal_advice(tmp_path / "scrubjay.exe", platform="win32")
    assert f"delete the folder {tmp_path}." in removal
