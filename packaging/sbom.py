"""The parts of a bundle in the CycloneDX format: `python packaging/sbom.py [BUNDLE]`."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import sys
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import versions
from scrubjay.platform.licences import DATA_FILE, Component, list_components, normalized_name

ROOT = Path(__file__).resolve().parents[1]


def main(arguments: list[str]) -> int:
    """Print the list for dist/scrubjay or the named bundle."""
    bundle = Path(arguments[0] if arguments else ROOT / "dist/scrubjay")
    data = next(bundle.rglob(DATA_FILE)).parent
    print(json.dumps(bill(list_components(data)), indent=2, ensure_ascii=False))
    return 0


def bill(parts: Iterable[Component]) -> dict[str, Any]:
    """The bill of materials (CycloneDX 1.6, ECMA-424)."""
    entries = [entry(part) for part in parts]
    moment = dt.datetime.fromtimestamp(versions.source_date(), dt.UTC)
    content = hashlib.sha256(json.dumps(entries).encode()).digest()
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        # The same for the same content, so that a build can be compared.
        "serialNumber": f"urn:uuid:{uuid.UUID(bytes=content[:16], version=4)}",
        "version": 1,
        "metadata": {
            "timestamp": moment.isoformat(),
            "component": {
                "type": "application",
                "bom-ref": "scrubjay",
                "name": "scrubjay",
                "version": versions.version(),
                "licenses": [{"license": {"id": "MIT"}}],
            },
        },
        "components": entries,
    }


def entry(part: Component) -> dict[str, Any]:
    """A component of the bill."""
    kind = "machine-learning-model" if "model" in part.name else "library"
    spelled = part.name.replace(" ", "-")
    fields: dict[str, Any] = {
        "type": kind,
        "bom-ref": f"{normalized_name(spelled)}@{part.version or 'unversioned'}",
        "name": part.name,
        # People's spellings of licences are no SPDX identifiers, and a name is always valid.
        "licenses": [{"license": {"name": part.licence}}],
    }
    if part.version:
        fields["version"] = part.version
    if part.homepage:
        fields["externalReferences"] = [{"type": "website", "url": part.homepage}]
    if address := package_url(part):
        fields["purl"] = address
    return fields


def package_url(part: Component) -> str:
    """Address under which scanners know a component; empty for one in no registry."""
    if part.homepage.startswith("https://packages.debian.org/"):
        return f"pkg:deb/debian/{part.name}@{part.version.replace(':', '%3A').replace('+', '%2B')}"
    if " " in part.name or part.name in ("Python", "Qt"):
        return ""
    return f"pkg:pypi/{normalized_name(part.name)}@{part.version}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
