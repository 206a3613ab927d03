"""Explicit markup of reStructuredText: what a line that begins with `..` says, and how to read what is below it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from tx_graph.domain.document import LinkKind

_DIRECTIVE = re.compile(r"\.\. +(?:\|[^|]+\| +)?(?P<name>\w[\w:+.-]*) ?::(?: +(?P<argument>.*)|$)")
_TARGET = re.compile(r"\.\. +_(?![ ]|_)(?P<name>`[^`]+`|(?:[^:\\`]|\\.|:(?! |$))+):(?: +(?P<target>.*)|$)")
_NOTE = re.compile(r"\.\. +\[[^\]]+\](?: |$)")
_NAME = re.compile(r"[\w.:]*\w")

CODE = frozenset(
    """code code-block sourcecode literalinclude parsed-literal math raw highlight doctest testcode testsetup testoutput
    testcleanup prompt productionlist graphviz mermaid uml plantuml digraph graph jinja ipython console""".split()
)
"""Directives whose contents are no prose."""
TABLES = frozenset("table csv-table list-table".split())
_FILES = frozenset("include literalinclude image figure download thumbnail csv-table".split())
"""Directives whose argument is a file."""
_OBJECTS = frozenset(
    """attribute class classmethod data decorator enum exception function interface macro member method module property
    staticmethod struct type variable currentmodule""".split()
)


class Below(Enum):
    """How the indented lines under explicit markup are to be read."""

    PROSE = "prose"
    NOTHING = "nothing"
    PAGES = "pages"


@dataclass(frozen=True, slots=True, kw_only=True)
class Markup:
    """What a line of explicit markup says: a label or the name of a target, a link, and words that go on below."""

    below: Below = Below.PROSE
    label: str = ""
    target: str = ""
    link: tuple[LinkKind, str] | None = None
    words: str = ""


_COMMENT = Markup(below=Below.NOTHING)


def read_markup(line: str) -> Markup:
    """Return what a line says that begins with two dots and a blank."""
    if found := _DIRECTIVE.match(line):
        return _directive(found["name"].rpartition(":")[2], found["argument"] or "")
    if found := _TARGET.match(line):
        name = " ".join(found["name"].strip("`").replace("\\", "").split())
        return Markup(label=name, target=found["target"] or "")
    return Markup(words=line.partition("]")[2]) if _NOTE.match(line) else _COMMENT


def directive_of(line: str) -> str:
    """Return the name of the directive that a line begins, without its domain; empty if it begins none."""
    found = _DIRECTIVE.match(line)
    return found["name"].rpartition(":")[2] if found else ""


def _directive(name: str, argument: str) -> Markup:
    if name == "toctree":
        return Markup(below=Below.PAGES)
    below = Below.NOTHING if name in CODE else Below.PROSE
    if name in _FILES and argument:
        return Markup(below=below, link=(LinkKind.LINK, argument))
    if name in _OBJECTS or name.startswith("auto"):
        found = _NAME.match(argument)
        return Markup(below=below, link=(LinkKind.CODE, found[0]) if found else None)
    return Markup(below=below, words="" if below is Below.NOTHING else argument)
