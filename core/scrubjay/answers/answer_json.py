"""Answers of the memory tools as JSON, the same for the terminal and for agents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scrubjay.config.schema.memory_search import Citations
from scrubjay.errors import ScrubjayError
from scrubjay.records.search_records import (
    ContextAnswer,
    EngineStatus,
    Freshness,
    Hit,
    NotePage,
    SearchAnswer,
    WorkspaceStatus,
)
from scrubjay.search.hits import cut
from scrubjay.text.printable import visible

_DIGITS = 4
_SHORT = 240
"""Characters of an uncertain hit."""
_UNCERTAIN = "These may not answer the question: judge by their text, or read more of them."


def search_answer(
    answer: SearchAnswer, *, citations: Citations = "auto", explain: bool = False
) -> dict[str, Any]:
    """The memory_search answer. Citations are the setting: `auto` names sources in direct chats."""
    is_direct_chat = answer.request.conversation.is_direct_chat
    cites = citations == "on" or (citations == "auto" and is_direct_chat)
    reply: dict[str, Any] = {
        "results": [_hit(hit, cites=cites, explain=explain) for hit in answer.hits],
        **_uncertain(answer.uncertain),
        **_origin(answer),
        "citations": "on" if cites else "off",
        "mode": str(answer.mode),
        "freshness": _freshness(answer.freshness),
    }
    if explain:
        reply["debug"] = {"elapsedMs": round(answer.elapsed_ms, 2), "query": answer.request.text}
    return reply


def unavailable(error: ScrubjayError) -> dict[str, Any]:
    """The memory_search and memory_context answer while nothing can be searched."""
    reason = f"{error.title}: {error.message}" if error.message else error.title
    action = error.hint or "Run `scrubjay status` to see what is wrong."
    return {"results": [], "disabled": True, "error": reason, "action": action}


def context_answer(context: ContextAnswer) -> dict[str, Any]:
    """The memory_context answer; the context is empty when nothing belongs to the message."""
    reply: dict[str, Any] = {
        "context": context.digest,
        "queries": list(context.queries),
        "results": [_hit(hit, cites=False, explain=False) for hit in context.hits],
        **_uncertain(context.uncertain),
    }
    if answer := context.answer:
        reply |= _origin(answer)
        reply["mode"] = str(answer.mode)
        reply["freshness"] = _freshness(answer.freshness)
    return reply


def _uncertain(hits: Sequence[Hit]) -> dict[str, Any]:
    """Hits that may answer, short, with a sentence on them; nothing where there are none."""
    near = [_hit(hit, cites=False, explain=False) for hit in hits]
    for reply in near:
        reply["snippet"] = cut(reply["snippet"], _SHORT)
    return {"uncertain": near, "uncertainNotice": _UNCERTAIN} if near else {}


def _origin(answer: SearchAnswer) -> dict[str, Any]:
    """Provider and model that embedded the query, and the one that they replace."""
    origin: dict[str, Any] = {"provider": answer.provider, "model": answer.model}
    if answer.fallback_reason:
        origin["fallback"] = {"from": "hybrid", "reason": answer.fallback_reason}
    elif answer.takeover:
        origin["fallback"] = {"from": answer.takeover.provider, "reason": answer.takeover.reason}
    if answer.waited_for:
        origin["waitedFor"] = answer.waited_for
    return origin


def note_page(page: NotePage) -> dict[str, Any]:
    """The memory_get answer."""
    reply: dict[str, Any] = {
        "path": page.path,
        "text": page.text,
        "from": page.first_line,
        "lines": page.line_count,
    }
    if page.is_truncated:
        reply["truncated"] = True
    if page.next_line is not None:
        reply["nextFrom"] = page.next_line
    return reply


def engine_status(status: EngineStatus) -> dict[str, Any]:
    """The memory_status answer."""
    model, backend = status.model, status.backend
    fields = {"name": backend.name, "reason": backend.reason, "note": backend.note}
    known = {key: value for key, value in fields.items() if value}
    return {
        "workspaces": [
            {**_workspace(each), **status.details.get(each.workspace.id, {})}
            for each in status.workspaces
        ],
        "model": {
            "provider": model.provider,
            "model": model.model,
            "ready": model.is_ready,
            **({"reason": model.reason} if model.reason else {}),
        },
        "paused": status.is_paused,
        **({"backend": known} if backend.name != "builtin" else {}),
    }


def _hit(hit: Hit, *, cites: bool, explain: bool) -> dict[str, Any]:
    text = visible(hit.snippet.text)
    reply: dict[str, Any] = {
        "path": hit.path,
        "startLine": hit.first_line,
        "endLine": hit.last_line,
        "score": round(hit.score, _DIGITS),
    }
    if hit.vector_score is not None:
        reply["vectorScore"] = round(hit.vector_score, _DIGITS)
    if hit.text_score is not None:
        reply["textScore"] = round(hit.text_score, _DIGITS)
    reply["snippet"] = f"{text}\n\nSource: {hit.citation}" if cites else text
    reply["source"] = str(hit.source)
    reply["citation"] = hit.citation
    reply["workspace"] = hit.workspace
    if explain:
        why = hit.explanation
        reply["explanation"] = {
            "matched": {term: list(places) for term, places in why.matched.items()},
            "missing": list(why.missing),
            "lexicalRank": why.lexical_rank,
            "vectorRank": why.vector_rank,
            "parts": {name: round(value, _DIGITS) for name, value in why.parts.items()},
            "decay": round(why.decay, _DIGITS),
            "diversityPenalty": round(why.diversity_penalty, _DIGITS),
        }
    return reply


def _freshness(freshness: Freshness) -> dict[str, Any]:
    checked = freshness.checked_at
    return {
        "documents": freshness.documents,
        "pending": freshness.pending,
        "unreadDocuments": freshness.unread_documents,
        "unreadable": freshness.unreadable,
        "embedded": round(freshness.embedded, _DIGITS),
        "checkedAt": checked.isoformat(timespec="seconds") if checked else None,
        **({"reason": freshness.reason} if freshness.reason else {}),
    }


def _workspace(status: WorkspaceStatus) -> dict[str, Any]:
    return {
        "id": status.workspace.id,
        "name": status.workspace.name,
        "path": str(status.workspace.root),
        "state": str(status.state),
        "chunks": status.chunks,
        "indexBytes": status.index_bytes,
        **_freshness(status.freshness),
        "skipped": [
            {"path": file.path, "reason": file.reason, "problem": file.is_problem}
            for file in status.skipped
        ],
        **({"error": status.error} if status.error else {}),
        **({"mendedAt": status.mended_at.isoformat()} if status.mended_at else {}),
    }
