"""The grammar of the query language."""

from __future__ import annotations

import datetime as dt
import re
import sys

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from scrubjay.search.query.query_parser import parse_query
from scrubjay.search.query.query_syntax import MOST_ALTERNATIVES, read_syntax
from scrubjay.store.index_records import ALL_DOCUMENTS

TODAY = dt.date(2026, 11, 27)
PIECES = [
    "cat", "dog", "blue", "-dog", "-fish", '"red sail"', '-"red sail"', "NOT", "OR", "AND", "(",
    ")", "-(", "path:a", 'title:"weekly plan"', "-folder:old", "tag:x", "#x", "-#x", "kind:pdf",
    "ext:md", "before:2024", "after:lunch", "in:march", "on:yesterday", "foo:bar", "-foo:bar",
    "section:(", "path:(", '"', "-", '""', "ssh", "-T", "--force", "-Xmx4g", "word*", "-wor*",
    "f(x)", "what?", "ENTER", "DO", "a", "1970", "-1970", "title:", 'tag:"y z"', "x:'a b'", "(jay)",
    "path:'a b'", "[a:b]", "/a.*b/", "日本語", "“été”", '"a?"',
]  # fmt: skip
questions = st.lists(st.sampled_from(PIECES), max_size=9).map(" ".join)
joined = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)


def questions_without_capitals(word: str) -> st.SearchStrategy[str]:
    """Questions without words in capitals but this one, and without options of commands.

    Both are told from the words beside them, of which a plain question has more.
    """
    pieces = [one for one in PIECES if not re.search(r"[A-Z]{2}|-T|-X|--", one.replace(word, ""))]
    return st.lists(st.sampled_from(pieces), max_size=9).map(" ".join)


@given(questions)
# What was quoted stands between NOT and the bracket, which therefore groups nothing.
@example("ENTER NOT path:a (")
@example("ENTER NOT -dog (")
@example('ENTER NOT "" (')
def test_the_printed_form_is_read_alike(text: str) -> None:
    read = read_syntax(text, TODAY)
    again = read_syntax(read.printed, TODAY)
    assert again.alternatives == read.alternatives, read.printed
    assert 1 <= len(read.alternatives) <= MOST_ALTERNATIVES


@given(questions | joined | st.text(), st.booleans())
def test_any_question_is_read_and_each_alternative_is_one_itself(text: str, is_open: bool) -> None:
    query = parse_query(text, is_open=is_open, today=TODAY)
    assert bool(query.expression()) is bool(query.terms)
    for alternative in query.alternatives:
        assert not parse_query(alternative, today=TODAY).alternatives


@given(st.text(st.characters(categories=["L", "Zs"]) | st.sampled_from("0189.,;!?*'&%-")))
def test_words_alone_are_taken_as_they_are(text: str) -> None:
    # A hyphen inside a word, not before it.
    words = " ".join(word for word in text.split() if not word.startswith("-"))
    query = parse_query(words, today=TODAY)
    assert query.is_plain
    assert (query.text, query.filters, query.alternatives) == (words, ALL_DOCUMENTS, ())


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        # OR joins its neighbours, before what stands beside them.
        ("red OR blue car", "(red car) OR (blue car)"),
        ("car red OR blue", "(car red) OR (car blue)"),
        ("a OR b OR c", "(a) OR (b) OR (c)"),
        ("(red boat) OR car", "(red boat) OR (car)"),
        ("path:x red OR blue", '(path:"x" red) OR (path:"x" blue)'),
        ("tag:a OR tag:b car", '(tag:"a" car) OR (tag:"b" car)'),
        ("(a OR b) (c OR d)", "(a c) OR (a d) OR (b c) OR (b d)"),
        # A hyphen before a bracket, and an operator before one.
        ("car -(red OR blue)", 'car -"red" -"blue"'),
        ("car -(red sail)", '(car -"red") OR (car -"sail")'),
        ("car -(-red)", "car red"),
        ("path:(a OR b) car", '(path:"a" car) OR (path:"b" car)'),
        ("-path:(a OR b) car", '-path:"a" -path:"b" car'),
        ("car NOT (red OR tag:x)", 'car -"red" -tag:"x"'),
        # Names that other programs have.
        ("dir:a filename:b type:pdf", 'folder:"a" file:"b" kind:"pdf"'),
        ("TAGS:#x", 'tag:"x"'),
        ("ext:.md car", 'ext:".md" car'),
        ("date:2024-01/2024-03 car", 'on:"2024-01/2024-03" car'),
        ("path:'a b' car", 'path:"a b" car'),
        # Wrong syntax.
        ("(a OR", "a"),
        ("a OR)", "a"),
        ("a OR", "a"),
        ("OR a", "OR a"),
        ("a OR OR b", "(a) OR (b)"),
        ("a AND", "a"),
        ("a NOT", "a"),
        ("()", "()"),
        ("( OR )", ""),
        ("OR", "OR"),
        ("-", "-"),
        ('""', ""),
        ("title:", "title:"),
        ('title:"weekly', 'title:"weekly"'),
        ("car -()", "car"),
        ("path:()", ""),
        ("kind:chair", "kind:chair"),
    ],
)
def test_a_question_is_read_in_the_obvious_way(text: str, printed: str) -> None:
    assert read_syntax(text, TODAY).printed == printed


