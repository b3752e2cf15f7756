"""Records which steps were done, and with which inputs. Standard library only."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Stamp:
    """A file that holds the hash of a step's inputs from the last time the step succeeded."""

    file: Path
    """Lies inside what the step makes, so that deleting the result deletes the stamp too."""
    inputs: tuple[Path | str, ...]
    """A path stands for the content of that file, a string for itself."""

    @property
    def is_current(self) -> bool:
        """Whether the step succeeded before with exactly these inputs."""
        try:
            return self.file.read_text(encoding="ascii") == self._digest()
        except FileNotFoundError:
            return False

    def write(self) -> None:
        """Note that the step succeeded."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(self._digest(), encoding="ascii")

    def remove(self) -> None:
        """Make the step run again next time."""
        self.file.unlink(missing_ok=True)

    def _digest(self) -> str:
        digest = hashlib.sha256()
        for item in self.inputs:
            content = item.encode() if isinstance(item, str) else item.read_bytes()
            # Each part is hashed by itself, so that "ab", "c" differs from "a", "bc".
            digest.update(hashlib.sha256(content).digest())
        return digest.hexdigest()
