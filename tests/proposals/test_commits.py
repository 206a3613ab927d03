"""Which commits explain, by which sentence, and how sure that is; what was taken back explains nothing."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.proposals.told import message, sure
from tx_graph.history.commits import CommitMessage
from tx_graph.proposals.commits import LEAST, SUREST, is_revert, is_source, judge, taken_back, told

WHY = "`load` takes the lock first, because two writers would overwrite each other's first record."
BODY = f"\n\n{WHY}\n"


def content(text: str) -> str:
    return sure(judge(message(text))).text


def test_a_sentence_with_its_reason_explains() -> None:
    judged = sure(judge(message(f"Rework the store (#12){BODY}\nIt is tested on three systems, all of them slow.\n")))
    assert judged.text == WHY
    assert [reason.name for reason in judged.reasons] == ["because", "tied to its code"]
    assert LEAST <= judged.worth <= SUREST


@pytest.mark.parametrize(("text", "said"), [
    ("Take the lock first\n\nTwo writers would overwrite each other otherwise, because both see an empty file.",
     "Take the lock first: Two writers would overwrite each other otherwise, because both see an empty file."),
    ("fix(store): take it first.\n\nThis is because `open` must not wait.",
     "Take it first: This is because `open` must not wait."),
    ("Rework it\n\nThe file is opened by `load`. That must never wait, because it holds the lock.",
     "The file is opened by `load`. That must never wait, because it holds the lock."),
    ("refactor: import Coder late to avoid a circular import (#7)", "Import Coder late to avoid a circular import"),
    ("import it late\nto avoid a circular import in `coder`", "Import it late to avoid a circular import in `coder`"),
    ("Do not retry when the credit is used up", "Do not retry when the credit is used up"),
], ids=["about", "goes on from the subject", "goes on from a sentence", "a subject", "wrapped", "a rule"])  # fmt: skip
def test_it_stands_by_itself(text: str, said: str) -> None:
    assert content(text) == said


def test_of_paragraphs_one_sentence_is_left() -> None:
    dull = "It moves some of the words to another page. " * 9
    text = f"Rework the store\n\n{dull}\n\n{WHY}\n\n{dull}We had to look at the other half, since it is slow."
    assert content(text) == WHY
    endless = f"The lock is taken first because {'of this and that ' * 20}."
    assert judge(message(f"Rework the store\n\n{endless}")) is None


@pytest.mark.parametrize("text", [
    "Take the lock first", "Take the lock first\n\nAs Ada said.", "Take the lock\n\n* take it, because of races",
    "Add a lock\n\n" + "It adds a lock and a file and a test and a page and some more words to read. " * 3,
    "Fix the crash that happens when the list is empty",
    "Add a lock\n\nI think that it must be taken first, because of races.",
    "Add a lock\n\n> It must be taken first, because of races.",
], ids=["no body", "no reason", "a list", "what, not why", "what was mended", "an opinion", "quoted"])  # fmt: skip
def test_what_does_not_explain_is_nothing(text: str) -> None:
    assert judge(message(text)) is None


CHAT = """aider: Fixed the lock.

# Context:
USER: it does not work: cannot open the file
ASSISTANT: The issue is that the lock must be taken first, because two writers would otherwise overwrite it.
"""
AGENT = """Fix the lock

I'll take the lock first, because two writers overwrite each other. Let me run the tests.

The lock must be taken before `load` opens the file.
"""
TRACEBACK = """Fix the crash

Traceback (most recent call last):
  File "/home/ada/store.py", line 12, in load
    raise ValueError("cannot take the lock, because it is held")
ValueError: cannot take the lock, because it is held
"""
BUILD = """Update the image

