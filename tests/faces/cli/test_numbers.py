"""A bad number is answered with one clear sentence, whichever option it is given to."""

from __future__ import annotations

import pytest

from tests.faces.cli.terminal import CommandLine

UNIT = {
    "--confidence": ["learning:add", "text"],
    "--min-score": ["learning:search", "text"],
    "--weight": ["graph:relate", "1", "2"],
    "--score": ["learning:helpful", "1"],
}
WHOLE = {
    "--depth": ["graph:neighbors", "1"],
    "--max-nodes": ["graph:neighbors", "1"],
    "--limit": ["learning:list"],
    "--max-files": ["graph:analyze-cochanges"],
    "--min-support": ["graph:analyze-cochanges"],
}
HUGE = "9" * 30


def refused(tx: CommandLine, *arguments: str) -> str:
    outcome = tx(*arguments)
    assert outcome.status == 2, outcome
    assert outcome.out == ""
    [sentence, *hint] = outcome.err.splitlines()
    assert sentence.startswith("tx: ")
    assert sentence.endswith(".")
    assert len(hint) <= 1
    return sentence


@pytest.fixture
def two(tx: CommandLine) -> CommandLine:
    tx.add("One")
    tx.add("Two")
    return tx


@pytest.mark.parametrize("number", ["NaN", "-1", "1.1", "inf", "-inf", "1e999", HUGE])
@pytest.mark.parametrize("option", UNIT)
def test_a_number_outside_0_to_1_is_refused(two: CommandLine, option: str, number: str) -> None:
    assert "from 0 to 1" in refused(two, *UNIT[option], option, number)


@pytest.mark.parametrize("number", ["abc", "", " ", "1,5", "0x1", "½"])
@pytest.mark.parametrize("option", UNIT)
def test_a_word_is_no_number(tx: CommandLine, option: str, number: str) -> None:
    sentence = refused(tx, *UNIT[option], option, number)
    assert sentence == f"tx: Invalid value for '{option}': '{number}' is not a number."


@pytest.mark.parametrize("number", ["3.7", "NaN", "1e2", "", "two", "9" * 5_000])
@pytest.mark.parametrize("option", WHOLE)
def test_a_fraction_is_no_whole_number(tx: CommandLine, option: str, number: str) -> None:
    assert refused(tx, *WHOLE[option], option, number).endswith("is not a whole number.")


@pytest.mark.parametrize("option", WHOLE)
def test_a_negative_count_is_refused(two: CommandLine, option: str) -> None:
    assert "not -1." in refused(two, *WHOLE[option], option, "-1")


@pytest.mark.parametrize("option", ["--max-nodes", "--limit", "--max-files", "--min-support"])
def test_a_count_of_nothing_is_refused(two: CommandLine, option: str) -> None:
    assert "not 0." in refused(two, *WHOLE[option], option, "0")


@pytest.mark.parametrize(
    "command",
    [["learning:list"], ["learning:recent"], ["learning:search", "x"], ["graph:neighbors", "1"], ["graph:show", "1"]],
)
@pytest.mark.parametrize("number", [HUGE, "10001", "0"])
def test_a_limit_has_bounds(two: CommandLine, command: list[str], number: str) -> None:
    assert "from 1 to 10,000" in refused(two, *command, "-n", number)


@pytest.mark.parametrize("depth", ["-1", "11", HUGE])
@pytest.mark.parametrize("command", [["graph:neighbors", "1"], ["learning:search", "x", "--expand"]])
def test_depth_goes_from_0_to_10(two: CommandLine, command: list[str], depth: str) -> None:
    assert refused(two, *command, "--depth", depth) == f"tx: The depth must be from 0 to 10, not {depth}."


@pytest.mark.parametrize("decay", ["0", "-1", "1.1", "NaN", "inf", HUGE])
@pytest.mark.parametrize("command", [["graph:neighbors", "1"], ["learning:search", "x", "--expand"]])
def test_decay_lies_above_0_up_to_1(two: CommandLine, command: list[str], decay: str) -> None:
    assert refused(two, *command, "--decay", decay).startswith("tx: The decay must be above 0 and at most 1, not ")


@pytest.mark.parametrize("days", ["NaN", "-1", "inf", HUGE])
def test_a_half_life_is_a_number_of_days(tx: CommandLine, days: str) -> None:
    assert "half-life" in refused(tx, "graph:analyze-cochanges", "--half-life", days)


@pytest.mark.parametrize(
    ("option", "number", "least"), [("--max-files", "1", 2), ("--max-files", "-5", 2), ("--min-support", "0", 1)]
)
def test_too_small_a_number_is_named_as_it_was_typed(tx: CommandLine, option: str, number: str, least: int) -> None:
    message = refused(tx, "graph:analyze-cochanges", option, number)
    assert message == f"tx: {option} must be at least {least}, not {number}."


def test_huge_but_harmless_numbers_are_fine(two: CommandLine) -> None:
    two.ok("graph:neighbors", "1", "--max-nodes", HUGE)
    two.ok("graph:analyze-cochanges", "--max-files", HUGE, "--min-support", HUGE)


@pytest.mark.parametrize(
    "options",
    [["--depth", "3"], ["--decay", "0.5"], ["--max-nodes", "5"], ["--direction", "out"], ["--edge-types", "IMPORTS"]],
)
def test_expansion_options_need_expand(tx: CommandLine, options: list[str]) -> None:
    assert "need --expand" in refused(tx, "learning:search", "x", *options)


def test_edge_types_cannot_be_asked_for_and_excluded(two: CommandLine) -> None:
    both = ["--edge-types", "IMPORTS,LINKS_TO", "--exclude-edge-types", "LINKS_TO"]
    assert "LINKS_TO" in refused(two, "graph:neighbors", "1", *both)


def test_an_unknown_edge_type_is_named(two: CommandLine) -> None:
    outcome = two("graph:neighbors", "1", "--edge-types", "IMPORTZ")
    assert outcome.status == 2
    assert "IMPORTZ" in outcome.err
    assert "IMPORTS" in outcome.err
