"""Entry point of a bundle's program, which is app, command line and child processes."""

from __future__ import annotations

import os
import sys
from collections.abc import MutableMapping
from pathlib import Path


def main() -> None:
    """Run the app, the command line or a child process, as the arguments say."""
    restore_environment(os.environ)
    if sys.argv[1:2] == ["--llama-worker"]:
        from scrubjay.embedding.local.llama_worker import main as serve

        serve()
    elif sys.argv[1:2] == ["--document-worker"]:
        from scrubjay.documents.document_worker import main as read_documents

        read_documents()
    elif sys.argv[1:2] == ["--export-worker"]:
        from scrubjay.note_import.export_worker import main as read_export

        read_export()
    elif Path(sys.argv[0]).stem == "scrubjay-desktop":
        from scrubjay_desktop.__main__ import main as open_app

        sys.exit(open_app())
    else:
        from scrubjay.cli import main as run_command

        run_command()


def restore_environment(environ: MutableMapping[str, str]) -> None:
    """Restore the environment from before the start of the bundle.

    The start made this program find its own libraries. An editor that the app opens must find the
    system's, and the model process, which is this program again, has to start from the beginning.
    """
    for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"):
        former = environ.pop(f"{name}_ORIG", None)
        if former is not None:
            environ[name] = former
        elif getattr(sys, "frozen", False):
            environ.pop(name, None)
    if getattr(sys, "frozen", False):
        environ["PYINSTALLER_RESET_ENVIRONMENT"] = "1"


if __name__ == "__main__":
    main()
