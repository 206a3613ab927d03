"""Front matter: titles, and keys that relate a document to others."""

from __future__ import annotations

import pytest

from tests.tables import cells
from tx_graph.documents.document import Link, LinkKind
from tx_graph.documents.front_matter import FrontMatter, read_front_matter

Found = tuple[str, str, int, str]


def links(head: str, fence: str = "---") -> list[Found]:
    found = read_front_matter(f"{fence}\n{head}\n{fence}\ntext\n")
    assert found.problems == ()
    return [(link.kind.value, link.target, link.line, link.predicate) for link in found.links]


def test_it_ends_behind_its_closing_fence() -> None:
    text = "---\ntitle: A  title\naliases: [Auth, Login]\n---\n# Heading\n"
    found = read_front_matter(text)
    assert (found.title, found.aliases) == ("A title", ("Auth", "Login"))
    assert text[found.length :] == "# Heading\n"


_RELATED = (
    'supersedes: 003-old.md\nrelated:\n  - "[[auth]]"\n  - [[billing|Bills]]\ndepends_on: [adr-1, docs/b.md#part]'
)


@pytest.mark.parametrize(
    ("head", "fence", "expected"),
    [
        pytest.param(
            f"{_RELATED}\nsee-also: 0007",
            "---",
            [
                ("wiki", "003-old.md", 2, "supersedes"),
                ("wiki", "auth", 4, "related"),
                ("wiki", "billing", 5, "related"),
                ("wiki", "adr-1", 6, "depends_on"),
                ("wiki", "docs/b.md#part", 6, "depends_on"),
                ("wiki", "0007", 7, "see_also"),
            ],
            id="in any way that people write targets",
        ),
        pytest.param(
            "decision: docs/adr/003.md\nlayout: page.html\nauthor: Ada",
            "---",
            [("wiki", "docs/adr/003.md", 2, "decision")],
            id="any key may name a document",
        ),
        pytest.param("related: https://example.org/a.md\nsource: mailto:a@b.org", "---", [], id="what lies elsewhere"),
        pytest.param(
            'title = "A"\nsupersedes = ["003.md"]',
            "+++",
            [("wiki", "003.md", 3, "supersedes")],
            id="TOML between pluses",
        ),
    ],
)
def test_relations_name_their_targets(head: str, fence: str, expected: list[Found]) -> None:
    assert links(head, fence) == expected


def test_a_markdown_link_in_quotes_is_a_link() -> None:
    found = read_front_matter('---\nrelated: "[Payments](payments.md)"\n---\n')
    assert found.links == (Link(LinkKind.LINK, "payments.md", 2, "Payments", "related"),)


_NONE = cells("""
    # Heading⏎---⏎a: b⏎---⏎ ¦ ---⏎⏎A paragraph after a rule.⏎⏎---⏎ ¦ ---⏎a: b⏎ ¦ ----⏎a: b⏎----⏎
""")


@pytest.mark.parametrize("text", [*_NONE, "---", "", "+++\n"])
def test_a_rule_or_an_open_fence_is_none(text: str) -> None:
    assert read_front_matter(text) == FrontMatter()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("---\na: [b\n---\n", "that is not YAML"),
        ("---\na: b\n\tc: d\n---\n", "that is not YAML"),
        ("---\na: \x01\n---\n", "that is not YAML"),
        (f"---\na: {'[' * 50_000}\n---\n", "that is nested too deep"),
        (f"---\na:\n  {'- ' * 30_000}x\n---\n", "that is nested too deep"),
        (f"---\na: {'[' * 900}{']' * 900}\n---\n", ""),
        ("+++\na = \n+++\n", "that is not TOML"),
        (f"+++\na = {'[' * 50_000}\n+++\n", "that is not TOML"),
    ],
)
def test_what_cannot_be_read_is_a_problem_and_no_text(text: str, problem: str) -> None:
    found = read_front_matter(text)
    assert found.length == len(text)
    assert found.problems[0].startswith(f"has front matter {problem}")


def test_aliases_of_yaml_that_stand_for_billions_of_values_are_cut() -> None:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    pairs = zip("abcdefgh", "bcdefghi", strict=True)
    lines += [f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]" for before, name in pairs]
    assert len(links("\n".join([*lines, "related: *i"]))) <= 1
