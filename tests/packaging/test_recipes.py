"""Recipes for other systems, checked as far as this one can."""

from __future__ import annotations

import ast
import configparser
import hashlib
import json
import os
import plistlib
import re
import shutil
import struct
import subprocess
import xml.etree.ElementTree as ElementTree
import zipfile
from pathlib import Path

import pytest

import checksums
import icons
import linux_desktop
import mac_app
import sbom
import setup
import under_wine
import versions
import windows_packages
import wine_standins
from scrubjay.platform.autostart import run_value
from scrubjay.platform.licences import Component, data_file_text
from scrubjay.platform.paths import PORTABLE_FLAG

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"not installed: {program}")


def test_the_entitlements_loosen_only_what_python_needs() -> None:
    found = plistlib.loads((PACKAGING / "macos/entitlements.plist").read_bytes())
    assert found == {
        "com.apple.security.cs.disable-library-validation": True,
        "com.apple.security.cs.allow-unsigned-executable-memory": True,
    }


def test_the_programs_for_windows_understand_long_paths() -> None:
    manifest = pytest.importorskip("PyInstaller.utils.win32.winmanifest")
    # The recipe has no manifest of its own.
    assert "manifest=" not in (PACKAGING / "scrubjay.spec").read_text()
    assert b"<longPathAware " in manifest.create_application_manifest()


def test_the_mac_app_says_what_it_is() -> None:
    found = plistlib.loads(plistlib.dumps(mac_app.info_plist()))
    assert found["CFBundleIdentifier"] == "org.scrubjay.Scrubjay"
    assert found["CFBundleExecutable"] == "scrubjay-desktop"
    assert found["CFBundleShortVersionString"] == mac_app.bundle_version(versions.version())
    assert found["LSUIElement"] is False
    assert found["LSBackgroundOnly"] is False
    assert found["NSHighResolutionCapable"] is True
    assert "MIT License" in found["NSHumanReadableCopyright"]
    assert set(found["CFBundleLocalizations"]) == {"en", "es"}


@pytest.mark.parametrize(
    ("version", "numbers"), [("1.2", "1.2.0"), ("1.0.0rc1", "1.0.0"), ("1.2.3.dev4", "1.2.3")]
)
def test_a_version_for_macos_is_its_first_three_numbers(version: str, numbers: str) -> None:
    assert mac_app.bundle_version(version) == numbers


@pytest.mark.parametrize("place", ["Desktop", "Documents", "Downloads"])
def test_the_mac_app_says_why_it_reads_a_folder_that_macos_guards(place: str) -> None:
    assert mac_app.info_plist()[f"NS{place}FolderUsageDescription"].startswith("Scrubjay searches")


def test_macos_has_each_of_these_sentences_in_both_languages(tmp_path: Path) -> None:
    files = dict(reversed(entry) for entry in mac_app.write_strings(tmp_path))
    assert set(files) == {"en.lproj", "es.lproj"}
    english, spanish = (
        dict(re.findall(r'^"(\w+)" = "([^"\\\\]+)";$', Path(file).read_text("utf-8"), re.MULTILINE))
        for file in (files["en.lproj"], files["es.lproj"])
    )
    descriptions = {key for key in mac_app.info_plist() if key.endswith("UsageDescription")}
    assert set(english) == set(spanish) == descriptions
    assert not set(english.values()) & set(spanish.values())


@pytest.mark.parametrize("script", ["macos/package.sh"])
def test_scripts_for_the_shell_are_valid(script: str) -> None:
    subprocess.run(["bash", "-n", str(PACKAGING / script)], check=True)


def test_the_windows_version_resource_has_four_numbers() -> None:
    text = versions.windows_resource_text("1.2")
    tree = ast.parse(text, mode="eval")
    numbers = next(
        keyword.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == "filevers"
    )
    assert ast.literal_eval(numbers) == (1, 2, 0, 0)


