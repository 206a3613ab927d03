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
from tx_graph.records.anchor import Anchor, parse_anchor

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


def judge(project: Project, ref: str = "1") -> Judgement:
    with project.open() as workspace:
        [judged] = workspace.learnings.show(ref).anchors
    return judged


FILE, LOGIN, LINES = "auth.ts", "auth.ts::Auth::login", "auth.ts:L2-L4"
LOGOUT = "export function logout() {}\n"
MOVED, COMMENTED = f"// one\n// two\n{SOURCE}", SOURCE.replace("(user);", "(user); // who?")
FRESH, BODY = (Standing.FRESH, ""), (Standing.DRIFTED_BODY, "the code changed")
SIGNATURE, COMMENT = (
    (Standing.DRIFTED_SIGNATURE, "the signature changed"),
    (Standing.DRIFTED_COMMENT, "only comments changed"),
)


@pytest.mark.parametrize(
    ("specs", "text", "told"),
    [
        pytest.param([FILE, LOGIN, LINES], SOURCE, FRESH, id="what nobody touched is fresh"),
        pytest.param([FILE, LOGIN, LINES], SOURCE.replace("\n", "\r\n"), FRESH, id="line ends change nothing"),
        pytest.param([LOGIN], SOURCE.replace("logout", "leave"), FRESH, id="nor does what stands elsewhere"),
        pytest.param([LOGIN, LINES], SOURCE.replace("check(user)", "true"), BODY, id="what changed has drifted"),
        pytest.param([FILE], f"{SOURCE}\nlogout();\n", BODY, id="a file drifts with any change of code"),
        pytest.param([LOGIN], SOURCE.replace("user: string", "user: User"), SIGNATURE, id="another head is told"),
        pytest.param([FILE, LOGIN, LINES], COMMENTED, COMMENT, id="so is another comment"),
        pytest.param(["auth.ts:L7-L7"], SOURCE.removesuffix("\n"), FRESH, id="the last line may lack its end"),
        pytest.param([LOGIN], LOGOUT, (Standing.GONE, "'Auth::login' is gone"), id="a symbol may be gone"),
        pytest.param(
            *([LINES], f"{LOGOUT}\n\n// nothing else\n"),
            (Standing.GONE, "the lines are not in the file any more"),
            id="and lines of which little is left",
        ),
        pytest.param(
            *([LOGIN], SOURCE.replace("login", "signIn")),
            (Standing.RELOCATED, "it is auth.ts::Auth::signIn now, renamed, with the same code"),
            id="a symbol that was renamed is known again",
        ),
        pytest.param([LINES], MOVED, (Standing.RELOCATED, "moved to lines 4-6"), id="lines move down"),
        pytest.param(["auth.ts:L7-L7"], LOGOUT, (Standing.RELOCATED, "moved to lines 1-1"), id="and up"),
    ],
)
def test_what_an_edit_does_to_an_anchor(
    project: Project, specs: list[str], text: str, told: tuple[Standing, str]
) -> None:
    for number, spec in enumerate(specs, start=1):
        take(project, spec)
        project.write("auth.ts", text)
        judged = judge(project, str(number))
        assert (judged.standing, judged.detail) == told
        project.write("auth.ts", SOURCE)


@pytest.mark.parametrize("spec", [FILE, LOGIN, LINES])
def test_other_formatting_bothers_nobody(project: Project, spec: str) -> None:
    take(project, spec)
    project.write("auth.ts", SOURCE.replace("    return", "\treturn  "))
    assert judge(project).standing is Standing.FRESH


@pytest.mark.parametrize("spec", [FILE, LOGIN, LINES, "*.ts"])
def test_a_deleted_file_is_gone_and_back_again_when_it_returns(project: Project, spec: str) -> None:
    take(project, spec)
    (project.root / "auth.ts").rename(project.root / "elsewhere.md")
    assert judge(project).standing is Standing.GONE
    (project.root / "elsewhere.md").rename(project.root / "auth.ts")
    assert judge(project).standing is Standing.FRESH


@pytest.mark.parametrize("spec", [FILE, LOGIN, LINES])
def test_fingerprints_are_the_same_with_windows_line_ends(project: Project, spec: str) -> None:
    taken = take(project, spec).fingerprints
    project.write("auth.ts", SOURCE.replace("\n", "\r\n"))
    [anchor] = project.add("On Windows", spec).learning.anchors
    assert anchor.fingerprints == taken


def test_a_symbol_that_moved_is_fresh_and_known_by_its_new_lines(project: Project) -> None:
    take(project, LOGIN)
    project.write("auth.ts", MOVED)
    assert (judge(project).standing, judge(project).lines) == (Standing.FRESH, (4, 6))


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


@pytest.mark.parametrize("data", [b"\x00\x01binary", b"caf\xe9\n", b"\xef\xbb\xbfbom\n", b"", b"\xff\xfe\x80"])
def test_any_file_can_be_anchored_whatever_it_holds(project: Project, data: bytes) -> None:
    (project.root / "odd.bin").write_bytes(data)
    take(project, "odd.bin")
    assert judge(project).standing is Standing.FRESH
    (project.root / "odd.bin").write_bytes(data[:-1] + b"\x81more")
    assert judge(project).standing is Standing.DRIFTED_BODY


@pytest.mark.parametrize("data", [b"class A { f() { \x00 } }", b"\xff\xfeclass A {}", b"(" * 20_000])
def test_a_source_that_cannot_be_parsed_is_no_accident(project: Project, data: bytes) -> None:
    take(project, "auth.ts::Auth::login")
    (project.root / "auth.ts").write_bytes(data)
    assert judge(project).standing is Standing.GONE


def test_symbols_are_read_only_where_a_grammar_knows_them(project: Project) -> None:
    project.write("notes.txt", "# login\n")
    with pytest.raises(UsageError, match="reads no symbols"):
        project.add("About notes", "notes.txt::login")


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
        assert workspace.kernel.checkout.tracked_files().matching("one/*.ts") == ["one/auth.ts"]
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
