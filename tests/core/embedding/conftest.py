"""The model that comes with Scrubjay."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.models.model_files import find_model
from scrubjay.platform.paths import Paths


@pytest.fixture(scope="module")
def model_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = find_model(Paths.under(tmp_path_factory.mktemp("home")))
    assert file is not None, "run make setup"
    return file
