"""Speed and memory of reading documents, and their cost for a folder without documents."""

from __future__ import annotations

import io
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import numpy as np
import psutil
from msgspec.structs import replace
from reportlab.pdfgen.canvas import Canvas  # type: ignore[import-untyped]

from bench.synthetic import vocabulary, write_notes
from scrubjay.documents.document_converter import Converter
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.note_records import Workspace

_HEADINGS = {
    ".md": "# {}\n", ".txt": "{}\n", ".org": "* {}\n", ".adoc": "= {}\n",
    ".rst": "{}\n============================\n", ".tex": "\\section{{{}}}\n",
}  # fmt: skip
"""How each kind of text writes a heading."""
_TEXTS, _LINES, _WORDS_A_LINE = 1_000, 34, 12
_LINES_A_PAGE = 45
_PAGES, _MANY_PAGES = 300, 2_000
_WORD_FILES, _SECTIONS = 40, 10
"""Each Word file has ten pages: sections of five paragraphs, and a table of twenty rows."""
_NOTES = 5_440
_ROUNDS, _PASSES, _SHORTEST = 5, 61, 12


def measure(folder: Path) -> dict[str, Any]:
    """All numbers of documents; seconds of processor time are those of the process that reads."""
    writer = Writer()
    return {
        "text kinds": _text_kinds(folder / "kinds", writer),
        "pdf": _pdf(writer),
        "docx": _word(writer),
        "without documents": _without(folder / "plain"),
    }


class Writer:
    """Makes texts of words that occur as often as real words do."""

    def __init__(self) -> None:
        self._rng = np.random.default_rng(7)
        self._words = np.array(vocabulary(self._rng))

    def line(self, words: int = _WORDS_A_LINE) -> str:
        """A sentence."""
        ranks = np.minimum(self._rng.zipf(1.15, words) - 1, len(self._words) - 1)
        return " ".join(self._words[ranks]) + "."

    def pdf(self, pages: int, words: int = _WORDS_A_LINE) -> bytes:
        """A PDF file of pages full of text, with so many words a line."""
        stream = io.BytesIO()
        canvas = Canvas(stream)
        for _ in range(pages):
            lines = canvas.beginText(50, 800)
            for _ in range(_LINES_A_PAGE):
                lines.textLine(self.line(words))
            canvas.drawText(lines)
            canvas.showPage()
        canvas.save()
        return stream.getvalue()

    def word(self) -> bytes:
        """A Word file of ten pages."""
        document = docx.Document()
        for _ in range(_SECTIONS):
            document.add_heading(self.line(5), 2)
            for _ in range(5):
                document.add_paragraph(self.line(90))
            document.add_paragraph(self.line(), style="List Bullet")
        grid = document.add_table(20, 4)
        for row in grid.rows:
            for cell in row.cells:
                cell.text = self.line(3)
        stream = io.BytesIO()
        document.save(stream)
        return stream.getvalue()


