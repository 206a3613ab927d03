"""What people say of anchors and what verification finds: what stands then, what is told, and what undoes what."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from tests.anchors.bank import INSTANT, INTEREST, SOURCE, Bank, live
from tx_graph import Workspace
from tx_graph.anchors.anchors import history
from tx_graph.anchors.linking import Linking
from tx_graph.anchors.verdict import Standing, Verdict
from tx_graph.core.errors import NotFound, RepositoryError, UsageError
from tx_graph.core.kernel import iso
from tx_graph.core.times import parse_age
from tx_graph.graph.edges import Relation
from tx_graph.records.anchor import AnchorRequest, AnchorType, Invalidation, Reason
from tx_graph.records.learning_record import LEARNING_FORMAT

HERE, RENAMED = "bank.py::interest", "bank.py::monthly_interest"
NOON = "2026-11-20T12:00:00Z"
FACTS: dict[str, Callable[[Bank], object]] = {
    "status": lambda bank: bank.state().status,
    "drift": lambda bank: bank.state().drift,
    "reason": lambda bank: bank.state().reason,
    "pinned": lambda bank: bank.anchor().pinned,
    "since": lambda bank: getattr(bank.anchor().invalidated, "at", None),
    "verdicts": Bank.verdicts,
    "specs": Bank.specs,
    "kinds": Bank.kinds,
    "blamed": lambda bank: len(bank.blamed()),
    "drifts": lambda bank: [event.drift for event in bank.told()],
    "went": lambda bank: f"{bank.told()[-1].anchor.spec} to {bank.told()[-1].new_place}",
    "turned": lambda bank: f"{bank.told()[-1].old_status} to {bank.told()[-1].new_status}",
    "by": lambda bank: bank.told()[-1].detected_by,
    "commit": lambda bank: (
        bank.told()[-1].commit and bank.git.git("log", "-1", "--format=%s", bank.told()[-1].commit or "")
    ),
    "moves": lambda bank: [step.has_moved for step in bank.confirm().steps],
    "changes": lambda bank: [step.is_change for act in (bank.invalidate, bank.pin) for step in act().steps],
    "old": lambda bank: len(bank.prune(timedelta(days=90), dry_run=True)),
    "dead": lambda bank: [pruned.reason for pruned in bank.prune(dry_run=True)],
}
"""What can be looked at afterwards: `kinds` are the events in the log, `old` counts what is dead for 90 days."""
LIVES = """
confirming needs no verification before
    edit confirm: verdicts valid
confirming acquits the commit
    edit commit verify confirm: blamed 0
and it stays acquitted
    edit commit verify confirm verify: blamed 0
confirming follows a rename
    rename confirm: specs monthly_interest, verdicts valid, went interest to monthly_interest
confirming follows a rename that is committed
    rename commit confirm: specs monthly_interest, went interest to monthly_interest
confirming follows a file that was renamed
    move-file commit confirm: specs money.py::interest, verdicts valid
and takes what was edited in it
    move-file edit-moved commit: moves True, specs money.py::interest, verdicts valid
the commit that broke an anchor is told
    edit commit verify: commit change, kinds drifted, blamed 1
also where the code is gone
    delete commit verify: commit change, kinds invalid, blamed 1
what was not said yet is a change
    verify: changes True True
and what was said already is none
    invalidate pin: changes False False
confirming what somebody invalidated makes it valid
    blame confirm: since none, blamed 0, record as at first, verdicts valid
a pinned anchor can be confirmed and stays pinned
    pin edit confirm: pinned True
and was confirmed
    pin edit confirm unpin: verdicts valid
two anchors that come to one place become one
    rename link-renamed confirm: specs monthly_interest, verdicts valid
what is invalidated is invalid
    invalidate: verdicts invalid, since 2026-11-20T12:00:00Z
and valid once it is restored
    invalidate restore: verdicts valid, record as at first
restoring returns drift as it was
    edit verify invalidate restore: status drifted, drift body, record as at first
