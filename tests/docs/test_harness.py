"""What runs the documentation's blocks sees what is wrong with them, and says where."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.blocks import blocks_in
from tests.docs.expectation import Names, difference
from tests.docs.rules import problems_of
from tests.docs.sandbox import Sandbox, script_steps, surroundings
from tests.docs.signing_in import signing_in


@pytest.fixture
def sandbox(tmp_path: Path) -> Iterator[Sandbox]:
    """A home with nothing in it but a directory to work in."""
    home = tmp_path / "home"
    environment = surroundings(home)
    (home / "work").mkdir()
    with Sandbox(home=home, directory=home / "work", environment=environment) as opened:
        yield opened


def problems(sandbox: Sandbox, page: str) -> list[str]:
    """Return what is wrong with a page that a test writes in place."""
    return [problem for block in blocks_in(inspect.cleandoc(page)) for problem in problems_of(block, sandbox)]


def fenced(language: str, *lines: str) -> str:
    return "\n".join([f"```{language}", *lines, "```"])


# --- which blocks there are -------------------------------------------------------------------------------------------


def test_blocks_are_found_wherever_markdown_has_them() -> None:
    page = """
    - In a list:
      ```sh
      true
      ```

          indented there

    > ~~~~python
    > ```
    > ~~~~

    ```{note}
    Inside:

    ```
    {code}

    <!-- ```sh in a comment ``` -->

        indented
    """
    found = [(block.language, block.line) for block in blocks_in(inspect.cleandoc(page))]
    assert found == [("sh", 3), ("", 6), ("python", 9), ("", 20)]


def test_a_block_in_a_directive_of_the_site_is_a_block_at_its_own_line() -> None:
    found = blocks_in("````{note}\nSee:\n\n```sh\ntrue\n```\n````\n")
    assert [(block.language, block.line, block.text) for block in found] == [("sh", 5, "true\n")]


def test_a_file_is_named_by_the_text_before_or_by_its_first_line() -> None:
    page = "In `a/b.toml`:\n\n```toml\n```\n\nText.\n\n```yaml\n# c/d.yml\n```\n\nAs `git commit`:\n\n```sh\n```\n"
    assert [block.file for block in blocks_in(page)] == ["a/b.toml", "c/d.yml", ""]


@pytest.mark.parametrize("language", ["", "powershell", "pycon"])
def test_a_language_that_nothing_runs_is_refused(sandbox: Sandbox, language: str) -> None:
    (problem,) = problems(sandbox, fenced(language, "true"))
    assert problem.startswith("page.md:2: a block needs a language")


@pytest.mark.parametrize("line", ["$ rm x", "tx init", "  pip install tx-graph", "git clone x"])
def test_no_command_hides_in_text(sandbox: Sandbox, line: str) -> None:
    (problem,) = problems(sandbox, fenced("text", "a = b", line))
    assert problem.startswith("page.md:3: a command belongs")


# --- what commands print ----------------------------------------------------------------------------------------------


def test_what_is_printed_must_be_what_is_shown(sandbox: Sandbox) -> None:
    (problem,) = problems(sandbox, fenced("console", "$ true", "$ printf 'one\\ntwo\\nthree\\n'", "one", "2", "three"))
    assert problem.startswith("page.md:3: $ printf")
    assert problem.splitlines()[1:] == [
        "--- the page",
        "+++ printed",
        " one",
        "-2",
        "+two",
        " three",
        "(exit status 0)",
    ]


def test_messages_count_as_a_terminal_shows_them(sandbox: Sandbox) -> None:
    assert not problems(sandbox, fenced("console", "$ echo a; echo b >&2; echo c", "a", "b", "c"))


def test_a_command_may_go_on_over_lines(sandbox: Sandbox) -> None:
    lines = ["$ echo a \\", "    b", "a b", "$ cat <<END", "c", "END", "c", "$ for x in d; do", "echo $x", "done", "d"]
    assert not problems(sandbox, fenced("console", *lines))


def test_directory_and_variables_stay_from_block_to_block(sandbox: Sandbox) -> None:
    page = [fenced("bash", "mkdir a; cd a", "X=1"), fenced("console", "$ echo $X $PWD", "1 ~/work/a")]
    assert not problems(sandbox, "\n\n".join(page))


