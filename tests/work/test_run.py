"""What a run may keep of itself."""

from __future__ import annotations

import pytest

from tx_graph.core.errors import UsageError
from tx_graph.work.values import TRANSCRIPT_LIMIT, Outcome, Run, clean_transcript


def test_a_run_goes_on_until_it_has_an_outcome() -> None:
    assert not Run(id=9, node=1, started_at="").is_finished
    assert Run(id=9, node=1, started_at="", outcome=Outcome.CANCELLED).is_finished
    assert Run(id=9, node=1, started_at="").ref == "run:9"


def test_a_transcript_keeps_what_a_terminal_wrote() -> None:
    assert clean_transcript("\x1b[31mred\x1b[0m\r\nnext ") == "\x1b[31mred\x1b[0m\nnext "
    assert clean_transcript("") == ""


def test_a_transcript_may_be_as_long_as_the_limit_and_no_longer() -> None:
    assert len(clean_transcript("x" * TRANSCRIPT_LIMIT)) == TRANSCRIPT_LIMIT
    with pytest.raises(UsageError, match="at most 10,000,000"):
        clean_transcript("x" * (TRANSCRIPT_LIMIT + 1))


@pytest.mark.parametrize("text", ["nul\0", "\ud800"])
def test_a_transcript_is_text(text: str) -> None:
    with pytest.raises(UsageError, match="transcript"):
        clean_transcript(text)
