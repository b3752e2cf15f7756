"""Finding programs by name."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from scrubjay.platform.current_folder import absolute_folders


def find_program(name: str) -> str | None:
    """The absolute path of a program; None without one.

    A bare name is looked up in the absolute folders of PATH. The current folder is not among them,
    on Windows either: it may be a repository of someone else. A path has to be absolute.
    """
    if Path(name).is_absolute():
        return shutil.which(name)
    if Path(name).name != name:
        return None
    found = shutil.which(name, path=absolute_folders(os.environ.get("PATH", os.defpath)))
    # Python 3.11 puts the current folder in front of any search path on Windows.
    if found is None or not Path(found).is_absolute():
        return None
    return found
