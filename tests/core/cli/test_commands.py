"""What people type, and what they read."""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import re
import sys
import zipfile
from pathlib import Path

import apsw
import pytest
from filelock import FileLock

from scrubjay.cli.answer_lines import answer_lines
from scrubjay.cli.arguments import help_summary
from scrubjay.cli.command_list import app
from scrubjay.cli.reply import Reply, print_reply
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.audience import PERSON
from scrubjay.records.note_records import Source
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import Hit, SearchAnswer, SearchRequest, Snippet
from scrubjay.text.printable import printable_label
from support.exports import chatgpt, claude
from support.files_in_use import InUse
from support.providers import WordProvider
from support.reader_models import install_reader
from support.vault import TIMEOUT, tree_digest, write_notes


@pytest.fixture
def added(cli, notes: Path) -> Path:
    """The folder `notes`, on the list."""
    assert cli("workspace", "add", notes).code == 0
    return notes


def test_from_nothing_to_an_answer(cli, notes: Path) -> None:
    before = tree_digest(notes)
    assert f"Added notes ({notes})." in cli("workspace", "add", notes).out
    assert cli("workspace", "list").out == f"notes\t{notes}\n"
    assert "notes: 3 notes, 3 read, 0 removed" in cli("index").out
    answer = cli("search", "router password")
    assert answer.code == 0
    assert "1. house/router.md:3  Router  changed " in answer.out
    assert "Searched 3 notes, by words only" in answer.out
    assert "notes" in cli("status").out
    gone = cli("workspace", "remove", "notes")
    assert f"The notes in {notes} are unchanged." in gone.out
    assert "There are no folders yet" in cli("workspace", "list").out
    assert tree_digest(notes) == before


def test_an_index_that_another_program_has_open_is_deleted_at_the_next_start(
    cli, added: Path, home: Path, in_use: InUse
) -> None:
    cli("index")
    [index] = home.rglob("notes.sqlite")
    with in_use(index):
        gone = cli("workspace", "remove", "notes")
        assert (gone.code, "Removed notes" in gone.out) == (0, True)
        assert "The search index of notes still exists" in gone.err
        assert "Another program is using the file" in gone.err
        assert index.exists()
    assert "There are no folders yet" in cli("workspace", "list").out
    assert list(index.parent.glob("notes.sqlite*")) == []


def test_a_folder_that_is_added_again_waits_for_its_former_index(
    cli, added: Path, home: Path, in_use: InUse
) -> None:
    cli("index")
    [index] = home.rglob("notes.sqlite")
    with in_use(index):
        cli("workspace", "remove", "notes")
        cli("workspace", "add", added)
        refused = cli("index")
        assert refused.code == 1
        assert "The former search index of this folder cannot be deleted yet" in refused.err
        assert "Traceback" not in refused.err
    assert cli("index").code == 0
    assert "house/router.md" in cli("search", "router").out


def test_a_hit_names_its_folder_its_day_and_its_other_passages(
    cli, added: Path, tmp_path: Path
) -> None:
    parts = (f"## Part {n}\n\nThe zebra crossing, {n}." + "\nIt rained." * 90 for n in range(9))
    lines = "\n\n".join(parts)
    write_notes(tmp_path / "Zoo", {"2026-02-03 zebra.md": f"# Zebra\n\n{lines}\n"})
    cli("workspace", "add", str(tmp_path / "Zoo"))
    answer = cli("search", "zebra").out
    assert "1. Zoo: 2026-02-03 zebra.md:" in answer
    assert "  Zebra" in answer
    assert "Zebra > Zebra" not in answer
    assert "2026-02-03\n" in answer
    assert "more passages in this note" in answer
    assert "by words," in cli("search", "zebra", "--mode", "lexical").out


MAIL = """From: {sender}
To: mo@example.org
Date: Mon, 23 Nov 2026 08:15:00 +0100
Subject: {subject}

{body}
"""


