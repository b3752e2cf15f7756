"""Entry point of a bundle's program, which is app, command line and child processes."""

from __future__ import annotations

import os
import sys
from collections.abc import MutableMapping
from pathlib import Path
from zipimport import zipimporter


def main() -> None:
    """Run the app, the command line or a child process, as the arguments say."""
    restore_environment(os.environ)
    if sys.argv[1:2] == ["--llama-worker"]:
        from scrubjay.embedding.local.llama_worker import main as serve

        serve()
        return
    if sys.argv[1:2] == ["--document-worker"]:
        from scrubjay.documents.document_worker import main as read_documents

        read_documents()
        return
    if sys.argv[1:2] == ["--picture-worker"]:
        from scrubjay.documents.picture_worker import main as read_pictures

        read_pictures()
        return
    if sys.argv[1:2] == ["--reading-worker"]:
        from scrubjay.store.lancedb.reading_worker import main as read_memories

        read_memories()
        return
    keep_program_open()
    if sys.argv[1:2] == ["--export-worker"]:
        from scrubjay.note_import.export_worker import main as read_export

        read_export()
    elif Path(sys.argv[0]).stem == "scrubjay-desktop":
        from scrubjay_desktop.__main__ import main as open_app

        sys.exit(open_app())
    else:
        from scrubjay.cli import main as run_command

        run_command()


def keep_program_open() -> None:
    """Let modules that are imported later come from the bundle as it was when the program started.

    They are in files that are opened by name for each module. After an upgrade something else is at
    their place in the new file, and PyInstaller ends a program whose archive was moved or removed.
    """
    if sys.platform == "linux":
        for importer in sys.path_importer_cache.values():
            if isinstance(importer, zipimporter):
                importer.archive = _opened(importer.archive)
        importers = sys.modules.get("pyimod02_importers")
        if importers:
            archive = importers.pyz_archive
            archive._filename = _opened(archive._filename)  # noqa: SLF001


def _opened(file: str) -> str:
    """Path of a file that stays with its content, whatever happens to its name."""
    return f"/proc/self/fd/{os.open(file, os.O_RDONLY)}"


def restore_environment(environ: MutableMapping[str, str]) -> None:
    """Restore the environment from before the start of the bundle.

    The start made this program find its own libraries. An editor that the app opens must find the
    system's, and the model process, which is this program again, has to start from the beginning.
    """
    for name in [name for name in environ if name.startswith(("_PYI_", "_MEIPASS"))]:
        del environ[name]
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
