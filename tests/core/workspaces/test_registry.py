"""The list of workspaces."""

from __future__ import annotations

import json
import os
import threading
import unicodedata
from pathlib import Path

import pytest
from msgspec.structs import replace

from scrubjay.errors import WorkspaceMissing
from scrubjay.platform.file_names import file_name_key, is_portable_name
from scrubjay.platform.paths import Paths
from scrubjay.records.conversation import Conversation
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.workspaces.registry import Registry
from support.vault import write_notes


@pytest.fixture
def registry(paths: Paths) -> Registry:
    return Registry(paths)


def test_a_folder_is_put_on_the_list_and_in_the_settings(
    registry: Registry, paths: Paths, notes: Path
) -> None:
    added = registry.add(notes, "My notes")
    assert (added.name, added.root) == ("My notes", notes)
    assert Registry(paths).records() == registry.records() == (added.record,)


def test_settings_that_vanish_leave_the_last_ones_in_force_also_after_a_restart(
    registry: Registry, paths: Paths, notes: Path
) -> None:
    added = registry.add(notes)
    paths.config_file.unlink()
    registry.reload()
    for each in (registry, Registry(paths)):
        assert each.records() == (added.record,)
        assert "continues to use the previous settings" in each.loaded.problems[0].reason
    other = registry.add(write_notes(notes.parent / "other", {"a.md": "x"}))
    assert Registry(paths).records() == (added.record, other.record)
    assert not Registry(paths).loaded.problems


def test_the_settings_keep_their_comments(registry: Registry, paths: Paths, notes: Path) -> None:
    write_notes(paths.config, {"config.json5": "{\n  // mine\n  localOnly: true,\n}\n"})
    registry.reload()
    registry.add(notes)
    assert "// mine" in paths.config_file.read_text()
    assert registry.loaded.settings.local_only


def test_folders_of_the_same_name_get_different_ids(registry: Registry, tmp_path: Path) -> None:
    added = [registry.add(write_notes(tmp_path / n / "notes", {"a.md": "x"})) for n in "abc"]
    assert len({workspace.id for workspace in added}) == 3
    assert all(registry.get(workspace.id) is workspace for workspace in added)
    assert len({workspace.index_file for workspace in added}) == 3


@pytest.mark.needs("odd names")
@pytest.mark.parametrize("name", ["Con", "aux.notes", "COM¹"])
def test_a_folder_named_as_a_device_of_windows_has_files_of_another_name(
    registry: Registry, tmp_path: Path, name: str
) -> None:
    added = registry.add(write_notes(tmp_path / name, {"a.md": "x"}))
    assert added.name == name
    assert is_portable_name(added.id)
    assert is_portable_name(added.index_file.name)


@pytest.mark.needs("odd names")
def test_a_written_id_stays_where_rules_name_it(paths: Paths, notes: Path) -> None:
    entry = {"id": "con", "path": str(notes)}
    write_notes(paths.config, {"config.json5": json.dumps({"workspaces": [entry]})})
    assert [each.id for each in Registry(paths).records()] == ["con"]


@pytest.mark.needs("letter case")
def test_folders_whose_accents_differ_in_form_get_different_ids(
    registry: Registry, tmp_path: Path
) -> None:
    forms = [unicodedata.normalize(form, "Café") for form in ("NFC", "NFD")]
    added = [registry.add(write_notes(tmp_path / name, {"a.md": "x"})) for name in forms]
    assert len({file_name_key(workspace.id) for workspace in added}) == 2


@pytest.mark.parametrize("spelling", ["{0}", "{0}/", "{0}/../notes", "{0}/."])
def test_a_folder_is_known_by_any_spelling(registry: Registry, notes: Path, spelling: str) -> None:
    added = registry.add(notes)
    assert registry.named(spelling.format(notes)) == added
    assert registry.add(Path(spelling.format(notes))) == added


