from __future__ import annotations

import subprocess
from pathlib import Path

from scripts.benchmarks.documents.tree import documents, make


def a_repository(root: Path) -> Path:
    (root / "docs").mkdir(parents=True)
    (root / "docs/a.md").write_text("# A\n\n[b](b.rst)\n")
    (root / "docs/b.rst").write_text("B\n=\n")
    (root / "main.py").write_text("print()\n")
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    subprocess.run(["git", "add", "--all"], cwd=root, check=True)
    return root


def test_documents_are_copied_until_there_are_enough(tmp_path: Path) -> None:
    size = make(tmp_path / "made", [a_repository(tmp_path / "source")], count=5)
    made = [path.relative_to(tmp_path / "made").as_posix() for path in documents(tmp_path / "made")]
    assert made == [
        "source-0/docs/a.md",
        "source-0/docs/b.rst",
        "source-1/docs/a.md",
        "source-1/docs/b.rst",
        "source-2/docs/a.md",
    ]
    assert size == sum((tmp_path / "made" / path).stat().st_size for path in made)


def test_the_tree_is_a_workspace(tmp_path: Path) -> None:
    make(tmp_path / "made", [a_repository(tmp_path / "source")], count=2)
    assert (tmp_path / "made/.tx").is_dir()
