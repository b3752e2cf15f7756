"""Ways to write a path that somebody once got out of a folder with."""

from __future__ import annotations

from itertools import product

_UPS = [
    "../",
    "../../",
    "memory/../",
    "memory/../../",
    "./../",
    "memory/sub/../../",
    "memory/./../../",
]
_TARGETS = ["secret.md", "elsewhere/secret.md", "agent2/secret.md", "agent/secret.md", "AGENTS.md"]
_SEPARATORS = ["\\", "//", "/./", "%2f", "%5c"]
_SEPARATORS += ["\u2215", "\u2044", "\uff0f", "\uff3c", "\u29f8"]
_DOTS = ["%2e%2e", "..%00", "...", "....", ".. ", " ..", "..;", "..\t", "\u2025", "\uff0e\uff0e"]
_STARTS = [
    "/",
    "//",
    "///",
    "file://",
    "file:///",
    "\\\\",
    "\\\\?\\",
    "C:\\",
    "C:/",
    "C:",
    "~/",
    "~root/",
]
_DEVICES = ["CON", "con", "NUL", "PRN", "AUX", "COM1", "LPT9", "CONIN$", "CLOCK$"]
_ENDS = ["", ".md", ".txt", ":x.md"]
_IN_MEMORY = [
    "link.md",
    "chain.md",
    "inside.md",
    "linked/secret.md",
    "loop/../secret.md",
    "loop/loop/day.md",
    "pipe.md",
    "folder.md",
    "folder.md/",
    "day.md/",
    "day.md/..",
    "day.md/../../secret.md",
    "secret.txt",
    "secret.md.bak",
    ".DREAMS/secret.md",
    ".dreams./secret.md",
    ".dreams /secret.md",
    ".dreams/secret.md",
    "../.git/secret.md",
    "secret.txt::$DATA.md",
    "secret.txt:.md",
    "secret.txt%00.md",
    "secret.txt..md",
]
_IN_MEMORY += ["secret.md\0.md", "\0", "day.md\0", "secret.txt\0.md", "secret.txt .md", "\ud800.md"]
_WHOLE = [
    ".",
    "..",
    "/",
    "memory",
    "memory/",
    "AGENTS.md",
    "agents.md",
    "AGENTS.MD",
    "secret.md",
    "notes/private.md",
    ".git/secret.md",
    "MEMORY.md/../secret.md",
    "Memory/../secret.md",
    "MEMORY/../AGENTS.md",
    "memory.md/../AGENTS.md",
    "DREAMS.md/..",
    "/proc/self/environ.md",
    "/dev/stdin.md",
    "/etc/passwd",
    "../../../../../etc/passwd",
]
_WHOLE += ["", " ", "memory\n/../secret.md", "memory\u202e/secret.md", "\ufeffAGENTS.md"]
_WHOLE += ["x" * 5000 + ".md", "memory/" + "a/" * 2000 + "x.md"]


def escapes() -> list[str]:
    """All of them, more than 250."""
    upwards = [f"{up}{target}" for up, target in product(_UPS, _TARGETS)]
    found = [
        *upwards,
        *(path.replace("/", separator) for path, separator in product(upwards[:8], _SEPARATORS)),
        *(f"memory/{dots}/{target}" for dots, target in product(_DOTS, _TARGETS[:4])),
        *(f"{start}{target}" for start, target in product(_STARTS, _TARGETS[:3])),
        *(f"memory/{device}{end}" for device, end in product(_DEVICES, _ENDS)),
        *(f"memory/{name}" for name in _IN_MEMORY),
        *_WHOLE,
    ]
    return list(dict.fromkeys(found))
