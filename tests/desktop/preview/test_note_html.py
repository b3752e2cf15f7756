from __future__ import annotations

import datetime as dt
import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.errors import NoteRefused
from scrubjay.notes.bases import BaseNoteFacts, BaseTable, base_table
from scrubjay.notes.note_links import LinkTargets
from scrubjay_desktop.preview.note_code import highlight_code
from scrubjay_desktop.preview.note_html import LONGEST, NoteSurroundings, render_note_html


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("# Hi", '<h1><a name="L1"></a>Hi</h1>\n'),
        ("one\ntwo", '<p><a name="L1"></a>one<br><a name="L2"></a>two</p>\n'),
        ("one  \ntwo", '<p><a name="L1"></a>one<br><a name="L2"></a>two</p>\n'),
        ("- [ ] milk", '<ul>\n<li class="task"><a name="L1"></a>☐ milk</li>\n</ul>\n'),
        ("- [x] milk", '<ul>\n<li class="task"><a name="L1"></a>☑ milk</li>\n</ul>\n'),
        ("- [ ]", '<ul>\n<li class="task"><a name="L1"></a>☐ </li>\n</ul>\n'),
        (
            "- [x]\n- a",
            '<ul>\n<li class="task"><a name="L1"></a>☑ </li>\n<li><a name="L2"></a>a</li>\n</ul>\n',
        ),
        (
            "[<button id=HH>Open</button>](obsidian://x)",
            '<p><a name="L1"></a><a href="obsidian://x" title="obsidian://x">Open</a></p>\n',
        ),
        (
            "<h1 align=center>A</h1>\n<ul><li>b</li></ul>",
            '<p><a name="L1"></a>A<br><a name="L2"></a>b</p>\n',
        ),
        (
            '<a href="https://a.org">b</a> <a name=x>c',
            '<p><a name="L1"></a><a href="https://a.org" title="https://a.org">b</a> '
            "&lt;a name=x&gt;c</p>\n",
        ),
        (
            '<a href="task:5">b</a>',
            '<p><a name="L1"></a><a href="foreign:task%3A5" title="task:5">b</a></p>\n',
        ),
        (
            '<iframe width="5"\nsrc="https://www.youtube.com/embed/x1"></iframe>',
            '<p><a name="L1"></a><a href="https://www.youtube.com/embed/x1" '
            'title="https://www.youtube.com/embed/x1">Video: youtube.com/embed/x1</a></p>\n',
        ),
        (
            "<iframe src='//a.org/b/'></iframe>",
            '<p><a name="L1"></a><a href="https://a.org/b/" title="https://a.org/b/">'
            "Web page: a.org/b</a></p>\n",
        ),
        (
            "<iframe src='file:///etc/x'></iframe>",
            '<p><a name="L1"></a><span class="absent" title="[Web page that is not shown]">'
            "[Web page that is not shown]</span></p>\n",
        ),
        (
            "![](https://youtu.be/x1)",
            '<p><a name="L1"></a><a href="https://youtu.be/x1" title="https://youtu.be/x1">'
            "Video: youtu.be/x1</a></p>\n",
        ),
        ("[ ] milk", '<p><a name="L1"></a>[ ] milk</p>\n'),
        ("==a *b*==", '<p><a name="L1"></a><span class="mark">a <em>b</em></span></p>\n'),
        ("a == b == c", '<p><a name="L1"></a>a == b == c</p>\n'),
        ("a ^some-id", '<p><a name="L1"></a>a</p>\n'),
        ("2 ^ 3, x^2", '<p><a name="L1"></a>2 ^ 3, x^2</p>\n'),
        ("a %%b%% c", '<p><a name="L1"></a>a  c</p>\n'),
        ("%%\nb\n\nc\n%%\nd", '<p><a name="L6"></a>d</p>\n'),
        ("100 %% sure", '<p><a name="L1"></a>100 %% sure</p>\n'),
        ("`==a== %%b%%`", '<p><a name="L1"></a><code>==a== %%b%%</code></p>\n'),
        (
            "#a/b, no#c",
            '<p><a name="L1"></a><a class="tag" href="tag:a/b" title="Show only notes with '
            '#a/b">#a/b'
            "</a>, no#c</p>\n",
        ),
        (
            "#💡/casa. (#x) #a&b",
            '<p><a name="L1"></a><a class="tag" href="tag:%F0%9F%92%A1/casa" title="Show only '
            'notes with #💡/casa">#💡/casa</a>. (#x) #a&amp;b</p>\n',
        ),
        ("No #1", '<p><a name="L1"></a>No #1</p>\n'),
        ("$x_1$ for $5 or $6", '<p><a name="L1"></a><code>x_1</code> for $5 or $6</p>\n'),
        ("$$\na < b\n$$", '<pre><a name="L1"></a><a name="L2"></a>a &lt; b</pre>\n'),
        ("a $$ b $$", '<p><a name="L1"></a>a <code>b</code></p>\n'),
        ("![[Drawing|200]]", '<p><a name="L1"></a>Drawing</p>\n'),
        ("[[Codes#Codes]] [[Codes#^1]]", '<p><a name="L1"></a>Codes Codes</p>\n'),
        (
            "[file](file:///etc/a)",
            '<p><a name="L1"></a><a href="file:///etc/a" title="file:///etc/a">file</a></p>\n',
        ),
        (
            "```dataview\nTABLE x\n```",
            '<p><a name="L1"></a><span class="absent" title="[This list can be '
            'shown only in another program]">[This list can be shown only in another program]'
            "</span></p>\n",
        ),
        ("$$a$$", '<pre><a name="L1"></a><a name="L1"></a>a</pre>\n'),
        ("~~a~~", '<p><a name="L1"></a><s>a</s></p>\n'),
        (
            "https://a.org",
            '<p><a name="L1"></a><a href="https://a.org" title="https://a.org">https://a.org</a></p>\n',
        ),
        ("[[Router|the box]]", '<p><a name="L1"></a>the box</p>\n'),
        (
            "```\na < b\nc\n```",
            '<pre><a name="L1"></a><a name="L2"></a>a &lt; b\n<a name="L3"></a>c</pre>\n',
        ),
        (
            "```python\nx = 'a\n```",
            '<pre><a name="L1"></a><a name="L2"></a>x = <span class="st">&#x27;a</span></pre>\n',
        ),
        ("```brainf\n+\n```", '<pre><a name="L1"></a><a name="L2"></a>+</pre>\n'),
        ("<!--\nb\n\nc\n-->\nd", '<p><a name="L6"></a>d</p>\n'),
        ("a <!-- b --> c <!-- d", '<p><a name="L1"></a>a  c &lt;!-- d</p>\n'),
        (
            "Isobar\n: A line",
            '<dl>\n<dt><a name="L1"></a>Isobar</dt>\n<dd><a name="L2"></a>A line</dd>\n</dl>\n',
        ),
        ("<kbd>A</kbd> x<sub>2</sub>", '<p><a name="L1"></a><code>A</code> x<sub>2</sub></p>\n'),
        ("<mark>a</mark>", '<p><a name="L1"></a><span class="mark">a</span></p>\n'),
        ('<div align="center">a</div>', '<p><a name="L1"></a>a</p>\n'),
        ("<b onclick=x>a", '<p><a name="L1"></a>&lt;b onclick=x&gt;a</p>\n'),
        ("cost:: 4 *p*", '<p><a name="L1"></a><span class="tag">cost: </span>4 <em>p</em></p>\n'),
        (
            "a [paid:: *y*] b",
            '<p><a name="L1"></a>a <span class="tag">paid: </span><em>y</em> b</p>\n',
        ),
        ("a (from:: B) c", '<p><a name="L1"></a>a B c</p>\n'),
        ("std::vector f :: a", '<p><a name="L1"></a>std::vector f :: a</p>\n'),
        ("- id:: 1-2\n  a", '<ul>\n<li><a name="L1"></a><a name="L2"></a>a</li>\n</ul>\n'),
        (
            "{{query (todo now)}}",
            '<p><a name="L1"></a><span class="absent" title="[This list can be '
            'shown only in another program]">[This list can be shown only in another program]'
            "</span></p>\n",
        ),
        (
            "((65a1b2c3-0000-4000-8000-000000000002)) ((no))",
            '<p><a name="L1"></a><span class="absent" title="[Text from another note]">'
            "[Text from another note]</span> ((no))</p>\n",
        ),
        ("---\ntitle: x\n---\ntext", '<p><a name="L4"></a>text</p>\n'),
        ("\ufeffa\r\nb", '<p><a name="L1"></a>a<br><a name="L2"></a>b</p>\n'),
    ],
)
def test_markdown_becomes_html_with_an_anchor_for_each_line(markdown: str, html: str) -> None:
    assert render_note_html(markdown).html == html


