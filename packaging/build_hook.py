"""The build hook of hatchling, which adds the translations and the built-in model to the packages.

A checkout has both after `make setup`, and an sdist has both. Elsewhere, as for
`pipx install git+https://…`, this hook makes them. Only then are the tools for that installed.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MODEL = "all-MiniLM-L6-v2-Q8_0.gguf"
_EDITABLE = "editable"
_CATALOGUES = ("scrubjay_en.qm", "scrubjay_es.qm")
_FOLDERS = {"sdist": "resources/models", "wheel": "scrubjay/resources/models"}
"""Folders of the model in each kind of package. The app looks for it beside its resources."""
_QT = "PySide6-Essentials"
"""The package with the compiler of translations."""


class BuildHook(BuildHookInterface):  # type: ignore[misc]  # only builds have hatchling
    """Makes what is missing before each build."""

    def dependencies(self) -> list[str]:
        """The tools that make the missing parts; none in a checkout that is set up."""
        root = Path(self.root)
        needed: list[str] = []
        with (root / "pyproject.toml").open("rb") as file:
            project = tomllib.load(file)
        if not has_translations(root):
            packages = project["project"]["dependencies"]
            needed += [package for package in packages if package.startswith(_QT)]
        if find_model(root) is None:
            needed += project["dependency-groups"]["builtin-model"]
        return needed

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make what is missing, and add the model, which no pattern of files includes."""
        root = Path(self.root)
        if not has_translations(root):
            _run(root, "translations.py", "--build")
        model = find_model(root)
        if model is None:
            model = built_model(root)
            _run(root, "build_model.py", str(model))
        # An editable install finds the model in the checkout.
        if version != _EDITABLE:
            build_data["force_include"][str(model)] = f"{_FOLDERS[self.target_name]}/{MODEL}"


def has_translations(root: Path) -> bool:
    """Whether the catalogues that Qt loads are there."""
    folder = root / "resources" / "translations"
    return all((folder / catalogue).is_file() for catalogue in _CATALOGUES)


def built_model(root: Path) -> Path:
    """The model where the set-up of a checkout builds it."""
    return root / "build" / "models" / MODEL


def find_model(root: Path) -> Path | None:
    """The model of an sdist or a checkout; None if it has to be built."""
    files = (root / "resources" / "models" / MODEL, built_model(root))
    return next((file for file in files if file.is_file()), None)


def _run(root: Path, script: str, *arguments: str) -> None:
    command = [sys.executable, str(root / "scripts" / script), *arguments]
    subprocess.run(command, cwd=root, check=True)
