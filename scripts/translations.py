"""Updates the translations: collects the texts to translate, and builds the file that Qt reads.

.venv/bin/python scripts/translations.py [--build]

Translate the texts that are marked `unfinished` in resources/translations/scrubjay_es.ts, then run
the script again. The set-up uses --build, which only builds the file.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from core_sentences import core_sentences

_ROOT = Path(__file__).resolve().parents[1]
WINDOWS = _ROOT / "desktop" / "scrubjay_desktop"
CORE_CONTEXT = "Core"
"""Under which the sentences of the core are translated."""
OF_QT = {
    "QShortcut": ("Ctrl", "Shift", "Return", "Esc", "Tab", "Del", "Ins", "Backspace"),
    "QMessageBox": ("Show Details...", "Hide Details..."),
    "QFileDialog": (
        "&Look in:", "Files of &type:", "File &name:", "Directory:", "Directories", "&Choose",
        "All Files (*)", "Go to the parent directory", "Parent Directory", "Show &hidden files",
        "%1 already exists.\nDo you want to replace it?",
    ),
    "QAbstractFileIconProvider": ("Folder", "File", "%1 File"),
}  # fmt: skip
"""Words of Qt, by context, that its own catalogue lacks or that are others here: keys are named
as keyboards name them, a file is an archivo. Qt looks for them in ours first."""
CATALOGUE = _ROOT / "resources" / "translations" / "scrubjay_es.ts"
BUILT = CATALOGUE.with_suffix(".qm")
ENGLISH = CATALOGUE.with_name("scrubjay_en.ts")
"""Written by hand: the words of Qt that are others in English too."""


def main(arguments: list[str]) -> None:
    """Collect, unless only to build was asked for; then build."""
    if "--build" not in arguments:
        collect(CATALOGUE)
    build(CATALOGUE, BUILT)
    build(ENGLISH, ENGLISH.with_suffix(".qm"))


def collect(catalogue: Path) -> None:
    """Add what is new to a catalogue, and drop what is said no more."""
    CATALOGUE.parent.mkdir(parents=True, exist_ok=True)
    windows = sorted(str(file) for file in WINDOWS.rglob("*.py"))
    languages = ["-source-language", "en", "-target-language", "es"]
    with tempfile.TemporaryDirectory() as folder:
        core = Path(folder) / "core.py"
        calls = [_call(CORE_CONTEXT, one) for one in core_sentences()]
        calls += [_call(context, one) for context, words in OF_QT.items() for one in words]
        core.write_text("".join(calls), encoding="utf-8")
        # Line numbers would change the file with every edit of the code.
        _run("pyside6-lupdate", *windows, str(core), "-ts", str(catalogue), *languages,
             "-no-obsolete", "-locations", "none")  # fmt: skip


def _call(context: str, template: str) -> str:
    """A line of code in which Qt's tool finds a sentence; it knows no other marks."""
    return f"translate({context!r}, {json.dumps(template, ensure_ascii=False)})\n"


def build(catalogue: Path, built: Path) -> None:
    """Make the file that the app loads."""
    _run("pyside6-lrelease", "-silent", str(catalogue), "-qm", str(built))


def _run(tool: str, *arguments: str) -> None:
    # Next to this Python, or in the environment in which pip builds a package.
    beside = str(Path(sys.executable).parent)
    program = shutil.which(tool, path=beside) or shutil.which(tool)
    if program is None:
        sys.exit(f"{tool} is not installed. It is a part of PySide6-Essentials.")
    subprocess.run([program, *arguments], cwd=_ROOT, check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
