from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QProcess, QUrl, Slot
from PySide6.QtGui import QDesktopServices

from scrubjay_desktop.preview.open_external import (
    EDITOR_VARIABLE,
    Editor,
    Opener,
    editor_arguments,
    explorer_arguments,
    installed_editors,
    is_address,
    page_arguments,
)
from support.vault import write_notes

NOTE = Path("/notes/a b.md")
needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="looks where Linux has programs")


@pytest.mark.parametrize(
    ("template", "arguments"),
    [
        ("vim +{line} {file}", ["vim", "+7", str(NOTE)]),
        ("code -g {file}:{line}", ["code", "-g", f"{NOTE}:7"]),
        ("'/opt/my editor/run'", ["/opt/my editor/run", str(NOTE)]),
    ],
)
def test_the_places_of_a_command_are_filled_in(template: str, arguments: list[str]) -> None:
    assert editor_arguments(template, NOTE, 7) == arguments


def test_the_name_of_a_note_is_no_place_to_fill_in() -> None:
    file = Path("/notes/{line} {file}.md")
    assert editor_arguments("vim +{line} {file}", file, 7) == ["vim", "+7", str(file)]


@pytest.fixture
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small editor that writes down what it was asked to open."""
    script, written = tmp_path / "editor.py", tmp_path / "opened.txt"
    script.write_text(
        "import pathlib, sys\npathlib.Path(sys.argv[1]).write_text('|'.join(sys.argv[2:]))\n"
    )
    command = f"'{sys.executable}' '{script}' '{written}' {{file}} {{line}}"
    monkeypatch.setenv(EDITOR_VARIABLE, command)
    return written


@pytest.mark.parametrize("way", ["open", "open_at_line"])
def test_a_note_opens_at_its_line_in_the_persons_editor(qtbot, record: Path, way: str) -> None:
    note = record.parent / "a b.md"
    note.touch()
    getattr(Opener(), way)(note, 7)
    qtbot.waitUntil(lambda: record.exists() and record.read_text() == f"{note}|7")


SCRIPT = """@echo off
set ELECTRON_RUN_AS_NODE=1
"%~dp0..\\Code.exe" "%~dp0..\\resources\\app\\out\\cli.js" %*
"""
NAMES_THAT_ACT = [
    *("R&D.md", "100%PATH%.md", "a&calc&b.md", "a^b.md", "b!x!.md"),
    *(pytest.param(name, marks=pytest.mark.needs("odd names")) for name in ('q".md', "a|b.md")),
]


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The script that starts an editor on Windows, and the editor, which writes down its words."""
    editor = tmp_path / "My editor"
    write_notes(editor, {"bin/code.cmd": SCRIPT, "Code.exe": '#!/bin/sh\necho "$@" > "$0.words"\n'})
    for file in ("bin/code.cmd", "Code.exe"):
        (editor / file).chmod(0o755)
    monkeypatch.setenv(EDITOR_VARIABLE, f"'{editor}/bin/code.cmd' -g {{file}}:{{line}}")
    return editor / "bin" / "code.cmd"


@needs_linux
@pytest.mark.parametrize("name", ["a b.md", *NAMES_THAT_ACT])
def test_the_program_behind_a_script_is_started(qtbot, script: Path, name: str) -> None:
    note, words = script.parent / name, script.parents[1] / "Code.exe.words"
    note.touch()
    Opener().open(note, 7)
    qtbot.waitUntil(lambda: words.exists() and words.read_text() == f"-g {note}:7\n")


