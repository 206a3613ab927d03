"""Imports of languages that name what they use: Kotlin, Scala, C#, PHP and Swift by namespaces, Ruby by paths.

What is imported, and which names are used, is read from the text without comments and strings: that is fast and does
not suffer where a grammar loses its way. What a file declares for others is read from the top of its tree.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from tx_graph.code.imports import GLOBAL_USING, OWN, PACKAGE_OBJECT, Offered, Specifier, Surface
from tx_graph.code.readers import symbols_only
from tx_graph.code.tree import Tree, around, child_of, first_line, text_of

if TYPE_CHECKING:
    from ast_grep_py import SgNode


_REMARKS = r"//[^\n]*+|/\*.*?(?:\*/|\Z)"
_STRINGS = r"""\"""(?:[^\\]|\\(?:.|\Z))*?(?:\"""|\Z)|"(?:[^"\\\n]|\\.)*+"?|'(?:[^'\\\n]|\\[^\n]{1,8}?)'"""
_NOISE = re.compile(rf"{_REMARKS}|{_STRINGS}", re.DOTALL)
_CSHARP_NOISE = re.compile(rf'{_REMARKS}|@\$?"(?:[^"]|"")*+"?|\$@"(?:[^"]|"")*+"?|{_STRINGS}', re.DOTALL)
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
    """Yield the matches of a pattern, each with the line that it begins in."""
    line, position = 1, 0
    for match in pattern.finditer(code):
        line, position = line + code.count("\n", position, match.start()), match.start()
        yield match, line


# These patterns begin with what `re` finds fast, and then look back.
_TYPE = re.compile(r"[A-Z](?<![\w.$#\\].)\w*")
"""A word that may be the name of a type: it starts with a capital letter and is no member of something else."""
_DECLARED = re.compile(
    r"[ \n(](?<!import.)(?:(class|interface|object|struct|enum|actor|protocol|trait|typealias|type|extends)"
    r"|fun|func|def|init)\b[ \t]*+(?:<([^<>]*+)>[ \t]*+)?(\w*+)(?:[<\[]([^<>\[\](){}]*+))?"
)


def _own_types(code: str) -> set[str]:
    """Return the names of types that a file declares, wherever in it, and those of type parameters."""
    found = _DECLARED.findall(f"\n{code}")
    parameters = " ".join(part for _, before, _, after in found for part in (before, after))
    return {name for kind, _, name, _ in found if kind}.union(_TYPE.findall(parameters))


_SPACES = frozenset(
    "package_header package_clause package_object namespace_declaration file_scoped_namespace_declaration"
    " namespace_definition".split()
)
_TRANSPARENT = frozenset({"ERROR", "if_statement", "compound_statement"})


def _tops(nodes: Iterable[SgNode], within: str = "") -> Iterator[tuple[str, SgNode]]:
    """Yield what stands at the top of a file or of a namespace in it, each with the namespace, in dots.

    A namespace is in its body, else in what follows; Scala's clauses add up, those of PHP do not.
    """
    current = within
    for node in nodes:
        kind = node.kind()
        if kind in _TRANSPARENT:
            yield from _tops(node.children(), current)
        elif kind not in _SPACES:
            yield current, node
        else:
            name = node.field("name") or child_of(node, "identifier")
            written = "".join(text_of(name).replace("`", "").replace("\\", ".").split())
            body, outer = node.field("body"), current if kind.startswith("package_") else within
            inner = f"{outer}.{written}".strip(".")
            yield inner, node
            if body:
                yield from _tops(body.children(), inner)
            elif kind != "package_object":
                current = inner


def _surface(offers: Iterable[tuple[str, str]], uses: Iterable[str]) -> Surface:
    """Return a surface by pairs of namespace and name; the first namespace is the package."""
    found = list(dict.fromkeys(offers))
    package = next((one for one, _ in found if one != GLOBAL_USING), "")
    offered = tuple(Offered(name, "" if one == package else one) for one, name in found if name)
    return Surface(package=package, offers=offered, uses=tuple(sorted(uses)))


