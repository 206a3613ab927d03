"""Facts that name a section or a symbol as their source: what became of it is told with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import Project
from tx_graph.context.recall import recall
from tx_graph.knowledge.facts import Facts, Scored

OWNER = "docs/billing.md#owner"
TEXT = "Ada owns the billing service, whoever writes the code, since she is the one whom the customers call at night."
GUIDE = f"# Billing\n\nHello.\n\n## Owner\n\n{TEXT}\n\n## Else\n\nNothing that matters here.\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(tmp_path, monkeypatch)
    project.write("docs/billing.md", GUIDE)
    project.write("src/bill.py", "LIMIT = 3\n\n\ndef charge():\n    return LIMIT\n")
    project.git.commit()
    with project.open("docs") as workspace:
        workspace.kernel.one(Facts).add("Billing", "owner", "Ada", source_ref="billing.md#owner")
    return project


def listed(project: Project) -> Scored:
    with project.open() as workspace:
        [one] = workspace.kernel.one(Facts).list()
    return one


def marks(project: Project) -> tuple[str, ...]:
    with project.open() as workspace:
        [one] = recall(workspace.kernel, "who owns billing").facts
    return one.marks


def test_a_fact_knows_the_section_that_says_so_from_the_root(project: Project) -> None:
    one = listed(project)
    assert (one.stored.fact.source_ref, one.place and one.place.word) == (OWNER, "fresh")
    [record] = (project.root / ".tx" / "facts").iterdir()
    assert "source_print: content=" in record.read_text(encoding="utf-8")
    assert marks(project) == ("staged",)


@pytest.mark.parametrize(
    ("old", "new", "word", "mark"),
    [
        ("whoever writes", "whoever\nwrites", "fresh", None),
        ("Hello.", "Good morning.", "fresh", None),
        ("whoever writes the code", "and nobody else does", "drifted", f"{OWNER} changed"),
        ("## Owner", "## Who owns it", "relocated", f"{OWNER} is elsewhere"),
        (f"## Owner\n\n{TEXT}\n\n", "", "gone", f"{OWNER} is gone"),
    ],
)
def test_what_became_of_the_section_is_told(project: Project, old: str, new: str, word: str, mark: str | None) -> None:
    project.write("docs/billing.md", GUIDE.replace(old, new))
    one = listed(project)
    assert (one.place and one.place.word) == word
    assert marks(project) == (("staged", mark) if mark else ("staged",))


def test_who_confirms_a_fact_vouches_for_what_its_section_says_now(project: Project) -> None:
    project.write("docs/billing.md", GUIDE.replace("## Owner", "## Who owns it").replace("at night", "by day"))
    with project.open() as workspace:
        workspace.kernel.one(Facts).confirm("1")
    one = listed(project)
    assert (one.stored.fact.source_ref, one.place and one.place.word) == ("docs/billing.md#who-owns-it", "fresh")


def test_a_fact_whose_section_is_gone_can_be_confirmed(project: Project) -> None:
    project.write("docs/billing.md", "# Billing\n")
    before = listed(project).stored.fact.source_print
    with project.open() as workspace:
        workspace.kernel.one(Facts).confirm("1")
    assert (listed(project).stored.fact.source_print, marks(project)) == (before, (f"{OWNER} is gone",))


def test_a_clone_tells_the_same_from_the_record(project: Project) -> None:
    project.write("docs/billing.md", GUIDE.replace("whoever writes the code", "and nobody else does"))
    (project.root / ".tx" / "graph.db").unlink()
    one = listed(project)
    assert (one.place and one.place.word) == "drifted"


@pytest.mark.parametrize(
    "ref", ["GH-12", "docs/billing.md", "docs/billing.md#nothing", "src/nowhere.py::f", "a sentence: b"]
)
def test_what_names_no_section_is_kept_as_it_was_written(project: Project, ref: str) -> None:
    with project.open() as workspace:
        added = workspace.kernel.one(Facts).add("Ledger", "owner", "Bob", source_ref=ref)
    assert (added.stored.fact.source_ref, added.stored.fact.source_print) == (ref, None)


def test_a_symbol_may_say_so_too(project: Project) -> None:
    with project.open() as workspace:
        workspace.kernel.one(Facts).add("Charging", "limit", value="3", source_ref="src/bill.py::charge")
    project.write("src/bill.py", "LIMIT = 3\n\n\ndef charge():\n    return 4\n")
    with project.open() as workspace:
        [one, _] = workspace.kernel.one(Facts).list()
    assert one.place is not None
    assert one.place.standing.value == "drifted:body"


def test_what_only_one_person_knows_keeps_its_place(project: Project) -> None:
    with project.open() as workspace:
        workspace.kernel.one(Facts).add("Ledger", "owner", "Bob", source_ref=OWNER, private=True)
        [one, _] = workspace.kernel.one(Facts).list()
    assert one.place is not None
    assert one.stored.fact.source_print
