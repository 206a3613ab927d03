"""Vue: the scripts of a single-file component, read as one source with the component's line numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tx_graph.code.imports import Specifier
from tx_graph.code.readers import javascript
from tx_graph.code.readers import javascript as declarations
from tx_graph.code.tree import Reader, Tree, blanked

_ATTRIBUTES = r"""(?:"[^"]*"|'[^']*'|[^>"'])*"""
_FLAGS = re.DOTALL | re.IGNORECASE
_OPENING = re.compile(rf"<!--.*?-->|<(?P<tag>[a-z][\w-]*)(?P<attributes>{_ATTRIBUTES})>", _FLAGS)
_LANGUAGES = {"ts": "typescript", "tsx": "tsx", "jsx": "jsx"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Block:
    """A top-level element of a component; `start` and `end` are the offsets of its content."""

    tag: str
    attributes: str
    start: int
    end: int

    def attribute(self, name: str) -> str | None:
        """Return the value of an attribute."""
        match = re.search(rf"""(?:^|\s){name}\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", self.attributes)
        return next((value for value in match.groups() if value is not None), None) if match else None


def read(text: str, language: str) -> Tree:
    """Return the tree of a component's scripts, with `<script src>` among the imports outside it."""
    del language  # each script names its own
    scripts = [block for block in _blocks(text) if block.tag == "script"]
    named = (_LANGUAGES.get(script.attribute("lang") or "") for script in scripts)
    tree = javascript.parse(_only(scripts, text), next((name for name in named if name), "javascript"))
    return replace(tree, outside=tuple(_sources(scripts, text)))


def specifiers(tree: Tree) -> Iterator[Specifier]:
    """Yield what a component imports."""
    yield from tree.outside
    yield from javascript.specifiers(tree)


def _blocks(text: str) -> Iterator[_Block]:
    """Yield the top-level elements; what stands in comments or in other elements is none."""
    position = 0
    while opening := _OPENING.search(text, position):
        position = opening.end()
        tag = (opening["tag"] or "").lower()
        if not tag:
            continue
        end = position
        if not opening["attributes"].endswith("/"):
            end, position = _closing(text, tag, position, opening["attributes"])
        yield _Block(tag=tag, attributes=opening["attributes"], start=opening.end(), end=end)


def _closing(text: str, tag: str, position: int, attributes: str) -> tuple[int, int]:
    """Return where an element's content ends and where the text after it starts; only HTML templates nest."""
    nests = tag == "template" and "lang=" not in attributes
    depth = 1
    edges = re.compile(rf"<!--.*?-->|<(?P<slash>/?){tag}\b(?P<attributes>{_ATTRIBUTES})>", _FLAGS)
    for match in edges.finditer(text, position):
        if match["slash"]:
            depth -= 1
        elif match["slash"] is not None and nests and not match["attributes"].endswith("/"):
            depth += 1
        if depth == 0:
            return match.start(), match.end()
    return len(text), len(text)


def _only(scripts: list[_Block], text: str) -> str:
    """Return the scripts' code with everything else blanked, so that lines keep their numbers."""
    pieces, position = [], 0
    for script in scripts:
        pieces += [_blank(text[position : script.start]), text[script.start : script.end]]
        position = script.end
    return "".join(pieces)


def _blank(markup: str) -> str:
    """Return as many blanks and lines; the semicolon ends a statement that the script before left open."""
    return blanked(markup[:-1]) + ";"


def _sources(scripts: list[_Block], text: str) -> Iterator[Specifier]:
    for script in scripts:
        if source := script.attribute("src"):
            yield Specifier(module=source, line=text.count("\n", 0, script.start) + 1)


READER = Reader(specifiers=specifiers, symbols=declarations.symbols, parse=read)
