"""Components of Scrubjay and their licences, from the bundle or the installed packages."""

from __future__ import annotations

import contextlib
import importlib.metadata
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import asdict

from scrubjay.platform.paths import resources

DATA_FILE = "licences.json"
"""Name of the data file among the resources of a bundle."""

_LICENCE_FILE = re.compile(r"(^|/)(licen[cs]e|copying|notice|copyright|authors)[^/]*$", re.I)
_MARKER_EXTRA = re.compile(r"\bextra\s*==")
"""Condition of a requirement that only an optional part of a package has."""
_REQUIREMENT_NAME = re.compile(r"[A-Za-z0-9._-]+")


class Component(Struct, frozen=True):
    """A component that Scrubjay is delivered with."""

    name: str
    version: str
    licence: str
    """Short name of the licence, as SPDX writes it where the authors do."""
    homepage: str
    texts: tuple[str, ...]
    """Licence texts as the authors ship them."""


def list_components(folder: Path | None = None) -> tuple[Component, ...]:
    """All that is in this bundle, or else installed; folder holds the data, else the resources."""
    try:
        data = json.loads(((folder or resources()) / DATA_FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return tuple(package_component(name) for name in sorted(required_packages("scrubjay")))
    # Hundreds of components share a few texts, which are stored once.
    texts = data["texts"]
    return tuple(
        Component(**row | {"texts": tuple(texts[number] for number in row["texts"])})
        for row in data["components"]
    )


def data_file_text(all_components: Iterable[Component]) -> str:
    """The text of the data file; each licence text stands in it once."""
    numbers: dict[str, int] = {}
    rows = [
        asdict(entry) | {"texts": [numbers.setdefault(text, len(numbers)) for text in entry.texts]}
        for entry in all_components
    ]
    return json.dumps({"components": rows, "texts": list(numbers)}, ensure_ascii=False, indent=0)


def package_component(name: str) -> Component:
    """An installed Python package. Raises importlib.metadata.PackageNotFoundError."""
    distribution = importlib.metadata.distribution(name)
    about = distribution.metadata
    return Component(
        name=about["Name"],
        version=distribution.version,
        licence=_licence(about),
        homepage=_homepage(about),
        texts=tuple(dict.fromkeys(_texts(distribution))),
    )


def required_packages(name: str) -> set[str]:
    """Normal names of the installed packages that one needs, directly or through others."""
    # Optional parts are not delivered, so their requirements do not count.
    names: set[str] = set()
    waiting = [name]
    while waiting:
        user = waiting.pop()
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):  # for another platform
            lines = importlib.metadata.distribution(user).requires or ()
            names.add(user)
            found = [
                _REQUIREMENT_NAME.match(line) for line in lines if not _MARKER_EXTRA.search(line)
            ]
            waiting += {normalized_name(match.group()) for match in found if match} - names
    return names - {name}


def normalized_name(name: str) -> str:
    """A package's name in the one spelling that compares (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _licence(about: importlib.metadata.PackageMetadata) -> str:
    """Short name of a licence, from the newest way to state it that a package uses."""
    if "License-Expression" in about:
        return about["License-Expression"]
    classified = [
        value.rpartition(" :: ")[2]
        for value in about.get_all("Classifier") or ()
        if value.startswith("License :: ") and not value.endswith("OSI Approved")
    ]
    if classified:
        return " AND ".join(classified)
    if "License" not in about:
        return ""
    return about["License"].strip().partition("\n")[0][:100]


def _homepage(about: importlib.metadata.PackageMetadata) -> str:
    """Address of a package on the web; empty if it states none."""
    entries = [entry.split(", ", 1) for entry in about.get_all("Project-URL") or ()]
    urls = {name.lower(): address for name, address in entries}
    if "Home-page" in about:
        return about["Home-page"]
    # The most telling of the names that packages use.
    named = (urls.get(key) for key in ("homepage", "repository", "source", "source code"))
    return next(filter(None, (*named, *urls.values())), "")


def _texts(distribution: importlib.metadata.Distribution) -> Iterator[str]:
    """Texts of the files that look like licences."""
    # Newer packages have a folder for them; older ones put them beside their metadata.
    for file in distribution.files or ():
        in_metadata = file.parent.name.endswith(".dist-info")
        if "licenses/" in file.as_posix() or (
            in_metadata and _LICENCE_FILE.search(file.as_posix())
        ):
            licence = Path(str(distribution.locate_file(file)))
            if licence.is_file():
                yield licence.read_text(encoding="utf-8", errors="replace")
