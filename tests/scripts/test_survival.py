"""How anchors survive: what became of symbols, how a verifier's answers are judged by it, and whole runs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scripts.benchmarks.survival.answers import Answer, Grade, Verdict
from scripts.benchmarks.survival.fates import Fate, Truth
from scripts.benchmarks.survival.oracle import main as methods
from scripts.benchmarks.survival.reformatting import main as reformat
from scripts.benchmarks.survival.report import as_document, as_markdown, as_text, census, details
from scripts.benchmarks.survival.run import Span, main, true_fates
from scripts.benchmarks.survival.scoring import Outcome, judged, score
from scripts.benchmarks.survival.steps import followed
from tests.conftest import MakeRepository
from tests.git_sandbox import GitSandbox

SHOP = """\
def price(item, count):
    total = item.cost * count
    return total - discount(total)
"""
"""A function that is like no other."""

STOCK = """\
def shelf(goods):
    for good in goods:
        if good.left < 3:
            order(good)
"""
"""Another one."""


def span(repository: GitSandbox, before: Mapping[str, str], after: Mapping[str, str]) -> Span:
    """Commit these files, then those instead, and return the span between."""
    first = _committed(repository, before)
    for path in before:
        (repository.root / path).unlink()
    return Span(repository=repository.root, before=first, after=_committed(repository, after))


def lives(repository: GitSandbox, before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, Truth]:
    """Return what became of each symbol."""
    return true_fates(span(repository, before, after))


def life(repository: GitSandbox, before: Mapping[str, str], after: Mapping[str, str]) -> tuple[Fate, str]:
    """Return what became of the first symbol, and where it is now or, if that is uncertain, why."""
    truth = next(iter(lives(repository, before, after).values()))
    return truth.fate, truth.place or truth.reason


def _committed(repository: GitSandbox, files: Mapping[str, str]) -> str:
    for path, text in files.items():
        place = Path(repository.root / path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8", newline="")
    return repository.commit()


# --- what became of symbols ---------------------------------------------------------------------

PADDING = "".join(f"LIMIT_{number} = {number}\n" for number in range(40))
"""Enough for git to know a file again."""

RUST = "fn f() {{\n    use {};\n    g()\n}}\n"
"""A function that imports."""


@pytest.mark.parametrize(
    ("path", "before", "after", "fate"),
    [
        ("a.py", SHOP, "import this\n\n\n" + SHOP, Fate.UNCHANGED),
        ("a.py", SHOP, SHOP.replace("\n", "\r\n"), Fate.UNCHANGED),
        ("a.py", SHOP, SHOP.replace("item.cost * count", "(\n        item.cost * count\n    )"), Fate.FORMAT),
        ("a.py", SHOP, SHOP.replace("count\n", "count  # pieces\n"), Fate.COMMENT),
        ("a.py", SHOP, SHOP.replace("    total =", '    """What it costs."""\n    total ='), Fate.COMMENT),
        ("a.py", SHOP, SHOP.replace(" * ", " + "), Fate.BODY),
        ("a.py", SHOP, SHOP.replace("count)", "count=1)"), Fate.SIGNATURE),
        ("a.py", SHOP, "@cache\n" + SHOP, Fate.SIGNATURE),
        ("a.ts", "function f(a) {\n  return a >= 18\n}\n", "function f(a) {\n  return a < 18\n}\n", Fate.BODY),
        ("a.ts", "function f(a) {\n  return a\n}\n", "function f(a, b) {\n  return a\n}\n", Fate.SIGNATURE),
        ("a.ts", "function f(a) {\n  g(a, 'x')\n}\n", 'function f(a) {\n  g(\n    a,\n    "x",\n  )\n}\n', Fate.FORMAT),
        ("a.ts", "function f(a) {\n  return a\n}\n", "function f(a) {\n  // why\n  return a\n}\n", Fate.COMMENT),
        ("a.rs", "fn f() -> u8 {\n    1\n}\n", "#[inline]\nfn f() -> u8 {\n    1\n}\n", Fate.SIGNATURE),
        ("A.java", "class A {\n  int f() { return 1; }\n}\n", "class A\n{\n  int f() { return 1; }\n}\n", Fate.FORMAT),
        ("A.java", "public static abstract class A {}\n", "public abstract static class A {}\n", Fate.FORMAT),
        ("A.java", "public static class A {}\n", "public abstract static class A {}\n", Fate.SIGNATURE),
        ("a.rs", RUST.format("b::{C, d}"), RUST.format("b::{d, C}"), Fate.FORMAT),
        ("a.rs", RUST.format("b::{C, d::E}"), RUST.format("b::{d::C, E}"), Fate.BODY),
        ("a.rs", "fn f() -> F<O = A> {\n    g()\n}\n", "fn f() -> F<O = B> {\n    g()\n}\n", Fate.SIGNATURE),
        ("a.ts", "export const f = <T>(a: T) => a\n", "export const f = <T>(b: T) => b\n", Fate.SIGNATURE),
        ("a.ts", "type F = (a: string) => void\n", "type F = (a: number) => void\n", Fate.DRIFT),
        ("a.ts", "interface A<B = C<D>> {}\n", "interface A<\n  B = C<\n    D\n  >\n> {}\n", Fate.FORMAT),
        ("a.rs", "macro_rules! m {\n    () => { 1 };\n}\n", "macro_rules! m {\n    () => { 2 };\n}\n", Fate.DRIFT),
        ("a.rb", "def f(a)\n  a + 1\nend\n", "def f(a)\n  a + 2\nend\n", Fate.DRIFT),
    ],
)
def test_a_symbol_that_stayed_is_told_by_what_changed(
    repository: MakeRepository, path: str, before: str, after: str, fate: Fate
) -> None:
    assert life(repository(), {path: before}, {path: after})[0] is fate


RECURSIVE = SHOP.replace("discount(", "price(")
LOGGING = SHOP.replace("total - ", "total - log('price') - ")
OTHER = SHOP.replace("item.cost * count", "sum(basket)").replace("discount(total)", "1")
LINES = [f"TABLE_{number} = {number}\n" for number in range(20)]
TEMPLATE, FILLED = "".join(LINES), "".join([*LINES[:14], *(line.lower() for line in LINES)])
EDITED, RIVAL = SHOP.replace("total -", "total +"), SHOP.replace("item.cost", "item.price")
STUB = "def price(item, count):\n    return price_of(item, count, None)\n"
MOVED = SHOP.replace("price(item, count)", "price_of(item, count, ready)")
AS_LIKE = "its file was renamed, but others are as like it"


@pytest.mark.parametrize(
    ("before", "after", "fate", "where"),
    [
        ({"a.py": SHOP + PADDING}, {"b/c.py": SHOP + PADDING}, Fate.MOVED, "b/c.py::price"),
        (
            {"a.py": SHOP + STOCK, "b.py": PADDING},
            {"a.py": STOCK, "b.py": PADDING + "\n\n" + SHOP},
            Fate.MOVED,
            "b.py::price",
        ),
        ({"a.py": RECURSIVE}, {"a.py": RECURSIVE.replace("price", "cost_of")}, Fate.RENAMED, "a.py::cost_of"),
        (
            {"a.py": LOGGING},
            {"a.py": LOGGING.replace("price", "cost_of")},
            Fate.UNCERTAIN,
            "a new symbol is like it",
        ),
        (
            {"a.py": SHOP + PADDING},
            {"b.py": SHOP.replace(" * ", " + ") + PADDING},
            Fate.MOVED_AND_EDITED,
            "b.py::price",
        ),
        ({"a.py": SHOP + STOCK}, {"a.py": STOCK}, Fate.DELETED, ""),
        ({"a.py": SHOP, "b.py": OTHER}, {"b.py": OTHER}, Fate.DELETED, ""),
        (
            {"one/a.py": SHOP + TEMPLATE},
            {"two/a.py": SHOP + FILLED, "three/b.py": STOCK + SHOP},
            Fate.UNCERTAIN,
            AS_LIKE,
        ),
        (
            {"one/a.py": SHOP + PADDING},
            {"two/a.py": EDITED + PADDING, "three/b.py": STOCK + RIVAL},
            Fate.UNCERTAIN,
            AS_LIKE,
        ),
        ({"a.py": SHOP}, {"a.py": STUB + MOVED}, Fate.UNCERTAIN, "changed, and a new symbol is more like it"),
    ],
    ids=[
        "moves with its file", "moves alone", "renamed: the same code but for its name",
        "a name inside a string is not the symbol's", "edited in a renamed file", "nothing new is like it",
        "an old symbol of the same name does not save it", "git is not believed where files are like templates",
        "nor of an edited symbol that is as like another", "its old code is more like a new one",
    ],
)  # fmt: skip
def test_a_symbol_that_left_is_told_by_where_it_went(
    repository: MakeRepository, before: dict[str, str], after: dict[str, str], fate: Fate, where: str
) -> None:
    assert life(repository(), before, after) == (fate, where)


def test_methods_move_with_a_renamed_class_and_the_class_is_renamed(repository: MakeRepository) -> None:
    shop = "class Shop:\n" + "".join(f"    {line}\n" for line in SHOP.splitlines())
    found = lives(repository(), {"a.py": shop}, {"a.py": shop.replace("Shop", "Store")})
    assert found["a.py::Shop"].fate is Fate.RENAMED
    assert found["a.py::Shop"].place == "a.py::Store"
    assert found["a.py::Shop::price"].fate is Fate.MOVED
    assert found["a.py::Shop::price"].place == "a.py::Store::price"


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ({"a.py": SHOP}, {"b.py": SHOP.replace("cost", "worth") + PADDING}, "a new symbol has its name"),
        ({"a.py": SHOP}, {"b.py": SHOP.replace("price", "due") + SHOP.replace("price", "fee")}, "several candidates"),
        ({"a.py": SHOP + PADDING, "b.py": SHOP}, {"b.py": SHOP, "c.py": STOCK + SHOP}, "had a twin"),
        ({"a.py": "def f(a):\n    return a\n"}, {"b.py": PADDING + "def f(a):\n    return a\n"}, "tiny"),
        ({"a.py": SHOP}, {"a.py": SHOP.replace("price", "due") + STOCK.replace("shelf", "price")}, "changed, and its"),
        ({"a.py": SHOP + SHOP}, {"a.py": SHOP}, "overloads changed"),
        ({"a.js": "function f() {}\n"}, {"a.js": "const g = () => {\n  function f() {}\n}\n"}, "its file still says"),
        ({"a.js": "function f(a) {\n  return a\n}\n"}, {"a.js": "function f(a) {\n  return (a)\n}\n"}, "a formatter"),
        ({"a.js": "export let a = 1, b = 2\n"}, {"a.js": "export let a = 1, b = 3\n"}, "shares a line"),
    ],
)
def test_what_can_be_argued_about_is_set_apart(
    repository: MakeRepository, before: dict[str, str], after: dict[str, str], reason: str
) -> None:
    fate, why = life(repository(), before, after)
    assert fate is Fate.UNCERTAIN
    assert why.startswith(reason)


def test_of_overloads_one_may_change(repository: MakeRepository) -> None:
    getter = "class A:\n    @property\n    def x(self):\n        return self._x\n"
    setter = "    @x.setter\n    def x(self, x):\n        self._x = x\n"
    found = lives(repository(), {"a.py": getter + setter}, {"a.py": getter + setter.replace("= x", "= int(x)")})
    assert found["a.py::A::x"].fate is Fate.UNCHANGED
    assert found["a.py::A::x#2"].fate is Fate.BODY


def test_of_two_copies_that_left_git_cannot_say_which_went_where(repository: MakeRepository) -> None:
    before = {"one/a.py": SHOP + PADDING, "two/a.py": SHOP + PADDING}
    found = lives(repository(), before, {"three/a.py": SHOP.replace(" * ", " + ") + PADDING})
    assert {truth.fate for truth in found.values()} == {Fate.UNCERTAIN}


def test_of_two_like_files_that_left_one_may_have_gone_with_the_other(repository: MakeRepository) -> None:
    other = SHOP.replace("item.cost * count", "sum(count)").replace("total - discount(total)", "0")
    found = lives(repository(), {"one/a.py": SHOP, "two/a.py": other + PADDING}, {"three/a.py": other + PADDING})
    assert found["one/a.py::price"].reason == "one of its name arrived with a file"


def test_equal_code_beside_another_symbol_of_the_name_is_set_apart(repository: MakeRepository) -> None:
    shop = "class Shop:\n" + "".join(f"    {line}\n" for line in SHOP.splitlines())
    shim = "\n\nclass Shop(Store):\n    def price(self):\n        warn()\n"
    found = lives(repository(), {"a.py": shop}, {"b.py": STOCK + PADDING + shop.replace("Shop", "Store") + shim})
    assert found["a.py::Shop::price"].reason == "beside its code is another of its name"


def test_code_of_others_is_left_out(repository: MakeRepository) -> None:
    files = {"vendor/a.py": SHOP, "web/node_modules/b/c.js": "function f() {}\n", "a.py": STOCK}
    assert set(lives(repository(), files, files)) == {"a.py::shelf"}


# --- how answers are judged ---------------------------------------------------------------------

HERE, THERE, ELSEWHERE = "a.py::f", "b.py::f", "c.py::f"

VALID = Answer(verdict=Verdict.VALID)
INVALID = Answer(verdict=Verdict.INVALID, candidates=(THERE, ELSEWHERE))
STRAY = Answer(verdict=Verdict.RELOCATED, relocated_to=ELSEWHERE)
FOUND = Answer(verdict=Verdict.RELOCATED, relocated_to=THERE)


def drifted(grade: Grade, place: str = "") -> Answer:
    return Answer(verdict=Verdict.DRIFTED, drift=grade, relocated_to=place)


@pytest.mark.parametrize(
    ("fate", "answer", "outcome"),
    [
        (Fate.UNCHANGED, VALID, Outcome.CORRECT),
        (Fate.UNCHANGED, drifted(Grade.FORMAT), Outcome.CORRECT),
        (Fate.UNCHANGED, drifted(Grade.COMMENT), Outcome.OTHER_GRADE),
        (Fate.UNCHANGED, INVALID, Outcome.LOST),
        (Fate.UNCHANGED, STRAY, Outcome.MISPLACED),
        (Fate.FORMAT, VALID, Outcome.CORRECT),
        (Fate.FORMAT, drifted(Grade.BODY), Outcome.FALSE_DRIFT),
        (Fate.COMMENT, drifted(Grade.COMMENT), Outcome.CORRECT),
        (Fate.COMMENT, VALID, Outcome.OTHER_GRADE),
        (Fate.COMMENT, drifted(Grade.SIGNATURE), Outcome.FALSE_DRIFT),
        (Fate.BODY, drifted(Grade.BODY), Outcome.CORRECT),
        (Fate.BODY, drifted(Grade.SIGNATURE), Outcome.OTHER_GRADE),
        (Fate.BODY, drifted(Grade.COMMENT), Outcome.MISSED_DRIFT),
        (Fate.BODY, VALID, Outcome.MISSED_DRIFT),
        (Fate.BODY, STRAY, Outcome.MISPLACED),
        (Fate.BODY, None, Outcome.UNANSWERED),
        (Fate.SIGNATURE, drifted(Grade.BODY), Outcome.OTHER_GRADE),
        (Fate.DRIFT, drifted(Grade.BODY), Outcome.CORRECT),
        (Fate.DRIFT, drifted(Grade.SIGNATURE), Outcome.CORRECT),
        (Fate.DRIFT, drifted(Grade.FORMAT), Outcome.MISSED_DRIFT),
    ],
)
def test_a_symbol_that_stayed_is_judged_by_its_drift(fate: Fate, answer: Answer | None, outcome: Outcome) -> None:
    assert judged(Truth(fate=fate, place=HERE), answer) is outcome


@pytest.mark.parametrize(
    ("fate", "answer", "outcome"),
    [
        (Fate.MOVED, FOUND, Outcome.CORRECT),
        (Fate.MOVED, drifted(Grade.COMMENT, THERE), Outcome.CORRECT),
        (Fate.MOVED, drifted(Grade.BODY, THERE), Outcome.FALSE_DRIFT),
        (Fate.MOVED, INVALID, Outcome.ABSTAINED),
        (Fate.MOVED, VALID, Outcome.MISPLACED),
        (Fate.RENAMED, STRAY, Outcome.MISPLACED),
        (Fate.RENAMED, FOUND, Outcome.CORRECT),
        (Fate.MOVED_AND_EDITED, drifted(Grade.SIGNATURE, THERE), Outcome.CORRECT),
        (Fate.MOVED_AND_EDITED, FOUND, Outcome.MISSED_DRIFT),
        (Fate.MOVED_AND_EDITED, drifted(Grade.BODY), Outcome.MISPLACED),
        (Fate.MOVED_AND_EDITED, INVALID, Outcome.ABSTAINED),
    ],
)
def test_a_symbol_that_left_is_judged_by_its_place_first(fate: Fate, answer: Answer, outcome: Outcome) -> None:
    assert judged(Truth(fate=fate, place=THERE), answer) is outcome


@pytest.mark.parametrize(
    ("answer", "outcome"), [(INVALID, Outcome.CORRECT), (VALID, Outcome.MISPLACED), (STRAY, Outcome.MISPLACED)]
)
def test_a_deleted_symbol_is_nowhere(answer: Answer, outcome: Outcome) -> None:
    assert judged(Truth(fate=Fate.DELETED), answer) is outcome


TRUTHS = {
    "a.py::f": Truth(fate=Fate.MOVED, place=THERE),
    "a.py::g": Truth(fate=Fate.RENAMED, place="a.py::h"),
    "a.py::i": Truth(fate=Fate.DELETED),
    "a.py::j": Truth(fate=Fate.UNCERTAIN, reason="tiny"),
    "a.py::k": Truth(fate=Fate.BODY, place="a.py::k"),
}
ANSWERS = {"a.py::f": FOUND, "a.py::g": INVALID, "a.py::i": STRAY, "a.py::j": STRAY, "a.py::k": VALID}


def test_precision_and_recall_count_where_the_truth_is_known() -> None:
    table = score(TRUTHS, ANSWERS)
    assert (table.right_relocations, table.relocations, table.precision, table.recall) == (1, 2, 0.5, 0.5)
    assert Fate.UNCERTAIN not in table.outcomes
    assert table.uncertain["tiny"][Verdict.RELOCATED] == 1


def test_without_cases_nothing_is_wrong() -> None:
    table = score({}, {})
    assert (table.precision, table.recall) == (1.0, 1.0)


def test_an_answer_that_names_the_place_it_had_is_no_relocation() -> None:
    truths = {HERE: Truth(fate=Fate.UNCHANGED, place=HERE)}
    table = score(truths, {HERE: Answer(verdict=Verdict.VALID, relocated_to=HERE)})
    assert table.relocations == 0
    assert table.total(Outcome.CORRECT) == 1


def test_the_table_says_what_is_wrong() -> None:
    table = score(TRUTHS, ANSWERS)
    text = as_text(table, heading="shop, v1 to v2")
    assert text.startswith("shop, v1 to v2\n")
    assert "precision 0.5000 (1 of 2), recall on moved and renamed 0.5000" in text
    assert "missed drift 1, false drift 0" in text
    assert "uncertain, tiny: 1 (1 relocated)" in text
    assert "| body | 1 | 0 | 0 | 0 | 1 | 1 missed drift |" in as_markdown(table, heading="shop")
    assert as_document(table, heading="shop")["outcomes"]["deleted"] == {Outcome.MISPLACED: 1}


def test_the_census_counts_fates_in_their_order() -> None:
    assert [line.split(maxsplit=1) for line in census(TRUTHS, heading="shop").splitlines()[2:]] == [
        ["1", "body"],
        ["1", "moved"],
        ["1", "renamed"],
        ["1", "deleted"],
        ["1", "uncertain"],
    ]


def test_details_are_a_line_for_each_symbol() -> None:
    lines = [line.split("\t") for line in details(TRUTHS, ANSWERS)]
    assert lines[1] == ["a.py::g", "renamed", "a.py::h", "", "abstained", "invalid", "", "", f"{THERE} {ELSEWHERE}"]
    assert lines[3][1:5] == ["uncertain", "", "tiny", ""]


# --- whole runs ---------------------------------------------------------------------------------


class FileWatcher:
    """A simple verifier: what is anchored is valid as long as its file says the same."""

    def __init__(self) -> None:
        self._seen: dict[str, bytes] = {}

    def anchor(self, root: Path, symbols: Sequence[str]) -> None:
        self._seen = {symbol: (root / symbol.partition("::")[0]).read_bytes() for symbol in symbols}

    def verify(self, root: Path) -> Mapping[str, Answer]:
        return {symbol: Answer(verdict=self._verdict(root, symbol)) for symbol in self._seen}

    def _verdict(self, root: Path, symbol: str) -> Verdict:
        file = root / symbol.partition("::")[0]
        same = file.exists() and file.read_bytes() == self._seen[symbol]
        return Verdict.VALID if same else Verdict.INVALID


Run = Callable[..., Any]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Holds a verifier's answers against the truth; returns the document that was asked for, or the text."""

    def run(made: Span, *options: str, verifier: FileWatcher | None = None) -> Any:  # noqa: ANN401 - any JSON
        ends = ["--from", made.before, "--to", made.after, "--workdir", str(tmp_path / "bench")]
        assert main([str(made.repository), *ends, *options], verifier=verifier) == 0
        printed = capsys.readouterr().out
        return json.loads(printed) if "--json" in options else printed

    return run


