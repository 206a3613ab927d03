"""Imports of languages whose names live in packages, namespaces or modules: Kotlin, Scala, C#, PHP, Swift.

What is imported, and which names are used, is read from the text without comments and strings: that is fast and does
not suffer where a grammar loses its way. What a file declares for others is read from the top of its tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from tx_graph.code.imports import GLOBAL_USING, PACKAGE_OBJECT, Offered, Specifier, Surface
from tx_graph.code.readers import symbols_only
from tx_graph.code.tree import Tree, around, child_of, first_line, text_of

if TYPE_CHECKING:
    from ast_grep_py import SgNode


_REMARKS = r"//[^\n]*+|/\*.*?(?:\*/|\Z)"
_STRINGS = r"""\"""(?:[^\\]|\\(?:.|\Z))*?(?:\"""|\Z)|"(?:[^"\\\n]|\\.)*+"?|'(?:[^'\\\n]|\\[^\n]{1,8}?)'"""
_NOISE = re.compile(rf"{_REMARKS}|{_STRINGS}", re.DOTALL)
_CSHARP_NOISE = re.compile(rf'{_REMARKS}|(?:@\$?|\$@)"(?:[^"]|"")*+"?|{_STRINGS}', re.DOTALL)
_PHP_NOISE = re.compile(
    rf"{_REMARKS}|#(?!\[)[^\n]*+|'(?:[^'\\]|\\.)*+'?|\"(?:[^\"\\]|\\.)*+\"?"
    r"|<<<[ \t]*(?P<quote>[\"']?)(?P<end>\w++)(?P=quote)\r?\n.*?(?:(?<=\n)[ \t]*+(?P=end)\b|\Z)",
    re.DOTALL,
)
"""What is no code: comments and strings; what is not closed reaches to the end."""


@lru_cache(maxsize=1)
def _code(text: str, noise: re.Pattern[str] = _NOISE) -> str:
    """Return a text without comments and strings, its lines where they were."""
    return noise.sub(lambda match: "\n" * match[0].count("\n") or " ", text)


def _found(pattern: re.Pattern[str], code: str) -> Iterator[tuple[re.Match[str], int]]:
    """Yield the matches of a pattern, each with the line that its first group begins in."""
    line, position = 1, 0
    for match in pattern.finditer(code):
        line, position = line + code.count("\n", position, match.start(1)), match.start(1)
        yield match, line


_TYPE = re.compile(r"(?<![\w.$#\\])[A-Z]\w*")
"""A word that may be the name of a type: it starts with a capital letter and is no member of something else."""
_OWN_TYPE = re.compile(
    r"\b(?:class|interface|object|struct|enum|actor|protocol|trait|typealias|type|associatedtype|extends)\s+([A-Z]\w*)"
)
_PARAMETERS = re.compile(
    r"\b(?:fun|func|class|interface|struct|enum|actor|trait|def|init|type)\b[ \t\w]*[<\[]([^<>\[\](){}]*)"
)


def _free_names(code: str) -> set[str]:
    """Return the names in a file that may be types declared elsewhere: not its own, nor its type parameters."""
    own = {*_OWN_TYPE.findall(code), *_TYPE.findall(" ".join(_PARAMETERS.findall(code)))}
    return {*_TYPE.findall(code)} - own


_TRANSPARENT = frozenset({"ERROR", "if_statement", "compound_statement"})


def _tops(nodes: Iterable[SgNode], namespaces: frozenset[str], within: str = "") -> Iterator[tuple[str, SgNode]]:
    """Yield what stands at the top of a file or of a namespace in it, each with the namespace, in dots.

    Nodes of the kinds `namespaces` open one: for what is in their body, else for what follows them.
    """
    current = within
    for node in nodes:
        kind = node.kind()
        if kind in _TRANSPARENT:
            yield from _tops(node.children(), namespaces, current)
        elif kind not in namespaces:
            yield current, node
        else:
            name = node.field("name") or child_of(node, "package_identifier", "identifier")
            written = "".join(text_of(name).replace("`", "").replace("\\", ".").split())
            body = node.field("body") or child_of(node, "template_body")
            # Scala's clauses add up, those of PHP do not.
            inner = ".".join(filter(None, (current if kind == "package_clause" else within, written)))
            if body:
                yield from _tops(body.children(), namespaces, inner)
            else:
                current = inner


