"""Prints sizes of the code and checks limits on line habits: `structure.py [--list]`.

A habit that exceeds its limit is an error. --list prints the places of each habit.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from line_habits import MEASURES, comment_lines, field_docstring_count, patched_constants

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = {"scrubjay": ROOT / "core", "scrubjay_desktop": ROOT / "desktop"}
LARGE_CLASS = 260

FIELDS = "docstrings of fields without their noun"
COMMENTS = "lines that are a comment, %"
CIRCLES = "circles of imports"
TWINS = "modules of one name in a package"
PATCHES = "constants that tests patch"
PER_THOUSAND_LINES = (
    "paired assignments",
    "conditional expressions",
    "walruses",
    "calls with 4 arguments by place",
)
LIMITS = {
    "paired assignments": 0.3,
    "conditional expressions": 5.0,
    "walruses": 0.5,
    "calls with 4 arguments by place": 1.1,
    "functions over 50 lines": 3,
    "constructors with 7 parts": 0,
    "callbacks in constructors": 40,
    "functions that take the id of a workspace": 25,
    "dictionaries by the id of a workspace": 3,
    "questions whether a workspace is shared": 6,
    "local times from the system": 2,
    FIELDS: 1.2,
    COMMENTS: 3.5,
    CIRCLES: 0,
    PATCHES: 0,
    TWINS: 0,
}
"""What is reached, so that nothing gets worse. The aims are 1.5, 8, 2 and 1 for a thousand lines,
then 3, 0, 40, 25, 3, 6 and 2 (both in `text/age`), then 3 % of the docstrings, 3.5 % comments, and
no circle or patch."""


@dataclass(frozen=True)
class Habit:
    """One habit of the whole product."""

    title: str
    value: float
    limit: float
    places: list[str]
    """Files with lines, or circles of modules, or modules of one name."""
    is_least: bool = False
    """The limit is the least value, not the greatest."""

    @property
    def is_broken(self) -> bool:
        """Whether the value is beyond the limit."""
        if self.is_least:
            return self.value < self.limit
        return self.value > self.limit


@dataclass(frozen=True)
class Module:
    """One source file."""

    name: str
    """Dotted, without `__init__`."""
    file: Path
    text: str
    tree: ast.Module

    @property
    def is_marker(self) -> bool:
        """Whether this is an `__init__` that holds a docstring only."""
        return self.file.name == "__init__.py" and len(self.tree.body) <= 1

    @property
    def package(self) -> str:
        """The top package."""
        return self.name.partition(".")[0]


def modules() -> dict[str, Module]:
    """All modules of the product by dotted name."""
    every = {}
    for package, source in PACKAGES.items():
        for file in sorted((source / package).rglob("*.py")):
            name = ".".join(file.relative_to(source).with_suffix("").parts)
            name = name.removesuffix(".__init__")
            text = file.read_text("utf-8")
            every[name] = Module(name, file, text, ast.parse(text))
    return every


def imports(module: Module, every: dict[str, Module]) -> set[str]:
    """Names of the product's modules that a module imports, lazily or not."""
    targets = set()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                targets.add(full if full in every else node.module)
        elif isinstance(node, ast.Import):
            targets |= {alias.name for alias in node.names}
    return {target for target in targets if target in every and target != module.name}


def classes(every: dict[str, Module]) -> Iterator[tuple[str, ast.ClassDef]]:
    """Every class with the name of its module."""
    for module in every.values():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ClassDef):
                yield module.name, node


def depth(name: str, bases: dict[str, set[str]]) -> int:
    """Steps of inheritance from a class up to the first that inherits none of the product's."""
    return max((1 + depth(base, bases) for base in bases[name] if base in bases), default=0)


def layer_count() -> int:
    """Layers of the core in pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    return max(len(contract.get("layers", ())) for contract in contracts)


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Modules that import each other in a circle, for types alone too (Tarjan, 1972)."""
    found: list[list[str]] = []
    numbers: dict[str, int] = {}
    lowest: dict[str, int] = {}
    path: list[str] = []

    def visit(name: str) -> None:
        numbers[name] = lowest[name] = len(numbers)
        path.append(name)
        for target in graph[name]:
            if target not in numbers:
                visit(target)
                lowest[name] = min(lowest[name], lowest[target])
            elif target in path:
                lowest[name] = min(lowest[name], numbers[target])
        if lowest[name] == numbers[name]:
            circle = path[path.index(name) :]
            del path[path.index(name) :]
            if len(circle) > 1:
                found.append(sorted(circle))

    for name in graph:
        if name not in numbers:
            visit(name)
    return found