and verification has nothing new to tell of it
    edit verify invalidate restore verify: kinds drifted invalidated restored
restoring returns mild drift, which no log has
    edit-comment verify invalidate restore: status drifted, drift comment
restoring returns what was lost as lost
    delete verify invalidate restore verify: status invalid, reason file_deleted, kinds invalid invalidated restored
a pin outlives an invalidation
    pin invalidate restore: pinned True, verdicts pinned
the same word twice is said once
    invalidate a-day invalidate: kinds invalidated, since 2026-11-20T12:00:00Z
another reason keeps the time of the first
    invalidate a-day give-other-reason: since 2026-11-20T12:00:00Z
and what was before the first
    edit verify invalidate give-other-reason restore: status drifted
a colleague's invalidation can be corrected and taken back
    invalidate clone give-other-reason restore: status valid, record as at first
a commit that somebody names is blamed
    blame: blamed 1
until the anchor is restored
    blame restore: blamed 0
a pinned anchor on a deleted file is left alone
    pin delete verify fix: verdicts pinned, status valid, kinds pinned
a pin that is taken out leaves no trace in the record
    pin unpin: record as at first
pinning twice changes nothing
    unpin pin pin: kinds pinned, by graph:pin by Ada
what verification found before a pin counts no more
    edit commit verify pin: status valid, drift none, blamed 0
an unpinned anchor is verified again
    edit commit verify pin unpin verify: status drifted, blamed 1, kinds drifted pinned unpinned drifted
also when its code went meanwhile
    pin delete verify unpin: verdicts invalid
a pin does not hide that somebody invalidated
    invalidate pin: status invalid, verdicts invalid
what was known before an invalidation does not outlive a pin
    edit verify invalidate pin restore: status valid, drift none
linking again keeps the pin
    pin edit link: pinned True
linking again the same code is no event
    link: kinds none
linking again is logged as a confirmation
    edit commit verify link verify: status valid, kinds drifted confirmed, turned drifted to valid, by graph:link by Ada
which acquits the commit
    edit commit verify link verify: blamed 0
linking again what was invalidated makes it valid
    blame link: record as at first, blamed 0, kinds invalidated confirmed
unlinking takes the blame with it
    edit commit verify unlink: blamed 0
a missing file is logged once however often it is missed
    delete verify verify commit verify: kinds invalid, reason file_deleted, turned valid to invalid, by graph:verify
a file that comes back heals its anchors and acquits the commit, once
    delete commit verify return verify verify: kinds invalid healed, blamed 0, turned invalid to valid, by graph:verify
a file that goes again is missed again
    delete verify return verify delete verify: kinds invalid healed invalid
worse drift is logged too and one commit is to blame
    edit commit verify edit-signature commit verify verify: drifts body signature, blamed 1
other formatting is no event
    format verify: kinds none
other comments are no event
    edit-comment verify: kinds none
a relocation is logged once, with both places
    rename verify verify: kinds relocated, went interest to monthly_interest, by graph:verify
mending is logged once, with the place it led to
    rename verify fix fix: kinds relocated refreshed, went interest to monthly_interest, by graph:verify --fix
what has not been invalid for long is kept
    delete verify 89-days: old 0
what has been is removed
    delete verify 89-days a-day: old 1
a dry run only names
    delete verify 89-days a-day: old 1, specs interest, kinds invalid, record as at first
what is removed is gone
    delete verify prune: specs none, old 0, kinds invalid pruned
what was invalidated by hand counts from then
    invalidate 60-days delete verify 30-days: old 1, dead invalidated
what healed in between counts anew
    delete verify 60-days return verify delete verify 60-days: old 0
from the second time
    delete verify 60-days return verify delete verify 60-days 30-days: old 1
what is lost for another reason has been invalid all the time
    delete verify 60-days drop verify 30-days: old 1, dead symbol_missing
what holds again is kept although nobody verified
    delete verify 60-days 30-days return: old 0
