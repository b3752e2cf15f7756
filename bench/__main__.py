"""`python -m bench`: measures every number that the documentation quotes, in one run."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench import (
    agents,
    desktop,
    documents,
    indexing,
    peers,
    picture_speed,
    qmd,
    quality,
    searching,
    team,
    team_soak,
    terminal,
)
from scrubjay.models.model_files import find_model
from scrubjay.platform.paths import Paths

assert sys.platform == "linux", "only Linux tells what is measured here"

_ROOT = Path(__file__).resolve().parents[1]
_JUDGED = _ROOT.parent / "shared" / "bench" / "locomo-dev"
"""Conversations for measuring only; measures that need them are left out where they are absent."""

_PARTS = (
    *("search", "index", "documents", "pictures", "quality"),
    *("desktop", "agents", "terminal", "team", "peers"),
)
_SIZES = (1_000, 10_000)
_LARGE = 100_000
_HUGE = 1_000_000


def main() -> None:
    """Measure, print a table and write the JSON."""
    parser = _parser()
    options = parser.parse_args()
    model = find_model(Paths.of_user())
    if model is None:
        parser.error("the built-in model is missing: run `make setup`")
    with tempfile.TemporaryDirectory(prefix="scrubjay-bench-") as name:
        results = _measured(options, model, Path(name))
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(results, indent=2) + "\n")
    _print_table(results)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make bench")
    parser.add_argument("--large", action="store_true", help="search 100,000 chunks too")
    parser.add_argument("--huge", action="store_true", help="and 1,000,000: half an hour, 5 GB")
    parser.add_argument("--sizes", type=int, nargs="+", help="search so many chunks instead")
    parser.add_argument("--keep", type=Path, help="folder of indexes for searching; used again")
    parser.add_argument("--dimensions", type=int, default=0, help="of the vectors searched")
    parser.add_argument("--requests", type=int, default=10_000, help="of agents, in all")
    parser.add_argument("--minutes", type=float, default=1, help="of a team at work")
    parser.add_argument("--only", choices=_PARTS)
    parser.add_argument("--output", type=Path, default=_ROOT / "build" / "bench.json")
    return parser


def _measured(options: argparse.Namespace, model: Path, folder: Path) -> dict[str, Any]:
    """Results of the parts that are wanted, by their names."""
    results: dict[str, Any] = {}
    indexes = options.keep or folder
    if options.only in (None, "search"):
        results["search"] = {
            str(size): searching.measure(indexes, model, size, options.dimensions)
            for size in options.sizes or _sizes(options)
        }
    if options.only in (None, "index"):
        results |= _indexing(model, folder)
    if options.only in (None, "documents"):
        results["documents"] = documents.measure(folder / "documents")
    if options.only in (None, "pictures"):
        results["pictures"] = picture_speed.measure()
    if options.only in (None, "quality"):
        results["quality"] = quality.measure(folder, _ROOT, _JUDGED)
    if options.only in (None, "desktop"):
        results["desktop"] = desktop.measure(folder, model)
    results |= _processes(options, folder)
    if options.only == "team" or (options.only is None and team.is_installed()):
        results["team"] = _team(options, model, folder)
    return results


def _processes(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Results of whole processes: servers for agents, commands, and other programs."""
    results: dict[str, Any] = {}
    if options.only in (None, "agents"):
        results["agents"] = agents.measure(folder, options.requests)
    if options.only in (None, "terminal"):
        results["terminal"] = terminal.measure(folder)
    if options.only in (None, "peers"):
        results["peers"] = peers.measure(folder)
    return results


def _indexing(model: Path, folder: Path) -> dict[str, Any]:
    """Results of indexing by words, by QMD where it is installed, and by meaning."""
    results: dict[str, Any] = {"index": indexing.words(folder)}
    other = qmd.measure(folder, folder / "many")
    if other:
        results["qmd"] = other
    if _JUDGED.is_dir():
        folders = sorted(path for path in _JUDGED.iterdir() if path.is_dir())
        results["model"] = indexing.with_model(folder, folders, model)
    return results


def _team(options: argparse.Namespace, model: Path, folder: Path) -> dict[str, Any]:
    """Results of shared memories: quality, sizes, and a team at work."""
    results = {"quality": team.quality(folder / "team-quality", _JUDGED)}
    sizes = options.sizes or [_LARGE]
    if options.huge and not options.sizes:
        sizes = [_LARGE, _HUGE]
    for size in sizes:
        results[str(size)] = team.measure(options.keep or folder, model, size)
    results["at_work"] = team_soak.measure(folder / "team-at-work", options.minutes)
    return results


def _sizes(options: argparse.Namespace) -> list[int]:
    large = [_LARGE] if options.large or options.huge else []
    return [*_SIZES, *large, *([_HUGE] if options.huge else [])]


def _print_table(values: Mapping[str, Any], above: str = "") -> None:
    for key, value in values.items():
        name = f"{above} {key}".strip()
        if isinstance(value, Mapping):
            _print_table(value, name)
        else:
            print(f"{name:<60} {value}")


if __name__ == "__main__":
    main()
