"""Tests a bundle's command line and server: `python packaging/quick_smoke.py PROGRAM`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

NOTE = "# Garden\n\nThe hedgehogs come out at dusk and eat the slugs under the lettuce.\n"
OTHER = "# Car\n\nThe winter tyres are in the cellar, the summer tyres at the dealer's.\n"
DOCUMENT = (
    '<?xml version="1.0" encoding="UTF-8"?>'
    '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
    "<w:p><w:r><w:t>The chimney sweep Ñandú 😀 comes in October.</w:t></w:r></w:p>"
    "</w:body></w:document>"
)
"""Content of a Word document, with letters that are in few encodings."""
QUESTION = "where are the snow wheels kept?"
"""Shares no word of weight with the note that answers it."""
ASKED_AT_MOST = 60


def main(arguments: list[str]) -> int:
    """Find notes by words and by meaning, a document, and a note through the server for agents."""
    with tempfile.TemporaryDirectory(prefix="über uns ", ignore_cleanup_errors=True) as folder:
        use(Path(arguments[0]).absolute(), Path(folder))
    print("Found by words, by meaning, in a document, and by an agent.")
    return 0


def use(program: Path, folder: Path) -> None:
    """Add notes, index, search. The names of folders are not simple on purpose."""
    notes = folder / "meine Notizen ñ 日本"
    notes.mkdir()
    (notes / "garden.md").write_text(NOTE, encoding="utf-8")
    (notes / "car.md").write_text(OTHER, encoding="utf-8")
    home = folder / "home"
    with zipfile.ZipFile(notes / "house.docx", "w") as document:
        document.writestr("word/document.xml", DOCUMENT)
    run(program, home, "workspace", "add", str(notes))
    run(program, home, "index")
    expected = {QUESTION: "car.md", "hedgehogs": "garden.md", "Ñandú chimney": "house.docx"}
    for question, file in expected.items():
        answer = json.loads(run(program, home, "search", question, "--json"))
        if file not in first_path(answer):
            raise AssertionError(f"{question!r} found {answer}")
    environ = {**os.environ, "SCRUBJAY_HOME": str(home)}
    answer = ask_server([str(program), "mcp"], environ, "hedgehogs")
    if "garden.md" not in answer:
        raise AssertionError(f"The server for agents said {answer}")


def ask_server(command: Sequence[str], environ: Mapping[str, str], question: str) -> str:
    """The raw answer of the server for agents to a search.

    Command starts the server. Raises AssertionError when it does not introduce itself, loads Qt,
    or does not end with its input.
    """
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "smoke", "version": "1"},
    }
    search = {"name": "memory_search", "arguments": {"query": question}}
    server = subprocess.Popen(
        command,
        env=environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    )
    with server:
        assert server.stdin is not None
        assert server.stdout is not None

        def say(message: dict[str, Any]) -> str:
            assert server.stdin is not None
            assert server.stdout is not None
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            server.stdin.flush()
            # One line for each message that has a number.
            return server.stdout.readline() if "id" in message else ""

        introduction = say({"id": 0, "method": "initialize", "params": hello})
        say({"method": "notifications/initialized"})
        for number in range(1, ASKED_AT_MOST + 1):
            answer = say({"id": number, "method": "tools/call", "params": search})
            # Words answer while the model starts; the answer says so, and an agent asks again.
            if "still starting" not in answer:
                break
            time.sleep(0.5)
        if "libQt" in libraries(server.pid):
            raise AssertionError("The server for agents has loaded Qt, which takes a while")
        server.stdin.close()
        ended = server.wait(30)
    if ended or '"serverInfo"' not in introduction:
        raise AssertionError(f"The server for agents ended with {ended} after {introduction}")
    return answer


def libraries(process: int) -> str:
    """Libraries that a running program has loaded; empty where the system does not list them."""
    maps = Path(f"/proc/{process}/maps")
    return maps.read_text() if maps.exists() else ""


def first_path(answer: Any) -> str:
    """Of the best hit; empty without one."""
    results = answer["results"]
    return str(results[0]["path"]) if results else ""


def run(program: Path, home: Path, *arguments: str, **environ: str) -> str:
    """Output of the program. Raises AssertionError when it fails."""
    done = subprocess.run(
        [str(program), *arguments],
        env={**os.environ, "SCRUBJAY_HOME": str(home), **environ},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        raise AssertionError(f"{arguments} ended with {done.returncode}: {done.stderr}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
