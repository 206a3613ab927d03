"""Trees of sources, what is read of them, and outlines: each language family's module has its reader as `READER`."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from tx_graph.code.imports import NO_SURFACE, Specifier, Surface
from tx_graph.code.languages import LANGUAGES
from tx_graph.code.symbols import Extent, Symbol
from tx_graph.core.dataclass import dataclass, replace
from tx_graph.core.processes import CannotStart, Crew

if TYPE_CHECKING:
    from ast_grep_py import SgNode


_LONGEST = 200  # characters of a signature that people still read
MOST_READ = 4 * _LONGEST
"""Characters of source that a signature is made of; it may be written over many indented lines."""
_COMMENT_SIGNS = ("#", "//", "/*")
_OPENINGS = ("=>", "{", ":", "=")  # what opens a body; the longer first
_WRAPPED = re.compile(r"(?<=[(\[]) |,? (?=[)\]])")
"""What brackets that were written over several lines have too much on one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """A parsed source file.

    `outside` holds imports that stand outside the parsed code, such as Vue's `<script src>` and C's includes, `beside`
    the tree of what else there is: C's macros, what Vue's template uses. Where there is no grammar (`is_bare`), all is
    in the text, and the root has no children.
    """

    text: str
    root: SgNode
    outside: tuple[Specifier, ...] = ()
    beside: SgNode | None = None
    is_bare: bool = False


def pairs(text: str) -> dict[str, str]:
    """Return what is written as `key=value key=value`."""
    return dict(one.split("=") for one in text.split())


def parse(text: str, language: str) -> Tree:
    """Return the tree of a text in a language that has a grammar of its own."""
    return parse_as(text, LANGUAGES[language].grammar)


class NeverParsed(Exception):
    """The parser would not end, or crashed."""


_PERIOD, _LONG_RUN = 200, 1_000
"""Characters of a piece, and of a text that is nothing but this piece time and again. On such a text a grammar can work
for hours, Swift's for a minute on 4,000 of `/*/*`. In 5,000 files of eleven repositories are two, both harmless."""
_SLOW_ON_BLANKS = "elixir"
"""The one grammar that takes ten seconds for 75,000 of them; for others they also stand for what is masked."""
_PATIENCE = 10
"""Seconds that a text with such a run may take."""
_TRIAL = (
    f"import signal; hasattr(signal, 'setitimer') and signal.setitimer(signal.ITIMER_PROF, {_PATIENCE}); "
    "from ast_grep_py import SgRoot; from tx_graph.core.processes import serve; "
    "serve(lambda one: SgRoot(*one).root().kind())"
)
"""It ends itself as well: who started it may have been killed."""


def parse_as(text: str, grammar: str) -> Tree:
    """Return the tree of a text by a grammar that ast-grep has; it panics with a BaseException at others.

    Nothing ends a parser but the end of its process, so a text that may keep it busy is given to another one first.

    Raises:
        NeverParsed: The parser would not end.
    """
    from ast_grep_py import SgRoot

    if _is_monotonous(text, blanks=grammar == _SLOW_ON_BLANKS):
        with Crew(_TRIAL, patience=_PATIENCE) as crew, suppress(CannotStart):
            try:
                crew.ask([(text, grammar)])
            except EOFError:
                raise NeverParsed from None
    return Tree(text=text, root=SgRoot(text, grammar).root())


def _is_monotonous(text: str, *, blanks: bool) -> bool:
    """Whether some part of a text is one piece, time and again, which may be of `blanks`."""
    half = _LONG_RUN // 2
    for at in range(0, len(text) - _LONG_RUN, half):
        again = text.find(text[at : at + 16], at + 1, at + 16 + _PERIOD)
        part = text[at : at + half]
        if again >= 0 and part == text[again : again + half] and (blanks or not part.isspace()):
            return True
    return False


def decoded(source: bytes) -> str:
    """Return a file's text: UTF-8 with or without a mark, UTF-16 with one; what is neither is replaced."""
    if source.startswith((b"\xff\xfe", b"\xfe\xff")):
        return source.decode("utf-16", errors="replace")
    return source.decode("utf-8-sig", errors="replace")


def span_of(node: SgNode) -> tuple[int, int]:
    """Return where a node begins and ends in the text, in characters."""
    span = node.range()
    return span.start.index, span.end.index


def first_line(node: SgNode) -> int:
    """Return the line a node starts on, from 1."""
    return node.range().start.line + 1


def last_line(node: SgNode) -> int:
    """Return the line of a node's last character, from 1."""
    span = node.range()
    ends_before_line = span.end.column == 0 and span.end.line > span.start.line
    return span.end.line + (0 if ends_before_line else 1)


def declared(path: str, name: str, kind: str, first: SgNode, last: SgNode, body: SgNode | None, head: str) -> Symbol:
    """Return what a declaration says that begins and ends with these nodes; one without a body is all head."""
    start, end = span_of(first)[0], span_of(last)[1]
    return Symbol(
        path=path,
        name=name,
        kind=kind,
        line_start=first_line(first),
        line_end=last_line(last),
        signature=head,
        extent=Extent(start, span_of(body)[0] if body else end, end),
    )


