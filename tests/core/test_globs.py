"""Globs mean what they mean in a .gitignore, and match the files that are there now."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import Project
from tx_graph.anchors.linking import Linking
from tx_graph.anchors.verdict import Standing
from tx_graph.core.errors import NotFound, TxError, UsageError
from tx_graph.core.globs import PathMatcher, compiled, literal
from tx_graph.records.anchor import AnchorRequest, AnchorType


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


def near(project: Project, ref: str = "1") -> list[str]:
    """Return what is one step away."""
    with project.open() as workspace:
        return [one.ref for one in workspace.graph.neighbors(ref, depth=1).neighbors]


def track(project: Project, *paths: str) -> None:
    """Write files that git tracks."""
    for path in paths:
        project.write(path)
    project.git.git("add", "--all")


PATHS = ["db.ts", "src/[x].ts", "src/axts", "src/db.ts", "src/deep/x.ts", "src/x.ts", "srcs/y.ts", "!odd/a", "#odd/b"]


@pytest.mark.parametrize(("pattern", "expected"), [
    ("src/*.ts", ["src/[x].ts", "src/db.ts", "src/x.ts"]),
    ("src/**/*.ts", ["src/[x].ts", "src/db.ts", "src/deep/x.ts", "src/x.ts"]),
    ("src/**", ["src/[x].ts", "src/axts", "src/db.ts", "src/deep/x.ts", "src/x.ts"]),
    ("src/", ["src/[x].ts", "src/axts", "src/db.ts", "src/deep/x.ts", "src/x.ts"]),
    ("src", ["src/[x].ts", "src/axts", "src/db.ts", "src/deep/x.ts", "src/x.ts"]), ("deep", ["src/deep/x.ts"]),
    ("db.ts", ["db.ts", "src/db.ts"]), ("/db.ts", ["db.ts"]), ("src/a.ts", []), ("src/?x.ts", []),
    ("src/[x].ts", ["src/x.ts"]), (r"src/\[x\].ts", ["src/[x].ts"]), ("src/[!x].ts", []),
    ("src/[a-z]*ts", ["src/axts", "src/db.ts", "src/x.ts"]), ("!odd/*", ["!odd/a"]), ("#odd/*", ["#odd/b"]),
    ("src\\", []), ("[[a-z]]", []), ("src/[z-a]*", []), ("", []), ("**/x.ts", ["src/deep/x.ts", "src/x.ts"]),
    ("*.ts", ["db.ts", "src/[x].ts", "src/db.ts", "src/deep/x.ts", "src/x.ts", "srcs/y.ts"]),
    ("{db,src/x}.ts", ["db.ts", "src/db.ts", "src/x.ts"]), ("src/{deep/,}x.ts", ["src/deep/x.ts", "src/x.ts"]),
    ("src/{d,a}{b,x}*", ["src/axts", "src/db.ts"]), ("./db.ts", ["db.ts", "src/db.ts"]), ("{db}.ts", []),
    (r"\{db,x}.ts", []), ("{a,b}" * 20, []),
])  # fmt: skip
def test_a_glob_means_what_it_means_in_a_gitignore(pattern: str, expected: list[str]) -> None:
    assert PathMatcher(PATHS).matching(pattern) == expected


_PIECES = st.lists(
    st.sampled_from(["a", "b", "ab", "*", "**", "?", "[ab]", ".ts", "/", "!", "#"]), min_size=1, max_size=6
)
_NAMES = st.lists(st.sampled_from(["a", "b", "ab", "a.ts", "b.ts", "!a", "#b"]), min_size=1, max_size=4).map("/".join)


@settings(deadline=None)
@given(pattern=_PIECES.map("".join), paths=st.sets(_NAMES, max_size=20))
def test_looking_only_at_paths_that_begin_alike_misses_none(pattern: str, paths: set[str]) -> None:
    if pattern.strip("/"):
        spec = compiled(pattern)
        assert PathMatcher(paths).matching(pattern) == sorted(path for path in paths if spec.match_file(path))


@settings(deadline=None)
@given(pattern=_PIECES.map("".join), paths=st.sets(_NAMES, max_size=20))
def test_a_look_at_a_few_paths_sees_what_a_look_at_all_sees(pattern: str, paths: set[str]) -> None:
    matcher, few = PathMatcher(paths), sorted(paths)[::2]
    expected = [path for path in few if path in matcher.matching(pattern)]
    assert matcher.matching_among(pattern, few) == expected
    assert matcher.matches_any(pattern, few) is bool(expected)


@pytest.mark.parametrize("path", ["a*.py", "[x].ts", "#a", "!a", "q?", "back\\slash", "end ", "d/ends in two  "])
def test_a_path_taken_literally_matches_itself_alone(path: str) -> None:
    others = ["x.ts", "ab.py", "qq", "end", "deep/a"]
    assert PathMatcher([path, *others]).matching(f"/{literal(path)}") == [path]


def test_it_is_known_which_paths_there_are() -> None:
    matcher = PathMatcher(["a", "c"])
    assert [path for path in ("", "a", "b", "c", "d") if path in matcher] == ["a", "c"]


@pytest.mark.parametrize(("typed", "first"), [
    ("jwt.ts", ["src/auth/jwt.ts"]), ("src/jwt.ts", ["src/auth/jwt.ts"]), ("src/auth/jwtt.ts", ["src/auth/jwt.ts"]),
    ("zzzzzzzzzz", []),
])  # fmt: skip
def test_the_nearest_paths_share_the_name_or_the_spelling(typed: str, first: list[str]) -> None:
    assert PathMatcher(["README.md", "src/auth/jwt.ts", "src/db.ts"]).nearest(typed)[:1] == first


def test_a_glob_anchor_sees_a_file_that_came_later_and_was_never_indexed(project: Project) -> None:
    track(project, "src/db.ts")
    project.index()
    project.add("Close every cursor", "src/**/*.ts")
    track(project, "src/deep/new.ts")
    with project.open() as workspace:
        [neighbor] = workspace.graph.neighbors("src/deep/new.ts", depth=1).neighbors
        [judged] = workspace.learnings.show("1").anchors
    assert (neighbor.ref, neighbor.steps[0].description) == ("learning:1", "src/**/*.ts")
    assert set(near(project)) == {"src/db.ts", "src/deep/new.ts"}
    assert (judged.standing, judged.detail) == (Standing.FRESH, "matches 2 files")


def test_learnings_meet_in_a_file_that_only_a_glob_knows(project: Project) -> None:
    track(project, "src/db.ts")
    project.add("xerus", "src/*.ts")
    project.add("zebra", "**/db.ts")
    found = {result.stored.learning.content: result for result in project.search("xerus", expand=True).results}
    assert found["zebra"].path == ("src/db.ts", "learning:2")


def test_ignored_and_foreign_files_are_matched_by_no_glob(project: Project) -> None:
    project.write(".gitignore", "dist/\n")
    track(project, "dist/a.ts", "node_modules/p/a.ts", "a.ts")
    project.add("All sources", "**/*.ts")
    assert near(project) == ["a.ts"]


def test_untracked_files_are_matched_by_no_glob_until_they_are_tracked(project: Project) -> None:
    track(project, "a.ts")
    project.write("new.ts")
    project.add("All sources", "*.ts")
    assert (near(project), near(project, "new.ts")) == (["a.ts"], [])
    with pytest.raises(NotFound, match="git does not track"):
        project.add("New ones", "new*")
    track(project)
    project.add("New ones", "new*")


def test_a_glob_whose_files_are_all_gone_holds_no_more(project: Project) -> None:
    track(project, "src/db.ts")
    project.add("Close every cursor", "src/*.ts")
    (project.root / "src/db.ts").unlink()
    with project.open() as workspace:
        assert workspace.learnings.show("1").standing is Standing.GONE


@pytest.mark.parametrize(("pattern", "error", "message"), [
    *((leaving, UsageError, "outside the repository") for leaving in (
        "../*.ts", "/etc/*", "src/../../*.ts", "../../**",
    )),
    ("none/*.ts", NotFound, "matches no file"),
])  # fmt: skip
def test_a_glob_that_leaves_the_repository_or_matches_nothing_is_refused(
    project: Project, pattern: str, error: type[TxError], message: str
) -> None:
    project.write("src/db.ts")
    with pytest.raises(error, match=message):
        project.add("Nothing", pattern)


def test_a_file_whose_name_looks_like_a_glob_is_itself(project: Project) -> None:
    project.write("pages/[id].tsx", "one")
    project.write("pages/i.tsx", "two")
    project.git.git("add", "--all")
    project.add("About the page", "pages/[id].tsx")
    with project.open() as workspace:
        [anchor] = workspace.learnings.show("1").stored.learning.anchors
        assert (anchor.type, anchor.path) == (AnchorType.HASH, "pages/[id].tsx")
        tied = workspace.kernel.one(Linking).link("1", AnchorRequest(path="pages/[id].tsx", type=AnchorType.GLOB))
        assert tied.anchor.type is AnchorType.GLOB
        hood = workspace.graph.neighbors("1", depth=1)
    assert {neighbor.ref for neighbor in hood.neighbors} == {"pages/[id].tsx", "pages/i.tsx"}
