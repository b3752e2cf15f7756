"""The end of an engine: its parts are closed in an order in which none waits for another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrubjay.concurrency.lazy import close_made
from scrubjay.documents.converter import converter
from scrubjay.documents.page_painter import painter
from scrubjay.engine.wiring import EngineParts

if TYPE_CHECKING:
    from scrubjay.engine.engine import Engine


def close_engine(engine: Engine, parts: EngineParts) -> None:
    """Stop everything within two seconds, keeping committed documents."""
    kind = type(engine)
    parts.timers.close()
    close_made(parts, EngineParts.qmd, EngineParts.publications)
    close_made(engine, kind.health, kind.importer, kind.note_import)
    if (auto_index := EngineParts.auto_index.made(parts)) and auto_index.is_on:
        parts.board.save(parts.last_numbers)
    close_made(parts, EngineParts.auto_index)
    # Threads that wait for a key or for vectors are let go first, and then end at once.
    parts.keychain.close()
    close_made(engine, kind.sharing, kind.keys, kind.settings_editor)
    close_made(parts, EngineParts.providers, EngineParts.comparisons, EngineParts.library)
    close_made(engine, kind.recall, kind.dreams, kind.agents)
    close_made(engine, kind.connections, kind.updates)
    parts.daily_notes.close(seconds=1)
    close_made(parts, EngineParts.index)
    close_made(parts, EngineParts.meaning)
    close_made(engine, kind.journal, kind.relations)
    close_made(parts, EngineParts.words)
    converter.close()
    painter.close()
