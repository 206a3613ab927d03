"""What a change touches."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import Project
from tx_graph.context.impact import Impact, ImpactAnalysis
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.documents.documents import Documents

FILES = {
    "src/store.py": "class Store:\n    def sell(self):\n        return self.price()\n\n"
    "    def price(self):\n        return 1\n",
    "src/shop.py": "from store import Store\n\ndef open_shop():\n    shop = Store()\n"
    "    shop.sell()\n\nclosed = True\n",
    "src/app.py": "from shop import open_shop\n\ndef main():\n    open_shop()\n",
    "src/plain.py": "import store\n",
    "tests/test_app.py": "from app import main\n\ndef test_main():\n    main()\n",
    "web/a.rb": "require_relative 'b'\n",
    "web/b.rb": "require_relative 'c'\n",
    "web/c.rb": "def c; end\n",
    "docs/store.md": "# Store\n\nWhat `sell` in `src/store.py` does.\n\n## Else\n\nOf [the store](../src/store.py).\n",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(tmp_path, monkeypatch)
    for path, text in FILES.items():
        project.write(path, text)
    project.git.commit()
    project.index()
    return project


def impact(project: Project, subject: str | None = None, **options: object) -> Impact:
    with project.open() as workspace:
        return workspace.kernel.one(ImpactAnalysis).impact(subject, **options)  # type: ignore[arg-type]


def files(found: Impact) -> list[tuple[str, int, str]]:
    return [(one.path, one.hops, one.certainty) for one in found]


def test_users_of_users_are_touched_nearest_first(project: Project) -> None:
    found = impact(project, "price")
    assert files(found) == [("src/shop.py", 2, "likely"), ("src/app.py", 3, "likely")]
    assert found.files[0].symbols == ("src/shop.py::open_shop",)
    assert found.files[0].via == "src/store.py::Store::sell"
    assert files(impact(project, "price", depth=4))[2] == ("tests/test_app.py", 4, "likely")
    assert impact(project, "open_shop").stats == {"found": 2, "shown": 2, "tests": 1}


def test_of_a_file_importers_count_too(project: Project) -> None:
    assert files(impact(project, "src/store.py", depth=1)) == [
        ("src/shop.py", 1, "exact"),
        ("src/plain.py", 1, "imports"),
    ]
    assert files(impact(project, "web/c.rb")) == [("web/b.rb", 1, "imports"), ("web/a.rb", 2, "imports")]


def test_documents_and_learnings_that_tell_of_it_are_named(project: Project) -> None:
    with project.open() as workspace:
        workspace.learnings.add("Selling asks for the price", anchors=["src/store.py::Store::sell"])
        workspace.kernel.one(Documents).ingest()
    found = impact(project, "Store.sell")
    assert [one.text for one in found.learnings] == ["Selling asks for the price"]
    assert [one.ref for one in found.sections] == ["docs/store.md#store"]


@pytest.mark.parametrize("staged", [False, True])
def test_a_change_is_the_symbols_in_whose_lines_it_is(project: Project, *, staged: bool) -> None:
    project.write("src/shop.py", FILES["src/shop.py"].replace("shop.sell()", "shop.price()"))
    project.write("src/new.py", "def new(): ...\n")
    if staged:
        project.git.git("add", "-A")
    project.index()
    found = impact(project, staged=staged)
    assert found.changed == ("src/new.py::new", "src/shop.py::open_shop")
    assert files(found) == [("src/app.py", 1, "exact"), ("tests/test_app.py", 2, "exact")]
    project.git.commit()
    assert impact(project).remark == "Nothing has changed."
    assert impact(project, since="HEAD~1").changed == found.changed


def test_a_line_that_was_taken_out_touches_what_it_stood_in(project: Project) -> None:
    project.write("src/store.py", FILES["src/store.py"].replace("        return 1\n", ""))
    (project.root / "src/plain.py").unlink()
    project.index()
    assert impact(project).changed == ("src/store.py::Store::price", "src/plain.py")


@pytest.mark.parametrize(
    ("subject", "options", "kind"),
    [
        ("src", {}, UsageError),
        ("price", {"depth": 0}, UsageError),
        ("price", {"staged": True}, UsageError),
        ("nowhere", {}, NotFound),
        (None, {"since": "nowhere"}, NotFound),
    ],
)
def test_what_is_no_change_is_refused(
    project: Project, subject: str | None, options: dict[str, object], kind: type[Exception]
) -> None:
    with pytest.raises(kind):
        impact(project, subject, **options)
