"""However many processes read documents, the same comes out, in the same order."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.documents.support import LONG
from tx_graph.core.processes import CannotStart, Crew
from tx_graph.documents.chunking import ChunkOptions, Strategy
from tx_graph.documents.drafting import WORTHWHILE, DocumentDraft, Drafting, DraftingCrew, Text

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
