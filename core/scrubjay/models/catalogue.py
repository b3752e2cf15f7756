"""The models that Scrubjay knows, from resources/models.json, and where their files are."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from scrubjay.paths import Paths, resources


@dataclass(frozen=True, slots=True)
class KnownModel:
    """One entry of the catalogue."""

    id: str
    name: str
    file: str
    dimensions: int
    context: int
    """Longest input in tokens."""
    size_bytes: int


def known_models() -> tuple[KnownModel, ...]:
    """The catalogue, best choice for a beginner first."""
    entries = json.loads((resources() / "models.json").read_text(encoding="utf-8"))
    fields = KnownModel.__slots__
    return tuple(KnownModel(**{name: entry[name] for name in fields}) for entry in entries)


def find_model(paths: Paths, model_path: str = "", cache_dir: str = "") -> Path | None:
    """The GGUF file to use: the person's own choice, else the best one that is installed.

    A chosen file is returned even when it is not there, so that it can be asked for by name.
    """
    folders = [Path(cache_dir).expanduser()] if cache_dir else []
    # In a checkout the set-up builds the model beside the resources.
    folders += [paths.models, resources() / "models", resources().parent / "build" / "models"]
    if model_path:
        chosen = Path(model_path).expanduser()
        if chosen.is_absolute() or chosen.is_file():
            return chosen
        inside = [folder / model_path for folder in folders]
        return next((file for file in inside if file.is_file()), chosen)
    files = [folder / model.file for model in known_models() for folder in folders]
    return next((file for file in files if file.is_file()), None)
