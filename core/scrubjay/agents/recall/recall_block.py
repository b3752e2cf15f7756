"""The notes that are shown with an agent's prompt, and the search that finds them."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import Cancelled, ScrubjayError
from scrubjay.notes.note_reader import NoteUnreadable, decode_note, read_note
from scrubjay.records.note_records import NotePage
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import Hit, SearchAnswer, SearchRequest
from scrubjay.text.graphemes import truncate_text
from scrubjay.text.markdown import split_lines
from scrubjay.text.printable import visible_text
from scrubjay.text.quotation import block_room, escape_markup, quoted_block
from scrubjay.text.redaction import redact, redact_part

if TYPE_CHECKING:
    from scrubjay.documents.document_converter import Converter

MAX_CHARACTERS = 1000
"""Characters of the block beside a prompt, at most."""
MAX_DAILY = 8000
"""Characters of daily notes, at most; agents cut what a hook says at 10,000."""
MAX_HITS = 3
"""Number of notes in the block, at most."""
MIN_SCORE = 0.3
"""Score from which a note is shown without having been asked for."""
MIN_PROMPT = 5
"""Characters of a prompt, at least; a shorter one has no topic."""

_QUERY_CHARACTERS = 2000
"""Characters at the beginning of a long prompt, which tell its topic."""
_RECALLED = "relevant-memories"
"""Name of the block beside a prompt, from OpenClaw."""

Search: TypeAlias = Callable[[SearchRequest, CancelToken], Future[SearchAnswer]]


def related_hits(search: Search, request: SearchRequest, seconds: float) -> tuple[Hit, ...]:
    """Hits for a whole message: of a hybrid search if it ends in time, otherwise by words."""
    until = time.monotonic() + seconds
    cancel = CancelToken()
    query = " ".join(request.text[:_QUERY_CHARACTERS].split())
    # Both at once: the model may have to start, or may never answer.
    words = search(replace(request, text=query, mode=Mode.LEXICAL), cancel)
    hybrid = search(replace(request, text=query, mode=Mode.HYBRID), cancel)
    try:
        for future in (hybrid, words):
            try:
                return future.result(max(0.0, until - time.monotonic())).hits
            except (TimeoutError, Cancelled, ScrubjayError):
                continue
    finally:
        cancel.cancel()
    return ()


def recall_block(hits: Sequence[Hit], converter: Converter, silent: Collection[Path] = ()) -> str:
    """At most 1,000 characters with the best three hits; empty without a confident one.

    Note text is escaped and its secrets are blanked out, so that it can neither end the block
    nor give a key away. Notes in silent folders are not read again.
    """
    lines: list[str] = []
    chosen = [hit for hit in hits if hit.score >= MIN_SCORE][:MAX_HITS]
    room = block_room(_RECALLED, MAX_CHARACTERS)
    for number, hit in enumerate(chosen, 1):
        # Room that a short note leaves goes to the next ones.
        share = room // (len(chosen) - number + 1)
        is_silent = any(map(hit.file.is_relative_to, silent))
        text = redact(hit.snippet.text) if is_silent else _redacted(hit, converter)
        line = _line(number, hit, snippet=text, limit=share - 1)
        if line:
            lines.append(line)
            room -= len(line) + 1
    if not lines:
        return ""
    return quoted_block(_RECALLED, lines)


def daily_block(pages: Iterable[NotePage]) -> str:
    """The ends of daily notes, 8,000 characters together, safe as above; empty without any text."""
    written = [page for page in pages if page.text.strip()]
    if not written:
        return ""
    # Each note has the same room; its end is what was written last.
    room = MAX_DAILY // len(written)
    parts: list[str] = []
    for page in written:
        text = redact(page.text).strip()
        # Whole lines, since the last ones say where the day ended.
        if len(text) > room:
            _, _, whole = text[-room:].partition("\n")
            text = f"…\n{whole}"
        parts.append(f"[{escape_markup(page.path)}]\n{escape_markup(text)}")
    return quoted_block("daily-notes", parts)


def _line(number: int, hit: Hit, *, snippet: str, limit: int) -> str:
    """One hit and its snippet on one line, cut with dots if it is too long; empty if none fits."""
    where = f"{hit.path}#L{hit.first_line}-L{hit.last_line}"
    lead = f"{number}. [{escape_markup(where)}] "
    text = " ".join(visible_text(snippet).split())
    room = limit - len(lead)
    if room < 1 or not text:
        return ""
    escaped = escape_markup(text)
    if len(escaped) <= room:
        return lead + escaped
    # Escapes make the text longer, so it is cut until it fits.
    beginning = truncate_text(text, room - 1)
    escaped = escape_markup(beginning)
    while len(escaped) > room - 1:
        # At least one character, at most the cost of the escapes.
        beginning = truncate_text(beginning, len(beginning) - max(1, (len(escaped) - room) // 6))
        escaped = escape_markup(beginning)
    return f"{lead}{escaped}…" if escaped else lead


def _redacted(hit: Hit, converter: Converter) -> str:
    """The text of a hit without the secrets of its note."""
    try:
        lines = split_lines(decode_note(read_note(hit.file, hit.path, converter).data))
    except (NoteUnreadable, OSError):
        return redact(hit.snippet.text)
    # A secret may begin before the hit, so that it shows in the whole note only.
    start = sum(len(line) + 1 for line in lines[: hit.first_line - 1])
    return redact_part(hit.snippet.text, "\n".join(lines), start)
