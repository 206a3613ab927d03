"""Whether what a learning is tied to still stands is read from the working tree now."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.services.support import Project
from tx_graph.domain.anchor import Anchor, Verdict, parse_anchor
from tx_graph.errors import UsageError
from tx_graph.services.anchoring import AnchorVerdict

SOURCE = """\
export class Auth {
  login(user: string) {
    return check(user);
  }
}

export function logout() {}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(tmp_path, monkeypatch)
    project.write("auth.ts", SOURCE)
    return project


def take(project: Project, spec: str) -> Anchor:
    [anchor] = project.add(f"About {spec}", spec).learning.anchors
    return anchor


def judge(project: Project) -> AnchorVerdict:
    with project.open() as workspace:
        [verdict] = workspace.learnings.show("1").anchors
    return verdict


@pytest.mark.parametrize("spec", ["auth.ts", "auth.ts::Auth::login", "auth.ts:L2-L4", "*.ts"])
def test_an_untouched_place_is_fresh(project: Project, spec: str) -> None:
    take(project, spec)
    assert judge(project).verdict is Verdict.FRESH


@pytest.mark.parametrize("spec", ["auth.ts", "auth.ts::Auth::login", "auth.ts:L2-L4", "*.ts"])
def test_a_deleted_file_is_gone_and_back_again_when_it_returns(project: Project, spec: str) -> None:
    take(project, spec)
    (project.root / "auth.ts").rename(project.root / "elsewhere.md")
    assert judge(project).verdict is Verdict.GONE
    (project.root / "elsewhere.md").rename(project.root / "auth.ts")
    assert judge(project).verdict is Verdict.FRESH


@pytest.mark.parametrize("spec", ["auth.ts", "auth.ts::Auth::login", "auth.ts:L2-L4"])
def test_windows_line_ends_change_nothing(project: Project, spec: str) -> None:
    fingerprint = take(project, spec).fingerprint
    project.write("auth.ts", SOURCE.replace("\n", "\r\n"))
    assert judge(project).verdict is Verdict.FRESH
    project.add("On Windows", spec)
    with project.open() as workspace:
        [anchor] = workspace.learnings.show("2").stored.learning.anchors
    assert anchor.fingerprint == fingerprint


def test_a_symbol_that_moved_is_fresh_and_known_by_its_new_lines(project: Project) -> None:
    take(project, "auth.ts::Auth::login")
    project.write("auth.ts", f"// a comment\n\n{SOURCE}")
    assert (judge(project).verdict, judge(project).lines) == (Verdict.FRESH, (4, 6))


def test_a_symbol_that_changed_has_drifted(project: Project) -> None:
    take(project, "auth.ts::Auth::login")
    project.write("auth.ts", SOURCE.replace("check(user)", "true"))
    verdict = judge(project)
    assert (verdict.verdict, verdict.reason) == (Verdict.DRIFTED, "'Auth::login' has changed")


def test_a_change_elsewhere_in_the_file_leaves_a_symbol_fresh(project: Project) -> None:
    take(project, "auth.ts::Auth::login")
    project.write("auth.ts", SOURCE.replace("logout", "leave"))
    assert judge(project).verdict is Verdict.FRESH


def test_a_symbol_that_was_renamed_is_gone(project: Project) -> None:
    take(project, "auth.ts::Auth::login")
    project.write("auth.ts", SOURCE.replace("login", "signIn"))
    verdict = judge(project)
    assert (verdict.verdict, verdict.reason) == (Verdict.GONE, "'Auth::login' is gone")


def test_a_file_anchor_drifts_with_any_change(project: Project) -> None:
    take(project, "auth.ts")
    project.write("auth.ts", SOURCE + "\n")
    assert (judge(project).verdict, judge(project).reason) == (Verdict.DRIFTED, "the file has changed")


