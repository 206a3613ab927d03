"""What is offered at which place; what the shells make of it is tested in the shells."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tx_graph.faces.cli.app import LazyGroup
from tx_graph.faces.cli.completion.candidates import Answer, Candidate, Hint, complete, source_of
from tx_graph.faces.cli.completion.known import learnings
from tx_graph.faces.operations import COMMANDS


def values(*words: str, cwd: Path) -> list[str]:
    return [one.value for one in complete(words, cwd=cwd).candidates]


def test_without_a_word_every_command_is_offered_with_its_summary(tmp_path: Path) -> None:
    assert complete([""], cwd=tmp_path) == Answer(tuple(Candidate(one.name, one.summary) for one in COMMANDS.values()))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_every_command_is_offered(name: str, tmp_path: Path) -> None:
    offered = values(name, "-", cwd=tmp_path)
    assert "--help" in offered
    assert "--json" in offered
    options = [one for one in LazyGroup().get_command(None, name).params if one.param_type_name == "option"]
    assert all({*one.opts, *one.secondary_opts} & set(offered) for one in options if not one.hidden)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_argument_says_where_its_values_come_from(name: str) -> None:
    """An argument that is renamed must not lose its completion in silence."""
    free = {"TEXT", "QUERY", "VALUE", "NAME", "WORD", "TITLE"}
    arguments = [one for one in LazyGroup().get_command(None, name).params if one.param_type_name == "argument"]
    unknown = [one for one in arguments if not getattr(one.type, "choices", ()) and not source_of(one)]
    lost = [one.metavar for one in unknown if one.metavar.strip("[].") not in free]
    assert lost == []


def test_an_option_given_once_is_offered_no_more_unless_it_repeats(tmp_path: Path) -> None:
    offered = values("learning:add", "text", "--status=staged", "--keyword", "a", "--", cwd=tmp_path)
    assert "--status" not in offered
    assert {"--keyword", "--category"} <= set(offered)


def test_options_follow_when_all_arguments_are_given(tmp_path: Path) -> None:
    assert "--limit" in values("learning:list", "", cwd=tmp_path)
    assert "--relation" in values("graph:relate", "1", "2", "", cwd=tmp_path)


def test_an_argument_that_repeats_is_completed_each_time(memory: Path) -> None:
    assert values("graph:verify", "1", "src", "learning:", cwd=memory) == ["learning:2", "learning:1"]
    assert "--since" in values("graph:verify", "1", "src", "", cwd=memory)


def test_a_short_option_typed_out_gets_its_space_and_takes_its_value(tmp_path: Path) -> None:
    assert values("graph:neighbors", "1", "-n", cwd=tmp_path) == ["-n"]
    assert values("graph:neighbors", "1", "-n", "", cwd=tmp_path) == []
    assert values("graph:neighbors", "1", "-n5", "--dir", cwd=tmp_path) == ["--direction"]


def test_the_value_of_an_option_is_no_argument(memory: Path) -> None:
    assert complete(["graph:link", "--symbol", "login", ""], cwd=memory).hints == ()
    assert complete(["graph:link", "--symbol", "login", "1", ""], cwd=memory).hints == (Hint.FILES,)


def test_after_two_dashes_nothing_is_an_option(tmp_path: Path) -> None:
    assert values("learning:list", "--", "-", cwd=tmp_path) == []
    assert complete(["learning:import", "--", "-x"], cwd=tmp_path) == Answer(hints=(Hint.FILES,))


@pytest.mark.parametrize(
    ("option", "choices"),
    [
        ("learning:add --status", ["staged", "active", "superseded", "retracted"]),
        ("graph:link --anchor-type", ["glob", "hash", "symbol", "lines"]),
        ("graph:neighbors --direction", ["both", "out", "in"]),
        ("graph:verify --fail-on", ["drifted", "invalid", "never"]),
        ("graph:verify --format", ["text", "json", "github", "sarif", "junit"]),
        ("config", ["show", "get", "set"]),
        ("model", ["install", "status", "remove"]),
        ("completion", ["bash", "zsh", "fish"]),
    ],
)
def test_choices_are_offered(option: str, choices: list[str], tmp_path: Path) -> None:
    assert sorted(values(*option.split(), "", cwd=tmp_path)) == sorted(choices)


def test_an_edge_type_is_offered_once_and_stays_open_for_a_comma(tmp_path: Path) -> None:
    answer = complete(["graph:neighbors", "--edge-types", "IMPORTS,im"], cwd=tmp_path)
    assert answer.candidates == ()
    answer = complete(["graph:neighbors", "--edge-types", "IMPORTS,li"], cwd=tmp_path)
    assert answer == Answer((Candidate("IMPORTS,LINKS_TO"),), (Hint.OPEN,))
    assert complete(["graph:neighbors", "--edge-types", "IMPORTS,LINKS_TO"], cwd=tmp_path).hints == ()


def test_edge_types_are_offered_behind_a_hop(tmp_path: Path) -> None:
    answer = complete(["graph:neighbors", "--types-at", "2=IMPORTS,li"], cwd=tmp_path)
    assert answer == Answer((Candidate("2=IMPORTS,LINKS_TO"),), (Hint.OPEN,))
    assert complete(["graph:neighbors", "--types-at", ""], cwd=tmp_path) == Answer()


def test_what_proposals_come_from_is_offered_behind_a_comma_too(tmp_path: Path) -> None:
    assert values("learning:propose", "--from", "com", cwd=tmp_path) == ["commits", "comments"]
    assert values("learning:propose", "--from", "adr,comm", cwd=tmp_path) == ["adr,commits", "adr,comments"]


def test_settings_are_offered_with_what_they_do(tmp_path: Path) -> None:
    (one,) = complete(["config", "set", "cochanges.min"], cwd=tmp_path).candidates
    assert one.value == "cochanges.min_support"
    assert one.description


def test_learnings_are_offered_newest_first_with_their_first_words(memory: Path) -> None:
    expected = (
        Candidate("2", "Migrations [31mare: atomic"),
        Candidate("1", "Compare tokens in constant time Else they leak."),
    )
    assert complete(["learning:show", ""], cwd=memory / "src").candidates == expected
    assert complete(["-C", "src", "learning:show", ""], cwd=memory).candidates == expected
    assert complete([f"-C{memory}", "learning:show", ""], cwd=memory.parent).candidates == expected


def test_learnings_are_found_by_uid_and_by_explicit_reference(memory: Path) -> None:
    uid = learnings(memory)[0][1]
    assert values("learning:show", uid[:-1], cwd=memory) == [uid]
    assert values("graph:show", "learning:", cwd=memory) == ["learning:2", "learning:1"]


def test_a_node_is_a_learning_or_a_file(memory: Path) -> None:
    answer = complete(["graph:show", ""], cwd=memory)
    assert [one.value for one in answer.candidates] == ["2", "1"]
    assert answer.hints == (Hint.FILES,)


def test_looking_changes_nothing(memory: Path) -> None:
    def state() -> dict[str, int]:
        return {entry.name: entry.stat().st_mtime_ns for entry in os.scandir(memory / ".tx")}

    before = state()
    assert values("learning:show", "", cwd=memory) == ["2", "1"]
    assert state() == before


def test_no_database_is_made_by_looking(memory: Path) -> None:
    for path in (memory / ".tx").glob("graph.db*"):
        path.unlink()
    assert values("learning:show", "", cwd=memory) == []
    assert not list((memory / ".tx").glob("graph.db*"))


def test_files_below_another_directory_are_listed_here(memory: Path) -> None:
    (memory / "src" / ".hidden").touch()
    assert complete(["-C", "src", "graph:link", "1", ""], cwd=memory) == Answer(
        (Candidate("auth.py"), Candidate("deep/")), (Hint.NAMES,)
    )
    assert complete(["-C", "src", "graph:link", "1", "de"], cwd=memory).hints == (Hint.NAMES, Hint.OPEN)
    assert values("-C", "src", "graph:link", "1", "deep/", cwd=memory) == ["deep/jwt utils.py"]
    assert values("-C", "src", "graph:link", "1", ".h", cwd=memory) == [".hidden"]
    assert values("-C", "src", "graph:link", "1", f"{memory}/not", cwd=memory) == [f"{memory}/notes.md"]
    assert values("-C", "src", "graph:analyze-imports", "--path", "", cwd=memory) == ["deep/"]


@pytest.mark.parametrize(
    "words", [["nothing", ""], ["graph:link", "--no-such=x"], ["graph:link", "--json=x"], ["--version=", ""]]
)
def test_nonsense_gets_no_answer_or_a_harmless_one(words: list[str], tmp_path: Path) -> None:
    assert complete(words, cwd=tmp_path).hints == ()


def test_relations_of_sections_are_offered_each_once(tmp_path: Path) -> None:
    assert "depends_on" in values("doc:search", "q", "--relations", "", cwd=tmp_path)
    offered = values("doc:search", "q", "--relations", "depends_on,", cwd=tmp_path)
    assert "depends_on,sequence" in offered
    assert "depends_on,depends_on" not in offered
