"""The publisher's side of the update check, against the app's."""

from __future__ import annotations

import datetime as dt
import json
import stat
from pathlib import Path

import pytest

import releases
import versions
from scrubjay.errors import UpdateRefused
from scrubjay.updates.manifest import opened

PAGE = "https://example.org/scrubjay"


@pytest.fixture
def key(tmp_path: Path) -> Path:
    file = tmp_path / "key.pem"
    assert releases.main(["new-key", str(file)]) == 0
    return file


def raw(key: Path) -> bytes:
    return releases.private(key).public_key().public_bytes_raw()


def read(file: Path, key: Path):
    return opened(file.read_bytes(), [raw(key)], dt.datetime.now(dt.UTC))


def test_a_key_is_its_owners_alone_and_never_written_over(key: Path) -> None:
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    before = key.read_bytes()
    with pytest.raises(FileExistsError):
        releases.new_key(key)
    assert key.read_bytes() == before


def test_the_app_believes_a_list_that_was_signed(tmp_path: Path, key: Path) -> None:
    file = tmp_path / "releases.json"
    assert releases.main(["add", str(file), PAGE, "Finds more, más.", str(key)]) == 0
    newest = read(file, key).newest
    assert newest is not None
    assert (newest.version, newest.page) == (versions.version(), PAGE)
    assert newest.summary == "Finds more, más."


def test_a_list_grows_and_says_each_version_once(
    tmp_path: Path, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "releases.json"
    for version in ("1.0", "1.1", "1.1"):
        monkeypatch.setattr(versions, "version", lambda version=version: version)
        releases.add(file, PAGE, "", [releases.private(key)])
    found = read(file, key)
    assert found.sequence == 3
    assert [one.version for one in found.releases] == ["1.1", "1.0"]


def test_two_signatures_carry_people_over_a_change_of_keys(tmp_path: Path, key: Path) -> None:
    file, new = tmp_path / "releases.json", tmp_path / "new.pem"
    releases.new_key(new)
    releases.add(file, PAGE, "", [releases.private(key)])
    releases.add(file, PAGE, "", [releases.private(key), releases.private(new)])
    assert read(file, key).sequence == read(file, new).sequence == 2


def test_a_list_of_somebody_else_is_not_gone_on_with(tmp_path: Path, key: Path) -> None:
    file, strange = tmp_path / "releases.json", tmp_path / "strange.pem"
    releases.new_key(strange)
    releases.add(file, PAGE, "", [releases.private(strange)])
    with pytest.raises(UpdateRefused):
        releases.add(file, PAGE, "", [releases.private(key)])


def test_an_address_that_the_app_refuses_is_not_published(tmp_path: Path, key: Path) -> None:
    file = tmp_path / "releases.json"
    with pytest.raises(UpdateRefused):
        releases.add(file, "http://example.org", "", [releases.private(key)])
    assert not file.exists()


def test_a_build_without_a_key_says_that_the_check_is_off(capsys, key: Path) -> None:
    assert releases.main(["state"]) == 0
    assert "off" in capsys.readouterr().out
    shipped = json.loads((releases.versions.ROOT / "resources/updates.json").read_text())
    assert shipped == {"address": "", "keys": []}


def test_what_is_printed_for_a_new_key_is_what_the_app_reads(capsys, tmp_path: Path) -> None:
    file = tmp_path / "key.pem"
    releases.main(["new-key", str(file)])
    printed = capsys.readouterr().out.split('"')[-2]
    assert releases.public(releases.private(file)) == printed


def test_wrong_usage_is_explained(capsys) -> None:
    assert releases.main(["publish"]) == 2
    assert "releases.py add" in capsys.readouterr().err