def test_line_ends_are_joined_where_the_vault_says_so() -> None:
    html = render_note_html("one\ntwo  \nthree", around=NoteSurroundings(joins_lines=True)).html
    assert html == ('<p><a name="L1"></a>one <a name="L2"></a>two<br><a name="L3"></a>three</p>\n')


def test_lines_that_a_program_wrapped_are_joined() -> None:
    long = "Rang the surgery in Whiteladies Road and **booked the orthodontist** for Emma, she goes"
    lines = (long, "there at 15:00.", "", "14 Park Street", "the bell is broken", "", long, "Tom")
    html = render_note_html("\n".join(lines)).html
    assert "she goes <a" in html
    assert "14 Park Street<br>" in html
    assert html.count("<br>") == 2


@pytest.mark.parametrize(
    ("markdown", "look", "text"),
    [
        ("> words", "quote", '<a name="L1"></a>words'),
        ("> [!tip] My *own* title\n> words", "good", "<b>My <em>own</em> title</b><br>"),
        ("> [!warning]-\n> words", "warning", ">Warning</span></b><br>"),
        ("> [!NOTE]", "note", '<b><span title="Note">Note</span></b>'),
        ("> [!read-me]+", "note", ">Read me</span></b>"),
        ("> [!bug] ==Mine==", "danger", '<b><span class="mark">Mine</span></b>'),
        ("> [no callout](a.md)", "quote", ">no callout</a>"),
    ],
)
def test_quotations_and_callouts_have_a_bar(markdown: str, look: str, text: str) -> None:
    html = render_note_html(markdown).html
    assert f'<td class="{look}">' in html
    assert text in html


