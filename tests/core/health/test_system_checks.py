"""What is around the notes: the parts that a check-up of real folders does not meet."""

from __future__ import annotations

import sys
from pathlib import Path

import keyring
import keyring.backend
import keyring.errors
import pytest

from scrubjay.engine.engine import Engine
from scrubjay.health.checkup import check_watches
from scrubjay.health.findings import FindingKind
from scrubjay.notes.inotify_limits import folder_count
from scrubjay.platform.paths import Paths
from support.secret_service import keyring_variables
from support.vault import TIMEOUT, write_notes


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts what is watched")
@pytest.mark.parametrize(
    ("folders", "limit", "found"),
    [(9, "8\n", [{"limit": 8, "folders": 9}]), (8, "8\n", []), (9, "no number", []), (9, None, [])],
)
def test_more_folders_than_the_system_lets_watch_are_told(
    tmp_path: Path, folders: int, limit: str | None, found: list[dict[str, int]]
) -> None:
    file = tmp_path / "max_user_watches"
    if limit is not None:
        file.write_text(limit)
    findings = list(check_watches(folders, file))
    assert [finding.values for finding in findings] == found
    assert all(finding.kind is FindingKind.WATCH_LIMIT for finding in findings)


def test_folders_that_are_never_searched_are_watched_and_counted(tmp_path: Path) -> None:
    (tmp_path / "garden/node_modules/left-pad").mkdir(parents=True)
    assert folder_count(tmp_path, lambda: None) == 4


def test_a_person_who_refused_the_keychain_is_not_asked_by_each_check(tmp_path: Path) -> None:
    asked: list[str] = []

    class Vault(keyring.backend.KeyringBackend):
        priority = 1  # type: ignore[assignment]

        def get_password(self, service: str, username: str) -> str | None:
            asked.append(service)
            raise keyring.errors.KeyringLocked("Failed to unlock the collection!")

        def set_password(self, service: str, username: str, password: str) -> None:
            asked.append(service)

    home = tmp_path / "refused"
    settings = '{memorySearch: {provider: "openai"}}'
    write_notes(home, {"config.json5": settings, "state/keys.json": '{"openai": "cdef"}'})
    engine = Engine(Paths.under(home))
    with keyring_variables({}):
        keyring.set_keyring(Vault())
        for _ in range(2):
            found = engine.health.check().result(TIMEOUT).findings
            [finding] = [each for each in found if each.kind is FindingKind.KEYCHAIN]
            assert "keychain is locked" in str(finding.values["reason"])
    engine.close()
    assert len(asked) == 1