@pytest.mark.parametrize(
    ("version", "numbers"),
    [
        ("1.2", (1, 2, 0, 0)),
        ("1.0.0rc1", (1, 0, 0, 0)),
        ("1.2.3.dev4", (1, 2, 3, 0)),
        ("2.0.0+local.7", (2, 0, 0, 0)),
        ("0.10.1.2.3", (0, 10, 1, 2)),
    ],
)
def test_a_version_for_windows_is_its_first_four_numbers(
    version: str, numbers: tuple[int, ...]
) -> None:
    assert versions.four_numbers(version) == numbers


def test_the_windows_icon_is_a_directory_of_pictures(qapp) -> None:
    data = icons.ico()
    kind, count = struct.unpack("<HHH", data[:6])[1:]
    assert (kind, count) == (1, len(icons.WINDOWS_SIZES))
    for number, size in enumerate(icons.WINDOWS_SIZES):
        entry = struct.unpack("<BBBBHHII", data[6 + 16 * number : 22 + 16 * number])
        picture = data[entry[7] : entry[7] + entry[6]]
        assert picture.startswith(b"\x89PNG")
        assert struct.unpack(">II", picture[16:24]) == (size, size)
        assert entry[0] == size % 256


def test_the_mac_icon_is_a_list_of_pictures(qapp) -> None:
    data = icons.icns()
    assert data[:4] == b"icns"
    assert struct.unpack(">I", data[4:8])[0] == len(data)
    place, kinds = 8, {}
    while place < len(data):
        kind, size = data[place : place + 4], struct.unpack(">I", data[place + 4 : place + 8])[0]
        kinds[kind] = struct.unpack(">I", data[place + 24 : place + 28])[0]
        place += size
    assert kinds == icons.MAC_KINDS


def test_icons_are_the_same_each_time(qapp) -> None:
    assert icons.drawn(48) == icons.drawn(48)


# -- the installer for Windows ---------------------------------------------------------------

RECIPE = windows_packages.RECIPE.read_text(encoding="utf-8")


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """A folder with the names that a bundle can have."""
    inside = tmp_path / "bundle" / "_internal" / "Qt $5"
    inside.mkdir(parents=True)
    (inside / "ñandú 日本.txt").write_text("ñ", encoding="utf-8")
    (tmp_path / "bundle" / "scrubjay.exe").write_bytes(b"MZ")
    return tmp_path / "bundle"


def test_the_installer_is_for_one_person_and_needs_no_rights() -> None:
    assert "RequestExecutionLevel user" in RECIPE
    assert "HKLM" not in RECIPE
    assert "SetShellVarContext all" not in RECIPE


def test_the_installer_and_the_switch_in_the_app_write_the_same_value() -> None:
    command = run_value.run_command((r"$INSTDIR\scrubjay-desktop.exe", "--background"))
    assert f"!define APP '{command.removesuffix(' --background')}'" in RECIPE
    written = [line for line in RECIPE.splitlines() if "WriteRegStr" in line and "RUN_KEY" in line]
    assert [line.split(None, 3)[3] for line in written] == [
        f"\"{run_value.NAME}\" '${{APP}} --background'"
    ]
    assert f'!define RUN_KEY "{run_value.RUN_KEY}"' in RECIPE
    assert f'!define APPROVED_KEY "{run_value.APPROVED_KEY}"' in RECIPE


def test_nothing_is_ticked_that_starts_by_itself_or_changes_the_computer() -> None:
    sections = re.findall(r'(?m)^Section (/o )?"([^"-][^"]*)"', RECIPE)
    ticked = [name for is_off, name in sections if not is_off]
    assert ticked == ["$(PROGRAM)", "un.$(PROGRAM)", "un.-last"]
    assert len(sections) == 7


