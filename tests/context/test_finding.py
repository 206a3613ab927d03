"""What in the code speaks for a file: who declares a name, what files are called, and what stands in their pieces."""

from __future__ import annotations

import pytest

from tests.support import Project
from tx_graph.code.finding import Clue, Found, find_code
from tx_graph.code.sorts import FileSort, sort_of


def found(project: Project, text: str) -> tuple[Found, dict[int, str]]:
    with project.open() as workspace:
        paths = dict(workspace.kernel.database.rows("SELECT node_id, path FROM files"))
        return find_code(workspace.kernel, text), paths


@pytest.fixture
def shop(project: Project) -> Project:
    project.write("src/cart.py", "class Cart:\n    def add_item(self, item):\n        self.items.append(item)\n")
    project.write("src/order/__init__.py", "def place(cart):\n    return Cart.add_item(cart)\n")
    project.write("src/prices.py", "def total(cart):\n    return sum(item.price for item in cart.items)\n")
    project.index()
    return project


@pytest.mark.parametrize(
    ("text", "clue", "expected"),
    [
        ("Cart", Clue.DEFINES, {"src/cart.py": 1.0}),
        ("how does add_item work", Clue.DEFINES, {"src/cart.py": 0.6}),
        ("calls of cart.total( here", Clue.DEFINES, {"src/prices.py": 1.0}),
        ("CART", Clue.DEFINES, {"src/cart.py": 0.7}),
        ("the total of a cart", Clue.DEFINES, {}),
        ("where orders are placed", Clue.COVERS, {"src/order/__init__.py": 1.0}),
        ("cart prices", Clue.COVERS, {"src/cart.py": 1.0, "src/prices.py": 1.0}),
    ],
)
def test_each_clue_speaks_for_its_files(shop: Project, text: str, clue: Clue, expected: dict[str, float]) -> None:
    code, paths = found(shop, text)
    assert {paths[file]: score for file, score in code.clues.get(clue, {}).items()} == expected


def test_the_best_piece_speaks_for_its_file_and_a_declaration_that_was_asked_for_is_the_place(shop: Project) -> None:
    code, paths = found(shop, "add_item and append")
    pieces = code.clues[Clue.PIECES]
    assert paths[max(pieces, key=lambda file: pieces[file])] == "src/cart.py"
    assert {paths[file]: spot for file, spot in code.spots.items()}["src/cart.py"] == (2, 3, "Cart::add_item")
    assert all(code.clues[Clue.MORE][file] >= score for file, score in pieces.items())


@pytest.mark.parametrize("text", ["", "   ", "the of and", "?!", "\0", "x" * 100_000, "(" * 5_000])
def test_what_asks_for_nothing_finds_nothing(shop: Project, text: str) -> None:
    assert not any(found(shop, text)[0].clues.values())


@pytest.mark.parametrize(
    ("sort", "paths"),
    [
        (FileSort.CODE, "src/a.py lib/tools/databind/Mapper.java contest.go latest/api.ts spectrum.rs"),
        (
            FileSort.TEST,
            "tests/a.py a_test.go src/FooTest.java foo.spec.ts conftest.py jvmTest/A.kt",
        ),
        (FileSort.DOCUMENT, "README docs/a.md CHANGES.rst man/tx.1 site/index.html"),
        (FileSort.CONFIG, "package.json .github/workflows/ci.yml Makefile Cargo.toml style.css"),
        (FileSort.EXAMPLE, "examples/a.py docs_src/main.py benchmarks/run.go"),
        (FileSort.GENERATED, "package-lock.json Cargo.lock a.min.js api/core.api __snapshots__/a.snap vendor/x/y.go"),
    ],
)
def test_the_sort_of_a_file_is_told_by_its_path(sort: FileSort, paths: str) -> None:
    assert {path: sort_of(path) for path in paths.split()} == dict.fromkeys(paths.split(), sort)
