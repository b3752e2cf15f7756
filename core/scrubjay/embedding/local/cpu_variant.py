"""The build of llama.cpp in use: the portable one, unless another was measured to be faster here.

Every x86-64 processor of the last ten years runs the portable build. The set-up builds one for
AVX-512 beside it where it can (scripts/llama_variant.py); only child processes load either, which
may die of it. The outcome of a trial counts for its library, model and processor.
"""

from __future__ import annotations

import hashlib
import importlib.util
import logging
import threading
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import asdict

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.embedding.local.llama_process import LlamaProcess, ProcessEnded
from scrubjay.errors import ProviderUnavailable
from scrubjay.platform.state_file import StateFile
from scrubjay.records.vectors import Vector

log = logging.getLogger(__name__)

FILE_NAME = "libggml-cpu-avx512.so"

FLAGS = (
    "avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl", "avx512vbmi", "avx512_vnni",
)  # fmt: skip
"""Flags that the AVX-512 build needs. It uses no AMX, which crashes on Q8_0, and no BF16, which
gains nothing."""

_CPU_INFO = Path("/proc/cpuinfo")
_FIRST_PROCESSOR = 8192
"""Characters that are read, more than one processor takes; a hundred others would cost milliseconds
at each start."""
_STATE_FILE = "local-model.json"

# When another build is tried, and what it has to reach; by hand.

_WORTH_TRYING = 100_000
"""Characters that one process has embedded: before that a trial costs more than it can gain."""

_CLEAR_GAIN = 1.10
"""Times as fast as the portable build, from which on the other one is chosen."""
_SAME = 0.999
"""Cosine between the vectors of both; the order of additions changes the fifth digit."""
_ROUNDS = 6
_ENOUGH_SECONDS = 4.0
"""Seconds of processor time after which a trial ends: larger models take fewer rounds, but never
less than two."""
_DEADLINE_S = 120.0
"""Seconds after which a trial is given up."""

_TEXTS = (
    "The jay hides acorns and finds them again.",
    "wifi password",
    "漢字とかな混じりの文。日本語のメモ。",
    "Mañana a las diez: reunión con el equipo de diseño, llevar los planos. 🙂",
    "```\ndef embed(texts):\n    return [model.encode(text) for text in texts]\n```",
    "# Router\n\nThe router stands in the hall. Its address is 192.168.1.1, the administrator's "
    "name is on the sticker below. Restart it by holding the button for ten seconds. " * 4,
)

Launch: TypeAlias = Callable[[Path | None, Callable[[LlamaProcess], None]], LlamaProcess]
"""Function that starts a child with a library (None: the portable one); the callback can end it as
it loads."""


def processor_info(file: Path = _CPU_INFO) -> tuple[str, frozenset[str]]:
    """Name and flags of the first processor on Linux, read again each time; empty elsewhere."""
    try:
        with file.open(encoding="utf-8", errors="replace") as stream:
            first, _, _ = stream.read(_FIRST_PROCESSOR).partition("\n\n")
    except OSError:
        return "", frozenset()
    # Lines are "name : value".
    pairs = (line.partition(":") for line in first.splitlines())
    fields = {key.strip(): value.strip() for key, _, value in pairs}
    return fields.get("model name", ""), frozenset(fields.get("flags", "").split())


class CpuVariant(Struct, frozen=True):
    """The library that may replace the portable one, if there is one for this processor."""

    file: Path | None
    processor: str
    missing: str = ""
    """Reason why there is none, in words."""
    digest: str = ""
    """Digest of the content of the file, which differs between versions of llama.cpp."""

    @classmethod
    def of_this_computer(
        cls, folder: Path | None = None, processor: tuple[str, frozenset[str]] | None = None
    ) -> CpuVariant:
        """The one in the folder of llama.cpp's own libraries. Loads and runs nothing."""
        name, flags = processor or processor_info()
        if folder is None:
            # To find it is not to import it.
            spec = importlib.util.find_spec("llama_cpp")
            folder = Path()
            if spec and spec.origin:
                folder = Path(spec.origin).parent / "lib"
        # It has to be built, and this processor has to know all that it uses.
        file = folder / FILE_NAME
        if not file.is_file():
            return cls(None, name, "no other one was built")
        absent = [flag for flag in FLAGS if flag not in flags]
        if absent:
            return cls(None, name, f"this processor has no {absent[0]}")
        try:
            digest = hashlib.sha256(file.read_bytes()).hexdigest()[:16]
        except OSError as error:
            return cls(None, "", f"the other one cannot be read: {error}")
        return cls(file, name, digest=digest)


class TrialOutcome(Struct, frozen=True):
    """Outcome of a comparison with the portable build."""

    reason: str
    """Reason in words."""
    is_faster: bool = False
    """Whether the other one is clearly faster and its vectors are the same."""


