"""Parsing: what source files import and declare, read with ast-grep; one reader per language family."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from tx_graph.code.details import places as plain_places
from tx_graph.code.imports import NO_SURFACE, Specifier, Surface
from tx_graph.code.languages import LANGUAGES, language_of
from tx_graph.code.symbols import Symbol
from tx_graph.code.tree import (
    MOST_READ,
    Reader,
    Tree,
    declared,
    decoded,
    first_line,
    numbered,
    on_one_line,
    shortened,
    signature,
)
from tx_graph.code.uses import CLASS, NO_USES, Place, Uses, pack
from tx_graph.core.dataclass import dataclass, replace

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_LONG_LINES = 500
"""Bytes per line on average from which a script is minified: written code has about 30, tables of data 100."""
_LEAST = 2_000  # bytes below which a script is read whatever its lines: there is little to lose
SCRIPTS = frozenset({"javascript", "jsx", "typescript", "tsx", "vue"})
_BUNDLES = (".min.js", ".min.mjs", ".min.cjs", ".bundle.js", "-min.js")


def why_skipped(path: str, language: str, content: bytes) -> str:
    """Return, as a sentence's end, why a source file is not worth reading; empty when it is."""
    if b"\0" in content and not content.startswith(_UTF16_MARKS):
        return "is binary"
    if language not in SCRIPTS:
        return ""
    is_minified = len(content) >= _LEAST and len(content) > _LONG_LINES * (content.count(b"\n") + 1)
    return "is minified" if path.endswith(_BUNDLES) or (is_minified and not _is_barrel(content)) else ""


def _is_barrel(content: bytes) -> bool:
    """Whether a script does nothing but import and hand on, however long its lines are."""
    statements: list[bytes] = []
    for statement in content.split(b";"):
        rest = statement.strip()
        while rest.startswith((b"//", b"/*")):
            _, end, rest = rest.partition(b"\n" if rest.startswith(b"//") else b"*/")
            rest = rest.strip() if end else b""
        statements += [rest] if rest else []
    return all(
        one.startswith((b"export", b"import"))
        and one[6:].removeprefix(b" type").lstrip().startswith((b"{", b"*", b'"', b"'"))
        and not any(sign in one for sign in b"=()")
        for one in statements
    )


COMPONENT = "component"
"""The kind of the symbol that a whole file of Vue is."""
_IN_PART = ", and was read as far as possible"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceReading:
    """What one source file says: its imports and its declarations, both in source order, and its surface.

    `uses` is what it says about its names, packed; empty where nobody asked. `problem` says, as a sentence's end, why
    it could be read only in part; empty when there is none.
    """

    specifiers: tuple[Specifier, ...] = ()
    symbols: tuple[Symbol, ...] = ()
    surface: Surface = NO_SURFACE
    uses: bytes = b""
    problem: str = ""


def why_unable() -> str:
    """Return why nothing can be parsed here; empty when ast-grep-py loads. It has no wheel for some platforms."""
    try:
        importlib.import_module("ast_grep_py")
    except ImportError as error:
        return f"ast-grep-py cannot be loaded ({error})"
    return ""


def read_source(path: str, source: bytes) -> SourceReading:
    """Return what a file imports, declares and offers, parsing it once; nothing for a language we do not read."""
    language = language_of(path)
    if language is None:
        return SourceReading()
    reader = reader_of(language)
    tree = reader.parse(decoded(source), language)
    asks = reader.import_word is None or reader.import_word.search(tree.text)
    symbols = symbols_in(path, tree)
    uses, places = _walked(path, tree, reader.uses)
    return SourceReading(
        specifiers=tuple(reader.specifiers(tree)) if asks else (),
        symbols=(*symbols, *_details(path, tree, symbols, places, language)),
        surface=reader.surface(tree),
        uses=pack(uses) if reader.uses else b"",
        problem=_problem(tree, source, tells_errors=reader.tells_errors),
    )


def read_symbols(path: str, source: bytes) -> tuple[Symbol, ...]:
    """Return what a file declares, each name unique within the file (`#2` marks the second of a name)."""
    language = language_of(path)
    return symbols_in(path, reader_of(language).parse(decoded(source), language)) if language else ()


def symbols_in(path: str, tree: Tree | None) -> tuple[Symbol, ...]:
    """Return what a parsed file declares; nothing in a language that we do not read."""
    language = language_of(path)
    return tuple(numbered(reader_of(language).symbols(path, tree))) if language and tree else ()


