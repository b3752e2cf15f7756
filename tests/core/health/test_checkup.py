from __future__ import annotations

import contextlib
import datetime as dt
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import Cancelled, NoteRefused
from scrubjay.health.findings import (
    Finding,
    FindingKind,
    Fix,
    HealthReport,
    Severity,
    finding_words,
)
from scrubjay.platform.paths import Paths
from support.vault import TIMEOUT, add, write_notes

TOKEN = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9v"
PARAGRAPH = "The heating of the old house needs oil every autumn and nobody remembers when. " * 4


@pytest.fixture
def today() -> dt.date:
    """The same day for all of a test."""
    return dt.date.today()


@pytest.fixture
def root(tmp_path: Path, today: dt.date) -> Path:
    root = tmp_path / "notes"
    (root / "memory").mkdir(parents=True)
    (root / "MEMORY.md").write_text("# Memory\n")
    for ago in range(3):
        day = (today - dt.timedelta(days=ago)).isoformat()
        (root / "memory" / f"{day}.md").write_text(f"# {day}\n\nA quiet day, number {ago}.\n")
    return root


@pytest.fixture
def engine(tmp_path: Path, root: Path) -> Iterator[Engine]:
    engine = Engine(Paths.under(tmp_path / "home"))
    engine.add_workspace(root, "notes").result()
    engine.refresh(words_only=True).result()
    yield engine
    engine.close()


@pytest.fixture
def check(engine: Engine) -> Callable[[], HealthReport]:
    return lambda: engine.health.check().result()


def test_facts_of_deleted_notes_are_forgotten(
    engine: Engine, check: Callable[[], HealthReport], root: Path
) -> None:
    (root / "memory" / "old.md").write_text("Soon gone.\n")
    check()
    (root / "memory" / "old.md").unlink()
    check()
    assert len(engine.health._cache) == 4  # noqa: SLF001


def places(report: HealthReport, kind: FindingKind) -> list[tuple[str, int]]:
    return [
        (finding.path, finding.first_line) for finding in report.findings if finding.kind is kind
    ]


def only(report: HealthReport, kind: FindingKind) -> Finding:
    (found,) = [finding for finding in report.findings if finding.kind is kind]
    return found


def test_a_healthy_workspace_has_no_findings(check) -> None:
    report = check()
    assert [finding.kind for finding in report.findings] == []
    assert (report.notes, report.documents, report.attention) == (4, 0, 0)


def test_files_that_are_searched_but_not_checked_are_counted(
    engine: Engine, check: Callable[[], HealthReport], tmp_path: Path
) -> None:
    vault = write_notes(
        tmp_path / "vault", {"one.md": "A note.\n", "map.canvas": "{}", "a.base": ""}
    )
    add(engine, vault)
    report = check()
    assert (report.notes, report.documents) == (5, 2)


@pytest.mark.parametrize(
    ("file", "text", "kind", "place"),
    [
        ("memory/a.md", f"one\ntwo {TOKEN}\n", FindingKind.SECRET, ("memory/a.md", 2)),
        ("memory/a.md", "see [b](b.md)", FindingKind.DEAD_LINK, ("memory/a.md", 1)),
        ("memory/a.md", "see [[Nobody]]", FindingKind.DEAD_LINK, ("memory/a.md", 1)),
        ("memory/a.md", "![l](l.png)", FindingKind.MISSING_FILE, ("memory/a.md", 1)),
        ("memory/a.md", "![[leaf.png|20]]", FindingKind.MISSING_FILE, ("memory/a.md", 1)),
        ("memory/a.md", "see [[Node.js]]", FindingKind.DEAD_LINK, ("memory/a.md", 1)),
        ("memory/a.md", "# Memory", FindingKind.DUPLICATE_NOTE, ("memory/a.md", 1)),
        ("MEMORY.md", "x" * 9 + "\n" + ("y" * 99 + "\n") * 210,
         FindingKind.MEMORY_TOO_LONG, ("MEMORY.md", 201)),
        ("memory/bad.md", "caf\udce9\x01", FindingKind.NOT_SEARCHED, ("memory/bad.md", 0)),
    ],
)  # fmt: skip
def test_what_is_wrong_is_found_where_it_is(root, check, file, text, kind, place) -> None:
    (root / file).write_bytes(text.encode("utf-8", "surrogateescape"))
    assert places(check(), kind) == [place]


