"""Import of a model file that a person already has: checked like a download, and copied."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import BinaryIO, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.errors import ModelRefused, system_reason
from scrubjay.messages import msg
from scrubjay.models.catalogue import KnownModel, all_known_models, unlisted_model
from scrubjay.models.download.partial_file import IMPORT_PREFIX
from scrubjay.models.download.transfer import SPACE_FACTOR
from scrubjay.models.model_files import ModelFiles
from scrubjay.models.verification import (
    ModelTrial,
    Receipt,
    file_sha256,
    read_complete_header,
    receipt_file,
    verify_model,
)
from scrubjay.platform.atomic_write import PRIVATE_FILE, when_released
from scrubjay.platform.paths import expanded_path, make_private_folder

_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
"""Flags of a file that must not be there yet."""


class ImportSteps(Struct, frozen=True):
    """Questions that an import asks on its way, and the listener that it tells how far it is."""

    accept: Callable[[KnownModel], None]
    """Raises DownloadFailed unless the terms of the model are accepted."""
    trial: ModelTrial
    on_progress: Callable[[str, int, int], None]
    """Called with the step, "copying" or "checking", and how much of it is done, of how much."""


_Checked: TypeAlias = Callable[[Path, str], tuple[KnownModel, Receipt]]


def import_model(
    model_files: ModelFiles, path: Path, steps: ImportSteps, cancel: CancelToken, drives: IoTimeouts
) -> Path:
    """The model's file from now on; path is only read.

    Raises ModelRefused, DriveSilent or Cancelled.
    """
    source = expanded_path(path).absolute()

    on_bytes = partial(steps.on_progress, "copying")
    on_texts = partial(steps.on_progress, "checking")

    def probe(file: Path, token: CancelToken) -> int:
        return steps.trial.probe(file, token, on_texts)

    def checked(file: Path, digest: str) -> tuple[KnownModel, Receipt]:
        model = _model(digest, source, model_files)
        steps.accept(model)
        receipt = verify_model(
            file, model.id, sha256=digest, expected=None, probe=probe, cancel=cancel
        )
        return model, replace(receipt, imported_from=str(source))

    # The file may be on a drive that does not answer.
    try:
        if not drives.ask(source, source.is_file):
            raise ModelRefused(
                "The file does not exist",
                msg("{source}.", source=source),
                hint="Check the file name.",
            )
        drives.ask(source, lambda: read_complete_header(source))
        if source.parent != model_files.folder:
            read = partial(file_sha256, source, cancel, on_progress=on_bytes)
            return _copied(
                source, model_files.folder, checked=checked, read=read, cancel=cancel, drives=drives
            )
        # Someone put it into the folder already.
        _, receipt = checked(source, file_sha256(source, cancel))
        receipt.write(receipt_file(source))
        return source
    except OSError as error:
        reason = msg("{reason}.", reason=system_reason(error))
        raise ModelRefused(msg("{file} cannot be used", file=source), reason) from error


def _copied(
    source: Path,
    folder: Path,
    checked: _Checked,
    read: Callable[[BinaryIO], str],
    cancel: CancelToken,
    drives: IoTimeouts,
) -> Path:
    """The copy of a file that has passed all checks, under its name in a folder.

    Read writes the file to a stream, and returns its digest.
    """
    make_private_folder(folder)
    needed = int(drives.ask(source, source.stat).st_size * SPACE_FACTOR)
    if shutil.disk_usage(folder).free < needed:
        raise ModelRefused(
            "There is not enough space on the disk",
            msg(
                "{n} MB of free space is needed in {folder}.",
                n=round(needed / 1000000.0),
                folder=folder,
            ),
            hint="Free some space and try again.",
        )
    # The copy moves here once it is complete and checked. Until then it has the name that the
    # person knows, in a folder of its own, since messages of the check contain it.
    with tempfile.TemporaryDirectory(dir=folder, prefix=IMPORT_PREFIX) as own_folder:
        copy = Path(own_folder) / source.name
        with os.fdopen(os.open(copy, _NEW_FILE, PRIVATE_FILE), "wb") as stream:
            digest = drives.ask(
                source, lambda: read(stream), cancel, progress=lambda: copy.stat().st_size
            )
            stream.flush()
            os.fsync(stream.fileno())
        model, receipt = checked(copy, digest)
        target = folder / model.file
        when_released(lambda: copy.replace(target), copy)
    receipt.write(receipt_file(target))
    return target


def _model(digest: str, source: Path, model_files: ModelFiles) -> KnownModel:
    """The model of the catalogue with this content, whatever the file is called, else itself."""
    for model in all_known_models():
        if model.sha256 == digest:
            return model
    if source.parent == model_files.folder:
        return unlisted_model(source.name, source.name)
    # A person's own file keeps its name, unless another model has it.
    file = unlisted_model("", source.name).file
    is_name_used = (model_files.folder / file).exists()
    if is_name_used or file in {model.file for model in all_known_models()}:
        file = f"{digest[:8]}-{file}"
    return unlisted_model(file, file)
