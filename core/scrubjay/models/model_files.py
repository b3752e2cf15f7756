"""Model files on this computer."""

from __future__ import annotations

from pathlib import Path

from scrubjay.errors import ModelMissing
from scrubjay.messages import msg
from scrubjay.models.catalogue import (
    KnownModel,
    all_known_models,
    find_known,
    known_models,
    unlisted_model,
)
from scrubjay.models.gguf import NotGguf, read_gguf_header
from scrubjay.models.model_address import HubFile, is_model_address
from scrubjay.platform.paths import Paths, expanded_path, resources
from scrubjay.records.model_records import ModelPurpose


class ModelFiles:
    """The folders that are searched for models, and the one that new models go to."""

    def __init__(self, paths: Paths, cache_dir: str = "") -> None:
        self.folder = paths.models
        """Folder of downloaded and imported models."""
        if cache_dir:
            self.folder = expanded_path(Path(cache_dir))
        # In a checkout the set-up builds the model beside the resources.
        others = (paths.models, resources() / "models", resources().parent / "build" / "models")
        self._folders = tuple(dict.fromkeys((self.folder, *others)))

    def find(self, model: KnownModel) -> Path | None:
        """The file of a model, None when it is not here."""
        names = [model.file]
        if isinstance(model.source, HubFile):
            # As node-llama-cpp names its downloads, so that its folder can be shared.
            names.append(f"hf_{model.source.repository.split('/')[0]}_{model.file}")
        files = (folder / name for name in names for folder in self._folders)
        return next((file for file in files if file.is_file()), None)

    def file_of(self, model: KnownModel) -> Path:
        """The file of a model, or the one that a download would make."""
        return self.find(model) or self.folder / model.file

    def find_path(self, setting: str) -> Path:
        """The file of a path in the settings, whether it is there or not."""
        # A path, or the name of a file in one of the folders.
        chosen = expanded_path(Path(setting))
        if chosen.is_absolute() or chosen.is_file():
            return chosen
        inside = [folder / setting for folder in self._folders]
        return next((file for file in inside if file.is_file()), chosen)

    def own(self, file: Path) -> bool:
        """True for files that Scrubjay put there, and may take away."""
        return file.parent == self.folder

    def resolve(self, name: str) -> tuple[KnownModel, Path | None]:
        """The model of an id, reference, name or path; its file, if here. Raises ModelMissing."""
        model = find_known(name)
        if model:
            return model, self.find(model)
        # A path; of a model of the catalogue too, such as one that comes with Scrubjay.
        file = self.find_path(name)
        if not file.is_file():
            raise ModelMissing(
                "This language helper does not exist",
                msg("{name} is neither a file nor a language helper in the list.", name=name),
                hint=(
                    "Choose a language helper in Settings under “Language helpers”, or run "
                    "`scrubjay models list`."
                ),
            )
        for known in all_known_models():
            if self.find(known) == file:
                return known, file
        is_ours = file.parent in self._folders
        identity = file.name if is_ours else str(file)
        return unlisted_model(identity, file.name), file

    def files(self) -> list[Path]:
        """All model files in all folders, each once."""
        return [
            file
            for folder in self._folders
            for file in sorted(folder.glob("*.gguf"))
            # Copies that are not complete yet are hidden.
            if file.is_file() and not file.name.startswith(".")
        ]


def find_reader(paths: Paths, cache_dir: str = "") -> Path | None:
    """The result reader to use: the largest that is installed, since it finds most."""
    # By their heads, since people may give any file any name.
    files = ModelFiles(paths, cache_dir).files()
    readers = [file for file in files if purpose_of(file) is ModelPurpose.READING]
    return max(readers, key=lambda file: file.stat().st_size, default=None)


def purpose_of(file: Path) -> ModelPurpose | None:
    """What the model of a file is for, by its head; None for a file that is not a model."""
    try:
        return read_gguf_header(file).purpose
    except (NotGguf, OSError):
        return None


def find_model(paths: Paths, model_path: str = "", cache_dir: str = "") -> Path | None:
    """The GGUF file to use: the person's own choice, otherwise the best one that is installed.

    A chosen file is returned even when it is not there, so that it can be asked for by name.
    """
    model_files = ModelFiles(paths, cache_dir)
    if is_model_address(model_path):
        model = find_known(model_path)
        return model_files.file_of(model) if model else None
    if model_path:
        return model_files.find_path(model_path)
    files = (model_files.find(model) for model in known_models())
    return next((file for file in files if file), None)