def test_the_uninstaller_removes_the_files_of_the_bundle_and_no_others(bundle: Path) -> None:
    assert not re.search(r"(?i)rmdir +/r", RECIPE)
    lines = windows_packages.file_list(bundle).splitlines()
    checks = lines[lines.index("!macro CHECK_FILES") + 1 : lines.index("!macro REMOVE_FILES") - 1]
    assert checks[1::2] == ["Call un.checkFile"] * 2
    removal = lines[lines.index("!macro REMOVE_FILES") + 1 : -1]
    deleted = [line.removeprefix("Delete ") for line in removal if line.startswith("Delete")]
    assert [line.removeprefix("Push ") for line in checks[::2]] == deleted
    assert removal == [
        'Delete "$INSTDIR\\scrubjay.exe"',
        'Delete "$INSTDIR\\_internal\\Qt $$5\\ñandú 日本.txt"',
        'RMDir "$INSTDIR\\_internal\\Qt $$5"',
        'RMDir "$INSTDIR\\_internal"',
    ]


def test_the_installer_has_its_words_in_both_languages() -> None:
    defined = set(re.findall(r"!insertmacro TEXT (\w+)", RECIPE))
    assert defined == set(re.findall(r"\$\((\w+)\)", RECIPE))
    assert re.findall(r'MUI_LANGUAGE "(\w+)"', RECIPE) == ["English", "Spanish"]


def test_the_installer_speaks_to_people_as_the_app_does() -> None:
    texts = re.findall(r'TEXT \w+ (?:\\\n +)?"(.*?)" (?:\\\n +)?"(.*?)"', RECIPE)
    assert len(texts) == RECIPE.count("!insertmacro TEXT ")
    english, spanish = (" ".join(text) for text in zip(*texts, strict=True))
    assert "log in" in english
    assert not re.search(r"(?i)\bsign(ed|ing)?[ -]in\b|\bmodels?\b", english)
    # Formal forms, and words that the app does not use for settings and language helpers.
    assert not re.search(
        r"(?i)\b(usted|cierre|elija|reinicie|inicie|sus? (PATH|notas|agentes|escritorio))\b"
        r"|configuración|modelo",
        spanish,
    )


