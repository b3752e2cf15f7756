"""Commands, hooks and servers that are started in a repository of somebody else."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from scrubjay.cli.arguments import Command, CommandGroup
from scrubjay.cli.command_list import app
from scrubjay.platform.child_process import minimal_environment
from scrubjay.platform.current_folder import (
    absolute_folders,
    exclude_current_folder,
    safe_search_paths,
)
from scrubjay.platform.program_search import find_program
from support.document_makers import pdf
from support.planted_folder import PlantedFolder, plant, plant_libraries
from support.vault import TIMEOUT, write_notes
from support.waiting import wait_until

PROGRAM = os.environ.get("SCRUBJAY_PROGRAM") or str(Path(sys.executable).with_name("scrubjay"))
"""The command line that is attacked; `packaging/failure_modes.py` names that of a bundle."""
MESSAGE = '{"prompt": "when is the teeth appointment of my daughter", "session_id": "s"}'
QUESTION = ("teeth", "appointment")

WORDS: dict[str, Sequence[str]] = {
    "search": QUESTION,
    "context": ("when is the teeth appointment",),
    "get": ("emma.md",),
    "index": ("--force",),
    "status": ("--deep",),
    "changes": ("--diff",),
    "workspace add": ("../more",),
    "workspace list": (),
    "workspace named": ("notes", "--off"),
    "workspace documents": ("notes", "on"),
    "workspace pictures": ("notes", "--off"),
    "workspace move": ("more", "../more"),
    "workspace remove": ("more",),
    "share": ("notes", "../team", "--yes"),
    "unshare": ("notes",),
    "shared": (),
    "models list": (),
    "models download": ("no-such-model",),
    "models import": ("../notes/emma.md",),
    "models verify": (),
    "models remove": ("no-such-model",),
    "models clean": (),
    "models use": ("no-such-model",),
    "models compare": ("one", "other"),
    "keys set": ("openai",),
    "keys test": ("openai",),
    "keys list": (),
    "keys delete": ("openai",),
    "keys move": (),
    "doctor": ("--fix",),
    "descriptions list": (),
    "descriptions set": ("notes", "Notes of the family", "--folder", "school"),
    "descriptions remove": ("notes", "--folder", "school"),
    "diagnostics": (),
    "import": ("../export.zip", "--into", "../imported"),
    "connect": ("claude-code", "--dry-run"),
    "agents allow": ("somebody",),
    "agents propose": ("somebody",),
    "agents ask": ("somebody",),
    "agents deny": ("somebody",),
    "agents reset": ("somebody",),
    "agents list": (),
    "agents audit-log": (),
    "agents clear": (),
    "hook recall": (),
    "hook today": (),
    "hook keep": (),
    "hook capture": (),
    "hook flush": (),
    "dream run": (),
    "dream review": (),
    "dream apply": (),
    "dream refuse": (),
    "dream undo": (),
    "dream status": (),
    "captured list": (),
    "captured accept": ("1",),
    "captured refuse": ("1",),
    "proposals list": (),
    "proposals accept": ("1",),
    "proposals refuse": ("1",),
    "proposals written": (),
    "proposals undo": ("1",),
    "forget": ("no such line",),
    "update-check": (),
    "eval": ("../no.qrels.json",),
    "demo": (),
    "uninstall": (),
}
"""Each command that ends by itself, with words that make it do its work."""
ROOT = str(Path(os.sep).resolve())
LATE_LIBRARIES = (
    *("libbz2.so.1.0", "libcrypto.so.3", "libffi.so.8", "libgcc_s.so.1", "liblzma.so.5"),
    *("libssl.so.3", "libstdc++.so.6", "libuuid.so.1"),
)
"""Libraries that Python and its modules load after the start."""
# PyInstaller's program is linked to zlib, which the system loads before anything runs.
if "SCRUBJAY_PROGRAM" not in os.environ:
    LATE_LIBRARIES = (*LATE_LIBRARIES, "libz.so.1")
PROGRAMS = ((PROGRAM, "doctor"), (PROGRAM, "models", "list"), (f"{PROGRAM}-desktop", "--quit"))
"""Programs that end by themselves, with what they are asked."""
SERVERS = ["mcp"]
"""Commands that go on until they are ended."""


def leaves(name: str, command: Command) -> Iterator[str]:
    """The commands of a group, and of the groups in it."""
    if not isinstance(command, CommandGroup):
        yield name
        return
    for below, part in command.commands.items():
        yield from leaves(f"{name} {below}", part)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> PlantedFolder:
    top = tmp_path_factory.mktemp("stranger")
    return plant(top / "repository", top / "told")


@pytest.fixture
def planted(repository: PlantedFolder) -> PlantedFolder:
    """The repository, of which nothing was told yet."""
    repository.told.unlink(missing_ok=True)
    return repository


@pytest.fixture(scope="module")
def environment(repository: PlantedFolder) -> dict[str, str]:
    """A home with notes and a document, all read already."""
    home = repository.folder.parent / "home"
    notes = repository.folder.parent / "notes"
    write_notes(notes, {"emma.md": "Booked the orthodontist for Emma, teeth of my daughter.\n"})
    write_notes(repository.folder.parent / "more", {"bread.md": "Rye and water.\n"})
    (notes / "letter.pdf").write_bytes(pdf(["Invoice of the dentist"]))
    entry = {"id": "notes", "name": "notes", "path": str(notes), "documents": True}
    settings = {"workspaces": [entry], "updates": {"check": False}}
    write_notes(home, {"config.json5": json.dumps(settings)})
    variables = repository.hostile(SCRUBJAY_HOME=str(home), MY_TOKEN="planted-token", NO_COLOR="1")
    ran = subprocess.run(
        [PROGRAM, "index"], cwd=notes, env=variables, capture_output=True, timeout=4 * TIMEOUT
    )
    assert ran.returncode == 0, ran.stderr
    return variables


def test_each_command_is_tried() -> None:
    names = [leaf for name, part in app.commands.items() for leaf in leaves(name, part)]
    assert sorted(names) == sorted([*WORDS, *SERVERS])


@pytest.mark.model
@pytest.mark.parametrize("command", WORDS)
def test_no_command_runs_what_its_folder_holds(
    planted: PlantedFolder, environment: dict[str, str], command: str
) -> None:
    subprocess.run(
        [PROGRAM, *command.split(), *WORDS[command]],
        cwd=planted.folder,
        env=environment,
        input=MESSAGE,
        text=True,
        capture_output=True,
        timeout=4 * TIMEOUT,
    )
    assert planted.executed() == ""


@pytest.mark.model
@pytest.mark.parametrize("arguments", [(), ("--http", "--port", "0")], ids=["stdio", "http"])
def test_no_server_runs_what_its_folder_holds(
    planted: PlantedFolder, environment: dict[str, str], arguments: Sequence[str]
) -> None:
    process = subprocess.Popen(
        [PROGRAM, "mcp", *arguments],
        cwd=planted.folder,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        if not arguments:
            assert "orthodontist" in asked_over_stdio(process)
        else:
            assert any("listening on http://127.0.0.1" in line for line in lines_of(process))
    finally:
        process.kill()
        process.communicate()
    assert planted.executed() == ""


@pytest.mark.model
@pytest.mark.gui
@pytest.mark.parametrize(
    "program",
    [(f"{PROGRAM}-desktop",), (sys.executable, "-P", "-m", "scrubjay_desktop")],
    ids=["program", "module"],
)
def test_the_app_does_not_run_what_its_folder_holds(
    planted: PlantedFolder, environment: dict[str, str], program: Sequence[str]
) -> None:
    home = Path(environment["SCRUBJAY_HOME"])
    process = subprocess.Popen(
        [*program, "--background"],
        cwd=planted.folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    note = home.parent / "notes" / "while-open.md"
    note.write_text("The zither is in the attic.\n", encoding="utf-8")
    (note.parent / "contract.pdf").write_bytes(pdf(["Contract about a bassoon"]))

    def find(word: str) -> bool:
        words = [PROGRAM, "search", word, "--mode", "lexical"]
        ran = subprocess.run(words, cwd=planted.folder, env=environment, capture_output=True)
        return word.encode() in ran.stdout

    try:
        wait_until(lambda: (home / "state" / "desktop.socket").exists())
        wait_until(lambda: find("zither"))
        wait_until(lambda: find("bassoon"))
        ended = subprocess.run([*program, "--quit"], cwd=planted.folder, env=environment)
        assert ended.returncode == 0
        process.wait(4 * TIMEOUT)
    finally:
        process.kill()
        process.wait()
    assert planted.executed() == ""


def asked_over_stdio(process: subprocess.Popen[str]) -> str:
    """The line with the answer of memory_search."""
    client = {"name": "c", "version": "1"}
    start = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
    call = {"name": "memory_search", "arguments": {"query": " ".join(QUESTION)}}
    messages = [
        {"id": 1, "method": "initialize", "params": start},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": call},
    ]
    assert process.stdin is not None
    for message in messages:
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    process.stdin.flush()
    return next(line for line in lines_of(process) if '"id":2' in line.replace(" ", ""))


def lines_of(process: subprocess.Popen[str]) -> Iterator[str]:
    """Lines of its output; a failure when one takes too long."""
    read: queue.SimpleQueue[str] = queue.SimpleQueue()

    def listen() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            read.put(line)

    threading.Thread(target=listen, daemon=True).start()
    with contextlib.suppress(queue.Empty):
        while True:
            yield read.get(timeout=4 * TIMEOUT)


@pytest.mark.model
def test_modules_of_the_current_folder_are_not_taken_from_pythonpath(
    planted: PlantedFolder, environment: dict[str, str]
) -> None:
    # Python itself reads sitecustomize, and Scrubjay, from there before Scrubjay can do anything.
    repository = plant(planted.folder.parent / "on-path", planted.told.with_name("told-on-path"))
    for name in ("sitecustomize.py", "usercustomize.py", "scrubjay/__init__.py"):
        (repository.folder / name).unlink()
    (repository.folder / "scrubjay" / "__main__.py").unlink()
    for question in (["search", *QUESTION], ["index", "--force"]):
        ran = subprocess.run(
            [PROGRAM, *question],
            cwd=repository.folder,
            env={**environment, "PYTHONPATH": f".:{repository.folder}"},
            capture_output=True,
            timeout=4 * TIMEOUT,
        )
        assert ran.returncode == 0, ran.stderr
    assert repository.executed() == ""


def test_qmd_is_not_taken_from_the_current_folder(
    planted: PlantedFolder, environment: dict[str, str], tmp_path: Path
) -> None:
    entry = {"id": "notes", "path": str(planted.folder.parent / "notes")}
    settings = {"workspaces": [entry], "memory": {"backend": "qmd", "qmd": {"command": "qmd"}}}
    write_notes(tmp_path, {"config.json5": json.dumps(settings)})
    for words in (["index"], ["search", *QUESTION], ["status"]):
        subprocess.run(
            [PROGRAM, *words],
            cwd=planted.folder,
            env=environment | {"SCRUBJAY_HOME": str(tmp_path)},
            capture_output=True,
            timeout=4 * TIMEOUT,
        )
    assert planted.executed() == ""


@pytest.mark.model
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_children_see_neither_keys_nor_the_current_folder(
    planted: PlantedFolder, environment: dict[str, str]
) -> None:
    process = subprocess.Popen(
        [PROGRAM, "mcp"],
        cwd=planted.folder,
        env=environment | {"OPENAI_API_KEY": "sk-planted-key"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        asked_over_stdio(process)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        tasks = Path(f"/proc/{process.pid}/task").glob("*/children")
        pids = [pid for file in (children, *tasks) for pid in file.read_text().split()]
        assert pids, "the model runs in a child"
        for pid in pids:
            seen = Path(f"/proc/{pid}/environ").read_bytes()
            assert b"planted" not in seen
            assert Path(f"/proc/{pid}/cwd").resolve() == Path(PROGRAM).parent
    finally:
        process.kill()
        process.communicate()


def test_a_program_is_found_in_absolute_folders_only(
    planted: PlantedFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(planted.folder)
    monkeypatch.setenv(
        "PATH", os.pathsep.join(["", ".", "bin/..", str(Path(sys.executable).parent)])
    )
    assert find_program("qmd") is None
    assert find_program("./qmd") is None
    assert find_program("scrubjay") in (PROGRAM, f"{PROGRAM}.exe")
    assert find_program(str(planted.folder / "qmd")) == str(planted.folder / "qmd")


def test_a_program_is_not_hidden_by_a_file_of_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("here", "installed"):
        for name in ("qmd", "qmd.cmd"):
            write_notes(tmp_path / folder, {name: "echo qmd\n"})
            (tmp_path / folder / name).chmod(0o755)
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("PATH", os.pathsep.join(["", ".", str(tmp_path / "installed")]))
    program = find_program("qmd")
    assert program is not None
    assert Path(program).parent == tmp_path / "installed"


@pytest.mark.parametrize(
    ("path", "left"), [("", ""), (".", ""), ("/a::/b", "/a:/b"), ("/a:./b:c:/d", "/a:/d")]
)
@pytest.mark.skipif(os.name == "nt", reason="paths of Windows are written otherwise")
def test_a_search_path_keeps_its_absolute_folders(path: str, left: str) -> None:
    assert absolute_folders(path) == left


@pytest.mark.skipif(os.name == "nt", reason="paths of Windows are written otherwise")
@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/usr/bin:/bin", "/usr/bin:/bin:/opt/homebrew/bin:/usr/local/bin"),
        ("/usr/local/bin:/usr/bin:.", "/usr/local/bin:/usr/bin:/opt/homebrew/bin"),
        ("", f"{os.defpath}:/opt/homebrew/bin:/usr/local/bin"),
    ],
)
def test_an_app_of_a_mac_finds_the_commands_that_a_person_installed(
    path: str, expected: str
) -> None:
    assert safe_search_paths({"PATH": path}, "darwin") == {"PATH": expected}


def test_an_entry_point_changes_what_later_look_ups_see() -> None:
    here = os.pathsep.join(["", ".", ROOT])
    environ = {"PATH": here, "PYTHONPATH": here, "QT_PLUGIN_PATH": "."}
    exclude_current_folder(environ)
    expected = {"PATH": ROOT, "PYTHONPATH": ROOT}
    if os.name == "nt":
        expected["NoDefaultCurrentDirectoryInExePath"] = "1"
    assert environ == expected


@pytest.mark.skipif(os.name != "nt", reason="libraries of Windows")
def test_windows_takes_no_library_from_the_current_folder(tmp_path: Path) -> None:
    shutil.copy(Path(sys.base_prefix, "DLLs", "sqlite3.dll"), tmp_path / "planted.dll")
    asked = "import ctypes; ctypes.CDLL('planted.dll', winmode=0)"
    excluded = (
        "from scrubjay.platform.current_folder import exclude_current_folder as exclude; exclude()"
    )
    codes = [
        subprocess.run([sys.executable, "-P", "-c", f"{before}; {asked}"], cwd=tmp_path).returncode
        for before in ("pass", excluded)
    ]
    assert codes == [0, 1]


@pytest.mark.parametrize("path", ["", ".", f".{os.pathsep}bin"])
def test_a_search_path_of_the_current_folder_alone_is_not_left_empty(path: str) -> None:
    # An empty PATH would mean the current folder again.
    assert minimal_environment({"PATH": path, "LD_LIBRARY_PATH": path}) == {
        "PATH": absolute_folders(os.defpath)
    }


@pytest.mark.skipif(
    not sys.platform.startswith("linux") or shutil.which("cc") is None,
    reason="plants libraries of Linux",
)
@pytest.mark.parametrize("path", [":", "/nowhere:", "."])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda words: Path(words[0]).name)
def test_no_library_is_taken_from_the_current_folder(
    tmp_path: Path, program: Sequence[str], path: str
) -> None:
    # `export LD_LIBRARY_PATH=/opt/lib:$LD_LIBRARY_PATH` leaves an empty entry in many profiles.
    told = tmp_path / "told"
    repository = tmp_path / "repository"
    repository.mkdir()
    plant_libraries(repository, told, LATE_LIBRARIES)
    ran = subprocess.run(
        program,
        cwd=repository,
        env={**os.environ, "SCRUBJAY_HOME": str(tmp_path / "home"), "LD_LIBRARY_PATH": path},
        capture_output=True,
        timeout=4 * TIMEOUT,
    )
    assert ran.returncode == 0, ran.stderr
    assert not told.exists()


@pytest.mark.model
@pytest.mark.skipif(os.name == "nt", reason="makes a link")
def test_a_home_that_is_a_link_and_current_folders_in_all_variables_at_once(
    planted: PlantedFolder, tmp_path: Path
) -> None:
    (tmp_path / "real").mkdir()
    home = tmp_path / "home"
    home.symlink_to(tmp_path / "real")
    notes = write_notes(home / "notes", {"emma.md": "The teeth of my daughter.\n"})
    variables = planted.hostile(HOME=str(home), QT_PLUGIN_PATH=":.", PYTHONSTARTUP="queue.py")
    # Python itself reads sitecustomize from there; a bundle does not.
    if "SCRUBJAY_PROGRAM" in os.environ:
        variables |= {"PYTHONPATH": ".:", "PYTHONHOME": ".", "PYTHONINSPECT": "1"}
    for name in [name for name in variables if name.startswith(("XDG_", "SCRUBJAY_"))]:
        del variables[name]
    outputs = []
    for words in (
        ["workspace", "add", str(notes)], ["index"], ["search", "teeth"], ["hook", "recall"]
    ):  # fmt: skip
        ran = subprocess.run(
            [PROGRAM, *words],
            cwd=planted.folder,
            env=variables,
            input=MESSAGE,
            capture_output=True,
            text=True,
            timeout=4 * TIMEOUT,
        )
        assert ran.returncode == 0, ran.stderr
        outputs.append(ran.stdout)
    assert "emma.md" in outputs[2]
    assert planted.executed() == ""


def test_a_child_gets_named_variables_only() -> None:
    given = {
        "HOME": "/home/jay",
        "LC_ALL": "es_ES.UTF-8",
        "PATH": os.pathsep.join(["", ROOT]),
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": "/somewhere",
        "PYTHONSTARTUP": "/somewhere/start.py",
        "OPENAI_API_KEY": "sk-1",
        "AWS_SECRET_ACCESS_KEY": "2",
        "SCRUBJAY_HOME": "/home/jay/scrubjay",
    }
    assert minimal_environment(given) == {
        "HOME": "/home/jay",
        "LC_ALL": "es_ES.UTF-8",
        "PATH": ROOT,
        "OMP_NUM_THREADS": "1",
    }
