"""Paths, names, slugs and typed lines, told by their looks from everything else that people write."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.documents.reading.reading import blocks, links, typed
from tests.tables import cells, rows
from tx_graph.documents.document import Format, LinkKind, format_of
from tx_graph.documents.reading import (
    Slugs,
    code_target,
    is_path,
    names_in,
    read_document,
    slug_of,
    texts_with_keys,
    typed_line,
)


@pytest.mark.parametrize(
    ("code", "target"),
    [
        *rows("""
            src/auth.py → src/auth.py ¦ ./setup.py → ./setup.py ¦ ../lib/a.ts → ../lib/a.ts
            path/to/file.py:12 → path/to/file.py ¦ path/to/file.py:12-20 → path/to/file.py ¦ a.py#L12-L14 → a.py
            src/a.py::Foo::bar → src/a.py::Foo::bar ¦ src/a.py::test_it() → src/a.py::test_it
            docker/Dockerfile → docker/Dockerfile ¦ login() → login ¦ login(user, password) → login
            AuthService.login → AuthService.login ¦ std::vector → std::vector ¦ Array#map → Array#map
            read_document → read_document ¦ MAX_TERMS → MAX_TERMS ¦ Workspace → Workspace
            validateToken → validateToken ¦ LICENSE → LICENSE ¦ größe_von → größe_von
            --verbose → ¦ -c/a.py → ¦ pip install tx → ¦ https://example.org/a.py → ¦ v1.2.3 → ¦ 3.11 → ¦ 24/7 →
            name → ¦ true → ¦ True → ¦ GET → ¦ src/ → ¦ *.py → ¦ $HOME/a.py → ¦ a = b → ¦ {id} → ¦ →
        """),
        ("x" * 500, ""),
    ],
)
def test_inline_code_may_name_a_file_or_symbol(code: str, target: str) -> None:
    assert code_target(code) == target


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        *rows("""
            It lives in src/auth.py. → src/auth.py
            See (docs/adr/003.md), then call login(). → docs/adr/003.md login
            The AuthService's cache_key is read by AuthService.login! → AuthService cache_key AuthService.login
            “validateToken” and HTTPServer → validateToken HTTPServer
            Set MAX_TERMS in settings.toml → MAX_TERMS settings.toml
            A plain sentence, e.g. this one; and/or that, i.e. client/server. →
            Version 1.2.3 of https://example.org/a.py at 12:30 costs 3.50. →
            HTTP, GET and APIs: Capitalised Words are none. →
            end.Of course → end.Of
        """),
        ("_" * 1000 + "a_b" * 1000, ""),
    ],
)
def test_a_sentence_may_name_files_and_symbols(sentence: str, names: str) -> None:
    assert [name for _, name in names_in(sentence)] == names.split()


def test_a_name_comes_with_the_number_of_lines_before_it() -> None:
    assert names_in("é\nfoo_bar\n\nbar_baz foo_bar") == [(1, "foo_bar"), (3, "bar_baz"), (3, "foo_bar")]


@pytest.mark.parametrize(("text", "expected"), [("docs/x.md#part", True), ("x.md", True), ("x", False), ("1.2", False)])
def test_a_path_may_have_a_part(text: str, expected: bool) -> None:
    assert is_path(text) is expected


_PATHS = {
    Format.MARKDOWN: "README.md docs/a.MD a.markdown a.mdown a.mkd a.mdx tests/fixtures/a.md",
    Format.RST: "docs/index.rst README.rest",
    Format.TEXT: "notes.txt docs/a.text LICENSE LICENSE-APACHE README readme Readme CHANGES llms.txt",
    None: """CMakeLists.txt requirements.txt requirements-dev.txt dev-requirements.txt requirements/base.txt
        constraints.txt public/robots.txt src/tx.egg-info/SOURCES.txt tests/fixtures/words.txt pkg/testdata/out.txt
        src/a.py Makefile bin/install VERSION .md docs a.json CODEOWNERS""",
}


@pytest.mark.parametrize(("path", "form"), [(path, form) for form, paths in _PATHS.items() for path in paths.split()])
def test_a_path_tells_how_a_document_is_written_and_text_for_programs_is_none(path: str, form: Format | None) -> None:
    assert format_of(path) is form


@pytest.mark.parametrize(
    ("heading", "slug"),
    [
        *rows("""
            Hello World → hello-world ¦ foo bar → foo-bar ¦ I ♥ unicode → i--unicode ¦ Dash-dash → dash-dash
            en–dash → endash ¦ em–dash → emdash ¦ 😄 unicode emoji → -unicode-emoji
            😄-😄 unicode emoji → --unicode-emoji ¦ 😄_😄 unicode emoji → _-unicode-emoji ¦ 😄 - an emoji → ---an-emoji
            :smile: - a gemoji → smile---a-gemoji ¦ Привет non-latin 你好 → привет-non-latin-你好
            Ünïcödé Straße İ → ünïcödé-straße-i̇ ¦ हिन्दी → हिन्दी ¦ What's new in 2.0? → whats-new-in-20 ¦ C++ & C# → c--c
            snake_case __init__ → snake_case-__init__ ¦ a  b → a--b ¦ /api/v1 {id} → apiv1-id ¦ ½ ² ① → --
            Ⓐ circled → ⓐ-circled
        """),
        ("tab\there", "tabhere"),
    ],
)
def test_a_slug_is_what_github_makes_of_a_heading(heading: str, slug: str) -> None:
    """The cases are those that are known from GitHub itself and from github-slugger."""
    assert slug_of(heading) == slug


@pytest.mark.parametrize(
    ("headings", "slugs"),
    rows("""
        Usage,Usage,Usage → usage usage-1 usage-2 ¦ foo,foo,foo 1 → foo foo-1 foo-1-1 ¦ A!,a? → a a-1
        foo-1,foo,foo → foo-1 foo foo-2 ¦ foo,foo 1,foo → foo foo-1 foo-2
        🎉,! → -1 -2
    """),
)
def test_a_repeated_slug_gets_the_next_free_number_and_an_empty_one_too(headings: str, slugs: str) -> None:
    given = Slugs()
    assert [given.give(heading) for heading in headings.split(",")] == slugs.split()


@pytest.mark.parametrize(
    ("line", "predicate", "targets"),
    rows("""
        - depends_on:: [[auth]] → depends_on → [[auth]]
        reviewed by:: [Ada](people/ada.md) → reviewed_by → [Ada](people/ada.md)
        Supersedes: [ADR 3](003.md) → supersedes → [ADR 3](003.md)
        * **Depends on**: [a](a.md), [b](b.md) and [[c]] for now → depends_on → [a](a.md), [b](b.md) and [[c]]
        **Depends on:** `src/auth.py` → depends_on → `src/auth.py`
        Superseded by: docs/x.md → superseded_by → docs/x.md
        1. _See also_: [x][y] → see_also → [x][y]
        > - [ ] Requires: <a href='x.md'>x</a> → requires → <a href='x.md'>x</a>
        Status: Superseded by [ADR 7](007.md) → superseded_by → [ADR 7](007.md)
        Status: Accepted, amended by [ADR 7](007.md) → amended_by → [ADR 7](007.md)
        :Supersedes: :doc:`003` → supersedes → :doc:`003`
    """),
)
def test_a_key_before_links_types_them(line: str, predicate: str, targets: str) -> None:
    found = typed_line(line)
    assert found is not None
    assert (found.predicate, line[found.start : found.end]) == (predicate, targets)


@pytest.mark.parametrize(
    "line",
    cells("""
        Note: [x](y) ¦ Requires: a good deal of patience ¦ std::vector is [x](y) ¦ depends_on:: nothing in particular
        https://example.org/[x](y) ¦ Superseded by [ADR 7](007.md) ¦ one two three four:: [x](y) ¦
    """),
)
def test_other_lines_say_nothing(line: str) -> None:
    assert typed_line(line) is None


def test_under_a_heading_status_no_colon_is_needed() -> None:
    found = typed_line("Superseded by [ADR 7](007.md)", under_status=True)
    assert found is not None
    assert found.predicate == "superseded_by"


def test_bare_paths_and_inline_code_are_targets_too() -> None:
    found = typed_line("Depends on: docs/x.md#part, `src/a.py::foo`.")
    assert found is not None
    assert found.names == ((LinkKind.WIKI, "docs/x.md#part", 12), (LinkKind.CODE, "src/a.py::foo", 28))


@given(st.from_regex(r"(- )?(\*\*)?(Depends on|see also|any)(\*\*)?::? \[x\]\(y\)", fullmatch=True), st.text())
def test_every_typed_line_is_among_the_texts_that_may_have_a_key(line: str, other: str) -> None:
    # As the parser hands texts over: a link is a text of its own.
    texts = [other.replace("\n", " "), line.removesuffix("[x](y)"), "x"]
    if typed_line(line):
        assert 1 in set(texts_with_keys("\n".join(texts)))


def test_plain_text_is_the_document_itself() -> None:
    document = read_document("NOTES.txt", "\nFirst é\nline.\n \n\nSecond.\n\n# No heading\n\n")
    (section,) = document.sections
    assert (document.format, document.title, section.level) == (Format.TEXT, "", 0)
    assert (section.line_start, section.line_end) == (2, 8)
    assert blocks(section) == [("paragraph", "First é\nline."), ("paragraph", "Second."), ("paragraph", "# No heading")]
    assert read_document("data.bin", "x").format is Format.TEXT


def test_plain_text_names_files_and_symbols_and_has_typed_lines() -> None:
    section = read_document("NOTES", "See src/a.py.\nRequires: docs/setup.md\nand read_document()\n").sections[0]
    assert links(section) == [("name", "src/a.py"), ("wiki", "docs/setup.md"), ("name", "read_document")]
    assert typed(section) == [("requires", "docs/setup.md")]


@pytest.mark.parametrize("path", ["a.md", "a.rst", "a.txt"])
def test_an_empty_document_has_one_empty_section(path: str) -> None:
    (section,) = read_document(path, "\n \n").sections
    assert (section.text, section.line_start, section.line_end, section.blocks) == ("", 1, 1, ())