class CpuVariantChoice:
    """The choice for every model, portable if there is no state file. For any thread."""

    def __init__(
        self, state: Path, variant: CpuVariant | None = None, *, worth_trying: int = _WORTH_TRYING
    ) -> None:
        """State is the state folder; without a variant this computer's is looked up when needed."""
        self._file = StateFile(state / _STATE_FILE)
        self._worth_trying = worth_trying
        self._lock = threading.Lock()
        self._given = variant
        self._embedded = 0

    def chosen(self, model: str) -> Path | None:
        """The library to load instead of the portable one; model is a content id."""
        outcome = self._outcome(model)
        if outcome is None or not outcome.is_faster:
            return None
        return self._variant.file

    def candidate(self, model: str, characters: int) -> Path | None:
        """The library to try now that so many more characters are to be embedded, or None."""
        with self._lock:
            self._embedded += characters
            if self._embedded < self._worth_trying:
                return None
        if self._outcome(model):
            return None
        return self._variant.file

    def remember(self, model: str, outcome: TrialOutcome) -> None:
        """Store the outcome of a trial, or of a crash afterwards."""
        log.info("Another build of llama.cpp: %s", outcome.reason)
        try:
            with self._file.changed() as state:
                state.setdefault("trials", {})[self._key(model)] = asdict(outcome)
        except OSError as error:
            log.warning("The outcome of a trial cannot be stored: %s", error)

    def description(self, model: str) -> str:
        """The build that is used for a model and why, for the health check and diagnostics."""
        if self._variant.missing:
            return f"portable ({self._variant.missing})"
        outcome = self._outcome(model)
        if outcome is None:
            return "portable (AVX-512 is tried once many notes are embedded)"
        name = "AVX-512" if outcome.is_faster else "portable"
        return f"{name} ({outcome.reason})"

    def _outcome(self, model: str) -> TrialOutcome | None:
        if self._variant.file is None:
            return None
        try:
            trial: Any = self._file.read()["trials"][self._key(model)]
            return TrialOutcome(str(trial["reason"]), is_faster=trial["is_faster"] is True)
        except (OSError, KeyError, TypeError):
            return None

    def _key(self, model: str) -> str:
        return f"{self._variant.digest}:{model}:{self._variant.processor}"

    @cached_property
    def _variant(self) -> CpuVariant:
        return self._given or CpuVariant.of_this_computer()


class TrialImpossible(Exception):
    """A trial without an outcome: the portable build failed as well, or a process was killed."""


def run_trial(
    library: Path, launch: Launch, cancel: CancelToken, *, seconds: float = _DEADLINE_S
) -> TrialOutcome:
    """Whether the library is clearly faster and right. Raises Cancelled or TrialImpossible.

    Both embed the same texts on one thread, in turn, never at once; processor time is compared,
    which other programs hardly change.
    """
    trial = _Trial(launch)
    timer = threading.Timer(seconds, trial.stop)
    timer.daemon = True
    try:
        with cancel.calling(trial.stop):
            timer.start()
            return trial.run(library)
    except ProcessEnded:
        cancel.check()
        return TrialOutcome(f"AVX-512 was not compared within {seconds:g} s")
    finally:
        timer.cancel()
        trial.stop()


class _Trial:
    def __init__(self, launch: Launch) -> None:
        self._launch = launch
        self._children: list[LlamaProcess] = []
        self._is_over = False

    def stop(self) -> None:
        """End both children, now or as soon as they are there. Any thread."""
        self._is_over = True
        for child in list(self._children):
            child.stop()

    def run(self, library: Path) -> TrialOutcome:
        """The outcome. Raises TrialImpossible, or ProcessEnded after stop."""
        try:
            portable = self._launch(None, self._on_start)
            expected, _ = portable.embed("documents", _TEXTS)
        except (ProcessEnded, ProviderUnavailable, OSError) as error:
            self._check()
            raise TrialImpossible from error
        faster: LlamaProcess | None = None
        try:
            faster = self._launch(library, self._on_start)
            return self._compared(portable, faster, expected)
        except ProcessEnded:
            self._check()
            # Killed: there was too little memory for two models at once.
            if not portable.is_alive or any(child.is_killed for child in self._children):
                raise TrialImpossible from None
            reason = "AVX-512 died"
            if faster and faster.fault:
                reason = f"{reason} of {faster.fault}"
            return TrialOutcome(reason)
        except (ProviderUnavailable, OSError) as error:
            self._check()
            return TrialOutcome(f"AVX-512 does not start: {error}")

    def _compared(
        self, portable: LlamaProcess, faster: LlamaProcess, expected: Sequence[Vector]
    ) -> TrialOutcome:
        # Both in turn, so that whatever else the computer does slows down both.
        times: dict[LlamaProcess, list[float]] = {portable: [], faster: []}
        for number in range(_ROUNDS):
            for child, spent in times.items():
                vectors, seconds = child.embed("documents", _TEXTS)
                spent.append(seconds)
                pairs = zip(expected, vectors, strict=True)
                # 0 for one that is not a number.
                cosine = min(float(np.nan_to_num(vector @ other)) for vector, other in pairs)
                if cosine < _SAME:
                    return TrialOutcome(f"AVX-512 gave other vectors: cosine {cosine:.4f}")
            if number and sum(map(sum, times.values())) > _ENOUGH_SECONDS:
                break
        # The best round of each is the one that was disturbed least.
        gain = min(times[portable]) / min(times[faster])
        if gain < _CLEAR_GAIN:
            return TrialOutcome(f"AVX-512 is not clearly faster: {gain:.2f}")
        return TrialOutcome(f"{gain:.2f} times as fast as portable", is_faster=True)

    def _on_start(self, child: LlamaProcess) -> None:
        self._children.append(child)
        if self._is_over:
            child.stop()

    def _check(self) -> None:
        if self._is_over:
            raise ProcessEnded
