"""Sections as they are drafted: what they say, which they were, who drafts them, and how notes on them are named."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.documents.support import LONG
from tx_graph.core.processes import CannotStart, Crew
from tx_graph.documents.chunking import ChunkOptions, Strategy
from tx_graph.documents.document import NoteName, note_named, numbers
from tx_graph.documents.drafting import WORTHWHILE, DocumentDraft, Drafting, DraftingCrew, Known, Text, body_of, matched
from tx_graph.documents.reading import read_document


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# Title\n\nSomething.\n", "Something."),
        ("Title\n=====\nSomething.\n", "Something."),
        ("# Title\n", ""),
        ("# Title\n\n(label)=\n\n---\n", ""),
        ('# Title\n\n<a id="x"></a>\n', ""),
        ("# Title\n\n(a remark)\n", "(a remark)"),
        ("# Title\n\n    indented code\n", "    indented code"),
    ],
)
def test_a_heading_and_what_says_nothing_are_no_part_of_it(text: str, said: str) -> None:
    assert body_of(read_document("a.md", text).sections[1]).text == said


def test_labels_alone_make_no_text_of_a_document() -> None:
    assert body_of(read_document("a.md", "(top)=\n# Title\n").sections[0]).text == ""
    assert body_of(read_document("a.rst", ".. _top:\n\nTitle\n=====\n").sections[0]).text == ""


def test_blocks_and_lines_are_those_of_the_text_below() -> None:
    body = body_of(read_document("a.md", "---\na: b\n---\n# Title\n\n\nSomething.\n\n```\ncode\n```\n").sections[1])
    assert body.line_start == 7
    assert [body.text[block.start : block.end] for block in body.blocks] == ["Something.", "```\ncode\n```"]


def test_a_text_of_rules_and_blanks_is_read_in_no_time() -> None:
    # A way of matching that could part a rule in many ways tried them all.
    text = "# A\n\n" + "*****\n\n" * 2000 + "-" * 2000 + " end\n"
    (section,) = read_document("a.md", text).sections[1:]
    assert body_of(section).text.endswith("end")


ONE, TWO = Known(1, "a.md#one", "x"), Known(2, "a.md#two", "y")
SAME = [Known(1, "a.md#x", "same"), Known(2, "a.md#x-1", "same"), Known(3, "a.md#x-2", "same")]
LOST = Known(7, "", "x", is_loose=True)


@pytest.mark.parametrize(
    ("wanted", "known", "nodes"),
    [
        pytest.param([("a.md#one", "x"), ("a.md#two", "y")], [ONE, TWO], [1, 2], id="unchanged"),
        pytest.param([("a.md#one", "new")], [ONE], [1], id="an edited one is known by its name"),
        pytest.param([("a.md#setup-1", "x")], [ONE], [1], id="a renamed one is known by its text"),
        pytest.param([("a.md#one", "y"), ("a.md#two", "x")], [ONE, TWO], [2, 1], id="names that are swapped"),
        pytest.param([("a.md#one", "x"), ("a.md#two", "x")], [ONE], [1, None], id="none becomes two"),
        pytest.param([("a.md#y", "same"), ("a.md#y-1", "same")], SAME, [1, 2], id="equal texts keep their order"),
        pytest.param([("b.md#one", "x")], [LOST], [7], id="what a lost document said lives on elsewhere"),
        pytest.param([("b.md#new", "x")], [LOST, Known(8, "b.md#old", "x")], [8], id="its own before lost ones"),
    ],
)
def test_a_section_is_the_one_it_was(wanted: list[tuple[str, str]], known: list[Known], nodes: list[int]) -> None:
    assert [one.node if one else None for one in matched(wanted, known)] == nodes


TEXTS = [
    Text(f"docs/{n}.md", f"# Document {n}\n\nSee [next]({n + 1}.md), `src/auth.py`.\n\n{LONG * 3}") for n in range(80)
]


def drafted(options: ChunkOptions, *, processes: int) -> list[DocumentDraft]:
    return list(DraftingCrew(options, Drafting(options), processes=processes).drafts(TEXTS))


@pytest.mark.parametrize("strategy", [Strategy.PARENT_CHILD, Strategy.MARKDOWN])
def test_other_processes_say_what_this_one_says(strategy: Strategy) -> None:
    options = ChunkOptions(strategy=strategy)
    assert sum(len(one.text) for one in TEXTS) > WORTHWHILE
    assert drafted(options, processes=3) == drafted(options, processes=1)


def test_where_no_process_can_be_started_this_one_does_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Crew, batch: list[object]) -> list[object]:
        raise CannotStart

    options = ChunkOptions()
    alone = drafted(options, processes=1)
    monkeypatch.setattr(Crew, "ask", refuse)
    assert drafted(options, processes=2) == alone


def test_texts_are_asked_for_only_as_they_are_read() -> None:
    taken: list[Text] = []

    def endless() -> Iterator[Text]:
        while True:
            taken.append(TEXTS[len(taken) % len(TEXTS)])
            yield taken[-1]

    options = ChunkOptions()
    drafts = DraftingCrew(options, Drafting(options), processes=2).drafts(endless())
    next(drafts)
    assert len(taken) < 3 * len(TEXTS)


@pytest.mark.parametrize(
    ("ref", "name"),
    [
        ("docs/a.md#decision^depends_on", NoteName("docs/a.md#decision", "depends_on")),
        ("docs/a.md#decision^depends_on-2", NoteName("docs/a.md#decision", "depends_on", 2)),
        ("docs/a.md#^depends_on", NoteName("docs/a.md#", "depends_on")),
        ("12^elaborates", NoteName("12", "elaborates")),
        ("odd^path.md#x^löst_ab", NoteName("odd^path.md#x", "löst_ab")),
    ],
)
def test_a_reference_and_its_name_are_the_same(ref: str, name: NoteName) -> None:
    assert note_named(ref) == name
    assert name.ref == ref


@pytest.mark.parametrize("text", ["docs/a.md", "^depends_on", "docs/a.md^", "a^b/c.md", "a ^ b", "HEAD^^"])
def test_other_texts_name_none(text: str) -> None:
    assert note_named(text) is None


def test_the_first_goes_without_a_number() -> None:
    assert NoteName("12", "elaborates", 1).ref == "12^elaborates"


def test_predicates_are_numbered_each_for_itself() -> None:
    assert numbers(["a", "b", "a", "a", "b"]) == [1, 1, 2, 3, 2]
