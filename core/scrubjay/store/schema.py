"""The tables of an index, as a list of migrations. A migration and its number commit together."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import apsw

from scrubjay.errors import IndexCorrupt, IndexTooNew
from scrubjay.messages import msg
from scrubjay.store.index_file import add_page_checksums, fetch, has_page_checksums, has_table
from scrubjay.store.index_records import compress_text, decompress_text, path_field, text_fields
from scrubjay.text.note_names import name_key
from scrubjay.text.tags import tag_key
from scrubjay.text.tokenizer import TOKENIZER

APPLICATION_ID = 0x5C2BA11A
"""Number in the SQLite header that marks a file as ours."""


def _base_tables(db: apsw.Connection) -> None:
    """Documents, their chunks, the words in them, and content-addressed vectors.

    A vector belongs to a text (by hash), not to a chunk: a moved or copied text keeps it, and
    rows without a chunk are the embedding cache. `sketch` holds the sign bits of the vectors
    that some chunk uses, in a table narrow enough to be read whole at start.
    """
    db.execute(
        """
        create table document(
          id integer primary key, path text not null unique, file text not null,
          source text not null, sha256 blob not null, mtime_ns integer not null,
          size integer not null, title text not null, date text,
          chunking text not null, indexed_ns integer not null) strict;
        create index document_modified on document(mtime_ns);
        create table chunk(
          id integer primary key,
          document integer not null references document(id) on delete cascade,
          first_line integer not null, last_line integer not null,
          heading text not null, text text not null, hash blob not null) strict;
        create index chunk_document on chunk(document);
        create index chunk_hash on chunk(hash);
        create table generation(
          id integer primary key, identity text not null unique,
          dimensions integer not null, is_active integer not null default 0) strict;
        create table vector(
          id integer primary key autoincrement,
          generation integer not null references generation(id) on delete cascade,
          hash blob not null, embedding blob not null, lines blob) strict;
        create unique index vector_key on vector(generation, hash);
        create table sketch(
          id integer primary key autoincrement,
          vector integer not null unique references vector(id) on delete cascade,
          generation integer not null, bits blob not null) strict;
        create table skipped(
          path text primary key, reason text not null, is_problem integer not null) strict;
        create table note(key text primary key, value text not null) strict;
        """
    )
    # The words of chunks have their own index, which does not store the texts again.
    db.execute(_WORDS_TABLE.format(name="fts"))


def _packed_texts(db: apsw.Connection) -> None:
    """Packed texts: they were half of the file and are read a few dozen at a time."""
    db.create_scalar_function("packed", lambda *texts: compress_text(str(texts[0])), 1)
    # A column cannot change its type, so the chunks move to a new table.
    db.execute(
        """
        create table packed_chunk(
          id integer primary key,
          document integer not null references document(id) on delete cascade,
          first_line integer not null, last_line integer not null,
          heading text not null, text blob not null, hash blob not null) strict;
        insert into packed_chunk
        select id, document, first_line, last_line, heading, packed(text), hash from chunk;
        drop table chunk;
        alter table packed_chunk rename to chunk;
        create index chunk_document on chunk(document);
        create index chunk_hash on chunk(hash);
        """
    )


def _revisions(db: apsw.Connection) -> None:
    """Revisions of notes, and an SQL index of notes by the day."""
    # Revisions are looked for by note and by time, and notes by their day.
    db.execute(
        """
        create table revision(
          id integer primary key, path text not null, bucket integer not null,
          at_ns integer not null, existed integer not null, sha256 blob,
          title text not null, source text not null, text blob) strict;
        create unique index revision_path on revision(path, bucket);
        create index revision_bucket on revision(bucket);
        create index document_day on document(date, mtime_ns, size, source);
        """
    )


def _line_signs(db: apsw.Connection) -> None:
    """Sign bits of lines in their own table, and the number of chunks with vectors.

    In the table of vectors they used pages badly: three vectors of 768 dimensions on a page that
    holds five. Binary vectors are copied since dropping the old vectors would delete them.
    """
    # New tables first, then their rows, then the old ones go, which others refer to until then.
    db.execute(
        """
        create table bare_vector(
          id integer primary key autoincrement,
          generation integer not null references generation(id) on delete cascade,
          hash blob not null, embedding blob not null) strict;
        create table bare_sketch(
          id integer primary key autoincrement,
          vector integer not null unique references bare_vector(id) on delete cascade,
          generation integer not null, bits blob not null) strict;
        create table line_sketch(
          vector integer primary key references bare_vector(id) on delete cascade,
          bits blob not null) strict;
        insert into bare_vector select id, generation, hash, embedding from vector;
        insert into bare_sketch select id, vector, generation, bits from sketch;
        insert into line_sketch select id, lines from vector where lines is not null;
        drop table sketch;
        drop table vector;
        alter table bare_vector rename to vector;
        alter table bare_sketch rename to sketch;
        create unique index vector_key on vector(generation, hash);
        """
    )
    # Imported late: only an old index needs it, and it imports numpy.
    from scrubjay.store.vector_writer import count_embedded

    count_embedded(db)


def _sign_blocks(db: apsw.Connection) -> None:
    """Binary vectors side by side, which are read ten times as fast at start as their rows."""
    # A deleted row deletes its block, so that no block holds vectors that are gone.
    db.execute(
        """
        create table sketch_block(
          id integer primary key, generation integer not null,
          first integer not null, last integer not null,
          vectors blob not null, bits blob not null) strict;
        create index sketch_block_rows on sketch_block(generation, last, first);
        create trigger sketch_gone after delete on sketch begin
          delete from sketch_block
          where generation = old.generation and last >= old.id and first <= old.id;
        end;
        """
    )


def _page_checksums(db: apsw.Connection) -> None:
    """No table: checksums of all pages, which `migrate` adds and older programs would not keep."""


def _tags(db: apsw.Connection) -> None:
    """Tags of documents: folded to compare them, and as they were written."""
    db.execute(TAG_TABLE.format(name="tag"))
    db.execute("create index tag_name on tag(name, document)")


def _names(db: apsw.Connection) -> None:
    """Names of documents, folded: title, file name and aliases."""
    db.execute(NAME_TABLE.format(name="name"))
    db.execute("create index name_key on name(key, document)")


def _changes_of_entries(db: apsw.Connection) -> None:
    """Times of the last change of a file's entry on the disk; 0 until a document is read again."""
    db.execute("alter table document add column ctime_ns integer not null default 0")