def _surface(offers: Iterable[tuple[str, str]], uses: Iterable[str] = (), package: str = "") -> Surface:
    """Return a surface by pairs of namespace and name; unless one is given, the package is the first namespace."""
    found = list(dict.fromkeys(offers))
    package = package or next((one for one, _ in found), "")
    offered = tuple(Offered(name, "" if one == package else one) for one, name in found if name)
    return Surface(package=package, offers=offered, uses=tuple(sorted(uses)))


# --- Kotlin -------------------------------------------------------------------------------------------

_KOTLIN_IMPORT = re.compile(r"^[ \t]*import[ \t]+([\w.`]+?)(\.\*)?(?:[ \t]+as[ \t]+(\w+))?(?=[\s;]|\Z)", re.MULTILINE)
_JVM_NAME = re.compile(r'^@file:\s*(?:\[\s*)?JvmName\(\s*(?:name\s*=\s*)?"(\w+)"', re.MULTILINE)
_KOTLIN_CALL = re.compile(r"(?<!\w)[a-z]+[A-Z]\w*(?=[ \t]*[({])")
"""A call of a function whose name has several words: one word is too often that of a member as well."""
_KOTLIN_OWN = re.compile(r"\b(?:fun|val|var)\s+(?:<[^<>]*>\s*)?(?:\w+(?:<[^<>]*>)?\??\.)?(\w+)")
_KOTLIN_COMMON = frozenset(
    "forEach isEmpty isNotEmpty isNullOrEmpty isNullOrBlank toString hashCode toList toMap toSet toByteArray"
    " joinToString firstOrNull getOrNull withIndex withContext runBlocking".split()
)
"""What most calls of these names mean is in Kotlin's own library, whatever else is called so."""
_KOTLIN_PACKAGE = frozenset({"package_header"})
_KOTLIN_TYPES = frozenset({"class_declaration", "object_declaration", "type_alias"})


def _kotlin_specifiers(tree: Tree) -> Iterator[Specifier]:
    for match, line in _found(_KOTLIN_IMPORT, _code(tree.text)):
        yield Specifier(module=match[1].replace("`", ""), name="*" if match[2] else None, line=line)


def _kotlin_surface(tree: Tree) -> Surface:
    """Return the package, its types, functions and properties, and the names that on-demand imports are decided by."""
    offers, package = list[tuple[str, str]](), ""
    for package, node in _tops(tree.root.children(), _KOTLIN_PACKAGE):
        kind, holder = node.kind(), node
        if kind in _KOTLIN_TYPES:
            offers.append((package, text_of(child_of(node, "type_identifier"))))
        elif kind in {"function_declaration", "property_declaration"}:
            if kind == "property_declaration":
                holder = child_of(node, "variable_declaration") or node
            offers.append((package, text_of(child_of(holder, "simple_identifier"))))
    if facade := _JVM_NAME.search(tree.text):  # what the functions of the file are in for Java
        offers.append((package, facade[1]))
    return _surface(offers, _on_demand_names(_code(tree.text), _kotlin_specifiers(tree), _KOTLIN_CALL), package)


def _on_demand_names(code: str, specifiers: Iterable[Specifier], call: re.Pattern[str] | None = None) -> set[str]:
    """Return the names in a file that on-demand imports may be for: of types, and of functions where a call is told."""
    imports = list(specifiers)
    if not any(one.name == "*" for one in imports):
        return set()
    known = {one.module.rpartition(".")[2] for one in imports if one.name != "*"}
    called = set(call.findall(code)) - _KOTLIN_COMMON - {*_KOTLIN_OWN.findall(code)} if call else set()
    return (_free_names(code) | called) - known


# --- Scala --------------------------------------------------------------------------------------------