def _text_kinds(folder: Path, writer: Writer) -> dict[str, float]:
    """Processor time to index the same texts as each kind, by that of Markdown."""
    texts = [[[writer.line() for _ in range(_LINES)] for _ in range(2)] for _ in range(_TEXTS // 2)]
    for ending, heading in _HEADINGS.items():
        root = folder / ending[1:]
        root.mkdir(parents=True)
        for number, halves in enumerate(texts):
            parts = (f"{heading.format(part[0])}\n" + "\n".join(part) for part in halves)
            (root / f"{number}{ending}").write_text("\n\n".join(parts) + "\n")
    times: dict[str, list[float]] = {ending: [] for ending in _HEADINGS}
    for turn in range(_ROUNDS):
        for ending, own in times.items():
            engine = Engine(Paths.under(folder / f"home-{turn}-{ending[1:]}"))
            try:
                workspace = engine.add_workspace(folder / ending[1:]).result()
                own.append(_pass_s(engine, workspace))
            finally:
                engine.close()
    medians = {ending: statistics.median(own) for ending, own in times.items()}
    size = sum(file.stat().st_size for file in (folder / "md").iterdir())
    ratios = {f"{each} to .md": round(medians[each] / medians[".md"], 2) for each in medians}
    return {"md_mb_per_cpu_s": round(size / 1e6 / medians[".md"], 1), **ratios}


def _pdf(writer: Writer) -> dict[str, float]:
    # The child ends when it is idle for half a minute, so everything is made before.
    first, data, many = (writer.pdf(count) for count in (1, _PAGES, _MANY_PAGES))
    converter = Converter()
    converter.text_of(first, "first.pdf")
    elapsed, worked = _timed(converter, lambda: converter.text_of(data, "some.pdf"))
    before = peak_memory(_child(converter))
    converter.text_of(many, "many.pdf")
    peak = peak_memory(_child(converter))
    converter.close()
    return {
        "pages_per_s": round(_PAGES / elapsed),
        "pages_per_cpu_s": round(_PAGES / worked),
        "mb_at_most_of_300_pages": round(before / 1e6),
        "mb_at_most_of_2000_pages": round(peak / 1e6),
    }


def _word(writer: Writer) -> dict[str, float]:
    converter = Converter()
    files = [writer.word() for _ in range(_WORD_FILES)]
    converter.text_of(files[0], "first.docx")

    def read() -> None:
        for data in files:
            converter.text_of(data, "some.docx")

    elapsed, worked = _timed(converter, read)
    converter.close()
    return {
        "kb_of_one": round(len(files[0]) / 1e3),
        "files_per_s": round(_WORD_FILES / elapsed, 1),
        "files_per_cpu_s": round(_WORD_FILES / worked, 1),
    }


def _without(folder: Path) -> dict[str, float]:
    """Processor time of passes over notes alone, with documents wanted and without, in turn."""
    write_notes(folder / "notes", _NOTES, lines=8)
    engine = Engine(Paths.under(folder / "home"))
    times: dict[bool, list[float]] = {True: [], False: []}
    try:
        workspace = engine.add_workspace(folder / "notes").result()
        _pass_s(engine, workspace)
        # Files changed within the last two seconds are read again by the next pass.
        time.sleep(2.1)
        for turn in range(2 * _PASSES):
            # With, without, without, with, ...: what drifts meets both alike.
            has_documents = turn % 4 in (0, 3)
            changed = replace(workspace, documents=has_documents)
            engine.folders.change(changed).result()
            _pass_s(engine, workspace)
            times[has_documents].append(_pass_s(engine, workspace))
    finally:
        engine.close()
    # Other work can only add to a time, so the shortest ones say most.
    without, with_them = (
        statistics.mean(sorted(times[each])[:_SHORTEST]) for each in (False, True)
    )
    more = 100 * (with_them / without - 1)
    return {"pass_cpu_s": round(without, 4), "more_percent": round(more, 2)}


def _pass_s(engine: Engine, workspace: Workspace) -> float:
    began = time.process_time()
    engine.refresh(workspace, words_only=True).result()
    return time.process_time() - began


def _timed(converter: Converter, read: Callable[[], object]) -> tuple[float, float]:
    """Medians of the time that passes and of the child's processor time."""
    child = psutil.Process(_child(converter))
    elapsed, worked = [], []
    for _ in range(_ROUNDS):
        before, began = child.cpu_times(), time.perf_counter()
        read()
        elapsed.append(time.perf_counter() - began)
        after = child.cpu_times()
        worked.append(after.user + after.system - before.user - before.system)
    return statistics.median(elapsed), statistics.median(worked)


def _child(converter: Converter) -> int:
    assert converter.child.process is not None
    return converter.child.process.pid


def peak_memory(pid: int) -> int:
    """Most bytes of memory that a process had so far; Linux only."""
    status = Path(f"/proc/{pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024