def _on_demand(code: str, imports: Collection[tuple[str, str]], called: Collection[str] = ()) -> set[str]:
    """Return the names in a file that its on-demand imports may be for: of types, and of functions that are called.

    An import is what it names, and something behind that where it is on demand.
    """
    if not any(star for _, star in imports):
        return set()
    named = {module.rpartition(".")[2] for module, star in imports if not star}
    return {*_TYPE.findall(code)}.union(called) - named - _own_types(code)


# --- Kotlin -------------------------------------------------------------------------------------------

_KOTLIN_IMPORT = re.compile(r"import(?<!\S.{6})[ \t]+([\w.`]+?)(\.\*)?(?![\w.`*])")
_KOTLIN_CALL = re.compile(r"\b[a-z]++[A-Z]\w*+(?=[ \t]*[({])")
"""A call of a function whose name has several words: one word is too often that of a member as well."""
_KOTLIN_OWN = re.compile(r"(?:fun|val|var)\s+(?:<[^<>]*+>\s*)?(?:\w++(?:<[^<>]*+>)?\??\.)?(\w+)")
_KOTLIN_COMMON = frozenset(
    "forEach isEmpty isNotEmpty isNullOrEmpty isNullOrBlank toString hashCode toList toMap toSet toByteArray"
    " joinToString firstOrNull getOrNull withIndex withContext runBlocking".split()
)
"""What most calls of these names mean is in Kotlin's own libraries, whatever else is called so."""
_KOTLIN_KINDS = frozenset({"function_declaration", "property_declaration"})
_KOTLIN_TYPE = re.compile(
    r"\n(?:(?:[a-z]+|@[\w.:]+(?:\([^()\n]*\))?)[ \t]+)*?(?:class|interface|object|typealias)[ \t]+(\w+)"
)
"""A type at the top of a file begins a line; the grammar loses one behind many an annotation."""
_JVM_NAME = re.compile(r'@file:\s*(?:\[\s*)?JvmName\(\s*(?:name\s*=\s*)?"(\w+)"')


def _kotlin_specifiers(tree: Tree) -> Iterator[Specifier]:
    for match, line in _found(_KOTLIN_IMPORT, _code(tree.text)):
        yield Specifier(module=match[1].replace("`", ""), name="*" if match[2] else None, line=line)


def _kotlin_surface(tree: Tree) -> Surface:
    """Return the package, what the file has in it, and the names that on-demand imports are decided by.

    The packages of those, `:a.b`, are among the names: which of them has a function is decided for all together. A
    function that is called like a type is offered as `Name()`, for where nothing else has its name.
    """
    code, offers, package = _code(tree.text), list[tuple[str, str]](), ""
    for package, node in _tops(tree.root.children()):
        held = child_of(node, "variable_declaration") if node.kind() == "property_declaration" else node
        if held and node.kind() in _KOTLIN_KINDS:
            name = text_of(child_of(held, "simple_identifier"))
            offers.append((package, f"{name}()" if name[:1].isupper() else name))
    offers += [(package, name) for name in _KOTLIN_TYPE.findall(f"\n{code}")]
    offers += [(package, name) for name in _JVM_NAME.findall(tree.text)]  # what its functions are in for Java
    imports = _KOTLIN_IMPORT.findall(code)
    stars = {f":{module}" for module, star in imports if star}
    called = {*_KOTLIN_CALL.findall(code)} - {*_KOTLIN_OWN.findall(code)} - _KOTLIN_COMMON if stars else set()
    return _surface(offers, stars | _on_demand(code, imports, called))


# --- Scala --------------------------------------------------------------------------------------------

_SCALA_IMPORT = re.compile(r"import(?<!\S.{6})[ \t]+([^\n{;}]*+(?:\{[^{}]*+\}[^\n{;}]*+)*+)")
_SCALA_CLAUSE = re.compile(r"([\w.$]+)\s*+(?:\{([^{}]*+)\}|(\*))?")
_SCALA_KINDS = frozenset(
    "class_definition object_definition trait_definition enum_definition type_definition given_definition"
    " function_definition function_declaration val_definition package_object".split()
)