@pytest.mark.parametrize(
    "link", ["[m](../MEMORY.md)", "[[MEMORY]]", "[[memory/a]]", "[[a|me]]", "![p](pi%20c.png)",
             "![[pi c.png]]", r"| [[MEMORY\|me]] |"],
)  # fmt: skip
def test_links_that_lead_somewhere_are_no_findings(root, check, link: str) -> None:
    (root / "memory" / "a.md").write_text(f"see {link}")
    (root / "memory" / "pi c.png").write_bytes(b"")
    report = check()
    assert places(report, FindingKind.DEAD_LINK) == places(report, FindingKind.MISSING_FILE) == []


def test_a_missing_picture_is_as_bad_in_both_spellings(root, check) -> None:
    (root / "memory" / "a.md").write_text("![l](l.png) and ![[leaf.png]]")
    found = [each for each in check().findings if each.kind is FindingKind.MISSING_FILE]
    assert [each.severity for each in found] == [Severity.ATTENTION] * 2


def test_a_paragraph_in_two_notes_is_told_once(root, check) -> None:
    for name in ("a", "b"):
        (root / "memory" / f"{name}.md").write_text(f"# {name}\n\n{PARAGRAPH}\n")
    finding = only(check(), FindingKind.DUPLICATE_TEXT)
    assert finding_words(finding).detail == "Line 3 of memory/b.md repeats line 3 of memory/a.md."


def test_a_day_that_was_left_out_is_mentioned(root, check, today: dt.date) -> None:
    day = today - dt.timedelta(days=1)
    (root / "memory" / f"{day.isoformat()}.md").unlink()
    assert only(check(), FindingKind.DAYS_WITHOUT_LOG).values["last"] == day


def test_a_secret_is_never_part_of_what_is_said(root, check) -> None:
    (root / "MEMORY.md").write_text(TOKEN)
    finding = only(check(), FindingKind.SECRET)
    assert TOKEN not in repr(finding)
    assert TOKEN[4:] not in str(finding_words(finding))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_secret_is_blanked_out_and_comes_back(root, engine, check, encoding: str) -> None:
    note = root / "MEMORY.md"
    before = f"é\r\nkey {TOKEN}, kept\r\n{TOKEN}x\r\n".encode(encoding)
    note.write_bytes(before)
    first = next(finding for finding in check().findings if finding.kind is FindingKind.SECRET)
    edit = engine.health.fix(first).result()
    assert note.read_bytes().decode(encoding) == f"é\r\nkey [redacted], kept\r\n{TOKEN}x\r\n"
    assert places(check(), FindingKind.SECRET) == [("MEMORY.md", 3)]
    engine.health.undo(edit).result()
    assert note.read_bytes() == before


def test_a_note_that_changed_since_is_not_touched(root, engine, check) -> None:
    note = root / "MEMORY.md"
    note.write_text(TOKEN)
    finding = only(check(), FindingKind.SECRET)
    note.write_text(f"a new first line\n{TOKEN}")
    with pytest.raises(NoteRefused):
        engine.health.fix(finding).result()
    assert note.read_text() == f"a new first line\n{TOKEN}"


def test_a_note_is_read_again_only_when_it_changed(root, check) -> None:
    note = root / "MEMORY.md"
    note.write_text(TOKEN)
    assert places(check(), FindingKind.SECRET)
    times = note.stat().st_mtime_ns
    note.write_text("x" * len(TOKEN))
    os.utime(note, ns=(times, times))
    assert places(check(), FindingKind.SECRET)
    os.utime(note)
    assert not places(check(), FindingKind.SECRET)


def test_a_folder_that_went_away_is_named(root, check) -> None:
    root.rename(root.with_name("elsewhere"))
    assert only(check(), FindingKind.FOLDER_GONE).path == str(root)


