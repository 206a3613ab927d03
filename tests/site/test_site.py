"""The site: links lead somewhere, every page is in the menu, and nothing comes from the network."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

_FETCHED = re.compile(r"""<(?:script|img|iframe|link)\b[^>]*?\b(?:src|href)\s*=\s*["'](?:https?:)?//[^"']*""")
_FETCHED_BY_STYLE = re.compile(r"""(?:@import|url\()\s*["']?(?:https?:)?//[^"')]*""")


def build(source: Path, target: Path) -> str:
    """Return what the build complains about."""
    options = [
        "--quiet",
        "--fresh-env",
        "--write-all",
        "--conf-dir",
        source / "docs",
        "--doctree-dir",
        f"{target}-read",
    ]
    command = [sys.executable, "-m", "sphinx", *map(str, options), str(source), str(target)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stderr


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A repository with a README, a list of pages and one page, built as this one is."""
    source = tmp_path / "small"
    (source / "docs").mkdir(parents=True)
    shutil.copy(ROOT / "docs" / "conf.py", source / "docs")
    shutil.copytree(ROOT / "docs" / "_templates", source / "docs" / "_templates")
    (source / "code.py").write_text("print()\n")
    (source / "README.md").write_text("# Small\n\n## Install\n\nSee [the page](docs/page.md#part).\n")
    index = "# Index\n\n## Pages\n\n- [Page](page.md): about\n- [README](../README.md)\n"
    (source / "docs" / "index.md").write_text(index)
    page(source, "[install](../README.md#install), [code](../code.py), [here](#part)")
    return source


def page(source: Path, text: str) -> None:
    (source / "docs" / "page.md").write_text(f"# Page\n\n## Part\n\n{text}\n")


def test_pages_readme_and_files_link_to_each_other(small: Path, tmp_path: Path) -> None:
    assert build(small, tmp_path / "site") == ""
    built = (tmp_path / "site" / "docs" / "page.html").read_text()
    assert 'href="../README.html#install"' in built
    assert re.search(r'href="\.\./_downloads/\w+/code\.py"', built)
    assert 'href="docs/page.html#part"' in (tmp_path / "site" / "README.html").read_text()


DEAD = ("gone.md", "page.md#gone", "#gone", "../README.md#gone", "../gone.py", "../docs", "/docs/gone.md")


@pytest.mark.slow
def test_each_link_that_leads_nowhere_is_named(small: Path, tmp_path: Path) -> None:
    page(small, "\n\n".join(f"[a link]({link})" for link in DEAD))
    complaints = build(small, tmp_path / "site").splitlines()
    named = [re.search(r"docs/page\.md:(\d+): WARNING: .*xref_missing", one) for one in complaints]
    assert [int(one[1]) for one in named if one] == list(range(5, 5 + 2 * len(DEAD), 2))


@pytest.mark.slow
def test_a_page_that_no_list_names_is_named(small: Path, tmp_path: Path) -> None:
    (small / "docs" / "lonely.md").write_text("# Lonely\n")
    assert "lonely.md: WARNING: document isn't included in any toctree" in build(small, tmp_path / "site")


def test_a_list_that_names_no_page_is_named(small: Path, tmp_path: Path) -> None:
    index = small / "docs" / "index.md"
    index.write_text(index.read_text() + "- [Gone](gone.md)\n")
    assert "nonexisting document 'docs/gone'" in build(small, tmp_path / "site")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of this repository, built without a complaint."""
    target = tmp_path_factory.mktemp("built") / "site"
    assert build(ROOT, target) == ""
    return target


@pytest.mark.slow
def test_the_same_pages_give_the_same_site(small: Path, tmp_path: Path) -> None:
    for target in ("once", "again"):
        assert build(small, tmp_path / target) == ""
    assert contents(tmp_path / "again") == contents(tmp_path / "once")


@pytest.mark.slow
def test_the_site_asks_no_other_one_for_anything(site: Path) -> None:
    files = [path for path in site.rglob("*") if path.suffix in (".html", ".css")]
    patterns = (_FETCHED, _FETCHED_BY_STYLE)
    asked = {found for path in files for one in patterns for found in one.findall(path.read_text(encoding="utf-8"))}
    assert len(files) > 30
    assert asked == set()


def contents(directory: Path) -> dict[str, bytes]:
    """Return the bytes of each file of a site."""
    files = (path for path in directory.rglob("*") if path.is_file())
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in files}
