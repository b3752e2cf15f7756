from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.platform.installation import removal_advice, temporary_place
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


@pytest.mark.parametrize(
    ("app", "is_temporary"),
    [
        ("/private/var/folders/x7/abc/T/AppTranslocation/1F9B-44/d/Scrubjay.app", True),
        ("/Applications/Scrubjay.app", False),
        ("/Volumes/stick/AppTranslocation of 2016/Scrubjay.app", False),
    ],
)
def test_a_mac_runs_an_app_that_was_not_moved_from_a_temporary_folder(
    app: str, is_temporary: bool
) -> None:
    program = Path(app) / "Contents" / "MacOS" / "scrubjay"
    assert (temporary_place(program) is not None) == is_temporary
