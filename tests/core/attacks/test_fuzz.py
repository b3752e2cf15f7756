"""Nonsense for every input: it is answered, refused in words or left out, and nothing falls over.

The dice are seeded, so that a failure comes again; its message has the number of the try.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import subprocess
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from threading import Thread
from typing import IO

import pytest

from scrubjay.config.json5.json5_parser import parse_json5
from scrubjay.config.loading import copy_usable, load_settings
from scrubjay.config.settings_file import ConfigFile
from scrubjay.engine.engine import Engine
from scrubjay.errors import ConfigError, ScrubjayError
from scrubjay.mcp_server.resource_addresses import parse_resource_uri
from scrubjay.mcp_server.tools import MemoryTools
from scrubjay.platform.paths import HOME_VARIABLE, Paths
from scrubjay.records.audience import AGENT, PERSON
from scrubjay.records.note_records import NoteAddress
from scrubjay.records.search_modes import Mode
from support.attacks import command, mutated, resource, tool, tries
from support.config_files import DOCUMENTED
from support.escapes import escapes
from support.limits import BRIEF_THREADS
from support.mcp_client import PROGRAM
from support.mcp_http import INITIALIZE, Server, served
from support.providers import WordProvider
from support.vault import TIMEOUT, add, ask, found, write_notes

pytestmark = pytest.mark.soak

REQUESTS_EACH = 1_000
"""Requests to one server: each may begin a session, and of these a server has a limit."""
CANARY = "the canary sings"
WORDS = (
    "apricot",
    "path:",
    "after:2026-01-01",
    "before:",
    '"apricot jam"',
    "-plum",
    "NEAR(",
    "漢字",
)
NASTY_NAMES = (
    "-rf",
    "$(x)",
    "a\nb",
    "CON",
    "\x1b[2J",
    "é\u0301",
    "\u202egnp",
    "%2e%2e",
    " .md",
    "~",
)


@pytest.fixture
def dice() -> random.Random:
    return random.Random(2026)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with one folder of an agent that is indexed, and with secrets around it."""
    base = tmp_path_factory.mktemp("fuzz")
    agent = {"MEMORY.md": "Apricot jam.\n", "memory/2026-05-08.md": "The apricot tree.\n"}
    write_notes(base / "agent", {**agent, "secret.md": CANARY, "notes/private.md": CANARY})
    write_notes(base, {"secret.md": CANARY, "elsewhere/secret.md": CANARY})
    folder = {"id": "agent", "path": str(base / "agent"), "layout": "agent"}
    content = {"workspaces": [folder], "access": {"write": "allow"}}
    text = json.dumps({**content, "memorySearch": {"provider": "none"}})
    write_notes(base / "home", {"config.json5": text})
    command(base / "home", "index").check()
    return base


@pytest.fixture(scope="module")
def tools(base: Path) -> Iterator[MemoryTools]:
    engine = Engine(Paths.under(base / "home"), limits=BRIEF_THREADS)
    yield MemoryTools(engine)
    engine.close()


# -- the protocol --------------------------------------------------------------------------------