def _normal_words(db: apsw.Connection) -> None:
    """Words, names and tags in their normal form, with words for numbers, symbols and parts."""
    # Most words were written before, in steps; what is left takes no time.
    for _ in write_words_anew(db):
        pass
    db.execute(f"drop trigger {_NEW_WORDS}_gone")
    db.execute("drop table fts")
    db.execute(f"alter table {_NEW_WORDS} rename to fts")
    # Names and tags are compared as they are stored.
    names = db.execute("select document, key from name").fetchall()
    tags = db.execute("select document, label from tag").fetchall()
    db.execute("delete from name")
    db.execute("delete from tag")
    db.executemany(
        "insert or ignore into name(document, key) values (?, ?)",
        [(document, name_key(str(key))) for document, key in names],
    )
    db.executemany(
        "insert or ignore into tag(document, name, label) values (?, ?, ?)",
        [(document, tag_key(str(label)), label) for document, label in tags],
    )


def write_words_anew(db: apsw.Connection) -> Iterator[tuple[int, int]]:
    """Write the words of all texts into a second index of words, in steps.

    Yields before each step with the number of chunks so far and of all. A step is a transaction, so
    that the next call goes on where this one was ended. Searches use the first index of words.
    """
    with db:
        if not has_table(db, _NEW_WORDS):
            db.execute(_WORDS_TABLE.format(name=_NEW_WORDS))
            # A program of the former version may delete chunks before the last step.
            db.execute(
                f"create trigger {_NEW_WORDS}_gone after delete on chunk begin"
                f" delete from {_NEW_WORDS} where rowid = old.id; end"
            )
    total = int(db.execute("select count(*) from chunk").get)
    done = int(db.execute(f"select count(*) from {_NEW_WORDS}_docsize").get)
    last = 0
    while chunks := fetch(db, _CHUNKS_WITHOUT_WORDS, (last, _STEP)):
        yield done, total
        rows = [
            (number, *_words_of(path, title, date, heading=heading, text=text))
            for number, path, title, date, heading, text in chunks
        ]
        with db:
            db.executemany(
                f"insert into {_NEW_WORDS}(rowid, text, heading, path, parts)"
                " values (?, ?, ?, ?, ?)",
                rows,
            )
        done += len(rows)
        last = rows[-1][0]


def _words_of(
    path: str, title: str, date: str | None, *, heading: str, text: bytes
) -> tuple[str, str, str, str]:
    """Fields of the index of words for a chunk, in the order of its columns."""
    day = dt.date.fromisoformat(date) if date else None
    words, headings, further = text_fields(title, heading, decompress_text(text))
    return words, headings, path_field(path, day), further


