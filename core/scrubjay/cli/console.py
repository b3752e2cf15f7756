"""The console for colours and progress bars, which move the cursor of a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from scrubjay.cli.harmless_output import raw_stream
from scrubjay.text.printable import harmless_text


class HarmlessConsole(Console):
    """A console in which only its own codes act on the terminal, never the printed texts."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """The segments of what is printed, in which all that is not a code is harmless."""
        for segment in super().render(renderable, options):
            if segment.control:
                yield segment
            else:
                yield segment._replace(text=harmless_text(segment.text))


def console(*, to_errors: bool = False) -> HarmlessConsole:
    """The console on standard output, or on standard error."""
    stream = sys.stderr if to_errors else sys.stdout
    return HarmlessConsole(file=raw_stream(stream), highlight=False, soft_wrap=True)