what has moved is kept
    delete verify 60-days 30-days return rename: old 0
drift is never pruned
    edit verify: dead none
nor what nobody verified
    delete: dead none
nor what is pinned
    pin delete verify 60-days 30-days: old 0
nor what was invalidated and then pinned
    invalidate pin 60-days 30-days: old 0
restoring what was invalidated and pruned is as if neither had been
    edit verify blame prune restore: record as at first, status drifted, blamed 0
pruned blame is taken back
    delete commit verify prune: blamed 0
and returns with the anchor
    delete commit verify prune restore: blamed 1
anchors of learnings that no answer shows are pruned too
    delete verify remove: dead file_deleted
where nobody knows since when, it is since the last look
    delete clone verify 89-days: old 0
and from then on
    delete clone verify 89-days a-day: old 1
"""
"""A rule, and below it what is done and what stands then; `record` is as at first where it has the same bytes.

Places are in `bank.py`."""


def seen(bank: Bank, fact: str) -> str:
    """Return a fact as the table has it."""
    found = FACTS[fact](bank)
    several = found if isinstance(found, list) else [found]
    return " ".join("none" if one is None else str(one) for one in several).replace("bank.py::", "") or "none"


LINES = [line.strip() for line in LIVES.strip().split("\n")]


@pytest.mark.parametrize("life", LINES[1::2], ids=LINES[::2])
def test_what_stands_after_a_life(bank: Bank, life: str) -> None:
    first = bank.records()
    acts, _, facts = life.partition(": ")
    live(bank, acts)
    for name, _, expected in (fact.partition(" ") for fact in facts.split(", ")):
        assert (bank.records() == first) if name == "record" else (seen(bank, name) == expected), name


@pytest.mark.parametrize(
    ("acts", "act", "match", "candidates"),
    [
        pytest.param("", Bank.restore, "nothing to restore", (), id="nothing was said"),
        pytest.param("blame confirm", Bank.restore, "nothing to restore", (), id="it was confirmed"),
        pytest.param("delete verify prune return edit link", Bank.restore, "nothing to restore", (), id="linked again"),
        pytest.param(
            "invalidate",
            lambda bank: bank.restore("bank.py::Account"),
            "was invalidated, pruned or unlinked",
            (HERE,),
            id="only something else was said",
        ),
        pytest.param(
            "", lambda bank: bank.invalidate("bank.py::Account"), "not anchored", (HERE,), id="not anchored there"
        ),
        pytest.param("", lambda bank: bank.pin("nowhere.py"), "not anchored", (HERE,), id="not pinned there"),
        pytest.param("", lambda bank: bank.invalidate(commit="no-such-branch"), "no-such", (), id="unknown branch"),
        pytest.param("", lambda bank: bank.invalidate(commit="0" * 40), "0000", (), id="unknown commit"),
        pytest.param("drop", Bank.confirm, "cannot be confirmed", (), id="the code is nowhere"),
        pytest.param("copy-drop", Bank.confirm, "cannot", ("a.py::interest", "b.py::interest"), id="in two places"),
        pytest.param("rename-py", lambda bank: bank.confirm("*.py"), "it matches no file", (), id="glob"),
    ],
)
def test_what_is_not_there_is_not_found_and_nothing_changes(
    bank: Bank, acts: str, act: Callable[[Bank], object], match: str, candidates: tuple[str, ...]
) -> None:
    live(bank, acts)
    before, told = bank.records(), bank.kinds()
    with pytest.raises(NotFound, match=match) as error:
        act(bank)
    assert (error.value.candidates, bank.records(), bank.kinds()) == (candidates, before, told)


def test_confirming_takes_new_fingerprints_of_edited_code_and_is_told_with_both(bank: Bank) -> None:
    old = bank.content()
    live(bank, "edit verify confirm")
    new = hashlib.sha256(INTEREST.replace("12)", "13)", 1).removesuffix("\n").encode()).hexdigest()
    assert (bank.content(), bank.verdicts(), bank.kinds()) == (new, ["valid"], ["drifted", "confirmed"])
    event = bank.told()[-1]
    assert (event.old_status, event.new_status, event.detected_by) == ("drifted", "valid", "graph:confirm by Ada")
    assert event.anchor.fingerprints is not None
    assert (event.anchor.fingerprints.content, event.new_hash) == (old, new)


@pytest.mark.parametrize("kind", [AnchorType.LINES, AnchorType.HASH])
def test_confirming_follows_lines_that_moved(bank: Bank, kind: AnchorType) -> None:
    bank.link(AnchorRequest(path="bank.py", lines=(8, 11), type=kind))
    bank.unlink(HERE)
    bank.write("bank.py", f"import os\n\n{SOURCE}")
    bank.confirm()
    assert (bank.specs(), bank.verdicts()) == (["bank.py:L10-L13"], ["valid"])
    live(bank, "edit confirm")
    text = bank.anchor().text
    assert (text is not None and "range(13)" in text) == (kind is AnchorType.LINES)
    assert bank.verdicts() == ["valid"]


def test_what_is_nowhere_cannot_be_confirmed_but_others_can_by_name(bank: Bank) -> None:
    bank.link("bank.py::Account")
    bank.write("bank.py", SOURCE.removesuffix(INTEREST).replace("18", "21"))
    with pytest.raises(NotFound, match="cannot be confirmed") as error:
        bank.confirm()
    assert "graph:unlink" in error.value.hint
    bank.confirm("bank.py::Account")
    assert (bank.verdicts(), bank.specs()) == (["valid", "invalid"], ["bank.py::Account", HERE])


def test_an_anchor_without_fingerprints_gets_some(bank: Bank) -> None:
    [path] = (bank.root / ".tx" / "learnings").iterdir()
    learning = LEARNING_FORMAT.parse(path.read_bytes())
    bare = replace(learning, anchors=tuple(replace(one, fingerprints=None) for one in learning.anchors))
    path.write_text(LEARNING_FORMAT.render(bare), encoding="utf-8")
    bank.verify()
    assert bank.anchor().fingerprints is None
    bank.confirm()
    assert bank.anchor().fingerprints is not None


def test_a_workspace_that_lives_long_confirms_links_and_prunes_what_is_there_now(bank: Bank) -> None:
    with bank.open() as workspace:
        linking = workspace.kernel.one(Linking)
        workspace.learnings.show("1")
        workspace.anchors.confirm("1")
        assert linking.link("1", HERE).existed
        live(bank, "edit")
        workspace.anchors.confirm("1")
        assert linking.link("1", HERE).existed
        live(bank, "edit-comment")
        assert not linking.link("1", HERE).existed
    assert bank.verdicts() == ["valid"]
    live(bank, "delete verify")
    with bank.open() as workspace:
        assert len(workspace.anchors.prune(INSTANT, dry_run=True)) == 1
        live(bank, "return")
        assert workspace.anchors.prune(INSTANT) == ()


def test_an_invalidation_stands_in_the_record_and_in_every_answer_without_the_name_of_the_user(bank: Bank) -> None:
    bank.invalidate(reason="interest is daily now")
    assert bank.anchor().invalidated == Invalidation(reason="interest is daily now", at=iso(bank.clock.now()))
    [record] = bank.records().values()
    assert (b"interest is daily now" in record, b"Ada" in record) == (True, False)
    [checked] = bank.verify().checked
    assert (checked.judgement.verdict, checked.judgement.reason) == (Verdict.INVALID, Reason.INVALIDATED)
    with bank.open() as workspace:
        assert workspace.learnings.show("1").standing is Standing.GONE


def test_it_is_logged_who_invalidated_and_restored_and_why(bank: Bank) -> None:
    live(bank, "invalidate verify restore")
    invalidated, restored = bank.told()
    assert (invalidated.kind, invalidated.old_status, invalidated.new_status) == ("invalidated", "valid", "invalid")
    assert (invalidated.reason, invalidated.detail) == (Reason.INVALIDATED, "it is wrong")
    assert invalidated.detected_by == "graph:invalidate by Ada"
    assert (restored.kind, restored.old_status, restored.new_status) == ("restored", "invalid", "valid")
    assert restored.detected_by == "graph:restore by Ada"


def test_a_place_narrows_to_one_anchor(bank: Bank) -> None:
    bank.link("bank.py::Account")

    def invalidated() -> list[str]:
        return [row.anchor.spec for row in bank.rows() if row.anchor.invalidated]

    assert [step.anchor.spec for step in bank.invalidate("bank.py::Account").steps] == ["bank.py::Account"]
    assert invalidated() == ["bank.py::Account"]
    assert len(bank.invalidate("bank.py").steps) == 2
    assert [step.anchor.spec for step in bank.restore(HERE).steps] == [HERE]
    assert invalidated() == ["bank.py::Account"]
    for place, pinned in ((HERE, [HERE]), ("bank.py", ["bank.py::Account", HERE])):
        bank.pin(place)
        assert [row.anchor.spec for row in bank.rows() if row.anchor.pinned] == pinned


def test_a_place_is_spelled_from_the_working_directory_too(bank: Bank) -> None:
    bank.write("src/a.py", INTEREST)
    bank.add("Elsewhere.", "src/a.py::interest")
    with bank.open("src") as workspace:
        acted = workspace.anchors.invalidate("2", "a.py::interest", reason="no")
    assert [step.anchor.spec for step in acted.steps] == ["src/a.py::interest"]


def test_a_commit_is_blamed_as_long_as_one_anchor_needs_it(bank: Bank) -> None:
    bank.link("bank.py::Account")
    live(bank, "blame")
    head = bank.git.git("rev-parse", "HEAD")
    assert (bank.blamed(), bank.told()[0].commit) == ([head], head)
    bank.restore("bank.py::Account")
    assert bank.blamed() == [head]
    bank.unlink(HERE)
    assert bank.blamed() == []


def test_where_there_is_no_git_no_commit_can_be_blamed(bank: Bank) -> None:
    (bank.root / ".git").rename(bank.root.parent / "git")
    with pytest.raises(RepositoryError):
        bank.invalidate(commit="HEAD")
    bank.invalidate()
    assert bank.told()[0].detected_by == "graph:invalidate"


@pytest.mark.parametrize("reason", ["", "   ", "x" * 10_000])
def test_a_reason_is_needed_and_is_no_novel(bank: Bank, reason: str) -> None:
    with pytest.raises(UsageError):
        bank.invalidate(reason=reason)


def test_a_learning_without_anchors_has_none_to_invalidate(bank: Bank) -> None:
    bank.add("Free.")
    with bank.open() as workspace, pytest.raises(NotFound, match="no anchors"):
        workspace.anchors.invalidate("2", reason="no")


@pytest.mark.parametrize(
    "spec", ["../outside.py", "../outside.py::f", "../outside.py:L1-L2", "/etc/passwd", "src/../../x.py", "../*.py"]
)
def test_a_path_that_leads_outside_is_refused_and_logged(bank: Bank, spec: str) -> None:
    before = bank.records()
    with pytest.raises(UsageError, match="outside the repository"):
        bank.link(spec)
    [event] = bank.told()
    assert (event.kind, event.reason, event.new_place) == ("refused", Reason.OUTSIDE_REPOSITORY, spec)
    assert (event.detected_by, event.old_status, event.new_status) == ("graph:link by Ada", "none", "none")
    assert (bank.records(), bank.specs()) == (before, [HERE])


def test_a_link_of_the_file_system_that_leads_outside_is_refused_and_logged(bank: Bank, tmp_path: Path) -> None:
    (tmp_path / "outside.py").touch()
    (bank.root / "inside.py").symlink_to(tmp_path / "outside.py")
    with pytest.raises(UsageError, match="outside the repository"):
        bank.link("inside.py")
    assert [event.new_place for event in bank.told()] == ["inside.py"]


def test_a_refusal_needs_no_learning_and_leaves_what_is_known_of_other_anchors(bank: Bank) -> None:
    with pytest.raises(UsageError, match="outside the repository"):
        bank.link("../outside.py", ref="99")
    assert bank.kinds() == []
    live(bank, "edit commit verify")
    with pytest.raises(UsageError):
        bank.link("../outside.py")
    assert (bank.state().status, len(bank.blamed())) == ("drifted", 1)


@pytest.mark.parametrize(
    "place",
    [
        *("bank.py:L0-L3", "bank.py:L5-L4", "bank.py:0"),
        *(
            AnchorRequest(path="bank.py", lines=lines, type=kind)
            for lines in ((0, 3), (5, 4), (-1, 1))
            for kind in (AnchorType.LINES, AnchorType.HASH, None)
        ),
    ],
)
def test_lines_that_are_none_are_refused_however_they_are_given(bank: Bank, place: str | AnchorRequest) -> None:
    with pytest.raises(UsageError):
        bank.link(place)


def test_lines_keep_their_text_and_a_hash_over_lines_does_not(bank: Bank) -> None:
    by_lines = bank.link(AnchorRequest(path="bank.py", lines=(2, 3))).anchor
    by_hash = bank.link(AnchorRequest(path="bank.py", lines=(2, 3), type=AnchorType.HASH)).anchor
    assert (by_lines.type, by_lines.text) == (AnchorType.LINES, "\n".join(SOURCE.split("\n")[1:3]))
    assert (by_hash.type, by_hash.text) == (AnchorType.HASH, None)
    assert by_lines.fingerprints == by_hash.fingerprints
    assert [row.anchor for row in bank.rows() if row.anchor.lines] == [by_hash, by_lines]
    bank.write("bank.py", f"import os\n{SOURCE}")
    assert sorted(bank.verdicts()) == ["relocated", "relocated", "valid"]


def test_linking_for_show_writes_nothing(bank: Bank) -> None:
    before = bank.records()
    assert bank.link("bank.py::Account", dry_run=True).anchor.spec == "bank.py::Account"
    live(bank, "edit")
    bank.link(HERE, dry_run=True)
    assert (bank.records(), bank.kinds(), bank.specs()) == (before, [], [HERE])
    with pytest.raises(NotFound):
        bank.link("bank.py::Account", ref="99", dry_run=True)


def test_relocating_and_refreshing_are_logged_with_both_hashes(bank: Bank) -> None:
    old = bank.content()
    live(bank, "rename verify fix format fix")
    relocated, mended, refreshed = bank.told()
    assert refreshed.anchor.fingerprints is not None
    assert relocated.new_hash == mended.new_hash == refreshed.anchor.fingerprints.content != old
    assert refreshed.new_hash == bank.content() != relocated.new_hash


def test_a_name_that_is_used_again_has_a_life_of_its_own(bank: Bank) -> None:
    for old, new in (("interest", "yield_"), ("yield_", "interest"), ("interest", "gain")):
        bank.edit(f"def {old}(", f"def {new}(")
        bank.verify(fix=True)
    live(bank, "invalidate restore")
    assert (bank.specs(), bank.state().found_at) == (["bank.py::gain"], None)
    bank.edit("def gain(", "def interest(")
    live(bank, "fix invalidate restore")
    assert bank.state().found_at is None
    bank.verify()
    assert bank.kinds()[-1] == "restored"


@pytest.mark.parametrize("path", ["../outside.py", "/etc/passwd", "C:/windows.py"])
def test_a_record_that_leads_outside_is_logged_once_and_can_be_pruned(bank: Bank, path: str) -> None:
    bank.rewrite_record("path: bank.py", f"path: '{path}'")
    live(bank, "verify verify")
    [event] = bank.told()
    assert (event.kind, event.reason, event.commit) == ("invalid", Reason.OUTSIDE_REPOSITORY, None)
    assert [pruned.reason for pruned in bank.prune()] == [Reason.OUTSIDE_REPOSITORY]


def test_the_log_says_why_and_since_when_an_anchor_was_pruned(bank: Bank) -> None:
    live(bank, "delete verify 60-days")
    [pruned] = bank.prune(timedelta(days=60))
    assert (pruned.row.anchor.spec, pruned.since, pruned.reason) == (HERE, NOON, Reason.FILE_DELETED)
    event = bank.told()[-1]
    assert (event.old_status, event.new_status, event.detected_by) == ("invalid", "none", "graph:prune by Ada")
    assert event.detail == f"invalid since {NOON}: the file is gone"


@pytest.mark.parametrize(
    "acts", ["unlink", "edit verify unlink", "pin unlink", "delete verify prune return link unlink"]
)
def test_restoring_brings_unlinked_anchors_back_as_they_were(bank: Bank, acts: str) -> None:
    *first, _ = acts.split()
    live(bank, " ".join(first))
    before, verdicts = bank.records(), bank.verdicts()
    live(bank, "unlink")
    assert bank.records() != before
    assert bank.restore().steps[0].event is not None
    assert (bank.records(), bank.verdicts()) == (before, verdicts)
    assert bank.kinds()[-2:] == ["unlinked", "restored"]
    with pytest.raises(NotFound, match="nothing to restore"):
        bank.restore()


def test_links_that_were_removed_come_back_and_their_history_is_told(workspace: Workspace) -> None:
    one, other, third = (workspace.learnings.add(text).stored for text in ("One", "Other", "Third"))
    linking = workspace.kernel.one(Linking)
    linking.relate(one, other, relation=Relation.ELABORATES, weight=0.5)
    linking.relate(one, other)
    linking.relate(third, one)
    before = [workspace.learnings.show(ref).stored.learning.links for ref in (one, third)]
    assert linking.unrelate(one, other) == 2
    with pytest.raises(NotFound, match="No link"):
        workspace.anchors.restore(one, third.ref)
    with pytest.raises(NotFound, match="nothing to restore"):
        workspace.anchors.restore(other)
    assert len(workspace.anchors.restore(one, other.ref).links) == 2
    linking.unrelate(third, one)
    assert len(workspace.anchors.restore(third).links) == 1
    assert [workspace.learnings.show(ref).stored.learning.links for ref in (one, third)] == before
    told = [(event.number, event.event.kind.value) for event in workspace.anchors.link_history()]
    assert told == [
        *((1, "related"),) * 2,
        (3, "related"),
        *((1, "unrelated"),) * 2,
        *((1, "restored"),) * 2,
        (3, "unrelated"),
        (3, "restored"),
    ]
    assert len(workspace.anchors.link_history(other)) == 6
    assert history(workspace.kernel, None, limit=2).total == len(told)


def test_restoring_brings_pruned_anchors_back_byte_for_byte_one_or_all(bank: Bank) -> None:
    bank.link("bank.py:L8-L11")
    before = bank.records()
    live(bank, "delete verify")
    assert len(bank.prune()) == 2
    assert bank.records() != before
    assert [(step.old, step.anchor.spec) for step in bank.restore(HERE).steps] == [(None, HERE)]
    with pytest.raises(NotFound, match="was invalidated, pruned or unlinked"):
        bank.restore(HERE)
    bank.restore()
    assert bank.records() == before
    assert {(row.state.status, row.state.reason) for row in bank.rows()} == {("invalid", Reason.FILE_DELETED)}
    live(bank, "verify return verify")
    assert bank.kinds()[-4:] == ["restored", "restored", "healed", "healed"]


@pytest.mark.parametrize("age", ["50000w", "90000w", "99999w", "99999d"])
def test_nothing_is_older_than_the_hills(bank: Bank, age: str) -> None:
    live(bank, "delete verify")
    assert bank.prune(parse_age(age)) == []