def test_a_name_an_id_and_a_relative_folder_are_known(
    registry: Registry, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    added = registry.add(notes, "My notes")
    monkeypatch.chdir(notes.parent)
    for named in ("My notes", added.id, "notes", "./notes"):
        assert registry.named(named) == added


@pytest.mark.parametrize("name", ["", "nobody", "/", "\0", "\ud800", "~nobody/x", "x" * 9999])
def test_nobody_is_missing(registry: Registry, notes: Path, name: str) -> None:
    registry.add(notes)
    with pytest.raises(WorkspaceMissing, match="has not been added"):
        registry.named(name)


@pytest.mark.needs("odd names")
def test_a_folder_whose_name_is_no_text_is_refused(registry: Registry, tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    with pytest.raises(WorkspaceMissing, match="characters that Scrubjay cannot read"):
        registry.add(folder)
    assert registry.all() == ()


def test_a_file_is_no_folder(registry: Registry, notes: Path) -> None:
    with pytest.raises(WorkspaceMissing):
        registry.add(notes / "garden.md")


def test_a_guest_has_its_index_in_the_cache(registry: Registry, paths: Paths, notes: Path) -> None:
    guest = registry.guest(notes)
    assert guest.index_file.is_relative_to(paths.cache)
    assert registry.get(guest.id) == guest
    assert registry.all() == ()
    assert registry.guest(notes) == guest


def test_a_listed_folder_is_no_guest(registry: Registry, notes: Path) -> None:
    added = registry.add(notes)
    assert registry.guest(notes) == added


def test_an_index_may_be_kept_elsewhere(paths: Paths, notes: Path, tmp_path: Path) -> None:
    folder = (tmp_path / "i").as_posix()
    write_notes(
        paths.config,
        {"config.json5": f'{{memorySearch: {{store: {{path: "{folder}/{{agentId}}.db"}}}}}}'},
    )
    registry = Registry(paths)
    added = registry.add(notes)
    assert added.index_file == tmp_path / "i" / f"{added.id}.db"


def test_removing_takes_one_off_the_list(registry: Registry, notes: Path, tmp_path: Path) -> None:
    added = registry.add(notes)
    kept = registry.add(write_notes(tmp_path / "kept", {"a.md": "x"}))
    registry.remove(added)
    assert registry.all() == (kept,)
    with pytest.raises(WorkspaceMissing):
        registry.remove(added)


def test_a_part_of_a_folder_is_not_searched_twice(registry: Registry, notes: Path) -> None:
    write_notes(notes, {"recipes/bread.md": "Flour.\n", "recipes/old/cake.md": "Eggs.\n"})
    whole = registry.add(notes)
    with pytest.raises(WorkspaceMissing, match=r"already searches.*in the folder notes"):
        registry.add(notes / "recipes")
    registry.change(replace(whole.record, left_out=("recipes",)))
    assert registry.add(notes / "recipes" / "old").name == "old"
    assert registry.add(notes / "recipes").record.left_out == ("old",)


def test_a_folder_that_is_read_as_part_of_another_is_searched(
    registry: Registry, notes: Path
) -> None:
    write_notes(notes, {"recipes/bread.md": "Flour.\n", ".agent/memories/tea.md": "Tea.\n"})
    assert not registry.searches(notes)
    whole = registry.add(notes)
    assert registry.searches(notes)
    assert registry.searches(notes / "recipes")
    # Folders whose names begin with a dot are not read, so they can be added by themselves.
    assert not registry.searches(notes / ".agent" / "memories")
    registry.change(replace(whole.record, hidden_folders=True, left_out=("recipes",)))
    assert registry.searches(notes / ".agent" / "memories")
    assert not registry.searches(notes / "recipes")


def test_a_hidden_folder_of_a_folder_can_be_added(registry: Registry, notes: Path) -> None:
    registry.add(notes)
    hidden = write_notes(notes / ".agent" / "memories", {"tea.md": "Tea.\n"})
    assert registry.add(hidden).root == hidden


def test_a_folder_around_others_leaves_them_to_themselves(registry: Registry, notes: Path) -> None:
    registry.add(write_notes(notes / "agents" / "bot", {"MEMORY.md": "Tea.\n"}))
    registry.add(write_notes(notes / "recipes", {"bread.md": "Flour.\n"}))
    assert set(registry.add(notes).record.left_out) == {"agents/bot", "recipes"}


def test_a_folder_that_is_moved_is_left_out_where_it_is_now(
    registry: Registry, notes: Path, tmp_path: Path
) -> None:
    recipes = registry.add(write_notes(notes / "recipes", {"bread.md": "Flour.\n"}))
    whole = registry.add(notes)
    for place, left_out in [
        (notes / "kitchen" / "meals", ("kitchen/meals",)),
        (tmp_path / "meals", ()),
        (notes / "meals", ("meals",)),
    ]:
        registry.change(replace(recipes.record, root=place))
        assert registry.get(whole.id).record.left_out == left_out


def test_an_agents_memory_that_is_read_twice_stays_so_when_it_is_moved(
    registry: Registry, notes: Path
) -> None:
    whole = registry.add(notes)
    bot = registry.add(write_notes(notes / "bot", {"MEMORY.md": "Tea.\n"}))
    registry.change(replace(bot.record, root=notes / "helper"))
    assert registry.get(whole.id).record.left_out == ()


def test_a_folder_that_is_forgotten_belongs_to_the_one_around_it(
    registry: Registry, notes: Path
) -> None:
    recipes = registry.add(write_notes(notes / "recipes", {"bread.md": "Flour.\n"}))
    registry.add(write_notes(notes / "plans", {"trip.md": "Lisbon.\n"}))
    registry.add(notes)
    registry.remove(recipes)
    assert registry.all()[-1].record.left_out == ("plans",)


def test_an_agents_memory_inside_of_notes_has_its_own_rules(
    registry: Registry, notes: Path
) -> None:
    registry.add(notes)
    assert (
        registry.add(write_notes(notes / "bot", {"MEMORY.md": "Tea.\n"})).record.layout == "agent"
    )


@pytest.mark.parametrize("layout", ["notes", ""])
def test_a_memory_that_is_off_is_not_read_as_part_of_the_folder_around_it(
    registry: Registry, paths: Paths, notes: Path, layout: str
) -> None:
    agents = """{{agents: {{list: [{{id: "bot", workspace: "{0}/bot", memorySearch: {{{1}}}}}]}},
        workspaces: [{{id: "all", path: "{0}", layout: "{2}"}}]}}"""
    for switch, left_out in (("enabled: false", ("bot",)), ("", ())):
        write_notes(paths.config, {"config.json5": agents.format(notes.as_posix(), switch, layout)})
        registry.reload()
        assert registry.get(WorkspaceId("all")).record.left_out == left_out


@pytest.mark.parametrize("layout", ["notes", "agent", ""])
def test_a_memory_that_has_to_be_named_is_not_read_as_part_of_the_folder_around_it(
    registry: Registry, paths: Paths, notes: Path, layout: str
) -> None:
    workspaces = """{{workspaces: [{{id: "all", path: "{0}", layout: "{2}"}},
        {{id: "bot", path: "{0}/bot", layout: "agent", searched: "{1}"}}]}}"""
    for searched, left_out in (("named", ("bot",)), ("always", ())):
        settings = workspaces.format(notes.as_posix(), searched, layout)
        write_notes(paths.config, {"config.json5": settings})
        registry.reload()
        assert registry.get(WorkspaceId("all")).record.left_out == left_out


def test_a_folder_without_a_layout_is_not_read_as_part_of_the_one_around_it(
    registry: Registry, paths: Paths, notes: Path
) -> None:
    settings = f"""{{workspaces: [{{id: "all", path: "{notes.as_posix()}"}},
        {{id: "diary", path: "{notes.as_posix()}/diary"}}]}}"""
    write_notes(paths.config, {"config.json5": settings})
    registry.reload()
    assert registry.get(WorkspaceId("all")).record.left_out == ("diary",)


def test_a_folder_that_is_searched_once_keeps_what_is_off_closed(
    registry: Registry, paths: Paths, notes: Path
) -> None:
    write_notes(notes, {"bot/MEMORY.md": "Tea.\n", "bot/memory/a.md": "Coffee.\n"})
    settings = f"""{{agents: {{list: [
        {{id: "bot", workspace: "{notes.as_posix()}/bot", memorySearch: {{enabled: false}}}}]}}}}"""
    write_notes(paths.config, {"config.json5": settings})
    registry.reload()
    around = registry.guest(notes)
    assert around.record.left_out == ("bot",)
    inside = registry.guest(notes / "bot" / "memory")
    assert inside.off_key
    write_notes(paths.config, {"config.json5": settings.replace("false", "true")})
    registry.reload()
    assert not inside.off_key
    assert around.record.left_out == ()


def test_a_folder_that_is_turned_off_is_closed_to_one_that_is_open_already(
    registry: Registry, paths: Paths, notes: Path
) -> None:
    around = registry.guest(write_notes(notes, {"bot/MEMORY.md": "Tea.\n"}))
    settings = f"""{{agents: {{list: [
        {{id: "bot", workspace: "{notes.as_posix()}/bot", memorySearch: {{enabled: true}}}}]}}}}"""
    for switch, left_out in (("true", ()), ("false", ("bot",)), ("true", ())):
        write_notes(paths.config, {"config.json5": settings.replace("true", switch)})
        registry.reload()
        assert around.record.left_out == left_out
        assert around.status.workspace == around.record


def test_one_store_path_for_two_workspaces_gives_two_indexes(
    registry: Registry, paths: Paths, tmp_path: Path
) -> None:
    shared = tmp_path / "index.sqlite"
    settings = f'{{memorySearch: {{store: {{path: "{shared.as_posix()}"}}}}}}'
    write_notes(paths.config, {"config.json5": settings})
    registry.reload()
    first, second = (registry.add(write_notes(tmp_path / n, {"a.md": "x"})) for n in "ab")
    assert first.index_file == shared
    assert second.index_file == tmp_path / "index-b.sqlite"


def test_agents_that_share_a_folder_recall_its_transcripts(
    registry: Registry, paths: Paths, tmp_path: Path
) -> None:
    both = write_notes(tmp_path / "both", {"MEMORY.md": "Tea.\n"})
    own = write_notes(tmp_path / "own", {"MEMORY.md": "Coffee.\n"})
    agents = ", ".join(
        f'{{id: "{name}", workspace: "{folder.as_posix()}"}}'
        for name, folder in (("alice", both), ("bob", both), ("carol", own), ("Dan", both))
    )
    write_notes(paths.config, {"config.json5": f"{{agents: {{list: [{agents}]}}}}"})
    registry.reload()
    assert [each.id for each in registry.all()] == ["alice", "carol"]
    recalled = {
        name: {*registry.recalled_in(Conversation(f"agent:{name}:main"))}
        for name in ("alice", "bob", "carol", "dan", "eve")
    }
    assert recalled == {
        "alice": {"alice"},
        "bob": {"alice"},
        "carol": {"carol"},
        "dan": {"alice"},
        "eve": set(),
    }


def test_settings_of_the_first_agent_hold_for_a_folder_that_several_share(
    registry: Registry, paths: Paths, tmp_path: Path
) -> None:
    both = write_notes(tmp_path / "both", {"MEMORY.md": "Tea.\n"})
    agents = (
        f'{{id: "alice", workspace: "{both.as_posix()}"}}, '
        f'{{id: "bob", workspace: "{both.as_posix()}", memorySearch: {{enabled: false}}}}'
    )
    write_notes(paths.config, {"config.json5": f"{{agents: {{list: [{agents}]}}}}"})
    registry.reload()
    assert [each.off_key for each in registry.all()] == [""]


def test_a_new_folder_that_is_off_never_looks_on(
    registry: Registry, paths: Paths, tmp_path: Path
) -> None:
    agents = ", ".join(
        f'{{id: "a{n}", workspace: "{tmp_path.as_posix()}/{n}", memorySearch: {{enabled: false}}}}'
        for n in range(60)
    )
    write_notes(paths.config, {"config.json5": f"{{agents: {{list: [{agents}]}}}}"})
    seen: set[str] = set()
    ended = threading.Event()

    def look() -> None:
        while not ended.is_set():
            seen.update(each.id for each in registry.readable())

    looking = threading.Thread(target=look)
    looking.start()
    registry.reload()
    ended.set()
    looking.join()
    assert len(registry.all()) == 60
    assert seen == set()