def test_footnotes_are_numbered_and_lead_there_and_back() -> None:
    html = render_note_html("a[^x] b^[Short.]\n\n[^x]: Long.").html
    assert '<sup><a name="fnref1" href="#fn1">1</a></sup> b<sup>' in html
    assert '<a name="fn1"></a><sup>1</sup> Long. <a href="#fnref1">↩</a>' in html
    assert '<a name="fn2"></a><sup>2</sup> Short. <a href="#fnref2">↩</a>' in html


@pytest.mark.parametrize(
    "piece",
    [
        "[",
        "[[![[(a]\n",
        "a:: (b:: [c:: ",
        "|a|b|\n",
        "==a",
        "$a",
        "- [ ] a\n",
        "> > > a\n\n",
        "x\n",
        "![[a|",
        "%% ",
    ],
)
def test_a_note_of_marks_only_is_cut_or_shown_as_it_is(piece: str) -> None:
    note = render_note_html(piece * (5_000_000 // len(piece)))
    assert note.is_excerpt
    assert len(note.html) < 12 * LONGEST


@pytest.mark.parametrize(
    ("matter", "lines"),
    [
        ("tags: [pedagogy, '#plants']", "[#pedagogy] [#plants]"),
        ("tags: pedagogy, plants", "[#pedagogy] [#plants]"),
        ("tags:\n  - pedagogy", "[#pedagogy]"),
        ("tags: [2026, c++]", "(#2026) (#c++)"),
        ("created: 2026-11-03\ntitle: x", "created: (3 Nov 2026)"),
        (
            "aliases: [Leaf, Leaves]\nauthor: '[[Bloom]]'\ntag: a/b",
            "[#a/b] aliases: (Leaf) (Leaves)<br>author: Bloom",
        ),
        ("loc: [[Kyoto]]", "loc: Kyoto"),
        ("year: 1956\ndone: true\nx: <b>", "year: 1956 · x: &lt;b&gt;"),
    ],
)
def test_front_matter_is_chips_and_a_quiet_line(matter: str, lines: str) -> None:
    note = render_note_html(f"---\n{matter}\n---\ntext")
    plain = re.sub(r"<a class=[^>]*>&nbsp;(.*?)&nbsp;</a>", r"[\1]", note.html)
    plain = re.sub(r"<span[^>]*>&nbsp;(.*?)&nbsp;</span>", r"(\1)", plain)
    plain = re.sub("&(?:em|en|nb)sp;", " ", plain)
    assert plain.startswith(f'<p class="about"><a name="L1"></a>{lines}</p>\n')
    assert f'<a name="L{matter.count(chr(10)) + 4}"></a>text' in note.html
    assert note.anchor_above(2) == "L1"


def test_links_in_properties_lead_there() -> None:
    matter = (
        "loc: ['[[Kyoto]]', '[[Nowhere|there]]']\nplan: [[Kyoto#Trips]]\n"
        "url: https://a.org/b?c=1&d=2\nevil: '[[x]] <b>'"
    )
    html = render_note_html(
        f"---\n{matter}\n---\ntext", around=NoteSurroundings("a.md", LinkTargets(["P/Kyoto.md"]))
    ).html
    assert '<a href="note:P/Kyoto.md" title="P/Kyoto.md">Kyoto</a>, <a href="dead:Nowhere"' in html
    assert ">there</a>" in html
    assert '<a href="note:P/Kyoto.md#Trips"' in html
    assert '<a href="https://a.org/b?c=1&amp;d=2"' in html
    assert "&lt;b&gt;" in html


@pytest.mark.parametrize(
    ("html", "shown"),
    [
        ("<h3>Install</h3><p>Copy <kbd>P</kbd>.</p>", "Install|Copy P."),
        ("<div><p>one</p></div><p>two</p>", "one|two"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a · b|c"),
        ("x <b>y</b> <span>z</span>", "x y z"),
        ("<p>one</p>\n<p>two</p>", "one|two"),
    ],
)
def test_blocks_of_html_stand_on_lines_of_their_own(html: str, shown: str) -> None:
    lines = render_note_html(html).html.replace("<br>", "|")
    assert re.sub("<[^>]*>", "", lines).strip() == shown


BADGE = "[![a](https://b.org/c.svg)](https://d.org)"


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        (f"{BADGE}\n{BADGE}\n{BADGE} {BADGE}\n\ntext",
            "[4 pictures from the internet not loaded] text"),
        (f"{BADGE}\n\n{BADGE}\n\ntext\n\n{BADGE}",
            "[2 pictures from the internet not loaded] text "
            "[Picture from the internet not loaded: c.svg]"),
        (f"Status {BADGE} and {BADGE} [here](x.md)",
            "Status [2 pictures from the internet not loaded] and here"),
        (f"{BADGE}\n![](https://youtu.be/x)",
            "[Picture from the internet not loaded: c.svg] Video: youtu.be/x"),
        ("![a](a.png) ![b](b.png)", "[Picture not found: a.png] [Picture not found: b.png]"),
    ],
)  # fmt: skip
def test_several_pictures_on_the_internet_are_one_line(markdown: str, shown: str) -> None:
    html = render_note_html(markdown).html
    assert " ".join(re.sub("<[^>]*>", "", html.replace("<br>", " ")).split()) == shown


def test_a_table_of_bases_is_named() -> None:
    html = render_note_html("![[Lists/Daily.base]] [[Daily.base]]").html
    assert re.sub("<[^>]*>", "", html).strip() == "[Obsidian Bases table: Daily] Daily.base"


@pytest.mark.parametrize(
    ("filters", "is_shown"),
    [
        ("file.mtime.isEmpty()", True),
        ('file.mtime > date("0001-01-01") - "1d"', False),
        ("!" * 2000 + "x.isEmpty()", False),
    ],
)
def test_a_note_is_shown_whatever_the_filters_of_its_base_are(filters: str, is_shown: bool) -> None:
    def base(text: str, view: str) -> BaseTable:
        now = dt.datetime(2026, 3, 14, tzinfo=dt.UTC)
        return base_table(text, view, [BaseNoteFacts("Emma.md", {})], this="a.md", now=now)

    note = f"# Books\n\n```base\nfilters: '{filters}'\n```\n\nThe end.\n"
    html = render_note_html(note, around=NoteSurroundings("a.md", base=base)).html
    assert "Books" in html
    assert "The end." in html
    assert ('<table class="base"' in html) is is_shown


@pytest.mark.parametrize(
    ("filters", "shown"),
    [
        ('file.hasTag("book")', "[Obsidian Bases table] Name Emma"),
        ("a.b().c()", "[This list can be shown only in another program]"),
    ],
)
def test_a_file_of_bases_is_shown_as_its_table_above_its_text(filters: str, shown: str) -> None:
    def base(text: str, view: str) -> BaseTable:
        now = dt.datetime(2026, 3, 14, tzinfo=dt.UTC)
        book = BaseNoteFacts("Emma.md", {}, tags=frozenset({"book"}))
        notes = [book, BaseNoteFacts("Plan.md", {})]
        return base_table(text, view, notes, this="List.base", now=now)

    written = f"filters: '{filters}'\nviews:\n  - type: table\n    order: [file.name]\n"
    around = NoteSurroundings("List.base", base=base)
    note = render_note_html(f"```yaml\n{written}```\n", line=4, around=around)
    html = note.html
    assert note.anchor_above(4) == "L4"
    text = " ".join(re.sub("<[^>]*>", " ", html).split())
    assert text.startswith(shown)
    assert "type : table" in text
    assert "Plan" not in text


def test_a_table_of_bases_says_how_many_notes_it_lacks() -> None:
    table = BaseTable("", columns=("name",), rows=(), formulas=(), excluded=2)
    around = NoteSurroundings("a.md", base=lambda _text, _view: table)
    html = render_note_html("```base\nfilters: x\n```\n", around=around).html
    assert "None of the notes that Scrubjay has read match the filters." in html
    assert "2 notes with long properties were not compared with the filters." in html


_MERGES = "\n".join(f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}]}}" for n in range(1, 40))