_SCALA_IMPORT = re.compile(r"(?:^|[{;])[ \t]*import[ \t]+([^\n{;}]*+(?:\{[^}]*+\}[^\n{;}]*+)*+)", re.MULTILINE)
_SCALA_CLAUSE = re.compile(r"([\w.`$]+)\s*(?:\{([^}]*)\}|(\*))?")
_SCALA_PACKAGE = frozenset({"package_clause"})
_SCALA_NAMES = frozenset(
    "class_definition object_definition trait_definition enum_definition type_definition given_definition"
    " function_definition function_declaration".split()
)


def _scala_specifiers(tree: Tree) -> Iterator[Specifier]:
    """Yield a file's imports; what begins with the last name of an earlier import is below that one."""
    known: dict[str, str] = {}
    for match, line in _found(_SCALA_IMPORT, _code(tree.text)):
        for path, names, star in _SCALA_CLAUSE.findall(match[1].replace("`", "")):
            head, dot, rest = path.removeprefix("_root_.").partition(".")
            whole = f"{known.get(head, head) if dot else head}{dot}{rest}".rstrip(".")
            chosen = [one.split() for one in names.split(",")] if names else []
            if star or whole.endswith("._"):
                chosen, whole = [["*"]], whole.removesuffix("._")
            elif not names:
                whole, _, last = whole.rpartition(".")
                chosen = [[last]]
            for name, *renamed in filter(None, chosen):
                if name in {"*", "_", "given"}:
                    yield Specifier(module=whole, name="*", line=line)
                elif whole:
                    known[renamed[-1] if renamed else name] = f"{whole}.{name}"
                    yield Specifier(module=f"{whole}.{name}", line=line)


def _scala_surface(tree: Tree) -> Surface:
    """Return the packages, what they have, and the names that on-demand imports are decided by."""
    offers, package = list[tuple[str, str]](), ""
    for package, node in _tops(tree.root.children(), _SCALA_PACKAGE):
        if node.kind() == "package_object":
            body, inner = node.field("body"), f"{package}.{text_of(node.field('name'))}".strip(".")
            offers.append((inner, PACKAGE_OBJECT))
            offers += [(inner, name) for child in (body.children() if body else ()) if (name := _scala_name(child))]
        elif name := _scala_name(node):
            offers.append((package, name))
    return _surface(offers, _on_demand_names(_code(tree.text), _scala_specifiers(tree)), package)


def _scala_name(node: SgNode) -> str:
    kind = node.kind()
    if kind == "val_definition":
        pattern = node.field("pattern")
        return text_of(pattern) if pattern and pattern.kind() == "identifier" else ""
    return text_of(node.field("name")) if kind in _SCALA_NAMES else ""


# --- C# -----------------------------------------------------------------------------------------------

_CSHARP_USING = re.compile(
    r"^[ \t]*(global\s+)?using\s+(static\s+)?(?:\w+\s*=\s*)?(?:global::)?(\w[\w.]*)\s*;", re.MULTILINE
)
_CSHARP_NAMESPACES = frozenset({"namespace_declaration", "file_scoped_namespace_declaration"})
_CSHARP_TYPES = frozenset(
    "class_declaration struct_declaration record_declaration record_struct_declaration interface_declaration"
    " enum_declaration delegate_declaration".split()
)
_CSHARP_ENUM = re.compile(r"\benum\s+\w+[^{};]*\{[^{}]*\}")
_CSHARP_USE = re.compile(
    r"""(?<![\w.@])(\[\s*)?
    ((?:(?:public|private|protected|internal|static|readonly|const|override|virtual|abstract|sealed|async|new|return|ref
        |out|in|params|this|await|else|throw|is|as|case|event|partial|unsafe|volatile|required|extern|not|and|or|yield
        |select|using|when|implicit|explicit|operator|delegate|default)\s+)*+)
    ([A-Za-z_]\w*)(<)?
    ([>\]\[?*]*\s+(?!where\b|is\b|as\b|in\b)[A-Za-z_]\w*)?
    (?:\s*(\(|=(?![=>])))?""",
    re.VERBOSE,
)
"""A word, with the keywords before it, the name whose type it is, and the sign that tells of something else."""


