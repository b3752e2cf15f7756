"""A language model that reads the first hits again, as its parent process sees it."""

from __future__ import annotations

import contextlib
import math
from collections import OrderedDict
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TypeAlias

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.embedding.local.llama_child import LlamaChild
from scrubjay.embedding.local.llama_process import WORKER, LlamaProcess, LoadRequest
from scrubjay.embedding.local.local_provider import embedding_threads
from scrubjay.errors import ProviderUnavailable
from scrubjay.text.grouping import group_by_size

IDLE_SECONDS = 60.0
"""Seconds without a question after which the model gives its memory back."""
_TOGETHER_CHARACTERS = 900
"""Characters of passages in one request; a search that is cancelled waits for one at most."""
_REMEMBERED = 512
"""Results that are remembered, since the same question is asked again while notes change."""

_PROBE = "The jay hides acorns and finds them again."
_PROBE_QUESTION = "who hides acorns"

PassageText: TypeAlias = tuple[str, int]
"""Text of a passage, and the position in it where its best line begins."""


class LocalReader:
    """Tells how much likelier passages make a question. For one thread."""

    def __init__(
        self,
        file: Path,
        *,
        threads: int = 0,
        idle_seconds: float | None = IDLE_SECONDS,
        worker: Sequence[str] = WORKER,
    ) -> None:
        """Threads 0: as many as for documents."""
        load = LoadRequest(
            str(file),
            threads=threads or embedding_threads(),
            gpu_layers=0,
            idle_seconds=idle_seconds,
            reads=True,
        )
        self._child = LlamaChild(load, worker=worker)
        self._known: OrderedDict[tuple[str, PassageText], float] = OrderedDict()

    @property
    def file(self) -> Path:
        """The model."""
        return self._child.file

    @property
    def content(self) -> str:
        """Short digest that tells its weights from others."""
        return self._child.content

    @property
    def child_pid(self) -> int | None:
        """Process id of the running child, None while the model is unloaded."""
        return self._child.pid

    def ratios(
        self, question: str, passages: Sequence[PassageText], cancel: CancelToken
    ) -> list[float]:
        """How much likelier each passage makes the question, in nats.

        Raises Cancelled or ProviderUnavailable.
        """
        new = [each for each in passages if (question, each) not in self._known]
        for batch in group_by_size(new, lambda each: len(each[0]), max_size=_TOGETHER_CHARACTERS):
            cancel.check()
            read = self._child.call(partial(LlamaProcess.read, question=question, passages=batch))
            for passage, ratio in zip(batch, read.ratios, strict=True):
                self._known[question, passage] = ratio
        cancel.check()
        ratios = [self._known[question, passage] for passage in passages]
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return ratios

    def close(self) -> None:
        """Stop the child and start no other. Any thread."""
        self._child.close()


def probe_reader(file: Path, cancel: CancelToken) -> None:
    """Have a model read a passage. Raises ProviderUnavailable if it does not, or Cancelled."""
    reader = LocalReader(file)
    with contextlib.closing(reader), cancel.calling(reader.close):
        (ratio,) = reader.ratios(_PROBE_QUESTION, [(_PROBE, 0)], cancel)
    if not math.isfinite(ratio):
        raise ProviderUnavailable(
            "The result reader is not responding", "The result reader gave no number for a text."
        )
