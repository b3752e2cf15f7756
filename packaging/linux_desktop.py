"""Desktop entry, metainfo, icons and manual pages of a Linux package."""

from __future__ import annotations

import datetime as dt
import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import icons
import versions
from scrubjay.platform.installation import APP_ID

ROOT = Path(__file__).resolve().parents[1]
MAINTAINER = "Seed ddf22640 maintainers <maintainers@users.noreply.a-seed-ddf22640.example>"


def share(target: Path) -> None:
    """Write desktop entry, metainfo, icons and manual pages below a folder such as /usr/share."""
    entry = (ROOT / "resources" / f"{APP_ID}.desktop").read_text(encoding="utf-8")
    write(target / f"applications/{APP_ID}.desktop", entry)
    write(target / f"metainfo/{APP_ID}.metainfo.xml", metainfo())
    icons.hicolor(target)
    for name, text in manual_pages().items():
        packed(target / f"man/man1/{name}.1.gz", text)


def activatable(target: Path, program: str) -> None:
    """Let the session bus start an installed program; target is a folder that share() has written.

    The desktop entry then names the bus; its command stays for desktops that do not support it.
    """
    entry = target / f"applications/{APP_ID}.desktop"
    text = entry.read_text(encoding="utf-8")
    write(entry, text.replace("\nTerminal=", "\nDBusActivatable=true\nTerminal=", 1))
    # Without a window: the request comes over the bus as soon as the program runs.
    service = f"[D-BUS Service]\nName={APP_ID}\nExec={program} --background\n"
    write(target / f"dbus-1/services/{APP_ID}.service", service)


def metainfo() -> str:
    """The AppStream file, with version and date of this build."""
    template = (ROOT / "packaging" / "linux" / f"{APP_ID}.metainfo.xml").read_text("utf-8")
    day = dt.datetime.fromtimestamp(versions.source_date(), dt.UTC).date()
    return template.replace("@VERSION@", versions.version()).replace("@DATE@", day.isoformat())


def manual_pages() -> dict[str, str]:
    """`scrubjay` from the help of its commands, and `scrubjay-desktop`."""
    head = f'.TH {{name}} 1 "" "Scrubjay {versions.version()}" "User Commands"\n.SH NAME\n'
    commands = "".join(
        f".TP\n.B scrubjay {escaped(name)}\n{escaped(text)}\n"
        for name, text in commands_with_help()
    )
    return {
        "scrubjay": head.format(name="SCRUBJAY")
        + "scrubjay \\- find what was written down, by its words and by its meaning\n"
        + ".SH SYNOPSIS\n.B scrubjay\n.I COMMAND\n.RI [ OPTIONS ]\n"
        + ".SH COMMANDS\nEach takes\n.BR \\-\\-help .\n"
        + commands
        + ".SH ENVIRONMENT\n.TP\n.B SCRUBJAY_HOME\n"
        + "A folder for settings, index and models in place of the usual ones.\n"
        + ".SH EXIT STATUS\n0 when it worked, 1 for an expected failure, 2 for wrong usage, "
        + "70 for a bug, 130 after Ctrl\\-C.\n",
        "scrubjay-desktop": head.format(name="SCRUBJAY-DESKTOP")
        + "scrubjay\\-desktop \\- find notes in a window\n"
        + ".SH SYNOPSIS\n.B scrubjay\\-desktop\n"
        + ".RB [ \\-\\-quick\\-search | \\-\\-background | \\-\\-sample | \\-\\-quit ]\n"
        + ".SH DESCRIPTION\nA second start hands its wish to the Scrubjay that runs.\n"
        + ".SH SEE ALSO\n.BR scrubjay (1)\n",
    }


def commands_with_help() -> Iterator[tuple[str, str]]:
    """Names and first sentences of the commands, groups by their parts."""
    from scrubjay.cli.arguments import CommandGroup, help_summary
    from scrubjay.cli.command_list import app

    for name, command in sorted(app.commands.items()):
        parts = command.commands if isinstance(command, CommandGroup) else {"": command}
        for part, inner in sorted(parts.items()):
            yield f"{name} {part}".strip(), help_summary(inner)


def escaped(text: str) -> str:
    """The text with roff's special characters escaped."""
    plain = text.replace("\\", "\\\\").replace("-", "\\-")
    return re.sub(r"(?m)^([.'])", r"\\&\1", plain)


def packed(file: Path, text: str) -> None:
    """Write a text compressed, the same bytes each time."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(gzip.compress(text.encode(), compresslevel=9, mtime=0))


def write(file: Path, text: str) -> None:
    """Write a text, and the folders above it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
