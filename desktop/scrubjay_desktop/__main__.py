"""Starts the desktop app, or hands the wish over to the one that runs already."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from scrubjay import Paths
from scrubjay_desktop.single_instance import (
    InstanceServer,
    Meeting,
    Wish,
    claim,
    hand_over,
    meeting_point,
)

if TYPE_CHECKING:
    from scrubjay_desktop.application import Desktop

_EXIT_SILENT = 75
"""EX_TEMPFAIL: another Scrubjay is there and does not answer."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the app; returns its exit code."""
    chosen = _parser().parse_args(arguments)
    wish = _wish(chosen)
    meeting = meeting_point(Paths.of_user())
    lock = claim(meeting)
    if lock is None:
        return _ask_the_first(meeting, wish)
    if wish is Wish.QUIT:
        return 0
    # Only now: a second start ends without having loaded any widget.
    from scrubjay_desktop.application import Start, run

    def serve(desktop: Desktop) -> None:
        server = InstanceServer(meeting, desktop)
        server.wished.connect(desktop.fulfil)

    try:
        return run(Start(wish, chosen.theme), serve)
    finally:
        lock.unlock()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scrubjay-desktop", description="Find your notes by their words and by their meaning."
    )
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--quick-search", action="store_true", help="open or close the search popup")
    kind.add_argument("--background", action="store_true", help="start without a window")
    kind.add_argument("--sample", action="store_true", help="start with the sample notes")
    kind.add_argument("--quit", action="store_true", help="end the Scrubjay that runs")
    parser.add_argument("--theme", choices=["light", "dark"], help=argparse.SUPPRESS)
    return parser


def _wish(chosen: argparse.Namespace) -> Wish:
    if chosen.quick_search:
        return Wish.QUICK_SEARCH
    if chosen.background:
        return Wish.BACKGROUND
    if chosen.sample:
        return Wish.SAMPLE
    return Wish.QUIT if chosen.quit else Wish.WINDOW


def _ask_the_first(meeting: Meeting, wish: Wish) -> int:
    if hand_over(meeting, wish):
        return 0
    print("Scrubjay is running already, but it does not answer.", file=sys.stderr)
    return _EXIT_SILENT


if __name__ == "__main__":
    sys.exit(main())
