"""The current state of each model, read from its files without changing them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path, PurePath

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.errors import ModelRefused, system_reason
from scrubjay.messages import fill_template, msg
from scrubjay.models.catalogue import (
    AcceptedTerms,
    KnownModel,
    all_known_models,
    find_known,
    known_models,
    known_readers,
    unlisted_model,
)
from scrubjay.models.download.partial_file import PartialFile, partial_files
from scrubjay.models.model_address import is_model_address
from scrubjay.models.model_files import ModelFiles, purpose_of
from scrubjay.models.verification import Receipt, read_model_header, receipt_file
from scrubjay.records.model_records import (
    DownloadProgress,
    ModelInfo,
    ModelPurpose,
    ModelState,
    NoteSample,
)
from scrubjay.text.word_lists import language_shares

# Shares of notes in other languages than English from which on advice changes; by hand.

_FEW = 0.05
"""Share below which notes count as English."""
_SOME = 0.2
"""Share from which on a model for many languages is advised."""
_HALF = 0.5
"""Share of one folder that wants such a model, however small the folder is."""
_MOST = 0.7
"""Share of the other languages that one needs to be named alone."""
_SHARES = (
    (0.9, msg("Your notes are in {language}")),
    (0.6, msg("Most of your notes are in {language}")),
    (0.4, msg("About half of your notes are in {language}")),
    (_SOME, msg("Some of your notes are in {language}")),
    (0.0, msg("Most of your notes are in English, some in {language}")),
)
_NAMES = {"es": msg("Spanish"), "pt": msg("Portuguese"), "fr": msg("French"), "de": msg("German")}


class _ModelStatus(Struct, frozen=True):
    """State of a model with what explains it."""

    state: ModelState
    reason: str = ""
    """Fault, or who is at work; empty if there is nothing to say."""
    progress: DownloadProgress | None = None


class ModelListing(Struct, frozen=True):
    """The models of the catalogue and of this computer."""

    model_files: ModelFiles
    used: Path | None
    """File that the settings choose, whether it is there or not."""
    used_reader: Path | None
    """File of the result reader that reads results again; None without one."""
    written: str
    """Setting that chooses it; empty for the best that is here."""
    terms: AcceptedTerms
    running: Callable[[str], DownloadProgress | None]
    """Progress of a download of this process, by the id of its model."""
    warning: Callable[[Path], str]
    """What is to be said of a file that works, after it was tried."""

    def all(self) -> tuple[ModelInfo, ...]:
        """The catalogue, then all other models that are here, on their way or chosen.

        A result reader that only a person can bring is listed once it is here.
        """
        offered = (each for each in known_readers() if each.source or self.model_files.find(each))
        models = {model.id: model for model in (*known_models(), *offered, *self._others())}
        return tuple(self.info(model) for model in models.values())

    def info(self, model: KnownModel, file: Path | None = None) -> ModelInfo:
        """State of a model; file is the one that it was found by."""
        file = file or self.model_files.find(model)
        if file is None and Path(model.id).is_absolute() and Path(model.id).is_file():
            file = Path(model.id)
        receipt = Receipt.read(receipt_file(file)) if file else None
        status = self._status(model, file, receipt)
        # The file itself says what a model outside the catalogue is for.
        purpose = model.purpose
        if file and model not in all_known_models():
            purpose = purpose_of(file) or purpose
        used = self.used
        if purpose is ModelPurpose.READING:
            used = self.used_reader
        info = ModelInfo(
            id=model.id,
            name=model.name,
            description=model.description,
            state=status.state,
            purpose=purpose,
            is_used=used == (file or self.model_files.file_of(model)),
            reason=status.reason,
            progress=status.progress,
            file=file,
            size_bytes=_size(file) or model.size_bytes,
            dimensions=model.dimensions,
            context=model.context,
            languages=model.languages,
            licence=model.licence,
            is_accepted=self.terms.covers(model),
            is_removable=self._is_removable(model, file, receipt),
            memory_mb=model.memory_mb,
            is_downloaded=receipt is not None and not receipt.imported_from,
        )
        # What a check of the file found out completes what the catalogue says.
        if file and status.state is ModelState.READY:
            info = replace(info, warning=self.warning(file))
        if model.terms:
            info = replace(info, terms_name=model.terms.name, terms_url=model.terms.url)
        if receipt:
            info = replace(
                info,
                dimensions=model.dimensions or receipt.dimensions or None,
                context=model.context or receipt.context,
            )
        return info

    def _is_removable(self, model: KnownModel, file: Path | None, receipt: Receipt | None) -> bool:
        """Whether a file may be deleted: not one that was not checked, nor the person's own."""
        if file is None:
            return PartialFile(self.model_files.folder / model.file).exists
        is_copied = receipt is not None and receipt.imported_from != str(file)
        return is_copied and self.model_files.own(file)

    def _others(self) -> Iterator[KnownModel]:
        claimed = {self.model_files.find(model) for model in all_known_models()}
        # Models that the settings name, or that are on their way.
        states = [part.state() for part in partial_files(self.model_files.folder)]
        for name in (self.written, *(state.model for state in states if state)):
            model = find_known(name) if is_model_address(name) else None
            if model:
                claimed.add(self.model_files.find(model))
                yield model
        # All other files, and the one that the settings choose by its path.
        names = {file.name for file in claimed if file}
        for file in self.model_files.files():
            if file.name in names:
                continue
            receipt = Receipt.read(receipt_file(file))
            by_reference = find_known(receipt.model) if receipt else None
            yield by_reference or unlisted_model(file.name, file.name)
        if self.used and self.used.is_absolute() and not is_model_address(self.written):
            is_listed = self.used in claimed or self.used in self.model_files.files()
            if not is_listed:
                yield unlisted_model(str(self.used), self.used.name)

    def _status(
        self, model: KnownModel, file: Path | None, receipt: Receipt | None
    ) -> _ModelStatus:
        progress = self.running(model.id)
        if progress:
            return _ModelStatus(ModelState.DOWNLOADING, progress=progress)
        if file:
            reason = _fault(model, file, receipt)
            if reason:
                return _ModelStatus(ModelState.FAILED, reason)
            return _ModelStatus(ModelState.READY)
        part = PartialFile(self.model_files.folder / model.file)
        if not part.exists:
            return _ModelStatus(ModelState.ABSENT)
        # A download that does not run in this process.
        download = part.state()
        progress = DownloadProgress(part.size, (download and download.size) or model.size_bytes)
        if part.is_locked():
            reason = msg("Another copy of Scrubjay is downloading this language helper.")
            return _ModelStatus(ModelState.DOWNLOADING, reason, progress=progress)
        if download and download.failure:
            return _ModelStatus(ModelState.FAILED, download.failure, progress=progress)
        return _ModelStatus(ModelState.PAUSED, progress=progress)