@pytest.mark.parametrize(
    ("sender", "shown"),
    [
        ('"Ana Perez" <ana@example.org>', "Ana Perez"),
        ("Ana Perez <ana@example.org>", "Ana Perez"),
        ("ana@example.org", "ana@example.org"),
        ("<ana@example.org>", "ana@example.org"),
    ],
)
def test_a_mail_is_its_subject_its_sender_and_its_first_line(
    cli, notes: Path, sender: str, shown: str
) -> None:
    mail = MAIL.format(sender=sender, subject="Trip money", body="The bus costs eleven euros.")
    box = f"From ana Mon Nov 23 08:15:00 2026\n{mail}"
    write_notes(notes, {"trip.eml": mail, "old.mbox": box})
    cli("workspace", "add", notes)
    answer = cli("search", "bus eleven euros").out.splitlines()
    assert [line for line in answer if line.startswith("- ") or "To: " in line] == []
    for name in ("trip.eml", "old.mbox"):
        at = next(number for number, line in enumerate(answer) if f" {name}:" in line)
        assert "Trip money" in answer[at]
        assert answer[at + 1 : at + 3] == [shown, "The bus costs eleven euros."]


def test_a_search_needs_no_indexing_before(cli, added: Path) -> None:
    assert "house/router.md:" in cli("search", "router").out
    write_notes(added, {"zoo.md": "A zebra.\n"})
    assert "zoo.md:1" in cli("search", "zebra").out


def test_names_and_folders_both_name_a_workspace(cli, notes: Path) -> None:
    cli("workspace", "add", notes, "--name", "My notes")
    for named in ("My notes", notes, f"{notes}/"):
        assert "house/router.md" in cli("search", "router", "--workspace", named).out


def test_the_answer_as_json(cli, added: Path) -> None:
    reply = cli("search", "router password", "--json").json
    assert "first time" in reply.pop("waitedFor")
    [hit] = reply["results"]
    score = hit.pop("score")
    assert 0 < score <= 1
    assert 0 < hit.pop("textScore") < 1
    assert hit == {
        "path": "house/router.md",
        "startLine": 1,
        "endLine": 3,
        "snippet": "# Router\n\nThe password of the router is on the fridge.",
        "source": "notes",
        "citation": "house/router.md#L1-L3",
        "workspace": "notes",
        "date": dt.date.today().isoformat(),
        "age": "today",
    }
    assert set(reply) == {
        "results",
        "provider",
        "model",
        "fallback",
        "citations",
        "mode",
        "freshness",
    }
    assert (reply["mode"], reply["citations"]) == ("lexical", "off")
    assert reply["fallback"]["from"] == "hybrid"
    assert "turned off" in reply["fallback"]["reason"]
    assert reply["freshness"]["documents"] == 3


def test_json_has_what_is_printed_unless_it_is_for_an_agent(cli, added: Path) -> None:
    body = "\n\n".join(f"## Part {n}\n\nzebras {'graze ' * 300}" for n in range(4))
    write_notes(added, {"long.md": body, "short.md": "A zebra fence."})
    printed = re.findall(r"^\d+\. .*?(\w+\.md)", cli("search", "zebr").out, re.MULTILINE)
    rows = [hit["path"] for hit in cli("search", "zebr", "--json").json["results"]]
    assert sorted(rows) == sorted(set(rows))
    assert rows == printed
    assert cli("search", "zebr", "--json", "--for", "agent").json["results"] == []
    rows = [
        hit["path"] for hit in cli("search", "zebras", "--json", "--for", "agent").json["results"]
    ]
    assert len(rows) > len(set(rows))


def test_citations_name_the_source_in_each_snippet(cli, home: Path, added: Path) -> None:
    file = home / "config.json5"
    file.write_text(file.read_text().replace('"none"', '"none", citations: "on"'))
    [hit] = cli("search", "router", "--json").json["results"]
    assert hit["snippet"].endswith("\n\nSource: house/router.md#L1-L3")


