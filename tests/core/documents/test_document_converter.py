"""What is kept of a conversion, and what the child may not do."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from contextlib import closing
from email.message import EmailMessage
from pathlib import Path

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.documents.document_converter import Converter
from scrubjay.documents.document_errors import ConversionFailed, DocumentRefused
from scrubjay.documents.document_limits import MOST_MEMORY
from scrubjay.documents.document_process import DocumentChild
from support.document_makers import pdf, word


def test_a_document_is_converted_once(tmp_path: Path) -> None:
    first = Converter(tmp_path / "texts")
    data = word("apricot")
    text = first.text_of(data, "a.docx")
    with pytest.raises(DocumentRefused):
        first.text_of(b"nothing", "b.docx")
    first.close()
    second = Converter(tmp_path / "texts")
    assert second.text_of(data, "elsewhere/c.DOCX") == text
    with pytest.raises(DocumentRefused):
        second.text_of(b"nothing", "b.docx")
    assert second.child.process is None


def test_what_is_kept_is_private_and_bounded(tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    made = Converter(folder, most_kept=3_000)
    for number in range(12):
        made.text_of(pdf([os.urandom(300).hex()], title=str(number)), "a.pdf")
    made.close()
    files = list(folder.iterdir())
    assert 0 < sum(file.stat().st_size for file in files) <= 3_000
    if os.name != "nt":
        assert {stat.S_IMODE(file.stat().st_mode) for file in (*files, folder)} == {0o600, 0o700}


def test_a_damaged_copy_is_made_again(tmp_path: Path) -> None:
    made = Converter(tmp_path)
    data = word("apricot")
    text = made.text_of(data, "a.docx")
    for file in tmp_path.iterdir():
        file.write_bytes(b"x")
    assert made.text_of(data, "a.docx") == text
    made.close()


@pytest.mark.parametrize(
    "attack",
    [
        "import socket; socket.socket()",
        "import subprocess; subprocess.run(['true'])",
        "import os; os.system('true')",
        "open('written', 'w').write('x' * 10); import os; os.stat('written').st_size or 1 / 0",
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="limits of size are those of Unix")
def test_the_child_has_no_network_no_programs_and_no_files(attack: str, tmp_path: Path) -> None:
    program = (
        "from scrubjay.documents.request_loop import restrict_process; restrict_process(); "
        f"print('restricted', flush=True); {attack}"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True)
    assert done.stdout.split() == [b"restricted"]
    assert done.returncode


@pytest.mark.parametrize("most_memory", [150 * 2**20, MOST_MEMORY])
def test_a_document_that_needs_too_much_memory_is_refused(most_memory: int) -> None:
    """First by the parent, which watches it on every system; then by the system, if it does."""
    page = b"<p>" + b"acorn " * 25_000_000
    with closing(DocumentChild(60.0, most_memory)) as child:
        child.ask({"ending": ".html"}, b"<p>acorn", CancelToken())
        with pytest.raises(DocumentRefused, match="more memory than Scrubjay allows"):
            child.ask({"ending": ".html"}, page, CancelToken())
        _, text = child.ask({"ending": ".html"}, b"<p>acorn", CancelToken())
    assert text.strip() == b"acorn"


def test_a_document_that_takes_too_long_does_not_take_its_letter_with_it() -> None:
    slow = b"{\\rtf1 " + b"\\'41" * 15_000_000
    message = EmailMessage()
    message["Subject"] = "Oaks"
    message.set_content("See the list.")
    message.add_attachment(slow, maintype="application", subtype="rtf", filename="list.rtf")
    with closing(Converter(most_seconds=8.0)) as made:
        text = made.text_of(message.as_bytes(), "a.eml")
    assert "See the list." in text
    assert "- Attached: list.rtf (could not be read)" in text


_FAILS = """
import json, struct, sys
lengths = struct.unpack("<II", sys.stdin.buffer.read(8))
request = json.loads(sys.stdin.buffer.read(lengths[0]))
with open(sys.argv[1], "a") as asked:
    print(request["seconds"], request.get("withoutAttachments", False), file=asked)
sys.exit(1)
"""


@pytest.mark.skipif(os.name == "nt", reason="the process is started by a script")
@pytest.mark.parametrize(
    ("name", "requests"), [("a.eml", ["60.0 False", "60.0 True"]), ("a.pdf", ["120.0 False"])]
)
def test_a_letter_takes_no_longer_than_another_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, requests: list[str]
) -> None:
    program = tmp_path / "python"
    (tmp_path / "fails.py").write_text(_FAILS)
    program.write_text(f"#!/bin/sh\nexec {sys.executable} {tmp_path}/fails.py {tmp_path}/asked\n")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    with closing(Converter(most_seconds=120.0)) as made, pytest.raises(ConversionFailed):
        made.text_of(b"From: ann@example.org\n\nSee the list.\n", name)
    assert (tmp_path / "asked").read_text().splitlines() == requests


@pytest.mark.skipif(os.name == "nt", reason="the process is started by a script")
def test_a_missing_part_of_the_program_is_no_damage_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "python"
    code = "import sys; sys.modules['pypdfium2'] = None; " + (
        "from scrubjay.documents.document_worker import main; main()"
    )
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{code}"\n')
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    with closing(Converter()) as made, pytest.raises(ConversionFailed, match="crashed"):
        made.text_of(pdf(["apricot"]), "a.pdf")