@pytest.mark.parametrize(
    "matter",
    [
        "tags: []", "tags:", "title: x", "just words", "a: [", "day: 2026-13-45",
        "x: " + "[" * 9_000,
        "b: &b [*b, *b]", "- a",
        "a0: &a0 {b: c}\n" + _MERGES,
        "a: !!bool maybe", "a: !!int ''", "a: !!timestamp x", "a: 1" + ":1" * 400 + ".5", "a: \0",
        "? [a]\n: b", "!!python/name:os.system x",
    ],
)  # fmt: skip
def test_front_matter_that_says_nothing_is_left_out(matter: str) -> None:
    assert render_note_html(f"---\n{matter}\n---\ntext").html.startswith("<p><a name")


@pytest.mark.parametrize("text", ["", " \n\n", "---\ntags: []\n---\n\n"])
def test_an_empty_note_says_so(text: str) -> None:
    assert render_note_html(text).html == '<p class="absent">This note is empty.</p>\n'


@pytest.mark.usefixtures("spanish")
def test_words_beside_a_note_are_in_spanish() -> None:
    html = render_note_html(
        "---\ncreated: 2026-11-03\n---\n> [!tip]\n> a\n\n![x](http://b.org/c.png)"
    ).html
    assert 'created:&nbsp;<span class="fact">&nbsp;3 nov 2026' in html
    assert ">Consejo</span></b>" in html
    assert "[Imagen de internet no cargada: c.png]" in re.sub("<[^>]*>", "", html)
    assert "Esta nota está vacía." in render_note_html("").html


