"""`tx completion` prints a script, and its hidden entry answers it: fast, silent, in the form each shell reads."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.faces.cli.terminal import CommandLine, Program
from tx_graph.faces.cli.completion.line import answered, is_redirected_file, split, without_redirections
from tx_graph.faces.cli.completion.scripts import Shell, script_for

ROW = b"graph:link\tTie a learning to a file, symbol, lines or glob."


@pytest.mark.parametrize("shell", Shell)
def test_a_script_says_how_to_install_it(shell: Shell, elsewhere: CommandLine) -> None:
    printed = elsewhere.ok(f"completion {shell}").out
    assert printed == script_for(shell)
    assert f"tx completion {shell}" in printed


def test_the_shell_of_the_environment_is_the_default(elsewhere: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELL", "/usr/local/bin/fish")
    assert elsewhere.json("completion") == {"shell": "fish", "script": script_for(Shell.FISH)}
    for unknown in ("/bin/tcsh", ""):
        monkeypatch.setenv("SHELL", unknown)
        refused = elsewhere("completion")
        assert (refused.status, "bash, zsh, fish" in refused.err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["bash", "tx graph:li", "li"], b"\nlink\n"),
        (["bash", "tx graph:li", "graph:li"], b"\ngraph:link\n"),
        (["bash", r"tx graph\:li", r"graph\:li"], b"\ngraph:link\n"),
        (["bash", "tx learning:add --status=st", "st"], b"\nstaged\n"),
        (["zsh", "tx graph:li"], b"\n" + ROW + b"\n"),
        (["fish", "tx graph:li"], b"\n" + ROW + b"\n"),
        (["fish", "tx graph:neighbors 1 --edge-types LI"], b"open\nLINKS_TO\n"),
    ],
    ids=str,
)
def test_bash_gets_only_what_it_will_replace_the_others_descriptions_and_hints_stand_first(
    tmp_path: Path, arguments: list[str], answer: bytes
) -> None:
    assert answered(arguments, cwd=tmp_path) == answer


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
    ids=ascii,
)
def test_nothing_is_ever_complained_of(arguments: list[str], tmp_path: Path) -> None:
    done = Program(tmp_path)("--complete", *arguments)
    assert (done.status, done.err) == (0, "")


@pytest.mark.parametrize("damage", [b"", b"not a database" * 100], ids=["empty", "damaged"])
def test_a_damaged_database_is_passed_over(known: Path, tmp_path: Path, damage: bytes) -> None:
    root = shutil.copytree(known, tmp_path / "copy", ignore=shutil.ignore_patterns("graph.db*"))
    (root / ".tx" / "graph.db").write_bytes(damage)
    done = Program(root)("--complete", "bash", "tx learning:show ", "")
    assert (done.status, done.out, done.err) == (0, "", "")
    assert (root / ".tx" / "graph.db").read_bytes() == damage


def test_a_terminal_that_knows_only_ascii_gets_its_answer(known: Path) -> None:
    environment = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = Program(known)("--complete", "fish", "tx learning:show ", environment=environment)
    assert done.out.splitlines()[1].startswith("2\t")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", [""]),
        ("tx", ["tx"]),
        ("tx ", ["tx", ""]),
        ("  tx  graph:li", ["tx", "graph:li"]),
        ("tx 'a b", ["tx", "a b"]),
        ('tx "a \\"b\\" \\n', ["tx", 'a "b" \\n']),
        ('tx "a b" c', ["tx", "a b", "c"]),
        ("tx a\\ b:c", ["tx", "a b:c"]),
        ("tx one'two'\"three\"", ["tx", "onetwothree"]),
        ("tx ''", ["tx", ""]),
        ("tx a\\", ["tx", "a"]),
        ("tx 'a\nb' é", ["tx", "a\nb", "é"]),
    ],
)
def test_words_lose_their_quotes_and_the_last_may_be_open(line: str, words: list[str]) -> None:
    assert split(line) == words


def test_what_the_shell_redirects_is_no_argument() -> None:
    words = ["graph:show", ">", "out", "2>/dev/null", "ref", "&>>", "log", "<in"]
    assert without_redirections(words) == ["graph:show", "ref"]
    assert is_redirected_file(["graph:stats", "2>>"], "")
    assert is_redirected_file(["graph:stats"], ">ou")
    assert not is_redirected_file(["graph:stats", ">out"], "")