@pytest.mark.parametrize(
    ("operator", "after", "before"),
    [
        ("on:yesterday", dt.date(2026, 11, 26), dt.date(2026, 11, 26)),
        ("on:2026-03-05", dt.date(2026, 3, 5), dt.date(2026, 3, 5)),
        ("in:2023", dt.date(2023, 1, 1), dt.date(2023, 12, 31)),
        ("in:march", dt.date(2026, 3, 1), dt.date(2026, 3, 31)),
        ('in:"march 2024"', dt.date(2024, 3, 1), dt.date(2024, 3, 31)),
        ('on:"last week"', dt.date(2026, 11, 16), dt.date(2026, 11, 22)),
        ("before:2024", None, dt.date(2023, 12, 31)),
        ("before:2024-03", None, dt.date(2024, 2, 29)),
        ("before:2024-03-05", None, dt.date(2024, 3, 5)),
        ('after:"last week"', dt.date(2026, 11, 23), None),
        ("after:2023", dt.date(2024, 1, 1), None),
        ("after:yesterday", dt.date(2026, 11, 26), None),
        ("after:ayer", dt.date(2026, 11, 26), None),
        ("date:2024-01/2024-03", dt.date(2024, 1, 1), dt.date(2024, 3, 31)),
        ("on:2024-01..2024-03", dt.date(2024, 1, 1), dt.date(2024, 3, 31)),
        ("date:2024-01/", dt.date(2024, 1, 1), dt.date.max),
        ("after:2024 before:2025-06-01", dt.date(2025, 1, 1), dt.date(2025, 6, 1)),
        ("before:2025 before:2024", None, dt.date(2023, 12, 31)),
    ],
)
def test_times_are_days(operator: str, after: dt.date | None, before: dt.date | None) -> None:
    filters = parse_query(operator, today=TODAY).filters
    assert (filters.after, filters.before) == (after, before)


@pytest.mark.parametrize("text", ["in:Projects", 'in:"Old stuff"', "in:2024/03", "folder:2023"])
def test_what_is_no_time_is_a_folder(text: str) -> None:
    [folder] = parse_query(text, today=TODAY).filters.folders
    assert folder in text


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("foo:bar car", ["foo:"]),
        ("-foo:bar car", ["foo:"]),
        ("section:(dog cat) match-case:Happy", ["section:", "match-case:"]),
        ("content:a line:b block:c task-todo:d", ["content:", "line:", "block:", "task-todo:"]),
        ("mime:text/plain x", ["mime:"]),
        ("after:lunch before:2026-02-30", ["after:lunch", "before:2026-02-30"]),
        ("kind:chair", ["kind:chair"]),
        ("[a:b] /x.*/", ["[a:b]", "/x.*/"]),
        ("at 10:30 https://a.org C:\\x a: b", []),
        ("title: path: x", []),
        # A value in brackets that makes no sense is one as well.
        ("kind:(pdf,mail) x", ["kind:pdf,mail"]),
        ("kind:(pdf OR chair) x", ["kind:chair"]),
        ("-kind:(chair) x", ["kind:chair"]),
        ('type:("old chair") x', ["kind:old chair"]),
        ("before:(lunch 2024) x", ["before:lunch"]),
        ("tag:(a, b) x", ["tag:a,"]),
        ("tag:(a , b) ext:(md) kind:() x", []),
    ],
)
def test_an_operator_that_does_not_exist_is_named(text: str, unknown: list[str]) -> None:
    assert list(parse_query(text, today=TODAY).reading.unknown) == unknown


