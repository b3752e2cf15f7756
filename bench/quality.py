"""Quality of answers, on the project's own notes and on judged conversations."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

_MODES = ("lexical", "vector", "hybrid")


def measure(folder: Path, root: Path, judged: Path) -> dict[str, Any]:
    """Results of `scrubjay eval` in each mode; conversations are left out where they are absent."""
    results: dict[str, Any] = {}
    own = sorted((root / "tests" / "quality").glob("*qrels.json"))
    for name, files in (("own notes", own), ("conversations", sorted(judged.glob("*.json")))):
        if files:
            results[name] = {mode: _evaluate(folder, files, mode) for mode in _MODES}
    return results


def _evaluate(folder: Path, files: list[Path], mode: str) -> dict[str, Any]:
    command = [str(Path(sys.executable).with_name("scrubjay")), "eval", "--json", "--mode", mode]
    process = subprocess.run(
        [*command, *map(str, files)],
        env={**os.environ, "SCRUBJAY_HOME": str(folder / "home-quality")},
        stdout=subprocess.PIPE,
        check=True,
    )
    metrics: dict[str, Any] = json.loads(process.stdout)["metrics"]
    return metrics
