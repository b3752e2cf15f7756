"""The one program of a bundle, with three faces: app, command line and model's child."""

from __future__ import annotations

import sys
from pathlib import Path


def main() -> None:
    """Be what the program was started as."""
    if sys.argv[1:2] == ["--llama-worker"]:
        from scrubjay.embedding.llama_worker import main as serve

        serve()
    elif Path(sys.argv[0]).stem == "scrubjay-desktop":
        from scrubjay_desktop.__main__ import main as open_app

        sys.exit(open_app())
    else:
        from scrubjay.cli import main as run_command

        run_command()


if __name__ == "__main__":
    main()
