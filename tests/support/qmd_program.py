"""Small programs that behave as QMD does, or as it should not."""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path

from support.platforms import IS_WINDOWS

QMD = '''\
import json, os, pathlib, sys
config = pathlib.Path(os.environ["QMD_CONFIG_DIR"], "index.yml")
store = pathlib.Path(os.environ["XDG_CACHE_HOME"], "qmd", "index.json")
with open("asked.txt", "a") as asked:
    print(*sys.argv[1:], file=asked)
if sys.argv[1] == "update":
    found = {}
    for name, one in json.loads(config.read_text())["collections"].items():
        for file in sorted(pathlib.Path(one["path"]).glob(one["pattern"])):
            inside = file.relative_to(one["path"]).as_posix()
            found[f"{name}/{inside}"] = file.read_text()
    store.write_text(json.dumps(found))
elif sys.argv[1] in ("search", "query"):
    words = sys.argv[-1].lower().split()
    results = []
    for path, text in json.loads(store.read_text()).items():
        lines = text.splitlines()
        hits = [i for i, line in enumerate(lines) if any(w in line.lower() for w in words)]
        if hits:
            at = hits[0]
            head = f"@@ -{at + 1},1 @@ ({at} before, {len(lines) - at - 1} after)"
            results.append({"docid": "#1", "score": 0.5, "file": f"qmd://{path}",
                "line": at + 1, "title": lines[0].lstrip("# "),
                "snippet": head + chr(10) + lines[at]})
    print(json.dumps(results[: int(sys.argv[sys.argv.index("-n") + 1])]))
else:
    sys.exit(f"Unknown command: {sys.argv[1]}")
'''  # fmt: skip
"""Finds words, knows `update`, `search` and `query`, and notes what it was asked."""


def program(folder: Path, code: str = QMD) -> Path:
    """A program that runs the code; replaces the one that was there."""
    folder.mkdir(parents=True, exist_ok=True)
    if IS_WINDOWS:
        return _windows_program(folder / "qmd.exe", code)
    file = folder / "qmd"
    file.write_text(f"#!{sys.executable}\n{code}", encoding="utf-8")
    file.chmod(0o755)
    return file


def answering(printed: str) -> str:
    """Code of one that reads notes without a word and prints this for every question."""
    return f"import sys\nif sys.argv[1] != 'update': print({printed!r})\n"


def _windows_program(file: Path, code: str) -> Path:
    """The program that pip makes of a command: a launcher, the interpreter, and a zip of code."""
    launcher, start, _ = (
        Path(sys.executable).with_name("scrubjay.exe").read_bytes().rpartition(b"#!")
    )
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as zipped:
        # Lines end as those of Node do.
        ends = "import sys; sys.stdout.reconfigure(newline=chr(10))\n"
        zipped.writestr("__main__.py", ends + code)
    line = f'"{sys.executable}" -X utf8\r\n'.encode()
    file.write_bytes(launcher + start + line + archive.getvalue())
    return file
