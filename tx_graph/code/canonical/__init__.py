"""Canonical form: what source says, without what formatters may change; one module of rules per language family.

A text is taken apart by its grammar where there is one, else by its family's words and signs.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any

from tx_graph.code.canonical import lexing
from tx_graph.code.canonical.lexing import Family
from tx_graph.code.canonical.shapes import Between, Rules
from tx_graph.code.languages import has_sections, language_of
from tx_graph.code.parsing import reader_of, why_unable
from tx_graph.code.tree import NeverParsed, Tree, parse_as

_GRAMMARS = (
    ("json", "others:DATA", ".json .jsonc .json5 .webmanifest"),
    ("yaml", "others:YAML", ".yaml .yml"),
    ("css", "others:CSS", ".css"),
    ("hcl", "others", ".hcl .tf .tfvars"),
    ("nix", "others", ".nix"),
    ("solidity", "others", ".sol"),
)
"""Grammars of ast-grep, the module with their rules (and the rules' name), and their files' extensions."""
_GRAMMAR_OF = {extension: (name, rules) for name, rules, extensions in _GRAMMARS for extension in extensions.split()}
_RULES_OF = {
    "python": "python",
    **dict.fromkeys(("javascript", "jsx", "typescript", "tsx"), "ecmascript"),
    "vue": "markup:VUE",
    "rust": "others:RUST",
    "go": "others:GO",
    "java": "others:JAVA",
}
"""The modules with the rules of languages that formatters are known for; all others share one."""
_FAMILIES: tuple[tuple[Family, str], ...] = (
    (
        lexing.BRACED,
        ".js .mjs .cjs .jsx .ts .mts .cts .tsx .rs .go .java .c .h .cc .cpp .cxx .hh .hpp .cs .php .kt .kts",
    ),
    (lexing.BRACED, ".swift .scala .sc .proto .dart .groovy .gradle .json .json5 .jsonc .sol .zig .v .d"),
    (lexing.STYLES, ".css .scss .less .pcss"),
    (lexing.SCHEMAS, ".graphql .gql"),
    (lexing.QUERIES, ".sql .psql .ddl"),
    (lexing.DASHED, ".lua .hs .elm .adb .ads .purs"),
    (lexing.PARENTHESISED, ".clj .cljs .cljc .edn .lisp .el .scm .rkt"),
    (lexing.SEMICOLONS, ".ini .cfg .conf .properties .asm .s .editorconfig"),
    (lexing.HASHED, ".py .pyi .rb .rake .sh .bash .zsh .fish .yaml .yml .toml .r .pl .pm .ex .exs .jl .nim .mk .cmake"),
    (lexing.HASHED, ".tf .hcl .nix .coffee .gd .tcl .ps1 .env .rego .bzl .star"),
)
_FAMILY_OF = {extension: family for family, extensions in _FAMILIES for extension in extensions.split()}
_MARKUP = frozenset(
    ".html .htm .xml .svg .vue .svelte .astro .xhtml .xsd .xsl .plist .hbs .handlebars .njk .ejs".split()
)
_PROSE = frozenset({".txt", ".adoc"})
"""What is prose besides documents with sections."""
_HASHED_NAMES = frozenset({"Makefile", "Dockerfile", "Gemfile", "Rakefile", "CMakeLists.txt", "BUILD", "WORKSPACE"})


def rules_of(path: str) -> Rules:
    """Return the rules for a file that there is a grammar for."""
    language = language_of(path)
    _, known = _GRAMMAR_OF.get(_extension(path), ("", "others"))
    module, _, name = (_RULES_OF.get(language, "others") if language else known).partition(":")
    rules: Rules = getattr(_module(module), name or "RULES")
    return rules


def family_of(path: str) -> Family:
    """Return how a file is taken apart that there is no grammar for; of an unknown one, every line counts."""
    if path.rpartition("/")[2] in _HASHED_NAMES:
        return lexing.HASHED
    return _FAMILY_OF.get(_extension(path), lexing.PLAIN)


def between_of(path: str) -> Between:
    """Return what takes a text apart that there is no grammar for: prose, markup, else words and signs."""
    extension = _extension(path)
    is_prose = extension in _PROSE or has_sections(path)
    if is_prose or extension in _MARKUP:
        between: Between = _module("markup").worded if is_prose else _module("markup").marked
        return between
    return partial(lexing.lexed, family=family_of(path))


def _extension(path: str) -> str:
    name = path.rpartition("/")[2]
    return "." + name.rpartition(".")[2].lower()


def _module(name: str) -> Any:  # noqa: ANN401 - each has what it is asked for
    return import_module(f"tx_graph.code.canonical.{name}")


_LONG, _MOST_STEPS = 20_000, 1_000_000_000
"""Characters of a line, and steps, of 3 ns each: where a node is, ast-grep counts from the beginning of its line."""
_LEAF = re.compile(r"\w+|[^\w\s]")


def tree_of(path: str, text: str) -> Tree | None:
    """Return the tree of a text, None where no grammar is known, nothing can be parsed or it or its nodes take long.

    That is so where many thousands of them stand on one line, as in code that a program wrote.
    """
    long = (line for line in text.split("\n") if len(line) > _LONG) if len(text) > _LONG else ()
    if why_unable() or sum(len(line) * len(_LEAF.findall(line)) for line in long) > _MOST_STEPS:
        return None
    language = language_of(path)
    grammar, _ = _GRAMMAR_OF.get(_extension(path), ("", ""))
    with suppress(NeverParsed):
        if language:
            return reader_of(language).parse(text, language)
        return parse_as(text, grammar) if grammar else None
    return None
