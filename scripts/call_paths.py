"""Prints the modules that a search by words and a saved note pass through.

Usage: call_paths.py [--list].

An upward call is one from a module of a lower import layer into a module of a higher one, as a
callback makes it. Calls are counted once for each pair of functions, over all threads.
"""

from __future__ import annotations

import json
import sys
import tempfile
import threading
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.events import IndexChanged
from scrubjay.platform.paths import Paths
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import SearchRequest

ROOT = Path(__file__).resolve().parents[1]
CORE = ROOT / "core" / "scrubjay"
TIMEOUT_S = 30.0
QUESTION = "who repairs the roof"


class CallRecorder:
    """The product's functions that were called while recording, and their callers."""

    def __init__(self) -> None:
        self.is_recording = False
        self.modules: set[str] = set()
        self.calls: set[tuple[str, str, str, str]] = set()
        """Module and function of the caller, module and function called."""

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """Profile function of every thread."""
        if not self.is_recording or event != "call":
            return
        module = module_of(frame)
        if not module:
            return
        self.modules.add(module)
        caller = frame.f_back
        while caller and not module_of(caller):
            caller = caller.f_back
        if caller:
            names = module_of(caller), caller.f_code.co_qualname, module, frame.f_code.co_qualname
            self.calls.add(names)

    def record(self, action: Callable[[], object]) -> None:
        """Run action with nothing recorded before it."""
        self.modules.clear()
        self.calls.clear()
        self.is_recording = True
        try:
            action()
        finally:
            self.is_recording = False


def module_of(frame: FrameType) -> str:
    """Dotted name of a frame's module below `scrubjay`; empty when it is none of the product's."""
    name: str = frame.f_globals.get("__name__", "")
    return name.removeprefix("scrubjay.") if name.startswith("scrubjay.") else ""


def layer_of(module: str, layers: list[list[str]]) -> int:
    """Position of a module's layer, 0 for the highest; -1 outside all layers."""
    top = module.partition(".")[0]
    return next((place for place, layer in enumerate(layers) if top in layer), -1)


def core_layers() -> list[list[str]]:
    """Folders of each layer, highest first."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    names = next(contract["layers"] for contract in contracts if contract["name"] == "core layers")
    return [[name.strip().removeprefix("scrubjay.") for name in row.split("|")] for row in names]


def report(title: str, recorder: CallRecorder, is_long: bool) -> None:
    """Print what was recorded."""
    layers = core_layers()
    upward = sorted(
        call
        for call in recorder.calls
        if layer_of(call[2], layers) < layer_of(call[0], layers) and layer_of(call[2], layers) >= 0
    )
    print(f"{title:24} {len(recorder.modules):4} modules {len(upward):4} upward calls")
    if is_long:
        print("".join(f"    {module}\n" for module in sorted(recorder.modules)), end="")
        print("".join("    {} {} -> {} {}\n".format(*call) for call in upward), end="")


def main(arguments: list[str]) -> int:
    """Record both over a running engine in a temporary folder; the second time of each counts."""
    recorder = CallRecorder()
    threading.setprofile(recorder)
    sys.setprofile(recorder)
    with tempfile.TemporaryDirectory() as name:
        paths, notes = Paths.under(Path(name) / "home"), Path(name) / "notes"
        notes.mkdir()
        for number in range(20):
            text = f"# Note {number}\n\nThe roof of house {number} was repaired by Ana.\n"
            (notes / f"note-{number}.md").write_text(text, encoding="utf-8")
        paths.config.mkdir(parents=True)
        settings = {"workspaces": [{"path": str(notes)}], "memorySearch": {"provider": "none"}}
        paths.config_file.write_text(json.dumps(settings), encoding="utf-8")
        engine = Engine(paths)
        try:
            engine.start()
            engine.refresh().result(TIMEOUT_S)
            request = SearchRequest(QUESTION, mode=Mode.LEXICAL)

            def search() -> None:
                hits = engine.search(request, CancelToken()).result(TIMEOUT_S).hits
                assert hits

            search()
            recorder.record(search)
            report("a search by words", recorder, "--list" in arguments)

            indexed = threading.Event()

            def on_event(event: object) -> None:
                if isinstance(event, IndexChanged):
                    indexed.set()

            def save(words: str) -> None:
                indexed.clear()
                (notes / "note-3.md").write_text(f"# Note 3\n\n{words}\n", encoding="utf-8")
                assert indexed.wait(TIMEOUT_S)

            engine.events.subscribe(on_event)
            save("A new chimney.")
            recorder.record(lambda: save("A new window."))
            report("a saved note", recorder, "--list" in arguments)
        finally:
            sys.setprofile(None)
            engine.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
