"""Markdown becomes the tree that GitHub shows, with what its sections link to and name."""

from __future__ import annotations

import pytest

from tests.documents.reading.reading import blocks, links, markdown, named, tree, typed
from tests.tables import rows
from tx_graph.documents.document import BlockKind, Format, Link, LinkKind


def test_a_document_is_a_tree_of_its_headings() -> None:
    document = markdown("intro\n\n# A\n\ntext\n\n## B\n\n#### C\n\n## D\n\n# E\n")
    assert document.format is Format.MARKDOWN
    assert tree(document) == [(1, "A", "a"), (2, "B", "b"), (4, "C", "c"), (2, "D", "d"), (1, "E", "e")]
    assert [section.parent for section in document.sections] == [None, 0, 1, 2, 1, 0]


def test_a_section_has_its_own_text_with_its_heading_up_to_the_next_one() -> None:
    document = markdown("\n\nintro\n\n# A\n\ntext\n\n\n## B\nmore\n")
    assert [section.text for section in document.sections] == ["intro", "# A\n\ntext", "## B\nmore"]
    assert [(section.line_start, section.line_end) for section in document.sections] == [(3, 3), (5, 7), (10, 11)]


def test_setext_headings_closing_marks_and_empty_headings_are_headings() -> None:
    document = markdown("Title\nof two lines\n===\n\nSub\n---\n\n## Closed ##\n\n#\n\n####### seven\n")
    assert tree(document) == [
        (1, "Title of two lines", "titleof-two-lines"),
        (2, "Sub", "sub"),
        (2, "Closed", "closed"),
        (1, "", "-1"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "```\n# not\n```\n",
        "    # not\n",
        "~~~md\n# not\n\nnot\n===\n~~~\n",
        "<div>\n# not\n</div>\n",
        "<!--\n# not\n-->\n",
        "---\na: b\n# not\n---\n",
        "#not\n",
        "\\# not\n",
    ],
)
def test_code_html_and_front_matter_hold_no_headings(text: str) -> None:
    assert tree(markdown(text)) == []


def test_headings_in_lists_quotes_and_html_are_no_sections_but_count_for_slugs_and_can_be_linked() -> None:
    document = markdown("# A\n\n> ## Note\n\n- ## Note\n\n<h2>Note</h2>\n\n## Note\n")
    assert tree(document) == [(1, "A", "a"), (2, "Note", "note-3")]
    assert named(document, "a").labels == ("note", "note-1", "note-2")


def test_a_title_is_the_plain_text_of_a_heading() -> None:
    text = "## `login()` *of* **the** [API](x.md) &amp; ~~old~~ <b>new</b> ![logo](l.png)\n\n## ![only](l.png)\n"
    assert [title for _, title, _ in tree(markdown(text))] == ["login() of the API & old new", "only"]


def test_the_title_is_that_of_the_front_matter_else_the_first_of_the_highest_headings() -> None:
    assert markdown("---\ntitle: Front\n---\n# A\n").title == "Front"
    assert markdown("## B\n\n# A\n\n# C\n").title == "A"
    assert markdown('<h1 align="center">\n<img src="x.png"> The <i>Name</i></h1>\n\n## B\n').title == "The Name"
    assert markdown("text\n").title == ""


def test_places_have_other_names_too() -> None:
    document = markdown(
        """(top)=
# A {#first}

<a id="inside"></a> text

(one)=
(two)=

<a name="three"></a>

## B <a id="four"></a>
"""
    )
    assert named(document, "a").labels == ("first", "top", "inside")
    assert named(document, "b").labels == ("one", "two", "three", "four")


def test_braces_at_the_end_of_a_heading_are_its_text() -> None:
    assert tree(markdown("## GET /users/{id}\n")) == [(2, "GET /users/{id}", "get-usersid")]


def test_blocks_stand_where_they_are_in_the_text_of_their_section() -> None:
    document = markdown(
        """# 見出し 😀

Ünï
code

- one

  more
- two
  - three

1. é

| a | b |
|---|---|
| 1 | 2 |

```py
x = "é"
```

    indented

> quoted

<p>
html</p>

***
"""
    )
    assert blocks(document.sections[1]) == [
        ("heading", "# 見出し 😀"),
        ("paragraph", "Ünï\ncode"),
        ("item", "- one\n\n  more"),
        ("item", "- two\n  - three"),
        ("item", "1. é"),
        ("table", "| a | b |\n|---|---|\n| 1 | 2 |"),
        ("code", '```py\nx = "é"\n```'),
        ("code", "    indented"),
        ("paragraph", "quoted"),
        ("html", "<p>\nhtml</p>"),
    ]


