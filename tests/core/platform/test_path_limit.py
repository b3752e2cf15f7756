"""The longest path that Windows opens, and the switch of an administrator."""

from __future__ import annotations

from pathlib import Path, PureWindowsPath

import pytest

from scrubjay.platform.path_limit import LIMIT_KEY, LIMIT_NAME, SYSTEM_PATH_LIMIT, read_path_limit
from scrubjay.platform.windows_registry import Hive, WindowsRegistry
from support.platforms import IS_WINDOWS
from support.registry import KeptRegistry

NOTE = r"C:\notes" + "\\" + "n" * 248 + ".md"  # 260 letters
UNC = r"\\server\notes"


@pytest.mark.parametrize(
    ("value", "path", "refuses"),
    [
        (None, NOTE, True),
        (0, NOTE, True),
        (1, NOTE, False),
        (0, NOTE.replace("nn", "n", 1), False),
        (0, NOTE.replace("nn", "😀", 1), True),
        (0, f"\\\\?\\{NOTE}", False),
        (0, UNC + "\\" + "n" * 245, True),
    ],
)
def test_windows_opens_longer_paths_only_where_they_are_turned_on(
    value: int | None, path: str, *, refuses: bool
) -> None:
    registry = KeptRegistry()
    if value is not None:
        registry.values[LIMIT_KEY, LIMIT_NAME] = value
    assert len(NOTE) == 260
    limit = read_path_limit(registry)
    assert (limit is not None and limit.refuses(Path(path))) is refuses


def test_folders_are_listed_by_a_longer_path() -> None:
    limit = read_path_limit(KeptRegistry())
    assert limit is not None
    folder = PureWindowsPath(r"C:\notes", "n" * 246)
    assert len(str(folder)) == 255
    assert not limit.refuses(Path(str(folder)), is_folder=True)
    assert limit.refuses(Path(f"{folder}n"), is_folder=True)


@pytest.mark.skipif(IS_WINDOWS, reason="has that limit")
def test_other_systems_say_themselves_what_is_too_long() -> None:
    assert SYSTEM_PATH_LIMIT is None


@pytest.mark.skipif(not IS_WINDOWS, reason="reads the registry of Windows")
@pytest.mark.wine_fault("its registry has no settings of the file system")
def test_the_switch_is_found_in_the_registry_of_windows() -> None:
    keys = WindowsRegistry(Hive.MACHINE).keys(LIMIT_KEY.rpartition("\\")[0])
    assert "filesystem" in {key.lower() for key in keys}
