"""What is offered at which place; what the shells make of it is tested in the shells."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tx_graph.faces.cli.app import LazyGroup
from tx_graph.faces.cli.completion.candidates import Answer, Candidate, Hint, complete, source_of, things
from tx_graph.faces.operations import COMMANDS, EVERYDAY, GROUPS


def values(line: str, *, cwd: Path) -> list[str]:
    """Return what is offered for the last word of a line, which may be empty."""
    return [one.value for one in complete(line.split(" "), cwd=cwd).candidates]


def test_without_a_word_what_is_used_every_day_comes_first_and_of_groups_their_names(tmp_path: Path) -> None:
    offered = complete([""], cwd=tmp_path).candidates
    assert offered[:2] == (Candidate("init", COMMANDS["init"].summary), Candidate("sync", COMMANDS["sync"].summary))
    names = [one.value for one in offered]
    assert set(names) == {*EVERYDAY, *GROUPS, *(one for one in COMMANDS if ":" not in one)}
    assert len(names) == len(set(names))


def test_with_a_letter_every_command_is_offered(tmp_path: Path) -> None:
    assert {one for letter in "abcdefghijklmnopqrstuvwxyz" for one in values(letter, cwd=tmp_path)} >= COMMANDS.keys()


@pytest.mark.parametrize(
    ("line", "same"),
    [("learning add text --cat", "learning:add text --cat"), ("add --stat", "learning:add --stat")],
)
def test_a_command_completes_alike_by_each_of_its_names(tmp_path: Path, line: str, same: str) -> None:
    assert values(line, cwd=tmp_path) == values(same, cwd=tmp_path) != []


def test_a_group_completes_to_its_commands(tmp_path: Path) -> None:
    assert values("task ", cwd=tmp_path) == ["add", "list", "show", "done", "edit"]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_offered_and_every_argument_says_where_its_values_come_from(name: str, tmp_path: Path) -> None:
    """An argument that is renamed must not lose its completion in silence."""
    offered = values(f"{name} -", cwd=tmp_path)
    assert {"--help", "--json"} <= set(offered)
    parameters = LazyGroup().get_command(None, name).params
    options = [one for one in parameters if one.param_type_name == "option" and not one.hidden]
    assert all({*one.opts, *one.secondary_opts} & set(offered) for one in options)
    free = {"TEXT", "QUERY", "VALUE", "NAME", "WORD", "TITLE", "REV..REV", "REPOSITORY", "ROLE"}
    arguments = [one for one in parameters if one.param_type_name == "argument"]
    unknown = [one for one in arguments if not getattr(one.type, "choices", ()) and not source_of(one)]
    assert [one.metavar for one in unknown if one.metavar.strip("[].") not in free] == []


OFFERED = {
    "learning:list ": {"--limit"},
    "graph:relate 1 2 ": {"--relation"},
    "graph:verify 1 src ": {"--since"},
    "learning:add text --status=staged --keyword a --": {"--keyword", "--category"},
    "doc:search q --relations ": {"depends_on"},
    "doc:search q --relations depends_on,": {"depends_on,sequence"},
}
"""Among other things."""
EXACTLY: dict[str, list[str] | set[str]] = {
    "graph:neighbors 1 -n": ["-n"],
    "graph:neighbors 1 -n ": [],
    "graph:neighbors 1 -n5 --dir": ["--direction"],
    "learning:list -- -": [],
    "graph:verify 1 src learning:": ["learning:2", "learning:1"],
    "graph:show learning:": ["learning:2", "learning:1"],
    "learning:propose --from com": ["commits", "comments"],
    "learning:propose --from adr,comm": ["adr,commits", "adr,comments"],
    "run:start --task ": ["3", "1", "2"],
    "learning:add text --task=": ["--task=3", "--task=1", "--task=2"],
    "task:done gh": ["GH-124", "GH-123"],
    "task:done GH-123": ["GH-123"],
    "learning:add text --run ": ["2", "1"],
    "graph:show task:": ["task:3", "task:1", "task:2"],
    "graph:show task:g": ["task:GH-124", "task:GH-123"],
    "graph:path 1 run:": ["run:2", "run:1"],
    "run:feedback 1 --unhelpful ": ["2", "1"],
    "fact:add x uses bill": ["Billing service"],
    "fact:add x ": ["is", "uses"],
    "fact:list --predicate u": ["uses"],
    "graph:show entity:du": ["entity:DuckDB"],
    "graph:path 1 entity:Bi": ["entity:Billing service"],
    "graph:path docs/guide.md#setup docs/guide.md#s": ["docs/guide.md#setup"],
    "-C docs doc:show guide.md#u": ["guide.md#usage"],
    **{f"doc:show {word}": [] for word in ("docs/none.md#", "../elsewhere.md#", "#", "docs/guide.md#xerus", "docs/#")},
    "learning:add --status ": {"active", "retracted", "staged", "superseded"},
    "graph:link --anchor-type ": {"glob", "hash", "lines", "symbol"},
    "graph:neighbors --direction ": {"both", "in", "out"},
    "graph:verify --fail-on ": {"drifted", "invalid", "never"},
    "graph:verify --format ": {"github", "gitlab", "json", "junit", "sarif", "text"},
    "config ": {"get", "set", "show"},
    "model ": {"install", "remove", "status"},
    "completion ": {"bash", "fish", "zsh"},
}


@pytest.mark.parametrize("line", OFFERED)
def test_what_is_offered_there(line: str, known: Path) -> None:
    assert set(values(line, cwd=known)) >= OFFERED[line]


@pytest.mark.parametrize("line", EXACTLY)
def test_this_is_offered_and_nothing_else(line: str, known: Path) -> None:
    offered, expected = values(line, cwd=known), EXACTLY[line]
    assert (offered if isinstance(expected, list) else set(offered)) == expected


@pytest.mark.parametrize(
    "line", ["learning:show ", "task:show ", "run:show ", "entity:show ", "fact:confirm ", "doc:show a#"]
)
def test_without_a_workspace_nothing_is_offered(line: str, tmp_path: Path) -> None:
    assert values(line, cwd=tmp_path) == []


def test_what_was_given_once_is_offered_no_more(known: Path) -> None:
    assert "--status" not in values("learning:add text --status=staged --", cwd=known)
    assert "depends_on,depends_on" not in values("doc:search q --relations depends_on,", cwd=known)


OPEN, FILES, NAMES = (Hint.OPEN,), (Hint.FILES,), (Hint.NAMES,)
ANSWERS = {
    "learning:import -- -x": Answer(hints=FILES),
    "run:finish 1 --transcript ": Answer(hints=FILES),
    "doc:show ": Answer(hints=FILES),
    "graph:link --symbol login 1 ": Answer(hints=FILES),
    "graph:neighbors --types-at ": Answer(),
    "graph:neighbors --edge-types IMPORTS,im": Answer(hints=OPEN),
    "graph:neighbors --edge-types IMPORTS,li": Answer((Candidate("IMPORTS,LINKS_TO"),), OPEN),
    "graph:neighbors --types-at 2=IMPORTS,li": Answer((Candidate("2=IMPORTS,LINKS_TO"),), OPEN),
    "task:show ": Answer(
        (Candidate("3", "Write the manual"), Candidate("1", "Cache the index"), Candidate("2", "Repair the login"))
    ),
    "run:finish ": Answer((Candidate("2", "claude"), Candidate("1", "Repair the login"))),
    "run:feedback 1 --helpful 1,": Answer(
        (
            Candidate("1,2", "Migrations [31mare: atomic"),
            Candidate("1,1", "Compare tokens in constant time Else they leak."),
        ),
        OPEN,
    ),
    "entity:show du": Answer((Candidate("DuckDB", "tool"),), NAMES),
    "fact:confirm ": Answer((Candidate("2", "DuckDB is: fast"), Candidate("1", "Billing service uses: DuckDB"))),
}


@pytest.mark.parametrize("line", ANSWERS)
def test_the_answer_has_descriptions_and_says_what_else_may_stand_there(line: str, known: Path) -> None:
    assert complete(line.split(" "), cwd=known) == ANSWERS[line]


@pytest.mark.parametrize(
    "line", ["nothing ", "graph:link --no-such=x", "graph:link --json=x", "--version= ", "graph:link --symbol login "]
)
def test_nonsense_and_a_free_word_get_no_hint(line: str, known: Path) -> None:
    assert complete(line.split(" "), cwd=known).hints == ()


@pytest.mark.parametrize(
    "command",
    ["graph:show", "graph:neighbors", "doc:show", "learning:add x --anchor", "graph:link 1", "graph:unlink 1"],
)
def test_the_sections_of_a_document_are_offered_with_their_titles(known: Path, command: str) -> None:
    titles = ("Guide", "Setup", "Usage")
    sections = tuple(Candidate(f"docs/guide.md#{title.lower()}", title) for title in titles)
    assert complete([*command.split(), "docs/guide.md#"], cwd=known) == Answer(sections, NAMES)
    assert values(f"{command} docs/guide.md#us", cwd=known) == ["docs/guide.md#usage"]


def test_documents_are_seen_from_where_the_command_runs(known: Path) -> None:
    assert values("doc:show guide.md#u", cwd=known / "docs") == ["guide.md#usage"]
    assert values("doc:show ../docs/guide.md#u", cwd=known / "docs") == ["../docs/guide.md#usage"]


def test_settings_are_offered_with_what_they_do(tmp_path: Path) -> None:
    (one,) = complete(["config", "set", "cochanges.min"], cwd=tmp_path).candidates
    assert one.value == "cochanges.min_support"
    assert one.description


def test_learnings_are_offered_newest_first_with_their_first_words_and_found_by_uid(known: Path) -> None:
    expected = (
        Candidate("2", "Migrations [31mare: atomic"),
        Candidate("1", "Compare tokens in constant time Else they leak."),
    )
    assert complete(["learning:show", ""], cwd=known / "src").candidates == expected
    assert complete(["-C", "src", "learning:show", ""], cwd=known).candidates == expected
    assert complete([f"-C{known}", "learning:show", ""], cwd=known.parent).candidates == expected
    uid = things("learning", known)[0][1]
    assert values(f"learning:show {uid[:-1]}", cwd=known) == [uid]
    node = complete(["graph:show", ""], cwd=known)
    assert (node.candidates, node.hints) == (expected, FILES)


def test_looking_changes_nothing_and_makes_no_database(known: Path, tmp_path: Path) -> None:
    def state() -> dict[str, int]:
        return {entry.name: entry.stat().st_mtime_ns for entry in os.scandir(known / ".tx")}

    before = state()
    assert values("learning:show ", cwd=known) == ["2", "1"]
    assert state() == before
    shutil.copytree(known, tmp_path / "bare", ignore=shutil.ignore_patterns("graph.db*"))
    assert values("learning:show ", cwd=tmp_path / "bare") == []
    assert not list((tmp_path / "bare" / ".tx").glob("graph.db*"))


def test_files_below_another_directory_are_listed_here(known: Path) -> None:
    there = Answer((Candidate("auth.py"), Candidate("deep/")), NAMES)
    assert complete("-C src graph:link 1 ".split(" "), cwd=known) == there
    assert complete("-C src graph:link 1 de".split(" "), cwd=known).hints == (Hint.NAMES, Hint.OPEN)
    assert values("-C src graph:link 1 deep/", cwd=known) == ["deep/jwt utils.py"]
    assert values("-C src graph:link 1 .h", cwd=known) == [".hidden"]
    assert values(f"-C src graph:link 1 {known}/not", cwd=known) == [f"{known}/notes.md"]
    assert values("-C src graph:analyze-imports --path ", cwd=known) == ["deep/"]
