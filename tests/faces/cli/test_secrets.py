"""Secrets: refused wherever git would carry them, taken out of what stays here, and never shown by the refusal."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from tests.faces.cli.terminal import Checkout, CommandLine
from tests.isolation import run_without

SECRET = "Tr0ub4dor-77"
SAID = f"the staging password is {SECRET}"
LINE = json.dumps({"content": SAID}).encode()


@pytest.fixture(autouse=True)
def _known(tx: CommandLine) -> None:
    tx.add("The staging database is rebuilt on Mondays")


@pytest.mark.parametrize("words", [
    ["learning:add", SAID], ["learning:add", "Ask ops", "--keyword", f"pw={SECRET}"],
    ["learning:edit", "1", "--content", SAID], ["learning:import", "-"],
    ["fact:add", "Staging", "password", "--value", SECRET], ["fact:add", "Staging", "note", "--value", SAID],
    ["entity:edit", "Staging", "--description", f"login: admin / {SECRET}"],
])  # fmt: skip
def test_what_git_would_carry_is_refused_unless_it_is_forced(tx: CommandLine, words: Sequence[str]) -> None:
    for form in ([], ["--json"]):
        refused = tx(*words, *form, stdin=LINE)
        assert refused.status == 2
        assert "may hold a" in refused.out + refused.err
        assert "--force" in refused.out + refused.err
        assert SECRET not in refused.out + refused.err
    assert tx(*words, "--force", stdin=LINE).status == 0


def test_what_was_forced_once_is_asked_about_no_more_until_it_leaves(tx: CommandLine) -> None:
    ref = tx.add(SAID, "--force")
    tx.ok("learning:edit", ref, "--category", "ops")
    tx.ok("learning:add", SAID, "--keyword", "staging")
    left = tx("learning:export")
    assert (left.status, left.out, SECRET in left.err) == (2, "", False)
    assert SECRET in tx.ok("learning:export --force").out


def test_the_gate_holds_back_what_may_hold_a_secret_and_does_not_show_it(tx: CommandLine) -> None:
    ref = tx.add(SAID, "--force", "--status", "staged")
    for command in (f"learning:promote {ref} --why", f"learning:promote {ref}", f"learning:promote {ref} --json"):
        held = tx(command)
        assert (held.status, SECRET in held.out + held.err) == (1, False)
        assert "the staging password is ****" in held.out
    tx.ok(f"learning:promote {ref} --force")


def test_what_stays_on_this_machine_loses_its_secrets(tx: CommandLine, checkout: Checkout) -> None:
    tx.ok("task:add", f"Rotate: {SAID}", "--description", SAID)
    tx.ok("task:edit", "1", "--title", f"Rotate soon: {SAID}")
    checkout.write("session.log", f"{SAID}\n")
    tx.ok("run:start")
    tx.ok("run:finish 1 --outcome succeeded --transcript session.log")
    for shown in (tx.ok("task:show 1").out, tx.ok("run:show 1 --transcript").out):
        assert SECRET not in shown
        assert "the staging password is [redacted: password]" in shown


def test_what_a_model_or_an_agent_is_asked_holds_no_secret(tx: CommandLine, checkout: Checkout) -> None:
    checkout.write("docs/a.md", f"# One\n\n{SAID}\n\n# Two\n\nIt is rebuilt on Mondays.\n")
    checkout.git("add", "--all")
    tx.ok("doc:ingest")
    asked = tx.ok("doc:extract --print-batches").out
    assert "the staging password is [redacted: password]" in asked
    assert SECRET not in asked


def test_commits_that_say_a_password_propose_nothing_and_why_is_told(tx: CommandLine, checkout: Checkout) -> None:
    checkout.write("src/auth.py", "def login():\n    return 'staging'\n")
    checkout.git("add", "--all")
    checkout.commit(
        f"Fix the login of staging\n\nWe must not rename the role, because {SAID} there and nobody rotates it."
    )
    found = tx.json("learning:propose --from commits")
    assert [one["may_hold"][:10] for one in found["withheld"]] == ["a password"]
    assert "not proposed, for they may hold a secret" in found["notices"][0]
    assert SECRET not in json.dumps(found)


def test_a_record_that_somebody_committed_is_told_by_the_doctor(tx: CommandLine, checkout: Checkout) -> None:
    record = next((checkout.root / ".tx/learnings").glob("*.md"))
    record.write_text(record.read_text("utf-8").replace("on Mondays", f"on Mondays; {SAID}"), "utf-8")
    told = tx("doctor")
    assert "may be in records that git carries" in told.out
    assert SECRET not in told.out


@pytest.mark.parametrize(
    "command", ["context 'staging password'", "doc:search 'staging password'", "focus docs/a.md#one"]
)
def test_pages_show_no_secret_of_a_document(tx: CommandLine, checkout: Checkout, command: str) -> None:
    checkout.write("docs/a.md", f"# One\n\nIt is rebuilt on Mondays; {SAID}.\n")
    checkout.git("add", "--all")
    tx.ok("doc:ingest")
    shown = tx.ok(command).out
    assert "the staging password is [redacted: password]" in shown
    assert SECRET not in shown


def test_without_the_detector_of_vendors_keys_it_is_said_and_the_rules_of_tx_go_on(checkout: Checkout) -> None:
    statuses = run_without(
        ["kingfisher_sdk"],
        "import contextlib, io, os\n"
        "from tx_graph.faces.cli.main import run\n"
        "os.chdir(sys.argv[2])\n"
        "told = []\n"
        "for words in (['doctor'], ['learning:add', 'the db login is app / hunter-77'], ['transcript:ingest', '.']):\n"
        "    said = io.TextIOWrapper(io.BytesIO(), 'utf-8', write_through=True)\n"
        "    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):\n"
        "        status = run(words)\n"
        "    told.append([status, said.buffer.getvalue().decode()])\n"
        "print(json.dumps(told))",
        str(checkout.root),
    )
    doctor, added, read = statuses
    assert "rules of tx alone look for them" in doctor[1]
    assert (added[0], 'a login in "the db login is app / ****"' in added[1]) == (2, True)
    assert (read[0], "not installed" in read[1]) == (2, True)