def _scala_specifiers(tree: Tree) -> Iterator[Specifier]:
    """Yield a file's imports; what begins with the last name of an earlier import is below that one."""
    known: dict[str, str] = {}
    for match, line in _found(_SCALA_IMPORT, _code(tree.text)):
        for path, names, star in _SCALA_CLAUSE.findall(match[1].replace("`", "")):
            head, dot, rest = path.removeprefix("_root_.").partition(".")
            whole = f"{known.get(head, head)}{dot}{rest}".rstrip(".") if dot else head
            chosen = [one.split() for one in names.split(",")]
            if not names:  # the last part is what is imported
                whole, _, last = (whole if not star else f"{whole}.*").rpartition(".")
                chosen = [[last]]
            for name, *renamed in filter(None, chosen if whole else ()):
                if name in {"*", "_", "given"}:
                    yield Specifier(module=whole, name="*", line=line)
                else:
                    known[renamed[-1] if renamed else name] = f"{whole}.{name}"
                    yield Specifier(module=f"{whole}.{name}", line=line)


def _scala_surface(tree: Tree) -> Surface:
    """Return the packages, what they have, and the names that on-demand imports are decided by."""
    offers = [
        (space, PACKAGE_OBJECT if node.kind() in _SPACES else text_of(node.field("name") or node.field("pattern")))
        for space, node in _tops(tree.root.children())
        if node.kind() in _SCALA_KINDS
    ]
    imports = [(one.module, one.name or "") for one in _scala_specifiers(tree)]
    return _surface(offers, _on_demand(_code(tree.text), imports))


# --- C# -----------------------------------------------------------------------------------------------

_CSHARP_USING = re.compile(r"using(?<!\S.{5})\s+(static\s+)?(\w+\s*=\s*)?(?:global::)?(\w[\w.]*+)\s*;")
_CSHARP_KINDS = frozenset(
    "class_declaration struct_declaration record_declaration record_struct_declaration interface_declaration"
    " enum_declaration delegate_declaration".split()
)
_CSHARP_ENUM = re.compile(r"enum\s+\w+[^{};]{0,200}+\{[^{}]*+")
_CSHARP_KEYWORDS = (
    "public private protected internal static readonly const override virtual abstract sealed async return ref out in"
    " params this await else throw is as case event required extern not and or select implicit explicit using when"
)
_CSHARP_BEFORE = "|".join(
    f"(?<={one})" for one in (r"=> .", r"\?\? .", r" \? .", *(rf"\b{word} ." for word in _CSHARP_KEYWORDS.split()))
)
"""What a type may follow; after another word it is the name of what has that type."""
_CSHARP_USE = re.compile(
    rf"[A-Z](?<![\w.@\[].)(?:(?<=new .)\w*+<?|(?:(?<![\w>\]?] .)|{_CSHARP_BEFORE})\w*+<?(?!\s*(?:\(|=(?![=>]))))"
    r"|\[[A-Z]\w*+"
)


def _csharp_specifiers(tree: Tree) -> Iterator[Specifier]:
    """Yield the namespaces that a file uses (`*`), and types by their full names."""
    yield OWN
    for match, line in _found(_CSHARP_USING, _code(tree.text, _CSHARP_NOISE)):
        yield Specifier(module=match[3], name=None if match[1] or match[2] else "*", line=line)


def _csharp_surface(tree: Tree) -> Surface:
    """Return the types of a file (`Name<` if they have parameters), names that it may have from elsewhere, and usings.

    Its namespaces, `:A.B`, are among the uses: which of them has a name is decided for all together. What a bracket
    opens with, `[Name`, may be an attribute.
    """
    code = _code(tree.text, _CSHARP_NOISE)
    usings = [match for match in _CSHARP_USING.finditer(code) if not match[1] and not match[2]]
    everywhere = [(GLOBAL_USING, one[3]) for one in usings if code.endswith("global ", 0, one.start())]
    types = [
        (space, f"{text_of(node.field('name'))}{'<' if child_of(node, 'type_parameter_list') else ''}")
        for space, node in _tops(tree.root.children())
        if node.kind() in _CSHARP_KINDS
    ]
    used = {*_CSHARP_USE.findall(_CSHARP_ENUM.sub("", code))} - _own_types(code)
    return _surface([*types, *everywhere], {*used, *(f":{one[3]}" for one in usings)})