def test_many_alternatives_are_few_searches() -> None:
    boxes = " ".join("(a OR b)" for _ in range(30))
    assert 1 < len(parse_query(f"{boxes} OR c").alternatives) <= MOST_ALTERNATIVES
    assert parse_query("(" * 3_000 + "a OR b" + ")" * 3_000).terms


@pytest.mark.parametrize("form", ["word{}", '"red {}"', "tag:x{}", "(red -pond{})", "path:'a {}'"])
def test_no_alternative_is_lost_of_as_many_as_are_searched(form: str) -> None:
    options = [form.format(number) for number in range(MOST_ALTERNATIVES)]
    for text in (" OR ".join(options), f"({' OR '.join(options)}) soup"):
        query = parse_query(text, today=TODAY)
        assert len(query.alternatives) == MOST_ALTERNATIVES
        assert not query.reading.searched_alternatives


def test_more_words_share_searches() -> None:
    words = [f"word{number}" for number in range(500)]
    query = parse_query(" OR ".join(words)[:3_990], today=TODAY)
    found = " ".join(query.alternatives).split()
    assert found == words[: len(found)]
    assert len(found) > 300
    assert len(query.alternatives) <= MOST_ALTERNATIVES
    assert not query.reading.searched_alternatives


@pytest.mark.parametrize(
    "text",
    [
        " OR ".join(f"tag:x{number}" for number in range(65)),
        " OR ".join(f'"red {number}"' for number in range(65)),
        " ".join(f"(tag:a{number} OR tag:b{number})" for number in range(7)),
        # What is longer than a question may be.
        " OR ".join(f"word{number}" for number in range(500)),
    ],
)
def test_alternatives_that_are_not_searched_are_told(text: str) -> None:
    query = parse_query(text, today=TODAY)
    assert query.reading.searched_alternatives == len(query.alternatives) > 1


