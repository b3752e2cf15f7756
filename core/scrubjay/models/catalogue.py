"""The models that Scrubjay knows, from resources/models.json, and those that a person names."""

from __future__ import annotations

import datetime as dt
import functools
import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct

from scrubjay.errors import DownloadFailed
from scrubjay.messages import msg
from scrubjay.models.model_address import HubFile, model_file_name, parse_hub_address
from scrubjay.platform.paths import Paths, resources
from scrubjay.platform.state_file import StateFile
from scrubjay.records.model_records import ModelPurpose

_UNSAFE = re.compile(r"[^\w.-]+")
_MAX_STEM_BYTES = 200
"""Bytes of a name without its ending; file systems take 255, with `.gguf.part.json` and the
like."""
_SUFFIX = re.compile(r"\.gguf$", re.IGNORECASE)


class Terms(Struct, frozen=True, kw_only=True):
    """Terms of use that have to be accepted before a model may be used."""

    name: str
    url: str


class KnownModel(Struct, frozen=True, kw_only=True):
    """One model. Numbers are None where only the hub or the file can tell."""

    id: str
    name: str
    purpose: ModelPurpose = ModelPurpose.EMBEDDING
    description: str = ""
    """One plain sentence."""
    source: HubFile | str | None = None
    """File on a hub, or an address; None for a language helper that comes with Scrubjay, and for a
    result reader that a person has to import."""
    file: str
    """Name on this computer."""
    sha256: str | None = None
    size_bytes: int | None = None
    dimensions: int | None = None
    context: int | None = None
    """Longest input in tokens."""
    memory_mb: int | None = None
    """Memory while it works, with both contexts."""
    cost: float | None = None
    """Time for a chunk, in that of the built-in model; measured with weights of the same shapes."""
    languages: tuple[str, ...] = ()
    """ISO 639 codes; "mul" for many."""
    licence: str = ""
    """SPDX id, or a name."""
    terms: Terms | None = None
    origin: str = ""
    """Repository of the model before it was converted."""
    prompt_profile: str = "none"
    content: str | None = None
    """Digest of its first and last bytes, for the model that ranking was fitted to: its vectors are
    the measure of all others, so they are not calibrated."""

    @property
    def reference(self) -> str:
        """Value of `local.modelPath` that chooses this model."""
        if isinstance(self.source, HubFile):
            return self.source.reference
        return self.source or ""


@functools.cache
def known_models() -> tuple[KnownModel, ...]:
    """The language helpers of the catalogue, best choice for a beginner first."""
    return _catalogue("models.json", ModelPurpose.EMBEDDING)


@functools.cache
def known_readers() -> tuple[KnownModel, ...]:
    """The result readers of the catalogue, the one that finds most first."""
    return _catalogue("readers.json", ModelPurpose.READING)


def _catalogue(name: str, purpose: ModelPurpose) -> tuple[KnownModel, ...]:
    entries = json.loads((resources() / name).read_bytes())
    return tuple(_known(purpose=purpose, **entry) for entry in entries)


def all_known_models() -> tuple[KnownModel, ...]:
    """Both catalogues."""
    return (*known_models(), *known_readers())


def _known(
    *,
    source: dict[str, str] | None = None,
    terms: dict[str, str] | None = None,
    languages: Sequence[str] = (),
    **others: Any,
) -> KnownModel:
    return KnownModel(
        source=HubFile(**source) if source else None,
        terms=Terms(**terms) if terms else None,
        languages=tuple(languages),
        **others,
    )


def find_known(name: str) -> KnownModel | None:
    """The model with an id, or the one that an `hf:` or `https:` reference means.

    A reference that is not in the catalogue gives a model of which little is known.
    """
    # The built-in model has no reference.
    for model in all_known_models():
        if name in (model.id, model.reference) and name:
            return model
    # A file of a hub that is not in the catalogue, then one of any server.
    source = parse_hub_address(name)
    if source:
        owner = source.repository.split("/")[0]
        return unlisted_model(name, f"hf_{owner}_{PurePosixPath(source.file).name}", source=source)
    file = model_file_name(name)
    if file:
        return unlisted_model(name, file, source=name)
    return None


def unlisted_model(name: str, file: str, source: HubFile | str | None = None) -> KnownModel:
    """A model outside the catalogue, named after its file."""
    stem = _UNSAFE.sub("_", _SUFFIX.sub("", file)).lstrip(".") or "model"
    data = stem.encode()
    if len(data) > _MAX_STEM_BYTES:
        # Names that begin alike stay apart by their digest.
        begin = data[: _MAX_STEM_BYTES - 9].decode(errors="ignore")
        stem = f"{begin}-{hashlib.sha256(data).hexdigest()[:8]}"
    return KnownModel(id=name, name=stem, source=source, file=f"{stem}.gguf")


class AcceptedTerms:
    """Terms of use that a person has accepted, in the state folder."""

    def __init__(self, paths: Paths) -> None:
        self._file = StateFile(paths.state / "accepted-terms.json")

    def covers(self, model: KnownModel) -> bool:
        """True when nothing is left to accept."""
        if model.terms is None:
            return True
        try:
            return model.terms.url in self._file.read()
        except OSError:
            # Then they are asked for again.
            return False

    def check(self, model: KnownModel, *, accept: bool = False) -> None:
        """Raise DownloadFailed when a person has to accept the terms first, and does not now."""
        if model.terms is None or self.covers(model):
            return
        if not accept:
            raise DownloadFailed(
                msg("You have to accept the terms of {name} first", name=model.name),
                msg("Read the {name} at {url}.", name=model.terms.name, url=model.terms.url),
                hint=(
                    "Accept the terms in Settings under “Language helpers”, or with the option "
                    "--accept-terms."
                ),
            )
        # Kept by the address of the terms, which several models may share.
        with self._file.changed() as accepted:
            when = dt.datetime.now().astimezone()
            accepted[model.terms.url] = when.isoformat(timespec="seconds")
