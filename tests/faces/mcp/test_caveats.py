"""A reply says what may make it wrong, as the command line does: in its last line and in `notices`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faces.mcp.conftest import Ask
from tx_graph.core.text import by_characters
from tx_graph.faces.mcp.replies import Draft, Item, Reply, noted, packed

BEHIND = "The index is behind the working tree: 1 file changed."
OFF = '\nupdate = "none"\n'
LEXICAL = "By words alone: there are no vectors ('tx model install', then 'tx sync')."
SKIPPED = 'it is skipped".'
GRAPH: list[tuple[str, dict[str, object]]] = [
    ("tx_context", {"text": "tokens"}),
    ("tx_learning_search", {"query": "tokens", "expand": True}),
    ("tx_learning_search", {"query": "tokens", "files": ["src/auth.py"]}),
    ("tx_graph_neighbors", {"id": "src/app.py"}),
]
OTHERS: list[tuple[str, dict[str, object]]] = [
    ("tx_learning_search", {"query": "tokens"}),
    ("tx_focus", {"ref": "src/auth.py"}),
    ("tx_recall", {"query": "billing service"}),
    ("tx_doc_search", {"query": "tokens"}),
    ("tx_graph_verify", {}),
]


def notices(reply: Reply) -> list[str]:
    """Return what a reply says may make it wrong; it says the same in its last line."""
    told: list[str] = reply.structure.get("notices", [])
    assert not told or reply.text.rsplit("\n\n", 1)[-1] == " ".join(told)
    return told


def change(root: Path) -> None:
    with (root / ".tx" / "config.toml").open("a", encoding="utf-8") as stream:
        stream.write(OFF)
    (root / "src" / "auth.py").write_text("def verify():\n    return 'another'\n", encoding="utf-8")


@pytest.mark.parametrize(("tool", "arguments"), GRAPH)
def test_what_rests_on_the_graph_says_that_the_index_is_behind(
    ask: Ask, root: Path, tool: str, arguments: dict[str, object]
) -> None:
    change(root)
    assert BEHIND in notices(ask(tool, **arguments))
    ask("tx_graph_analyze_imports")
    assert BEHIND not in notices(ask(tool, **arguments))


@pytest.mark.parametrize(("tool", "arguments"), GRAPH)
def test_a_small_difference_is_taken_in_first(ask: Ask, root: Path, tool: str, arguments: dict[str, object]) -> None:
    (root / "src" / "auth.py").write_text("def verify():\n    return 'another'\n", encoding="utf-8")
    assert notices(ask(tool, **arguments)) in ([], [LEXICAL])


def test_of_the_file_asked_about_it_is_said_first(ask: Ask, root: Path) -> None:
    change(root)
    (first, *_) = notices(ask("tx_graph_neighbors", id="src/auth.py"))
    assert first == "src/auth.py has changed since it was indexed."


@pytest.mark.parametrize(("tool", "arguments"), GRAPH + OTHERS)
def test_every_reply_says_that_a_record_could_not_be_read(
    ask: Ask, root: Path, tool: str, arguments: dict[str, object]
) -> None:
    (root / ".tx" / "learnings" / "broken-\x1b[31m.md").write_text("no front matter\n", encoding="utf-8")
    (told,) = [one for one in notices(ask(tool, **arguments)) if one.endswith(SKIPPED)]
    assert "\x1b" not in told


def test_search_says_that_it_went_by_words_alone(ask: Ask) -> None:
    assert LEXICAL in notices(ask("tx_learning_search", query="tokens"))
    assert any(one.startswith("By words alone") for one in notices(ask("tx_doc_search", query="tokens")))


def test_a_small_budget_holds_the_short_ones(ask: Ask, root: Path) -> None:
    change(root)
    (root / ".tx" / "learnings" / f"{'broken' * 20}.md").write_text("no front matter\n", encoding="utf-8")
    reply = ask("tx_learning_search", query="xylophone", expand=True, budget=200)
    assert BEHIND in notices(reply)
    assert not any(one.endswith(SKIPPED) for one in notices(reply))
    assert reply.fits(200)


def test_notices_leave_room_for_what_was_asked() -> None:
    items = [Item(text="word " * 20, shape={"text": "word " * 20}) for _ in range(30)]
    sentences = [f"{number} is a sentence of some length that says what is wrong." for number in range(200)]
    draft = Draft(head="Head", items=items, plural="many", notices=sentences)
    reply = packed(draft, budget=1_000, is_structured=True)
    assert by_characters(reply.text) * 2 <= 1_000
    assert reply.fits(1_000)
    assert notices(reply)
    alone = packed(Draft(head="Head", items=items, plural="many"), budget=1_000, is_structured=True)
    assert len(reply.structure["many"]) >= 0.8 * len(alone.structure["many"])


def test_a_notice_is_inert_and_told_once() -> None:
    reply = noted(Reply(text="Head", structure={}), ["a \x1b[31m\nb", "a \x1b[31m\nb"], budget=200)
    (told,) = notices(reply)
    assert "\x1b" not in told
    assert "\n" not in told