@pytest.mark.parametrize(
    ("text", "excluded", "plain"),
    [
        ("car -tag:x", ["tag:x"], "car"),
        ("car -#x/y blue", ["tag:x/y"], "car blue"),
        ('-path:"old stuff" car', ['path:"old stuff"'], "car"),
        ("car -folder:Old -kind:pdf", ["folder:Old", "kind:pdf"], "car"),
        ("car -before:2024 -in:march", ["before:2024", "in:march"], "car"),
        ("car -ext:md -file:a -title:b -after:2024 -on:yesterday",
         ["ext:md", "file:a", "title:b", "after:2024", "on:yesterday"], "car"),
        ("car NOT tag:x", ["tag:x"], "car"),
        ("car -pond -tag:x", ["pond", "tag:x"], "car pond"),
        ("car tag:y -tag:x", ["tag:x"], "car tag:y"),
        ("car -path:(a OR b)", ["path:a", "path:b"], "car"),
        ("car -(tag:x OR tag:y)", ["tag:x", "tag:y"], "car"),
        ("car NOT (red OR tag:x)", ["red", "tag:x"], "car (red OR )"),
        ("car -(-tag:x)", [], ""),
        ("car -pond -(-tag:x)", ["pond"], "car pond (tag:x)"),
        ("car -pond -(-(tag:x))", ["pond"], "car pond ((tag:x))"),
        # What is excluded only together with something else is named with it.
        ("soup -folder:(alpha beta)", ["folder:(alpha beta)"], "soup"),
        ("soup NOT folder:(alpha  beta)", ["folder:(alpha beta)"], "soup"),
        ("soup -(red pond)", ["(red pond)"], "soup (red pond)"),
        ("soup -(red -pond)", ["(red -pond)"], "soup (red pond)"),
        ("soup -(red OR (a pond))", ["red", "(red OR (a pond))"], "soup (red OR (a pond))"),
        ("soup -(tag:x tag:y) -tag:x", ["tag:x", "(tag:x tag:y)"], "soup"),
        ("soup -(red red)", ["red"], "soup (red red)"),
        # Of an operator group nothing is left that would limit the question further.
        ("soup -title:(beans -corn)", ["title:(beans -corn)"], "soup"),
        ("soup NOT title:(beans -corn)", ["title:(beans -corn)"], "soup"),
        ("soup -(title:beans -folder:old)", ["(title:beans -folder:old)"], "soup"),
        ("soup -(red -title:corn)", ["(red -title:corn)"], "soup (red )"),
        ("soup -(red -(title:corn))", ["(red -(title:corn))"], "soup (red ())"),
        ("soup -(red title:(corn -rye))", ["(red title:(corn -rye))"], "soup (red )"),
        # Of several kinds a note needs only one, so that none of them is left.
        ("soup -kind:(pdf mail)", ["kind:pdf", "kind:mail"], "soup"),
        ("soup -(ext:md ext:txt)", ["ext:md", "ext:txt"], "soup"),
        # Nothing is left to search for.
        ("-tag:x", ["tag:x"], ""),
        ("NOT (tag:x OR tag:y)", ["tag:x", "tag:y"], ""),
    ],
)  # fmt: skip
def test_all_exclusions_are_named(text: str, excluded: list[str], plain: str) -> None:
    reading = parse_query(text, today=TODAY).reading
    assert [*reading.excluded] == excluded
    assert reading.plain == plain


@pytest.mark.parametrize(
    ("brackets", "one_by_one"),
    [
        ("soup -kind:(pdf mail)", "soup -kind:pdf -kind:mail"),
        ("soup NOT (ext:md ext:txt)", "soup -ext:md -ext:txt"),
        ("soup -(kind:pdf tag:x kind:mail)", "soup (-tag:x OR (-kind:pdf -kind:mail))"),
        # A note can be in both folders, so that both are excluded only together.
        ("soup -folder:(alpha beta)", "soup (-folder:alpha OR -folder:beta)"),
    ],
)
def test_brackets_exclude_what_they_would_find(brackets: str, one_by_one: str) -> None:
    assert read_syntax(brackets, TODAY).alternatives == read_syntax(one_by_one, TODAY).alternatives


@given(questions_without_capitals("NOT"))
def test_a_plain_question_limits_to_nothing_that_the_question_does_not(text: str) -> None:
    whole = read_syntax(text, TODAY)
    assume(whole.plain)
    limits = [
        {(each.kind, each.text) for each in clause if each.is_filter and not each.is_excluded}
        for clause in whole.alternatives
    ]
    for clause in read_syntax(whole.plain, TODAY).alternatives:
        own = {(each.kind, each.text) for each in clause if each.is_filter}
        assert all(own <= limit for limit in limits)


@given(questions_without_capitals("OR"))
def test_a_plain_question_excludes_nothing(text: str) -> None:
    plain = read_syntax(text, TODAY).plain
    assert not read_syntax(plain, TODAY).excluded


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ('5" x OR 6" y', "(5 x y) OR (5 6 y)"),
        ('5" (a OR b) 6"', "(5 a 6) OR (5 b 6)"),
        ('"(a OR b)" c', '"(a OR b)" c'),
        ('a"b OR c"d tag:x', '(a b d tag:"x") OR (a c d tag:"x")'),
        ('"a""b" c', '"a" "b" c'),
        ('path:"a b', 'path:"a b"'),
        ('tag:"x" -#"y"', 'tag:"x" -tag:"y"'),
    ],
)
def test_a_quote_without_its_other_end_is_none(text: str, printed: str) -> None:
    assert read_syntax(text, TODAY).printed == printed