def test_explain_says_why(cli, added: Path) -> None:
    assert "Why: router in text/heading/path" in cli("search", "router", "--explain").out
    [hit] = cli("search", "router", "--explain", "--json").json["results"]
    assert hit["explanation"]["matched"] == {"router": ["text", "heading", "path"]}


@pytest.mark.parametrize("query", ["", "   ", "xylophone", '"', "-", "***", "\N{SNOWMAN}", "\x01"])
def test_a_query_without_an_answer(cli, added: Path, query: str) -> None:
    answer = cli("search", "--", query)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("Nothing relevant found.")
    assert cli("search", "--json", "--", query).json["results"] == []


def test_a_question_needs_no_quotation_marks(cli, added: Path) -> None:
    asked = cli("search", "the", "router", "password", "--json", "--max-results", "1").json
    assert asked["results"] == cli("search", "the router password", "--json").json["results"][:1]
    assert asked["results"]
    message = cli("context", "what", "is", "the", "router", "password").out
    assert message == cli("context", "what is the router password").out
    assert "router.md" in message


def test_hits_come_in_the_order_of_their_days(cli, added: Path) -> None:
    days = [f"2026-03-{day:02}" for day in range(1, 29)]
    write_notes(added, {f"{day}.md": "The zebra was seen." for day in days})
    for order, first in (("newest", days[::-1]), ("oldest", days)):
        found = cli("search", "zebra", "--order", order, "--max-results", "4").out
        assert [line[3:13] for line in found.splitlines() if ".md:" in line] == first[:4]


def test_the_nearest_notes_stand_below_a_sentence_where_none_is_sure(cli, added: Path) -> None:
    answer = cli("search", "the violn")
    lines = answer.out.splitlines()
    assert lines[0] == "Possible results (nothing certain found)"
    assert lines[1].startswith("1. people/emma.md")


def test_a_query_that_is_no_text(shell, added: Path) -> None:
    answer = shell("search", b"router password \xe9")
    assert (answer.code, answer.err) == (0, "")
    assert "house/router.md" in answer.out


def test_results_are_limited(cli, notes: Path) -> None:
    write_notes(notes, {f"{n}.md": f"Zebra number {n}.\n" for n in range(9)})
    cli("workspace", "add", notes)
    assert len(cli("search", "zebra", "--json").json["results"]) == 6
    assert len(cli("search", "zebra", "--json", "--max-results", "2").json["results"]) == 2


def test_notes_do_nothing_to_the_terminal(cli, notes: Path) -> None:
    write_notes(notes, {"a.md": "apricot \x1b[2J\x1b]0;PWNED\x07 \u202ejam\n"})
    cli("workspace", "add", notes)
    message = "where did I write about the apricot"
    for command in (("search", "apricot"), ("context", message), ("get", "a.md")):
        shown = cli(*command).out
        assert "apricot" in shown
        assert not {"\x1b", "\x07", "\u202e"} & {*shown}
    assert "\\u001b" not in cli("search", "apricot", "--json").out


def test_a_page_of_a_note(cli, added: Path) -> None:
    assert cli("get", "garden.md", "--from", "3", "--lines", "1").out == (
        "The tomatoes need water every second day.\n"
    )
    reply = cli("get", "garden.md", "--lines", "2", "--json").json
    assert reply == {
        "path": "garden.md",
        "text": "# Garden\n",
        "from": 1,
        "lines": 2,
        "truncated": True,
        "nextFrom": 3,
    }


def test_a_missing_note_is_an_empty_page(cli, added: Path) -> None:
    assert cli("get", "nothing.md", "--json").json == {
        "path": "nothing.md",
        "text": "",
        "from": 1,
        "lines": 0,
        "missing": True,
    }


@pytest.mark.parametrize(
    "path", ["nothing.md", "日記.md", "مذكرة.md", "Ñandú 😀.md", "no\nline.md"]
)
def test_a_missing_note_is_told(cli, added: Path, path: str) -> None:
    ran = cli("get", path)
    sentence = f"There is no note at {printable_label(path)} in the workspace notes."
    assert (ran.code, ran.out, ran.err) == (1, "", f"scrubjay: {sentence}\n")