# --- PHP ----------------------------------------------------------------------------------------------

_PHP_IMPORT = "namespace_use_declaration"
_PHP_OFFERED = {
    **dict.fromkeys(("class_declaration", "interface_declaration", "trait_declaration", "enum_declaration"), ""),
    "function_definition": "()",
}
_PHP_USE = re.compile(r"use\b\s*(function\b|const\b)?([^{;]*)(?:\{([^}]*)\})?", re.IGNORECASE)
_PHP_CHOICE = re.compile(r"\s*(function\s+|const\s+)?([\w\\]+)(?:\s+as\s+(\w+))?\s*", re.IGNORECASE)
_PHP_NAME = re.compile(
    r"[A-Z\\](?<![\w$\\].)(?<!->.)(?<!::.)(?<!const .)(?<!case .)(?:(?:(?<=new .)|(?<=#\[.))[\w\\]*+|[\w\\]*+(?!\s*\())"
)
_PHP_LOADING = re.compile(r"(?:require|include)(?:_once)?(?=[ \t]*[('\"_]|[ \t]+dirname)")
_PHP_LOADS = ("require_expression", "include_expression", "_once_expression")
_PHP_PATH = re.compile(
    r"""\w+[\s(]*+(?:__DIR__|dirname\s*\(\s*(?:__FILE__|(?P<above>__DIR__))\s*\))?
    [\s.]*+(?P<quote>['"])(?P<path>[^'"$]+)(?P=quote)[\s)]*+""",
    re.VERBOSE | re.IGNORECASE,
)


def _php_imports(nodes: Iterable[SgNode]) -> Iterator[tuple[Specifier, str]]:
    """Yield what `use` statements name, each with its name in the file; the name of a function is `()`."""
    for node in nodes:
        used = _PHP_USE.match(_PHP_NOISE.sub(" ", node.text()))
        for choice in map(_PHP_CHOICE.fullmatch, (used[3] or used[2]).split(",") if used else ()):
            kind = (used[1] or choice[1] or "").strip().lower() if used and choice else "const"
            if used and choice and kind != "const":
                module = f"{used[2].strip() if used[3] else ''}{choice[2]}".strip("\\")
                here, ending = choice[3] or module.rpartition("\\")[2], "()" if kind else ""
                yield Specifier(module=module, name=ending or None, line=first_line(node)), f"{here}{ending}"


def _php_specifiers(tree: Tree) -> Iterator[Specifier]:
    """Yield what a file uses by full names, and what it loads from its own directory (`include`)."""
    yield OWN
    uses = (node for _, node in _tops(tree.root.children()) if node.kind() == _PHP_IMPORT)
    yield from (specifier for specifier, _ in _php_imports(uses))
    for node in around(tree, _PHP_LOADING, leaves=("comment", "string", "encapsed_string", "heredoc")):
        if node.kind().endswith(_PHP_LOADS) and (loaded := _PHP_PATH.fullmatch(node.text())):
            path = f"{'../' if loaded['above'] else ''}{loaded['path'].lstrip('/')}"
            yield Specifier(module=path, name="include", line=first_line(node))


def _php_surface(tree: Tree) -> Surface:
    """Return the types and functions (`name()`) of a file, and the full names that it uses without importing them."""
    tops = [(space, node, node.kind()) for space, node in _tops(tree.root.children())]
    offers = [
        (space, f"{text_of(node.field('name'))}{_PHP_OFFERED[kind]}")
        for space, node, kind in tops
        if kind in _PHP_OFFERED
    ]
    package = next((space for space, *_ in tops if space), "")
    imports = _php_imports(node for _, node, kind in tops if kind == _PHP_IMPORT)
    imported = {here: specifier.module.replace("\\", ".") for specifier, here in imports}
    used = set()
    for name in set(_PHP_NAME.findall(_code(tree.root.text(), _PHP_NOISE))):
        head, *below = name.split("\\")
        if not head:
            used.add(".".join(below if len(below) > 1 else ("", *below)))
        elif below or head not in imported:
            used.add(".".join((imported.get(head) or f"{package}.{head}", *below)))
    return _surface(offers, used)


