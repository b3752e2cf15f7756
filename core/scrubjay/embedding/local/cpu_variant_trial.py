"""Compares another build of llama.cpp with the portable one, in processes that may die of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.embedding.local.cpu_variant import TrialOutcome
from scrubjay.embedding.local.llama_process import LlamaProcess, ProcessEnded
from scrubjay.errors import ProviderUnavailable
from scrubjay.records.vectors import Vector

_CLEAR_GAIN = 1.10
_SAME = 0.999
"""Cosine between the vectors of both; the order of additions changes the fifth digit."""
_ROUNDS = 6
_ENOUGH_SECONDS = 4.0
"""Processor time in seconds: larger models take fewer rounds, but never less than two."""
_DEADLINE_S = 120.0

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
"""Starts a child with a library (None: the portable one); the callback can end it as it loads."""


class TrialImpossible(Exception):
    """No outcome: the portable build could not be tried either, or a process was killed."""


def try_out(
    library: Path, launch: Launch, cancel: CancelToken, *, seconds: float = _DEADLINE_S
) -> TrialOutcome:
    """TrialOutcome: is the library clearly faster, and right? Raises Cancelled or TrialImpossible.

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
            died = f" of {faster.fault}" if faster and faster.fault else ""
            return TrialOutcome(f"AVX-512 died{died}")
        except (ProviderUnavailable, OSError) as error:
            self._check()
            return TrialOutcome(f"AVX-512 does not start: {error}")

    def _compared(
        self, portable: LlamaProcess, faster: LlamaProcess, expected: Sequence[Vector]
    ) -> TrialOutcome:
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