@pytest.mark.parametrize(
    "markdown",
    [
        "![a](http://example.org/a.png)",
        "![a](file:///etc/passwd)",
        "![a][1]\n\n[1]: http://example.org/a.png",
        '<img src="http://example.org/a.png">',
        '<script src="http://example.org/a.js"></script>',
        '<link rel="stylesheet" href="http://example.org/a.css">',
    ],
)
def test_nothing_that_could_load_is_left(markdown: str) -> None:
    html = render_note_html(markdown).html
    assert not any(tag in html for tag in ("<img", "<script", "<link"))


def test_a_very_long_note_is_shown_around_what_was_found() -> None:
    text = "\n".join(f"line {n}" for n in range(1, 50_001))
    note = render_note_html(text, 30_000)
    assert note.is_excerpt
    assert note.first_line < 30_000 < note.last_line
    assert "line 30000" in note.html
    assert "line 1 " not in note.html


@pytest.mark.parametrize(
    ("line", "is_excerpt"),
    [("line {}\n\n", False), ("line {}\n", True), ("- {}\n", True), ("long " * 60 + "{}\n", True)],
)
def test_a_note_that_is_wanted_whole_is_so_within_reason(line: str, is_excerpt: bool) -> None:
    text = "".join(line.format(n) for n in range(1, 12_001))
    note = render_note_html(text, 7_000, is_whole=True)
    assert note.is_excerpt is is_excerpt
    assert note.anchors[0] < 7_000 < note.anchors[-1]
    assert len(note.anchors) == note.html.count('<a name="L') < 4_000


