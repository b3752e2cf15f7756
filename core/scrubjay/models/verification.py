"""Verification that a file is a model that works here, and its receipt."""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Protocol, Self, TypeAlias

from msgspec import Struct
from msgspec.structs import asdict, replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import ModelRefused, ProviderUnavailable
from scrubjay.messages import deserialize_sentence, msg, serialize_sentence
from scrubjay.models.gguf import GgufHeader, NotGguf, check_model_length, read_gguf_header
from scrubjay.platform.atomic_write import PRIVATE_FILE, when_released, write_atomically
from scrubjay.records.model_records import ModelPurpose

OnProgress: TypeAlias = Callable[[int, int], None]
"""Function that is called with the number of texts or bytes so far, and that of all."""
Probe: TypeAlias = Callable[[Path, CancelToken], int]
"""Embeds test sentences with a file and returns the length of the vectors, in a process of its
own; 0 for a result reader, which reads one. Raises ProviderUnavailable when the file does not
work."""

_BLOCK = 1 << 20


class ModelTrial(Protocol):
    """Tries model files in a process of their own."""

    def probe(self, file: Path, cancel: CancelToken, on_progress: OnProgress) -> int:
        """Length of the vectors of a file that works; 0 for a result reader.

        Raises ProviderUnavailable or Cancelled.
        """

    def warning(self, file: Path) -> str:
        """Sentence on a file that works, but would not find notes by meaning; empty for others."""


class StoredRecord(Struct, frozen=True, kw_only=True):
    """A record in a JSON file beside a model."""

    failure: str = ""
    """Fault that ended the last attempt, in words; empty when all is well."""

    @classmethod
    def read(cls, file: Path) -> Self | None:
        """The record in a file; None if there is none that can be read."""
        # Another version may have written other fields: then it counts as not there.
        try:
            record = cls(**json.loads(when_released(file.read_bytes, file)))
            return replace(record, failure=deserialize_sentence(record.failure))
        except (OSError, ValueError, TypeError):
            return None

    def write(self, file: Path) -> None:
        """Write all of the record, or nothing. Raises OSError."""
        values = asdict(replace(self, failure=serialize_sentence(self.failure)))
        write_atomically(file, json.dumps(values, indent=1).encode(), PRIVATE_FILE)


class Receipt(StoredRecord, frozen=True):
    """Record beside a model that has passed all checks."""

    model: str
    """Id in the catalogue, a reference, or the file's name."""
    sha256: str
    size: int
    mtime_ns: int
    architecture: str
    dimensions: int
    context: int
    checked_at: str
    """Time of the check, ISO 8601 with zone."""
    imported_from: str = ""
    """Path of a person's own file; empty for a download."""

    def matches_file(self, file: Path) -> bool:
        """False when the file was changed since it was checked."""
        status = file.stat()
        return (status.st_size, status.st_mtime_ns) == (self.size, self.mtime_ns)


def receipt_file(model: Path) -> Path:
    """Path of the receipt of a model."""
    return model.with_name(f"{model.name}.json")


def verify_model(
    file: Path, name: str, sha256: str, expected: str | None, probe: Probe, cancel: CancelToken
) -> Receipt:
    """The receipt of a file of this sha256. Raises ModelRefused for a fault, Cancelled, OSError."""
    if expected and sha256 != expected:
        raise ModelRefused(
            msg("{name} is damaged", name=file.name),
            "The file differs from the one that its publisher provides.",
            hint="Remove the file, then download it again.",
        )
    header = read_complete_header(file)
    cancel.check()
    # A file may be complete and still fail here, as one whose architecture is too new.
    try:
        dimensions = probe(file, cancel)
    except ProviderUnavailable as error:
        cancel.check()
        if header.purpose is ModelPurpose.READING:
            raise ModelRefused(
                msg("{name} cannot read results on this computer", name=file.name),
                error.message or error.title,
                hint="Choose another result reader.",
            ) from error
        raise ModelRefused(
            msg("{name} does not work for search by meaning on this computer", name=file.name),
            error.message or error.title,
            hint="Choose another language helper.",
        ) from error
    # Size and time tell later whether the file was changed.
    status = file.stat()
    return Receipt(
        model=name,
        sha256=sha256,
        size=status.st_size,
        mtime_ns=status.st_mtime_ns,
        architecture=header.architecture,
        dimensions=dimensions,
        context=header.context,
        checked_at=dt.datetime.now().astimezone().isoformat(timespec="seconds"),
    )


def read_model_header(file: Path) -> GgufHeader:
    """The head of a model file. Raises ModelRefused or OSError."""
    with _refusing(file):
        return read_gguf_header(file)


def read_complete_header(file: Path) -> GgufHeader:
    """The head of a model file that has all its bytes. Raises ModelRefused or OSError."""
    # The list of models reads heads alone, because the lengths stand after all words of a model.
    with _refusing(file):
        header = read_gguf_header(file)
        check_model_length(file)
        return header


@contextlib.contextmanager
def _refusing(file: Path) -> Iterator[None]:
    """Inside, a file that is not a model is refused."""
    try:
        yield
    except NotGguf as error:
        raise ModelRefused(
            msg("{name} is not a language helper that Scrubjay can use", name=file.name),
            msg("{error}.", error=error),
            hint="Choose a complete, uncompressed file whose name ends in .gguf.",
        ) from error


def file_sha256(
    file: Path,
    cancel: CancelToken,
    copy: BinaryIO | None = None,
    on_progress: OnProgress = lambda _done, _total: None,
) -> str:
    """SHA-256 of a file, which is written to copy on the way; on_progress gets numbers of bytes.

    Raises Cancelled or OSError.
    """
    # One walk for both: the file may be on a slow drive.
    digest = hashlib.sha256()
    total = file.stat().st_size
    done = 0
    with file.open("rb") as stream:
        while block := stream.read(_BLOCK):
            cancel.check()
            digest.update(block)
            if copy:
                copy.write(block)
            done += len(block)
            on_progress(done, total)
    return digest.hexdigest()
