"""Comparison of how well two models find sections of the notes by their headings."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import math
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future

import numpy as np
from msgspec import Struct, field

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.thread_pool import SerialQueue
from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.local.calibrated_models import CalibratedModels
from scrubjay.embedding.local.local_provider import LoadOptions
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.errors import ProviderUnavailable, QueryError
from scrubjay.event_bus import EventBus
from scrubjay.events import ModelComparisonProgressed
from scrubjay.messages import msg
from scrubjay.models.library.model_library import ModelLibrary
from scrubjay.notes.note_reader import NoteUnreadable, decode_note, read_file
from scrubjay.notes.scan import scan_folder
from scrubjay.platform.paths import Paths
from scrubjay.platform.state_file import StateFile
from scrubjay.records.model_records import ModelComparison, ModelInfo, ModelScore
from scrubjay.records.vectors import Vector
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.text.markdown import parse_outline, split_lines
from scrubjay.workspaces.open_workspace import OpenWorkspace
from scrubjay.workspaces.registry import Registry

log = logging.getLogger(__name__)

_STATE_FILE = "model-comparisons.json"

# The size of a comparison.

QUESTIONS = 120
"""Questions at which a model that finds a tenth more is significantly better."""
SECONDS = 60.0
"""Seconds that a comparison takes at most, once both models are loaded."""
FEWEST = 12
"""Questions below which nothing can be said."""
_MOST_NOTES = 3_000
"""Notes that are read for questions."""
_PIECE = 4
"""Questions that one model gets before it is the other one's turn."""
_AMONG = 5
"""Number of first sections among which a model should find the right one."""
_CHANCE = 0.05
"""Probability of a difference by chance below which it is clear."""
_REPORT_SECONDS = 0.1
"""Seconds between two reports of progress."""
_CLOSE_SECONDS = 1.0
"""Seconds that closing waits for a running comparison."""

# Headings that make a question, and sections that make an answer.

