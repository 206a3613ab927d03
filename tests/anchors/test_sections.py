"""Learnings that are tied to a section of a document: judged, followed and found as those tied to code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.anchors.bank import Bank
from tx_graph.anchors.linking import Linking
from tx_graph.anchors.sources import SourceText
from tx_graph.context.graph import Neighborhood
from tx_graph.core.database import Database
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.documents.ingesting import Ingesting
from tx_graph.learnings.transfer import Transfer
from tx_graph.records.anchor import AnchorRequest, AnchorType, parse_anchor

SETUP = "docs/guide.md#setup"
WINDOWS = "### On Windows\n\nUse the other installer there, since this one needs a shell that nobody has.\n\n"
INSTALL = (
    "Run the installer first, then the wizard that asks for the address of the server\n"
    "and for the name of whoever may administrate it.\n\n"
)
FIRST_USE = "Ask the people who wrote it, for nobody else knows how any of this was ever meant to be used.\n\n"
SECOND_USE = "A second text under the same heading, with words of its own to be told from all the others by.\n"
GUIDE = f"# Guide\n\nHello.\n\n## Setup\n\n{INSTALL}{WINDOWS}## Usage\n\n{FIRST_USE}## Usage\n\n{SECOND_USE}"
LIMITS = "Nobody may ask more than twice a minute, whatever they were told by whom, since the vault has one door.\n"
NOTES = f"Notes\n=====\n\nHello.\n\nLimits\n------\n\n{LIMITS}"


@pytest.fixture(scope="session")
def first_library(tmp_path_factory: pytest.TempPathFactory) -> Bank:
    with pytest.MonkeyPatch.context() as monkeypatch:
        library = Bank(tmp_path_factory.mktemp("library"), monkeypatch)
        library.write("docs/guide.md", GUIDE)
        library.write("docs/notes.rst", NOTES)
        library.write("docs/c#.py", "def f():\n    return 1\n")
        library.git.commit()
        library.add("The wizard asks twice", SETUP)
    return library


@pytest.fixture
def library(first_library: Bank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bank:
    """A bank with documents, and a learning that is tied to how to set it up."""
    return first_library.copied(tmp_path, monkeypatch)


def read(library: Bank) -> None:
    library.git.commit()
    library.index()
    with library.open() as workspace:
        workspace.kernel.one(Ingesting).run()


def told(library: Bank) -> tuple[str, str | None, str]:
    """Verify, and return what is said of the only anchor: verdict, where it is now, and why."""
    [checked] = library.verify().checked
    there = checked.judgement.relocated_to
    verdict = checked.judgement.verdict.value
    drift = f":{checked.judgement.drift.value}" if checked.judgement.drift and not there else ""
    return f"{verdict}{drift}", there.spec if there else None, checked.judgement.detail


@pytest.mark.parametrize(
    ("spec", "path", "symbol"),
    [
        (SETUP, "docs/guide.md", "#setup"),
        ("docs/notes.rst#limits", "docs/notes.rst", "#limits"),
        ("docs/GUIDE.MD#größe-2", "docs/GUIDE.MD", "#größe-2"),
        ("docs/c#.md#setup", "docs/c#.md", "#setup"),
        ("docs/c#.py", "docs/c#.py", None),
        ("docs/a.md#b.py", "docs/a.md#b.py", None),
        ("docs/a.md#b/c.py", "docs/a.md#b/c.py", None),
        ("docs/notes.txt#setup", "docs/notes.txt#setup", None),
        ("docs/guide.md#", "docs/guide.md#", None),
        ("src/c#/a.py::f", "src/c#/a.py", "f"),
    ],
)
def test_a_part_of_a_document_is_told_from_a_path_with_the_sign_in_it(spec: str, path: str, symbol: str | None) -> None:
    request = parse_anchor(spec)
    assert (request.path, request.symbol, request.spec) == (path, symbol, spec)


def test_a_section_and_lines_are_two_anchors() -> None:
    with pytest.raises(UsageError, match="names both a symbol and lines"):
        parse_anchor(f"{SETUP}:L1-L2")


def test_a_file_that_is_called_like_a_section_is_a_file(library: Bank) -> None:
    library.write(SETUP, "not a document\n")
    library.git.git("add", "--all")
    assert library.link(SETUP).anchor.type is AnchorType.HASH
    assert library.link("docs/c#.py::f").anchor.symbol == "f"


def test_a_section_holds_what_stands_below_it_and_not_its_own_heading() -> None:
    source = SourceText("docs/guide.md", GUIDE)
    assert [(one.name, one.lines) for one in source.symbols] == [
        ("#guide", (1, len(source.lines))),
        ("#setup", (5, 12)),
        ("#on-windows", (10, 12)),
        ("#usage", (14, 16)),
        ("#usage-1", (18, 20)),
    ]
    setup = source.symbol("#setup")
    other = SourceText("docs/guide.md", GUIDE.replace("## Setup", "Installing\n----------"))
    renamed = other.symbol("#installing")
    assert setup
    assert renamed
    assert source.of_symbol(setup).tokens == other.of_symbol(renamed).tokens


@pytest.mark.parametrize("place", [SETUP, AnchorRequest(path="docs/guide.md", symbol="setup")])
def test_a_section_is_anchored_like_a_symbol(library: Bank, place: str | AnchorRequest) -> None:
    tied = library.link(place)
    assert (tied.anchor.type, tied.anchor.spec, tied.anchor.is_section) == (AnchorType.SYMBOL, SETUP, True)
    assert tied.anchor.reference is not None
    assert (tied.anchor.reference.kind, tied.anchor.reference.path) == ("section", "docs/guide.md")
    assert library.specs() == [SETUP]
    with library.open() as workspace:
        assert workspace.learnings.show("1").stored.learning.anchors == (tied.anchor,)


def test_a_section_that_is_not_there_is_refused_with_those_that_may_be_meant(library: Bank) -> None:
    with pytest.raises(NotFound, match=r"There is no section '#setpu' in docs/guide\.md") as refused:
        library.link("docs/guide.md#setpu")
    assert list(refused.value.candidates) == [SETUP]
    with pytest.raises(NotFound, match=r"There is no file 'docs/guid\.md'") as refused:
        library.link("docs/guid.md#setup")
    assert "docs/guide.md" in refused.value.candidates


def test_a_word_chooses_the_section_that_is_called_so(library: Bank) -> None:
    with library.open() as workspace:
        chosen = workspace.kernel.one(Linking).suggest_anchor("docs/guide.md", "setup")
    assert chosen.request.spec == SETUP


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("server\nand", "server and", "drifted:format"),
        ("Run the installer first, then", "Run the installer first,\nthen", "drifted:format"),
        ("## Setup", "## SETUP", "drifted:format"),
        ("Hello.", "Good morning.", "valid"),
        (FIRST_USE, "", "valid"),
        ("first, then", "first, but never", "drifted:body"),
        ("a shell that nobody has", "what nobody has", "drifted:body"),
        ("### On Windows\n\n", "", "drifted:body"),
    ],
)
def test_the_text_is_judged_and_not_how_it_is_laid_out(library: Bank, old: str, new: str, said: str) -> None:
    library.edit(old, new, path="docs/guide.md")
    verdict, there, detail = told(library)
    assert (verdict, there) == (said, None)
    assert not detail or detail in ("the text changed", "only the formatting changed")


def test_a_renamed_heading_is_followed(library: Bank) -> None:
    library.edit("## Setup", "## Installing it", path="docs/guide.md")
    assert told(library) == (
        "relocated",
        "docs/guide.md#installing-it",
        "it is docs/guide.md#installing-it now, renamed, with the same text",
    )
    library.git.commit()
    assert told(library)[0] == "relocated"
    library.verify(fix=True)
    assert (library.specs(), library.verdicts()) == (["docs/guide.md#installing-it"], ["valid"])


@pytest.mark.parametrize("path", ["docs/guide.md", "docs/other.md"])
def test_a_section_that_moved_is_followed_in_its_document_and_to_another(library: Bank, path: str) -> None:
    library.edit(f"## Setup\n\n{INSTALL}{WINDOWS}", "", path="docs/guide.md")
    before = "" if path == "docs/other.md" else (library.root / path).read_text(encoding="utf-8")
    library.write(path, f"{before}\n# Other\n\n## Setup\n\n{INSTALL}{WINDOWS}")
    library.git.commit()
    stays = path == "docs/guide.md"
    assert told(library)[:2] == ("valid" if stays else "relocated", None if stays else f"{path}#setup")


def test_a_document_that_was_renamed_takes_its_sections_along(library: Bank) -> None:
    library.git.git("mv", "docs/guide.md", "docs/manual.md")
    library.git.commit()
    assert told(library)[:2] == ("relocated", "docs/manual.md#setup")


def test_one_of_two_with_the_same_name_is_known_by_its_text(library: Bank) -> None:
    library.unlink(SETUP)
    library.link("docs/guide.md#usage-1")
    library.edit("## Usage\n\nAsk", "## Usage\n\nOf late.\n\n## Usage\n\nAsk", path="docs/guide.md")
    assert told(library)[:2] == ("relocated", "docs/guide.md#usage-2")
    library.write("docs/guide.md", GUIDE.replace(f"## Usage\n\n{FIRST_USE}", ""))
    assert told(library)[:2] == ("relocated", "docs/guide.md#usage")


def test_a_section_that_was_removed_is_gone_and_the_commit_is_named(library: Bank) -> None:
    library.edit(f"## Setup\n\n{INSTALL}{WINDOWS}", "", path="docs/guide.md")
    commit = library.git.commit()
    [checked] = library.verify().checked
    assert (checked.judgement.word, checked.judgement.detail) == ("gone", "'#setup' is gone")
    assert (checked.change and checked.change.commit) == commit
    assert "-Run the installer first, then the wizard that asks for the address of the server" in checked.difference


def test_restructuredtext_is_judged_alike(library: Bank) -> None:
    library.unlink(SETUP)
    library.link("docs/notes.rst#limits")
    library.edit("they were told", "they\nwere told", path="docs/notes.rst")
    assert told(library)[0] == "drifted:format"
    library.edit("Limits\n------", "Bounds\n======", path="docs/notes.rst")
    assert told(library)[:2] == ("relocated", "docs/notes.rst#bounds")


def test_what_is_tied_to_a_section_is_found_by_its_name(library: Bank) -> None:
    library.link("docs/notes.rst", ref="1")
    assert [one.judgement.anchor.spec for one in library.verify(SETUP).checked] == [SETUP]
    assert [one.judgement.anchor.spec for one in library.verify("docs/guide.md").checked] == [SETUP]
    assert library.verify("docs/guide.md#usage").checked == ()
    library.edit("first, then", "first, but never", path="docs/guide.md")
    library.verify()
    with library.open() as workspace:
        assert [event.event.kind.value for event in workspace.anchors.history(SETUP)] == ["drifted"]
        assert [one.spec for one in workspace.anchors.find_anchors_for_file("docs/guide.md")] == [SETUP]
    library.confirm(SETUP)
    assert library.verdicts() == ["valid", "valid"]
    assert [anchor.spec for anchor in library.unlink(SETUP)] == [SETUP]


def neighbors(library: Bank, ref: str) -> Neighborhood:
    with library.open() as workspace:
        return workspace.graph.neighbors(ref, depth=1)


@pytest.mark.parametrize("reads_first", [True, False])
def test_the_graph_ties_a_learning_to_its_section(library: Bank, *, reads_first: bool) -> None:
    library.unlink(SETUP)
    if reads_first:
        read(library)
    library.link(SETUP)
    read(library)
    assert "learning:1" in {one.ref for one in neighbors(library, SETUP).neighbors}
    library.edit("## Setup", "## Installing it", path="docs/guide.md")
    library.verify(fix=True)
    read(library)
    assert "learning:1" in {one.ref for one in neighbors(library, "docs/guide.md#installing-it").neighbors}
    (library.root / "docs/guide.md").unlink()
    read(library)
    with Database.open(library.root / ".tx" / "graph.db") as database:
        assert database.rows("SELECT symbol_node FROM file_anchors") == [(None,)]
    library.write("docs/guide.md", GUIDE.replace("## Setup", "## Installing it"))
    read(library)
    assert "learning:1" in {one.ref for one in neighbors(library, "docs/guide.md#installing-it").neighbors}


def test_what_a_search_says_follows_a_section_into_a_document_that_was_read(library: Bank) -> None:
    library.edit(f"## Setup\n\n{INSTALL}{WINDOWS}", "", path="docs/guide.md")
    library.write("docs/other.md", f"# Other\n\n## Setup\n\n{INSTALL}{WINDOWS}")
    library.git.commit()
    read(library)
    [result] = library.search("wizard").results
    assert result.standing.value == "relocated"


def test_a_section_comes_with_an_import_as_it_went_out(
    library: Bank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with library.open() as workspace:
        lines = workspace.kernel.one(Transfer).export_lines()
        before = workspace.learnings.show("1").stored.learning
    [anchor] = json.loads(lines[0])["anchors"]
    assert (anchor["path"], anchor["type"], anchor["symbol"]) == ("docs/guide.md", "symbol", "#setup")
    (tmp_path / "other").mkdir()
    other = Bank(tmp_path / "other", monkeypatch)
    other.write("docs/guide.md", GUIDE.replace("first, then", "first, but never"))
    other.git.commit()
    with other.open() as workspace:
        workspace.kernel.one(Transfer).import_(lines)
        assert workspace.learnings.show("1").stored.learning.anchors == before.anchors
    assert told(other)[0] == "drifted:body"