def test_links_are_kept_as_they_are_written() -> None:
    text = """[a](other.md#part "title") [b][ref] [ref] [c](<my file.md>) [d](%20.md) [e](#part) ![f](img/x.png)
[[Page#part|words]] ![[embedded]] <a href="../x.md">g</a> <img src='y.png'> [h]: no

| [[Cell\\|words]] |
|---|

<p><a href="block.md">i</a></p>

[ref]: docs/ref.md
"""
    assert links(markdown(text).sections[0]) == rows("""
        link → other.md#part ¦ link → docs/ref.md ¦ link → my file.md ¦ link → %20.md ¦ link → #part
        link → img/x.png ¦ wiki → Page#part ¦ wiki → embedded ¦ link → ../x.md ¦ link → y.png ¦ wiki → Cell
        link → block.md
    """)


def test_a_link_has_its_words_and_its_line() -> None:
    (section,) = markdown("---\na: b\n---\n\nSee\nthe [*big* `plan`](plan.md).\n").sections
    assert section.links == (Link(LinkKind.LINK, "plan.md", 6, "big plan"),)


@pytest.mark.parametrize(
    "text",
    [
        "[a](https://example.org/a.md) <https://example.org> [b](//cdn/x) [c](mailto:a@b.c) <a@b.c> [d]() [e](#)",
        "![x](data:image/png;base64,AAAA) [undefined] [x][undefined] \\[a](b.md)",
        "<!-- <a href='x.md'> -->",
        "```\n[a](b.md) src/a.py\n```",
    ],
)
def test_what_is_elsewhere_or_no_link_is_left_out(text: str) -> None:
    assert links(markdown(text).sections[0]) == []


def test_inline_code_and_words_may_name_files_and_symbols() -> None:
    section = markdown(
        "`src/a.py:3` and `login()`, `--flag`; then src/b.py\nand cache\\_key in [`c_d`](x.md).\n"
    ).sections[0]
    assert links(section) == rows("""
        code → src/a.py ¦ code → login ¦ name → src/b.py ¦ name → cache_key ¦ link → x.md ¦ code → c_d
    """)


def test_a_section_says_each_thing_once() -> None:
    section = markdown("`a.py` [x](b.md) [[w]] c_d\n\n`a.py` [y](b.md) [[w]] c_d\n").sections[0]
    assert sorted(links(section)) == [("code", "a.py"), ("link", "b.md"), ("name", "c_d"), ("wiki", "w")]


def test_typed_lines_are_links_with_predicates() -> None:
    document = markdown(
        """---
related: [[home]]
---
# ADR 4

- depends_on:: [[auth]], [Billing](billing.md)
- Supersedes: [ADR 3](003.md) since [that](x.md)
- **See also**: ünï/x.md, `src/auth.py`

Note: [this](y.md)

## Status

Superseded by [ADR 5](005.md)
"""
    )
    assert typed(document.sections[0]) == [("related", "home")]
    assert typed(named(document, "adr-4")) == rows("""
        depends_on → auth ¦ depends_on → billing.md ¦ supersedes → 003.md ¦ see_also → ünï/x.md
        see_also → src/auth.py
    """)
    assert typed(named(document, "status")) == [("superseded_by", "005.md")]


def test_a_typed_link_is_not_repeated_as_a_plain_one() -> None:
    (section,) = markdown("See [a](a.md).\n\nRequires: [a](a.md)\n").sections
    assert section.links == (Link(LinkKind.LINK, "a.md", 3, "a", "requires"),)


def test_typed_lines_in_code_say_nothing() -> None:
    assert typed(markdown("```\nRequires: [a](a.md)\n```\n").sections[0]) == []


def test_line_ends_of_other_systems_and_byte_order_marks_change_nothing() -> None:
    text = "# A\n\ntext [x](y.md)\n\n## B\n"
    assert markdown("\ufeff" + text.replace("\n", "\r\n")) == markdown(text) == markdown(text.replace("\n", "\r"))


def test_front_matter_that_cannot_be_read_is_said_and_the_rest_is_read() -> None:
    document = markdown("---\na: [b\n---\n# A\n")
    assert document.problems[0].startswith("has front matter that is not YAML")
    assert [section.line_start for section in document.sections] == [1, 4]
    assert tree(document) == [(1, "A", "a")]


def test_footnotes_are_text() -> None:
    section = markdown("Word[^1].\n\n[^1]: See [x](y.md).\n").sections[0]
    assert links(section) == [("link", "y.md")]
    assert [block.kind for block in section.blocks] == [BlockKind.PARAGRAPH, BlockKind.PARAGRAPH]


@pytest.mark.parametrize(
    ("written", "link"),
    [
        ("{ref}`the-label`", (LinkKind.LABEL, "the-label", "")),
        ("{ref}`words <the-label>`", (LinkKind.LABEL, "the-label", "words")),
        ("{doc}`../guide`", (LinkKind.LINK, "../guide", "")),
        ("{py:func}`login`", (LinkKind.CODE, "login", "")),
        ("{option}`--name`", None),
    ],
)
def test_a_role_of_myst_is_a_link(written: str, link: tuple[LinkKind, str, str] | None) -> None:
    found = [(one.kind, one.target, one.text) for one in markdown(f"See {written}.").sections[0].links]
    assert found == ([link] if link else [])
