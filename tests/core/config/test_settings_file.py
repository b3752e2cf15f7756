"""The settings file is changed one value at a time, and never lost."""

import os
import stat
import sys
import threading
from pathlib import Path

import pytest

from scrubjay.config.loading import load_settings
from scrubjay.config.schema.settings import WorkspaceEntry
from scrubjay.config.settings_file import ConfigFile
from scrubjay.errors import ConfigError

FILE = """\
{
  // kept
  workspaces: [
    { path: "/first" }, // no id
    { id: "b", name: "B", path: "/b" },
  ],
  other: 'kept' /* too */,
}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "config.json5"
    file.write_text(FILE, encoding="utf-8")
    return file


def test_a_new_file_is_private_and_holds_the_value(tmp_path: Path) -> None:
    path = tmp_path / "new" / "config.json5"
    ConfigFile(path).set(["memorySearch", "query", "maxResults"], 9)
    assert load_settings(path).settings.memory_search.query.max_results == 9
    assert sys.platform == "win32" or stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_previous_text_and_the_mode_are_kept(path: Path) -> None:
    path.chmod(0o640)
    ConfigFile(path).set(["localOnly"], True)
    backup = path.with_name("config.json5.bak")
    assert backup.read_text(encoding="utf-8") == FILE
    assert path.read_text(encoding="utf-8") == FILE.replace(
        "/* too */,\n", "/* too */,\n  localOnly: true,\n"
    )
    assert sys.platform == "win32" or stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.parametrize("content", [None, "", "\n"])
def test_a_lost_file_is_written_anew_from_its_last_text(
    tmp_path: Path, content: str | None
) -> None:
    path, last = tmp_path / "config.json5", tmp_path / "last.json5"
    last.write_text("{\n  // mine\n  access: {read: 'deny'},\n}\n")
    if content is not None:
        path.write_text(content)
    ConfigFile(path, last).set(["localOnly"], True)
    assert "// mine" in path.read_text()
    assert load_settings(path).settings.access.read == "deny"
    assert load_settings(path).settings.local_only


def test_nothing_is_written_when_nothing_changes(path: Path) -> None:
    ConfigFile(path).set(["other"], "kept")
    ConfigFile(path).set(["other"], "new")
    before = path.stat().st_mtime_ns
    ConfigFile(path).set(["other"], "new")
    ConfigFile(path).remove(["nothing"])
    assert path.stat().st_mtime_ns == before


def test_workspaces_are_added_and_removed(path: Path) -> None:
    file = ConfigFile(path)
    file.add_workspace(WorkspaceEntry(id="c", name="C", path="/c"))
    assert [entry.id for entry in load_settings(path).settings.workspaces] == ["first", "b", "c"]
    file.remove_workspace("first")
    file.remove_workspace("unknown")
    file.remove_workspace("c")
    assert [entry.id for entry in load_settings(path).settings.workspaces] == ["b"]
    assert "// kept" in path.read_text(encoding="utf-8")


def test_added_and_removed_again_leaves_the_text_as_it_was(path: Path) -> None:
    ConfigFile(path).add_workspace(WorkspaceEntry(id="c", name="C", path="/c"))
    ConfigFile(path).remove_workspace("c")
    assert path.read_text(encoding="utf-8") == FILE


def test_an_id_is_used_once(path: Path) -> None:
    with pytest.raises(ConfigError, match="already in the list"):
        ConfigFile(path).add_workspace(WorkspaceEntry(id="first", path="/c"))


@pytest.mark.parametrize(
    ("text", "home"),
    [
        ("{}", ("memorySearch",)),
        ("{agents: {defaults: {memorySearch: {}}}}", ("agents", "defaults", "memorySearch")),
        ("{memory: {search: {}}, memorySearch: {}}", ("memory", "search")),
    ],
)
def test_a_memory_search_key_goes_where_it_counts(
    path: Path, text: str, home: tuple[str, ...]
) -> None:
    path.write_text(text, encoding="utf-8")
    ConfigFile(path).set_memory_search(["query", "maxResults"], 9)
    loaded = load_settings(path)
    found = loaded.raw
    for step in home:
        found = found[step]
    assert found == {"query": {"maxResults": 9}}
    assert loaded.settings.memory_search.query.max_results == 9


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{a: 1", "config\\.json5 has a mistake: line 1, column 6: .*in a text editor"),
        (b"[]", "is not a settings file"),
        (b"\xff\xfe{}", "characters that Scrubjay cannot read"),
        (b"{memorySearch: 5}", "has an unexpected value in memorySearch"),
        (b"{workspaces: {}}", "has an unexpected value in workspaces"),
    ],
)
def test_a_file_that_is_not_understood_is_not_touched(
    path: Path, content: bytes, message: str
) -> None:
    path.write_bytes(content)
    file = ConfigFile(path)
    with pytest.raises(ConfigError, match=message):  # noqa: PT012
        file.set(["memorySearch", "model"], "m")
        file.add_workspace(WorkspaceEntry(id="c", path="/c"))
    assert not path.with_name("config.json5.bak").exists() or b"workspaces" in content


@pytest.mark.needs("named pipes")
def test_a_pipe_in_place_of_the_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "config.json5")
    with pytest.raises(ConfigError, match="not a settings file"):
        ConfigFile(tmp_path / "config.json5").set(("localOnly",), True)


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="Scrubjay cannot write to"):
        ConfigFile(tmp_path / "file" / "config.json5").set(["a"], 1)


@pytest.mark.needs("links")
def test_a_linked_file_stays_a_link(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "elsewhere.json5"
    link.symlink_to(path)
    ConfigFile(link).set(["localOnly"], True)
    assert link.is_symlink()
    assert load_settings(path).settings.local_only


def test_bom_and_line_ends_are_kept(path: Path) -> None:
    path.write_bytes(b"\xef\xbb\xbf{\r\n  a: 1,\r\n}\r\n")
    ConfigFile(path).set(["b"], 2)
    assert path.read_bytes() == b"\xef\xbb\xbf{\r\n  a: 1,\r\n  b: 2,\r\n}\r\n"


def test_writers_at_the_same_time_lose_nothing(path: Path) -> None:
    entries = [WorkspaceEntry(id=f"w{n}", path=f"/w{n}") for n in range(12)]
    threads = [
        threading.Thread(target=ConfigFile(path).add_workspace, args=(entry,)) for entry in entries
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {entry.id for entry in load_settings(path).settings.workspaces} >= {
        e.id for e in entries
    }
    # Windows deletes the file of the lock with the lock.
    left = {entry.name for entry in path.parent.iterdir()} - {".config.json5.lock"}
    assert left == {"config.json5", "config.json5.bak"}


def test_a_block_without_braces_can_be_edited(tmp_path: Path) -> None:
    file = tmp_path / "config.json5"
    file.write_text("// theirs\nmemorySearch: {\n  query: { maxResults: 4 },\n}\n")
    ConfigFile(file).set(["localOnly"], True)
    settings = load_settings(file).settings
    assert (settings.local_only, settings.memory_search.query.max_results) == (True, 4)
    assert "// theirs" in file.read_text()


OF_AGENTS = """{
  agents: {
    defaults: { workspace: "/main" },
    list: [{ id: "main" }, { id: "work", workspace: "/work" }, { id: "more", workspace: "/more" }],
  },
}
"""


@pytest.mark.needs("POSIX paths")
def test_a_folder_that_a_block_names_can_be_removed_and_changed(tmp_path: Path) -> None:
    path = tmp_path / "config.json5"
    path.write_text(OF_AGENTS)
    file = ConfigFile(path)
    file.remove_workspace("work")
    file.change_workspace(WorkspaceEntry(id="more", name="More", path="/moved", layout="agent"))
    listed = load_settings(path).settings.workspaces
    assert {(entry.id, str(entry.root)) for entry in listed} == {
        ("main", "/main"),
        ("more", "/moved"),
    }
    file.remove_workspace("main")
    assert [entry.id for entry in load_settings(path).settings.workspaces] == ["more"]


def test_a_folder_of_the_list_does_not_come_back_from_a_block(tmp_path: Path) -> None:
    path = tmp_path / "config.json5"
    path.write_text(OF_AGENTS.replace("{", '{ workspaces: [{ id: "w", path: "/work" }],', 1))
    ConfigFile(path).remove_workspace("w")
    assert [entry.id for entry in load_settings(path).settings.workspaces] == ["more", "main"]


@pytest.mark.parametrize("comes_back", [True, False])
def test_an_edit_waits_until_an_empty_file_has_settled(
    tmp_path: Path, path: Path, *, comes_back: bool
) -> None:
    last = tmp_path / "last.json5"
    ConfigFile(path, last).set(["localOnly"], True)
    before = path.read_text(encoding="utf-8")
    path.write_text("{}")
    back = threading.Timer(0.2, path.write_text, [before if comes_back else "{ }"])
    back.start()
    ConfigFile(path, last).set(["recall", "deadlineMs"], 1_500)
    back.join()
    loaded = load_settings(path, last)
    assert loaded.settings.recall.deadline_ms == 1_500
    assert loaded.settings.local_only is comes_back
    assert len(loaded.settings.workspaces) == (2 if comes_back else 0)


def test_what_an_edit_leaves_counts_at_once(tmp_path: Path) -> None:
    path, last = tmp_path / "config.json5", tmp_path / "last.json5"
    file = ConfigFile(path, last)
    file.set(["localOnly"], True)
    file.remove(["localOnly"])
    assert not load_settings(path, last).settings.local_only