# --- Swift --------------------------------------------------------------------------------------------

_SWIFT_IMPORT = re.compile(
    r"import(?<!\S.{6})[ \t]+(?:(?:struct|class|enum|protocol|typealias|func|let|var)[ \t]+)?(\w+)"
)
_SWIFT_KINDS = frozenset({"class_declaration", "protocol_declaration", "typealias_declaration"})
_HIDDEN = re.compile(r"\b(?:file)?private\b")


def _swift_specifiers(tree: Tree) -> Iterator[Specifier]:
    """Yield the modules that a file imports."""
    yield OWN
    for match, line in _found(_SWIFT_IMPORT, _code(tree.text)):
        yield Specifier(module=match[1], name="*", line=line)


def _swift_surface(tree: Tree) -> Surface:
    """Return the types that others see of a file, and the names that may be types of its module or of imported ones."""
    offers = [
        ("", text_of(node.field("name")))
        for _, node in _tops(tree.root.children())
        if node.kind() in _SWIFT_KINDS
        and text_of(node.field("declaration_kind")) != "extension"
        and not _HIDDEN.search(text_of(child_of(node, "modifiers")))
    ]
    code = _code(tree.text)
    return _surface(offers, {*_TYPE.findall(code)} - _own_types(code))


# --- Ruby ---------------------------------------------------------------------------------------------

_RUBY_WORD = re.compile("require|autoload|load")
_RUBY_CALLS = frozenset({"require", "require_relative", "load", "autoload"})
_HERE = r"(?:__dir__|File\.dirname\(\s*__FILE__\s*\))"
_RUBY_PATH = re.compile(
    rf"""(?P<q>["'])(?P<plain>[^"'#\\]+)(?P=q)
    | (?:{_HERE}\s*\+\s*|File\.join\(?\s*{_HERE}\s*,\s*)(?P<r>["'])(?P<added>[^"'#]+)(?P=r)\s*\)?
    | "\#\{{{_HERE}\}}(?P<within>[^"\#]+)"
    | File\.expand_path\(?\s*(?P<s>["'])(?:\.\./(?=[^)]*__FILE__))?(?P<expanded>[^"'#]+)(?P=s)\s*,
      \s*(?:__FILE__|{_HERE})\s*\)?""",
    re.VERBOSE,
)
"""A path as it is, or one that starts at the directory of the file; to `expand_path` the file is a directory, too."""


def _ruby_specifiers(tree: Tree) -> Iterator[Specifier]:
    """Yield what a file loads, by a path on the load path or, with the name `require_relative`, from its directory."""
    for node in around(tree, _RUBY_WORD, leaves=("comment", "string")):
        method, receiver, arguments = node.field("method"), node.field("receiver"), node.field("arguments")
        word = text_of(method) if node.kind() == "call" else ""
        if word not in _RUBY_CALLS or not arguments or (receiver and receiver.text() != "Kernel"):
            continue
        written = arguments.named_children()[word == "autoload" :]
        if written and (found := _RUBY_PATH.fullmatch(written[0].text())):
            name = None if found["plain"] and word != "require_relative" else "require_relative"
            path = found["plain"] or (found["added"] or found["within"] or found["expanded"]).lstrip("/")
            yield Specifier(module=path, name=name, line=first_line(node))


# ------------------------------------------------------------------------------------------------------

_IMPORT = re.compile("import")
KOTLIN = replace(symbols_only.KOTLIN, specifiers=_kotlin_specifiers, surface=_kotlin_surface, import_word=_IMPORT)
SCALA = replace(symbols_only.SCALA, specifiers=_scala_specifiers, surface=_scala_surface, import_word=_IMPORT)
CSHARP = replace(symbols_only.CSHARP, specifiers=_csharp_specifiers, surface=_csharp_surface)
PHP = replace(symbols_only.PHP, specifiers=_php_specifiers, surface=_php_surface)
SWIFT = replace(symbols_only.SWIFT, specifiers=_swift_specifiers, surface=_swift_surface)
RUBY = replace(symbols_only.RUBY, specifiers=_ruby_specifiers, import_word=_RUBY_WORD)
