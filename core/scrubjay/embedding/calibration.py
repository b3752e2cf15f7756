"""Calibration of a model: what brings its vectors near those that ranking was fitted to.

Many models put all texts into a narrow cone: the cosine of two unrelated texts is .75 with a spread
of .03, where the built-in model has .04 and .09. Ranking reads cosines and signs, and both say
nothing there. Subtracting the mean vector of many questions from each question, and that of many
passages from each passage, opens the cone (docs/quality.md).
"""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import logging
import math
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.errors import ProviderUnavailable
from scrubjay.messages import msg
from scrubjay.models.verification import OnProgress
from scrubjay.platform.paths import resources
from scrubjay.platform.state_file import StateFile
from scrubjay.records.vectors import Vector, normalize

log = logging.getLogger(__name__)

_STATE_FILE = "model-calibrations.json"
_VECTORS = ("questions", "passages")
_METHOD = "1"
"""Version of the arithmetic below; another one computes all vectors again."""
_BATCH = 8
"""Texts that are embedded between two reports of progress."""

# Thresholds; by hand, between MiniLM, e5 and models with random weights.

_APART = 0.065
"""Cosine of two unrelated texts that remains; that of MiniLM, which loses by subtracting anything.
With less of it, Spanish questions have fewer right hits."""
_UNDERSTOOD = 1 / 3
"""Share of the separation of its best language from which on a model understands a language. A text
of another one is a row of unknown pieces, whose mean says nothing about texts that it knows."""
_TELLS_APART = 1.5
"""Standard deviations between answers and other sentences that a model must reach in its best
language; MiniLM and e5 have 4.4 and 4.8, random weights .2 to .6."""
_FEWEST = 5
"""Pairs below which nothing can be said, of a language or of all; by hand."""
_CONSTANT = 1e-3
"""Distance from the mean vector below which texts have the same vector."""

_Matrix = npt.NDArray[np.float32]


class CalibrationPair(Struct, frozen=True):
    """A question and a sentence that answers it."""

    language: str
    question: str
    sentence: str


@functools.cache
def calibration_pairs() -> tuple[CalibrationPair, ...]:
    """The texts that every model is measured with, in twelve languages."""
    # Read once: a comparison measures two models.
    entries = json.loads((resources() / "calibration.json").read_bytes())
    return tuple(CalibrationPair(**entry) for entry in entries)


@functools.cache
def calibration_version() -> str:
    """Part of an identity, which changes with the texts and with the arithmetic."""
    texts = (resources() / "calibration.json").read_bytes()
    return f"centred{_METHOD}-{hashlib.sha256(texts).hexdigest()[:8]}"


class Calibration(Struct, frozen=True):
    """Numbers of one model, measured once."""

    questions: Vector
    """Share of the mean vector of questions that is subtracted from each; zeros for none."""
    passages: Vector
    """Share of the mean vector of passages; likewise."""
    mean: float
    """Mean cosine of a question and a sentence that does not answer it, as the model gives it."""
    spread: float
    """Standard deviation of these cosines."""
    separation: float
    """Standard deviations between answers and other sentences in its best language, after
    subtracting."""

    @property
    def tells_apart(self) -> bool:
        """Whether answers are nearer to their questions than other sentences."""
        return self.separation >= _TELLS_APART

    def question(self, vector: Vector) -> Vector:
        """The vector of a question, centred."""
        return _centred(vector, self.questions)

    def passage(self, vector: Vector) -> Vector:
        """The vector of a passage, centred."""
        return _centred(vector, self.passages)


def _centred(vector: Vector, mean: Vector) -> Vector:
    # A vector of zeros stands for a text that the model has nothing to say about.
    if not vector.any() or not mean.any():
        return vector
    return normalize(vector - mean)


def measure(provider: EmbeddingProvider, on_progress: OnProgress) -> Calibration:
    """The calibration of a provider. Raises ProviderUnavailable, also if all vectors are equal."""
    # In small batches, so that neither a search nor the end of the program waits long.
    pairs = calibration_pairs()
    questions: list[Vector] = []
    passages: list[Vector] = []
    for at in range(0, len(pairs), _BATCH):
        batch = pairs[at : at + _BATCH]
        questions += provider.embed_queries([pair.question for pair in batch])
        passages += provider.embed_documents([EmbeddingInput("", pair.sentence) for pair in batch])
        on_progress(len(questions) + len(passages), 2 * len(pairs))
    # A text whose words a model does not know has a vector of zeros.
    rows = [row for row in range(len(pairs)) if questions[row].any() and passages[row].any()]
    if len(rows) < _FEWEST:
        none = np.zeros_like(questions[0])
        return Calibration(none, none, mean=0.0, spread=0.0, separation=0.0)
    return _evaluated(
        np.stack([questions[row] for row in rows]),
        np.stack([passages[row] for row in rows]),
        np.array([pairs[row].language for row in rows]),
    )