def test_an_empty_note_is_not_missing(cli, added: Path) -> None:
    write_notes(added, {"empty.md": ""})
    ran = cli("get", "empty.md")
    assert (ran.code, ran.out, ran.err) == (0, "\n", "")


def test_the_status_as_json(cli, added: Path) -> None:
    write_notes(added, {"bad.md": b"\xff\xfe\xfd"})
    cli("index")
    reply = cli("status", "--json").json
    [workspace] = reply["workspaces"]
    assert (workspace["state"], workspace["documents"], workspace["chunks"]) == ("ready", 3, 3)
    assert [entry["path"] for entry in workspace["skipped"]] == ["bad.md"]
    assert reply["settings"] == {"problems": [], "unknown": [], "notUsedHere": []}


def test_the_status_tells_sources_vectors_and_batches(cli, added: Path, home: Path) -> None:
    block = "{memorySearch: {provider: 'none', extraPaths: ['more.md'], cache: {maxEntries: 9}}"
    text = (home / "config.json5").read_text()
    write_notes(home, {"config.json5": block + "," + text[text.index("workspaces") :]})
    write_notes(added, {"sub/2026-02-01.md": "Day.\n"})
    reply = cli("status", "--index", "--json").json
    [workspace] = reply["workspaces"]
    assert workspace["sources"] == {"notes": {"documents": 4, "chunks": 4}}
    assert Path(workspace["indexFile"]).is_file()
    assert workspace["extraPaths"] == ["more.md"]
    assert workspace["vector"] == {"extension": True, "dimensions": None, "madeBy": None}
    assert workspace["cache"] == {"enabled": True, "maxEntries": 9, "entries": 0}
    assert (workspace["batch"]["enabled"], workspace["batch"]["underWay"]) == (False, 0)
    assert (reply["model"]["provider"], reply["model"]["ready"]) == ("none", False)
    shown = cli("status", "--verbose").out
    assert workspace["indexFile"] in shown
    assert "cache: enabled yes, maxEntries 9, entries 0" in shown
    assert "{" not in shown
    assert "turned off" in shown
    assert "--deep" not in shown
    assert workspace["indexFile"] not in cli("status").out


@pytest.mark.parametrize(
    "words",
    [
        "memory search router --json",
        "memory search --query router --json",
        "memory search --query=router --agent=notes --json",
        "search --agent notes router --json",
        "search --query router --json",
    ],
)
def test_searches_are_taken_as_openclaw_spells_them(cli, added: Path, words: str) -> None:
    assert cli(*words.split()).json["results"][0]["workspace"] == "notes"


def test_the_status_of_one_folder_is_told_as_openclaw_asks_for_it(
    cli, added: Path, tmp_path: Path
) -> None:
    cli("workspace", "add", str(write_notes(tmp_path / "other", {"a.md": "A gannet.\n"})))
    assert "notes: 3 notes" in cli("memory", "index", "--agent", "notes").out
    for words in ("memory status --agent other", "status --workspace other"):
        [status] = cli(*words.split(), "--json").json["workspaces"]
        assert status["id"] == "other"
    assert cli("status", "--agent", "nobody").code == 1
    assert "There is no command memory" in cli("memory", "promote").err


def test_the_status_does_not_deny_what_a_helper_has_learned(cli, added: Path, paths: Paths) -> None:
    with contextlib.closing(Engine(paths, provider=WordProvider())) as engine:
        engine.refresh().result(TIMEOUT)
    file = paths.config_file
    file.write_text(file.read_text().replace('provider: "none"', 'provider: "auto"'))
    shown = cli("status").out
    assert "100% found by meaning" in shown
    assert "Meaning: auto. The language helper starts when it is needed.\n" in shown


