"""What people say of anchors, and what the log tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faces.cli.conftest import Prepared
from tests.faces.cli.terminal import Checkout, CommandLine

SYMBOL = "src/auth.py::login"
ODD = "my dir/ünï côde/a b.py"


@pytest.fixture(scope="module")
def origin(prepared: Prepared) -> Path:
    """A learning that is anchored to a function and to a file."""
    return prepared(
        ["learning:add", "Everybody may log in", "--anchor", SYMBOL, "--anchor", "README.md"],
        files={ODD: "class Store:\n    def get(self):\n        return 1\n"},
    )


def record(checkout: Checkout) -> str:
    return checkout.record.read_text(encoding="utf-8")


def test_confirming_makes_a_drifted_anchor_hold(tx: CommandLine, checkout: Checkout) -> None:
    checkout.edit("True", "False")
    assert tx("graph:verify").status == 1
    assert tx.ok("graph:confirm", "1", SYMBOL).out == f"{tx.name(1)}  {SYMBOL}  confirmed\n"
    assert tx("graph:verify").status == 0


def test_confirming_follows_what_was_renamed(tx: CommandLine, checkout: Checkout) -> None:
    checkout.edit("def login", "def sign_in")
    assert tx.ok("graph:confirm", "1", SYMBOL).out == f"{tx.name(1)}  {SYMBOL} → src/auth.py::sign_in  confirmed\n"
    assert "symbol: sign_in" in record(checkout)


def test_what_is_nowhere_cannot_be_confirmed(tx: CommandLine, checkout: Checkout) -> None:
    (checkout.root / "src" / "auth.py").unlink()
    before = record(checkout)
    outcome = tx("graph:confirm 1")
    assert (outcome.status, record(checkout)) == (3, before)
    assert f"{SYMBOL} cannot be confirmed: the file is gone. Nothing was changed." in outcome.err


def test_a_pinned_anchor_on_a_deleted_file_is_left_alone(tx: CommandLine, home: Path) -> None:
    assert tx.ok("graph:pin", "1", SYMBOL).out == f"{tx.name(1)}  {SYMBOL}  pinned\n"
    assert tx.ok("graph:pin", "1", SYMBOL).out == f"{tx.name(1)}  {SYMBOL}  is pinned already\n"
    (home / "src" / "auth.py").unlink()
    assert f"skipped: pinned  {SYMBOL}" in tx.ok("graph:verify").out
    assert tx.ok("graph:unpin 1").out.splitlines() == [
        f"{tx.name(1)}  README.md  is not pinned",
        f"{tx.name(1)}  {SYMBOL}  no longer pinned",
    ]
    assert tx("graph:verify").status == 1


def test_invalidating_and_restoring_leaves_the_record_as_it_was(tx: CommandLine, checkout: Checkout) -> None:
    before = record(checkout)
    invalidated = tx.ok("graph:invalidate", "1", SYMBOL, "--reason", "the gateway does it")
    assert invalidated.out == f"{tx.name(1)}  {SYMBOL}  invalidated\n"
    assert "reason: the gateway does it" in record(checkout)
    assert "gone" in tx.ok("learning:show 1").out
    outcome = tx("graph:verify --json")
    assert outcome.status == 1
    told = {one["anchor"]: (one["verdict"], one["reason"], one["detail"]) for one in outcome.document["anchors"]}
    assert told[SYMBOL] == ("gone", "invalidated", "the gateway does it")
    assert tx.ok("graph:restore 1").out == f"{tx.name(1)}  {SYMBOL}  restored\n"
    assert record(checkout) == before
    assert tx("graph:verify").status == 0


def test_history_tells_what_broke_and_what_healed(tx: CommandLine, checkout: Checkout) -> None:
    checkout.edit("True", "False")
    breaking = checkout.commit("nobody may log in")
    tx("graph:verify")
    tx("graph:verify")
    checkout.edit("False", "True")
    tx("graph:verify")
    events = tx.json("graph:history 1")["events"]
    assert [(one["event"], one["anchor"], one["old_status"], one["new_status"]) for one in events] == [
        ("drifted", SYMBOL, "valid", "drifted"),
        ("healed", SYMBOL, "drifted", "valid"),
    ]
    assert (events[0]["commit"], events[0]["commit_subject"]) == (breaking, "nobody may log in")
    assert tx.json("graph:history", SYMBOL)["events"] == tx.json("graph:history src")["events"] == events
    assert tx.json("graph:history README.md")["events"] == []
    told = tx.ok("graph:history 1 -n 1")
    assert ("healed" in told.out, "drifted:body" in told.out) == (True, False)
    assert told.err == "1 more; show them with -n 2.\n"


def test_pruning_removes_what_is_invalid_for_long_and_restoring_brings_it_back(
    tx: CommandLine, checkout: Checkout
) -> None:
    before, file = record(checkout), checkout.root / "src" / "auth.py"
    text = file.read_text(encoding="utf-8")
    file.unlink()
    tx("graph:verify")
    assert tx.ok("graph:prune --older-than 90d").err == "No anchor has been invalid for 90d.\n"
    assert f"(learning:1) would lose {SYMBOL}" in tx.ok("graph:prune --older-than 0d --dry-run").out
    assert record(checkout) == before
    [pruned] = tx.json("graph:prune --older-than 0d")["pruned"]
    assert (pruned["anchor"], pruned["reason"], pruned["uid"] in record(checkout)) == (SYMBOL, "file_deleted", True)
    assert "auth.py" not in record(checkout)
    assert [one["event"] for one in tx.json("graph:history 1")["events"]] == ["invalid", "pruned"]
    file.write_text(text, encoding="utf-8")
    tx.ok("graph:restore 1")
    assert record(checkout) == before
    assert tx("graph:verify").status == 0


@pytest.mark.parametrize(
    ("place", "spec", "kind"),
    [
        ([ODD], ODD, "hash"),
        ([f"{ODD}::Store::get"], f"{ODD}::Store::get", "symbol"),
        ([ODD, "--symbol", "Store"], f"{ODD}::Store", "symbol"),
        ([f"{ODD}:L2-L3"], f"{ODD}:L2-L3", "lines"),
        ([ODD, "--lines", "2-3"], f"{ODD}:L2-L3", "lines"),
        (["my dir/**/*.py"], "my dir/**/*.py", "glob"),
        ([ODD, "--anchor-type", "glob"], ODD, "glob"),
    ],
)
def test_a_learning_is_tied_to_any_place_and_untied_again(
    tx: CommandLine, place: list[str], spec: str, kind: str
) -> None:
    name = f"{tx.json('learning:add', 'Second')['uid']} (learning:2)"
    kind += ", 1 file" if kind == "glob" else ""
    assert tx.ok("graph:link", "2", *place).out == f"Anchored {name} to {spec} ({kind})\n"
    assert tx.ok("graph:link", "2", *place).out == f"Already anchored {name} to {spec} ({kind})\n"
    assert f"anchored to {spec}  fresh" in tx.ok("graph:show 2").out
    assert any(one["ref"].startswith(ODD) for one in tx.json("graph:neighbors 2 --depth 1")["neighbors"])
    assert tx.ok("graph:unlink", "2", spec).out == f"{name} is no longer anchored to {spec}\n"
    assert tx("graph:unlink", "2", spec).status == 3


@pytest.mark.parametrize(
    ("word", "spec", "why"),
    [
        ("login", SYMBOL, "the only symbol named 'login'"),
        ("LOGIN", SYMBOL, "the only symbol named 'LOGIN', but for case"),
        ("log", SYMBOL, "the only symbol with 'log' in its name"),
        ("True", "src/auth.py:L2-L2", "the only place with 'True' in it"),
    ],
)
def test_a_word_chooses_the_best_anchor(tx: CommandLine, word: str, spec: str, why: str) -> None:
    tx.add("Second")
    told = tx.json("graph:link", "2", "src/auth.py", word, "--dry-run")
    assert (told["anchor"]["anchor"], told["why"], told["learning"]["anchors"]) == (spec, why, [])
    assert tx.ok("graph:link", "2", "src/auth.py", word).out.endswith(f": {why}\n")
    assert [one["anchor"] for one in tx.json("learning:show 2")["anchors"]] == [spec]


def test_a_word_that_is_everywhere_means_the_file(tx: CommandLine, checkout: Checkout) -> None:
    checkout.write("src/auth.py", "def get_a():\n    pass\n\n\ndef get_b():\n    pass\n")
    outcome = tx.ok("graph:link 1 src/auth.py get")
    assert "so the whole file" in outcome.out
    assert "src/auth.py::get_a, src/auth.py::get_b" in outcome.err


def test_a_pinned_anchor_is_pinned_whoever_asks_and_never_fresh(tx: CommandLine, checkout: Checkout) -> None:
    tx.ok("graph:unlink", "1", "README.md")
    tx.ok("graph:pin", "1")
    checkout.edit("True", "False")
    assert tx.json("learning:show", "1")["verdict"] == "pinned"
    assert [one["verdict"] for one in tx.json("learning:show", "1")["anchors"]] == ["pinned"]
    assert [one["verdict"] for one in tx.json("learning:search", "log in")["results"]] == ["pinned"]
    assert [one["verdict"] for one in tx.json("context", "log in")["learnings"]] == ["pinned"]
    for words in (("learning:show", "1"), ("learning:search", "log in"), ("context", "log in")):
        told = tx.ok(*words).out
        assert "pinned" in told
        assert "fresh" not in told


def test_a_reviewed_change_is_confirmed_as_a_whole_and_nothing_that_it_did_not_touch(
    tx: CommandLine, checkout: Checkout
) -> None:
    tx.ok("graph:unlink", "1", "README.md")
    checkout.write("src/old.py", "def old():\n    return 1\n")
    checkout.write("src/gone.py", "def gone():\n    return 1\n")
    checkout.git("add", "--all")
    tx.add("Old", "--anchor", "src/old.py::old")
    tx.add("Gone", "--anchor", "src/gone.py::gone")
    checkout.commit()
    checkout.edit("return 1", "return 2", path="src/old.py")
    checkout.commit()
    checkout.edit("True", "False")
    checkout.write("src/old.py", "# said anew\n" + (checkout.root / "src/old.py").read_text(encoding="utf-8"))
    (checkout.root / "src/gone.py").unlink()
    outcome = tx("graph:confirm", "--since", "HEAD")
    assert (outcome.status, "1 anchor would be confirmed" in outcome.err) == (2, True)
    assert f"drifted:body  {SYMBOL}: Everybody may log in" in outcome.err
    assert tx("graph:verify", "1").status == 1
    outcome = tx.ok("graph:confirm", "--since", "HEAD", "--yes")
    assert outcome.out == f"{tx.name(1)}  {SYMBOL}  confirmed\n"
    assert "Left: src/gone.py::gone of learning:3, the file is gone." in outcome.err
    assert [tx("graph:verify", str(one)).status for one in (1, 2, 3)] == [0, 1, 1]
    assert tx.json("graph:confirm", "--since", "HEAD", "--yes")["confirmed"] == []
    assert (tx("graph:confirm").status, tx("graph:confirm", "1", "--since", "HEAD").status) == (2, 2)