def test_a_command_that_fails_in_silence_is_seen(sandbox: Sandbox) -> None:
    (problem,) = problems(sandbox, fenced("console", "$ false"))
    assert "It ends in status 1" in problem
    assert not problems(sandbox, fenced("console", "$ ls nowhere", "ls: …nowhere…"))


def test_a_command_that_is_not_there_is_never_well(sandbox: Sandbox) -> None:
    assert problems(sandbox, fenced("console", "$ nothing-of-the-kind", "…not found"))


def test_a_command_that_ends_the_shell_is_seen(sandbox: Sandbox) -> None:
    (problem,) = problems(sandbox, fenced("console", "$ exit 3"))
    assert problem == "page.md:2: It ends the shell: exit 3"


def test_a_script_fails_with_each_of_its_lines_even_before_others(sandbox: Sandbox) -> None:
    found = problems(
        sandbox, fenced("sh", "true", "false && true", "# a comment", "ls nowhere # status 2", "true # status 1")
    )
    assert [problem.splitlines()[0] for problem in found] == ["page.md:3: false && true", "page.md:6: true # status 1"]


def test_steps_of_a_script_are_whole_commands() -> None:
    script = "# why\n\nif true\nthen\n  x=1\nfi\necho 'a\nb'\ncat <<E\nc\nE\n"
    assert [(step.line, step.command) for step in script_steps(script)] == [
        (2, "if true\nthen\n  x=1\nfi"),
        (6, "echo 'a\nb'"),
        (8, "cat <<E\nc\nE"),
    ]


# --- what may vary ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shown", "printed"),
    [
        ("a\n…\nd", "a\nb\nc\nd"),
        ("a\n…\nd", "a\nd"),
        ("a … c", "a b c"),
        ("1a2b3c4 (2 hours ago)", "99aa00f (just now)"),
        ("since 2026-11-20", "since 2027-01-01"),
        ("at 2026-11-20T22:00:00Z", "at 2027-01-01T00:00:00Z"),
        ("mmv27jv8xdr6  learning:1", "0fdk527yxstf  learning:1"),
    ],
)
def test_what_differs_from_day_to_day_may_differ(shown: str, printed: str) -> None:
    assert not difference(shown, printed, Names())


@pytest.mark.parametrize(
    ("shown", "printed"),
    [("a\n…\nd", "a\nb"), ("a", "a\nb"), ("a …", "b a"), ("0.49", "0.50"), ("learning:1", "learning:2"), ("", "a")],
)
def test_nothing_else_may(shown: str, printed: str) -> None:
    assert difference(shown, printed, Names())


def test_a_uid_of_the_page_is_one_of_this_run_from_then_on() -> None:
    names = Names()
    assert not difference("mmv27jv8xdr6", "0fdk527yxstf", names)
    assert names.translate("tx learning:show mmv27jv8xdr6") == "tx learning:show 0fdk527yxstf"
    assert difference("mmv27jv8xdr6", "843s52rxdc72", names)


# --- the other languages ----------------------------------------------------------------------------------------------


def test_python_runs_in_one_namespace_and_in_the_readers_directory(sandbox: Sandbox) -> None:
    page = [
        fenced("sh", "mkdir deeper; cd deeper"),
        fenced("python", "import os", "x = os.getcwd()"),
        fenced("python", ">>> x", "'~/work/deeper'"),
    ]
    assert not problems(sandbox, "\n\n".join(page))


def test_python_that_fails_is_seen_at_its_line(sandbox: Sandbox) -> None:
    assert problems(sandbox, fenced("python", "x = 1", "x / 0")) == ["page.md:3: ZeroDivisionError: division by zero"]
    (example,) = problems(sandbox, fenced("python", ">>> x = 2", ">>> x + 1", "4"))
    assert example.startswith("page.md:3: >>> x + 1\n")
    assert "-4\n+3" in example


def test_settings_are_read_by_tx(sandbox: Sandbox) -> None:
    sandbox.run("git init --quiet; tx init")
    named = "In `.tx/config.toml`:\n\n"
    assert not problems(sandbox, named + fenced("toml", "[cochanges]", "min_support = 5"))
    assert problems(sandbox, named + fenced("toml", "[cochanges]", 'min_support = "much"'))
    assert problems(sandbox, fenced("toml", "[cochanges]"))
    assert problems(sandbox, named + fenced("toml", "[cochanges"))


