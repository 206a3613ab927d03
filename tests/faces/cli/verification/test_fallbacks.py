"""Anchors that count only where the stronger ones are lost: the seed's advice does not break the gate."""

from __future__ import annotations

from tests.faces.cli.terminal import Checkout, CommandLine

LOGOUT = "src/auth.py::logout"


def told(tx: CommandLine) -> list[tuple[str, str]]:
    """Return each anchor of the second learning with its verdict."""
    anchors = tx.json("graph:verify", "--fail-on", "never", "2")["anchors"]
    return [(one["anchor"], one["verdict"]) for one in anchors]


def test_a_fallback_counts_once_what_is_stronger_is_lost(tx: CommandLine, checkout: Checkout) -> None:
    tx.add("Out is out", "--anchor", LOGOUT, "--fallback", "src/auth.py", "--fallback", "src/*.py")
    checkout.edit(">= 18", "< 18")
    assert told(tx) == [("src/*.py", "reserve"), ("src/auth.py", "reserve"), (LOGOUT, "fresh")]
    assert tx.json("learning:show", "2")["verdict"] == "fresh"
    assert "1 holds, 1 drifted, 2 in reserve" in tx("graph:verify").out
    checkout.edit("def logout() -> None:\n    os.environ.pop(", "print(")
    assert told(tx) == [("src/*.py", "fresh"), ("src/auth.py", "reserve"), (LOGOUT, "relocated")]
    outcome = tx("graph:verify", "2")
    assert (outcome.status, f"relocated  {LOGOUT}: 'logout' is gone; held by its fallback src/*.py" in outcome.out) == (
        0,
        True,
    ), outcome.out
    shown = tx.json("learning:show", "2")
    assert (shown["verdict"], {one["held_by"] for one in shown["anchors"]}) == ("relocated", {None, "src/*.py"})
    assert tx("graph:verify", "--fix", "2").status == 0, "there is no place to follow to"
    tx.ok("graph:unlink", "2", "src/*.py")
    assert told(tx) == [("src/auth.py", "drifted"), (LOGOUT, "relocated")]
    assert tx("graph:verify", "2").status == 1
    (checkout.root / "src/auth.py").unlink()
    assert told(tx) == [("src/auth.py", "gone"), (LOGOUT, "gone")]
    assert tx.json("learning:show", "2")["verdict"] == "gone"


def test_only_what_changed_is_looked_at_but_a_fallback_comes_with_its_learning(
    tx: CommandLine, checkout: Checkout
) -> None:
    checkout.write("README.md", "# Read me\n")
    checkout.commit()
    tx.add("Others hold", "--anchor", "src/*.py")
    tx.ok("learning:edit", "1", "--anchor", "README.md", "--fallback", "src/auth.py")
    checkout.commit()
    checkout.write("README.md", "# Read me again\n")
    checkout.git("add", "--all")
    checkout.edit(">= 18", "< 18")
    anchors = tx.json("graph:verify", "--staged", "--since", "HEAD", "--fail-on", "never")["anchors"]
    assert [(one["learning"], one["anchor"], one["verdict"]) for one in anchors] == [
        (1, "README.md", "drifted"),
        (1, "src/auth.py", "reserve"),
        (1, "src/auth.py::login", "fresh"),
    ]


def test_a_record_with_a_fallback_is_read_where_nobody_knows_any(tx: CommandLine, checkout: Checkout) -> None:
    tx.add("Out is out", "--anchor", LOGOUT, "--fallback", "src/*.py")
    (record,) = (one for one in (checkout.root / ".tx/learnings").glob("*.md") if "out-is-out" in one.name)
    text = record.read_text(encoding="utf-8")
    assert "- path: src/*.py\n  text: fallback\n  type: glob\n" in text
    record.write_text(text.replace("  text: fallback\n", "  fallback: true\n"), encoding="utf-8")
    assert [one["fallback"] for one in tx.json("learning:show", "2")["anchors"]] == [True, False]


def test_what_stands_in_a_file_is_no_fallback(tx: CommandLine, checkout: Checkout) -> None:
    del checkout
    outcome = tx("graph:link", "1", LOGOUT, "--fallback")
    assert (outcome.status, f"'{LOGOUT}' is no fallback: that is a whole file or a glob." in outcome.err) == (2, True)
    tx.ok("graph:link", "1", "src/auth.py", "--fallback")
    assert "in reserve" in tx("graph:verify").out
    tx.ok("graph:link", "1", "src/auth.py")
    assert tx("graph:verify").out == "2 anchors: 2 hold.\n", "said anew, it counts"
