"""What the processes that open shared memories import of LanceDB."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

CLIENT = "lance_namespace_urllib3_client.api"
PROGRAM = """
import sys
from scrubjay.store.lancedb.table_reads import connect_database, find_table

find_table(connect_database({{"uri": {folder!r}}}), "notes")
print("lancedb.table" in sys.modules, {client!r} in sys.modules)
"""


def test_a_connection_does_not_import_the_client_of_catalogues(tmp_path: Path) -> None:
    program = PROGRAM.format(folder=str(tmp_path), client=CLIENT)
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["True", "False"]
