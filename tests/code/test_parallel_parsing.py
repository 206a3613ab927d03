"""However many processes parse, the same comes out, in the same order; a crash costs one file."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator
from contextlib import closing
from itertools import count
from typing import cast

import pytest

from tx_graph.code import tree
from tx_graph.code.parallel import Source, _Parsers, decode, encode, parse_all
from tx_graph.code.parsing import SourceReading, read_source

_DYING = """

import os
from tx_graph.core.processes import serve
def answer(source):
    if source[1] == b"die":
        os.abort()
    while source[1] == b"hang":
        pass
    return source[1], ""
serve(answer)
"""
"""A parser that does not survive every file."""
GAVE_UP = "cannot be parsed: the parser crashed, or would not end"
LONG = b'text = """' + b"a long string is quickly parsed\n" * 2_000 + b'"""\n'


def test_other_processes_say_what_this_one_says() -> None:
    sources = [
        Source(f"m{number}.py", b"import a%d\n" % number + (LONG if number % 2 else b"def f(): ...\n"))
        for number in range(40)
    ]

    alone, together = (list(parse_all(sources, processes=processes)) for processes in (1, 3))

    assert sum(len(source.content) for source in sources) > 1_000_000
    assert [path for path, _ in together] == [source.path for source in sources]
    assert together == alone


def test_sources_are_asked_for_only_as_they_are_parsed() -> None:
    taken: list[int] = []

    def endless() -> Iterator[Source]:
        for number in count():
            taken.append(number)
            yield Source(f"m{number}.py", LONG)

    with closing(cast("Generator[object]", parse_all(endless(), processes=2))) as found:
        next(found)

    assert len(taken) < 40


def test_a_process_that_dies_costs_nothing_but_the_file_that_killed_it() -> None:
    with _Parsers(_DYING) as workers:
        found = workers.parse([Source("a.py", b"1"), Source("killer.py", b"die"), Source("b.py", b"2")])

    assert found == [(b"1", ""), (None, GAVE_UP), (b"2", "")]


def test_a_file_that_is_never_read_to_its_end_costs_only_itself() -> None:
    with _Parsers(_DYING, patience=0.5) as workers:
        found = workers.parse([Source("a.py", b"1"), Source("endless.py", b"hang")])

    assert found == [(b"1", ""), (None, GAVE_UP)]


def test_a_process_that_was_killed_while_idle_is_no_fault_of_the_next_file() -> None:
    with _Parsers() as workers:
        first = workers.parse([Source("a.py", b"def a(): ...")])
        for worker in workers._all:
            worker.kill()
            worker.wait()

        assert workers.parse([Source("a.py", b"def a(): ...")]) == first


def test_where_no_process_can_be_started_this_one_parses(monkeypatch: pytest.MonkeyPatch) -> None:
    sources = [Source(f"m{number}.py", b"def f(): ...\n" + LONG) for number in range(20)]
    expected = list(parse_all(sources, processes=1))
    monkeypatch.setattr(sys, "executable", "/nowhere/python")

    assert list(parse_all(sources, processes=2)) == expected


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", "import a.b\nfrom . import c\n\n\nclass A(B):\n    def m(self): ...\n    def m(self, x): ...\n"),
        ("a.ts", "export * from './b';\nexport const f = (x: number) => x;\nimport('./lazy');\n"),
        ("a.py", "def broken(:\n"),
        ("a.py", ""),
    ],
)
def test_what_is_encoded_comes_back(path: str, text: str) -> None:
    reading = read_source(path, text.encode())

    assert decode(encode(reading), path) == reading


@pytest.mark.parametrize("damage", [b"", b"no zlib", encode(SourceReading())[:-2]])
def test_damaged_bytes_are_refused(damage: bytes) -> None:
    with pytest.raises(ValueError, match="not a reading"):
        decode(damage, "a.py")


def test_blanks_are_tried_by_another_process_only_where_a_grammar_is_slow_on_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    blanks = "\n" * 2_000 + " " * 2_000
    monkeypatch.setattr(tree, "Crew", None)
    assert tree.parse_as(blanks, "rust").text == blanks
    with pytest.raises(TypeError):
        tree.parse_as(blanks, "elixir")
