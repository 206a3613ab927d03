"""Front matter: titles, and keys that relate a document to others."""

from __future__ import annotations

import pytest

from tx_graph.documents.document import Link, LinkKind
from tx_graph.documents.front_matter import FrontMatter, read_front_matter

WIKI, LINK = LinkKind.WIKI, LinkKind.LINK


def links(head: str, fence: str = "---") -> list[tuple[LinkKind, str, int, str]]:
    found = read_front_matter(f"{fence}\n{head}\n{fence}\ntext\n")
    assert found.problems == ()
    return [(link.kind, link.target, link.line, link.predicate) for link in found.links]


def test_it_ends_behind_its_closing_fence() -> None:
    text = "---\ntitle: A  title\n---\n# Heading\n"
    found = read_front_matter(text)
    assert found.title == "A title"
    assert text[found.length :] == "# Heading\n"


def test_relations_name_their_targets_in_any_way_that_people_write_them() -> None:
    head = """supersedes: 003-old.md
related:
  - "[[auth]]"
  - [[billing|Bills]]
depends_on: [adr-1, docs/b.md#part]
see-also: 0007"""
    assert links(head) == [
        (WIKI, "003-old.md", 2, "supersedes"),
        (WIKI, "auth", 4, "related"),
        (WIKI, "billing", 5, "related"),
        (WIKI, "adr-1", 6, "depends_on"),
        (WIKI, "docs/b.md#part", 6, "depends_on"),
        (WIKI, "0007", 7, "see_also"),
    ]


def test_a_markdown_link_in_quotes_is_a_link() -> None:
    found = read_front_matter('---\nrelated: "[Payments](payments.md)"\n---\n')
    assert found.links == (Link(LINK, "payments.md", 2, "Payments", "related"),)


def test_any_key_may_name_a_document() -> None:
    assert links("decision: docs/adr/003.md\nlayout: page.html\nauthor: Ada") == [
        (WIKI, "docs/adr/003.md", 2, "decision")
    ]


def test_what_lies_elsewhere_is_no_target() -> None:
    assert links("related: https://example.org/a.md\nsource: mailto:ada@example.org") == []


def test_toml_says_the_same_between_pluses() -> None:
    assert links('title = "A"\nsupersedes = ["003.md"]', "+++") == [(WIKI, "003.md", 3, "supersedes")]


@pytest.mark.parametrize(
    "text",
    [
        "# Heading\n---\na: b\n---\n",
        "---\n\nA paragraph after a rule.\n\n---\n",
        "---\na: b\n",
        "----\na: b\n----\n",
        "---",
        "",
        "+++\n",
    ],
)
def test_a_rule_or_an_open_fence_is_none(text: str) -> None:
    assert read_front_matter(text) == FrontMatter()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("---\na: [b\n---\n", "has front matter that is not YAML"),
        ("---\na: b\n\tc: d\n---\n", "has front matter that is not YAML"),
        ("---\na: \x01\n---\n", "has front matter that is not YAML"),
        (f"---\na: {'[' * 50_000}\n---\n", "has front matter that is nested too deep"),
        (f"---\na:\n  {'- ' * 30_000}x\n---\n", "has front matter that is nested too deep"),
        (f"---\na: {'[' * 900}{']' * 900}\n---\n", "has front matter"),
        ("+++\na = \n+++\n", "has front matter that is not TOML"),
        (f"+++\na = {'[' * 50_000}\n+++\n", "has front matter that is not TOML"),
    ],
)
def test_what_cannot_be_read_is_a_problem_and_no_text(text: str, problem: str) -> None:
    found = read_front_matter(text)
    assert found.length == len(text)
    assert found.problems[0].startswith(problem)


def test_aliases_of_yaml_that_stand_for_billions_of_values_are_cut() -> None:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    lines += [
        f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    ]
    assert len(links("\n".join([*lines, "related: *i"]))) <= 1


def test_aliases_are_other_names_of_the_document() -> None:
    assert read_front_matter("---\naliases: [Auth, Login]\n---\n").aliases == ("Auth", "Login")