@pytest.mark.parametrize(
    "text", ['a"b OR ', 'a"b (c" OR ', "a OR (b c) OR (d ", 'x" OR y tag:"z" ']
)
def test_lone_quotes_and_brackets_take_time_in_proportion(text: str) -> None:
    def calls(count: int) -> int:
        counted = 0

        def count_call(*_: object) -> None:
            nonlocal counted
            counted += 1

        sys.setprofile(count_call)
        try:
            read_syntax(text * count, TODAY)
        finally:
            sys.setprofile(None)
        return counted

    assert calls(200) < 2.5 * calls(100)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("a " + "NOT " * 700 + "x", "a x"),
        ("a " + "NOT " * 701 + "x", 'a -"x"'),
        ("a NOT NOT -blue", 'a -"blue"'),
        ("a " + "NOT " * 700, "a"),
        ("a " + "NOT (" * 700 + "x", "a x"),
        ("a " + "-(" * 700 + "x" + ")" * 700, "a x"),
        ("a " + "tag:(NOT " * 700 + "x", 'a tag:"x"'),
    ],
)
def test_repeated_exclusions_are_read_however_many_there_are(text: str, printed: str) -> None:
    assert read_syntax(text, TODAY).printed == printed


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("block:x block:line:y", "x y"),
        ("block:-blue car", '-"blue" car'),
        ('"block:x y" block:z', '"block:x y" z'),
        ('"a"block:x', '"a" x'),
        ('5" block:x 6" y', "5 x 6 y"),
        ("title:'block:x y' z", 'title:"block:x y" z'),
        ("(block:x) car", "(block:x) car"),
        ("(block:x OR y) car", "(x car) OR (y car)"),
        ("x block:path:y", 'x path:"y"'),
        ("f(block:x) a", "f(block:x) a"),
    ],
)
def test_names_of_other_programs_count_at_the_beginning_of_a_word(text: str, printed: str) -> None:
    assert read_syntax(text, TODAY).printed == printed


@pytest.mark.parametrize(
    ("text", "excluded"),
    [
        ("find . -name pattern -type f", []),
        ("find -iname '*.md' -exec grep", []),
        ("sudo find / -newer x", []),
        ("openssl x509 -in cert.pem -noout -text", []),
        ("java -jar app.jar", []),
        ("java -coffee", ["coffee"]),
        ("find recipes -chicken", ["chicken"]),
        ("garden -name", ["name"]),
        # A question that begins with the name of a command.
        ("find hairdresser -perm", ["perm"]),
        ("find flat -size small", ["size"]),
        ("find the best café -not Starbucks", ["not"]),
        ("convert recipes -quality", ["quality"]),
        ("java coffee -server", ["server"]),
        ("find hairdresser / barber -perm", ["perm"]),
        ("find hairdresser. -perm", ["perm"]),
        ("find e.g. cafés -perm", ["perm"]),
        ("find name -perm", ["perm"]),
        ("find", []),
        ("| find ; -car", ["car"]),
        ("C# java coffee -server", ["server"]),
        # A command after a prompt, its folder, another command, or one that starts it.
        ("$ find . -name x", []),
        ("# find /etc -name x", []),
        ("ls | find . -name x", []),
        ("cd notes && find . -name x", []),
        ("cd notes; sudo find ~/notes -name x", []),
        ("time find . -name x", []),
        ("/usr/bin/find . -name x", []),
        ("find . -iname x -follow", []),
        ("find ./src -name x", []),
        ("convert a.png -quality 80 b.jpg", []),
        ("me@host:~$ java App -server", []),
        ("How does `find . -name x` work", []),
        ("echo $(find . -name x)", []),
        ("find -name x", []),
    ],
)
def test_options_that_are_words_exclude_nothing_after_their_command(
    text: str, excluded: list[str]
) -> None:
    assert [*parse_query(text, today=TODAY).reading.excluded] == excluded


@pytest.mark.parametrize("title", ["…", "!?", "--", "_"])
def test_a_title_without_letters_is_no_condition(title: str) -> None:
    for text in (f'car -title:"{title}"', f'car title:"{title}"', f"car -title:{title}"):
        assert parse_query(text, today=TODAY).filters == ALL_DOCUMENTS