def test_the_status_lists_what_is_wrong_in_the_settings(cli, home: Path) -> None:
    write_notes(home, {"config.json5": "{memorySearch: {query: {maxResults: 'many'}}, odd: 1}"})
    ran = cli("status")
    assert ran.code == 0
    assert "memorySearch.query.maxResults" in ran.err
    assert "odd" in ran.err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["search", "x"], "no notes to search yet"),
        (["index"], "no notes to search yet"),
        (["search", "x", "--workspace", "/nowhere"], "scrubjay workspace add /nowhere"),
        (["index", "--workspace", "nobody"], "nobody has not been added to Scrubjay"),
        (["workspace", "add", "/nowhere"], "The folder does not exist"),
        (["workspace", "add", "~nobody-at-all/notes"], "The folder does not exist"),
        (["workspace", "add", "/" + "x" * 5000], "The folder does not exist"),
        (["search", "x", "--workspace", "~nobody-at-all"], "has not been added to Scrubjay"),
        (["search", "x", "--workspace", "x" * 5000], "has not been added to Scrubjay"),
        (["workspace", "remove", "nobody"], "nobody has not been added to Scrubjay"),
        (["eval", "/nowhere.json"], "/nowhere.json cannot be read"),
    ],
)
def test_mistakes_get_one_sentence(cli, arguments: list[str], sentence: str) -> None:
    ran = cli(*arguments)
    assert (ran.code, ran.out) == (1, "")
    assert sentence in ran.err
    assert ran.err.startswith("scrubjay: ")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["search"],
        ["search", "x", "--mode", "clever"],
        ["search", "x", "--max-results", "0"],
        ["search", "x", "--min-score", "2"],
        ["fly"],
    ],
)
def test_wrong_usage_is_explained(cli, arguments: list[str]) -> None:
    ran = cli(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert "Usage: scrubjay" in ran.err


def test_help_lists_the_commands(cli) -> None:
    ran = cli("--help")
    assert ran.code == 0
    for command in ("workspace", "index", "search", "status", "get", "eval"):
        assert command in ran.out


def test_the_list_of_commands_begins_as_the_help_of_each() -> None:
    for name, line in app.lines.items():
        assert help_summary(app.commands[name]).startswith(line.rstrip("."))


def test_a_page_needs_to_know_its_workspace(cli, added: Path, tmp_path: Path) -> None:
    cli("workspace", "add", write_notes(tmp_path / "other", {"garden.md": "Mine.\n"}))
    ran = cli("get", "garden.md")
    assert (ran.code, "Specify a workspace. Available workspaces: notes, other." in ran.err) == (
        1,
        True,
    )
    assert cli("get", "garden.md", "--workspace", "other").out == "Mine.\n"


def test_a_path_outside_is_refused(cli, added: Path) -> None:
    ran = cli("get", "../home/config.json5")
    assert (ran.code, ran.out) == (1, "")
    assert "Scrubjay cannot read" in ran.err


def test_problems_with_notes_are_listed_beside_the_report(cli, added: Path) -> None:
    write_notes(added, {"bad\nname.md": b"\xff\x01"})
    ran = cli("index")
    assert ran.code == 0
    assert ran.err.startswith(
        "Excluded bad?name.md: The file is not text, or was saved by an old program"
    )


def test_one_workspace_that_fails_does_not_stop_the_others(
    cli, paths: Paths, added: Path, tmp_path: Path
) -> None:
    cli("workspace", "add", write_notes(tmp_path / "other", {"zoo.md": "Zebra.\n"}))
    paths.indexes.mkdir(parents=True)
    with FileLock(paths.indexes / "notes.sqlite.lock"):
        ran = cli("index")
        assert (ran.code, "other: 1 note, 1 read" in ran.out) == (1, True)
        assert "Another copy of Scrubjay is reading" in ran.err
        assert "zoo.md" in cli("search", "zebra").out


def test_pictures_are_not_promised_where_they_cannot_be_read(
    cli, added: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    ran = cli("workspace", "pictures", added.name)
    assert ran.code == 0
    assert "cannot read pictures" in ran.err
    assert "will be read" not in ran.out


def test_scans_are_named_where_documents_are_read(cli, added: Path) -> None:
    cli("workspace", "documents", added.name, "--off")
    assert "scanned" not in cli("workspace", "pictures", added.name).out
    cli("workspace", "documents", added.name)
    assert "scanned" in cli("workspace", "pictures", added.name).out


def test_a_foreign_file_in_place_of_the_index_is_no_obstacle(
    cli, paths: Paths, added: Path
) -> None:
    write_notes(paths.indexes, {"notes.sqlite": b"Something else. " * 400})
    ran = cli("search", "router")
    assert (ran.code, "house/router.md:" in ran.out) == (0, True)
    assert "damaged" in ran.err
    assert cli("status").code == 0


def test_questions_are_evaluated(cli, notes: Path, tmp_path: Path) -> None:
    questions = [
        {
            "id": "1",
            "query": "router password",
            "category": "fact",
            "relevant": [{"path": "house/router.md", "line": 3}],
        },
        {
            "id": "2",
            "query": "xylophone",
            "category": "missing",
            "relevant": [{"path": "garden.md", "line": 1}],
        },
        {"id": "3", "query": "nothing", "category": "none", "relevant": []},
    ]
    qrels = tmp_path / "qrels.json"
    qrels.write_text(json.dumps({"workspace": "notes", "queries": questions}))
    reply = cli("eval", qrels, "--json").json
    assert set(reply["metrics"]) == {
        "queries",
        *(f"{name}@{cut}" for name in ("hit", "recall") for cut in (1, 5, 10)),
        "mrr@10",
        *(f"recall@{budget}t" for budget in (1000, 2000, 4000)),
        "answered",
        "ms_p50",
        "ms_p95",
    }
    assert (reply["metrics"]["queries"], reply["metrics"]["hit@1"]) == (3, 0.5)
    assert reply["categories"]["fact"]["mrr@10"] == 1.0
    assert reply["categories"]["missing"]["recall@10"] == 0.0
    assert set(reply["categories"]["none"]) == {"queries", "answered", "ms_p50", "ms_p95"}
    assert "fact" in cli("eval", qrels).out


@pytest.mark.parametrize(
    "content", ["", "{", "[]", "{}", '{"workspace": "notes", "queries": [{"id": 1}]}', "\xff"]
)
def test_a_file_that_holds_no_questions_is_named(cli, tmp_path: Path, content: str) -> None:
    file = tmp_path / "qrels.json"
    file.write_bytes(content.encode("latin-1"))
    ran = cli("eval", file)
    assert (ran.code, f"{file} is not a qrels file" in ran.err) == (1, True)


@pytest.mark.model
def test_the_built_in_model_answers_without_any_settings(cli, home: Path, notes: Path) -> None:
    (home / "config.json5").unlink()
    cli("workspace", "add", notes)
    assert "3 passages understood" in cli("index").out
    reply = cli("search", "wifi secret", "--min-score", "0", "--json").json
    assert reply["results"][0]["path"] == "house/router.md"
    assert (reply["provider"], reply["mode"]) == ("local", "hybrid")
    assert "fallback" not in reply


def test_a_pipe_gets_no_progress_bar(shell, added: Path) -> None:
    ran = shell("index")
    assert (ran.code, ran.err.count("\n"), "\x1b" in ran.out + ran.err) == (0, 1, False)
    assert "Search by words only" in ran.err


def test_context_quotes_the_notes_with_their_source(cli, added: Path) -> None:
    ran = cli("context", "What was the password of the router?")
    assert "Source: house/router.md#L1-L3" in ran.out
    reply = cli("context", "What was the password of the router?", "--json").json
    assert reply["results"][0]["path"] == "house/router.md"
    assert "snippet" not in reply["results"][0]


def test_what_the_notes_say_is_not_denied_when_nothing_was_quoted(cli, added: Path) -> None:
    (added / "hi.md").write_text("# Hi\n\nHi, said the router.\n")
    assert cli("context", "hi").out == "Nothing relevant found.\n"


@pytest.mark.parametrize("command", ["search", "context"])
@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ('{memorySearch: {enabled: false}, workspaces: [{path: "/nowhere"}]}', "turned off"),
        ("{}", "no notes to search yet"),
        ("{workspaces: [\n {path: ], }", "line 2"),
    ],
)
def test_programs_are_told_in_json_that_nothing_can_be_searched(
    cli, home: Path, command: str, settings: str, text: str
) -> None:
    (home / "config.json5").write_text(settings)
    ran = cli(command, "where is the router?", "--json")
    assert ran.code == 1
    assert ran.json["results"] == []
    assert ran.json["disabled"] is True
    assert text in ran.json["error"]
    assert ran.json["action"]