def _csharp_specifiers(tree: Tree) -> Iterator[Specifier]:
    """Yield the namespaces that a file is in (`.`), those that it uses (`*`), and types by their full names."""
    own: dict[str, int] = {}
    for namespace, node in _tops(tree.root.children(), _CSHARP_NAMESPACES):
        if node.kind() in _CSHARP_TYPES:
            own.setdefault(namespace, first_line(node))
    yield from (Specifier(module=namespace, name=".", line=line) for namespace, line in own.items())
    for match, line in _found(_CSHARP_USING, _code(tree.text, _CSHARP_NOISE)):
        is_type = match[2] or "=" in match[0]
        yield Specifier(module=match[3], name=None if is_type else "*", line=line)


def _csharp_surface(tree: Tree) -> Surface:
    """Return the types of a file (`Name<` if they have parameters), names that it may have from elsewhere, and usings.

    Its namespaces, `:A.B`, are among the uses: which of them has a name is decided for all together. What a bracket
    opens with, `[Name`, may be an attribute.
    """
    code = _code(tree.text, _CSHARP_NOISE)
    offers = []
    for namespace, node in _tops(tree.root.children(), _CSHARP_NAMESPACES):
        if node.kind() in _CSHARP_TYPES:
            generic = "<" if child_of(node, "type_parameter_list") else ""
            offers.append((namespace, f"{text_of(node.field('name'))}{generic}"))
    used = set()
    for bracket, before, word, generic, named, sign in set(_CSHARP_USE.findall(_CSHARP_ENUM.sub("", code))):
        is_made = sign == "(" and (bracket or before.split()[-1:] == ["new"])
        if word[0].isupper() and (named or not sign or is_made):
            used.add(f"{'[' if bracket else ''}{word}{generic}")
    own = {*_OWN_TYPE.findall(code), *_TYPE.findall(" ".join(_PARAMETERS.findall(code)))}
    usings = [match for match in _CSHARP_USING.finditer(code) if not match[2] and "=" not in match[0]]
    surface = _surface(offers, {*(used - own), *(f":{match[3]}" for match in usings)})
    shared = (Offered(match[3], GLOBAL_USING) for match in usings if match[1])
    return replace(surface, offers=(*surface.offers, *shared))


# --- PHP ----------------------------------------------------------------------------------------------

_PHP_NAMESPACES = frozenset({"namespace_definition"})
_PHP_TYPES = frozenset({"class_declaration", "interface_declaration", "trait_declaration", "enum_declaration"})
_PHP_USE = re.compile(r"use\b\s*(function\b|const\b)?([^{;]*)(?:\{([^}]*)\})?", re.IGNORECASE)
_PHP_CHOICE = re.compile(r"\s*(function\s+|const\s+)?([\w\\]+)(?:\s+as\s+(\w+))?\s*", re.IGNORECASE)
_PHP_NAME = re.compile(r"(?<![\w$\\])(?<!->)(?<!::)(new\s+|#\[\s*)?(\\?[A-Za-z_]\w*(?:\\\w+)*)(\s*\()?")
_PHP_LOADING = re.compile(r"(?:require|include)(?:_once)?", re.IGNORECASE)
_PHP_PATH = re.compile(
    r"""\w+[\s(]*(?:__DIR__|dirname\s*\(\s*(?:__FILE__|(?P<above>__DIR__))\s*\))?
    [\s.]*(?P<quote>['"])(?P<path>[^'"$]+)(?P=quote)[\s)]*""",
    re.VERBOSE | re.IGNORECASE,
)


def _php_imports(tree: Tree) -> Iterator[tuple[Specifier, str]]:
    """Yield what the `use` statements of a file name, each with its name here; the name of a function is `()`."""
    for _, node in _tops(tree.root.children(), _PHP_NAMESPACES):
        used = _PHP_USE.match(_PHP_NOISE.sub(" ", node.text())) if node.kind() == "namespace_use_declaration" else None
        if not used:
            continue
        prefix = used[2].strip() if used[3] else ""
        for choice in map(_PHP_CHOICE.fullmatch, (used[3] or used[2]).split(",")):
            kind = (used[1] or choice[1] or "").strip().lower() if choice else "const"
            if choice and kind != "const":
                module, ending = f"{prefix}{choice[2]}".strip("\\"), "()" if kind else ""
                here = choice[3] or module.rpartition("\\")[2]
                yield Specifier(module=module, name=ending or None, line=first_line(node)), f"{here}{ending}"