@pytest.mark.parametrize(("before", "lines"), [("// one\n// two\n", (4, 6)), ("", (2, 4))])
def test_lines_that_moved_are_relocated(project: Project, before: str, lines: tuple[int, int]) -> None:
    take(project, "auth.ts:L2-L4")
    project.write("auth.ts", before + SOURCE)
    verdict = judge(project)
    assert verdict.lines == lines
    assert verdict.verdict is (Verdict.RELOCATED if before else Verdict.FRESH)


def test_lines_that_moved_up_are_relocated_although_the_file_is_shorter(project: Project) -> None:
    take(project, "auth.ts:L7-L7")
    project.write("auth.ts", "export function logout() {}\n")
    assert (judge(project).verdict, judge(project).lines) == (Verdict.RELOCATED, (1, 1))


def test_lines_that_changed_have_drifted(project: Project) -> None:
    take(project, "auth.ts:L2-L4")
    project.write("auth.ts", SOURCE.replace("user", "name"))
    assert judge(project).verdict is Verdict.DRIFTED


def test_the_last_line_may_lack_its_line_end(project: Project) -> None:
    take(project, "auth.ts:L7-L7")
    project.write("auth.ts", SOURCE.removesuffix("\n"))
    assert judge(project).verdict is Verdict.FRESH


def test_a_learning_is_as_good_as_its_worst_anchor(project: Project) -> None:
    project.add("About several places", "auth.ts::logout", "auth.ts:L2-L4", "auth.ts")
    project.write("auth.ts", f"// moved\n{SOURCE}")
    with project.open() as workspace:
        shown = workspace.learnings.show("1")
    assert {one.verdict for one in shown.anchors} == {Verdict.FRESH, Verdict.RELOCATED, Verdict.DRIFTED}
    assert shown.verdict is Verdict.DRIFTED


def test_a_learning_without_anchors_is_unanchored(project: Project) -> None:
    project.add("Free")
    with project.open() as workspace:
        assert workspace.learnings.show("1").verdict is Verdict.UNANCHORED


def test_a_file_replaced_by_a_link_out_of_the_repository_is_gone(project: Project, tmp_path: Path) -> None:
    take(project, "auth.ts")
    (project.root / "auth.ts").rename(tmp_path / "auth.ts")
    (project.root / "auth.ts").symlink_to(tmp_path / "auth.ts")
    assert judge(project).verdict is Verdict.GONE


@pytest.mark.parametrize("data", [b"\x00\x01binary", b"caf\xe9\n", b"\xef\xbb\xbfbom\n", b""])
def test_any_file_can_be_anchored_whatever_it_holds(project: Project, data: bytes) -> None:
    (project.root / "odd.bin").write_bytes(data)
    take(project, "odd.bin")
    assert judge(project).verdict is Verdict.FRESH
    (project.root / "odd.bin").write_bytes(data + b"more")
    assert judge(project).verdict is Verdict.DRIFTED


def test_bytes_that_are_no_text_count_too(project: Project) -> None:
    (project.root / "odd.bin").write_bytes(b"\xff\xfe\x80")
    take(project, "odd.bin")
    (project.root / "odd.bin").write_bytes(b"\xff\xfe\x81")
    assert judge(project).verdict is Verdict.DRIFTED


@pytest.mark.parametrize("data", [b"class A { f() { \x00 } }", b"\xff\xfeclass A {}", b"(" * 20_000])
def test_a_source_that_cannot_be_parsed_is_no_accident(project: Project, data: bytes) -> None:
    take(project, "auth.ts::Auth::login")
    (project.root / "auth.ts").write_bytes(data)
    assert judge(project).verdict is Verdict.GONE


def test_symbols_are_read_only_where_a_grammar_knows_them(project: Project) -> None:
    project.write("notes.md", "# login\n")
    with pytest.raises(UsageError, match="reads no symbols"):
        project.add("About notes", "notes.md::login")


def test_a_named_pipe_is_no_file(project: Project) -> None:
    subprocess.run(["mkfifo", project.root / "pipe.ts"], check=True)
    with project.open() as workspace, pytest.raises(UsageError, match="cannot be read"):
        workspace.linking.link(project.add("One").learning.uid, parse_anchor("pipe.ts"))