def test_a_run_holds_the_verifiers_answers_against_the_truth(repository: MakeRepository, run: Run) -> None:
    before, after = {"a.py": SHOP, "b.py": STOCK}, {"a.py": SHOP, "c.py": STOCK}
    document = run(span(repository(), before, after), "--json", verifier=FileWatcher())
    assert document["outcomes"] == {"unchanged": {"correct": 1}, "moved": {"abstained": 1}}
    assert document["recall"] == 0.0


def test_a_run_leaves_the_repository_and_the_disk_as_they_were(
    repository: MakeRepository, run: Run, tmp_path: Path
) -> None:
    sandbox = repository()
    made = span(sandbox, {"a.py": SHOP}, {"a.py": STOCK})
    run(replace(made, before="HEAD~1", after="main"), verifier=FileWatcher())
    assert sandbox.git("status", "--porcelain") == ""
    assert sandbox.git("rev-parse", "main") == made.after
    assert list((tmp_path / "bench").iterdir()) == []


def test_a_census_prints_the_truth_alone(repository: MakeRepository, run: Run, tmp_path: Path) -> None:
    made = span(repository(), {"a.py": SHOP}, {"a.py": SHOP})
    details = tmp_path / "details"
    named = replace(made, before="HEAD~1", after="HEAD")
    told = run(named, "--census", "--details", str(details))
    assert told == "project, HEAD~1 to HEAD\n\n       1  unchanged\n"
    assert details.read_text(encoding="utf-8").startswith("a.py::price\tunchanged\ta.py::price\t")


