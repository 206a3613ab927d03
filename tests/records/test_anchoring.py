"""Whether what a learning is tied to still stands is read from the working tree now."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.support import Project
from tx_graph.anchors.linking import Linking
from tx_graph.anchors.taking import Anchoring
from tx_graph.anchors.verdict import Judgement, Standing
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.core.working_tree import WorkingTree
from tx_graph.learnings.learnings import Draft
from tx_graph.records.anchor import Anchor, Reason, parse_anchor

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
    project.git.git("add", "--all")
    return project


def take(project: Project, spec: str) -> Anchor:
    [anchor] = project.add(f"About {spec}", spec).learning.anchors
    return anchor


def judge(project: Project) -> Judgement:
    with project.open() as workspace:
        [judged] = workspace.learnings.show("1").anchors
    return judged


@pytest.mark.parametrize("spec", ["auth.ts", "auth.ts::Auth::login", "auth.ts:L2-L4", "*.ts"])
def test_an_untouched_place_is_fresh(project: Project, spec: str) -> None:
    take(project, spec)
    assert judge(project).standing is Standing.FRESH


@pytest.mark.parametrize("spec", ["auth.ts", "auth.ts::Auth::login", "auth.ts:L2-L4", "*.ts"])
def test_a_deleted_file_is_gone_and_back_again_when_it_returns(project: Project, spec: str) -> None:
    take(project, spec)
    (project.root / "auth.ts").rename(project.root / "elsewhere.md")
    assert judge(project).standing is Standing.GONE
    (project.root / "elsewhere.md").rename(project.root / "auth.ts")
    assert judge(project).standing is Standing.FRESH


@pytest.mark.parametrize("spec", ["auth.ts", "auth.ts::Auth::login", "auth.ts:L2-L4"])
def test_windows_line_ends_change_nothing(project: Project, spec: str) -> None:
    taken = take(project, spec).fingerprints
    project.write("auth.ts", SOURCE.replace("\n", "\r\n"))
    assert judge(project).standing is Standing.FRESH
    project.add("On Windows", spec)
    with project.open() as workspace:
        [anchor] = workspace.learnings.show("2").stored.learning.anchors
    assert anchor.fingerprints == taken


def test_a_symbol_that_moved_is_fresh_and_known_by_its_new_lines(project: Project) -> None:
    take(project, "auth.ts::Auth::login")
    project.write("auth.ts", f"// a comment\n\n{SOURCE}")
    assert (judge(project).standing, judge(project).lines) == (Standing.FRESH, (4, 6))


def test_a_symbol_that_changed_has_drifted(project: Project) -> None:
    take(project, "auth.ts::Auth::login")
    project.write("auth.ts", SOURCE.replace("check(user)", "true"))
    judged = judge(project)
    assert (judged.standing, judged.detail) == (Standing.DRIFTED_BODY, "the code changed")


def test_a_symbol_with_another_head_has_drifted_in_its_signature(project: Project) -> None:
    take(project, "auth.ts::Auth::login")
    project.write("auth.ts", SOURCE.replace("user: string", "user: User"))
    judged = judge(project)
    assert (judged.standing, judged.detail) == (Standing.DRIFTED_SIGNATURE, "the signature changed")


def test_a_change_elsewhere_in_the_file_leaves_a_symbol_fresh(project: Project) -> None:
    take(project, "auth.ts::Auth::login")
    project.write("auth.ts", SOURCE.replace("logout", "leave"))
    assert judge(project).standing is Standing.FRESH


def test_a_symbol_that_was_renamed_is_known_again(project: Project) -> None:
    take(project, "auth.ts::Auth::login")
    project.write("auth.ts", SOURCE.replace("login", "signIn"))
    judged = judge(project)
    assert judged.standing is Standing.RELOCATED
    assert judged.relocated_to is not None
    assert judged.relocated_to.spec == "auth.ts::Auth::signIn"


def test_a_symbol_that_is_in_its_file_no_more_is_gone(project: Project) -> None:
    take(project, "auth.ts::Auth::login")
    project.write("auth.ts", "export function logout() {}\n")
    judged = judge(project)
    assert (judged.standing, judged.reason) == (Standing.GONE, Reason.SYMBOL_MISSING)
    assert judged.detail == "'Auth::login' is gone"


def test_a_file_anchor_drifts_with_any_change_of_code(project: Project) -> None:
    take(project, "auth.ts")
    project.write("auth.ts", f"{SOURCE}\nlogout();\n")
    judged = judge(project)
    assert (judged.standing, judged.detail) == (Standing.DRIFTED_BODY, "the code changed")


@pytest.mark.parametrize("spec", ["auth.ts", "auth.ts::Auth::login", "auth.ts:L2-L4"])
def test_other_formatting_bothers_nobody(project: Project, spec: str) -> None:
    take(project, spec)
    project.write("auth.ts", SOURCE.replace("    return", "\treturn  "))
    assert judge(project).standing is Standing.FRESH


@pytest.mark.parametrize("spec", ["auth.ts", "auth.ts::Auth::login", "auth.ts:L2-L4"])
def test_another_comment_is_told_but_makes_nothing_stale(project: Project, spec: str) -> None:
    take(project, spec)
    project.write("auth.ts", SOURCE.replace("(user);", "(user); // who?"))
    judged = judge(project)
    assert (judged.standing, judged.detail) == (Standing.DRIFTED_COMMENT, "only comments changed")
    assert not judged.standing.is_stale


@pytest.mark.parametrize(("before", "lines"), [("// one\n// two\n", (4, 6)), ("", (2, 4))])
def test_lines_that_moved_are_relocated(project: Project, before: str, lines: tuple[int, int]) -> None:
    take(project, "auth.ts:L2-L4")
    project.write("auth.ts", before + SOURCE)
    judged = judge(project)
    assert judged.lines == lines
    assert judged.standing is (Standing.RELOCATED if before else Standing.FRESH)


def test_lines_that_moved_up_are_relocated_although_the_file_is_shorter(project: Project) -> None:
    take(project, "auth.ts:L7-L7")
    project.write("auth.ts", "export function logout() {}\n")
    assert (judge(project).standing, judge(project).lines) == (Standing.RELOCATED, (1, 1))


def test_lines_that_changed_have_drifted(project: Project) -> None:
    take(project, "auth.ts:L2-L4")
    project.write("auth.ts", SOURCE.replace("check(user)", "true"))
    judged = judge(project)
    assert (judged.standing, judged.lines) == (Standing.DRIFTED_BODY, (2, 4))


def test_lines_of_which_little_is_left_are_gone(project: Project) -> None:
    take(project, "auth.ts:L2-L4")
    project.write("auth.ts", "export function logout() {}\n\n\n// nothing else\n")
    judged = judge(project)
    assert (judged.standing, judged.reason) == (Standing.GONE, Reason.CONTENT_MISSING)


def test_the_last_line_may_lack_its_line_end(project: Project) -> None:
    take(project, "auth.ts:L7-L7")
    project.write("auth.ts", SOURCE.removesuffix("\n"))
    assert judge(project).standing is Standing.FRESH


def test_a_learning_is_as_good_as_its_worst_anchor(project: Project) -> None:
    project.add("About several places", "auth.ts::logout", "auth.ts:L2-L4", "auth.ts")
    project.write("auth.ts", f"// moved\n{SOURCE}")
    with project.open() as workspace:
        shown = workspace.learnings.show("1")
    assert [(one.anchor.spec, one.standing) for one in shown.anchors] == [
        ("auth.ts", Standing.DRIFTED_COMMENT),
        ("auth.ts::logout", Standing.FRESH),
        ("auth.ts:L2-L4", Standing.RELOCATED),
    ]
    assert shown.standing is Standing.DRIFTED_COMMENT


def test_a_learning_without_anchors_is_unanchored(project: Project) -> None:
    project.add("Free")
    with project.open() as workspace:
        assert workspace.learnings.show("1").standing is Standing.UNANCHORED


def test_a_file_replaced_by_a_link_out_of_the_repository_is_gone(project: Project, tmp_path: Path) -> None:
    take(project, "auth.ts")
    (project.root / "auth.ts").rename(tmp_path / "auth.ts")
    (project.root / "auth.ts").symlink_to(tmp_path / "auth.ts")
    assert judge(project).standing is Standing.GONE


@pytest.mark.parametrize("data", [b"\x00\x01binary", b"caf\xe9\n", b"\xef\xbb\xbfbom\n", b""])
def test_any_file_can_be_anchored_whatever_it_holds(project: Project, data: bytes) -> None:
    (project.root / "odd.bin").write_bytes(data)
    take(project, "odd.bin")
    assert judge(project).standing is Standing.FRESH
    (project.root / "odd.bin").write_bytes(data + b"more")
    assert judge(project).standing is Standing.DRIFTED_BODY


def test_bytes_that_are_no_text_count_too(project: Project) -> None:
    (project.root / "odd.bin").write_bytes(b"\xff\xfe\x80")
    take(project, "odd.bin")
    (project.root / "odd.bin").write_bytes(b"\xff\xfe\x81")
    assert judge(project).standing is Standing.DRIFTED_BODY


@pytest.mark.parametrize("data", [b"class A { f() { \x00 } }", b"\xff\xfeclass A {}", b"(" * 20_000])
def test_a_source_that_cannot_be_parsed_is_no_accident(project: Project, data: bytes) -> None:
    take(project, "auth.ts::Auth::login")
    (project.root / "auth.ts").write_bytes(data)
    assert judge(project).standing is Standing.GONE


def test_symbols_are_read_only_where_a_grammar_knows_them(project: Project) -> None:
    project.write("notes.md", "# login\n")
    with pytest.raises(UsageError, match="reads no symbols"):
        project.add("About notes", "notes.md::login")


def test_a_named_pipe_is_no_file(project: Project) -> None:
    subprocess.run(["mkfifo", project.root / "pipe.ts"], check=True)
    with project.open() as workspace, pytest.raises(UsageError, match="cannot be read"):
        workspace.kernel.one(Linking).link(project.add("One").learning.uid, parse_anchor("pipe.ts"))


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        (".git/config", "it belongs to git"),
        (".git", "it belongs to git"),
        (".tx/graph.db", "it belongs to tx"),
        (".tx/config.toml", "it belongs to tx"),
        ("node_modules/x/i.js", "it is an installed package's"),
        ("secret.env", "git ignores it"),
        ("dist/a.js:L1-L1", "git ignores it"),
    ],
)
def test_what_is_no_part_of_the_project_cannot_be_anchored(project: Project, path: str, reason: str) -> None:
    project.write(".gitignore", "*.env\ndist/\n")
    for other in ("secret.env", "dist/a.js", "node_modules/x/i.js"):
        project.write(other, "a line\n")
    with pytest.raises(UsageError, match=f"cannot be anchored: {reason}"):
        take(project, path)


def test_what_git_tracks_although_it_is_ignored_can_be_anchored(project: Project) -> None:
    project.write(".gitignore", "*.env\n")
    project.write("shared.env", "PORT=1\n")
    project.git.git("add", "--force", "shared.env")
    assert take(project, "shared.env").path == "shared.env"


def test_outside_git_any_file_but_packages_and_records_can_be_anchored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / ".eslintrc").write_text("{}", encoding="utf-8")
    tree = WorkingTree(tmp_path / "plain", cwd=tmp_path / "plain")
    assert tree.why_foreign(".eslintrc") == ""
    assert tree.why_foreign("node_modules/a.js") != ""


def test_a_glob_matches_tracked_files_where_there_are_any(project: Project) -> None:
    project.write("one/auth.ts")
    project.git.git("add", "one/auth.ts")
    project.write("one/new.ts")
    project.write("one/new.md")
    with project.open() as workspace:
        anchoring = workspace.kernel.one(Anchoring)
        assert anchoring.files_matching("one/*.ts") == ["one/auth.ts"]
        with pytest.raises(NotFound, match=r"matches only files that git does not track: one/new\.ts") as error:
            anchoring.take(parse_anchor("one/new.*s"))
        assert "git add" in error.value.hint
        with pytest.raises(NotFound) as suggestion:
            anchoring.take(parse_anchor("one/neww.md"))
    assert suggestion.value.candidates[0] == "one/new.md"


def test_many_files_are_judged_like_few(project: Project) -> None:
    project.write(".gitignore", "*.env\n")
    for number in range(30):
        project.write(f"src/{number}.ts", f"{number}\n")
    project.write("secret.env")
    with project.open() as workspace:
        for number in range(30):
            workspace.learnings.add_draft(Draft(content=f"About {number}", anchors=[parse_anchor(f"src/{number}.ts")]))
        with pytest.raises(UsageError, match="git ignores it"):
            workspace.learnings.add_draft(Draft(content="Secret", anchors=[parse_anchor("secret.env")]))
