"""C and C++: the functions, types and namespaces that their files define."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tx_graph.code.outline import (
    NAMESPACE,
    Declaration,
    Form,
    Scope,
    callable_kind,
    child_of,
    each,
    outlined,
    type_form,
    within,
)
from tx_graph.code.tree import Reader, Tree, blanked, parse_masked, without

if TYPE_CHECKING:
    from ast_grep_py import SgNode


_DIRECTIVE = re.compile(
    r"^[ \t]*#[ \t]*(?P<word>if|el|endif|)(?P<rest>(?:\\\r?\n|/\*(?:[^*]|\*(?!/)){0,2000}+\*/|[^\n])*)", re.MULTILINE
)
NEVER = re.compile(r"[ \t]+(?:0|false)\b")
"""What follows `#if` where nobody wants the code, other than conditions that some compiler may fulfil."""
NEVER_IN_C = re.compile(rf"{NEVER.pattern}|def[ \t]+__cplusplus|[ \t]+defined[ \t(]+__cplusplus")
_STATEMENT_ENDS = frozenset(";{}")
_WINDOW = 256
"""Characters that are looked at in one go; blanked code is long."""


@dataclass(slots=True)
class _Branch:
    """The text between two directives of one conditional; `depth` is how many more braces it opens than closes."""

    start: int
    end: int = 0
    depth: int = 0


@dataclass(slots=True)
class _Conditional:
    """An `#if` up to its `#endif`; `opened` is where it begins and `is_dead` whether its first branch is left out."""

    opened: int
    is_dead: bool
    branches: list[_Branch] = field(default_factory=list)


def one_reading(text: str, never: re.Pattern[str] = NEVER) -> str:
    """Return a text without directives, every character in its place.

    All branches stay where each is whole by itself; otherwise the first one does. The first is no code where `never`
    matches its condition, as that of `#if 0`.
    """
    spans: list[tuple[int, int]] = []
    around: list[_Conditional] = []
    position = 0
    for match in _DIRECTIVE.finditer(text):
        spans.append(match.span())
        if around:
            around[-1].branches[-1].depth += _depth(text, position, match.start())
        position = match.end()
        word = match["word"]
        if word == "if":
            is_dead = bool(never.match(match["rest"]))
            around.append(_Conditional(match.start(), is_dead, [_Branch(match.end())]))
        elif word and around:
            around[-1].branches[-1].end = match.start()
            if word == "el":
                around[-1].branches.append(_Branch(match.end()))
            else:
                spans += _left_out(text, around)
    return _blank(text, spans) if spans else text


def _left_out(text: str, around: list[_Conditional]) -> list[tuple[int, int]]:
    closed = around.pop()
    branches = closed.branches[1:] if closed.is_dead else closed.branches
    if around and branches:
        around[-1].branches[-1].depth += branches[0].depth
    kept = len(branches) if _whole(text, closed.opened, branches) else 1
    dropped = branches[kept:] + (closed.branches[:1] if closed.is_dead else [])
    return [(branch.start, branch.end) for branch in dropped]


def _whole(text: str, opened: int, branches: list[_Branch]) -> bool:
    """Whether branches can follow each other: each begins and ends between declarations and closes what it opens."""
    if len(branches) < 2:  # noqa: PLR2004
        return True
    ends = (opened, *(branch.end for branch in branches))
    return not any(branch.depth for branch in branches) and all(between(text, end) for end in ends)


def between(text: str, position: int, floor: int = 0) -> bool:
    """Return whether a position is between two declarations; nothing but blanks and comments after `floor` is, too."""
    end = _trimmed(text, floor, position)
    while (comment := _comment(text, floor, end)) >= floor:
        end = _trimmed(text, floor, comment)
    if end == floor or text[end - 1] in _STATEMENT_ENDS:
        return True
    return text[text.rfind("\n", floor, end) + 1 : end].lstrip().startswith("#")


def _trimmed(text: str, floor: int, end: int) -> int:
    """Return where the blanks before `end` begin."""
    while end > floor:
        start = max(end - _WINDOW, floor)
        if visible := text[start:end].rstrip():
            return start + len(visible)
        end = start
    return floor


def _comment(text: str, floor: int, end: int) -> int:
    """Return where the comment begins that ends at `end`, -1 if none does."""
    if text.endswith("*/", floor, end):
        return text.rfind("/*", floor, end)
    return text.find("//", max(text.rfind("\n", floor, end) + 1, floor), end)


def _depth(text: str, start: int, end: int) -> int:
    return text.count("{", start, end) - text.count("}", start, end)


def _blank(text: str, spans: list[tuple[int, int]]) -> str:
    """Return a text with spans blanked, which may lie in each other."""
    pieces, position = [], 0
    for start, end in sorted(spans):
        if end > position:
            pieces += [text[position : max(start, position)], blanked(text[max(start, position) : end])]
            position = end
    return "".join([*pieces, text[position:]])


# Possessive throughout: long names in capitals would have these try exponentially many ways to fail.
_ARGUMENTS = r"\((?:[^()]++|\((?:[^()]++|\([^()]*+\))*+\))*+\)"
_MACRO = r"[A-Z_][A-Z0-9_]{3,}+"
_LINE = rf"[ \t]*+(?:{_MACRO}(?:{_ARGUMENTS})?+[ \t]*+)++\r?"
_ALONE = re.compile(rf"\n{_LINE}(?:\n+{_LINE})*(?=\n(?!\s*(?!{_MACRO})[\w:~]+\s*\())")
"""Lines between declarations: `FMT_BEGIN_NAMESPACE`, `Q_PROPERTY(…)`. Before a function they might be its type."""
_PREFIX = re.compile(rf"\n(?P<mask>{_MACRO}[ \t]+)(?=(?:const[ \t]+)?[A-Za-z_]\w*[\s*]+[A-Za-z_]\w*[ \t]*\()")
"""How a function is exported: `CORE_API Engine *engine(`."""
_PROMISE = re.compile(
    rf"\)(?:\s+(?:const|noexcept|override|final))*\s*(?P<mask>(?:{_MACRO}{_ARGUMENTS}\s*){{1,9}})(?=[;{{])"
)
"""What a function promises: `LOCKS_EXCLUDED(mutex_)`."""
_DEPRECATION = re.compile(rf"\b[A-Z0-9_]*DEPRECATED[A-Z0-9_]*{_ARGUMENTS}(?!\s*\{{)")
"""What becomes of a name: `OLD_ONE CORE_DEPRECATED(1.2, "no use")`."""
_EXPORT = re.compile(
    rf"\b(?:class|struct|union)\s+(?P<mask>{_MACRO}(?:{_ARGUMENTS})?\s+)"
    r"(?=[A-Za-z_]\w*\s*(?:final\s*)?(?:\{|:\s*[A-Za-z_:]))"
)
"""How a class is exported: `class CORE_API Engine`."""
_CPP_WORDS = ("class", "namespace", "template", "using", "public:", "private:", "protected:")
_IS_CPP = re.compile(
    r"^[ \t]*(?:class\s+\w+[^;*({]{0,300}\{|namespace\b|template\s*<|using\s+\w|(?:public|private|protected)\s*:)",
    re.MULTILINE,
)


def is_cpp(text: str) -> bool:
    """Return whether a header is written in C++; code that is only meant for C++ should be gone from it."""
    return any(word in text for word in _CPP_WORDS) and bool(_IS_CPP.search(text))


def without_class_macros(text: str) -> str:
    """Return a text of C++ in which classes have their names right after `class`."""
    return without(_EXPORT, text)


def without_macros(text: str) -> str:
    """Return a text without macros that stand for something else than a name or a value."""
    if "DEPRECATED" in text:
        text = without(_DEPRECATION, text)
    return without(_PROMISE, without(_PREFIX, _without_lines(text)))


def _without_lines(text: str) -> str:
    pieces, position = [], 0
    for match in _ALONE.finditer(text):
        if between(text, match.start(), position):
            pieces += [text[position : match.start()], blanked(match[0])]
            position = match.end()
    return "".join([*pieces, text[position:]])


_TYPES = {
    "struct_specifier": "struct",
    "union_specifier": "union",
    "enum_specifier": "enum",
    "class_specifier": "class",
}
_PLAIN = frozenset({"identifier", "field_identifier", "type_identifier", "primitive_type"})
_GENERIC = frozenset({"template_function", "template_type", "template_method"})
_NAMES = _PLAIN | _GENERIC | {"qualified_identifier", "operator_name", "destructor_name", "operator_cast"}
_FUNCTIONS = frozenset({"function_declarator", "operator_cast"})
_NAME = re.compile(r"(?:[^\W\d]\w*::)*(?:~?[^\W\d]\w*|operator[^\w\s]+|operator [\w:&* ]+)")


_KEYWORDS = frozenset(
    "bool case char class default do double else enum float for if int long return short signed sizeof static struct"
    " switch typedef union unsigned void while".split()
)
"""What may stand where names stand in code that the grammar could not follow."""
_TEST_MACRO = re.compile(r"(?:[A-Z0-9]+_)*TEST(?:_[A-Z0-9]+)*")


def _declared_name(declarator: SgNode | None) -> tuple[str, bool]:
    """Return the name inside a declarator such as `*(*name(int))[3]`, and whether that is a function's."""
    is_function = False
    while declarator:
        kind = declarator.kind()
        is_function = is_function or kind in _FUNCTIONS
        if kind in _NAMES:
            return _plain_name(declarator), is_function or _is_conversion(declarator)
        declarator = declarator.field("declarator") or next(iter(declarator.named_children()), None)
    return "", False