def test_many_findings_of_a_kind_are_cut_short_and_counted(root, check) -> None:
    (root / "memory" / "a.md").write_text("[a](b.md)\n" * 130)
    report = check()
    assert len(places(report, FindingKind.DEAD_LINK)) == 100
    assert only(report, FindingKind.MORE).values["count"] == 30


def test_a_check_up_can_be_called_off(engine: Engine) -> None:
    token = CancelToken()
    with pytest.raises(Cancelled):
        engine.health.check(token, lambda _done, _total: token.cancel()).result()


def test_what_was_read_is_reported(engine: Engine) -> None:
    heard: list[tuple[int, int]] = []
    engine.health.check(reading=lambda done, total: heard.append((done, total))).result()
    assert heard == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_leftovers_of_downloads_are_offered_for_deletion(engine, check) -> None:
    models = engine.paths.models
    models.mkdir(parents=True)
    stray = models / "model.gguf.part"
    stray.write_bytes(b"half a model")
    finding = only(check(), FindingKind.LEFTOVERS)
    assert finding.fix is Fix.CLEAN
    engine.health.fix(finding).result()
    assert not stray.exists()


def test_a_setting_that_cannot_be_used_is_named(engine: Engine, tmp_path: Path) -> None:
    other = Paths.under(tmp_path / "other")
    other.config.mkdir(parents=True)
    other.config_file.write_text("{ memorySearch: { query: { maxResults: 'many' } } }")
    second = Engine(other)
    finding = only(second.health.check().result(), FindingKind.SETTING)
    second.close()
    assert finding.values["key"] == "memorySearch.query.maxResults"


def test_keys_in_the_settings_are_told(paths: Paths) -> None:
    remote = '{ remote: { apiKey: "sk-PLANTED0123456789abcdefgh" } }'
    write_notes(paths.config, {"config.json5": f"{{ memorySearch: {remote} }}"})
    with contextlib.closing(Engine(paths)) as engine:
        finding = only(engine.health.check().result(), FindingKind.KEY_IN_SETTINGS)
    words = finding_words(finding)
    assert words.detail == "Every program on this computer can read 1 key in the settings file."
    assert "keys move" in words.advice
    assert "PLANTED" not in str(finding)


@pytest.mark.parametrize("key", ["${MINE}", "", " "])
def test_keys_elsewhere_are_no_finding(paths: Paths, key: str) -> None:
    write_notes(
        paths.config, {"config.json5": f'{{ memorySearch: {{ remote: {{ apiKey: "{key}" }} }} }}'}
    )
    with contextlib.closing(Engine(paths)) as engine:
        kinds = [finding.kind for finding in engine.health.check().result().findings]
    assert FindingKind.KEY_IN_SETTINGS not in kinds


def test_large_numbers_can_be_read() -> None:
    values = {"characters": 214_000, "limit": 20_000, "line": 1_512}
    long = Finding(FindingKind.MEMORY_TOO_LONG, Severity.ATTENTION, values, path="MEMORY.md")
    assert "214,000 characters, but agents load only 20,000" in finding_words(long).detail


def test_files_that_are_no_notes_are_counted(root: Path, check: Callable[[], HealthReport]) -> None:
    for name in ("a.pdf", "b.pdf", "c.txt"):
        (root / "memory" / name).write_text("Text.")
    [others] = [each for each in check().findings if each.kind is FindingKind.OTHER_FILES]
    told = finding_words(others).detail
    assert told.endswith(": 3 files are not searched: 2 .pdf, 1 .txt.")


@pytest.mark.parametrize(
    ("name", "setting"), [("letter.pdf", "documents"), ("poster.png", "pictures")]
)
def test_documents_and_pictures_that_are_searched_are_not_counted_among_them(
    tmp_path: Path, paths: Paths, name: str, setting: str
) -> None:
    notes = write_notes(tmp_path / "library", {"a.md": "# A\n", name: ""})
    entry = f'{{ id: "library", path: "{notes.as_posix()}", {setting}: true }}'
    write_notes(paths.config, {"config.json5": f"{{ workspaces: [{entry}] }}"})
    with contextlib.closing(Engine(paths)) as engine:
        report = engine.health.check().result(TIMEOUT)
    kinds = [finding.kind for finding in report.findings]
    assert (FindingKind.OTHER_FILES in kinds, report.notes, report.documents) == (False, 1, 1)