def _messages(dice: random.Random) -> Iterator[dict[str, object]]:
    """Calls as clients make them, with whole numbers from 1 as ids."""
    calls: list[tuple[str, object]] = [
        ("ping", {}),
        ("tools/list", {}),
        ("resources/list", {"cursor": "0"}),
        ("resources/read", {"uri": "memory://agent/MEMORY.md"}),
        ("prompts/get", {"name": "recall", "arguments": {"topic": "jam"}}),
        ("tools/call", {"name": "memory_search", "arguments": {"query": "apricot"}}),
        ("tools/call", {"name": "memory_get", "arguments": {"path": "MEMORY.md", "from": 1}}),
        ("tools/call", {"name": "memory_status", "arguments": {}}),
    ]
    number = 1
    while True:
        number += 1
        method, params = dice.choice(calls)
        yield {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def test_every_message_over_stdio_is_answered(base: Path, dice: random.Random) -> None:
    environ = os.environ | {HOME_VARIABLE: str(base / "home")}
    with subprocess.Popen(
        [str(PROGRAM), "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environ,
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
        process.stdin.flush()
        process.stdout.readline()
        messages = _messages(dice)
        for at in range(0, tries(300, 10_000), 50):
            wanted, lines = set(), bytearray()
            for _ in range(50):
                line = mutated(dice, json.dumps(next(messages)).encode()).replace(b"\n", b" ")
                with contextlib.suppress(ValueError, RecursionError):
                    message = json.loads(line)
                    if _is_call(message):
                        wanted.add(message["id"])
                lines += line + b"\n"
            last = f"end of {at}"
            lines += json.dumps({"jsonrpc": "2.0", "id": last, "method": "ping"}).encode() + b"\n"
            wanted.add(last)
            # Both pipes would fill up if nothing was read meanwhile.
            writing = Thread(target=_say, args=(process.stdin, bytes(lines)))
            writing.start()
            while wanted:
                line = process.stdout.readline()
                assert line, (at, process.stderr.read())
                wanted.discard(json.loads(line).get("id"))
            writing.join()
        process.stdin.close()
        assert b"Traceback" not in process.stderr.read()
        assert process.wait(TIMEOUT) == 0


def _say(pipe: IO[bytes], lines: bytes) -> None:
    pipe.write(lines)
    pipe.flush()


def _is_call(message: object) -> bool:
    if not isinstance(message, dict):
        return False
    number, method = message.get("id"), message.get("method")
    is_number = isinstance(number, int) and not isinstance(number, bool)
    return is_number and isinstance(method, str) and not method.startswith("notifications/")


def test_no_request_over_http_breaks_the_server_or_gets_in(base: Path, dice: random.Random) -> None:
    messages, total = _messages(dice), tries(120, 10_000)
    for first in range(0, total, REQUESTS_EACH):
        with served(base / "home") as server:
            for number in range(first, min(total, first + REQUESTS_EACH)):
                message = INITIALIZE if number % 3 else next(messages)
                _attack_over_http(server, dice, json.dumps(message).encode(), number)
            assert server.post()[0] == 200
            assert server.process.poll() is None


def _attack_over_http(server: Server, dice: random.Random, body: bytes, number: int) -> None:
    headers: dict[str, str | None] = {}
    kind = dice.choice(["body", "token", "host", "origin", "header"])
    junk = mutated(dice, dice.choice([server.token, server.url, "a"]).encode()).decode("latin1")
    junk = "".join(letter for letter in junk if letter.isascii() and letter.isprintable())[:200]
    if kind == "body":
        body = mutated(dice, body)
    elif kind == "header":
        headers = {dice.choice(["Mcp_Session_Id", "Accept", "Content_Type", "X"]): junk}
    else:
        name = {"token": "Authorization", "host": "Host", "origin": "Origin"}[kind]
        headers = {name: f"Bearer {junk}" if kind == "token" else junk}
    status, _ = server.post(body, **headers)
    assert status < 500, (number, kind, junk, body)
    if kind == "token":
        assert status in (400, 401) or junk.strip() == server.token, (number, junk)


# -- files ---------------------------------------------------------------------------------------


def test_settings_of_any_content_are_loaded_and_edited_or_refused(
    tmp_path: Path, dice: random.Random
) -> None:
    file, last = tmp_path / "config.json5", tmp_path / "last.json5"
    texts = [text.encode() for text, _ in DOCUMENTED.values()]
    write_notes(tmp_path, {file.name: '{access: {read: "deny"}, localOnly: true}'})
    strict = load_settings(file)
    for number in range(tries(200, 10_000)):
        # The edit of the round before, if it was taken, is the newest copy of usable settings.
        copy_usable(strict, last)
        content = mutated(dice, dice.choice(texts))
        file.write_bytes(content)
        loaded = load_settings(file, last)
        if loaded.broken:
            assert loaded.settings.access.read == "deny", (number, content)
            assert loaded.settings.local_only, (number, content)
        try:
            ConfigFile(file, last).set(("recall", "deadlineMs"), 1234)
        except ConfigError:
            assert file.read_bytes() == content, number
        else:
            edited = parse_json5(file.read_text(encoding="utf-8-sig")).value
            assert edited["recall"]["deadlineMs"] == 1234, (number, content)


def _note(dice: random.Random, number: int) -> tuple[bytes, bytes]:
    """Name and content of a file."""
    fronts = (
        "---\ntitle: Jam\ndate: 2026-05-08\ntags: [a, b]\n---\n",
        "---\na: &x [*x]\n---\n",
        "",
    )
    bodies = (
        "# Jam\n\n- [ ] apricot [[link|to]]\n",
        "```\ncode\n",
        "| a | b |\n|---|\n",
        "> " * 80,
    )
    text = dice.choice(fronts) + "".join(dice.choices(bodies, k=dice.randint(0, 6)))
    coding = dice.choice(["utf-8", "utf-8", "utf-16", "latin1", "utf-8-sig", "cp1252", "utf-32"])
    content = mutated(dice, text.encode(coding, "replace"))
    name = f"{dice.choice(NASTY_NAMES)}{number}".encode() + dice.randbytes(dice.randint(0, 3))
    name = name.translate(bytes.maketrans(b"/\\\0", b"___"))
    return dice.choice([b"", b"sub ", b"2026-05-0"]) + name + b".md", content


def test_a_note_of_any_content_and_name_is_read_or_listed(
    tmp_path: Path, dice: random.Random
) -> None:
    engine = Engine(Paths.under(tmp_path / "home"), provider=WordProvider(), limits=BRIEF_THREADS)
    with contextlib.closing(engine):
        root = tmp_path / "notes"
        workspace = add(engine, write_notes(root, {"good.md": "A quiet marmalade.\n"}))
        for number in range(0, tries(400, 10_000), 200):
            for file in set(root.iterdir()) - {root / "good.md"}:
                file.unlink()
            for each in range(200):
                name, content = _note(dice, number + each)
                (Path(os.fsdecode(os.fsencode(root) + b"/" + name))).write_bytes(content)
            [report] = engine.refresh(workspace).result(TIMEOUT)
            documents = {each.path for each in engine.notes.recent(1_000).result(TIMEOUT)}
            listed = {file.path for file in report.skipped}
            assert len(documents) + len(listed) >= 201, (number, listed)
            for path in documents:
                engine.notes.page(NoteAddress(workspace.id, path)).result(TIMEOUT)
            assert found(engine, "quiet marmalade")[0] == "good.md", number


def test_a_damaged_index_is_mended(tmp_path: Path, dice: random.Random) -> None:
    notes = write_notes(
        tmp_path / "notes", {f"{n}.md": f"Apricot number{n} jam.\n" * 20 for n in range(12)}
    )
    paths = Paths.under(tmp_path / "home")
    with contextlib.closing(Engine(paths, provider=WordProvider(), limits=BRIEF_THREADS)) as engine:
        workspace = add(engine, notes)
        engine.refresh(workspace).result(TIMEOUT)
        before = _rows(engine)
    [file] = paths.indexes.glob("*.sqlite")
    for left in paths.indexes.glob("*.sqlite-*"):
        assert left.stat().st_size == 0 or left.name.endswith("-shm")
    whole = file.read_bytes()
    for number in range(tries(40, 10_000)):
        shutil.rmtree(paths.indexes)
        write_notes(paths.indexes, {file.name: _damaged(dice, whole)})
        with contextlib.closing(
            Engine(paths, provider=WordProvider(), limits=BRIEF_THREADS)
        ) as engine:
            for mode in (Mode.LEXICAL, Mode.HYBRID):
                with contextlib.suppress(ScrubjayError):
                    ask(engine, "number7", mode)
            with contextlib.suppress(ScrubjayError):
                engine.refresh(workspace).result(TIMEOUT)
            engine.refresh(workspace, force=True).result(TIMEOUT)
            assert _rows(engine) == before, number


def _rows(engine: Engine) -> list[tuple[object, ...]]:
    """What is found, by words and by meaning."""
    return [
        (hit.path, hit.snippet, round(hit.score, 3))
        for mode in (Mode.LEXICAL, Mode.HYBRID)
        for hit in ask(engine, "apricot number7", mode).hits
    ]


def _damaged(dice: random.Random, content: bytes) -> bytes:
    """The content with some bytes changed, zeroed or cut off."""
    data = bytearray(content)
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(data)) if dice.random() < 0.7 else dice.randrange(200)
        end = min(len(data), at + dice.choice([1, 1, 2, 64, 4096]))
        data[at:end] = bytes(end - at) if dice.random() < 0.3 else dice.randbytes(end - at)
    if dice.random() < 0.1:
        del data[dice.randrange(len(data)) :]
    return bytes(data)


def test_no_state_file_stops_a_command(base: Path, tmp_path: Path, dice: random.Random) -> None:
    home = tmp_path / "home"
    shutil.copytree(base / "home", home)
    said = {"prompt": "Remember that I always prefer apricot jam over plum jam."}
    for words, stdin in (
        (("hook", "capture", "--workspace", "agent"), json.dumps(said).encode()),
        (("hook", "flush", "--workspace", "agent"), b'{"tokens": 190000, "sessionKey": "a"}'),
        (("agents", "deny", "bad"), b""),
        (("status",), b""),
        (("doctor",), b""),
    ):
        command(home, *words, stdin=stdin)
    files = [
        file
        for file in chain((home / "state").rglob("*"), (home / "cache").rglob("*"))
        if file.is_file() and "memory" not in file.parts and file.suffix not in (".lock", ".log")
    ]
    assert files
    before = {file: file.read_bytes() for file in files}
    readers = ("status", "search apricot", "get MEMORY.md", "captured", "agents", "dream", "keys")
    for number in range(tries(60, 10_000)):
        file = dice.choice(files)
        file.write_bytes(mutated(dice, before[file]))
        ran = command(home, *dice.choice(readers).split())
        assert ran.code in (0, 1, 2), (number, file, ran)
        file.write_bytes(before[file])


# -- words ---------------------------------------------------------------------------------------


def _text(dice: random.Random) -> str:
    """Words and operators, with anything between them."""
    some = " ".join(dice.choices(WORDS, k=dice.randint(0, 6))).encode()
    return mutated(dice, some).decode(
        "utf-8", dice.choice(["replace", "surrogateescape", "ignore"])
    )


def test_every_question_is_answered(tools: MemoryTools, dice: random.Random) -> None:
    for number in range(tries(250, 10_000)):
        text = _text(dice)
        audience = (AGENT, PERSON)[number % 2]
        answer = ask(tools.engine, text, dice.choice(list(Mode)), audience=audience)
        assert all(0 <= hit.score <= 1 for hit in answer.hits), (number, text)
        tool(
            tools, "any", dice.choice(["memory_search", "memory_context"]), query=text, message=text
        )


def test_no_argument_of_a_command_is_a_bug(base: Path, dice: random.Random) -> None:
    options = (
        "--json",
        "--mode",
        "lexical",
        "--max-results",
        "3",
        "--workspace",
        "--min-score",
        "--",
    )
    for number in range(tries(80, 10_000)):
        words = [dice.choice(["search", "context", "get", "status"])]
        words += [_text(dice).replace("\0", "") for _ in range(dice.randint(0, 2))]
        words += dice.choices(options, k=dice.randint(0, 3))
        ran = command(base / "home", *words)
        assert ran.code in (0, 1, 2), (number, words, ran)


def test_no_path_or_address_leads_out(tools: MemoryTools, dice: random.Random) -> None:
    starts = [*escapes(), "MEMORY.md", "memory/2026-05-08.md", "secret.md", "../secret.md"]
    for number in range(tries(500, 10_000)):
        start = dice.choice(starts).encode("utf-8", "surrogatepass")
        path = mutated(dice, start).decode("utf-8", "surrogateescape")
        text = tool(tools, "any", "memory_get", path=path) + resource(tools, "any", "agent", path)
        with contextlib.suppress(ScrubjayError):
            note = parse_resource_uri(f"memory://agent/{path}")
            text += resource(tools, "any", note.workspace, note.path)
        assert CANARY not in text, (number, path)


def test_no_input_of_a_hook_stops_an_agent(base: Path, dice: random.Random) -> None:
    fields = {
        "hook_event_name": "UserPromptSubmit",
        "prompt": "where is the apricot jam?",
        "cwd": str(base / "agent"),
        "transcript_path": str(base / "agent" / "MEMORY.md"),
        "session_id": "s",
        "tokens": 190_000,
        "contextWindow": 200_000,
        "sessionKey": "agent:main",
    }
    verbs = ("recall", "today", "keep", "capture", "flush")
    for number in range(tries(80, 10_000)):
        content = mutated(dice, json.dumps(fields).encode())
        ran = command(base / "home", "hook", dice.choice(verbs), stdin=content)
        assert ran.code == 0, (number, content, ran)
        assert "Traceback" not in ran.err, (number, content, ran)
        assert CANARY not in ran.out, (number, content)
