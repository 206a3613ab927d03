"""Zig: what a file imports and declares, by its words and braces; ast-grep has no grammar for it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from tx_graph.code.imports import Specifier
from tx_graph.code.symbols import Extent, Symbol
from tx_graph.code.tree import MOST_READ, Reader, Tree, on_one_line, parse_as, shortened
from tx_graph.core.dataclass import dataclass

_PLAIN = r'//[^\n]*+|\\\\[^\n]*+|"(?:[^"\\\n]|\\.)*+"?|\'(?:[^\'\\\n]|\\.)*+\'?'
"""Comments, the lines of long strings, strings and characters: none of them has more than one line."""
_NAME = r'(?:@"[^"\\\n]++"|[^\W\d]\w*+)'
_TAG = r"(?: \s* \((?:[^()\n]|\([^()\n]*+\))*+\) )?"
_LEXEME = re.compile(
    rf"""
    {_PLAIN}
    | (?P<sign>[{{}};])
    | (?<![.\w]) (?: (?:pub|export|inline|noinline|threadlocal|comptime|extern(?:[ ]*"[^"\n]*")?) \s++ ){{0,6}}+
      (?: fn \s++ (?P<function>{_NAME})
        | (?:(?P<fixed>const)|var) \s++ (?P<value>{_NAME}) (?: \s* = \s* (?:(?:extern|packed) \s++)?
          (?P<container>struct|enum|union|opaque|error) \b {_TAG} \s*+ \{{ )?
        | (?P<test>test) \s*+ (?P<title>"(?:[^"\\\n]|\\.)*+"|{_NAME})? \s*+ \{{ )
    | (?<!\w) return \s++ (?:(?:extern|packed) \s++)? (?P<returned>struct|enum|union|opaque) \b {_TAG} \s*+ \{{
    """,
    re.VERBOSE,
)
_NO_BODY = re.compile(r"(?:\.|\b(?:error|struct|enum|union|opaque)\s*+(?:\([^()\n]*+\))?)\s*+$")
"""What stands before a brace in a function's head that does not open its body."""
_MOST_BEFORE = 80  # characters in front of such a brace that say so
_LONGEST_HEAD = 2_000  # characters of a function's head, or of a line in front of an import, that are looked at
_OTHER_NAME = re.compile(r"\s*=\s*(?:@import\b|[a-zA-Z_][\w.]*+;)")
_CALLABLES = frozenset({"function", "method"})
_LONGEST_TITLE = 100  # characters of a test's name
_COMMENT = re.compile(r"//[^\n]*+")
_KINDS = {"opaque": "type", "error": "type"}
_IMPORT = re.compile(r'@import\s*+\(\s*+"(?P<module>[^"\\\n]++)"')
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*+"?|\'(?:[^\'\\\n]|\\.)*+\'?')
"""A string, or what of one stands in the line."""


def _parse(text: str, language: str) -> Tree:
    return Tree(text=text, root=parse_as("", "json").root, is_bare=True)


def _specifiers(tree: Tree) -> Iterator[Specifier]:
    """Yield what a file imports; a comment or a long string goes to the end of its line."""
    text, line, position = tree.text, 1, 0
    for found in _IMPORT.finditer(text):
        begins = max(text.rfind("\n", 0, found.start()) + 1, found.start() - _LONGEST_HEAD)
        before = _STRING.sub("", text[begins : found.start()])
        if "//" not in before and "\\\\" not in before:
            line, position = line + text.count("\n", position, found.start()), found.start()
            yield Specifier(module=found["module"], line=line)


@dataclass(slots=True, kw_only=True)
class _Open:
    """A declaration that has not ended.

    `depth` is how many braces were open where it began, `head_end` where its body begins, once that is met, and
    `inside` how many braces are open where its members stand: a struct's own, or those of the one that a function
    returns. It is -1 where there are none.
    """

    name: str
    kind: str
    start: int
    depth: int
    head_end: int = 0
    inside: int = -1
    makes_types: bool = False


def _symbols(path: str, tree: Tree) -> Iterator[Symbol]:
    """Yield the declarations of a file and of its containers; those inside functions are none."""
    text, depth = tree.text, 0
    lines = [0, *(found.end() for found in re.finditer("\n", text))]
    around: list[_Open] = []
    ended: list[Symbol] = []

    def end(position: int) -> None:
        one = around.pop()
        extent = Extent(one.start, one.head_end or position, position)
        head = on_one_line(_COMMENT.sub("", text[one.start : min(extent.head_end, one.start + MOST_READ)]))
        ended.append(
            Symbol(
                path=path,
                name=one.name,
                kind=one.kind,
                line_start=bisect_right(lines, one.start),
                line_end=bisect_right(lines, position - 1),
                signature=shortened(head.removesuffix(";")),
                extent=extent,
            )
        )

    for found in _LEXEME.finditer(text):
        sign, inner = found["sign"], around[-1] if around else None
        if sign == ";":
            if inner and not inner.head_end and depth == inner.depth:
                end(found.end())
        elif sign == "}":
            depth -= 1
            if inner and depth < inner.inside:
                inner.inside = -1
            if inner and inner.head_end and depth <= inner.depth:
                end(found.end())
        elif sign:
            if inner and not inner.head_end and inner.kind in _CALLABLES and depth == inner.depth:
                head = _COMMENT.sub("", text[inner.start : min(found.start(), inner.start + _LONGEST_HEAD)])
                if head.count("(") == head.count(")") and not _NO_BODY.search(head[-_MOST_BEFORE:]):
                    inner.head_end, inner.makes_types = found.start(), head.rstrip().endswith(" type")
            depth += 1
        elif found["returned"]:
            if inner and inner.makes_types and depth == inner.depth + 1:
                inner.inside = depth + 1
            depth += 1
        else:
            opens = bool(found["container"] or found["test"])
            if depth == (inner.inside if inner else 0) and (one := _declared(found, inner, depth)):
                around.append(one)
            depth += opens
    while around:
        end(len(text))
    yield from sorted(ended, key=lambda one: (one.line_start, -one.line_end))


def _declared(found: re.Match[str], inner: _Open | None, depth: int) -> _Open | None:
    """Return what begins here: a function, a container, a test, or a public constant that is more than another name."""
    value, title = found["value"], (found["title"] or "").strip('"')
    if title:
        name, kind = f"test {' '.join(title.split())}"[:_LONGEST_TITLE], "function"
    elif found["function"]:
        name, kind = found["function"], "method" if inner else "function"
    elif value and found["container"]:
        name, kind = value, _KINDS.get(found["container"], found["container"])
    elif value and found["fixed"] and found[0].startswith("pub") and not _OTHER_NAME.match(found.string, found.end()):
        name, kind = value, "const"
    else:
        return None
    opens = bool(found["container"] or found["test"])
    return _Open(
        name=(f"{inner.name}::" if inner else "") + (name[2:-1] if name.startswith("@") else name),
        kind=kind,
        start=found.start(),
        depth=depth,
        head_end=found.end() - 1 if opens else 0,
        inside=depth + 1 if found["container"] else -1,
    )


READER = Reader(specifiers=_specifiers, symbols=_symbols, import_word=re.compile("@import"), parse=_parse)