BEFORE = {"a.py": SHOP + STOCK, "b.py": "LIMIT = 1\n"}
AFTER = {"a.py": SHOP.replace(" * ", " + "), "b.py": "LIMIT = 1\n\n\n" + STOCK}


@pytest.mark.parametrize(
    ("verifier", "body", "moved"),
    [("names", "missed drift", "correct"), ("lines", "correct", "misplaced"), ("tx", "correct", "correct")],
)
def test_each_verifier_sees_what_it_can(
    repository: MakeRepository, run: Run, verifier: str, body: str, moved: str
) -> None:
    made = span(repository(), BEFORE, AFTER)
    document = run(made, "--json", "--verifier", verifier)
    assert document["outcomes"] == {"body": {body: 1}, "moved": {moved: 1}}


FILES = {"shop.py": SHOP + "\n\n" + STOCK, "read.me": "".join(f"line {number}\n" for number in range(9))}


def reformatted(repository: MakeRepository, directory: Path, *options: str) -> int:
    made = repository(files=FILES)
    return reformat([str(made.root), "--workdir", str(directory / "bench"), *options])


def test_everything_is_anchored_and_other_line_ends_are_no_finding(
    repository: MakeRepository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert reformatted(repository, tmp_path, "--crlf") == 0
    assert capsys.readouterr().out.endswith("0 of 6 anchors are findings\n")


def test_a_formatter_that_changes_the_program_is_found_out(
    repository: MakeRepository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    breaking = f"{sys.executable} -c \"import pathlib; pathlib.Path('shop.py').write_text('def price(): pass')\""
    details = tmp_path / "details"
    assert reformatted(repository, tmp_path, "--reformat", breaking, "--details", str(details)) == 1
    assert "findings" in capsys.readouterr().out
    assert "symbol\tshop.py::price\tsignature\t" in details.read_text(encoding="utf-8")


def test_what_is_as_it_was_is_valid(
    repository: MakeRepository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert reformatted(repository, tmp_path, "--reformat", f"{sys.executable} -c pass") == 0
    assert [line.split() for line in capsys.readouterr().out.splitlines()[:3]] == [
        ["2", "hash", "valid"],
        ["2", "lines", "valid"],
        ["2", "symbol", "valid"],
    ]


def test_a_symbol_that_was_edited_after_it_moved_is_told_by_the_commit_that_moved_it(
    repository: MakeRepository,
) -> None:
    git = repository()
    first = _committed(git, {"a.py": SHOP + "\n\n" + STOCK})
    (git.root / "a.py").write_text(STOCK, encoding="utf-8")
    _committed(git, {"b.py": SHOP.replace(" * ", " + ")})
    last = _committed(git, {"b.py": "def price(item, count):\n    for one in shelf(item):\n        yield count\n"})
    far = true_fates(Span(repository=git.root, before=first, after=last))
    near = followed(git.root, first, last, far)
    assert (far["a.py::price"].fate, near["a.py::price"]) == (
        Fate.UNCERTAIN,
        Truth(fate=Fate.MOVED_AND_EDITED, place="b.py::price"),
    )
    assert near["a.py::shelf"] == far["a.py::shelf"]


COUNTER = """\
class {} {{
  int sum(int a, List<Integer> all) {{
    int b = a;
    for (int c : all) b += c;
    return b{};
  }}
}}
"""


def test_what_people_said_became_of_methods_is_held_against_the_verifier(
    repository: MakeRepository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    git = repository()
    first = _committed(git, {"src/a/Till.java": COUNTER.format("Till", "")})
    (git.root / "src" / "a" / "Till.java").unlink()
    last = _committed(git, {"src/a/Desk.java": "// Counts.\n" * 30 + COUNTER.format("Desk", " + 1")})
    change = {
        "parentCommitId": first,
        "commitId": last,
        "elementFileBefore": "src/a/Till.java",
        "elementNameBefore": "src/a.Till#sum(int, List)",
        "elementFileAfter": "src/a/Desk.java",
        "elementNameAfter": "src/a.Desk#sum(int, List)",
    }
    changes = [change | {"changeType": "moved"}, change | {"changeType": "body change"}]
    (tmp_path / "oracle" / "test").mkdir(parents=True)
    told = {"repositoryName": git.root.name, "expectedChanges": changes}
    (tmp_path / "oracle" / "test" / "till.json").write_text(json.dumps(told), encoding="utf-8")
    places = ("--repositories", str(git.root.parent), "--workdir", str(tmp_path / "work"))
    assert methods(["--oracle", str(tmp_path / "oracle"), *places]) == 0
    assert "test, by itself: 1 of 1 found" in capsys.readouterr().out
