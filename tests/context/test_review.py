"""What a review says of a change, and who answers for code."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from subprocess import CalledProcessError

import pytest

from tests.git_sandbox import GitSandbox
from tests.support import Project
from tx_graph.anchors import reports
from tx_graph.context.concern import CONCERNED, concern
from tx_graph.context.recall import recall
from tx_graph.context.review import FailOn, Review, review
from tx_graph.context.review_page import MARKER, markdown_of, text_of
from tx_graph.context.who import Ownership, Responsible
from tx_graph.core.changes import Change, change_of
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.core.repository import GitRepository
from tx_graph.core.text import by_characters
from tx_graph.documents.documents import Documents
from tx_graph.history.cochanges import CoChangeAnalysis
from tx_graph.history.owners import CodeOwners, rules_of
from tx_graph.knowledge.facts import Facts

AUTH = """LIFETIME = 30


def login(user):
    return token(user, LIFETIME)


def token(user, minutes):
    return f"{user}:{minutes}"


def check_token(text):
    return ":" in text
"""
FILES = {
    "src/auth.py": AUTH,
    "src/app.py": "from auth import login, check_token\n\n\ndef main(user):\n    return check_token(login(user))\n",
    "src/other.py": "def quiet():\n    return 1\n",
    "tests/test_auth.py": "from auth import login\n\n\ndef test_login():\n    assert login('a')\n",
    "docs/guide.md": "# Guide\n\nCall `check_token` from src/auth.py first.\n\nOr check the text yourself.\n",
    "CHANGELOG.md": "# Changes\n\nAdded `check_token`.\n",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(tmp_path, monkeypatch)
    for path, text in FILES.items():
        project.write(path, text)
    project.git.commit()
    return project


def ready(project: Project) -> None:
    """Bring everything up to date that a review reads."""
    project.index()
    with project.open() as workspace:
        workspace.kernel.one(Documents).ingest()
        workspace.kernel.one(CoChangeAnalysis).analyze_cochanges()


def reviewed(project: Project, between: str | None = None, **options: object) -> Review:
    ready(project)
    with project.open() as workspace:
        return review(workspace.kernel, between, **options)  # type: ignore[arg-type]


def replace(project: Project, path: str, old: str, new: str) -> None:
    text = (project.root / path).read_text(encoding="utf-8")
    assert old in text
    project.write(path, text.replace(old, new))


def change(git: GitSandbox, **options: object) -> Change:
    return change_of(GitRepository(git.root), **options)  # type: ignore[arg-type]


# --- the change ---------------------------------------------------------------------------------


def test_a_change_has_renames_hunks_new_files_and_what_is_gone(project: Project) -> None:
    git = project.git
    replace(project, "src/auth.py", "30", "45")
    git.git("mv", "src/app.py", "src/start here.py")
    (project.root / "src" / "other.py").unlink()
    project.write("src/näw.py", "x = 1\n")
    found = {one.path: one for one in change(git).files}
    assert found.keys() == {"src/auth.py", "src/start here.py", "src/other.py", "src/näw.py"}
    (hunk,) = found["src/auth.py"].hunks
    assert (hunk.removed, hunk.added, hunk.header) == (("LIFETIME = 30",), ("LIFETIME = 45",), "@@ -1,1 +1,1 @@")
    assert found["src/start here.py"].is_renamed
    assert found["src/other.py"].is_gone
    assert found["src/näw.py"].is_new


def test_a_change_is_between_what_it_was_asked_for(project: Project) -> None:
    git = project.git
    git.git("branch", "base")
    replace(project, "src/auth.py", "30", "45")
    git.commit()
    replace(project, "src/app.py", "main", "start")
    git.git("add", "--all")
    replace(project, "src/other.py", "1", "2")
    paths = {
        name: [one.path for one in found.files]
        for name, found in {
            "tree": change(git),
            "index": change(git, staged=True),
            "since": change(git, since="base"),
            "range": change(git, between="base..HEAD"),
        }.items()
    }
    assert paths == {
        "tree": ["src/app.py", "src/other.py"],
        "index": ["src/app.py"],
        "since": ["src/app.py", "src/auth.py", "src/other.py"],
        "range": ["src/auth.py"],
    }
    with pytest.raises(UsageError, match="is no range"):
        change(git, between="base")
    with pytest.raises(UsageError, match="different changes"):
        change(git, since="base", staged=True)
    with pytest.raises(NotFound):
        change(git, between="nowhere..HEAD")


# --- what it makes untrue -----------------------------------------------------------------------


def test_what_a_change_breaks_comes_with_its_hunk_and_how_likely_it_is_concerned(project: Project) -> None:
    project.add("Tokens expire after `LIFETIME` minutes, 30 by default.", "src/auth.py")
    project.add("Nobody but the shop calls this.", "src/auth.py::check_token")
    project.git.commit()
    replace(project, "src/auth.py", "LIFETIME = 30", "LIFETIME = 45")
    found = reviewed(project)
    (one,) = found.untrue
    assert (one.path, one.line, one.hunk, one.terms) == ("src/auth.py", 1, "@@ -1,1 +1,1 @@", ("30",))
    assert one.is_concerned
    assert found.fails(FailOn.CONCERNED)
    assert not found.fails(FailOn.NEVER)
    (known,) = found.known
    assert (known.symbol, known.score) < ("check_token", 1.0)


def test_what_was_broken_before_is_none_of_this_change(project: Project) -> None:
    project.add("Tokens are plain text.", "src/auth.py::token")
    replace(project, "src/auth.py", 'f"{user}:{minutes}"', 'f"{user}/{minutes}"')
    project.git.commit()
    replace(project, "src/auth.py", "LIFETIME = 30", "LIFETIME = 45")
    found = reviewed(project)
    assert found.untrue == ()
    assert any("did not hold before this change" in one for one in found.notices)
    assert len(reviewed(project, since="HEAD~1").untrue) == 1


def test_a_fact_whose_source_changes_is_untrue_too(project: Project) -> None:
    with project.open() as workspace:
        workspace.kernel.one(Facts).add("Auth", "lifetime", "30 minutes", source_ref="src/auth.py::token")
    replace(project, "src/auth.py", 'f"{user}:{minutes}"', 'f"{user}/{minutes}"')
    (one,) = reviewed(project).untrue
    assert (one.kind, one.symbol) == ("fact", "token")
    assert one.checked is not None
    assert "fact:confirm" in one.checked.advice


def test_documents_that_name_what_is_gone_are_untrue_and_code_that_does_is_missing(project: Project) -> None:
    replace(project, "src/auth.py", "def check_token", "def verify_token")
    found = reviewed(project)
    (one,) = found.untrue
    assert (one.kind, one.ref, one.terms) == ("document", "docs/guide.md:3", ("check_token",))
    app = next(each for each in found.companions if each.path == "src/app.py")
    assert app.line == 1
    assert "still names `check_token`" in app.reasons[0]


def test_a_name_that_is_still_declared_somewhere_is_not_gone(project: Project) -> None:
    replace(project, "src/auth.py", 'def check_token(text):\n    return ":" in text\n', "")
    project.write("src/tokens.py", 'def check_token(text):\n    return ":" in text\n')
    assert reviewed(project).untrue == ()


@pytest.mark.parametrize(
    ("text", "removed", "added", "is_concerned"),
    [
        ("Retries 3 times.", ["RETRIES = 3"], ["RETRIES = 5"], True),
        ("Waits 3,600 seconds.", ["WAIT = 3_600"], ["WAIT = 60"], True),
        ("Cookies last 14 days.", ["AGE = 14 * DAY  # 14 days"], ["AGE = 15 * DAY  # 14 days"], True),
        ("Cookies last 14 days.", ["AGE = 14 * DAY"], ["AGE = MONTHS * 14 * DAY"], False),
        ("`fetch` must not be called twice.", ["    fetch(url)"], ["    load(url)"], True),
        ("Order matters here, for the sake of speed.", ["    x = 1"], ["    y = 2"], False),
        ("`fetch` must not be called twice.", ["    x = 1"], ["    y = 2"], False),
    ],
)
def test_a_text_is_concerned_by_what_it_speaks_of(
    text: str, removed: Sequence[str], added: Sequence[str], *, is_concerned: bool
) -> None:
    assert (concern(text, removed, added, extent=0.1).score >= CONCERNED) is is_concerned


# --- what to know, what is missing, who ----------------------------------------------------------


def test_learnings_of_what_uses_the_changed_code_are_told_after_its_own(project: Project) -> None:
    project.add("Formatting alone.", "src/auth.py::login")
    project.add("The start page calls it with a guest.", "src/app.py::main")
    project.add("All sources.", "src/*.py")
    project.add("Nothing to do with it.", "src/other.py::quiet")
    project.git.commit()
    replace(project, "src/auth.py", "def login(user):", "def login(user):\n    # a comment")
    found = reviewed(project)
    assert [one.text for one in found.known] == [
        "Formatting alone.",
        "The start page calls it with a guest.",
        "All sources.",
    ]
    assert "which uses `login`" in found.known[1].reasons[0]


def test_usual_partners_and_tests_are_named_with_their_figures(project: Project) -> None:
    for number in range(5):
        replace(project, "src/auth.py", f"LIFETIME = {30 + number}", f"LIFETIME = {31 + number}")
        project.git.commit("settings.ini")
    replace(project, "src/auth.py", "LIFETIME = 35", "LIFETIME = 60")
    whole = reviewed(project)
    found = {one.path: one for one in whole.companions}
    assert (found["settings.ini"].shared, found["settings.ini"].commits) == (5, 6)
    assert "changed in 5 of 6 commits to `src/auth.py`" in found["settings.ini"].reasons[0]
    assert whole.tests == ("tests/test_auth.py",)


def test_what_tests_use_is_no_test_to_run(project: Project) -> None:
    used = "from auth import login\n\n\ndef known():\n    return login('a')\n"
    for path in ("tests/conftest.py", "tests/login_helpers.py", "tests/test_utils.py"):
        project.write(path, used)
    project.git.commit()
    replace(project, "src/auth.py", "def login(user):", "def login(user):\n    assert user")
    assert set(reviewed(project).tests) == {"tests/test_auth.py", "tests/test_utils.py"}


def test_the_page_keeps_to_its_budget_and_counts_what_it_leaves_out(project: Project) -> None:
    for number in range(30):
        project.add(f"Number {number} of what there is to know of tokens.", "src/auth.py::token")
    project.git.commit()
    replace(project, "src/auth.py", "LIFETIME = 30", "LIFETIME = 45")
    found = reviewed(project)
    page = text_of(found, budget=300)
    assert by_characters(page) <= 300
    assert "under “To know before merging” more" in page


def test_what_is_untrue_is_said_in_brief_before_what_matters_less_is_said_at_all(project: Project) -> None:
    project.add("A token is good for 30 minutes, as the law has it, and not for longer.", "src/auth.py")
    project.git.commit()
    replace(project, "src/auth.py", "LIFETIME = 30", "LIFETIME = 45")
    page = text_of(reviewed(project), budget=100)
    assert "src/auth.py:1" in page
    assert by_characters(page) <= 100


def test_lines_of_documents_that_name_one_thing_are_one_entry_after_what_people_wrote_down(project: Project) -> None:
    project.add("`check_token` looks for a colon.", "src/auth.py")
    for name in "abcdefgh":
        project.write(f"docs/{name}.md", "Call `check_token`.\n\nThen `check_token` again.\n")
    project.git.commit()
    replace(project, "src/auth.py", "def check_token", "def verify_token")
    page = text_of(reviewed(project), budget=2_000)
    assert page.index("looks for a colon") < page.index("docs/a.md:1")
    assert page.count("'check_token' is gone") == 1
    assert "also 16 lines of 9 documents: `docs/b.md:1`, `docs/c.md:1`" in page
    assert "`docs/g.md:1`, 2 more" in page


def test_what_a_merge_left_in_conflict_is_said(project: Project) -> None:
    git = project.git
    git.git("checkout", "-q", "-b", "side")
    replace(project, "src/auth.py", "30", "45")
    git.commit()
    git.git("checkout", "-q", "-")
    replace(project, "src/auth.py", "30", "60")
    git.commit()
    with suppress(CalledProcessError):
        git.git("merge", "-q", "side")
    (notice,) = (one for one in reviewed(project).notices if "conflict" in one)
    assert notice.endswith("both sides: src/auth.py.")


def test_a_comment_begins_with_its_marker_and_calls_nobody(project: Project) -> None:
    project.write("CODEOWNERS", "* @team\n")
    project.add("Ask @bob </details> <img src=x> first: 30.", "src/auth.py")
    project.git.commit()
    replace(project, "src/auth.py", "LIFETIME = 30", "LIFETIME = 45")
    page = markdown_of(reviewed(project), budget=2_000)
    assert page.startswith(f"{MARKER}\n")
    assert "`@team`" in page
    assert "@bob" not in page
    assert page.count("</details>") == page.count("<details")
    assert "<img" not in page


def test_a_clean_tree_says_so(project: Project) -> None:
    found = reviewed(project)
    assert text_of(found, budget=200) == "Nothing has changed.\n"
    assert not found.fails(FailOn.UNTRUE)


def test_a_record_that_cannot_be_read_fails(project: Project) -> None:
    record = project.add("Tokens expire.", "src/auth.py").record
    assert record is not None
    (project.root / ".tx" / "learnings" / record).write_text("no record", encoding="utf-8")
    found = reviewed(project)
    assert found.unread == 1
    assert found.fails(FailOn.CONCERNED)


def test_named_files_are_reviewed_as_a_whole_before_anything_changed(project: Project) -> None:
    project.add("Tokens expire.", "src/auth.py::token")
    project.git.commit()
    found = reviewed(project, files=["src/auth.py"])
    assert found.changed == ("src/auth.py",)
    assert [one.symbol for one in found.known] == ["token"]


# --- who ------------------------------------------------------------------------------------------

OWNERS = """
*                @all   # everything
*.py             @python @org/team
/docs/*          writer@example.org
src/other.py
/src/a\\ b.py     @blank
"""


def test_the_last_matching_line_of_codeowners_counts() -> None:
    rules = CodeOwners(path="CODEOWNERS", rules=tuple(rules_of(OWNERS.split("\n"))))

    def owners(path: str) -> list[str]:
        return [name for one in rules.of(path) for name in one.owners]

    assert owners("Makefile") == ["@all"]
    assert owners("src/deep/a.py") == ["@python", "@org/team"]
    assert owners("docs/a.md") == ["writer@example.org"]
    assert owners("docs/deep/a.md") == ["@all"]
    assert owners("src/other.py") == []
    assert owners("src/a b.py") == ["@blank"]


def test_each_section_of_gitlab_has_its_own_last_match() -> None:
    text = "* @all\n[Docs][2] @writers\ndocs/\n*.md @readers\n^[Legal]\nLICENSE @law\n"
    rules = CodeOwners(path="CODEOWNERS", rules=tuple(rules_of(text.split("\n"))))
    assert [one.owners for one in rules.of("docs/a.md")] == [("@all",), ("@readers",)]
    assert [one.owners for one in rules.of("docs/a.txt")] == [("@all",), ("@writers",)]
    assert [one.owners for one in rules.of("LICENSE")] == [("@all",), ("@law",)]


def who(project: Project, place: str) -> Responsible:
    with project.open() as workspace:
        return workspace.kernel.one(Ownership).responsible(place)


def test_authors_are_told_by_lines_one_person_once_and_no_programs(project: Project) -> None:
    git = project.git
    project.write(".mailmap", "Ada <ada@example.org> <a@old.example>\n")
    project.write(".github/CODEOWNERS", "src/ @core\n")
    git.commit()
    people = ("Bob <bob@example.org>", "Ada L <a@old.example>", "Bob <bob@work.example>")
    for author in (*people, "dependabot[bot] <bot@example.org>"):
        git.write("src/auth.py", text=f"# {author}\n")
        git.git("commit", "--quiet", "--all", "--message=x", f"--author={author}")
    project.index()
    found = who(project, "src/auth.py")
    assert [(one.name, one.lines) for one in found.authors] == [("Ada", 14), ("Bob", 2)]
    assert [(one.name, one.place) for one in found.owners] == [("@core", ".github/CODEOWNERS:1")]
    assert [one.lines for one in who(project, "check_token")] == [2]
    assert who(project, "src").files == 3
    with pytest.raises(NotFound):
        who(project, "src/none.py")


def test_a_question_about_people_is_answered(project: Project) -> None:
    project.write("CODEOWNERS", "src/auth.py @core\n")
    project.git.commit()
    project.index()
    with project.open() as workspace:
        found = recall(workspace.kernel, "Who owns the auth?")
        other = recall(workspace.kernel, "what does the auth use")
        nothing = recall(workspace.kernel, "who owns src/none.py")
    assert [one.place for one in found.who] == ["src/auth.py"]
    assert found.answered
    assert "owned by @core (CODEOWNERS:1)" in found.narrative
    assert "written by Ada 100%" in found.narrative
    assert (other.who, nothing.who) == ((), ())


def test_a_review_says_who_owns_what_changed_and_who_wrote_around_it(project: Project) -> None:
    project.write("CODEOWNERS", "/src/ @core\n")
    project.git.commit()
    replace(project, "src/auth.py", "LIFETIME = 30", "LIFETIME = 45")
    found = reviewed(project)
    assert [(one.name, one.files) for one in found.who.owners] == [("@core", 1)]
    assert [one.name for one in found.who.authors] == ["Ada"]


def test_reports_for_ci_have_what_the_gate_stops_at(project: Project) -> None:
    project.add("Tokens expire after 30 minutes.", "src/auth.py")
    project.add("Somebody calls this.", "src/auth.py::token")
    project.git.commit()
    replace(project, "src/auth.py", "LIFETIME = 30", "LIFETIME = 45")
    replace(project, "src/auth.py", "return f", "x = 1\n    return f")
    replace(project, "src/auth.py", "def check_token", "def verify_token")
    found = reviewed(project)
    assert found.report is not None
    stopped = {one.text.partition(" ")[0]: one.stops for one in found.untrue}
    assert stopped == {"Tokens": True, "Somebody": False, "Call": True}
    lines = [*reports.log_lines(found.report, project.root)]
    assert any(line.startswith("::error file=docs/guide.md,line=3") for line in lines)
    levels = {one["level"] for one in reports.sarif(found.report, project.root)["runs"][0]["results"]}
    assert levels == {"note", "warning", "error"}


def test_what_is_staged_is_reviewed_as_it_is_staged(project: Project) -> None:
    project.add("Tokens expire after 30 minutes.", "src/auth.py")
    project.git.commit()
    replace(project, "src/auth.py", "LIFETIME = 30", "LIFETIME = 45")
    project.git.git("add", "--all")
    replace(project, "src/auth.py", "LIFETIME = 45", "LIFETIME = 30")
    assert reviewed(project).untrue == ()
    assert [one.terms for one in reviewed(project, staged=True).untrue] == [("30",)]
    project.git.git("commit", "--quiet", "--message=x")
    assert [one.terms for one in reviewed(project, "HEAD~1..HEAD").untrue] == [("30",)]
