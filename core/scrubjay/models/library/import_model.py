"""Takes a model file that a person already has: checked as a download is, and copied."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import ModelRefused, system_reason
from scrubjay.messages import msg
from scrubjay.models.catalogue import KnownModel, known_models, unlisted
from scrubjay.models.download.partial_file import IMPORT_PREFIX
from scrubjay.models.download.transfer import SPACE_FACTOR, free_bytes
from scrubjay.models.model_files import ModelFiles
from scrubjay.models.verification import Probe, check, checked_header, digest_of, write_receipt
from scrubjay.platform.paths import expanded_path


def import_file(
    shelf: ModelFiles,
    path: Path,
    probe: Probe,
    accepted: Callable[[KnownModel], None],
    cancel: CancelToken,
) -> Path:
    """Where the model is from now on. The person's own file is only read.

    Accepted raises for a model whose terms nobody accepted. Raises ModelRefused or Cancelled.
    """
    source = expanded_path(path).absolute()
    try:
        if not source.is_file():
            raise ModelRefused(
                "There is no such file", msg("{source}.", source=source), hint="Check the path."
            )
        checked_header(source)
        if source.parent == shelf.folder:
            return _in_place(shelf, source, probe, accepted, cancel)
        return _copied(shelf, source, probe, accepted, cancel)
    except OSError as error:
        reason = system_reason(error)
        raise ModelRefused(
            msg("{file} cannot be imported", file=source), msg("{reason}.", reason=reason)
        ) from error


def _in_place(
    shelf: ModelFiles,
    source: Path,
    probe: Probe,
    accepted: Callable[[KnownModel], None],
    cancel: CancelToken,
) -> Path:
    digest = digest_of(source, cancel)
    model = _model(digest, source, shelf)
    accepted(model)
    receipt = check(source, model.id, sha256=digest, wanted=None, probe=probe, cancel=cancel)
    write_receipt(source, replace(receipt, imported_from=str(source)))
    return source


def _copied(
    shelf: ModelFiles,
    source: Path,
    probe: Probe,
    accepted: Callable[[KnownModel], None],
    cancel: CancelToken,
) -> Path:
    shelf.folder.mkdir(parents=True, exist_ok=True)
    needed = int(source.stat().st_size * SPACE_FACTOR)
    if free_bytes(shelf.folder) < needed:
        raise ModelRefused(
            "There is not enough space on the disk",
            msg("{n} MB are needed in {folder}.", n=round(needed / 1000000.0), folder=shelf.folder),
            hint="Make room and try again.",
        )
    handle, name = tempfile.mkstemp(dir=shelf.folder, prefix=IMPORT_PREFIX, suffix=".gguf")
    copy = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            digest = digest_of(source, cancel, stream)
            stream.flush()
            os.fsync(stream.fileno())
        copy.chmod(0o644)
        model = _model(digest, source, shelf)
        accepted(model)
        receipt = check(copy, model.id, sha256=digest, wanted=None, probe=probe, cancel=cancel)
        target = shelf.folder / model.file
        copy.replace(target)
    finally:
        copy.unlink(missing_ok=True)
    write_receipt(target, replace(receipt, imported_from=str(source)))
    return target


def _model(digest: str, source: Path, shelf: ModelFiles) -> KnownModel:
    """What the file is: a model of the catalogue whatever it is called, else itself."""
    for known in known_models():
        if known.sha256 == digest:
            return known
    if source.parent == shelf.folder:
        return unlisted(source.name, source.name)
    file = unlisted("", source.name).file
    is_taken = file in {known.file for known in known_models()} or (shelf.folder / file).exists()
    if is_taken:
        file = f"{digest[:8]}-{file}"
    return unlisted(file, file)
