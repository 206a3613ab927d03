"""C and C++: what a file includes, and the functions, types and namespaces that it defines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from tx_graph.code.imports import Specifier
from tx_graph.code.tree import (
    NAMESPACE,
    Declaration,
    Form,
    NeverParsed,
    Reader,
    Scope,
    Tree,
    blanked,
    callable_kind,
    child_of,
    each,
    outlined,
    pairs,
    parse_as,
    parse_masked,
    span_of,
    text_of,
    type_form,
    within,
    without,
)
from tx_graph.core.dataclass import dataclass, field, replace

if TYPE_CHECKING:
    from ast_grep_py import SgNode


_INCLUDE = re.compile(r'#[ \t]*include[ \t]*+(?:"(?P<quoted>[^"\n]{1,200}+)"|(?P<angled><[^>\n]{1,200}+>))')
_NO_INCLUDE = (
    r"//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?"
    r'|R"(?P<mark>[^()\\\s"]{0,16})\((?:(?!\)(?P=mark)").)*+|"(?:[^"\\\n]|\\.)*+"?|'
    r"'(?:[^'\\\n]|\\.)*+'?"
)
_INCLUDE_OR_NOT = re.compile(f"{_NO_INCLUDE}|{_INCLUDE.pattern}", re.DOTALL)
"""An include, or what is no code, so that an include in it is none; what is not closed reaches to the end."""


def _includes(text: str) -> tuple[Specifier, ...]:
    """Return what a text includes, whatever it depends on: `x.h`, or `<x.h>` as it is written."""
    last = max((one.end() for one in _INCLUDE.finditer(text)), default=0)
    line, position, found = 1, 0, []
    for one in _INCLUDE_OR_NOT.finditer(text, 0, last):
        module = one["quoted"] or one["angled"]
        if module and not text[text.rfind("\n", 0, one.start()) + 1 : one.start()].strip():
            line, position = line + text.count("\n", position, one.start()), one.start()
            found.append(Specifier(module=module, line=line))
    return tuple(found)


_REMARK = r"/\*[^*]{0,2000}+(?:\*++(?!/)[^*]{0,2000}+){0,100}+\*++/"
"""A comment of so many lines at most: one that nothing closes should not be looked at as often as one may begin."""
_DIRECTIVE = re.compile(rf"^[ \t]*#[ \t]*(?P<word>if|el|endif|)(?P<rest>(?:\\\r?\n|{_REMARK}|[^\n])*)", re.MULTILINE)
NEVER = re.compile(r"(?<![ \t])[ \t]+(?:0|false)\b")
"""What follows `#if` where nobody wants the code, other than conditions that some compiler may fulfil."""
NEVER_IN_C = re.compile(rf"{NEVER.pattern}|def[ \t]+__cplusplus|(?<![ \t])[ \t]+defined[ \t(]+__cplusplus")
_STATEMENT_ENDS = frozenset(";{}")
_WINDOW = 256  # characters that are looked at in one go; blanked code is long


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
        start, end = match.span()
        spans.append((start, end))
        if around:
            around[-1].branches[-1].depth += text.count("{", position, start) - text.count("}", position, start)
        position, word = end, match["word"]
        if word == "if":
            around.append(_Conditional(start, bool(never.match(match["rest"])), [_Branch(end)]))
        elif word and around:
            around[-1].branches[-1].end = start
            if word == "el":
                around[-1].branches.append(_Branch(end))
            else:
                spans += _left_out(text, around)
    pieces, position = [], 0
    for start, end in sorted(spans):  # they may lie in each other
        if end > position:
            pieces += [text[position : max(start, position)], blanked(text[max(start, position) : end])]
            position = end
    return "".join([*pieces, text[position:]])


def _left_out(text: str, around: list[_Conditional]) -> list[tuple[int, int]]:
    """Close the innermost conditional; return the branches of it that do not count.

    Branches can follow each other where each begins and ends between declarations and closes what it opens.
    """
    closed = around.pop()
    branches = closed.branches[1:] if closed.is_dead else closed.branches
    if around and branches:
        around[-1].branches[-1].depth += branches[0].depth
    ends = (closed.opened, *(branch.end for branch in branches))
    are_whole = not any(branch.depth for branch in branches) and all(between(text, end) for end in ends)
    dropped = [] if len(branches) == 1 or are_whole else branches[1:]
    return [(one.start, one.end) for one in (*dropped, *(closed.branches[:1] if closed.is_dead else ()))]


def between(text: str, position: int, floor: int = 0) -> bool:
    """Return whether a position is between two declarations; nothing but blanks and comments after `floor` is, too."""
    end = _trimmed(text, floor, position)
    while True:
        comment = text.find("//", max(text.rfind("\n", floor, end) + 1, floor), end)
        if text.endswith("*/", floor, end):
            comment = text.rfind("/*", floor, end)
        if comment < floor:
            break
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
_DEPRECATION = re.compile(rf"\b(?=[A-Z0-9_]*?DEPRECATED)[A-Z0-9_]++{_ARGUMENTS}(?!\s*\{{)")
"""What becomes of a name: `OLD_ONE CORE_DEPRECATED(1.2, "no use")`."""
_EXPORT = re.compile(
    rf"\b(?:class|struct|union)\s+(?P<mask>(?:{_MACRO}(?:{_ARGUMENTS})?\s+){{1,3}})"
    r"(?=[A-Za-z_]\w*\s*(?:<[^;{}]{1,200}>\s*)?(?:final\s*)?(?:\{|:\s*[A-Za-z_:]))"
)
"""How a class is exported: `class CORE_API Engine`."""
_SAID = re.compile(
    r"\b(?=[A-Z0-9_]{0,60}?(?:API|ATTRIBUTE\w{0,60}+|CONSTE(?:XPR|VAL)|EXPORTS?|FUNC|INLINE|INTERFACE|NODISCARD|NORETURN|NON_NULL"
    rf"|RESULT|VISIBLE)\d*+_*+\b)[A-Z][A-Z0-9_]{{3,}}+(?:{_ARGUMENTS})?+(?=\s+(?!const\b|noexcept\b)[A-Za-z_~:])"
)
"""What is said of a declaration: `LIB_CONSTEXPR auto size() const`, `LIB_NON_NULL(1) void close(File *file)`."""
_CPP_WORDS = ("class", "namespace", "template", "using", "public:", "private:", "protected:")
_IS_CPP = re.compile(
    r"^[ \t]*(?:class\s+\w++[^;*({]{0,300}+\{|namespace\b|template\s*<|using\s+\w|(?:public|private|protected)\s*:)",
    re.MULTILINE,
)


def is_cpp(text: str) -> bool:
    """Return whether a header is written in C++; code that is only meant for C++ should be gone from it."""
    return any(word in text for word in _CPP_WORDS) and bool(_IS_CPP.search(text))


def without_macros(text: str) -> str:
    """Return a text without macros that stand for something else than a name or a value."""
    if "DEPRECATED" in text:
        text = without(_DEPRECATION, text)
    pieces, position = [], 0
    for match in _ALONE.finditer(text):
        if between(text, match.start(), position):
            pieces += [text[position : match.start()], blanked(match[0])]
            position = match.end()
    return without(_PROMISE, without(_PREFIX, "".join([*pieces, text[position:]])))


_DEFINE = re.compile(rf"^[ \t]*#[ \t]*define\b(?:\\\r?\n|{_REMARK}|[^\n])*", re.MULTILINE)


def _macros(text: str, grammar: str) -> SgNode | None:
    """Return a tree of nothing but the macros that a text defines, each in its place."""
    pieces, position = [], 0
    for match in _DEFINE.finditer(text) if "define" in text else ():
        pieces += [blanked(text[position : match.start()]), match[0]]
        position = match.end()
    try:
        return parse_as(f"{''.join(pieces)}\n", grammar).root if pieces else None
    except NeverParsed:
        return None


_TYPES = pairs("struct_specifier=struct union_specifier=union enum_specifier=enum class_specifier=class")
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


def _declared_name(declarator: SgNode | None) -> tuple[str, bool]:
    """Return the name inside a declarator such as `*(*name(int))[3]`, and whether that is a function's."""
    is_function = False
    while declarator:
        kind = declarator.kind()
        is_function = is_function or kind in _FUNCTIONS
        if kind in _NAMES:
            inner: SgNode | None = declarator
            while inner and inner.kind() == "qualified_identifier":
                inner = inner.field("name")
            is_conversion = inner is not None and inner.kind() == "operator_cast"
            return _plain_name(declarator), is_function or is_conversion
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
    while node and node.kind() in _GENERIC:
        node = node.field("name")
    kind, text = (node.kind(), node.text()) if node else ("", "")
    if kind in {"operator_name", "operator_cast"}:
        symbol = " ".join(text.removeprefix("operator").split())
        if kind == "operator_cast":
            symbol = symbol.partition("(")[0]
        return f"operator {symbol.rstrip()}" if symbol[:1].isalpha() else f"operator{symbol.replace(' ', '')}"
    return text.replace(" ", "")