def _plain_name(node: SgNode | None) -> str:
    """Return a name without template arguments and blanks, `Box::get` for `Box<T> :: get`; empty if it is none."""
    parts = []
    while node and node.kind() == "qualified_identifier":
        parts.append(_part(node.field("scope")))
        node = node.field("name")
    name = "::".join([*filter(None, parts), _part(node)])
    return name if _NAME.fullmatch(name) and name not in _KEYWORDS else ""


def _part(node: SgNode | None) -> str:
    if not node:
        return ""
    kind = node.kind()
    if kind in _GENERIC:
        return _part(node.field("name"))
    text = node.text()
    if kind in {"operator_name", "operator_cast"}:
        symbol = " ".join(text.removeprefix("operator").split())
        if kind == "operator_cast":
            symbol = symbol.partition("(")[0]
        return f"operator {symbol.rstrip()}" if symbol[:1].isalpha() else f"operator{symbol.replace(' ', '')}"
    return text.replace(" ", "")


def _is_conversion(name: SgNode) -> bool:
    while name.kind() == "qualified_identifier":
        inner = name.field("name")
        if not inner:
            return False
        name = inner
    return name.kind() == "operator_cast"


def _function(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare a function that has a body; with a qualified name it is a method outside its class."""
    body, declarator = node.field("body") or child_of(node, "try_statement"), node.field("declarator")
    name, is_function = _declared_name(declarator) if body else ("", False)
    kind = "method" if "::" in name else callable_kind(scope)
    macro = _macro(node, name, is_function=is_function)
    if macro:
        name, is_function, kind = _test_name(macro, declarator), True, "function"
    return (Declaration(name, kind, node, node, body),) if name and is_function else ()


def _macro(node: SgNode, name: str, *, is_function: bool) -> str:
    """Return the macro that a definition begins with; empty for a function. One argument alone looks like a name."""
    told = node.field("type")
    if is_function:
        return name if name.isupper() and not told else ""
    return told.text() if told and told.text().isupper() else ""


def _test_name(macro: str, declarator: SgNode | None) -> str:
    """Return `Suite::Case` for `TEST(Suite, Case)`; nothing for other macros that stand where a function would."""
    arguments = (declarator.field("parameters") or declarator) if declarator else None
    names = [child.text() for child in arguments.named_children()] if arguments else []
    is_test = names and all(map(str.isidentifier, names)) and _TEST_MACRO.fullmatch(macro)
    return "::".join(names) if is_test else ""


def _type_specifier(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare a struct, union, enum or class where it is defined; a mere mention has no body."""
    del scope
    return _defined(node, node, node)


def _holder(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    del scope
    specifier = node.field("type")
    return _defined(specifier, node, specifier) if specifier and specifier.kind() in _TYPES else ()


def _typedef(node: SgNode, scope: Scope) -> Iterator[Declaration]:
    """Declare the type a typedef defines and the names it gives; `typedef struct a {…} a` is one declaration."""
    del scope
    specifier = node.field("type")
    defined = [*_defined(specifier, node, node)] if specifier and specifier.kind() in _TYPES else []
    yield from defined
    body = specifier.field("body") if specifier and specifier.kind() in _TYPES else None
    for declarator in node.field_children("declarator"):
        name, _ = _declared_name(declarator)
        if name and all(name != one.name for one in defined):
            anonymous = body is not None and not defined and specifier is not None
            kind = _TYPES[specifier.kind()] if anonymous and specifier else "type"
            yield Declaration(name, kind, node, node, body)


def _defined(specifier: SgNode, first: SgNode, last: SgNode) -> Iterable[Declaration]:
    body = specifier.field("body")
    name = _plain_name(specifier.field("name")) if body else ""
    if not name or not body:
        return ()
    inside = body.children() if specifier.kind() != "enum_specifier" else ()
    return (Declaration(name, _TYPES[specifier.kind()], first, last, body, inside),)


def _template(node: SgNode, scope: Scope) -> Iterator[Declaration]:
    """Declare what a template declares; it begins with its parameters."""
    for child in node.named_children():
        form = _FORMS.get(child.kind())
        for found in form(child, scope) if form else ():
            yield found._replace(first=node, last=node)


def _namespace(node: SgNode) -> str:
    name = node.field("name")
    return "".join(name.text().split()) if name else ""


_FORMS: dict[str, Form] = {
    **each("function_definition", _function),
    **each("class_specifier struct_specifier union_specifier enum_specifier", _type_specifier),
    **each("declaration field_declaration", _holder),
    **each("type_definition", _typedef),
    **each("alias_declaration concept_definition", type_form("type")),
    **each("namespace_definition", type_form(NAMESPACE, _namespace)),
    **each("template_declaration", _template),
    **each("linkage_specification declaration_list friend_declaration ERROR", within),
}


def _read_c(text: str, language: str) -> Tree:
    """Return the tree of a file in one reading of its conditionals; a header with C++ in it is read as such."""
    reading = one_reading(text, NEVER_IN_C)
    if is_cpp(reading):
        return _read_cpp(text, language)
    return parse_masked(reading, without_macros(reading), "c")


def _read_cpp(text: str, language: str) -> Tree:
    """Return the tree of a file in one reading of its conditionals; signatures have its macros."""
    del language
    reading = one_reading(text)
    return parse_masked(reading, without_class_macros(without_macros(reading)), "cpp")


_symbols = outlined(_FORMS)
READER = Reader(symbols=_symbols, parse=_read_c)
CPP = Reader(symbols=_symbols, parse=_read_cpp)
