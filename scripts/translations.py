"""Brings the translations up to date: collects what is to be translated, builds what Qt reads.

.venv/bin/python scripts/translations.py

Translate what is marked `unfinished` in resources/translations/scrubjay_es.ts, then run it again.
Both files are committed, so that neither set-up nor packaging needs Qt's tools.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]
SOURCES = tuple(
    _ROOT / folder
    for folder in ("desktop/scrubjay_desktop", "core/scrubjay/health", "core/scrubjay/config")
)
"""Where windows speak, and where the core has sentences that windows show."""
CATALOGUE = _ROOT / "resources" / "translations" / "scrubjay_es.ts"
BUILT = CATALOGUE.with_suffix(".qm")


def main() -> None:
    """Collect, then build."""
    collect(CATALOGUE)
    build(CATALOGUE, BUILT)


def collect(catalogue: Path) -> None:
    """Add what is new to a catalogue, and drop what is said no more."""
    CATALOGUE.parent.mkdir(parents=True, exist_ok=True)
    sources = sorted(str(file) for folder in SOURCES for file in folder.glob("*.py"))
    languages = ["-source-language", "en", "-target-language", "es"]
    # Line numbers would change the file with every edit of the code.
    _run("pyside6-lupdate", *sources, "-ts", str(catalogue), *languages, "-no-obsolete",
         "-locations", "none")  # fmt: skip


def build(catalogue: Path, built: Path) -> None:
    """Make the file that the app loads."""
    _run("pyside6-lrelease", "-silent", str(catalogue), "-qm", str(built))


def _run(tool: str, *arguments: str) -> None:
    subprocess.run([Path(sys.executable).with_name(tool), *arguments], cwd=_ROOT, check=True)


if __name__ == "__main__":
    main()