def _function(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare a function that has a body; with a qualified name it is a method outside its class.

    Some definitions begin with a macro, of which one argument alone looks like a name: `TEST(Suite, Case)` is the
    function `Suite::Case`, others stand where a function would and are none.
    """
    told = node.field("type")
    if told and told.kind() in _TYPES and told.field("body"):  # no function has one: the grammar lost its way behind it
        return _defined(told, told, told)
    body, declarator = node.field("body") or child_of(node, "try_statement"), node.field("declarator")
    name, is_function = _declared_name(declarator) if body else ("", False)
    kind = "method" if "::" in name else callable_kind(scope)
    said = text_of(told)
    macro = said if not is_function else "" if said else name
    if macro.isupper():
        arguments = (declarator.field("parameters") or declarator) if declarator else None
        names = [child.text() for child in arguments.named_children()] if arguments else []
        words = macro.split("_")
        is_test = "TEST" in words and all(map(str.isalnum, words)) and all(map(str.isidentifier, names))
        name, is_function, kind = "::".join(names) if is_test else "", True, "function"
    return (Declaration(name, kind, node, node, body),) if is_function else ()


def _holder(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    specifier = node.field("type")
    return _defined(specifier, node, specifier) if specifier else ()


def _typedef(node: SgNode, scope: Scope) -> Iterator[Declaration]:
    """Declare the type a typedef defines and the names it gives; `typedef struct a {…} a` is one declaration."""
    specifier = node.field("type")
    defined = [*_defined(specifier, node, node)] if specifier else []
    yield from defined
    body = specifier.field("body") if specifier and specifier.kind() in _TYPES else None
    for declarator in node.field_children("declarator"):
        name, _ = _declared_name(declarator)
        if name and all(name != one.name for one in defined):
            kind = _TYPES[specifier.kind()] if specifier and body and not defined else "type"
            yield Declaration(name, kind, node, node, body)


def _defined(specifier: SgNode, first: SgNode, last: SgNode) -> Iterable[Declaration]:
    """Declare a struct, union, enum or class where it is defined; a mere mention has no body."""
    kind = specifier.kind()
    body = specifier.field("body") if kind in _TYPES else None
    name = _plain_name(specifier.field("name")) if body else ""
    inside = body.children() if body and kind != "enum_specifier" else ()
    return (Declaration(name, _TYPES[kind], first, last, body, inside),) if name else ()


def _template(node: SgNode, scope: Scope) -> Iterator[Declaration]:
    """Declare what a template declares; it begins with its parameters."""
    for child in node.named_children():
        form = _FORMS.get(child.kind())
        for found in form(child, scope) if form else ():
            yield found._replace(first=node, last=node)


_FORMS: dict[str, Form] = {
    **each("function_definition", _function),
    **each(
        "class_specifier struct_specifier union_specifier enum_specifier", lambda node, _: _defined(node, node, node)
    ),
    **each("declaration field_declaration", _holder),
    **each("type_definition", _typedef),
    **each("alias_declaration concept_definition", type_form("type")),
    **each("namespace_definition", type_form(NAMESPACE, lambda node: "".join(text_of(node.field("name")).split()))),
    **each("template_declaration", _template),
    **each("linkage_specification declaration_list friend_declaration ERROR", within),
}


def _read_c(text: str, language: str) -> Tree:
    """Return the tree of a file in one reading of its conditionals; a header with C++ in it is read as such."""
    reading = one_reading(text, NEVER_IN_C)
    if is_cpp(reading):
        return _read_cpp(text, language)
    tree = parse_masked(reading, without_macros(reading), "c")
    return replace(tree, outside=_includes(text), beside=_macros(text, "c"))


def _read_cpp(text: str, language: str) -> Tree:
    """Return the tree of a file in one reading of its conditionals; signatures have its macros."""
    reading = one_reading(text)
    masked = without(_EXPORT, without_macros(reading))
    said = without(_SAID, masked)
    tree = parse_masked(reading, said, "cpp")
    if said != masked and (lost := _lost(tree)) * 4 > len(text):  # which what was masked may have hidden
        other = parse_masked(reading, masked, "cpp")
        tree = other if _lost(other) < lost else tree
    return replace(tree, outside=_includes(text), beside=_macros(text, "cpp"))


def _lost(tree: Tree) -> int:
    """Return in how many characters between declarations the grammar found no sense."""
    spans = [span_of(node) for node in tree.root.children() if node.kind() == "ERROR"]
    return sum(end - start for start, end in spans)


_symbols = outlined(_FORMS)
READER = Reader(specifiers=lambda tree: iter(tree.outside), symbols=_symbols, parse=_read_c)
CPP = replace(READER, parse=_read_cpp)
