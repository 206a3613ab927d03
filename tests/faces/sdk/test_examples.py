"""What the documentation of the SDK shows is what happens."""

from __future__ import annotations

import ast
import doctest
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

import tx_graph.faces.sdk
from tests.docs.checkout import clone
from tests.isolation import ROOT
from tx_graph import Anchors, Documents, Facts, Graph, Learnings, Runs, Settings, Workspace

QUICKSTART = ROOT / "docs" / "examples" / "quickstart.py"
MOST_LINES = 15
NAMESPACES = (Anchors, Documents, Facts, Graph, Learnings, Runs, Settings, Workspace)


def examples() -> Iterator[doctest.DocTest]:
    """Yield the examples of each docstring of the SDK."""
    modules = {module.name for module in iter_modules(tx_graph.faces.sdk.__path__, "tx_graph.faces.sdk.")}
    modules |= {one.__module__ for kind in NAMESPACES for one in kind.__mro__ if one.__module__ in sys.modules}
    modules = {name for name in modules if name.startswith("tx_graph.")}
    for module in sorted(modules):
        for found in doctest.DocTestFinder().find(import_module(module)):
            if found.examples:
                yield found


EXAMPLES = {found.name: found for found in examples()}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_of_a_docstring_hold(name: str, memory: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(memory.root)
    told: list[str] = []
    example = EXAMPLES[name]
    example.globs = {"workspace": memory}
    assert doctest.DocTestRunner().run(example, out=told.append).failed == 0, "".join(told)


@pytest.mark.parametrize("kind", NAMESPACES)
def test_every_namespace_shows_an_example(kind: type) -> None:
    places = [f"{one.__module__}.{one.__name__}." for one in kind.__mro__]
    assert any(name.startswith(place) for name in EXAMPLES for place in places)


def test_the_quickstart_is_short_and_the_page_shows_it() -> None:
    text = QUICKSTART.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MOST_LINES
    assert f"```python\n{text}```" in (ROOT / "docs" / "sdk.md").read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(text))


@pytest.mark.slow
def test_the_quickstart_does_in_a_clone_what_the_one_for_the_terminal_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TX_MODEL_DIR", str(tmp_path / "no-model"))
    clone(tmp_path / "clone")
    done = subprocess.run(
        [sys.executable, QUICKSTART], cwd=tmp_path / "clone", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    imports, pairs, first, *_ = done.stdout.splitlines()
    assert int(imports.removesuffix(" imports between files")) > 0
    assert int(pairs.removesuffix(" pairs of files change together")) >= 0
    assert "sqlite" in first.lower()
    assert "\n# Before you start\n" in done.stdout


def strictly_checked(program: str, directory: Path) -> subprocess.CompletedProcess[str]:
    """Run `mypy --strict` with no settings of ours."""
    cache = str(directory / "cache")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir", cache, program]
    return subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_a_strict_type_checker_accepts_the_quickstart(tmp_path: Path) -> None:
    """As somebody has it who installed the package: from a directory of their own, without our settings."""
    (tmp_path / "quickstart.py").write_bytes(QUICKSTART.read_bytes())
    done = strictly_checked("quickstart.py", tmp_path)
    assert done.stdout == "Success: no issues found in 1 source file\n", done.stdout + done.stderr


@pytest.mark.slow
def test_a_strict_type_checker_finds_what_is_wrong(tmp_path: Path) -> None:
    wrong = QUICKSTART.read_text(encoding="utf-8").replace("limit=3", 'limit="3"').replace("budget=900", "bugdet=900")
    (tmp_path / "wrong.py").write_text(wrong, encoding="utf-8")
    done = strictly_checked("wrong.py", tmp_path)
    assert '"limit" to "Query" has incompatible type "str"; expected "int"' in done.stdout
    assert 'Unexpected keyword argument "bugdet" for "context"' in done.stdout
