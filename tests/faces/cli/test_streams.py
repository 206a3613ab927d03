"""What a shell can do to a program's streams: pipes that close, files that are missing, encodings that fall short."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faces.cli.conftest import Prepared
from tests.faces.cli.terminal import Checkout, CommandLine, Program
from tx_graph.core.text import by_bytes, quoted_field
from tx_graph.faces.cli.render.terminal import print_tsv

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX shells")


@pytest.fixture(scope="module")
def origin(prepared: Prepared) -> Path:
    """A workspace with so many learnings that their list fills any pipe, the first of them anchored."""
    text = f"Learning: {'many words ' * 30}"
    lines = [json.dumps({"content": f"{number} {text}"}) for number in range(300)]
    anchored = ["learning:add", "naïve 中文 🦄 … tokens", "--anchor", "src/auth.py"]
    return prepared(anchored, "learning:import lines.jsonl", files={"lines.jsonl": "\n".join(lines)})


@pytest.mark.parametrize("command", ["learning:export", "learning:list -n 300 --json", "--help"])
def test_a_reader_may_leave_early_or_not_read_at_all(program: Program, command: str) -> None:
    for reader in ("head -1 > first", "true"):
        outcome = program.shell(f'tx {command} | {reader}; echo "${{PIPESTATUS[0]}}"')
        assert outcome.out == "0\n"
        assert "Traceback" not in outcome.err
        assert "Broken" not in outcome.err
    assert (program.directory / "first").read_text().count("\n") == 1


def test_nobody_need_read_an_error(program: Program) -> None:
    assert program.shell('tx learning:show 999 2>&1 >/dev/null | true; echo "${PIPESTATUS[0]}"').out == "3\n"


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("status >&-", 0), ("learning:list --json >&-", 0), ("--version >&-", 0), ("learning:show 999 >&-", 3),
        ("index 2>&-", 0), ("learning:show 999 2>&-", 3), ("frobnicate 2>&-", 2),
        ("status <&-", 0), ("learning:add <&-", 2), ("learning:add - <&-", 2), ("learning:edit 1 <&-", 2),
        ("learning:add text <&- >&- 2>&-", 0),
    ],
)  # fmt: skip
def test_streams_may_be_closed(program: Program, command: str, status: int) -> None:
    outcome = program.shell(f"tx {command}")
    assert outcome.status == status
    assert "unexpected" not in outcome.err
    assert b"SQLite format 3" in (program.directory / ".tx" / "graph.db").read_bytes()[:16]


@pytest.mark.parametrize(
    ("environment", "arrow"),
    [
        ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, "─ANCHORED_TO→"),
        ({"PYTHONIOENCODING": "latin-1"}, "-ANCHORED_TO>"),
    ],
)
def test_an_encoding_that_falls_short_is_no_failure(origin: Path, environment: dict[str, str], arrow: str) -> None:
    program = Program(origin)
    outcome = program("learning:show 1", environment=environment)
    assert (outcome.status, outcome.err) == (0, "")
    assert program("learning:show 1 --json", environment=environment).document["content"].startswith("naïve 中文 🦄 …")
    assert program("graph:neighbors 1", environment=environment).out.splitlines()[0] == f"0.70  src/auth.py  {arrow}"


@pytest.mark.parametrize("form", ["markdown", "json", "plain"])
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_what_is_printed_of_a_page_is_what_was_counted(
    origin: Path, shared: CommandLine, tmp_path: Path, form: str, encoding: str
) -> None:
    command = ["context", "tokens and many words", "--format", form, "--budget", "200", "--tokens-by", "bytes"]
    with (tmp_path / "page").open("wb") as stdout:
        done = Program(origin)(*command, environment={"PYTHONIOENCODING": encoding}, stdout=stdout)
    assert done.status == 0, done.err
    assert 0 < by_bytes((tmp_path / "page").read_bytes().decode(encoding)) <= 200


def test_a_pipe_gets_whole_lines_without_colours(shared: CommandLine) -> None:
    out = shared.ok("learning:list").out
    assert out.splitlines()[1].endswith("many words")
    assert "\x1b" not in out + shared.ok("--help").out


@pytest.mark.parametrize(
    "name", ["plain.py", "two words.py", "ünï.py", "a\tb", "a\nb", 'a"b', "a\\b", "a\x01b", "a\x7fb", "a\rb\a\v\f\b"]
)
def test_a_name_is_quoted_for_scripts_as_git_does(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("", encoding="utf-8")
    git = ["git", "-c", "core.quotePath=off"]
    subprocess.run([*git, "init", "--quiet"], cwd=tmp_path, check=True)
    listed = subprocess.run([*git, "ls-files", "--others"], cwd=tmp_path, check=True, capture_output=True)
    assert quoted_field(name) == listed.stdout.decode().removesuffix("\n")


def test_what_nobody_sees_is_quoted_for_scripts_too() -> None:
    assert quoted_field("a\u202eb\x9b") == '"a\\342\\200\\256b\\302\\233"'


@pytest.mark.parametrize(
    ("rows", "lines"), [([], ""), ([("a b", 1), ("a\tb", 2)], 'a b\t1\n"a\\tb"\t2\n')], ids=["none", "two"]
)
def test_rows_stand_below_one_header_line(
    capsys: pytest.CaptureFixture[str], rows: list[tuple[str, int]], lines: str
) -> None:
    print_tsv(("path", "line"), rows)
    assert capsys.readouterr().out == f"path\tline\n{lines}"


FORGED = "##[error]forged"


def test_no_name_of_a_file_makes_a_line_of_its_own(tx: CommandLine, checkout: Checkout) -> None:
    name = f"x\n{FORGED}/auth.py"
    checkout.write(name, "def check(token):\n    return token\n")
    checkout.write(name.replace(".py", ".md"), "# Title\n")
    checkout.commit()
    for line in ("index", "doc:ingest"):
        tx.ok(line)
    ref = tx.add("Checked", "--anchor", f"{name}::check")
    checkout.write(name, "def check(token):\n    return not token\n")
    for words in (
        ["graph:verify"], ["graph:verify", "--format", "junit"], ["graph:verify", "--format", "github"], ["doc:list"],
        ["graph:show", name], ["graph:symbols", "--all"], ["graph:symbols", name], ["graph:path", name, ref],
        ["graph:history", name], ["graph:cochanges", name], ["graph:neighbors", name], ["learning:show", ref],
        ["focus", name], ["context", "tokens", "--files", name], ["graph:confirm", ref],
        ["graph:unlink", ref, f"{name}::check"],
    ):  # fmt: skip
        outcome = tx(*words)
        assert outcome.status in (0, 1), (words, outcome)
        assert not [line for line in (outcome.out + outcome.err).splitlines() if line.startswith(FORGED)], words
