"""Sections in the commands that read the graph, and documents in what says how a workspace is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faces.cli.terminal import CommandLine

TOKENS = "docs/auth.md#tokens"


@pytest.fixture
def guide(tx: CommandLine, home: Path) -> CommandLine:
    """A workspace with a guide whose section on tokens speaks of auth.py and needs keys."""
    docs = home / "docs"
    docs.mkdir()
    (docs / "auth.md").write_text(
        "# Authentication\n\n## Tokens\n\nChecked in `src/auth.py`.\n\n- depends_on:: [[keys]]\n", encoding="utf-8"
    )
    (docs / "keys.md").write_text("# Keys \x1b[31m\n\nSee [the tokens](auth.md#tokens).\n", encoding="utf-8")
    tx.ok("index")
    tx.ok("doc:ingest", "docs/auth.md", "docs/keys.md")
    return tx


def test_a_section_is_shown_with_its_title_and_what_it_is_tied_to(guide: CommandLine) -> None:
    out = guide.ok("graph:show", TOKENS).out
    assert out.startswith(f"{TOKENS}  section\nTokens\n")
    assert "  → 0.90  src/auth.py  references\n" in out
    assert '  ← docs/keys.md#keys-31m  references  "the tokens"\n    Keys' in out
    assert "  → docs/keys.md  depends_on\n" in out, "its words say no more than the relation"


def test_a_title_cannot_drive_the_terminal(guide: CommandLine) -> None:
    for command in (
        ["graph:show", "docs/keys.md"],
        ["graph:neighbors", TOKENS],
        ["graph:path", TOKENS, "docs/keys.md"],
    ):
        assert "\x1b" not in guide.ok(*command).out


def test_links_between_sections_go_by_what_they_mean(guide: CommandLine) -> None:
    out = guide.ok("graph:neighbors", "src/auth.py", "--depth", "2").out
    assert "─references─" in out or "←references─" in out
    assert "─depends_on→" in out
    shape = guide.json("graph:neighbors", "src/auth.py")["neighbors"][0]
    assert (shape["ref"], shape["kind"], shape["edges"][0]["type"]) == (TOKENS, "section", "LINKS_TO")


def test_a_path_through_a_section_is_a_sentence(guide: CommandLine) -> None:
    out = guide.ok("graph:path", "src/auth.py", "docs/keys.md").out
    assert " ".join(out.split()).startswith(
        f"src/auth.py is referenced by {TOKENS} (0.90), which depends on docs/keys.md."
    )


def test_documents_are_counted(guide: CommandLine) -> None:
    stats = guide.json("graph:stats")
    assert (stats["documents"], stats["sections"], stats["analyses"]["documents"] is not None) == (3, 4, True)
    assert "3 (4 sections, 2 chunks)\n" in guide.ok("graph:stats").out
    status = guide.json("status")["documents"]
    assert status | {"unread": []} == {
        "documents": 3,
        "sections": 4,
        "chunks": 2,
        "lacking": 2,
        "changed": 0,
        "new": 0,
        "gone": 0,
        "unread": [],
        "broken_links": 0,
    }
    assert "2 chunks of documents" in guide.ok("status").out


def test_who_looks_at_a_section_of_a_changed_document_hears_of_it(guide: CommandLine, home: Path) -> None:
    (home / "docs/auth.md").write_text("# Authentication\n\n## Tokens\n\nOther words.\n", encoding="utf-8")
    assert "docs/auth.md has changed since it was read; run 'tx doc:ingest'." in guide.ok("graph:show", TOKENS).err
    assert "1 document changed" in guide.ok("status").err
    assert "1 document changed" in guide("doctor").out


def test_an_anchor_to_a_section_says_what_to_do_instead(guide: CommandLine) -> None:
    guide.add("Tokens expire")
    refused = guide("graph:link", "1", TOKENS)
    assert (refused.status, "names a section" in refused.err, "tx doc:show docs/auth.md" in refused.err) == (
        2,
        True,
        True,
    )