def twins(every: dict[str, Module]) -> list[list[str]]:
    """Modules of a package that have the same name, so that it does not say which one is meant."""
    named: dict[tuple[str, str], list[str]] = {}
    for module in every.values():
        if module.file.stem not in ("__init__", "__main__"):
            named.setdefault((module.package, module.file.stem), []).append(module.name)
    return [names for names in named.values() if len(names) > 1]


def sizes(every: dict[str, Module]) -> Iterator[tuple[str, object]]:
    """How large the parts are. Length is never a reason to pack a line, so nothing is limited."""
    code = [module for module in every.values() if not module.is_marker]
    yield "product lines", sum(module.text.count("\n") for module in every.values())
    for package in PACKAGES:
        yield f"modules of {package}", sum(module.package == package for module in code)
    folders = Counter(str(module.file.parent.relative_to(ROOT)) for module in code)
    folder, count = folders.most_common(1)[0]
    yield f"modules of the largest folder, {folder}", count
    yield "layers of the core", layer_count()
    lines = [node_lines(node) for _, node in classes(every)]
    yield f"classes over {LARGE_CLASS} lines", sum(count > LARGE_CLASS for count in lines)
    bases = {
        node.name: {getattr(base, "id", getattr(base, "attr", "")) for base in node.bases}
        for _, node in classes(every)
    }
    yield "deepest inheritance", max(depth(name, bases) for name in bases)


def node_lines(node: ast.ClassDef) -> int:
    """Lines from the first to the last of a class."""
    return (node.end_lineno or node.lineno) - node.lineno + 1


def habits(every: dict[str, Module]) -> Iterator[Habit]:
    """The habits that are limited, as shares where a larger product has more of them."""
    thousands = sum(module.text.count("\n") for module in every.values()) / 1000
    for title, measure in MEASURES.items():
        places = [
            f"{module.file.relative_to(ROOT)}:{line}"
            for module in every.values()
            for line in measure(module.tree)
        ]
        value: float = len(places)
        if title in PER_THOUSAND_LINES:
            value = len(places) / thousands
        elif title == FIELDS:
            fields = sum(field_docstring_count(module.tree) for module in every.values())
            value = 100 * len(places) / fields
        yield Habit(title, value, LIMITS[title], places)
    comments = sum(comment_lines(module.text) for module in every.values())
    yield Habit(COMMENTS, comments / thousands / 10, LIMITS[COMMENTS], [], is_least=True)
    graph = {name: imports(module, every) for name, module in every.items()}
    rings = [" <-> ".join(circle) for circle in circles(graph)]
    yield Habit(CIRCLES, len(rings), LIMITS[CIRCLES], rings)
    patches = [
        f"{file.relative_to(ROOT)}:{line}"
        for file in sorted((ROOT / "tests").rglob("*.py"))
        for line in patched_constants(ast.parse(file.read_text("utf-8")))
    ]
    yield Habit(PATCHES, len(patches), LIMITS[PATCHES], patches)
    pairs = [" = ".join(names) for names in twins(every)]
    yield Habit(TWINS, len(pairs), LIMITS[TWINS], pairs)


def main(arguments: list[str]) -> int:
    """Print sizes and habits; 1 when a habit is beyond its limit."""
    every = modules()
    for title, size in sizes(every):
        print(f"{title:56} {size!s:>8}")
    code = 0
    for habit in habits(every):
        bound = "at least" if habit.is_least else "at most"
        print(f"{habit.title:56} {habit.value:8.2f}   {bound} {habit.limit}")
        if "--list" in arguments:
            print("".join(f"    {place}\n" for place in habit.places), end="")
        if habit.is_broken:
            print(f"Too many: {habit.title}. `scripts/structure.py --list` names them.")
            code = 1
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