def _php_specifiers(tree: Tree) -> Iterator[Specifier]:
    """Yield what a file uses by full names, and loads (`include`, from its own directory); `.`: what it uses else."""
    yield Specifier(module="", name=".")
    yield from (specifier for specifier, _ in _php_imports(tree))
    for node in around(tree, _PHP_LOADING, leaves=("comment", "string", "encapsed_string", "heredoc")):
        is_loading = node.kind().endswith(("require_expression", "include_expression", "_once_expression"))
        if is_loading and (loaded := _PHP_PATH.fullmatch(node.text())):
            path = f"{'../' if loaded['above'] else ''}{loaded['path'].lstrip('/')}"
            yield Specifier(module=path, name="include", line=first_line(node))


def _php_surface(tree: Tree) -> Surface:
    """Return the types and functions (`name()`) of a file, and the full names that it uses without importing them."""
    offers, package = list[tuple[str, str]](), ""
    for namespace, node in _tops(tree.root.children(), _PHP_NAMESPACES):
        package = package or namespace
        if node.kind() in _PHP_TYPES or node.kind() == "function_definition":
            ending = "" if node.kind() in _PHP_TYPES else "()"
            offers.append((namespace, f"{text_of(node.field('name'))}{ending}"))
    imported = {here: specifier.module.replace("\\", ".") for specifier, here in _php_imports(tree)}
    used = set()
    for made, name, call in set(_PHP_NAME.findall(_code(tree.root.text(), _PHP_NOISE))):
        head, *below = name.split("\\")
        if call and not made:
            continue
        if not head:
            used.add(".".join(below))
        elif below or (head not in imported and head[0].isupper()):
            used.add(".".join((imported.get(head) or f"{package}.{head}".strip("."), *below)))
    return _surface(offers, used, package)


# --- Swift --------------------------------------------------------------------------------------------

_SWIFT_IMPORT = re.compile(
    r"^[ \t]*(?:(?:@\w+(?:\([^)\n]*\))?|public|package|internal|private|fileprivate)[ \t]+)*import[ \t]+"
    r"(?:(?:struct|class|enum|protocol|typealias|func|let|var)[ \t]+)?(\w+)",
    re.MULTILINE,
)
_HIDDEN = re.compile(r"\b(?:file)?private\b")
_SWIFT_TYPES = frozenset({"class_declaration", "protocol_declaration", "typealias_declaration"})


def _swift_specifiers(tree: Tree) -> Iterator[Specifier]:
    """Yield the modules that a file imports; `.` is its own."""
    yield Specifier(module="", name=".")
    for match, line in _found(_SWIFT_IMPORT, _code(tree.text)):
        yield Specifier(module=match[1], name="*", line=line)


def _swift_surface(tree: Tree) -> Surface:
    """Return the types that others see of a file, and the names that may be types of its module or of imported ones."""
    types = [node for _, node in _tops(tree.root.children(), frozenset()) if node.kind() in _SWIFT_TYPES]
    seen = [node for node in types if not _HIDDEN.search(text_of(child_of(node, "modifiers")))]
    names = [text_of(node.field("name")) for node in seen if text_of(node.field("declaration_kind")) != "extension"]
    return _surface([("", name) for name in names], _free_names(_code(tree.text)))


# ------------------------------------------------------------------------------------------------------

_IMPORT = re.compile("import")
KOTLIN = replace(symbols_only.KOTLIN, specifiers=_kotlin_specifiers, surface=_kotlin_surface, import_word=_IMPORT)
SCALA = replace(symbols_only.SCALA, specifiers=_scala_specifiers, surface=_scala_surface, import_word=_IMPORT)
CSHARP = replace(symbols_only.CSHARP, specifiers=_csharp_specifiers, surface=_csharp_surface)
PHP = replace(symbols_only.PHP, specifiers=_php_specifiers, surface=_php_surface)
SWIFT = replace(symbols_only.SWIFT, specifiers=_swift_specifiers, surface=_swift_surface)
