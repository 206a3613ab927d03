"""Long conversations as learnings and as documents: what evidence is, and a whole run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.locomo import conversations, documents, main
from tests.git_sandbox import use_settings

SAID = {
    "D1:1": "I went to the pottery class yesterday",
    "D1:2": "How was it?",
    "D2:1": "My sister bought a telescope",
    "D2:2": "How was it?",
}
ASKED = [
    {"question": "Who bought a telescope?", "evidence": ["D2:1"], "category": 4},
    {"question": "When was the pottery class?", "evidence": ["D1:1; D9:9", "D"], "category": 2},
    {"question": "What is not known?", "evidence": [], "category": 5},
]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    use_settings(monkeypatch)
    spoken = {
        key: value
        for session in (1, 2)
        for key, value in (
            (f"session_{session}_date_time", f"noon on {session} May"),
            (
                f"session_{session}",
                [
                    {"dia_id": ref, "speaker": "Ada", "text": text, "blip_caption": ""}
                    for ref, text in SAID.items()
                    if ref.startswith(f"D{session}")
                ],
            ),
        )
    }
    place = tmp_path / "26.json"
    place.write_text(json.dumps(spoken | {"qa": ASKED}), encoding="utf-8")
    return place


def test_evidence_is_every_turn_that_is_named_and_there(file: Path) -> None:
    (talk,) = conversations(file)
    assert [question.evidence for question in talk.questions] == [{"D2:1"}, {"D1:1"}]
    assert [turn.content for turn in talk.turns][:2] == [
        "noon on 1 May Ada: I went to the pottery class yesterday",
        "noon on 1 May Ada: How was it?",
    ]
    assert documents(talk)["session_2.md"].startswith("# Session 2, noon on 2 May\n\n## D2:1\n\nAda: My sister")


def test_conversations_may_come_in_one_list(file: Path) -> None:
    flat = json.loads(file.read_text(encoding="utf-8"))
    asked = flat.pop("qa")
    file.write_text(json.dumps([{"sample_id": "conv-26", "conversation": flat, "qa": asked}]), encoding="utf-8")
    (talk,) = conversations(file)
    assert (talk.name, len(talk.turns), len(talk.questions)) == ("conv-26", 4, 2)


def test_a_run_finds_evidence_among_learnings_and_in_documents(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [str(file), "--keep", str(tmp_path / "kept"), "--words-only"]
    for _ in range(2):  # the second time with what the first one kept
        assert main([*arguments, "--json"]) == 0
        told = json.loads(capsys.readouterr().out)["summary"]
    for searched in ("learnings", "documents"):
        assert told[f"{searched}, words"]["questions"] == 2
        assert told[f"{searched}, words"]["recall"] == {"5": 1.0, "10": 1.0, "50": 1.0}
    assert main(arguments) == 0
    assert "learnings, words" in capsys.readouterr().out
