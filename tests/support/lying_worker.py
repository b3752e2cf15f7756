"""A process that reads documents and was taken over by one: it answers what a file says."""

from __future__ import annotations

import sys
from pathlib import Path

from scrubjay.platform import pipe_protocol


def main() -> None:
    """Answer every request with the bytes of the file that is the first argument."""
    answer = Path(sys.argv[1]).read_bytes()
    while pipe_protocol.receive_message(sys.stdin.buffer):
        sys.stdout.buffer.write(answer)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
