"""The page that is read before starting, over real repositories."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import Project
from tx_graph.context.page import ContextRequest, Markdown, Page
from tx_graph.core.errors import ModelError, NotFound, OutsideRepository, UsageError
from tx_graph.core.text import by_characters
from tx_graph.history.cochanges import CoChangeRequest
from tx_graph.records.learning import Status
from tx_graph.work.runs import record_shown
from tx_graph.work.values import Outcome


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    found = Project(tmp_path, monkeypatch)
    found.write("src/auth.py", "from src import jwt\n\ndef login():\n    return jwt.decode()\n")
    found.write("src/jwt.py", "def decode():\n    return True\n")
    found.write("docs/colours.md", "# Colours\n")
    found.git.commit()
    found.index()
    return found


def page(project: Project, text: str = "", *files: str, **options: object) -> Page:
    """Ask for a page."""
    request = ContextRequest(text=text, files=files, **options)  # type: ignore[arg-type]
    with project.open() as workspace:
        return workspace.context.page(request, Markdown(), count=by_characters)


def told(found: Page) -> list[tuple[str, tuple[str, ...]]]:
    """Return the learnings on a page with the reasons for each."""
    return [(one.result.stored.learning.content, one.reasons) for one in found.shown.learnings]


def test_a_question_is_answered_with_what_was_learned(project: Project) -> None:
    project.add("Tokens expire after an hour")
    project.add("Colours come from the theme")
    assert told(page(project, "when do tokens expire?")) == [("Tokens expire after an hour", ("matches by words",))]


def test_an_open_file_brings_what_is_anchored_to_it_and_around_it(project: Project) -> None:
    project.add("Decoding never raises", "src/jwt.py")
    project.add("Logins are counted", "src/auth.py")
    project.add("Colours come from the theme", "docs/colours.md")
    assert told(page(project, "", "src/auth.py")) == [
        ("Logins are counted", ("anchored to the open `src/auth.py`",)),
        ("Decoding never raises", ("anchored to `src/jwt.py`, imported by the open `src/auth.py`",)),
    ]


def test_what_is_much_less_relevant_than_the_best_is_not_worth_a_line(project: Project) -> None:
    project.write("src/far.py", "from src import near\n")
    project.write("src/near.py", "from src import auth\n")
    project.index()
    project.add("Logins are counted", "src/auth.py")
    project.add("Far away", "src/far.py")
    assert [content for content, _ in told(page(project, "", "src/auth.py"))] == ["Logins are counted"]
    assert [content for content, _ in told(page(project, "", "src/near.py"))] == ["Logins are counted", "Far away"]


def test_without_expansion_only_what_matches_or_is_near_is_told(project: Project) -> None:
    project.add("Tokens expire after an hour", "src/jwt.py")
    project.add("Decoding never raises", "src/jwt.py")
    assert len(told(page(project, "when do tokens expire?", expand=True))) == 2
    assert len(told(page(project, "when do tokens expire?", expand=False))) == 1


def test_the_verdict_is_that_of_now(project: Project) -> None:
    project.add("Decoding never raises", "src/jwt.py::decode")
    project.write("src/jwt.py", "def decode():\n    raise ValueError\n")
    assert "drifted:body (code changed since, check before relying on it)" in page(project, "decoding").text


@pytest.mark.parametrize("status", [Status.STAGED, Status.SUPERSEDED, Status.RETRACTED])
def test_what_nobody_stands_for_is_left_out(project: Project, status: Status) -> None:
    project.add("Tokens expire after an hour", status=status)
    assert told(page(project, "tokens")) == []


def test_staged_learnings_are_shown_on_request_and_marked(project: Project) -> None:
    project.add("Tokens may expire", status=Status.STAGED)
    project.add("Tokens expire after an hour")
    found = page(project, "tokens expire", include_staged=True)
    assert [content for content, _ in told(found)] == ["Tokens expire after an hour", "Tokens may expire"]
    assert found.text.count("staged: proposed, confirmed by nobody") == 1


def test_usual_partners_of_open_files_are_told_unless_they_are_open_too(project: Project) -> None:
    for _ in range(4):
        for path in ("src/auth.py", "docs/colours.md"):
            project.write(path, (project.root / path).read_text() + "# more\n")
        project.git.commit()
    with project.open() as workspace:
        workspace.cochanges.run(CoChangeRequest())
    forgotten = page(project, "", "src/auth.py", limit_files=0).shown.partners
    assert [(one.path, one.file, one.shared, one.commits) for one in forgotten] == [
        ("docs/colours.md", "src/auth.py", 5, 5)
    ]
    assert page(project, "", "src/auth.py,docs/colours.md", limit_files=0).shown.partners == ()


@pytest.mark.parametrize("name", ["task:1", "1", "GH-7", "gh-7"])
def test_a_task_is_searched_for_by_what_it_says(project: Project, name: str) -> None:
    project.add("Tokens expire after an hour")
    with project.open() as workspace:
        workspace.tasks.add("Refresh", description="When tokens expire", external_id="GH-7")
    found = page(project, name)
    assert [content for content, _ in told(found)] == ["Tokens expire after an hour"]
    assert "**GH-7 (task:1)** · open\n> Refresh\n>\n> When tokens expire\n" in found.text


@pytest.mark.parametrize("name", ["task:9", "9", "task:GH-9", "GH-9"])
def test_an_unknown_task_is_an_error_that_names_the_nearest(project: Project, name: str) -> None:
    with project.open() as workspace:
        workspace.tasks.add("Refresh", external_id="GH-7")
    with pytest.raises(NotFound, match="There is no task") as refused:
        page(project, name)
    assert refused.value.candidates == ("1 (GH-7) Refresh",)


def test_what_looks_like_an_id_where_no_task_has_such_is_a_question_and_that_is_said(project: Project) -> None:
    project.add("Digests are SHA-256")
    found = page(project, "SHA-256")
    assert [content for content, _ in told(found)] == ["Digests are SHA-256"]
    assert found.shown.notices == ("There is no task 'SHA-256'; it was taken for a question.",)


def test_open_tasks_and_last_runs_are_told_but_not_the_task_or_run_at_hand(project: Project) -> None:
    stored = project.add("Tokens expire after an hour")
    with project.open() as workspace:
        task, other = workspace.tasks.add("Refresh tokens"), workspace.tasks.add("Colours")
        past = workspace.runs.start(task=task.ref, agent="robin")
        record_shown(workspace.kernel, past.ref, [(stored.node, 1.0)])
        workspace.runs.finish(past.ref, Outcome.FAILED)
        current = workspace.runs.start(task=task.ref)
    found = page(project, task.ref, run=current.ref)
    assert [one.id for one in found.shown.tasks] == [other.id]
    assert [one.id for one in found.shown.runs] == [past.id]
    assert '- run:1: failed, 2026-11-20 by robin, for task:1 "Refresh tokens"\n' in found.text


def test_a_run_keeps_what_it_was_shown(project: Project) -> None:
    first = project.add("Tokens expire after an hour")
    project.add("word " * 500 + " tokens expire")
    with project.open() as workspace:
        run = workspace.runs.start()
    found = page(project, "tokens expire after an hour", run=run.ref, budget=300)
    with project.open() as workspace:
        used = workspace.runs.show(run.ref).used
    assert [(one.stored.id, one.use.position) for one in used] == [(first.id, 1)]
    assert [one.use.score for one in used] == [one.result.relevance for one in found.shown.learnings]


def test_an_unknown_or_finished_run_is_refused(project: Project) -> None:
    with pytest.raises(NotFound, match="no run '3'"):
        page(project, "tokens", run="3")
    with project.open() as workspace:
        run = workspace.runs.start()
        workspace.runs.finish(run.ref, Outcome.SUCCEEDED)
    with pytest.raises(UsageError, match="run:1 is finished"):
        page(project, "tokens", run=run.ref)


def test_a_learning_larger_than_the_budget_is_counted_and_smaller_ones_are_shown(project: Project) -> None:
    project.add("tokens " * 4_000)
    project.add("Tokens expire after an hour")
    found = page(project, "tokens expire")
    assert [content for content, _ in told(found)] == ["Tokens expire after an hour"]
    assert found.text.endswith("… and 1 learning more; a bigger --budget shows more.\n")


def test_a_repository_without_anything_learned_has_a_page(project: Project) -> None:
    assert page(project, "tokens").tokens < 100


def test_files_are_ranked_where_nothing_was_learned(project: Project) -> None:
    assert "src/jwt.py" in [one.path for one in page(project, "", "src/auth.py").shown.files]
    assert "docs/colours.md" in [one.path for one in page(project, "which colours are there?").shown.files]


def test_as_many_files_are_named_as_asked(project: Project) -> None:
    assert len(page(project, "auth jwt colours", limit_files=1).shown.files) == 1
    assert page(project, "auth jwt colours", limit_files=0).shown.files == ()


def test_open_files_that_are_none_are_refused(project: Project) -> None:
    with pytest.raises(NotFound, match="matches no file"):
        page(project, "", "nothing/**")
    with pytest.raises(NotFound, match="There is no file"):
        page(project, "tokens", "src/gone.py")
    with pytest.raises(OutsideRepository, match="outside the repository"):
        page(project, "", "../elsewhere.py")


def test_an_unknown_retriever_is_refused(project: Project) -> None:
    with pytest.raises((NotFound, ModelError), match="no retriever 'nobody'"):
        page(project, "tokens", retriever="nobody")


@pytest.mark.parametrize("budget", [0, -1, 99])
def test_a_budget_below_the_least_is_refused(budget: int) -> None:
    with pytest.raises(UsageError, match=r"at least 100 tokens"):
        ContextRequest(text="tokens", budget=budget)


@pytest.mark.parametrize("text", ["", "  \n"])
def test_without_a_question_and_files_there_is_nothing_to_tell(text: str) -> None:
    with pytest.raises(UsageError, match="nothing to give context for"):
        ContextRequest(text=text)
