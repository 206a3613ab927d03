"""What linking means for the life of an anchor: refusals are logged, and to link again is to confirm."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.anchors.life.bank import SOURCE, Bank
from tx_graph.anchors.linking import Linking
from tx_graph.anchors.verdict import Verdict
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.records.anchor import Anchor, AnchorRequest, AnchorType, Reason, parse_anchor


def link(bank: Bank, request: str | AnchorRequest, *, ref: str = "1", dry_run: bool = False) -> Anchor:
    with bank.open() as workspace:
        asked = parse_anchor(request) if isinstance(request, str) else request
        return workspace.kernel.one(Linking).link(ref, asked, dry_run=dry_run).anchor


@pytest.mark.parametrize(
    "spec", ["../outside.py", "../outside.py::f", "../outside.py:L1-L2", "/etc/passwd", "src/../../x.py", "../*.py"]
)
def test_a_path_that_leads_outside_is_refused_and_logged(bank: Bank, spec: str) -> None:
    before = bank.records()
    with pytest.raises(UsageError, match="outside the repository"):
        link(bank, spec)
    [event] = bank.told()
    assert (event.kind, event.reason, event.new_place) == ("refused", Reason.OUTSIDE_REPOSITORY, spec)
    assert (event.detected_by, event.old_status, event.new_status) == ("graph:link by Ada", "none", "none")
    assert (bank.records(), bank.specs()) == (before, ["bank.py::interest"])


def test_a_link_of_the_file_system_that_leads_outside_is_refused_and_logged(bank: Bank, tmp_path: Path) -> None:
    (tmp_path / "outside.py").touch()
    (bank.root / "inside.py").symlink_to(tmp_path / "outside.py")
    with pytest.raises(UsageError, match="outside the repository"):
        link(bank, "inside.py")
    assert [event.new_place for event in bank.told()] == ["inside.py"]


def test_a_refusal_for_an_unknown_learning_is_a_refusal_all_the_same(bank: Bank) -> None:
    with pytest.raises(UsageError, match="outside the repository"):
        link(bank, "../outside.py", ref="99")
    assert bank.kinds() == []


def test_a_refusal_leaves_what_is_known_of_other_anchors(bank: Bank) -> None:
    bank.edit("range(12)", "range(13)")
    breaking = bank.git.commit()
    bank.verify()
    with pytest.raises(UsageError):
        link(bank, "../outside.py")
    assert (bank.state().status, bank.blamed()) == ("drifted", [breaking])


@pytest.mark.parametrize("spec", ["bank.py:L0-L3", "bank.py:L5-L4", "bank.py:0"])
def test_lines_that_are_none_are_refused(bank: Bank, spec: str) -> None:
    with pytest.raises(UsageError):
        link(bank, spec)


@pytest.mark.parametrize("lines", [(0, 3), (5, 4), (-1, 1)])
@pytest.mark.parametrize("kind", [AnchorType.LINES, AnchorType.HASH, None])
def test_lines_are_checked_however_they_are_given(bank: Bank, lines: tuple[int, int], kind: AnchorType | None) -> None:
    with pytest.raises(UsageError):
        link(bank, AnchorRequest(path="bank.py", lines=lines, type=kind))


def test_lines_keep_their_text_and_a_hash_over_lines_does_not(bank: Bank) -> None:
    by_lines = link(bank, AnchorRequest(path="bank.py", lines=(2, 3)))
    by_hash = link(bank, AnchorRequest(path="bank.py", lines=(2, 3), type=AnchorType.HASH))
    assert (by_lines.type, by_lines.text) == (AnchorType.LINES, "\n".join(SOURCE.split("\n")[1:3]))
    assert (by_hash.type, by_hash.text) == (AnchorType.HASH, None)
    assert by_lines.fingerprints == by_hash.fingerprints
    assert [row.anchor for row in bank.rows() if row.anchor.lines] == [by_hash, by_lines]
    bank.write("bank.py", f"import os\n{SOURCE}")
    verdicts = {checked.judgement.anchor.type: checked.judgement.verdict for checked in bank.verify().checked}
    assert verdicts[AnchorType.LINES] is verdicts[AnchorType.HASH] is Verdict.RELOCATED


def test_linking_again_is_logged_as_a_confirmation(bank: Bank) -> None:
    link(bank, "bank.py::interest")
    assert bank.kinds() == []
    bank.edit("range(12)", "range(13)")
    breaking = bank.git.commit()
    bank.verify()
    assert bank.blamed() == [breaking]
    link(bank, "bank.py::interest")
    event = bank.told()[-1]
    assert (event.kind, event.old_status, event.detected_by) == ("confirmed", "drifted", "graph:link by Ada")
    assert bank.blamed() == []
    bank.verify()
    assert (bank.state().status, bank.kinds()) == ("valid", ["drifted", "confirmed"])


def test_linking_again_what_was_invalidated_makes_it_valid(bank: Bank) -> None:
    before = bank.records()
    bank.invalidate(commit="HEAD")
    link(bank, "bank.py::interest")
    assert (bank.records(), bank.blamed(), bank.kinds()) == (before, [], ["invalidated", "confirmed"])


def test_a_dry_run_writes_nothing(bank: Bank) -> None:
    before = bank.records()
    assert link(bank, "bank.py::Account", dry_run=True).spec == "bank.py::Account"
    bank.edit("range(12)", "range(13)")
    link(bank, "bank.py::interest", dry_run=True)
    assert (bank.records(), bank.kinds(), bank.specs()) == (before, [], ["bank.py::interest"])
    with pytest.raises(NotFound):
        link(bank, "bank.py::Account", ref="99", dry_run=True)


def test_unlinking_takes_the_blame_with_it(bank: Bank) -> None:
    bank.edit("range(12)", "range(13)")
    breaking = bank.git.commit()
    bank.verify()
    assert bank.blamed() == [breaking]
    with bank.open() as workspace:
        workspace.kernel.one(Linking).unlink("1", "bank.py::interest")
    assert bank.blamed() == []


def test_a_workspace_that_lives_long_links_what_is_there_now(bank: Bank) -> None:
    with bank.open() as workspace:
        assert workspace.kernel.one(Linking).link("1", parse_anchor("bank.py::interest")).existed
        bank.edit("range(12)", "range(13)")
        assert not workspace.kernel.one(Linking).link("1", parse_anchor("bank.py::interest")).existed
    assert [checked.judgement.verdict for checked in bank.verify().checked] == [Verdict.VALID]