def test_one_endless_line_is_cut() -> None:
    note = render_note_html("word " * 2_000_000)
    assert note.is_excerpt
    assert len(note.html) < 3 * LONGEST


def test_the_anchor_of_a_line_is_at_it_or_above() -> None:
    note = render_note_html("# A\n\ntext\n\n\n\nmore")
    assert [note.anchor_above(line) for line in (1, 2, 3, 6, 7, 99)] == [
        "L1", "L1", "L3", "L3", "L7", "L7",
    ]  # fmt: skip
    assert render_note_html("").anchor_above(1) == ""


@given(st.text(alphabet='ab:[]() \n<>-!{}%"=^', max_size=60))
def test_signs_in_any_order_render_with_an_anchor_for_each_line(text: str) -> None:
    note = render_note_html(text)
    assert set(note.anchors) <= set(range(1, text.count("\n") + 2))
    assert all(f'<a name="L{line}"></a>' in note.html for line in note.anchors)


@given(st.text(max_size=300), st.sampled_from(["python", "js", "html", "sh", "yaml", "c#", "tex"]))
def test_colours_change_no_letter_and_no_line_of_code(code: str, language: str) -> None:
    code = code.replace("\r", "").removeprefix("\ufeff")
    lines = [unescape(re.sub("<[^>]*>", "", line)) for line in highlight_code(code, language)]
    assert lines == code.split("\n")


def test_much_code_stays_plain() -> None:
    block = "```python\n" + "x = 1\n" * 800 + "```\n"
    assert render_note_html(block).html.count("<span") == 800
    assert render_note_html(block * 9).html.count("<span") == 800


NOTES = {
    "House/Boiler.md": "---\ntags: [x]\n---\n# Boiler\nold[^1]\n\n![[Start]]\n\n"
    "## Costs\nninety\n\n## Valve\nTurn it ^v\n\n[^1]: Very.",
    "Start.md": "# Start",
    "Long.md": "word " * 5_000,
}


def with_notes(markdown: str) -> str:
    def read(path: str) -> str:
        if path == "Start.md":
            raise NoteRefused("x", "y")
        return NOTES[path]

    return render_note_html(
        markdown, 1, NoteSurroundings("a.md", LinkTargets(NOTES), read=read)
    ).html