def test_a_link_that_is_an_example_can_be_left_and_reported_again(root, engine, check) -> None:
    note = root / "memory" / "help.md"
    note.write_text("# Help\n\nWrite `[name](file)`.\n\nSo: [Custom name](Example.md)\n")
    found = only(check(), FindingKind.DEAD_LINK)
    before = check().attention
    engine.health.leave(found).result(TIMEOUT)
    left = only(check(), FindingKind.DEAD_LINK)
    assert (left.is_left, left.severity) == (True, Severity.NOTICE)
    assert finding_words(left).advice == "You chose to leave this as it is."
    assert check().attention == before - 1
    # A line more above changes nothing; another link in the same note is another finding.
    note.write_text("# Help\n\nMore.\n\n[Custom name](Example.md)\n\n[new](new.md)\n")
    states = {
        each.values["target"]: each.is_left
        for each in check().findings
        if each.values.get("target")
    }
    assert states == {"Example.md": True, "new.md": False}
    engine.health.report_again(left).result(TIMEOUT)
    assert [each.is_left for each in check().findings if each.kind is FindingKind.DEAD_LINK] == [
        False,
        False,
    ]


def test_what_was_left_takes_no_place_in_a_list_that_is_cut_short(root, engine, check) -> None:
    links = "".join(f"[a{n}](gone{n:03}.md)\n\n" for n in range(103))
    (root / "memory" / "many.md").write_text(f"# Many\n\n{links}")
    dead = [each for each in check().findings if each.kind is FindingKind.DEAD_LINK]
    assert len(dead) == 100
    for finding in dead[:3]:
        engine.health.leave(finding).result(TIMEOUT)
    now = [each for each in check().findings if each.kind is FindingKind.DEAD_LINK]
    assert sum(not each.is_left for each in now) == 100
    assert "gone102.md" in {each.values["target"] for each in now}


def test_one_file_that_is_not_searched_says_nothing_about_the_others(root, check) -> None:
    for name in ("a.md", "b.md"):
        (root / "memory" / name).write_bytes(b"\x00\x01\x02" * 100)
    skipped = [each for each in check().findings if each.kind is FindingKind.NOT_SEARCHED]
    assert len(skipped) == 2
    assert {finding_words(each).advice for each in skipped} == {
        "Fix or move the file, then check again."
    }


@pytest.mark.parametrize(
    ("name", "added", "difference"),
    [
        ("a.sync-conflict-20270311-081502-K4XQ2ZA", "", "Both files have the same text."),
        ("a.sync-conflict-20270311-081502-B2LINES", "\n\n", "They differ only in blank lines."),
        (
            "a (Nora's conflicted copy 2027-03-11)",
            "The heron came at noon.\n",
            "1 line is only in the copy, and 0 only in the note. One of these lines is "
            "“The heron came at noon.”.",
        ),
        (
            "a 2",
            f"\nkey {TOKEN}\n",
            "2 lines are only in the copy, and 0 only in the note. One of these lines is “key "
            "[redacted]”.",
        ),
    ],
)
def test_a_conflict_copy_is_told_with_its_difference(
    root, check, name: str, added: str, difference: str
) -> None:
    text = f"# A\n\n{PARAGRAPH}\n\nOne.\n\nTwo.\n\nThree.\n"
    (root / "memory/a.md").write_text(text)
    (root / f"memory/{name}.md").write_text(text + added)
    report = check()
    finding = only(report, FindingKind.CONFLICT_COPY)
    assert finding_words(finding).detail == (
        f"A sync program seems to have left memory/{name}.md beside memory/a.md. {difference}"
    )
    assert places(report, FindingKind.DUPLICATE_NOTE) == []


def test_a_numbered_note_with_another_text_is_no_conflict_copy(root, check) -> None:
    (root / "memory/a 2.md").write_text("# Second\n\nAnother subject.\n")
    assert places(check(), FindingKind.CONFLICT_COPY) == []