_MIN_ANSWER = 60
"""Characters of the shortest answer; a shorter section is too much like others."""
_MAX_ANSWER = 1_200
"""Characters of a section that are compared."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_MIN_CJK = 4
_MARKS = re.compile(r"[*_`~]+|\[\[|\]\]|!?\[([^\]]*)\]\([^)]*\)")


class HeadingQuestion(Struct, frozen=True):
    """One question with its answer."""

    question: str
    answer: str
    """Section below the heading, without the heading."""


def heading_questions(texts: Iterable[str], limit: int) -> list[HeadingQuestion]:
    """At most `limit` questions, spread over all texts, the same ones at each call.

    Headings that occur twice, dates and single words are excluded, because they do not tell which
    section is meant.
    """
    seen: dict[str, HeadingQuestion | None] = {}
    for text in texts:
        lines = split_lines(text)
        headings = parse_outline(lines).headings
        ends = [heading.line - 1 for heading in headings[1:]] + [len(lines)]
        for heading, end in zip(headings, ends, strict=False):
            question = _MARKS.sub(lambda match: match[1] or "", heading.text).strip()
            if len(_WORD.findall(question)) > 1 or len(_CJK.findall(question)) >= _MIN_CJK:
                answer = "\n".join(lines[heading.line : end]).strip()[:_MAX_ANSWER]
                key = question.casefold()
                is_new = key not in seen
                seen[key] = HeadingQuestion(question, answer) if is_new else None
    # A short answer has taken the heading, so that its namesake is not asked for.
    unique = [each for each in seen.values() if each and len(each.answer) >= _MIN_ANSWER]
    unique.sort(key=lambda each: hashlib.sha256(each.question.encode()).digest())
    return unique[:limit]


class ModelComparisons:
    """Compares models on its own thread, one pair at a time. For any thread."""

    def __init__(
        self,
        registry: Registry,
        library: ModelLibrary,
        paths: Paths,
        events: EventBus,
        pool: Executor,
    ) -> None:
        """Models come from the library, notes from the workspaces of the registry."""
        self._registry = registry
        self._library = library
        self._models = CalibratedModels(paths.state)
        self._results = StateFile(paths.state / _STATE_FILE)
        """Ids of two models, the less one first, with a line break between -> id of the better."""
        self._events = events
        self._jobs = SerialQueue(pool)
        self._closing = CancelToken()

    def compare(
        self,
        first: str,
        second: str,
        workspace_id: WorkspaceId | None = None,
        cancel: CancelToken | None = None,
        *,
        seconds: float = SECONDS,
    ) -> Future[ModelComparison]:
        """Ask both models questions from one workspace, or from all, for so many seconds at most.

        The notes are only read. The future may raise ModelMissing, ModelRefused,
        ProviderUnavailable, QueryError when there are too few headings, or Cancelled.
        """
        names = (first, second)
        token = cancel or CancelToken()
        return self._jobs.submit(
            lambda: self._compare(names, workspace_id, cancel=token, seconds=seconds)
        )

    def better_models(self) -> Mapping[str, str]:
        """Id of a model -> that of another one that clearly found more in all notes."""
        try:
            results = self._results.read()
        except OSError:
            return {}
        better: dict[str, str] = {}
        # A pair whose difference may be due to chance has no winner.
        for pair, winner in results.items():
            better |= {
                loser: str(winner) for loser in pair.split("\n") if winner and loser != winner
            }
        return better

    def close(self) -> None:
        """Stop at once."""
        self._closing.cancel()
        self._jobs.close(_CLOSE_SECONDS)

    # -- on the worker --------------------------------------------------------------------------

    def _compare(
        self,
        names: tuple[str, str],
        workspace_id: WorkspaceId | None,
        cancel: CancelToken,
        seconds: float,
    ) -> ModelComparison:
        with self._closing.calling(cancel.cancel):
            cancel.check()
            infos = tuple(self._library.ready_helper(name) for name in names)
            if infos[0].file == infos[1].file:
                raise QueryError(
                    "A language helper cannot be compared with itself",
                    hint="Choose two different language helpers.",
                )
            # Both models get the same questions, and enough of them for a verdict.
            questions = heading_questions(self._texts(workspace_id, cancel), QUESTIONS)
            if len(questions) < FEWEST:
                raise QueryError(
                    "Your notes have too few headings to compare language helpers",
                    msg(
                        "At least {least} different headings with text below them are "
                        "needed, but only {n} {n:was|were} found.",
                        least=FEWEST,
                        n=len(questions),
                    ),
                )
            result = self._measured(infos, questions, cancel=cancel, seconds=seconds)
            # One folder says little about the notes of all.
            if workspace_id is None:
                self._store(result)
            return result

    def _store(self, result: ModelComparison) -> None:
        # A later comparison of the same models takes the place of this one.
        pair = "\n".join(sorted(score.model for score in result.scores))
        try:
            with self._results.changed() as results:
                results[pair] = result.better.model if result.better else ""
        except OSError as error:
            log.warning("A comparison cannot be stored: %s", error)

    def _texts(self, workspace_id: WorkspaceId | None, cancel: CancelToken) -> Iterator[str]:
        chosen: tuple[OpenWorkspace, ...] = self._registry.readable()
        if workspace_id:
            chosen = (self._registry.get(workspace_id),)
        for workspace in chosen:
            record = workspace.record
            scan = scan_folder(
                record.root,
                workspace.settings.extra_paths,
                cancel,
                layout=record.layout,
                left_out=record.left_out,
                hidden_folders=record.hidden_folders,
            )
            files = [file for file in scan.files.values() if not file.is_document]
            # Sample every n-th note, so that cost does not grow with the folder.
            for file in files[:: 1 + len(files) // _MOST_NOTES]:
                cancel.check()
                with contextlib.suppress(OSError, NoteUnreadable):
                    yield decode_note(read_file(file.path, file.label).data)

    def _measured(
        self,
        infos: Sequence[ModelInfo],
        questions: Sequence[HeadingQuestion],
        cancel: CancelToken,
        seconds: float,
    ) -> ModelComparison:
        local = self._registry.loaded.settings.memory_search.local
        # Each model runs in its own process, which is ended in any case.
        with contextlib.ExitStack() as stack:
            trials: list[_Trial] = []
            for info in infos:
                # Both models are ready.
                assert info.file
                options = LoadOptions(context=local.context_size or 0, gpu_layers=local.gpu_layers)
                provider = self._models.provider(info.file, options)
                stack.callback(provider.close)
                stack.enter_context(cancel.calling(provider.close))
                trials.append(_Trial(provider))
            try:
                done = self._run(trials, questions, cancel=cancel, seconds=seconds)
            except ProviderUnavailable:
                cancel.check()
                raise
        ranks = [trial.ranks() for trial in trials]
        return ModelComparison(
            questions=done,
            scores=tuple(
                ModelScore(
                    info.id,
                    info.name,
                    first=own.count(0),
                    among_five=sum(rank < _AMONG for rank in own),
                    seconds=trial.seconds,
                )
                for info, own, trial in zip(infos, ranks, trials, strict=True)
            ),
            is_clear=is_significant(*ranks),
        )

    def _run(
        self,
        trials: Sequence[_Trial],
        questions: Sequence[HeadingQuestion],
        cancel: CancelToken,
        seconds: float,
    ) -> int:
        """Number of questions that both models were asked before the time was up."""
        # Loading and calibrating are not part of the time.
        for trial in trials:
            cancel.check()
            trial.provider.embed_queries([questions[0].question])
        until = time.monotonic() + seconds
        reported = 0.0
        for begin in range(0, len(questions), _PIECE):
            piece = questions[begin : begin + _PIECE]
            for trial in trials:
                cancel.check()
                trial.embed(piece)
            done = begin + len(piece)
            now = time.monotonic()
            if now - reported >= _REPORT_SECONDS or done == len(questions):
                reported = now
                self._events.publish(ModelComparisonProgressed(done, len(questions)))
            if now > until and done >= FEWEST:
                return done
        return len(questions)


class _Trial(Struct):
    """Vectors of one model so far."""

    provider: EmbeddingProvider
    questions: list[Vector] = field(default_factory=list)
    answers: list[Vector] = field(default_factory=list)
    seconds: float = 0.0

    def embed(self, piece: Sequence[HeadingQuestion]) -> None:
        began = time.perf_counter()
        self.answers += self.provider.embed_documents(
            [EmbeddingInput("", question.answer) for question in piece]
        )
        self.seconds += time.perf_counter() - began
        self.questions += self.provider.embed_queries([each.question for each in piece])

    def ranks(self) -> list[int]:
        """Number of sections that are nearer to each question than its own."""
        questions = np.array(self.questions)
        answers = np.array(self.answers)
        nearness = questions @ answers.T
        own = nearness.diagonal()[:, None]
        # A second section with the very same text is as good an answer.
        ranks = (nearness > own + 1e-6).sum(axis=1)
        # A text that the model does not know has a vector of zeros, and is not found.
        ranks[~(questions.any(axis=1) & answers.any(axis=1))] = len(ranks)
        found: list[int] = ranks.tolist()
        return found


def is_significant(first: Sequence[int], second: Sequence[int]) -> bool:
    """Whether a two-sided sign test over questions that only one model found first is passed."""
    # Questions that both or neither found tell nothing.
    pairs = list(zip(first, second, strict=True))
    only_first = sum(left == 0 != right for left, right in pairs)
    only_second = sum(right == 0 != left for left, right in pairs)
    # The probability of so few on one side, if neither were better.
    total = only_first + only_second
    fewer = min(only_first, only_second)
    tail = sum(math.comb(total, count) for count in range(fewer + 1))
    return total > 0 and 2 * tail / 2**total <= _CHANCE