def test_an_index_of_a_newer_version_is_told_in_json_too(cli, home: Path, added: Path) -> None:
    cli("search", "router")
    [file] = home.rglob("notes.sqlite")
    db = apsw.Connection(str(file))
    db.execute("pragma user_version = 1000")
    db.close()
    ran = cli("search", "router", "--json")
    assert (ran.code, ran.json["disabled"], ran.json["results"]) == (1, True, [])
    assert ran.json["action"]


def test_a_folder_that_was_moved_is_told_its_place(cli, added: Path, tmp_path: Path) -> None:
    cli("index")
    place = added.rename(tmp_path / "elsewhere")
    assert f"3 of 3 notes of notes are in {place}." in cli("workspace", "move", "notes", place).out
    assert "0 read" in cli("index").out
    other = write_notes(tmp_path / "other", {"zoo.md": "A zebra.\n"})
    refused = cli("workspace", "move", "notes", other)
    assert (refused.code, "only 0 of 3" in refused.err) == (1, True)
    assert cli("workspace", "list").out == f"notes\t{place}\n"


def test_a_time_without_notes_is_named() -> None:
    day = dt.date(2026, 3, 12)
    request = SearchRequest("12 March 2026", audience=PERSON)
    answer = SearchAnswer(request, (), Mode.LEXICAL, "", "", days=(day, day))
    first, *_ = answer_lines(answer, {}, explain=False)
    assert first == ["No notes from 2026-03-12 were found, and no headings with that date."]