[+] Building 18.1s (9/9) FINISHED => [internal] load .dockerignore 0.0s => => transferring context: 109B, so 0.0s
"""
DIFF = f"Take the lock first\ndiff --git a/store.py b/store.py\n{WHY}\n"


@pytest.mark.parametrize("text", [
    CHAT, f"Fix it\n\n#### why must it be taken first?\n\n{WHY}", AGENT, TRACEBACK, BUILD, DIFF,
    f"The tests pass. Let me also take the lock, because of races{BODY}".replace(BODY, ""),
    f"The commit message would be: take the lock\n{BODY}",
], ids=["turns", "a prompt", "an agent", "traceback", "build", "diff", "an agent's subject", "a model"])  # fmt: skip
def test_what_was_said_to_agents_or_printed_by_tools_is_no_source(text: str) -> None:
    assert judge(message(text)) is None


def test_an_agent_among_the_authors_is_no_reason_to_mistrust_a_reason() -> None:
    trailers = "\U0001f916 Generated with [Claude Code](https://example.org)\n\nCo-Authored-By: Claude <a@example.org>"
    assert content(f"Take the lock first{BODY}\n{trailers}\n") == WHY


@pytest.mark.parametrize("path", [
    "vendor/github.com/a/b.go", "third_party/zlib/inflate.c", "web/node_modules/a/index.js", "static/app.min.js",
    "api/user_pb2.py", "api/user.pb.go",
])  # fmt: skip
def test_what_somebody_else_or_a_tool_wrote_is_no_source(path: str) -> None:
    assert not is_source(message(f"Take the lock first{BODY}", paths=[path]))
    assert is_source(message(f"Take the lock first{BODY}", paths=[path, "src/a.py"]))


@pytest.mark.parametrize(("subject", "expected"), [
    *((subject, False) for subject in (
        "Merge branch 'main' into topic", "Bump urllib3 from 1.0 to 2.0", "build(deps): bump actions/checkout",
        "Release v1.2.3", "v1.2.3", "chore: prepare for release", "Update dependencies",
        "build(npm): update external dependencies", "Fix typo in page", "Update CHANGELOG", "Fix trailing whitespace",
    )),
    *((subject, True) for subject in (
        "Release the lock before waiting", "Handle white space in paths", "Do not lose a missing author",
        "Fix regression in v2.3.1", "Process records in one batch",
    )),
])  # fmt: skip
def test_routine_is_passed_over_and_code_that_sounds_like_it_is_not(subject: str, *, expected: bool) -> None:
    assert is_source(message(subject + BODY)) is expected


@pytest.mark.parametrize("author", ["dependabot[bot]", "renovate-bot", "pre-commit-ci"])
def test_machines_are_passed_over(author: str) -> None:
    assert judge(message(f"Take the lock first{BODY}", author=author)) is None


def test_a_body_that_begins_with_the_subject_says_it_once_and_a_cut_one_is_joined_again() -> None:
    subject, body = told(message(f"Take the lock first (#3)\n\nTake the lock first (#2){BODY}"))
    assert (subject, [one.text for one in body]) == ("Take the lock first", [WHY])
    assert told(message("Take the lock before the file …\n\n… is opened\n\nWhy."))[0].endswith("the file is opened")


@pytest.mark.parametrize("weaker", [
    message(f"docs: take the lock first{BODY}"), message(f"Take the lock first{BODY}", paths=["tests/test_lock.py"]),
    message(f"Take the lock first{BODY}", paths=[f"src/{number}.py" for number in range(40)]),
    message(f"Rework it{BODY.replace('takes', 'previously took')}"), message(WHY.rstrip(".")),
    message("Do not take the lock in `load` twice"),
], ids=["by its subject", "tests", "many files", "a story", "a subject alone", "a bare rule"])  # fmt: skip
def test_what_is_less_about_code_is_less_sure(weaker: CommitMessage) -> None:
    judged = judge(weaker)
    assert judged is None or judged.worth < sure(judge(message(f"Rework it{BODY}"))).worth


def test_nothing_in_a_message_can_steer_a_terminal() -> None:
    assert content(f"Rework it\n\n\x1b[2J{WHY}\u202e").startswith("[2J`load`")


NAME = "b" * 40
BROKE = "It broke every proxy, because the header was sent too early by `send`."
SENT = message(f"Send the header first{BODY}", name="b", day=0)
REVERT = message(f'Revert "Send the header first"\n\nThis reverts commit {NAME}.\n\n{BROKE}\n', name="c", day=3)


def test_a_revert_says_what_was_tried_and_why_it_was_taken_back() -> None:
    judged = sure(judge(REVERT))
    assert judged.text == f'Revert "Send the header first": {BROKE}'
    assert is_revert(REVERT)
    assert judge(message('Revert "Send it late to avoid old proxies"\n\nThis reverts commit 0123456789.')) is None


AGAIN = message(f'Revert "Revert "Send the header first""\n\nThis reverts commit {"c" * 40}.', name="d", day=4)


@pytest.mark.parametrize(("newest_first", "gone"), [
    ([REVERT, SENT], "b"), ([message('Revert "Send the header first"', name="c"), SENT], "b"),
    ([message("Revert to the old icons", name="c"), SENT], ""),
    ([AGAIN, REVERT, SENT], "c"),
    ([message('Reapply "Send the header first"', name="d"), REVERT, SENT], "c"),
], ids=["by name", "by subject", "going back is none", "a revert of it", "it came again"])  # fmt: skip
def test_what_was_taken_back_explains_nothing_any_more(newest_first: Sequence[CommitMessage], gone: str) -> None:
    assert taken_back(newest_first) == {name * 40 for name in gone}
