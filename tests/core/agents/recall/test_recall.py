"""Reminding, capturing, reviewing and forgetting, over real notes."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from scrubjay.agents.recall.forgettable_lines import SourceLine, certain_match
from scrubjay.agents.recall.hook_input import HookInput
from scrubjay.agents.recall.recall import SwitchedOff
from scrubjay.engine.engine import Engine
from scrubjay.errors import NoteRefused, QueryError
from scrubjay.events import CapturesChanged
from scrubjay.records.note_records import Workspace
from support.providers import HungProvider, WordProvider
from support.vault import TIMEOUT, Announcements, NewEngine, add, write_notes


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    return write_notes(
        tmp_path / "agent",
        {
            "MEMORY.md": "# Memory\n\n- The spare key is under the pot.\n- Ana likes green tea.\n",
            "memory/2026-11-20.md": "# 2026-11-20\n\n- The router hums at night.\n",
        },
    )


def capturing(engine: Engine, how: str) -> None:
    engine.paths.config_file.parent.mkdir(parents=True, exist_ok=True)
    text = engine.paths.config_file.read_text() if engine.paths.config_file.exists() else "{}"
    engine.paths.config_file.write_text(text.replace("{", f'{{recall: {{capture: "{how}"}},', 1))


@pytest.fixture
def reviewing(new_engine: NewEngine, memory: Path) -> tuple[Engine, Workspace]:
    """An engine that captures for review, with the memory indexed."""
    capturing(new_engine(), "review")
    return _indexed(new_engine(), memory)


def _indexed(engine: Engine, memory: Path) -> tuple[Engine, Workspace]:
    workspace = add(engine, memory)
    engine.refresh(workspace).result(TIMEOUT)
    return engine, workspace


def today(memory: Path) -> str:
    file = memory / "memory" / f"{dt.date.today().isoformat()}.md"
    return file.read_text() if file.exists() else ""


def test_a_prompt_brings_the_note_that_fits(reviewing: tuple[Engine, Workspace]) -> None:
    engine, workspace = reviewing

    def reminded(prompt: str, *among: str) -> str:
        return (
            engine.recall.remind(HookInput(prompt=prompt), frozenset(among), 10)
            .result(TIMEOUT)
            .block
        )

    block = reminded("where is the spare key?")
    assert "MEMORY.md#L" in block
    assert "under the pot" in block
    assert reminded("where is the spare key?", workspace.id) == block
    assert reminded("where is the spare key?", "another") == ""
    assert reminded("key?") == ""
    assert reminded("quantum chromodynamics") == ""


def test_a_model_that_never_answers_leaves_the_words(new_engine: NewEngine, memory: Path) -> None:
    engine, _ = _indexed(new_engine(), memory)
    engine.close()
    engine = new_engine(HungProvider())
    reminder = engine.recall.remind(HookInput(prompt="spare key pot"), frozenset(), 0.5).result(
        TIMEOUT
    )
    assert "under the pot" in reminder.block


def test_nothing_is_captured_until_it_is_switched_on(engine: Engine, memory: Path) -> None:
    workspace = add(engine, memory)
    with pytest.raises(SwitchedOff, match=r"Keep what I tell agents"):
        engine.recall.capture(workspace, ["I prefer window seats"]).result(TIMEOUT)


def test_what_is_worth_keeping_waits_and_a_yes_writes_it(
    reviewing: tuple[Engine, Workspace], memory: Path
) -> None:
    engine, workspace = reviewing
    heard = Announcements(engine)
    said = ["hello there", "I prefer\nwindow seats", "We decided on Lisbon in May"]
    added = engine.recall.capture(workspace, said).result(TIMEOUT)
    assert [(captured.text, str(captured.category)) for captured in added] == [
        ("I prefer window seats", "preference"),
        ("We decided on Lisbon in May", "decision"),
    ]
    assert engine.recall.captured().result(TIMEOUT) == added
    assert today(memory) == ""
    assert engine.recall.accept(added[0].id).result(TIMEOUT).text == "- I prefer window seats"
    assert engine.recall.refuse(added[1].id).result(TIMEOUT)
    assert today(memory).count("I prefer window seats") == 1
    assert "Lisbon" not in today(memory)
    assert engine.recall.captured().result(TIMEOUT) == ()
    assert len(heard.of(CapturesChanged)) == 3
    with pytest.raises(QueryError):
        engine.recall.accept(added[0].id).result(TIMEOUT)


def test_nothing_is_proposed_twice_nor_what_the_notes_say_already(
    reviewing: tuple[Engine, Workspace],
) -> None:
    engine, workspace = reviewing
    assert len(engine.recall.capture(workspace, ["I want a red bike"]).result(TIMEOUT)) == 1
    again = ["i want a RED  bike", "Remember: I want a red bike!", "Ana likes green tea"]
    assert engine.recall.capture(workspace, again).result(TIMEOUT) == ()
    assert engine.recall.capture(workspace, ["Remember I want a red bike"]).result(TIMEOUT) == ()


def test_two_facts_of_one_message_are_two_entries(reviewing: tuple[Engine, Workspace]) -> None:
    engine, workspace = reviewing
    said = "Remember that my bike is at Cyclo Norte until Friday. I prefer tea over coffee."
    added = engine.recall.capture(workspace, [said]).result(TIMEOUT)
    assert [(captured.text, str(captured.category)) for captured in added] == [
        ("My bike is at Cyclo Norte until Friday.", "fact"),
        ("I prefer tea over coffee.", "preference"),
    ]
    # Neither the message nor a part of it is proposed again.
    again = [said, "I prefer tea over coffee."]
    assert engine.recall.capture(workspace, again).result(TIMEOUT) == ()


def test_facts_beyond_three_wait_for_the_next_run(reviewing: tuple[Engine, Workspace]) -> None:
    engine, workspace = reviewing
    fruits = ("apples", "bananas", "cherries", "dates")
    said = " ".join(f"I love {fruit} above everything." for fruit in fruits)
    assert len(engine.recall.capture(workspace, [said]).result(TIMEOUT)) == 3
    [left] = engine.recall.capture(workspace, [said]).result(TIMEOUT)
    assert left.text == "I love apples above everything."


def test_at_most_three_a_run_the_newest_first(reviewing: tuple[Engine, Workspace]) -> None:
    engine, workspace = reviewing
    fruits = ("apples", "bananas", "cherries", "dates", "elderberries")
    said = [f"I love {fruit} above everything" for fruit in fruits]
    first = engine.recall.capture(workspace, said).result(TIMEOUT)
    assert [captured.text.split()[2] for captured in first] == ["cherries", "dates", "elderberries"]
    second = engine.recall.capture(workspace, said).result(TIMEOUT)
    assert [captured.text.split()[2] for captured in second] == ["apples", "bananas"]


def test_automatic_capture_writes_at_once(new_engine: NewEngine, memory: Path) -> None:
    capturing(new_engine(), "automatic")
    engine, workspace = _indexed(new_engine(), memory)
    engine.recall.capture(workspace, ["I prefer window seats"]).result(TIMEOUT)
    assert "- I prefer window seats\n" in today(memory)
    assert engine.recall.captured().result(TIMEOUT) == ()


@pytest.mark.needs("POSIX modes")
def test_a_yes_that_cannot_be_written_stays_on_the_list(
    reviewing: tuple[Engine, Workspace], memory: Path
) -> None:
    engine, workspace = reviewing
    [captured] = engine.recall.capture(workspace, ["I prefer window seats"]).result(TIMEOUT)
    (memory / "memory").chmod(0o555)
    assert engine.recall.accept(captured.id).exception(TIMEOUT)
    (memory / "memory").chmod(0o755)
    assert engine.recall.captured().result(TIMEOUT) == (captured,)
    engine.recall.accept(captured.id).result(TIMEOUT)
    assert "window seats" in today(memory)


def test_a_removed_workspace_leaves_nothing_on_the_list(
    reviewing: tuple[Engine, Workspace],
) -> None:
    engine, workspace = reviewing
    engine.recall.capture(workspace, ["I prefer window seats"]).result(TIMEOUT)
    engine.folders.remove(workspace).result(TIMEOUT)
    assert engine.recall.captured().result(TIMEOUT) == ()


def test_the_folder_says_which_workspace_is_meant(engine: Engine, tmp_path: Path) -> None:
    inner = add(engine, write_notes(tmp_path / "outer" / "inner", {"b.md": "b"}))
    assert engine.recall.workspace_at("/somewhere/else") == inner  # there is no other
    outer = add(engine, write_notes(tmp_path / "outer", {"a.md": "a"}))
    assert engine.recall.workspace_at(str(tmp_path / "outer" / "inner" / "deep")) == inner
    assert engine.recall.workspace_at(str(tmp_path / "outer" / "x" / ".." / "y")) == outer
    for nowhere in ("", "/somewhere/else", "relative", "a\0b", "~/x"):
        assert engine.recall.workspace_at(nowhere) is None


def test_one_certain_line_is_forgotten_and_comes_back(
    reviewing: tuple[Engine, Workspace], memory: Path
) -> None:
    engine, workspace = reviewing
    before = (memory / "MEMORY.md").read_bytes()
    done = engine.recall.forget("Ana likes green tea", workspace).result(TIMEOUT)
    assert done.deleted
    assert (done.deleted.path, done.deleted.line) == ("MEMORY.md", 4)
    assert b"Ana" not in (memory / "MEMORY.md").read_bytes()
    assert "line 4 of MEMORY.md" in engine.recall.undo_forget().result(TIMEOUT).what
    assert (memory / "MEMORY.md").read_bytes() == before


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("first", ["", "# Mémoire à Évora\r\n"])
def test_a_line_is_forgotten_in_any_encoding(
    reviewing: tuple[Engine, Workspace], memory: Path, encoding: str, first: str
) -> None:
    engine, workspace = reviewing
    file, line, rest = memory / "MEMORY.md", "Zoë hält Vögel im Käfig", "Café à Évora\r\n"
    file.write_bytes(f"{first}{line}\r\n{rest}".encode(encoding))
    before = file.read_bytes()
    engine.refresh(workspace).result(TIMEOUT)
    done = engine.recall.forget(line, workspace).result(TIMEOUT)
    assert done.deleted
    assert file.read_bytes() == f"{first}{rest}".encode(encoding)
    engine.recall.undo_forget().result(TIMEOUT)
    assert file.read_bytes() == before


def test_what_is_only_alike_is_listed_and_deleted_when_a_person_says_so(
    reviewing: tuple[Engine, Workspace], memory: Path
) -> None:
    engine, workspace = reviewing
    done = engine.recall.forget("Ana likes tea", workspace).result(TIMEOUT)
    assert done.deleted is None
    [line] = done.found
    assert 0.7 <= line.similarity <= 0.9
    engine.recall.forget_line(line).result(TIMEOUT)
    assert b"Ana" not in (memory / "MEMORY.md").read_bytes()
    with pytest.raises(NoteRefused):
        engine.recall.forget_line(line).result(TIMEOUT)


def test_no_line_of_a_document_is_deleted(
    reviewing: tuple[Engine, Workspace], memory: Path
) -> None:
    engine, workspace = reviewing
    file = memory / "tea.html"
    file.write_text("Ana likes green tea.\n")
    line = SourceLine(workspace.id, file.name, file=file, line=1, text="Ana likes green tea.")
    with pytest.raises(NoteRefused, match="not a plain-text note"):
        engine.recall.forget_line(line).result(TIMEOUT)
    assert file.read_text() == "Ana likes green tea.\n"


def test_the_same_line_twice_is_never_deleted_at_once(
    reviewing: tuple[Engine, Workspace], memory: Path
) -> None:
    engine, workspace = reviewing
    write_notes(memory, {"memory/2026-11-19.md": "Ana likes green tea.\n"})
    engine.refresh(workspace).result(TIMEOUT)
    done = engine.recall.forget("Ana likes green tea", workspace).result(TIMEOUT)
    assert done.deleted is None
    assert len(done.found) == 2


@pytest.mark.parametrize(
    ("values", "is_sure"),
    [([0.95], True), ([0.95, 0.89], True), ([0.95, 0.91], False), ([0.9], False), ([], False)],
)
def test_exactly_one_above_the_line_is_certain(values: list[float], *, is_sure: bool) -> None:
    lines = [SourceLine("me", "a.md", Path("a.md"), 1, "x", value) for value in values]
    assert (certain_match(lines) is not None) == is_sure


def test_nothing_to_forget_is_a_question(reviewing: tuple[Engine, Workspace]) -> None:
    engine, _ = reviewing
    with pytest.raises(QueryError):
        engine.recall.forget(" ").result(TIMEOUT)
    assert engine.recall.forget("zebra crossing").result(TIMEOUT).found == ()


def test_a_model_on_another_computer_is_never_asked(new_engine: NewEngine, memory: Path) -> None:
    provider = WordProvider()
    provider.is_local = False  # type: ignore[misc]
    engine, workspace = _indexed(new_engine(provider), memory)
    provider.embedded.clear()
    assert engine.recall.forget("Ana likes green tea", workspace).result(TIMEOUT).deleted
    assert provider.embedded == []
