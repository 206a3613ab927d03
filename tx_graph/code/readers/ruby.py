"""Ruby: what a file requires."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from tx_graph.code.imports import Specifier
from tx_graph.code.readers import symbols_only
from tx_graph.code.tree import Tree, around, first_line, text_of

_WORD = re.compile("require|autoload|load")
_CALLS = frozenset({"require", "require_relative", "load", "autoload"})
_HERE = r"(?:__dir__|File\.dirname\(\s*__FILE__\s*\))"
_BESIDE = re.compile(
    rf"""(?:{_HERE}\s*\+\s*|File\.join\(?\s*{_HERE}\s*,\s*)(?P<first>["'])(?P<added>[^"'#]+)(?P=first)\s*\)?
    | "\#\{{{_HERE}\}}(?P<within>[^"\#]+)"
    | File\.expand_path\(?\s*(?P<second>["'])(?P<path>[^"'#]+)(?P=second)\s*,\s*(?:(?P<file>__FILE__)|{_HERE})\s*\)?""",
    re.VERBOSE,
)
"""A path that starts at the directory of the file, or at the file as if it were one."""
_PLAIN = re.compile(r"""(["'])([^"'#\\]+)\1""")


def specifiers(tree: Tree) -> Iterator[Specifier]:
    """Yield what a file loads, by a path on the load path or, with the name `require_relative`, from its directory."""
    for node in around(tree, _WORD, leaves=("comment", "string")):
        method, receiver, arguments = node.field("method"), node.field("receiver"), node.field("arguments")
        word = text_of(method) if node.kind() == "call" else ""
        if word not in _CALLS or not arguments or (receiver and receiver.text() != "Kernel"):
            continue
        written = arguments.named_children()
        if len(written) <= (word == "autoload"):
            continue
        text, line = written[word == "autoload"].text(), first_line(node)
        if plain := _PLAIN.fullmatch(text):
            yield Specifier(module=plain[2], name="require_relative" if word == "require_relative" else None, line=line)
        elif beside := _BESIDE.fullmatch(text):
            path = (beside["added"] or beside["within"] or beside["path"]).lstrip("/")
            if not beside["file"] or path.startswith("../"):
                path = path.removeprefix("../") if beside["file"] else path
                yield Specifier(module=path, name="require_relative", line=line)


RUBY = replace(symbols_only.RUBY, specifiers=specifiers, import_word=_WORD)
