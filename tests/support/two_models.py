"""A catalogue of two tiny models that really run: one is here, the other has to be fetched."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from scrubjay.models import catalogue, model_files
from scrubjay.models.download.remote_file import ENDPOINT_VARIABLE
from scrubjay.platform.paths import Paths
from support.hub import Hub
from support.tiny_models import NOMIC, write_tiny_model

SMALL, BETTER = "small", "better"
"""Ids of the models; the second one has terms that must be accepted."""
REPOSITORY = "jay/better-GGUF"


def write_two_models(folder: Path, paths: Paths, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Replace the catalogue by these models, with `small` in its place; the file of `better`."""
    paths.models.mkdir(parents=True)
    here = write_tiny_model(NOMIC, paths.models).rename(paths.models / "small.gguf")
    folder.mkdir()
    there = write_tiny_model(NOMIC, folder, seed=1).rename(folder / "better.gguf")
    small = {**_facts(here), "id": SMALL, "name": "Small", "description": "Small and fast."}
    better = {
        **_facts(there),
        "id": BETTER,
        "name": "Better",
        "languages": ["mul"],
        "source": {"repository": REPOSITORY, "file": there.name},
        "licence": "Gemma",
        "terms": {"name": "Gemma Terms of Use", "url": "https://ai.google.dev/gemma/terms"},
    }
    (folder / "models.json").write_text(json.dumps([small, better]))
    (folder / "readers.json").write_text("[]")
    for module in (catalogue, model_files):
        monkeypatch.setattr(module, "resources", lambda: folder)
    forget_catalogues()
    return there


def forget_catalogues() -> None:
    """Have both catalogues read again."""
    catalogue.known_models.cache_clear()
    catalogue.known_readers.cache_clear()


def offer(hub: Hub, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the hub have the file of `better`, and let Scrubjay ask this hub."""
    hub.add(REPOSITORY, file.name, file.read_bytes())
    monkeypatch.setenv(ENDPOINT_VARIABLE, hub.address)
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def _facts(file: Path) -> dict[str, object]:
    content = file.read_bytes()
    return {
        "file": file.name,
        "sha256": hashlib.sha256(content).hexdigest(),
        "size_bytes": len(content),
        "languages": ["en"],
        "licence": "Apache-2.0",
    }