@pytest.mark.parametrize("name", NAMES_THAT_ACT)
def test_a_script_without_a_program_gets_no_name_that_acts(
    qtbot, script: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (script.parents[1] / "Code.exe").unlink()
    monkeypatch.setattr(QProcess, "startDetached", lambda *given: pytest.fail(str(given)))
    (script.parent / name).touch()
    opener = Opener()
    with qtbot.waitSignal(opener.failed) as failed:
        opener.open(script.parent / name, 7)
    assert "choose the program itself" in failed.args[0]


@needs_linux
def test_a_script_without_a_program_gets_other_names(qtbot, script: Path) -> None:
    (script.parents[1] / "Code.exe").unlink()
    script.write_text('#!/bin/sh\necho "$@" > "$0.words"\n')
    note, words = script.parent / "a b.md", script.with_suffix(".cmd.words")
    note.touch()
    Opener().open(note, 7)
    qtbot.waitUntil(lambda: words.exists() and words.read_text() == f"-g {note}:7\n")


def test_a_command_with_half_a_quote_is_told(qtbot, monkeypatch: pytest.MonkeyPatch) -> None:
    # Windows takes a lone apostrophe for one of a name.
    monkeypatch.setenv(EDITOR_VARIABLE, '"/opt/my editor {file}')
    opener = Opener()
    with qtbot.waitSignal(opener.failed) as failed:
        opener.open(Path(__file__), 1)
    assert failed.args[0].startswith('A quotation mark is missing from the command "/opt/my')


def test_an_editor_that_does_not_start_is_told(qtbot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(EDITOR_VARIABLE, "/no/such/editor {file}")
    opener = Opener()
    with qtbot.waitSignal(opener.failed) as failed:
        opener.open(Path(__file__), 1)
    told = "/no/such/editor could not be started. Check that the program is installed."
    assert failed.args == [told]


@pytest.mark.parametrize(
    "path", [r"C:\Notes\Bread, butter.md", r"C:\Ana María\a,b\ñ,😀.md", r"\\server\notes\plain.md"]
)
def test_explorer_gets_the_whole_name_in_quotes(path: str) -> None:
    assert explorer_arguments(Path(path)) == f'/select,"{path}"'


@pytest.mark.parametrize("link", ["file:///etc/passwd", "javascript:alert(1)", "other.md"])
def test_links_of_notes_lead_to_the_web_only(qtbot, link: str) -> None:
    opener = Opener()
    with qtbot.waitSignal(opener.failed):
        opener.follow(QUrl(link))


OBSIDIAN = "obsidian://open?path={file}"


@pytest.fixture
def computer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A computer without any editor; `bin` and `share` are where programs would be."""
    for folder in ("bin", "share/applications"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path / "nothing"))
    monkeypatch.delenv(EDITOR_VARIABLE, raising=False)
    return tmp_path


def install(computer: Path, program: str) -> Path:
    """A program that writes down what it was asked to open."""
    written = computer / f"{program}.txt"
    script = computer / "bin" / program
    script.write_text(f'#!/bin/sh\necho "$@" > {written}\n')
    script.chmod(0o755)
    return written


def install_obsidian(computer: Path) -> None:
    (computer / "share/applications/md.obsidian.Obsidian.desktop").write_text("[Desktop Entry]\n")


class Addresses(QObject):
    """Stands for the program that opens such addresses."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        self.seen.append(url.toEncoded().toStdString())


@pytest.fixture
def obsidian(qapp) -> Iterator[Addresses]:
    addresses = Addresses()
    QDesktopServices.setUrlHandler("obsidian", addresses, "take")
    yield addresses
    QDesktopServices.unsetUrlHandler("obsidian")


@needs_linux
def test_only_what_is_here_is_offered(computer: Path) -> None:
    assert list(installed_editors()) == []
    install(computer, "kate")
    install_obsidian(computer)
    assert list(installed_editors()) == [
        Editor("Kate", "kate -l {line} {file}"),
        Editor("Obsidian", OBSIDIAN),
    ]


@needs_linux
@pytest.mark.parametrize("way", ["open", "open_at_line"])
def test_obsidian_opens_a_note_by_its_address(
    computer: Path, obsidian: Addresses, way: str
) -> None:
    file = computer / "a b&c.md"
    file.touch()
    getattr(Opener(OBSIDIAN), way)(file, 7)
    [address] = obsidian.seen
    assert address.startswith("obsidian://open?path=%2F")
    assert address.endswith("%2Fa%20b%26c.md")


@needs_linux
def test_obsidian_leaves_lines_to_an_editor_that_knows_them(
    qtbot, computer: Path, obsidian: Addresses
) -> None:
    written = install(computer, "code")
    file = computer / "a.md"
    file.touch()
    Opener(OBSIDIAN).open_at_line(file, 7)
    qtbot.waitUntil(lambda: written.exists() and written.read_text() == f"-g {file}:7\n")
    assert obsidian.seen == []


@pytest.mark.parametrize(
    ("command", "is_one"),
    [(OBSIDIAN, True), ("code -g {file}:{line}", False), ("view {file}://", False), ("", False)],
)
def test_an_address_is_no_command(command: str, is_one: bool) -> None:
    assert is_address(command) is is_one


@needs_linux
def test_notes_of_vaults_open_in_obsidian_by_themselves(
    qtbot, computer: Path, obsidian: Addresses
) -> None:
    vault = computer / "vault"
    (vault / ".obsidian").mkdir(parents=True)
    (vault / "sub").mkdir()
    note, opener = vault / "sub" / "a.md", Opener()
    note.touch()
    assert not opener.opens_in_obsidian(note)
    install_obsidian(computer)
    assert opener.opens_in_obsidian(note)
    assert not opener.opens_in_obsidian(vault / "a.png")
    assert not opener.opens_in_obsidian(computer / "other" / "a.md")
    opener.open(note, 3)
    assert [address.rpartition("%2F")[2] for address in obsidian.seen] == ["a.md"]
    chosen = install(computer, "kate")
    opener.editor = "kate {file}"
    opener.open(note, 3)
    opener.absent = [vault]
    assert not opener.opens_in_obsidian(note)
    qtbot.waitUntil(chosen.exists)
    assert len(obsidian.seen) == 1


def install_viewer(computer: Path, name: str, command: str) -> Path:
    """The default program for PDF files, hidden from the menus as many of them are."""
    written = install(computer, command.split()[0])
    (computer / f"share/applications/{name}").write_text(
        f"[Desktop Entry]\nName=Viewer\nExec={command}\nNoDisplay=true\n"
    )
    asked = computer / "bin" / "xdg-mime"
    asked.write_text(f'#!/bin/sh\n[ "$*" = "query default application/pdf" ] && echo {name}\n')
    asked.chmod(0o755)
    return written


VIEWERS = [
    ("org.gnome.Evince.desktop", "evince %U", "--page-index=7 {file}"),
    ("okularApplication_pdf.desktop", "okular %U", "--page=7 {file}"),
    ("org.pwmt.zathura-pdf-mupdf.desktop", "zathura %U", "--page=7 {file}"),
    ("mupdf.desktop", "mupdf %f", "{file} 7"),
    ("qpdfview.desktop", "qpdfview --unique %F", "--unique {file}#7"),
    ("firefox.desktop", "firefox --new-tab %u", "--new-tab file://{address}#page=7"),
]


@pytest.mark.parametrize("program", ["firefox", "firefox.exe", "C:/Apps/Firefox.EXE"])
def test_a_viewer_is_known_by_its_name_on_windows_too(tmp_path: Path, program: str) -> None:
    file = tmp_path / "a.pdf"
    address = QUrl.fromLocalFile(str(file)).toString()
    arguments = page_arguments(f"{program} {{file}}", file, 7)
    assert arguments == [program, f"{address}#page=7"]


@needs_linux
@pytest.mark.parametrize("way", ["open", "open_at_line"])
@pytest.mark.parametrize(("name", "command", "told"), VIEWERS)
def test_a_pdf_opens_at_its_page(qtbot, computer: Path, name, command, told, way) -> None:
    written = install_viewer(computer, name, command)
    file = computer / "a #b.pdf"
    file.touch()
    opener = Opener("false {file}")
    getattr(opener, way)(file, 90, 7)
    address = f"{computer}/a%20%23b.pdf"
    line = told.format(file=file, address=address)
    qtbot.waitUntil(lambda: written.exists() and written.read_text() == f"{line}\n")


@needs_linux
def test_the_window_may_close_while_the_page_is_being_opened(qtbot, computer: Path) -> None:
    written = install_viewer(computer, "okular.desktop", "okular %U")
    file = computer / "a.pdf"
    file.touch()
    gone: list[str] = []

    def open_and_leave() -> QProcess:
        opener = Opener()
        opener.destroyed.connect(lambda: gone.append("opener"))
        opener.open(file, 1, 7)
        [query] = opener.findChildren(QProcess)
        with qtbot.waitSignal(query.finished):
            pass
        query.destroyed.connect(lambda: gone.append("query"))
        return query

    query = open_and_leave()
    del query
    qtbot.waitUntil(lambda: sorted(gone) == ["opener", "query"])
    qtbot.waitUntil(written.exists)


@needs_linux
def test_the_persons_own_viewer_is_told_the_page(qtbot, computer: Path) -> None:
    written = install(computer, "okular")
    file = computer / "a.pdf"
    file.touch()
    opener = Opener(programs={".pdf": f"env {computer}/bin/okular {{file}}"})
    (computer / "bin/env").symlink_to("/usr/bin/env")
    opener.open(file, 1, 7)
    qtbot.waitUntil(lambda: written.exists() and written.read_text() == f"--page=7 {file}\n")


@needs_linux
@pytest.mark.parametrize("viewer", ["", "strange %U", "evince"])
def test_a_viewer_that_is_told_no_page_opens_the_file(
    qtbot, computer: Path, monkeypatch: pytest.MonkeyPatch, viewer: str
) -> None:
    handed: list[str] = []
    monkeypatch.setattr(
        "scrubjay_desktop.preview.open_external.QDesktopServices.openUrl",
        lambda url: not handed.append(str(Path(url.toLocalFile()))),
    )
    if viewer:
        install_viewer(computer, "viewer.desktop", viewer)
    file = computer / "a.pdf"
    file.touch()
    opener = Opener()
    opener.open(file, 1, 7)
    qtbot.waitUntil(lambda: handed == [str(file)])
    opener.open(file, 1, 1)
    assert len(handed) == 2
