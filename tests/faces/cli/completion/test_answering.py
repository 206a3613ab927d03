"""The hidden entry: fast, silent, and in the form each shell reads."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tx_graph.faces.cli.completion.answering import answered


def ask(*arguments: str, cwd: Path, **variables: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "tx_graph", "--complete", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[4]), **variables},
        capture_output=True,
        check=False,
    )


def test_bash_gets_only_what_it_will_replace(tmp_path: Path) -> None:
    assert answered(["bash", "tx graph:li", "li"], cwd=tmp_path) == b"\nlink\n"
    assert answered(["bash", "tx graph:li", "graph:li"], cwd=tmp_path) == b"\ngraph:link\n"
    assert answered(["bash", r"tx graph\:li", r"graph\:li"], cwd=tmp_path) == b"\ngraph:link\n"
    assert answered(["bash", "tx learning:add --status=st", "st"], cwd=tmp_path) == b"\nstaged\n"


def test_zsh_and_fish_get_descriptions(tmp_path: Path) -> None:
    row = b"graph:link\tTie a learning to a file, symbol, lines or glob."
    for shell in ("zsh", "fish"):
        assert answered([shell, "tx graph:li"], cwd=tmp_path) == b"\n" + row + b"\n"


def test_hints_come_on_the_first_line(tmp_path: Path) -> None:
    assert answered(["fish", "tx graph:neighbors 1 --edge-types LI"], cwd=tmp_path) == b"open\nLINKS_TO\n"


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["bash"],
        ["bash", ""],
        ["zsh", "tx -C /no/such/place learning:show "],
        ["fish", "tx -C /no/such/place graph:link 1 "],
        ["bash", "tx learning:show \udcff", "\udcff"],
    ],
)
def test_nothing_is_ever_complained_of(arguments: list[str], tmp_path: Path) -> None:
    done = ask(*arguments, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("damage", [b"", b"not a database" * 100])
def test_a_damaged_database_is_passed_over(memory: Path, damage: bytes) -> None:
    for path in (memory / ".tx").glob("graph.db*"):
        path.unlink()
    (memory / ".tx" / "graph.db").write_bytes(damage)
    done = ask("bash", "tx learning:show ", "", cwd=memory)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert (memory / ".tx" / "graph.db").read_bytes() == damage


def test_a_terminal_that_knows_only_ascii_gets_its_answer(memory: Path) -> None:
    done = ask("fish", "tx learning:show ", cwd=memory, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert done.stdout.splitlines()[1].startswith(b"2\t")


def test_the_names_of_commands_need_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys; from tx_graph.faces.cli.main import run; run(['--complete', 'zsh', 'tx graph:l']);"
        "print(sorted({name.partition('.')[0] for name in sys.modules} & {'typer', 'rich', 'numpy', 'pysqlite3'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