def test_a_divider_stands_above_what_lacks_a_word_and_no_score_in_any_row(
    capsys: pytest.CaptureFixture[str],
) -> None:
    request = SearchRequest("router", audience=PERSON)
    hits = [
        Hit(
            "house", f"{name}.md", Path(f"/{name}.md"), Source.NOTES, name, "", 1, 1, 1, 0.87, 0.5,
            0.5, Snippet(name), dt.datetime.now().astimezone(), is_perhaps=name == "near",
        )
        for name in ("clean", "near")
    ]  # fmt: skip
    unread = ("Vault",)
    answer = SearchAnswer(request, tuple(hits), Mode.HYBRID, "local", "small", unread=unread)
    print_reply(Reply([*answer_lines(answer, {}, explain=False)]))
    out = capsys.readouterr().out
    assert out.index("clean.md") < out.index("Other possible results") < out.index("near.md")
    assert "0.87" not in out
    assert "Vault is still being read." in out


def test_a_search_of_known_notes_waited_for_nothing(cli, added: Path) -> None:
    cli("index")
    assert "waitedFor" not in cli("search", "tomatoes", "--json").json


def test_every_command_tells_the_same_of_a_folder_that_is_not_there(cli, added: Path) -> None:
    assert "passages understood" in cli("index").out
    away = f"The folder {added} does not exist."
    added.rename(added.with_name("elsewhere"))
    for _ in ("before", "after a pass"):
        shown = cli("status")
        assert (
            f"{away} You can still search notes that Scrubjay has already read.\n  3 notes in "
            in shown.out
        )
        assert (re.search(r"\bready\b", shown.out), shown.err) == (None, "")
        [told] = cli("status", "--json").json["workspaces"]
        assert (told["state"], told["skipped"][0]["reason"]) == ("error", away)
        assert away in cli("search", "router").out
        ran = cli("index")
        assert (
            ran.out == f"notes: {away} You can still search notes that Scrubjay has already read.\n"
        )
        assert "Excluded" not in ran.err
    added.with_name("elsewhere").rename(added)
    shown = cli("status")
    assert "  ready; 3 notes in " in shown.out
    assert "not there" not in shown.out + shown.err


