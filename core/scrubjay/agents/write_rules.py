"""Rules for texts that agents write into notes, and for the folders they write to."""

from __future__ import annotations

import os
import re
import unicodedata
from pathlib import Path

from scrubjay.text.graphemes import emoji_count
from scrubjay.text.redaction import find_secrets
from scrubjay.text.tokenizer import fold

MAX_EMOJI = 3
"""Agents decorate their answers with emoji; people rarely use more in a text to remember."""

# All patterns match folded text on one line: lower case, no accents. Every repetition has a limit.
_TAG = re.compile(
    r"</[a-z][\w:-]{0,60}>|^<[a-z!?]|\[/?(?:inst|system)\]|<\|"
    r"|<\s{0,3}/?\s{0,3}(?:system|assistant|developer|user|human|tool|function|instructions?"
    r"|relevant-memories)\b"
)
# Notes that were shown to an agent come back in its texts.
_RECALLED = re.compile(r"relevant-memories|untrusted history")
# Orders that texts from elsewhere try to give an agent, in English, then in Spanish.
_OVERRIDES = (
    re.compile(
        r"\b(?:ignore|disregard|forget|override|bypass)(?: [\w']{1,15}){0,4}"
        r" (?:instructions?|rules|prompts?|guidelines)\b"
    ),
    re.compile(r"\b(?:do not|don't|never) (?:follow|obey)(?: [\w']{1,15}){0,3} (?:system|develop)"),
    re.compile(r"\b(?:system|developer) (?:prompt|message)s?\b"),
    re.compile(r"\b(?:run|execute|call|invoke)\b.{0,40}\b(?:tools?|commands?)\b"),
    re.compile(r"\byou are now\b|\bact as (?:if|though) you\b|\bnew instructions\b"),
    re.compile(
        r"\b(?:ignor[ae]|ignores|olvida|olvides?|omite|desobedece|haz caso omiso de)"
        r"(?: [\w']{1,15}){0,4} (?:instruccion(?:es)?|reglas|ordenes|indicaciones)\b"
    ),
    re.compile(r"\bno (?:sigas|obedezcas)(?: [\w']{1,15}){0,3} (?:sistema|desarrollador|instrucc)"),
    re.compile(r"\b(?:prompt|mensajes?|instrucciones) (?:del?|de la|de el) (?:sistema|desarroll)"),
    re.compile(r"\b(?:ejecuta|invoca|llama|corre)\b.{0,40}\b(?:herramientas?|comandos?)\b"),
    re.compile(r"\bahora eres\b|\bnuevas instrucciones\b"),
)
_BULLET = re.compile(r"^\s{0,8}(?:[-*+]|\d{1,3}[.)])\s", re.MULTILINE)
_MARKUP = re.compile(r"\*\*|^#{1,6}\s|^```", re.MULTILINE)
_INVISIBLE = frozenset({"Cf", "Cc", "Cs", "Co", "Cn"})


def refusal_reason(text: str) -> str:
    """Why a text must not be kept, in one plain sentence; empty if it may."""
    plain = folded_line(text)
    if _RECALLED.search(plain):
        return "The text was quoted from the notes."
    if _TAG.search(plain):
        return "The text contains tags, so a program probably wrote it."
    if _MARKUP.search(text) and _BULLET.search(text):
        return "The text is a formatted summary."
    if emoji_count(text) > MAX_EMOJI:
        return f"The text has more than {MAX_EMOJI} emoji."
    if any(pattern.search(plain) for pattern in _OVERRIDES):
        return "The text gives instructions to an agent."
    if find_secrets(text):
        return "The text contains a password or a key."
    return ""


def folded_line(text: str) -> str:
    """The text folded, on one line, without invisible characters that split words."""
    # White space counts as a space even where its character has no form, such as a line break.
    visible = (
        " " if letter.isspace() else letter
        for letter in text
        if letter.isspace() or unicodedata.category(letter) not in _INVISIBLE
    )
    return " ".join(fold("".join(visible)).replace("’", "'").split())


def is_daily_note_writable(root: Path) -> bool:
    """False if today's file cannot be written, also for an administrator."""
    folder = root / "memory"
    if not folder.is_dir():
        folder = root
    # The bits of the mode count as well, since an administrator may write in spite of them.
    try:
        is_allowed = all(path.stat().st_mode & 0o222 for path in {root, folder})
    except (OSError, ValueError):
        return False
    return is_allowed and os.access(folder, os.W_OK)
