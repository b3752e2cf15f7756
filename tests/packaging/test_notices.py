"""Nothing is delivered without its terms."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import notices
from scrubjay.platform.licences import Component, package_component, required_packages


def test_every_module_of_every_needed_package_has_an_owner() -> None:
    names = sorted({name.replace("-", "_") for name in ("numpy", "apsw", "keyring", "pydantic")})
    found, unknown = notices.distributions([*names, "os", "pyimod01_archive", "scrubjay"])
    assert (found, unknown) == (["apsw", "keyring", "numpy", "pydantic"], [])


def test_modules_of_a_path_file_and_folders_of_libraries_have_an_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As pywin32 is installed on Windows.
    about = tmp_path / "oak_tools-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: oak-tools\nVersion: 1.0\n")
    (about / "top_level.txt").write_text("oakfiles\noak32\\lib\\oakerror\n")
    files = ("oak32/oakapi.pyd", "oak32/lib/oakerror.py", "oak_system32/oak311.dll")
    # Some versions of the library that reads the record leave out files that are not there.
    for file in files:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    (about / "RECORD").write_text("".join(f"{file},,\n" for file in files))
    monkeypatch.syspath_prepend(tmp_path)
    wanted = ["oak32", "oak_system32", "oakerror", "oakfiles", "oakapi"]
    assert notices.distributions(wanted) == (["oak-tools"], ["oakapi"])


def test_a_module_that_no_package_owns_is_named() -> None:
    assert notices.distributions(["numpy", "acorn"]) == (["numpy"], ["acorn"])


def test_every_package_that_is_needed_has_terms_that_can_be_shown() -> None:
    lacking = []
    for name in sorted(required_packages("scrubjay")):
        part = notices.with_text(notices.corrected(package_component(name), name))
        # These two ship no text; what they say about themselves is all there is.
        if not part.licence or (not part.texts and name not in {"sqlite-vec", "lazy-importer"}):
            lacking.append(name)
    assert lacking == []


@pytest.mark.parametrize(
    ("licence", "text"),
    [
        ("LGPL-3.0-only OR GPL-2.0-only", "GNU LESSER GENERAL PUBLIC LICENSE"),
        ("Apache-2.0", "Apache License"),
        ("ICU", "Unicode, Inc."),
        ("blessing", "May you do good and not evil."),
    ],
)
def test_who_ships_no_text_gets_the_standard_one(licence: str, text: str) -> None:
    part = notices.with_text(Component("acorn", "1", licence, "", ()))
    assert any(text in terms for terms in part.texts)


def test_the_rules_for_secrets_come_with_their_terms() -> None:
    part = notices.with_text(notices.secret_rules())
    assert (part.name, part.licence) == ("gitleaks (rules for secrets)", "MIT")
    assert "Copyright (c) 2019 Zachary Rice" in part.texts[0]


def test_the_notice_says_how_to_replace_qt_and_has_each_text_once() -> None:
    shared = Component("acorn", "1", "MIT", "https://example.org", ("the same text",))
    text = notices.notice([shared, Component("beech", "2", "MIT", "", ("the same text",))])
    assert "You may\nreplace them" in text
    assert "GNU Lesser General Public License" in text
    assert "- acorn 1: MIT. https://example.org" in text
    assert text.count("the same text") == 1
    assert "acorn, beech" in text


def test_the_decoder_of_heif_comes_with_its_terms() -> None:
    parts = [notices.with_text(part) for part in notices.PARTS["pi-heif"]]
    assert [part.name for part in parts] == ["libheif", "libde265"]
    assert all("GNU LESSER GENERAL PUBLIC LICENSE" in part.texts[0] for part in parts)


def test_a_library_that_no_package_brought_is_named(tmp_path: Path) -> None:
    (tmp_path / "libacorn.so.1").touch()
    (tmp_path / "libpython3.11.so.1.0").touch()
    (tmp_path / "libQt6Core.so.6").symlink_to("PySide6/Qt/lib/libQt6Core.so.6")
    if not Path("/usr/bin/dpkg-query").exists():
        pytest.skip("not a Debian")
    assert notices.system_libraries(tmp_path) == ([], ["libacorn.so.1"])


def test_each_library_of_a_bundle_for_windows_has_terms(tmp_path: Path) -> None:
    for name in ("python311.dll", "VCRUNTIME140_1.dll", "libssl-3.dll", "libffi-8.dll"):
        (tmp_path / name).touch()
    # Packages whose libraries lie beside others give each name a hash.
    for name in ("libheif-75127e76.dll", "libde265-0-aa0625e0.dll", "libgcc_s_seh-1-70f48b1f.dll"):
        (tmp_path / name).touch()
    compiler = tmp_path / "llama_cpp" / "lib"
    compiler.mkdir(parents=True)
    for name in ("libllama.dll", "libstdc++-6.dll", "libwinpthread-1.dll", "libgomp-1.dll"):
        (compiler / name).touch()
    (tmp_path / "acorn.dll").touch()
    parts, unknown = notices.windows_libraries(tmp_path)
    assert unknown == ["acorn.dll", "libgomp-1.dll"]
    assert sorted(part.name for part in parts) == [
        "GCC runtime libraries", "Microsoft Visual C++ runtime", "OpenSSL", "libffi",
        "winpthreads (of mingw-w64)",
    ]  # fmt: skip
    assert all(part.licence and part.texts for part in parts)


def test_each_library_of_a_bundle_for_macos_has_terms(tmp_path: Path) -> None:
    for name in ("libcrypto.3.dylib", "libssl.3.dylib", "libffi.8.dylib", "libsqlite3.0.dylib"):
        (tmp_path / name).touch()
    # A link leads to a library of a package.
    (tmp_path / "libheif.1.23.0.dylib").symlink_to("pi_heif/.dylibs/libheif.1.23.0.dylib")
    (tmp_path / "libacorn.1.dylib").touch()
    parts, unknown = notices.mac_libraries(tmp_path)
    assert unknown == ["libacorn.1.dylib"]
    assert sorted(part.name for part in parts) == ["OpenSSL", "SQLite (of Python)", "libffi"]
    assert all(part.licence and part.texts for part in parts)


def test_the_framework_of_python_is_python() -> None:
    assert notices.distributions(["Python.framework", "Acorn.framework"]) == (
        [],
        ["Acorn.framework"],
    )


def test_files_of_a_bundle_name_their_packages(tmp_path: Path) -> None:
    for name in ("numpy", "numpy.libs", "PySide6", "attrs-26.1.0.dist-info"):
        (tmp_path / name).mkdir()
    assert notices.folders(tmp_path) == {"numpy", "numpy.libs", "PySide6"}


@pytest.mark.skipif(sys.platform != "linux", reason="these packages have such folders on Linux")
def test_a_folder_of_libraries_may_have_the_name_of_a_package_that_is_no_module() -> None:
    assert notices.distributions(["numpy.libs", "pillow.libs"]) == (["numpy", "pillow"], [])