def test_no_package_of_an_earlier_build_stays(tmp_path: Path) -> None:
    for name in ("Scrubjay-0.9.0-setup.exe", "Scrubjay-0.10.0-windows-portable.zip", "other.zip"):
        (tmp_path / name).touch()
    windows_packages.remove_packages(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["other.zip"]


def test_without_nsis_one_sentence_says_why_there_is_no_package_for_windows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert windows_packages.main([], tmp_path) == 0
    said = capsys.readouterr().out
    assert said == "The packages for Windows were not made. NSIS is not installed.\n"
    # A bundle that somebody names has to become a package.
    assert windows_packages.main([str(tmp_path)], tmp_path) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_recipe_that_fails_ends_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], qapp
) -> None:
    compiler = tmp_path / "makensis"
    compiler.write_text("#!/bin/sh\nexit 1\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    (tmp_path / "bundle").mkdir()
    assert windows_packages.main([str(tmp_path / "bundle")], tmp_path / "dist") == 1
    assert capsys.readouterr().err.startswith("The packages for Windows were not made. ")


def test_without_wine_one_sentence_says_why_there_is_no_package_for_windows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    compiler = tmp_path / "makensis"
    compiler.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert windows_packages.main([], tmp_path / "dist") == 0
    said = capsys.readouterr().out
    assert said == "The packages for Windows were not made. Wine is not installed.\n"


def test_the_installer_looks_whose_start_it_is_before_it_touches_it() -> None:
    section = RECIPE.partition(" AUTOSTART_SECTION\n")[2].partition("SectionEnd")[0]
    assert section.index('$Start == "other"') < section.index("WRITE_START")
    assert "APPROVED_KEY" in section
    for name in ("-last", "un.-last"):
        last = RECIPE.partition(f'Section "{name}"')[2].partition("SectionEnd")[0]
        assert last.index('$Start == "own"') < last.index("REMOVE_START")
    assert RECIPE.count('DeleteRegValue HKCU "${RUN_KEY}"') == 1


def test_the_exit_codes_of_the_installer_are_documented() -> None:
    codes = re.findall(r"(?m)^!define EXIT_\w+ (\d)$", RECIPE)
    text = (ROOT / "docs" / "packaging.md").read_text(encoding="utf-8")
    assert len(codes) == len(set(codes))
    assert all(f"| {code} |" in text for code in [*codes, "2"])


@pytest.mark.parametrize("version", ["1.2", "1.0.0rc1"])
@needs("makensis")
def test_the_installer_can_be_made(bundle: Path, tmp_path: Path, qapp, version: str) -> None:
    setup = windows_packages.installer(
        bundle, tmp_path, number=version, compiler=windows_packages.makensis(), is_fast=True
    )
    assert setup.name == f"Scrubjay-{version}-setup.exe"
    content = setup.read_bytes()
    assert content.startswith(b"MZ")
    # What Windows shows in the properties of the file.
    assert "Scrubjay Setup".encode("utf-16-le") in content


def test_the_portable_archive_is_marked_and_the_same_each_time(
    bundle: Path, tmp_path: Path
) -> None:
    first = windows_packages.portable(bundle, tmp_path)
    content = first.read_bytes()
    with zipfile.ZipFile(first) as archive:
        names = {name.partition("/")[2] for name in archive.namelist()}
    assert names == {
        PORTABLE_FLAG, "README.txt", "scrubjay.exe", "_internal/Qt $5/ñandú 日本.txt",
    }  # fmt: skip
    assert windows_packages.portable(bundle, tmp_path).read_bytes() == content


def test_a_bundle_made_under_wine_is_the_one_for_windows(tmp_path: Path) -> None:
    library = tmp_path / "numpy" / "_core" / "umath.pyd"
    library.parent.mkdir(parents=True)
    library.write_bytes(b"MZ " + wine_standins.OWN_MATH + b" rest")
    (tmp_path / "PySide6").mkdir()
    for name in under_wine.RUNTIME:
        (tmp_path / "PySide6" / name).write_bytes(b"MZ")
    for name, folder in under_wine.LIBRARIES.items():
        (tmp_path / folder / name).touch()
    under_wine.remove_stand_ins(tmp_path)
    assert library.read_bytes() == b"MZ " + wine_standins.MATH + b" rest"
    files = {file.relative_to(tmp_path).as_posix() for file in tmp_path.rglob("*.*")}
    qt = {f"PySide6/{name}" for name in under_wine.RUNTIME}
    assert files == {"numpy/_core/umath.pyd", *under_wine.RUNTIME, *qt}


# -- Linux -----------------------------------------------------------------------------------


@needs("desktop-file-validate")
def test_the_desktop_entry_is_valid() -> None:
    file = ROOT / "resources/org.scrubjay.Scrubjay.desktop"
    done = subprocess.run(["desktop-file-validate", file], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


@needs("desktop-file-validate")
def test_the_bus_starts_what_the_installed_entry_says(tmp_path: Path, qapp) -> None:
    linux_desktop.share(tmp_path)
    linux_desktop.activatable(tmp_path, "/usr/bin/scrubjay-desktop")
    entry = tmp_path / "applications/org.scrubjay.Scrubjay.desktop"
    done = subprocess.run(["desktop-file-validate", entry], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")
    service, desktop = configparser.ConfigParser(), configparser.ConfigParser(interpolation=None)
    service.read(tmp_path / "dbus-1/services/org.scrubjay.Scrubjay.service")
    desktop.read(entry, encoding="utf-8")
    assert service["D-BUS Service"]["Name"] == entry.stem
    assert service["D-BUS Service"]["Exec"] == "/usr/bin/scrubjay-desktop --background"
    assert desktop["Desktop Entry"]["DBusActivatable"] == "true"


@needs("appstreamcli")
def test_the_metainfo_is_valid(tmp_path: Path) -> None:
    file = tmp_path / "org.scrubjay.Scrubjay.metainfo.xml"
    file.write_text(linux_desktop.metainfo(), encoding="utf-8")
    command = ["appstreamcli", "validate", "--no-net", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_metainfo_and_the_entry_speak_of_the_same() -> None:
    entry = configparser.ConfigParser(interpolation=None, strict=False)
    entry.optionxform = str  # type: ignore[assignment]
    entry.read(ROOT / "resources/org.scrubjay.Scrubjay.desktop", encoding="utf-8")
    info = ElementTree.fromstring(linux_desktop.metainfo())
    assert info.findtext("launchable") == "org.scrubjay.Scrubjay.desktop"
    assert info.findtext("name") == entry["Desktop Entry"]["Name"]
    [release] = info.iter("release")
    assert release.get("version") == versions.version()


def test_the_manual_lists_every_command() -> None:
    text = linux_desktop.manual_pages()["scrubjay"]
    for name in ("search", "workspace add", "models", "doctor", "update\\-check"):
        assert f".B scrubjay {name}" in text


def test_roff_does_not_take_a_text_for_an_order() -> None:
    assert linux_desktop.escaped(".TH it-s\n'x \\") == "\\&.TH it\\-s\n\\&'x \\\\"


# -- what goes with a release ----------------------------------------------------------------

PARTS = (
    Component("numpy", "2.0", "BSD-3-Clause", "https://numpy.org", ("text",)),
    Component("libffi8", "3.4.4-1+b1", "see its text", "https://packages.debian.org/libffi8", ()),
    Component("Qt", "6.11", "LGPL-3.0-only", "https://www.qt.io", ()),
)


def test_the_list_of_parts_has_what_the_format_wants() -> None:
    found = sbom.bill(PARTS)
    assert (found["bomFormat"], found["specVersion"], found["version"]) == ("CycloneDX", "1.6", 1)
    assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", found["serialNumber"])
    references = [part["bom-ref"] for part in found["components"]]
    assert len(references) == len(set(references)) == 3
    addresses = [part.get("purl") for part in found["components"]]
    assert addresses == ["pkg:pypi/numpy@2.0", "pkg:deb/debian/libffi8@3.4.4-1%2Bb1", None]
    assert sbom.bill(PARTS) == found


def test_every_package_goes_with_its_digest_and_its_parts(tmp_path: Path) -> None:
    (tmp_path / "scrubjay").mkdir()
    (tmp_path / "scrubjay/licences.json").write_text(data_file_text(PARTS), encoding="utf-8")
    (tmp_path / "scrubjay_1_amd64.deb").write_bytes(b"deb")
    (tmp_path / "notes.txt").write_bytes(b"not a package")
    assert checksums.main([str(tmp_path)]) == 0
    names = {file.name for file in (tmp_path / "packages").iterdir()}
    deb = "scrubjay_1_amd64.deb"
    assert names == {deb, f"{deb}.sha256", f"{deb}.cdx.json"}
    digest = (tmp_path / f"packages/{deb}.sha256").read_bytes()
    assert digest == f"{hashlib.sha256(b'deb').hexdigest()}  {deb}\n".encode()
    bill = json.loads((tmp_path / f"packages/{deb}.cdx.json").read_text(encoding="utf-8"))
    assert len(bill["components"]) == 3


def test_packages_for_windows_list_the_parts_of_their_own_bundle(tmp_path: Path) -> None:
    for folder, parts in (("scrubjay", PARTS), ("windows/scrubjay", PARTS[:1])):
        (tmp_path / folder).mkdir(parents=True)
        data = tmp_path / folder / "licences.json"
        data.write_text(data_file_text(parts), encoding="utf-8")
    packages = ("Scrubjay-1-setup.exe", "Scrubjay-1-windows-portable.zip", "scrubjay_1_amd64.deb")
    for name in packages:
        (tmp_path / name).touch()
    assert checksums.main([str(tmp_path)]) == 0
    bills = [tmp_path / "packages" / f"{name}.cdx.json" for name in packages]
    counts = [len(json.loads(bill.read_text(encoding="utf-8"))["components"]) for bill in bills]
    assert counts == [1, 1, 3]


WORKFLOW = ROOT / ".github/workflows/packages.yml"


def test_the_workflow_names_each_action_by_its_commit() -> None:
    used = re.findall(r"uses: (\S+)@(\S+)(.*)", WORKFLOW.read_text(encoding="utf-8"))
    assert len(used) == 12
    for action, commit, version in used:
        assert re.fullmatch("[0-9a-f]{40}", commit), action
        assert re.fullmatch(r" # v\d+\.\d+\.\d+", version), action


def test_only_the_job_that_publishes_the_wheel_can_prove_who_it_is() -> None:
    yaml = pytest.importorskip("yaml")
    workflow = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))
    rights = {name: job.get("permissions") for name, job in workflow["jobs"].items()}
    assert workflow["permissions"] == {"contents": "read"}
    assert rights.pop("publish") == {"id-token": "write"}
    assert rights == {
        "linux": None, "macos": None, "windows": None, "release": {"contents": "write"},
    }  # fmt: skip
    publish = workflow["jobs"]["publish"]
    assert "refs/tags/v" in publish["if"]
    assert "vars.PUBLISH_WHEEL == 'true'" in publish["if"]
    assert publish["environment"]
    assert publish["needs"] == ["linux", "release"]
    # What it publishes was built by another job, whose name it takes it by.
    assert [
        step["with"]["name"] for step in publish["steps"] if "name" in step.get("with", {})
    ] == ["python"]
    assert "name: python\n" in WORKFLOW.read_text(encoding="utf-8")


def test_the_version_of_uv_is_named_once() -> None:
    workflow = WORKFLOW.read_text(encoding="utf-8")
    assert re.findall(r"uv *[=<>~]+ *[0-9]", workflow) == []
    assert "print(setup.UV)" in workflow
    assert "needs.linux.outputs.uv" in workflow
    assert re.fullmatch(r"uv==[0-9.]+", setup.UV)


def test_git_is_there_before_the_check_out_in_a_container() -> None:
    yaml = pytest.importorskip("yaml")
    jobs = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]
    for job in jobs.values():
        if "container" in job:
            steps = [str(step) for step in job["steps"]]
            first = next(at for at, step in enumerate(steps) if "actions/checkout" in step)
            assert any(" git " in step for step in steps[:first])


def test_the_workflow_builds_tries_and_attaches_all_three() -> None:
    yaml = pytest.importorskip("yaml")
    text = WORKFLOW.read_text(encoding="utf-8")
    jobs = yaml.safe_load(text)["jobs"]
    assert set(jobs) == {"linux", "macos", "windows", "release", "publish"}
    assert set(jobs["release"]["needs"]) == {"linux", "macos", "windows"}
    for name in ("linux", "macos", "windows"):
        steps = jobs[name]["steps"]
        assert any("smoke" in str(step) or "package-test" in str(step) for step in steps), name
        assert any("upload-artifact" in str(step.get("uses")) for step in steps), name
    oldest = jobs["macos"]["env"]["MACOSX_DEPLOYMENT_TARGET"]
    assert oldest == mac_app.info_plist()["LSMinimumSystemVersion"]
    assert "needs.linux.outputs.updates" in str(jobs["release"])
    assert "resources/updates.json" in str(jobs["linux"])
    scripts = set(re.findall(r"packaging[/\\](\w+[/\\]?\w*\.(?:py|sh))", text))
    assert all((PACKAGING / script.replace("\\", "/")).exists() for script in scripts)
