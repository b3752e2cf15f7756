"""In which conversations notes may be found, by the key of the conversation."""

from __future__ import annotations

import re

from scrubjay.config import QmdMatch, QmdScope

_AGENT = re.compile(r"agent:[^:]*:")


def is_allowed(scope: QmdScope, session_key: str) -> bool:
    """What the first rule that matches says, else the default.

    A blank key stands for a direct chat: a person at this computer, or their own agent.
    """
    raw = session_key.strip().lower()
    key = _AGENT.sub("", raw, count=1) if _AGENT.match(raw) else raw
    for rule in scope.rules:
        if _matches(rule.match, raw, key):
            return rule.action == "allow"
    return scope.default == "allow"


def _matches(match: QmdMatch, raw: str, key: str) -> bool:
    prefix = (match.key_prefix or "").strip().lower()
    # Older settings have the whole key here.
    whole = raw if _AGENT.match(prefix) else key
    return (
        (match.chat_type is None or match.chat_type == _chat_type(key))
        and (match.channel is None or match.channel.strip().lower() == _channel(key))
        and whole.startswith(prefix)
        and raw.startswith((match.raw_key_prefix or "").strip().lower())
    )


def _chat_type(key: str) -> str:
    """Keys are such as `telegram:group:123`, `discord:channel:9`, `main`; subagents have none."""
    parts = key.split(":")
    if parts[0] == "subagent":
        return ""
    return next((kind for kind in ("group", "channel") if kind in parts), "direct")


def _channel(key: str) -> str:
    parts = [part for part in key.split(":") if part]
    kinds = ("group", "channel", "direct", "dm")
    return parts[0] if len(parts) > 1 and parts[1] in kinds else ""