def add_advice(
    infos: Sequence[ModelInfo], sample: NoteSample, better: Mapping[str, str]
) -> tuple[ModelInfo, ...]:
    """The models with the time that they take for these notes, and advice at one of them.

    Better is the id of the model that found more in these notes, by that of another one.
    """
    helpers = [info for info in infos if info.purpose is ModelPurpose.EMBEDDING]
    chosen, reason = _advice(helpers, sample.texts)
    # A comparison on the notes themselves knows more than their language.
    usable = {info.id for info in helpers if info.state is ModelState.READY and not info.warning}
    winner = better.get(chosen, "")
    if winner in usable:
        chosen = winner
        reason = msg("It found more of your notes in a comparison")
    # Seconds a chunk, as measured; of other models from their cost beside the first known one.
    costs = {model.id: (PurePath(model.file).stem, model.cost) for model in known_models()}
    paces = sample.paces
    known = [paces[stem] / cost for stem, cost in costs.values() if cost and stem in paces]

    def learning_s(info: ModelInfo) -> float | None:
        if info.purpose is ModelPurpose.READING:
            return None
        stem, cost = costs.get(info.id, (PurePath(info.id).stem, None))
        pace = paces.get(stem, 0.0)
        if not pace and cost and known:
            pace = cost * known[0]
        return sample.chunks * pace or None

    advice = {chosen: reason}
    return tuple(
        replace(
            info,
            notes=sample.documents,
            learning_s=learning_s(info),
            advice=advice.get(info.id, ""),
        )
        for info in infos
    )


def _advice(infos: Sequence[ModelInfo], texts: Sequence[Sequence[str]]) -> tuple[str, str]:
    """Id of the model that suits the languages of the notes, and the reason; empty without any.

    Texts are those of each folder: one in another language wants to be found, however small.
    """
    # Languages of all notes, and of each folder.
    shares = language_shares(chain.from_iterable(texts))
    others = {name: share for name, share in shares.items() if name != "en"}
    share = sum(others.values())
    of_folders = filter(None, map(language_shares, texts))
    has_foreign_folder = any(1 - own.get("en", 0) > _HALF for own in of_folders)
    wanted = "en"
    if share >= _SOME or has_foreign_folder:
        wanted = "mul"
    suitable = [
        info for info in infos if {wanted, "mul"} & set(info.languages) and not info.warning
    ]
    if not shares or not suitable:
        return "", ""
    chosen = next((info for info in suitable if info.is_used), suitable[0])
    if wanted == "en" and share < _FEW:
        return chosen.id, msg("Your notes are in English")
    if wanted == "en":
        return chosen.id, msg("Most of your notes are in English")
    # One language is named where it is most of the others.
    first = max(others, key=lambda name: others[name])
    named = _NAMES.get(first) if others[first] >= _MOST * share else None
    template = next(template for least, template in _SHARES if share >= least)
    return chosen.id, fill_template(
        template, {"language": named or msg("languages other than English")}
    )


def _fault(model: KnownModel, file: Path, receipt: Receipt | None) -> str:
    """The fault of a file, as far as receipt and head tell; empty if there is none."""
    if receipt and receipt.failure:
        return receipt.failure
    # A file without a receipt was put there by someone: only its size and head are looked at.
    try:
        if receipt is None:
            if model.size_bytes not in (None, _size(file)):
                return msg("{name} has the wrong size. Download the file again.", name=file.name)
            read_model_header(file)
        elif not receipt.matches_file(file):
            return msg(
                "{name} has changed since the last check. Check the file again.", name=file.name
            )
    except ModelRefused as error:
        return str(error)
    except OSError as error:
        return msg("{name} cannot be read: {reason}.", name=file.name, reason=system_reason(error))
    return ""


def _size(file: Path | None) -> int | None:
    if file is None:
        return None
    try:
        return file.stat().st_size
    except OSError:
        return None