def signature(tree: Tree, node: SgNode, body: SgNode | None) -> str:
    """Return the text of a declaration up to its body on one line, cut after 200 characters.

    What only opens the body (`{`, `:`, `=>`, `=`) is left out, as are comments, and decorators
    when `node` starts after them.
    """
    start, end = span_of(node)
    if body:
        end = span_of(body)[0]
    text = tree.text[start : min(end, start + MOST_READ)]
    waiting = [node]
    while waiting and any(sign in text for sign in _COMMENT_SIGNS):
        inner = waiting.pop()
        first, last = (place - start for place in span_of(inner))
        if not any(sign in text[first:last] for sign in _COMMENT_SIGNS):
            continue
        if inner.kind().endswith("comment"):
            text = f"{text[:first]}{' ' * (last - first)}{text[last:]}"
        else:
            waiting += inner.children()
    line = on_one_line(text)
    if opening := next(filter(line.endswith, _OPENINGS), ""):
        line = line.removesuffix(opening).rstrip()
    return shortened(line)


def on_one_line(text: str) -> str:
    """Return a text without line ends, and without what brackets over several lines leave."""
    line = " ".join(text.split())
    return _WRAPPED.sub("", line) if "\n" in text else line


def shortened(line: str) -> str:
    """Return a signature cut after 200 characters."""
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1].rstrip()}…"


def numbered(symbols: Iterable[Symbol]) -> Iterator[Symbol]:
    """Yield the symbols with names that are unique in the file: the second of a name gets `#2`, and so on."""
    seen: dict[str, int] = {}
    for symbol in symbols:
        seen[symbol.name] = count = seen.get(symbol.name, 0) + 1
        yield symbol if count == 1 else replace(symbol, name=f"{symbol.name}#{count}")


def around(tree: Tree, *words: re.Pattern[str], leaves: Collection[str] = ()) -> Iterator[SgNode]:
    """Yield the nodes in which one of the words stands, in source order, each before those inside it.

    Nodes of the kinds `leaves` are not looked into. Most trees have few such nodes, so that this costs a tenth of
    what a search of the whole tree costs. Words should start with plain letters: `re` finds those fastest.
    """
    places = sorted(match.start() for word in words for match in word.finditer(tree.text))
    waiting = tree.root.children()[::-1] if places else []
    while waiting:
        node = waiting.pop()
        start, end = span_of(node)
        if start > places[-1]:
            break
        if places[bisect_left(places, start)] < end:
            yield node
            if node.kind() not in leaves:
                waiting += reversed(node.children())


_VISIBLE = re.compile(r"[^\r\n]")


def blanked(text: str) -> str:
    """Return as many blanks, with the line breaks where they were."""
    return _VISIBLE.sub(" ", text)


def without(pattern: re.Pattern[str], text: str) -> str:
    """Return a text in which every match is blanked, or only its group `mask` where the pattern has one."""
    group = "mask" if "mask" in pattern.groupindex else 0

    def masked(match: re.Match[str]) -> str:
        start, end = (place - match.start() for place in match.span(group))
        return match[0][:start] + blanked(match[group]) + match[0][end:] if match[group] else match[0]

    return pattern.sub(masked, text)


def parse_masked(text: str, masked: str, grammar: str) -> Tree:
    """Return the tree of a masked text over the text as it was written."""
    return replace(parse_as(masked, grammar), text=text)


# --- outlines: declarations of languages whose syntax trees show them plainly -------------------------
#
# A language's table says for each kind of node that matters which form it has: what it declares, and which nodes in
# it may hold further declarations. The walk enters nothing else, so it never sees the body of a function.

NAMESPACE = "namespace"
PLACE = "place"
"""The kind of what only lends its name to its members: a type that is declared elsewhere, a table of functions."""
_NAME = re.compile(r"[^\n\r\t{};\"]{1,200}")
"""A name as it may stand in a source, other than those that a parser makes up when it has lost its way."""
_ATTRIBUTES = frozenset({"annotation", "attribute", "attribute_list"})
_ATTRIBUTE_STARTS = ("[", "#[", "@")


class Scope(NamedTuple):
    """What is around a node: the qualified name of the innermost declaration, and its kind; both empty at the top."""

    name: str = ""
    kind: str = ""

    @property
    def is_type(self) -> bool:
        """Whether the functions in it are methods."""
        return self.kind not in {"", NAMESPACE}

    def qualified(self, name: str) -> str:
        """Return a name as it is known in the file."""
        return f"{self.name}::{name}" if self.name and name else name or self.name


class Declaration(NamedTuple):
    """What a node declares; without a kind it declares nothing and only has nodes to look into.

    `name` may be qualified. `first` and `last` are the nodes that it begins and ends with, `body` is what its
    signature stops before, and `inside` may hold declarations in its scope.
    """

    name: str
    kind: str
    first: SgNode
    last: SgNode
    body: SgNode | None = None
    inside: Sequence[SgNode] = ()


