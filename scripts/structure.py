"""Prints how the code is built: `structure.py [--list]`, sizes, folders, layers and prose.

With --list it also names what counts against each limit.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = {"scrubjay": ROOT / "core", "scrubjay_desktop": ROOT / "desktop"}
MAX_CLASS_LINES = 260
MAX_FOLDER_MODULES = 14
VAGUE = re.compile(r"\b(who|what|nobody|somebody)\b", re.IGNORECASE)
"""Words that stand in prose where the noun of a thing belongs."""


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


def prose(module: Module) -> Iterator[tuple[int, str]]:
    """Line and text of each comment, with comments on consecutive lines as one, and docstring."""
    run: list[str] = []
    begin = last = 0
    for token in tokenize.generate_tokens(io.StringIO(module.text).readline):
        if token.type != tokenize.COMMENT:
            continue
        if run and token.start[0] == last + 1:
            run.append(token.string)
        else:
            if run:
                yield begin, " ".join(run)
            run, begin = [token.string], token.start[0]
        last = token.start[0]
    if run:
        yield begin, " ".join(run)
    for node in ast.walk(module.tree):
        # A bare string below a name is its docstring, too.
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            yield node.lineno, node.value.value


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


def main(arguments: list[str]) -> int:
    """Print the table."""
    every = modules()
    lists = "--list" in arguments
    code = [module for module in every.values() if not module.is_marker]
    rows: list[tuple[str, object, object, list[str]]] = []
    lines = sum(module.text.count("\n") for module in every.values())
    rows.append(("product lines", lines, 69_000, []))
    for package, limit in (("scrubjay", 290), ("scrubjay_desktop", 126)):
        own = [module for module in code if module.package == package]
        rows.append((f"modules of {package}", len(own), limit, []))
    folders = Counter(str(module.file.parent.relative_to(ROOT)) for module in code)
    for package, limit in (("core/scrubjay", 8), ("desktop/scrubjay_desktop", 4)):
        rows.append((f"modules directly in {package}", folders[package], limit, []))
    wide = [f"{folder}: {n}" for folder, n in folders.items() if n > MAX_FOLDER_MODULES]
    largest = max(n for folder, n in folders.items() if not folder.endswith("cli/commands"))
    rows.append(("modules in the largest folder but commands", largest, MAX_FOLDER_MODULES, wide))
    importers = defaultdict(set)
    for module in every.values():
        for target in imports(module, every):
            importers[target].add(module.name)
    single = [module.name for module in code if len(importers[module.name]) == 1]
    share = round(100 * len(single) / len(code), 1)
    sizes = {module.name: module.text.count("\n") for module in code}
    described = [f"{sizes[name]:4} {name} <- {next(iter(importers[name]))}" for name in single]
    rows.append(("modules with one importer, %", share, 28, sorted(described)))
    rows.append(("layers of the core", layer_count(), 16, []))
    long = [
        f"{module}.{node.name}: {(node.end_lineno or 0) - node.lineno + 1}"
        for module, node in classes(every)
        if (node.end_lineno or 0) - node.lineno + 1 > MAX_CLASS_LINES
    ]
    rows.append((f"classes over {MAX_CLASS_LINES} lines", len(long), 0, long))
    bases = {
        node.name: {getattr(base, "id", getattr(base, "attr", "")) for base in node.bases}
        for _, node in classes(every)
    }
    deep = {name: depth(name, bases) for name in bases}
    rows.append(
        ("deepest inheritance", max(deep.values()), 2, [name for name in deep if deep[name] > 2])
    )
    vague: Counter[str] = Counter()
    total = 0
    for module in every.values():
        for _, text in prose(module):
            total += 1
            vague[module.name] += bool(VAGUE.search(text))
    share = round(100 * sum(vague.values()) / total, 1)
    most = [f"{n:3} {name}" for name, n in vague.most_common() if n]
    rows.append(("comments and docstrings with who, what, …, %", share, 9, most))
    for title, value, bound, culprits in rows:
        print(f"{title:48} {value!s:>8}   at most {bound}")
        if lists:
            print("".join(f"    {one}\n" for one in culprits), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
