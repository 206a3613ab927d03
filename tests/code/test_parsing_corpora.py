"""Whole corpora of corner cases: every import and every symbol in them, nothing more and nothing less."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from tests.corpora import FACTS, Case, Corpus, corpora, load, rules
from tx_graph.code.imports import Offered, Specifier, Surface
from tx_graph.code.languages import language_of, resolver_of
from tx_graph.code.parsing import SourceReading, read_source, read_symbols
from tx_graph.code.resolvers import RepositoryIndex, resolve_imports


@pytest.mark.parametrize("path", corpora("imports"), ids=lambda path: path.stem)
def test_every_import_of_the_corpus_is_found_with_its_type(path: Path) -> None:
    corpus = load(path)
    unscored = {(source, target.strip()) for source, target, *_ in corpus.unscored}
    expected = {(source, target): kind.strip() for source, target, kind in corpus.expected}

    found = {pair: kind for pair, kind in _edges(corpus).items() if pair not in unscored}

    assert found == expected


@pytest.mark.parametrize("path", corpora("symbols"), ids=lambda path: path.stem)
def test_every_symbol_of_the_corpus_is_found_on_its_lines(path: Path) -> None:
    corpus = load(path)
    found = _symbols(corpus)
    expected = [_expectation(fields) for fields in corpus.expected]

    missed = [
        (name, first, last)
        for name, first, last in expected
        if not any(start in first and end in last for start, end in found.get(name, ()))
    ]

    assert missed == []


@pytest.mark.parametrize("path", corpora("symbols"), ids=lambda path: path.stem)
def test_no_symbol_of_the_corpus_is_made_up(path: Path) -> None:
    corpus = load(path)
    known = {_expectation(fields)[0] for fields in corpus.expected}
    unscored = {(file, " ".join(name).strip()) for file, *name in corpus.unscored}

    assert set(_symbols(corpus)) - known - unscored == set()


@pytest.mark.parametrize(
    "path", [*corpora("imports"), *corpora("symbols")], ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_reading_leaves_no_cycles_that_would_keep_trees_in_memory(path: Path) -> None:
    files = load(path).files
    for name, text in files.items():
        read_source(name, text.encode())  # what is made once may hold cycles
    gc.disable()
    gc.freeze()  # all that the other tests have imported and made would be looked through too
    try:
        for name, text in files.items():
            read_source(name, text.encode())

        assert gc.collect() == 0
    finally:
        gc.unfreeze()
        gc.enable()


READINGS = rules("readings")


@pytest.mark.parametrize("cases", READINGS.values(), ids=READINGS)
def test_sources_say_what_their_rule_expects(cases: list[Case]) -> None:
    for case in cases:
        found = read_source(case.about, "".join(f"{line}\n" for line in case.lines).encode())
        assert {fact: FACTS[fact](found) for fact in case.expected} == case.expected


@pytest.mark.parametrize("cases", READINGS.values(), ids=READINGS)
def test_windows_line_ends_move_no_line(cases: list[Case]) -> None:
    for case in cases:
        found = read_source(case.about, "".join(f"{line}\r\n" for line in case.lines).encode())
        placed = {fact: value for fact, value in case.expected.items() if fact in {"lines", "places", "module_lines"}}
        assert {fact: FACTS[fact](found) for fact in placed} == placed


LANDINGS = rules("landings")


@pytest.mark.parametrize("cases", LANDINGS.values(), ids=LANDINGS)
def test_imports_land_where_their_rule_expects(cases: list[Case]) -> None:
    for case in cases:
        assert {asked: _landing(case, asked) for asked in case.expected} == case.expected


def _landing(case: Case, asked: str) -> list[str] | str:
    """Return the files that an import leads to, else the reason why there are none.

    `asked` is a source and what it imports: `a.ts | ./b`, with name and scope after it where it has some. The case has
    a file a line: `path`, `path: text`, or its text on lines of their own further in; `path = package | offers | uses`
    has a surface.
    """
    texts: dict[str, str] = {}
    surfaces: dict[str, Surface] = {}
    path = ""
    for line in case.lines:
        if line.startswith("    ") or not line:
            texts[path] += f"{line[4:]}\n"
        elif " = " in line:
            path, _, told = line.partition(" = ")
            package, offers, uses, *_ = [part.strip() for part in f"{told}||".split("|")]
            offered = tuple(Offered(*name.partition("=")[::2]) for name in offers.split())
            texts[path], surfaces[path] = "", Surface(package=package, offers=offered, uses=tuple(uses.split()))
        else:
            path, _, text = line.partition(":")
            texts[path] = text.strip()
    source, module, name, scope, *_ = [*asked.split(" | "), "", ""]
    found = resolve_imports(
        source=source,
        language=case.about,
        specifiers=[Specifier(module=module, name=name or None, scope=scope)],
        index=RepositoryIndex(texts, texts.get, lambda _: surfaces),
    )
    return sorted(edge.target for edge in found.edges) or next((one.reason for one in found.unresolved), [])


def _edges(corpus: Corpus) -> dict[tuple[str, str], str]:
    readings = {path: read_source(path, text.encode()) for path, text in corpus.files.items() if language_of(path)}
    index = RepositoryIndex(corpus.files, corpus.files.get, lambda resolver: _surfaces(readings, resolver))
    return {
        (edge.source, edge.target): str(edge.type)
        for path, reading in readings.items()
        for edge in resolve_imports(
            source=path, language=language_of(path) or "", specifiers=reading.specifiers, index=index
        ).edges
    }


def _surfaces(readings: dict[str, SourceReading], resolver: str) -> dict[str, Surface]:
    return {path: reading.surface for path, reading in readings.items() if resolver_of(language_of(path)) == resolver}


def _symbols(corpus: Corpus) -> dict[tuple[str, str], list[tuple[int, int]]]:
    """Return the lines of every (path, name); a repeated name is one name with several ranges."""
    found: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for path, text in corpus.files.items():
        for symbol in read_symbols(path, text.encode()):
            name = symbol.name.partition("#2")[0]
            found.setdefault((path, name), []).append((symbol.line_start, symbol.line_end))
    return found


def _expectation(fields: list[str]) -> tuple[tuple[str, str], range, range]:
    path, *name, _, first, last = fields
    return (path, " ".join(name)), _lines(first), _lines(last)


def _lines(text: str) -> range:
    low, _, high = text.strip().partition("-")
    return range(int(low), int(high or low) + 1)