_WORDS_TABLE = (
    "create virtual table {name} using fts5(text, heading, path, parts, content='',"
    f' contentless_delete=1, tokenize="{TOKENIZER}")'
)
"""Statement that makes an index of words, by name."""

_NEW_WORDS = "new_fts"
"""Index of words that is being written, and takes the place of `fts` when it has all of them."""

_STEP = 200
"""Chunks whose words are written again in one step, in some 0.2 seconds."""

_CHUNKS_WITHOUT_WORDS = f"""
select chunk.id, path, title, date, heading, text from chunk
join document on document.id = document
where chunk.id > ? and chunk.id not in (select id from {_NEW_WORDS}_docsize)
order by chunk.id limit ?
"""
"""First chunks after one that the new index of words lacks."""

NAME_TABLE = """
create table {name}(
  document integer not null references document(id) on delete cascade,
  key text not null, primary key(document, key)) strict, without rowid
"""
"""Statement that makes a table of names, by name."""

TAG_TABLE = """
create table {name}(
  document integer not null references document(id) on delete cascade,
  name text not null, label text not null, primary key(document, name)) strict, without rowid
"""
"""Statement that makes a table of tags, by name."""

MIGRATIONS: tuple[Callable[[apsw.Connection], None], ...] = (
    _base_tables,
    _packed_texts,
    _revisions,
    _line_signs,
    _sign_blocks,
    _page_checksums,
    _tags,
    _names,
    _changes_of_entries,
    _normal_words,
)
"""Steps from each version to the next; the version of a file is the number of steps it has had."""

_CHECKSUMS = MIGRATIONS.index(_page_checksums) + 1
"""Version that brought the checksums of pages."""

_FORMER_WORDS = MIGRATIONS.index(_normal_words)
"""Last version whose words are not in their normal form."""

OnStep: TypeAlias = Callable[[int, int], object]
"""Function that is called before each step of a migration with the number of chunks so far and of
all. It may raise Cancelled: the next migration goes on there."""


def migrate(db: apsw.Connection, path: Path, on_step: OnStep = lambda _done, _total: None) -> None:
    """Migrate the file to the latest schema. Raises IndexTooNew, IndexCorrupt, or as on_step does.

    Searches find the words of an older index until the new ones are all there.
    """
    version = check_schema_version(db, path)
    # The file is rewritten for this, which no transaction may hold.
    if not has_page_checksums(db):
        add_page_checksums(db)
    if version == len(MIGRATIONS):
        return
    # Writing all words again takes a while, which may end at any moment.
    if 0 < version <= _FORMER_WORDS:
        _apply(db, version, _FORMER_WORDS)
        version = _FORMER_WORDS
        for done, total in write_words_anew(db):
            on_step(done, total)
    _apply(db, version, len(MIGRATIONS))


def _apply(db: apsw.Connection, version: int, last: int) -> None:
    """Bring a file from one version to another."""
    # All in one transaction, since a search of that moment would miss the tables of later steps.
    with db:
        for step in MIGRATIONS[version:last]:
            step(db)
        db.execute(f"pragma application_id = {APPLICATION_ID}")
        db.execute(f"pragma user_version = {last}")


def check_schema_version(db: apsw.Connection, path: Path) -> int:
    """Version of the file, 0 for an empty one.

    Raises IndexTooNew, IndexCorrupt for other files, or apsw.CorruptError.
    """
    # An empty file is a new index; any other has to say that it is ours, and in which version.
    with db:  # one moment, since its writer may make its tables at the same time
        version = int(db.pragma("user_version"))
        is_empty = not db.execute("select 1 from sqlite_schema limit 1").fetchone()
    if is_empty:
        return 0
    # A database of another program is neither read nor changed.
    if db.pragma("application_id") != APPLICATION_ID or version < 1:
        foreign = IndexCorrupt(
            "This search index was not created by Scrubjay",
            msg("{path} belongs to another program.", path=path),
        )
        foreign.file = path
        raise foreign
    if version > len(MIGRATIONS):
        raise IndexTooNew(
            "This search index was created by a newer version of Scrubjay",
            msg(
                "{path} has version {version}, but this version of Scrubjay can only read "
                "versions up to {known}.",
                path=path,
                version=str(version),
                known=str(len(MIGRATIONS)),
            ),
            hint=(
                "Update Scrubjay, or delete the search index. Scrubjay will then "
                "rebuild it from your notes."
            ),
        )
    # A header that was damaged no longer reserves bytes for checksums.
    if version >= _CHECKSUMS and not has_page_checksums(db):
        raise apsw.CorruptError
    return version