def test_a_folder_on_the_list_was_left_out_by_no_person(cli, tmp_path: Path) -> None:
    family = write_notes(tmp_path / "All/Family", {"sea.md": "The sea.\n"})
    write_notes(tmp_path / "All", {"Old/attic.md": "The attic.\n", "zoo.md": "A zebra.\n"})
    cli("workspace", "add", family)
    cli("workspace", "add", tmp_path / "All")
    for name in ("Family", "Kin"):
        if name == "Kin":
            family.rename(family.with_name(name))
            assert "Excluded" not in cli("index").err
            cli("workspace", "move", "Family", family.with_name(name))
        for command in ("index", "status"):
            assert "Excluded" not in cli(command).err


@pytest.mark.parametrize("make", [chatgpt, claude])
def test_conversations_are_imported_without_their_archive(cli, make, tmp_path: Path) -> None:
    with zipfile.ZipFile(make(tmp_path)) as archive:
        archive.extract("conversations.json", tmp_path)
    ran = cli("import", tmp_path / "conversations.json", "--into", tmp_path / "new")
    assert (ran.code, len([*(tmp_path / "new").glob("*.md")])) == (0, 2)


@pytest.mark.parametrize(("text", "sentence"), [
    ("[1]", "is not an export that Scrubjay can read"),
    ('{"shopping": []}', "is not a settings file that Scrubjay knows"),
])  # fmt: skip
def test_json_of_another_program_is_not_called_damaged(cli, text, sentence, tmp_path: Path) -> None:
    file = tmp_path / "conversations.json"
    file.write_text(text)
    ran = cli("import", file)
    assert ran.code == 1
    assert sentence in ran.err


@pytest.fixture
def installed_reader(paths: Paths) -> str:
    """The name of a result reader that is installed."""
    return install_reader(paths).stem


def test_a_result_reader_reads_the_first_results_when_it_is_asked_for(
    cli, added: Path, installed_reader: str
) -> None:
    cli("index")
    question = "where can I find what opens the router"
    assert "read again" not in cli("search", question, "--explain").out.casefold()
    said = cli("search", question, "--reader", "--explain").out
    assert f"the first results read again by {installed_reader}" in said
    assert re.search(r"Why: .*\. Read again: (does not fit|fits)", said)
    explained = cli("search", question, "--reader", "--explain", "--json").json
    assert explained["debug"]["readAgainBy"] == installed_reader
    verdict = explained["results"][0]["explanation"]["readAgain"]
    assert verdict in ("fits", "fits as well as before", "does not fit")
    assert "router" in cli("context", question, "--reader").out


def test_without_a_result_reader_its_option_says_what_to_do(cli, added: Path, home: Path) -> None:
    refused = cli("search", "router", "--reader")
    assert refused.code == 1
    assert "scrubjay models download smollm2-135m-instruct" in refused.err


def test_a_result_reader_that_is_turned_off_is_not_used(
    cli, added: Path, installed_reader: str, paths: Paths
) -> None:
    file = paths.config / "config.json5"
    text = re.sub(r"memorySearch\"?: *{", r"\g<0> query: { reader: 'off' },", file.read_text())
    file.write_text(text)
    refused = cli("search", "router", "--reader")
    assert refused.code == 1
    assert "memorySearch.query.reader" in refused.err
