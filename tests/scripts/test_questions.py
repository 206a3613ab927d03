"""Questions with annotated answers: their metric, which lines define a name, what is read, and whole runs."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from benchmarks.definitions import defining_lines
from benchmarks.questions import Question, Target, main, ndcg, questions, tokens_until_seen
from tests.conftest import MakeRepository
from tx_graph import Material, Page, RankedFile

SHOP = "def price(item):\n    return item.cost - discount(item)\n"


@pytest.mark.parametrize(
    ("files", "targets", "expected"),
    [
        (["a.py", "b.py"], ["a.py"], 1.0),
        (["b.py", "a.py"], ["a.py"], 1 / math.log2(3)),
        (["b.py", "a.py"], ["a.py", "b.py"], 1.0),
        (["a.py"], ["a.py", "b.py"], 1 / (1 + 1 / math.log2(3))),
        (["src/a.py"], ["a.py"], 1.0),  # a path may be the end of another, but only whole names
        (["aa.py"], ["a.py"], 0.0),
        ([*"0123456789", "a.py"], ["a.py"], 0.0),
        (["a.py"], [], 0.0),
    ],
)
def test_each_target_counts_by_its_best_rank_among_the_first_ten(
    files: list[str], targets: list[str], expected: float
) -> None:
    assert ndcg(files, [Target(one) for one in targets]) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("export default class Axios {", "Axios"),
        ("class ABSL_LOCKABLE Mutex {", "Mutex"),
        ("func (c *Command) Execute() error {", "Execute"),
        ("public fun <T> Table.insert(value: T) {", "insert"),
        ("  class Rails::Engine < Railtie", "Rails::Engine"),
        ("export const ZodError = core.make()", "ZodError"),
        ("#define UV_LOOP 1", "UV_LOOP"),
    ],
)
def test_a_definition_is_seen_in_any_language(line: str, name: str) -> None:
    assert defining_lines(f"\n{line}\n", name) == [2]


@pytest.mark.parametrize(
    "line",
    ["class Dog(Animal):", "// class Animal {", "animal = Animal()", "if Animal == other:", "let AnimalFarm = 1"],
)
def test_what_only_speaks_of_a_name_does_not_define_it(line: str) -> None:
    assert defining_lines(line, "Animal") == []


def page(*paths: str) -> Page:
    files = tuple(RankedFile(path=path, score=1.0) for path in paths)
    text = "## Where to look\n\n" + "".join(f"- `{path}`: words\n" for path in paths)
    return Page(text=text, tokens=0, budget=100, shown=Material(files=files), omitted={})


def test_what_is_named_without_lines_is_read_as_a_whole() -> None:
    shown, texts = page("a.py", "b.py", "c.py"), dict.fromkeys(("a.py", "b.py", "c.py"), "x" * 400)
    asked = Question(text="why", category="semantic", targets=(Target("b.py"),))
    down_to_b = shown.text.index("- `c.py`")
    assert tokens_until_seen(shown, asked, texts) == 200 + math.ceil(down_to_b / 4)
    assert tokens_until_seen(page("a.py"), asked, texts) is None


TEXT = "\n".join(f"line {number}" for number in range(1, 101))


@pytest.mark.parametrize(
    ("first", "last", "snippet", "read"),
    [
        (40, 60, None, "\n".join(TEXT.split("\n")[39:60])),  # the lines that are named
        (40, 60, "line 50\nline 51", ""),  # on the page already
        (40, 60, "line 58\nline 59", "\n".join(TEXT.split("\n")[39:60])),  # the snippet has others
        (1, 9, "line 1", TEXT),  # the lines are others: the whole file
    ],
)
def test_what_the_page_does_not_show_is_read(first: int, last: int, snippet: str | None, read: str) -> None:
    shown = RankedFile(path="a.py", score=1.0, line_start=first, line_end=last, snippet=snippet)
    asked = Question(text="why", category="semantic", targets=(Target("a.py", (50, 52)),))
    named = Page(text="- `a.py:1`\n", tokens=0, budget=100, shown=Material(files=(shown,)), omitted={})
    assert tokens_until_seen(named, asked, {"a.py": TEXT}) == 3 + math.ceil(len(read) / 4)


def annotated(directory: Path, items: list[dict[str, object]]) -> Path:
    """Write annotations of one repository as semble has them, and return their directory."""
    annotations = directory / "annotations"
    annotations.mkdir()
    repositories = [
        {"name": "shop", "language": "python", "benchmark_root": "src"},
        {"name": "absent", "language": "c"},
    ]
    (directory / "repos.json").write_text(json.dumps(repositories), encoding="utf-8")
    (annotations / "shop.json").write_text(json.dumps(items), encoding="utf-8")
    return annotations


def test_lines_of_an_annotation_are_read(tmp_path: Path) -> None:
    target = {"path": "src/shop.py", "start_line": 1, "end_line": 2}
    (asked,) = questions(annotated(tmp_path, [{"query": "price", "relevant": [target]}]) / "shop.json")
    assert asked.targets == (Target("src/shop.py", (1, 2)),)


def test_a_run_indexes_copies_and_tells_both_settings(
    repository: MakeRepository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        "src/shop.py": SHOP,
        "src/stock.py": "def shelf():\n    return 3\n",
        "price.md": "# The price of an item\n",
    }
    checkout = repository("shop", files).root
    query: dict[str, object] = {"query": "price of an item", "relevant": ["src/shop.py"], "category": "semantic"}
    arguments = ["--annotations", str(annotated(tmp_path, [query])), "--repos", str(tmp_path), "--development"]
    for _ in range(2):  # the second time with what the first one kept
        assert main([*arguments, "--keep", str(tmp_path / "kept"), "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
    (answer,) = told["answers"]
    assert set(answer["files"]) >= {"src/shop.py", "price.md"}
    assert answer["candidates"] == 1.0
    assert told["ndcg"]["language python"]["questions"] == 1
    assert told["indexed"][0]["seconds"] > 0
    assert not (checkout / ".tx").exists()
    assert main(arguments) == 0
    assert "pages with the right file: 1" in capsys.readouterr().out


@pytest.mark.parametrize("option", ["--held-out", "--repo=absent"])
def test_nothing_to_ask_is_said(option: str, repository: MakeRepository, tmp_path: Path) -> None:
    repository("shop", {"src/shop.py": SHOP})
    annotations = annotated(tmp_path, [])
    with pytest.raises(SystemExit, match=r"no annotations|No repository"):
        main(["--annotations", str(annotations), "--repos", str(tmp_path), option])