def _problem(tree: Tree, source: bytes, *, tells_errors: bool) -> str:
    """Return why a file could be read only in part: its encoding, or where the grammar lost its way first.

    Where the reader tells no errors, none are looked for: grammars stumble over macros, and symbols suffer little.
    Else declarations may have been lost with an error at the top of a file, or where brackets do not pair up. One deep
    inside is more often a gap of the grammar, and looking at all nodes takes a fifth of what parsing takes.
    """
    if "\ufffd" in tree.text and "\ufffd".encode() not in source:
        return f"is not UTF-8{_IN_PART}"
    if not tells_errors:
        return ""
    error = next((node for node in tree.root.children() if node.kind() == "ERROR"), None)
    if any(tree.text.count(opening) != tree.text.count(closing) for opening, closing in ("()", "[]", "{}")):
        error = tree.root.find(kind="ERROR")
    return f"has a syntax error in line {first_line(error)}{_IN_PART}" if error else ""


def details_in(path: str, tree: Tree | None, symbols: Sequence[Symbol]) -> tuple[Symbol, ...]:
    """Return what a parsed file declares beside its symbols, in source order."""
    language = language_of(path)
    if language is None or tree is None:
        return ()
    return tuple(_details(path, tree, symbols, _walked(path, tree, reader_of(language).uses)[1], language))


def _details(
    path: str, tree: Tree, symbols: Sequence[Symbol], places: Mapping[str, Place], language: str
) -> Iterator[Symbol]:
    known = {one.name for one in symbols}
    for name, (kind, node) in (plain_places(tree, symbols, language) | dict(places)).items():
        if kind == COMPONENT:
            whole = declared(path, name, kind, node, node, None, f"<{name}>")
            yield replace(whole, is_detail=True, line_start=1, line_end=tree.text.count("\n") + 1)
        elif name not in known and "\n" not in name:
            body = node.field("body")
            if body is None and kind in _WITH_BODIES:
                body = next((part for part in map(_body_of, node.children()) if part), None)
            head = signature(tree, node, body) if body else shortened(on_one_line(_head_of(node)))
            body = body or _value_of(node)
            yield replace(declared(path, name, kind, node, node, body, head.rstrip("; ,\\")), is_detail=True)


_WITH_BODIES = frozenset({"function", "method", "class"})
_DECLARATIONS = frozenset(
    "const_declaration constant_declaration declaration field_declaration lexical_declaration property_declaration"
    " variable_declaration".split()
)


def _body_of(node: SgNode) -> SgNode | None:
    return node.field("body") or (value.field("body") if (value := node.field("value")) else None)


def _value_of(node: SgNode) -> SgNode | None:
    """Return what a statement gives to the only name that it names."""
    if node.kind() in _DECLARATIONS:
        return next((value for child in node.children() if (value := child.field("value"))), None)
    return node.field("right") or node.field("value")


def _head_of(node: SgNode) -> str:
    """Return the first line of a node."""
    return node.text()[:MOST_READ].split("\n", 1)[0]


_DEEPEST = 20_000
"""Calls inside each other that a walk of a tree may take: some ten for each bracket that stands in another."""


def _walked(path: str, tree: Tree, walker: str) -> tuple[Uses, Mapping[str, Place]]:
    """Return what the names in a file mean, and where they are defined; nothing of one that is nested too deeply."""
    if not walker:
        return NO_USES, {}
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _DEEPEST))
    try:
        uses, places = _walker(walker)(tree)
    except RecursionError:
        return NO_USES, {}
    finally:
        sys.setrecursionlimit(before)
    return _as_component(path, tree, uses, places) if path.endswith(".vue") else (uses, places)


def _as_component(path: str, tree: Tree, uses: Uses, places: Mapping[str, Place]) -> tuple[Uses, Mapping[str, Place]]:
    """Return the same, with the component that a file is, by the file's name: what imports it by default means that."""
    name = path.rpartition("/")[2].partition(".")[0]
    if not name or name in uses.definitions or any(one.local == name for one in uses.bindings):
        return uses, places
    exports = (("default", name), *(one for one in uses.exports or () if one[0] != "default"))
    return (
        replace(uses, definitions={**uses.definitions, name: CLASS}, exports=exports),
        {**places, name: Place(COMPONENT, tree.root)},
    )


@cache
def _walker(name: str) -> Callable[[Tree], tuple[Uses, Mapping[str, Place]]]:
    walker: Callable[[Tree], tuple[Uses, Mapping[str, Place]]] = importlib.import_module(
        f"tx_graph.code.uses.{name}"
    ).uses
    return walker


@cache
def reader_of(language: str) -> Reader:
    """Return the reader of a language."""
    module, _, name = LANGUAGES[language].reader.partition(":")
    reader: Reader = getattr(importlib.import_module(f"tx_graph.code.readers.{module}"), name or "READER")
    return reader
