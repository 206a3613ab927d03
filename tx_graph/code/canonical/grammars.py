"""Readings of a text in canonical form: by its grammar where there is one, else by its family's words and signs."""

from __future__ import annotations

import re
from functools import cache, cached_property
from importlib import import_module
from typing import Any, NamedTuple

from tx_graph.code.canonical import lexing
from tx_graph.code.canonical.lexing import Family, lexed
from tx_graph.code.canonical.shapes import Between, Part, Rules, Source, Stream, flat, grown
from tx_graph.code.languages import language_of
from tx_graph.code.parsing import reader_of, why_unable
from tx_graph.code.symbols import Symbol
from tx_graph.code.tree import Tree, numbered, parse_as


class _Known(NamedTuple):
    """A grammar of ast-grep, the module with its rules (and their name) and, blank-separated, its files' extensions."""

    grammar: str
    rules: str
    extensions: str


_GRAMMARS = (
    _Known("json", "others:DATA", ".json .jsonc .json5 .webmanifest"),
    _Known("yaml", "others:YAML", ".yaml .yml"),
    _Known("css", "others:CSS", ".css"),
    _Known("hcl", "others", ".hcl .tf .tfvars"),
    _Known("haskell", "others", ".hs"),
    _Known("nix", "others", ".nix"),
    _Known("solidity", "others", ".sol"),
)
_GRAMMAR_OF = {extension: known for known in _GRAMMARS for extension in known.extensions.split()}
_RULES_OF = {
    "python": "python",
    **dict.fromkeys(("javascript", "jsx", "typescript", "tsx"), "ecmascript"),
    "vue": "markup:VUE",
    "rust": "rust",
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
_PROSE = frozenset({".md", ".markdown", ".mdx", ".txt", ".rst", ".adoc"})
_HASHED_NAMES = frozenset({"Makefile", "Dockerfile", "Gemfile", "Rakefile", "CMakeLists.txt", "BUILD", "WORKSPACE"})


def grammar_of(path: str) -> str:
    """Return ast-grep's grammar for a file that has no reader; empty when there is none."""
    known = _GRAMMAR_OF.get(_extension(path))
    return known.grammar if known else ""


def rules_of(path: str) -> Rules:
    """Return the rules for a file that there is a grammar for."""
    language = language_of(path)
    if language:
        return _rules(_RULES_OF.get(language, "others"))
    known = _GRAMMAR_OF.get(_extension(path))
    return _rules(known.rules if known else "others")


def family_of(path: str) -> Family:
    """Return how a file is taken apart that there is no grammar for; of an unknown one, every line counts."""
    if path.rpartition("/")[2] in _HASHED_NAMES:
        return lexing.HASHED
    return _FAMILY_OF.get(_extension(path), lexing.PLAIN)


def words_of(path: str) -> Between | None:
    """Return what takes a text apart that is more than words and signs: prose and markup; None for all others."""
    extension = _extension(path)
    found: Between | None = None
    if extension in _PROSE:
        found = _module("markup").worded
    elif extension in _MARKUP:
        found = _module("markup").marked
    return found


def _extension(path: str) -> str:
    name = path.rpartition("/")[2]
    return "." + name.rpartition(".")[2].lower()


@cache
def _rules(place: str) -> Rules:
    module, _, name = place.partition(":")
    rules: Rules = getattr(_module(module), name or "RULES")
    return rules


def _module(name: str) -> Any:  # noqa: ANN401 - each has what it is asked for
    return import_module(f"tx_graph.code.canonical.{name}")


def tree_of(path: str, text: str) -> Tree | None:
    """Return the tree of a text, None where nothing can be parsed or no grammar is known for it."""
    if why_unable():
        return None
    language = language_of(path)
    if language:
        return reader_of(language).parse(text, language)
    grammar = grammar_of(path)
    return parse_as(text, grammar) if grammar else None


_SURROGATE = re.compile("[\ud800-\udfff]")
"""What stands for bytes that are no text; the parser takes none."""
_PRIVATE_USE = 0xE000 - 0xD800


class Reading:
    """One text under its path; it is parsed when that is needed first, and once."""

    def __init__(self, path: str, text: str) -> None:
        self._path = path
        self._text = _SURROGATE.sub(_stand_in, text)

    @cached_property
    def symbols(self) -> tuple[Symbol, ...]:
        """What the text declares."""
        if not self._language or not self._tree:
            return ()
        return tuple(numbered(reader_of(self._language).symbols(self._path, self._tree)))

    @cached_property
    def stream(self) -> Stream:
        """The tokens and comments of the text."""
        source = Source(text=self._text)
        if self._tree:
            return flat(grown(self._tree.root, source, rules_of(self._path)), source)
        end = len(self._text)
        parts = (words_of(self._path) or self._lexed)(source, 0, end)
        return flat(Part("text", 0, end, parts=parts), source)

    def _lexed(self, source: Source, start: int, end: int) -> list[Part]:
        return lexed(source, start, end, family_of(self._path))

    @cached_property
    def _tree(self) -> Tree | None:
        return tree_of(self._path, self._text)

    @cached_property
    def _language(self) -> str | None:
        return language_of(self._path)


def _stand_in(found: re.Match[str]) -> str:
    """Return a character of private use, another one for each byte: other bytes must stay other text."""
    return chr(ord(found[0]) + _PRIVATE_USE)
