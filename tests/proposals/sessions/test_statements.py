"""Which sentences say how things are done here."""

from __future__ import annotations

import pytest

from tx_graph.proposals.speech import LEAST, Rule, asked_to_remember, corrected


@pytest.mark.parametrize(
    "text",
    [
        "Always run `make fmt` before you commit.",
        "please never push to main directly",
        "we always squash before merging",
        "you should never edit the generated files in src/gen",
        "No, don't use mocks here, we test against a real database.",
        "no, we removed the session commands on purpose",
        "We use pnpm instead of npm in this repository.",
        "we should be using the strong types instead of string wherever we can",
        "that's wrong, the API returns seconds, not milliseconds",
        "Actually the config lives in config/app.toml, not in .env",
        "the first part is not correct, for manual commits we use git hooks to add the trailer",
        "We don't have `Entire-Session` anymore so this is obsolete.",
        "From now on make sure that every new command has a test",
    ],
)
def test_corrections_and_rules_are_taken(text: str) -> None:
    statement = corrected(text, is_answer=True)
    assert statement is not None
    assert statement.rule is Rule.CORRECTION
    assert LEAST <= statement.confidence < 1


@pytest.mark.parametrize(
    "text",
    [
        "never mind, we'll look at it later",
        "we never got that to work",
        "it always seems to be this same hash, I think",
        "no, write the plan",
        "no, this is fine",
        "No I think this is fine and has too much risk",
        "don't change anything, just let me know",
        "do not stash anything, read the files you need",
        "no don't set it, let's see if it keeps happening",
        "can we use checkpointID instead of cpID",
        "could you always run the tests?",
        "instead of getting the content?",
        "ok, let's rename to steps instead.",
        "if we never push then it fails",
        "I think we should maybe always do it like that",
        "commit and push",
        "I've noticed it never returns",
        "This means wrapper hooks can never be uninstalled through the CLI.",
        "User edits made after the base commit are never captured.",
        "Unused variable stopHookCount at line 485 - incremented but never asserted",
        "Consider using time.Now().UTC() instead.",
        "To resume the other session instead, exit and run: claude -r 0276a600",
        "thanks, that looks great and works well",
        "let's always do it in this PR for now",
        "as a suggestion, why not include all media, so that these don't need to be generated every time",
    ],
)
def test_chatter_orders_guesses_and_reviews_are_not(text: str) -> None:
    assert corrected(text, is_answer=True) is None


def test_a_no_only_counts_as_an_answer() -> None:
    text = "No, don't use mocks here, we test against a real database."
    answer, other = corrected(text, is_answer=True), corrected(text, is_answer=False)
    assert answer is not None
    assert other is None or other.confidence < answer.confidence


@pytest.mark.parametrize(
    "text",
    [
        "Remember that the tests need a running Redis.",
        "please remember to use pagination for all lists",
        "Keep in mind that auto commits have the full diff",
        "For future reference: releases are cut from the branch stable",
        "Note that the API is rate limited to ten calls",
        "Note to self: the importer is slow on purpose",
        "fyi, staging has no data after midnight",
        "don't forget that migrations run twice",
        "Going forward, errors are logged as JSON lines",
    ],
)
def test_what_one_asks_to_remember_is_taken(text: str) -> None:
    statement = asked_to_remember(text)
    assert statement is not None
    assert (statement.rule, statement.is_general) == (Rule.REMEMBER, True)


@pytest.mark.parametrize(
    "text",
    [
        "do you remember where the config lives?",
        "I remember now, the issue was the cache",
        "remember when we had two of those",
        "can you note that down somewhere",
        "remember this",
        "note that",
        "make sure this is tested",
        "Dont forget to branch off main and not the current branch.",
    ],
)
def test_what_only_speaks_of_remembering_is_not(text: str) -> None:
    assert asked_to_remember(text) is None


def test_a_reason_makes_it_surer() -> None:
    plain = corrected("we always squash before merging", is_answer=True)
    reasoned = corrected("we always squash before merging, because bisect breaks otherwise", is_answer=True)
    assert plain is not None
    assert reasoned is not None
    assert reasoned.confidence > plain.confidence