Form = Callable[["SgNode", Scope], Iterable[Declaration]]
NameOf = Callable[["SgNode"], str]
BodyOf = Callable[["SgNode"], "SgNode | None"]
Forms = Mapping[str, Form]


def outlined(forms: Forms, tail: re.Pattern[str] | None = None) -> Callable[[str, Tree], Iterator[Symbol]]:
    """Return the function that yields a file's declarations by a table of forms, each before those inside it.

    `tail` is what a signature may end with in the language without saying anything.
    """

    def symbols(path: str, tree: Tree) -> Iterator[Symbol]:
        top = Scope()
        pending = [(node, top) for node in reversed(tree.root.children())]
        while pending:
            node, scope = pending.pop()
            form = forms.get(node.kind())
            found = [*form(node, scope)] if form else ()
            for one in found:
                if one.kind and one.kind != PLACE and _NAME.fullmatch(one.name):
                    yield _symbol(path, tree, one, scope, tail)
            for one in reversed(found):
                inner = Scope(scope.qualified(one.name), one.kind) if one.kind else scope
                pending += [(child, inner) for child in reversed(one.inside)]

    return symbols


def each(kinds: str, form: Form) -> dict[str, Form]:
    """Return the part of a table in which blank-separated kinds of nodes have one form."""
    return dict.fromkeys(kinds.split(), form)


def types(table: str) -> dict[str, Form]:
    """Return the part of a table in which nodes are named types: `kind: node node, kind: node`."""
    parted = (entry.partition(":") for entry in table.split(","))
    return {node: type_form(kind.strip()) for kind, _, nodes in parted for node in nodes.split()}


def within(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare nothing, but look inside: preprocessor branches, blocks, and what a parser could not make sense of."""
    return (Declaration("", "", node, node, inside=node.children()),)


def text_of(node: SgNode | None) -> str:
    """Return a name as it is written, without the backticks that only quote it; empty where there is none."""
    return node.text().strip("`") if node else ""


def field_name(node: SgNode) -> str:
    """Return the name that the grammar calls so."""
    return text_of(node.field("name"))


def body_field(node: SgNode) -> SgNode | None:
    """Return the body that the grammar calls so."""
    return node.field("body")


def type_form(kind: str | NameOf, name: NameOf = field_name, body: BodyOf = body_field) -> Form:
    """Return the form of a named type; its body is looked into."""

    def form(node: SgNode, scope: Scope) -> Iterable[Declaration]:
        held, told = body(node), kind if isinstance(kind, str) else kind(node)
        return (Declaration(name(node), told, node, node, held, held.children() if held else ()),)

    return form


def function_form(name: NameOf = field_name, body: BodyOf = body_field) -> Form:
    """Return the form of a function; in a type it is a method."""
    return lambda node, scope: (Declaration(name(node), callable_kind(scope), node, node, body(node)),)


def callable_kind(scope: Scope) -> str:
    """Return what a function is called where it stands."""
    return "method" if scope.is_type else "function"


def child_of(node: SgNode, *kinds: str) -> SgNode | None:
    """Return the first child of these kinds."""
    return next((child for child in node.children() if child.kind() in kinds), None)


def _symbol(path: str, tree: Tree, found: Declaration, scope: Scope, tail: re.Pattern[str] | None) -> Symbol:
    name, start = scope.qualified(found.name), span_of(found.first)[0]
    head = found.first
    if found.body and tree.text.startswith(_ATTRIBUTE_STARTS, start):
        head = next((child for child in head.children() if child.kind() not in _ATTRIBUTES), head)
    written = signature(tree, head, found.body)
    written = tail.sub("", written) if tail else written
    symbol = declared(path, name, found.kind, found.first, found.last, found.body, written)
    # The line of the last visible character; where indentation ends blocks, blank lines count in.
    end = span_of(found.last)[1]
    if not tree.text[end - 1 : end].isspace():
        return symbol
    text = tree.text[span_of(found.last)[0] : end]
    last = found.last.range().end.line + 1 - text.count("\n", len(text.rstrip()))
    return replace(symbol, line_end=last)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """How a language is read: text and language to tree, path and tree to declarations, tree to imports.

    Where `specifiers` is left out, imports are not read; where `surface` is, they are resolved by paths alone. A text
    without `import_word` imports nothing, so nobody looks; None: every text may. `tells_errors` is for
    grammars that know all of their language: elsewhere an error is seldom one, and what is read suffers little.
    `uses` names the module of `tx_graph.code.uses` that tells what names mean.
    """

    symbols: Callable[[str, Tree], Iterator[Symbol]]
    specifiers: Callable[[Tree], Iterator[Specifier]] = lambda _: iter(())
    surface: Callable[[Tree], Surface] = lambda _: NO_SURFACE
    import_word: re.Pattern[str] | None = None
    parse: Callable[[str, str], Tree] = parse
    tells_errors: bool = False
    uses: str = ""
