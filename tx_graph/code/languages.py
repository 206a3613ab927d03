"""Languages: which one a path is written in, told by its name alone, and which modules know it."""

from __future__ import annotations

from typing import NamedTuple


class Language(NamedTuple):
    """One language.

    `grammar` is ast-grep's name for it, empty where the reader chooses one, or knows none. `reader` is the module of
    `tx_graph.code.readers` that reads it, with the name of its reader after a colon where it has several;
    `resolver` that of `tx_graph.code.resolvers` that says where its imports lead, empty where imports are not
    read. `names` are whole file names, blank-separated like `extensions`.
    """

    name: str
    extensions: str
    grammar: str
    reader: str
    resolver: str = ""
    names: str = ""


LANGUAGES = {
    language.name: language
    for language in (
        Language("python", ".py .pyi", "python", "python", "python"),
        Language("javascript", ".js .mjs .cjs", "javascript", "javascript", "javascript"),
        Language("jsx", ".jsx", "javascript", "javascript", "javascript"),
        Language("typescript", ".ts .mts .cts", "typescript", "javascript", "javascript"),
        Language("tsx", ".tsx", "tsx", "javascript", "javascript"),
        Language("vue", ".vue", "", "javascript:VUE", "javascript"),
        Language("rust", ".rs", "rust", "rust", "rust"),
        Language("go", ".go", "go", "go", "go"),
        Language("java", ".java", "java", "java", "java"),
        Language("c", ".c .h", "", "c", "c"),
        Language("cpp", ".cc .cpp .cxx .c++ .hh .hpp .hxx .h++ .ipp .tpp .inl", "cpp", "c:CPP", "c"),
        Language("csharp", ".cs", "csharp", "namespaces:CSHARP", "csharp"),
        Language("ruby", ".rb .rake .gemspec .ru", "ruby", "namespaces:RUBY", "ruby", names="Rakefile Gemfile"),
        Language("php", ".php", "php", "namespaces:PHP", "php"),
        Language("kotlin", ".kt .kts", "kotlin", "namespaces:KOTLIN", "java"),
        Language("swift", ".swift", "swift", "namespaces:SWIFT", "swift"),
        Language("scala", ".scala .sc", "scala", "namespaces:SCALA", "java"),
        Language("lua", ".lua", "lua", "lua", "lua"),
        Language("bash", ".sh .bash", "bash", "symbols_only:BASH"),
        Language("elixir", ".ex .exs", "elixir", "elixir", "elixir"),
        Language("haskell", ".hs", "haskell", "haskell", "haskell"),
        Language("zig", ".zig", "", "zig", "zig"),
    )
}
"""Every language that is read. To add one: a line here, a reader, and a resolver if its imports are read too."""

MARKUP = {"markdown": "md markdown mdown mkd mkdn mdx", "rst": "rst rest"}
"""The endings of documents that have sections, by how they are written."""
_MARKUP_ENDINGS = tuple(f".{ending}" for endings in MARKUP.values() for ending in endings.split())

_BY_EXTENSION = {
    extension: language.name for language in LANGUAGES.values() for extension in language.extensions.split()
}
_BY_NAME = {name: language.name for language in LANGUAGES.values() for name in language.names.split()}


def language_of(path: str) -> str | None:
    """Return the language of a source file (`python`, `tsx`, `vue`, …), or None when we read none such."""
    start = path.rfind("/") + 1
    dot = path.rfind(".")
    found = _BY_EXTENSION.get(path[dot:]) if dot > start else None
    return found or _BY_NAME.get(path[start:])


def has_sections(path: str) -> bool:
    """Whether a path is that of a document whose headings make sections."""
    return path.lower().endswith(_MARKUP_ENDINGS)


def resolver_of(language: str | None) -> str:
    """Return which resolver knows a language's imports; languages that share one import each other. Empty: none."""
    found = LANGUAGES.get(language or "")
    return found.resolver if found else ""
