"""Code inside other text: the fences of a document, the scripts, styles and expressions of a page."""

from __future__ import annotations

from tx_graph.codebase.parsing.canonical.grammars import rules_of
from tx_graph.codebase.parsing.canonical.parts import Part, Source, grown
from tx_graph.codebase.parsing.canonical.trees import tree_of


def embedded(source: Source, start: int, end: int, path: str) -> list[Part] | None:
    """Return a stretch of text read as a file of this name would be; None where there is no grammar for it."""
    return _read(source, source.text[start:end], start, path)


def expression(source: Source, start: int, end: int, path: str) -> list[Part] | None:
    """Return a stretch of text read as an expression; the characters around it are taken for brackets."""
    return _read(source, f"({source.text[start:end]})", start - 1, path)


def _read(source: Source, text: str, start: int, path: str) -> list[Part] | None:
    tree = tree_of(path, text)
    if tree is None:
        return None
    inner = Source(text=text)
    top = grown(tree.root, inner, rules_of(path))
    source.remarks.extend(remark.moved(start) for remark in inner.remarks)
    waiting = [top]
    while waiting:
        part = waiting.pop()
        part.start += start
        part.end += start
        waiting += part.parts or ()
    return [Part("code", top.start, top.end, parts=top.parts)]
