"""The sandbox that the operating system enforces on the process that reads documents."""

from __future__ import annotations

import contextlib

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.documents.document_errors import ConversionFailed
from scrubjay.documents.document_process import DocumentChild
from scrubjay.messages import Sentence, deserialize_sentence, join_sentences, msg

_MOST_SECONDS = 20.0
"""Seconds for a process to start and to answer, on a busy computer."""


def sandbox_status() -> Sentence:
    """Whether documents are read in a sandbox, as a process that is started for it says itself."""
    with contextlib.closing(DocumentChild(_MOST_SECONDS)) as child:
        try:
            answer, _ = child.ask({"sandbox": True}, b"", CancelToken())
        except (OSError, ConversionFailed):
            return msg(
                "Scrubjay cannot read documents because the program that reads them does not start."
            )
    # Some systems enforce less than others, and the person is told which.
    measures = ", ".join(answer["measures"])
    gaps = join_sentences(" ", map(deserialize_sentence, answer["gaps"]))
    if not gaps:
        return msg("Document sandbox: available ({measures}).", measures=measures)
    if not measures:
        return msg("Document sandbox: not available. {gaps}", gaps=gaps)
    return msg(
        "Document sandbox: partly available ({measures}). {gaps}", measures=measures, gaps=gaps
    )
