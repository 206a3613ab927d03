"""What programs can rely on changes on purpose only, and asks nothing of those who do not use it."""

from __future__ import annotations

import builtins
import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest

import tx_graph
from tests.faces.sdk.surface import STUB, SURFACE, named_in_signatures, stub, surface
from tests.isolation import ROOT

HINT = "Is the change meant? Then write it down: scripts/surface, and say so in CHANGELOG.md."
PYTHONS_OWN = {*dir(builtins), *"Iterable Sequence Collection Mapping Path timedelta Self".split()}
HEAVY = "numpy rich typer git sqlite_utils sqlean onnxruntime fastembed tokenizers ast_grep_py llm mcp".split()


def test_the_public_surface_changes_on_purpose_only() -> None:
    assert surface() == SURFACE.read_text(encoding="utf-8"), HINT


def test_type_checkers_read_of_the_same_names() -> None:
    assert stub() == STUB.read_text(encoding="utf-8"), HINT


@pytest.mark.parametrize("name", tx_graph.__all__)
def test_every_public_name_can_be_imported(name: str) -> None:
    assert getattr(tx_graph, name) is not None
    assert name in dir(tx_graph)


def test_a_name_that_is_not_there_is_told_as_python_does() -> None:
    with pytest.raises(AttributeError, match="module 'tx_graph' has no attribute 'nothing'"):
        tx_graph.nothing  # type: ignore[attr-defined]  # noqa: B018


def test_every_public_method_says_what_comes_back() -> None:
    for name in tx_graph.__all__:
        thing = getattr(tx_graph, name)
        if inspect.isclass(thing) and thing.__module__.startswith("tx_graph.faces.sdk."):
            for method, function in inspect.getmembers(thing, inspect.isfunction):
                told = inspect.getdoc(function) or ""
                is_own = function.__module__.startswith("tx_graph.faces.sdk.")  # else the command has this help, too
                assert not is_own or method.startswith("_") or told.startswith("Return "), f"{name}.{method}: {told}"


def test_every_type_in_a_signature_can_be_imported() -> None:
    for name in tx_graph.__all__:
        thing = getattr(tx_graph, name)
        if inspect.isclass(thing) and thing.__module__.startswith("tx_graph.faces.sdk."):
            assert named_in_signatures(thing) - PYTHONS_OWN <= set(tx_graph.__all__), name


def modules_after(statement: str) -> set[str]:
    """Return the modules that a fresh process has after a statement."""
    code = f"{statement}\nimport json, sys\nprint(json.dumps(list(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    return set(json.loads(done.stdout))


def test_importing_the_package_imports_nothing_of_it() -> None:
    assert not [name for name in modules_after("import tx_graph") if name.startswith("tx_graph.")]


def test_opening_a_workspace_imports_nothing_heavy(memory: tx_graph.Workspace) -> None:
    memory.close()
    opening = f"from tx_graph import open_workspace\nopen_workspace({str(memory.root)!r}).learnings.list()"
    assert not modules_after(opening) & set(HEAVY)


def test_the_package_says_that_it_has_types() -> None:
    assert (Path(tx_graph.__file__).parent / "py.typed").exists()