def test_statements_are_run_against_the_database(sandbox: Sandbox) -> None:
    sandbox.run("git init --quiet; tx init")
    assert not problems(sandbox, fenced("sql", "SELECT count(*) FROM graph_edges;"))
    assert problems(sandbox, fenced("sql", "SELECT weather FROM graph_edges;"))


@pytest.mark.parametrize(
    ("lines", "is_well"),
    [
        (["0 6 * * 1  cd ~/work && echo x > y"], True),
        (["0 6 * * 1  cd ~/elsewhere"], False),
        (["0 6 * *  true"], False),
        (["0 6 * * 1  date +%Y"], False),
    ],
)
def test_lines_for_cron_are_run(sandbox: Sandbox, lines: list[str], is_well: bool) -> None:
    assert bool(problems(sandbox, fenced("cron", *lines))) is not is_well


def job(*steps: str) -> str:
    return fenced("yaml", "jobs:", "  a:", "    steps:", *(f"      - {step}" for step in steps))


@pytest.mark.parametrize(
    ("steps", "is_well"),
    [
        (["uses: actions/checkout@v4", "run: test -f src/auth.py"], True),
        (["uses: actions/checkout@v4", "run: git log HEAD~1"], False),
        (
            ["{uses: actions/checkout@v4, with: {fetch-depth: 0}}", 'run: git log "origin/${{ github.base_ref }}~1"'],
            True,
        ),
        (["uses: actions/checkout@v4", "run: tx frobnicate"], False),
        (["uses: actions/checkout@v4", "run: tx status --since ${{ github.weather }}"], False),
        (["uses: somebody/something@v1"], False),
        (["run: pip install tx-graph"], True),
        (["run: pip install tx-grahp"], False),
        (["{uses: actions/setup-python@v5, with: {python-version: '3.9'}}"], False),
    ],
)
def test_jobs_are_run_in_a_checkout_of_their_own(tmp_path: Path, steps: list[str], is_well: bool) -> None:
    home = tmp_path / "home"
    environment = surroundings(home)
    with Sandbox(home=home, directory=signing_in(home), environment=environment) as sandbox:
        assert bool(problems(sandbox, job(*steps))) is not is_well


def test_hooks_are_run(sandbox: Sandbox) -> None:
    sandbox.run("git init --quiet; tx init")
    hook = ["repos:", "  - repo: local", "    hooks:", "      - {id: a, name: a, language: system, entry: tx status}"]
    assert not problems(sandbox, fenced("yaml", *hook))
    assert problems(sandbox, fenced("yaml", *hook).replace("tx status", "tx statsu"))
    assert problems(sandbox, fenced("yaml", *hook).replace("name: a, ", ""))
    named = "As `.git/hooks/pre-commit` (executable):\n\n"
    assert not problems(sandbox, named + fenced("sh", "#!/bin/sh", "exec tx status"))
    assert problems(sandbox, named + fenced("sh", "#!/bin/sh", "exec tx statsu"))
    assert problems(sandbox, fenced("sh", "#!/bin/sh", "true"))


def test_servers_and_hooks_of_agents_are_started(sandbox: Sandbox) -> None:
    sandbox.run("git init --quiet; tx init")
    named, server = "In `.mcp.json`:\n\n", '{"mcpServers": {"tx": {"command": "tx", "args": ["mcp"]}}}'
    assert not problems(sandbox, named + fenced("json", server))
    assert problems(sandbox, named + fenced("json", server.replace('mcp"]', 'mpc"]')))
    hook = '{"hooks": {"SessionStart": [{"hooks": [{"command": "tx hook claude-code session-start"}]}]}}'
    assert not problems(sandbox, named + fenced("json", hook))
    assert problems(sandbox, named + fenced("json", hook.replace("tx hook", "tx hoook")))


def test_records_are_read_by_tx(sandbox: Sandbox) -> None:
    record = "`.tx/learnings/7k3fq0m9xz2a-x.md`:\n\n" + fenced("markdown", "---", "{}", "---", "x")
    (problem,) = problems(sandbox, record)
    assert problem.startswith("page.md:4: this is no record")