@pytest.mark.parametrize(
    ("markdown", "texts", "absent"),
    [
        ("![[Boiler]]", ["old", "ninety", "Turn it"], ["tags", "![["]),
        ("![[Boiler#Costs]]", ["Boiler › Costs", "ninety"], ["old", "Turn it"]),
        ("- ![[Boiler#^v]]", ["Turn it"], ["ninety", "it ^v"]),
    ],
)
def test_a_note_or_a_part_of_it_is_shown_in_another(
    markdown: str, texts: list[str], absent: list[str]
) -> None:
    html = with_notes(f"{markdown}\n\nend[^1]\n\n[^1]: Mine.")
    embed, _, rest = html.partition("</table>")
    assert '<td class="embed">' in embed
    assert all(text in embed for text in texts)
    assert not any(text in embed for text in absent)
    assert '<a name="L' not in embed.partition("<table")[2]
    assert 'href="#fn1"' in rest


def test_notes_are_shown_one_level_deep() -> None:
    html = with_notes("![[Boiler]]")
    assert html.count('<td class="embed">') == 1
    assert '<a href="note:Start.md" title="Start.md">Start</a>' in html


@pytest.mark.parametrize(
    "markdown",
    ["![[Start]]", "![[Nowhere]]", "![[Boiler#Nothing]]", "![[Boiler#^no]]", "see ![[Boiler]]"],
)
def test_an_embed_without_a_text_is_a_link(markdown: str) -> None:
    html = with_notes(markdown)
    assert "embed" not in html
    assert "<a href=" in html


def test_many_long_embeds_are_cut_and_then_links() -> None:
    html = with_notes("![[Long]]\n\n" * 50)
    assert html.count('<td class="embed">') == 2
    assert html.count("…</p>") == 2
    assert len(html) < 40_000


@given(st.text(max_size=400), st.integers(-5, 500))
def test_any_text_renders(text: str, line: int) -> None:
    note = render_note_html(text, line)
    assert 1 <= note.first_line <= note.last_line


@pytest.mark.usefixtures("spanish")
def test_the_headings_of_slides_are_in_the_language_of_the_app() -> None:
    around = NoteSurroundings(path="talk.pptx")
    assert (
        "Diapositiva 2: Costs" in render_note_html("# Slide 2: Costs\n\nMoney", around=around).html
    )


MAIL = """---
title: "Trip money"
date: 2026-11-23
---

- From: Ana Ruiz <ana@example.org>
- To: Mo
- Date: Mon, 23 Nov 2026 08:15:00 +0100

Thanks!
- From: a list in the text
"""


def test_the_headers_of_a_mail_are_one_quiet_line_without_the_day_again() -> None:
    html = render_note_html(MAIL, 1, NoteSurroundings(path="Mail/trip.eml")).html
    line = re.search(r'<p class="about">(.*)</p>', html)
    assert line
    words = unescape(re.sub("<[^>]*>", "", line[1]))
    assert words == "From: Ana Ruiz ana@example.org · To: Mo · 08:15"
    assert "2026" not in html
    # Line numbers stay true.
    assert '<a name="L6"></a>From' in html
    assert '<a name="L10"></a>Thanks!' in html
    assert "<li" in html


def test_each_mail_of_a_mailbox_has_its_own_day(spanish: None) -> None:
    text = "# Message 1: Trip\n\n- From: Ana\n- Date: Mon, 5 Jan 2026 08:15:00 +0100\n\nHi.\n\n"
    text += "# Message 2: Bus\n\n- From: Mo\n- Cc: Eva\n- Date: never\n\nBye.\n"
    html = render_note_html(text, 1, NoteSurroundings(path="box.mbox")).html
    lines = re.findall(r'<p class="about">(.*)</p>', html)
    words = [re.sub("<[^>]*>", "", line) for line in lines]
    assert words == ["De: Ana · 5 ene 2026, 08:15", "De: Mo · Copia: Eva · never"]