def _evaluated(
    questions: _Matrix, passages: _Matrix, languages: npt.NDArray[np.str_]
) -> Calibration:
    """The calibration that follows from vectors. Raises ProviderUnavailable."""
    # What rounding leaves of a difference has no direction that means anything.
    if _is_constant(questions) or _is_constant(passages):
        raise ProviderUnavailable(
            "This language helper returns the same numbers for every text",
            "With it, search by meaning cannot tell your notes apart.",
            hint="Choose another language helper.",
        )
    # Only languages that the model understands tell where its texts lie.
    by_language = _separations(
        _centred_rows(questions, questions), _centred_rows(passages, passages), languages
    )
    least = max(by_language.values(), default=0.0) * _UNDERSTOOD
    rows = np.isin(languages, [name for name, value in by_language.items() if value >= least])
    if not rows.any():
        rows[:] = True
    known_questions = questions[rows]
    known_passages = passages[rows]
    cosines = _others(known_questions @ known_passages.T)
    share = _share(float(cosines.mean()))
    # The model has to tell answers from other sentences once its means are subtracted.
    separations = _separations(
        _centred_rows(questions, known_questions),
        _centred_rows(passages, known_passages),
        languages,
    )
    return Calibration(
        questions=known_questions.mean(axis=0) * share,
        passages=known_passages.mean(axis=0) * share,
        mean=float(cosines.mean()),
        spread=float(cosines.std()),
        separation=max(separations.values(), default=0.0),
    )


def _share(mean: float) -> float:
    """Share of the mean vectors to subtract, so that unrelated texts get the cosine of _APART.

    With m as their cosine so far, vectors keep (1 - share)^2 m of what they have in common, and
    1 - m of what they have not.
    """
    if mean <= _APART:
        return 0.0
    return 1 - math.sqrt(_APART * max(0.0, 1 - mean) / ((1 - _APART) * mean))


def _is_constant(vectors: _Matrix) -> bool:
    # Numbers that are not finite tell as little as equal ones.
    distances = np.linalg.norm(vectors - vectors.mean(axis=0), axis=1)
    return bool(not np.isfinite(distances).all() or distances.max() < _CONSTANT)


def _centred_rows(vectors: _Matrix, known: _Matrix) -> _Matrix:
    # Here all of the mean goes, so that models are compared alike whatever they have in common.
    mean = known.mean(axis=0)
    return np.stack([normalize(vector - mean) for vector in vectors])


def _separations(
    questions: _Matrix, passages: _Matrix, languages: npt.NDArray[np.str_]
) -> dict[str, float]:
    """Language -> standard deviations between answers and other sentences of that language."""
    # Sentences of one language are compared, since any model sets two languages apart.
    separations: dict[str, float] = {}
    for name in dict.fromkeys(languages):
        rows = languages == name
        if rows.sum() < _FEWEST:
            continue
        cosines = questions[rows] @ passages[rows].T
        others = _others(cosines)
        distance = float(cosines.diagonal().mean() - others.mean())
        separations[str(name)] = distance / max(float(others.std()), _CONSTANT)
    return separations


def _others(cosines: _Matrix) -> _Matrix:
    """The cosines of questions and sentences that do not answer them."""
    return cosines[~np.eye(len(cosines), dtype=bool)]


class CalibrationStore:
    """The calibrations of all models, in the state folder. For any thread."""

    def __init__(self, state: Path) -> None:
        """State is the state folder."""
        self._file = StateFile(state / _STATE_FILE, is_large=True)

    def find(self, identity: str) -> Calibration | None:
        """The calibration of vectors of this identity; None if they were not measured yet."""
        try:
            return _read(self._file.read()[identity])
        except (OSError, LookupError, TypeError, ValueError):
            return None

    def keep(self, identity: str, calibration: Calibration) -> None:
        """Store a calibration. On a full disk it is measured again at the next start."""
        # JSON has no place for arrays, and lists of numbers would be four times as long.
        fields = {name: getattr(calibration, name) for name in calibration.__struct_fields__}
        for name in _VECTORS:
            fields[name] = base64.b64encode(fields[name].astype("<f4").tobytes()).decode()
        try:
            with self._file.changed() as state:
                # Those of earlier texts are not needed again.
                for old in [key for key in state if not is_calibrated(key)]:
                    del state[old]
                state[identity] = fields
        except OSError as error:
            log.warning("A calibration cannot be stored: %s", error)

    def warning(self, beginning: str) -> str:
        """Sentence on a model whose vectors do not tell texts apart; empty for all others.

        Beginning is that of its identity.
        """
        # A file has several identities where its prompts or the texts have changed.
        try:
            identities = [key for key in self._file.read() if key.startswith(beginning)]
        except OSError:
            return ""
        measured = [self.find(identity) for identity in identities if is_calibrated(identity)]
        if all(calibration is None or calibration.tells_apart for calibration in measured):
            return ""
        return msg(
            "In a test with short texts, this language helper could not tell "
            "answers from other sentences. Search by meaning would get worse "
            "with it."
        )


def _read(fields: dict[str, Any]) -> Calibration:
    # In one order of bytes, since the state folder may move to another computer.
    vectors = {
        name: np.frombuffer(base64.b64decode(fields[name]), "<f4").astype(np.float32)
        for name in _VECTORS
    }
    return Calibration(**{**fields, **vectors})


def calibration_identity(identity: str) -> str:
    """The identity of a provider with the version of its calibration in it."""
    # The prompts stay last: their ending says whether chunks are embedded by their lines.
    head, _, prompts = identity.rpartition(":")
    return f"{head}:{calibration_version()}:{prompts}"


def is_calibrated(identity: str) -> bool:
    """True for the identity of vectors that are calibrated as they are now."""
    return calibration_version() in identity.split(":")
