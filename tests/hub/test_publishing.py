"""Publishing a repository: what goes, what never does, and what is refused."""

from __future__ import annotations

import threading
from contextlib import suppress
from pathlib import Path

import pytest

from scripts.opened import Workspace, open_workspace
from tests.fakes import FixedClock, WordEmbedder
from tests.git_sandbox import GitSandbox
from tests.hub.publishers import NAME, everything, named, published
from tx_graph.core.errors import NotFound, RepositoryError, UsageError
from tx_graph.hub.collect_store import DIMENSION
from tx_graph.hub.collecting import HeldBack
from tx_graph.hub.repositories import forget, repositories, status
from tx_graph.hub.store import Hub, HubError
from tx_graph.knowledge.fact import FactStatus
from tx_graph.knowledge.facts import Facts
from tx_graph.learnings.learnings import Draft
from tx_graph.records.anchor import parse_anchor
from tx_graph.records.learning import Status

_SECRET = "AKIA" + "Q3EGRIZ7W2KPLM5X"


@pytest.fixture(autouse=True)
def _named(project: GitSandbox) -> None:
    named(project)


def _counts(hub: Hub, *tables: str) -> list[int]:
    return [hub.rows(f"SELECT count(*) FROM tx.{table}")[0][0] for table in tables]


def test_what_is_committed_is_published(project: GitSandbox, workspace: Workspace, hub: Hub) -> None:
    anchors = [parse_anchor("src/auth.py::login")]
    workspace.learnings.add_draft(Draft(content="Tokens live for an hour.", keywords=["token"], anchors=anchors))
    project.commit()
    done = published(workspace)
    assert (done.repository, done.commit) == (NAME, project.git("rev-parse", "HEAD"))
    assert done.added == {"file": 1, "learning": 1}
    assert hub.rows("SELECT content, keywords FROM tx.learnings") == [("Tokens live for an hour.", ["token"])]
    assert hub.rows("SELECT place, status FROM tx.anchors") == [("src/auth.py::login", "valid")]
    assert hub.rows("SELECT name FROM tx.symbols") == [("login",)]
    assert hub.rows("SELECT 1 FROM tx.learnings WHERE words @@ to_tsquery('tx.words', 'hours & token')")
    ends = hub.rows(
        "SELECT s.kind, t.kind FROM tx.edges e, tx.nodes s, tx.nodes t WHERE s.node = source AND t.node = target"
    )
    assert sorted(ends) == [("learning", "file"), ("learning", "symbol")]


def test_verdicts_are_of_the_commit(project: GitSandbox, workspace: Workspace, hub: Hub) -> None:
    workspace.learnings.add_draft(Draft(content="Logins work.", anchors=[parse_anchor("src/auth.py::login")]))
    (project.root / "src/auth.py").write_text("def login():\n    return None or check()\n", encoding="utf-8")
    project.commit()
    published(workspace)
    assert hub.rows("SELECT status, drift FROM tx.anchors") == [("drifted", "body")]


def test_what_changed_is_replaced_and_what_is_gone_goes(project: GitSandbox, workspace: Workspace, hub: Hub) -> None:
    (project.root / "src/other.py").write_text("import src.auth\n", encoding="utf-8")
    (project.root / "docs.md").write_text("# Guide\n\n## Tokens\n\nThey live.\n", encoding="utf-8")
    project.commit()
    published(workspace)
    before = dict(hub.rows("SELECT key, digest FROM tx.nodes WHERE kind = 'file'"))
    (project.root / "src/other.py").unlink()
    (project.root / "docs.md").write_text("# Guide\n\n## Secrets\n\nThey live.\n", encoding="utf-8")
    project.commit()
    done = published(workspace)
    assert (done.added, done.updated, done.removed) == ({}, {"file": 1}, {"file": 1})
    after = dict(hub.rows("SELECT key, digest FROM tx.nodes WHERE kind = 'file'"))
    assert after.keys() == {"src/auth.py", "docs.md"}
    assert after["src/auth.py"] == before["src/auth.py"]
    assert hub.rows("SELECT slug FROM tx.sections WHERE level = 2") == [("secrets",)]


def test_the_same_again_changes_nothing(project: GitSandbox, workspace: Workspace, hub_url: str, hub: Hub) -> None:
    published(workspace)
    before = everything(hub_url)
    assert not published(workspace).is_changed
    project.git("commit", "--quiet", "--allow-empty", "--message=nothing")
    done = published(workspace)
    assert not done.is_changed
    assert everything(hub_url) | {"repositories": []} == before | {"repositories": []}
    assert hub.rows("SELECT commit_sha FROM tx.repositories") == [(done.commit,)]


def test_a_dry_run_tells_and_writes_nothing(workspace: Workspace, hub_url: str, hub: Hub) -> None:
    done = published(workspace, dry_run=True)
    assert done.added == {"file": 1}
    assert not any(everything(hub_url).values())
    assert published(workspace).added == done.added


def test_nothing_that_is_not_for_others_is_sent(
    project: GitSandbox, workspace: Workspace, hub_url: str, hub: Hub
) -> None:
    facts = workspace.kernel.one(Facts)
    learnings = workspace.learnings
    learnings.add_draft(Draft(content="Staged zebra.", status=Status.STAGED))
    learnings.remove(learnings.add_draft(Draft(content="Removed zebra.")).stored.learning.uid)
    facts.add("Zebra", "owner", value="Private zebra", private=True, status=FactStatus.CONFIRMED)
    facts.add("Staged zebra", "uses", "Hidden zebra")
    facts.retract(facts.add("Retracted zebra", "owner", value="zebra", status=FactStatus.CONFIRMED).stored.id)
    run = workspace.runs.start(task=workspace.tasks.add("Task zebra").id, agent="zebra")
    learnings.add_draft(Draft(content="Told by a run.", status=Status.ACTIVE), run=run.id)
    project.commit()
    (project.root / "untracked.md").write_text("# Untracked zebra\n\nA zebra.\n", encoding="utf-8")
    published(workspace)
    found = everything(hub_url)
    assert "zebra" not in str(found).lower()
    assert [row[3] for row in found["learnings"]] == ["Told by a run."]


def test_records_that_git_ignores_are_left_out(
    project: GitSandbox, workspace: Workspace, hub_url: str, hub: Hub
) -> None:
    with (project.root / ".git/info/exclude").open("a", encoding="utf-8") as rules:
        rules.write("*.md\n")
    workspace.learnings.add("Nobody else knows this zebra.")
    workspace.kernel.one(Facts).add("Zebra", "uses", "Zebra two", status=FactStatus.CONFIRMED)
    done = published(workspace)
    assert "zebra" not in str(everything(hub_url)).lower()
    assert "Not in git here, and so left out: 2 learnings, facts and entities." in done.notices


def test_what_may_hold_a_secret_is_held_back_and_named(
    project: GitSandbox, workspace: Workspace, hub_url: str, hub: Hub
) -> None:
    added = workspace.learnings.add_draft(Draft(content=f"Use {_SECRET} as the key.", force=True)).stored.learning
    facts = workspace.kernel.one(Facts)
    fact = facts.add("Billing", "password", value=f"is {_SECRET}", status=FactStatus.CONFIRMED, force=True).stored.fact
    (project.root / "docs.md").write_text(
        f"# Guide\n\n## Keys\n\nThe key is {_SECRET}.\n\n## Rest\n\nFine.\n", encoding="utf-8"
    )
    (project.root / "keys.py").write_text(f'def key(secret="{_SECRET}"):\n    pass\n', encoding="utf-8")
    project.commit()
    done = published(workspace)
    told = {(one.kind, one.ref) for one in done.held_back}
    assert told == {
        ("learning", added.uid),
        ("fact", fact.uid),
        ("section", "docs.md#keys"),
        ("symbol", "keys.py::key"),
    }
    assert _SECRET not in str(everything(hub_url)) + str(done)
    assert hub.rows("SELECT slug FROM tx.sections WHERE level = 2") == [("rest",)]
    again = published(workspace)
    assert (again.held_back, again.is_changed) == (done.held_back, False)
    assert all(isinstance(one, HeldBack) for one in again.held_back)


def test_texts_that_postgresql_does_not_hold(project: GitSandbox, workspace: Workspace, hub: Hub) -> None:
    (project.root / "odd.md").write_text("# N\0ul\n\n## Here \U0001f600\n\nA \0 b \ufffe.\n", encoding="utf-8")
    long = " ".join(f"word{number}" for number in range(90_000))
    workspace.learnings.add(f"Long: {long}")
    workspace.learnings.add(f"Longer: {'x' * 5_000}")
    project.commit()
    published(workspace)
    assert _counts(hub, "learnings") == [2]


def test_vectors_go_where_they_fit(project: GitSandbox, clock: FixedClock, hub: Hub) -> None:
    (project.root / ".tx/config.toml").write_text("", encoding="utf-8")
    project.commit()
    with open_workspace(project.root, clock=clock, embedder=WordEmbedder(dimension=DIMENSION)) as workspace:
        workspace.learnings.add("Tokens live for an hour.")
        project.commit()
        assert published(workspace).rows["vectors"] == 1
        assert hub.rows("SELECT kind, model, vector_dims(vector) FROM tx.vectors") == [("learning", "words", DIMENSION)]
    with open_workspace(project.root, clock=clock, embedder=WordEmbedder(model="other", dimension=8)) as workspace:
        workspace.embedding.catch_up("learnings", most=None)
        done = published(workspace)
        assert "Vectors of other models than the hub keeps were left out: 1, not of 384 numbers." in done.notices
        assert _counts(hub, "vectors") == [0]


def test_a_hub_without_vectors_says_so(workspace: Workspace, hub: Hub) -> None:
    hub.write("DROP TABLE tx.vectors")
    hub.write("UPDATE tx.hub SET has_vectors = false")
    assert "finds by words alone" in published(workspace).notices[0]


def test_files_have_to_be_as_head_has_them(project: GitSandbox, workspace: Workspace, hub: Hub) -> None:
    workspace.learnings.add("Not committed.")
    with pytest.raises(RepositoryError, match=r"not as HEAD has them: \.tx/learnings/"):
        published(workspace)
    project.commit()
    project.write("src/auth.py", text="# a change\n")
    with pytest.raises(RepositoryError, match=r"not as HEAD has them: src/auth\.py\."):
        published(workspace, force=True)
    assert _counts(hub, "repositories", "nodes") == [0, 0]


def test_there_has_to_be_a_commit(project: GitSandbox, workspace: Workspace, hub: Hub) -> None:
    project.git("checkout", "--quiet", "--orphan", "empty")
    with pytest.raises(RepositoryError, match="Nothing has been committed"):
        published(workspace)


def test_a_repository_needs_a_name(project: GitSandbox, workspace: Workspace, hub: Hub) -> None:
    project.git("remote", "remove", "origin")
    with pytest.raises(UsageError, match="no remote 'origin'"):
        published(workspace)
    (project.root / ".tx/config.toml").write_text('hub.repository = "GitHub.com/acme/else"\n', encoding="utf-8")
    project.commit()
    with open_workspace(project.root) as again:
        assert published(again).repository == "github.com/acme/else"


def test_a_sparse_checkout_is_refused(project: GitSandbox, workspace: Workspace, hub: Hub) -> None:
    project.commit("docs/a.txt")
    project.git("sparse-checkout", "set", "docs")
    with pytest.raises(RepositoryError, match="sparse checkout"):
        published(workspace)


def test_an_older_commit_after_a_newer_one_is_refused(project: GitSandbox, workspace: Workspace, hub: Hub) -> None:
    project.commit("src/new.py")
    newer = published(workspace).commit
    project.git("checkout", "--quiet", "HEAD~1")
    with pytest.raises(HubError, match=f"later commit already .{newer[:12]}"):
        published(workspace)
    with pytest.raises(HubError, match="later commit already"):
        published(workspace, dry_run=True)
    assert hub.rows("SELECT commit_sha FROM tx.repositories") == [(newer,)]
    older = published(workspace, force=True).commit
    assert hub.rows("SELECT commit_sha FROM tx.repositories") == [(older,)]
    assert hub.rows("SELECT path FROM tx.files") == [("src/auth.py",)]


def test_where_a_commit_is_not_known_its_time_decides(project: GitSandbox, workspace: Workspace, hub: Hub) -> None:
    published(workspace)
    hub.write("UPDATE tx.repositories SET commit_sha = repeat('0', 40), committed_at = committed_at + interval '1 day'")
    with pytest.raises(HubError, match="later commit already"):
        published(workspace)
    hub.write("UPDATE tx.repositories SET committed_at = committed_at - interval '2 days'")
    published(workspace)


def test_what_a_hub_calls_a_commit_is_no_option_of_git(project: GitSandbox, workspace: Workspace, hub: Hub) -> None:
    published(workspace)
    hub.write("UPDATE tx.repositories SET commit_sha = '--output=/nowhere'")
    assert status(workspace.kernel).behind is None
    assert published(workspace, force=True).commit == project.git("rev-parse", "HEAD")


def test_two_publishers_at_once(project: GitSandbox, hub_url: str, hub: Hub, tmp_path: Path) -> None:
    """Both send another commit; the hub shows one of them, and each table is of that."""
    roots = []
    for number in range(2):
        project.commit(f"src/module{number}.py", f"docs/page{number}.md")
        roots.append(tmp_path / f"clone{number}")
        project.git("clone", "--quiet", str(project.root), str(roots[-1]))
        GitSandbox.git(project, "remote", "set-url", "origin", f"https://{NAME}", at=roots[-1])
    alone = []
    for root in roots:
        with open_workspace(root) as workspace:
            published(workspace, force=True)
            alone.append(everything(hub_url))
    for _ in range(3):
        threads = [threading.Thread(target=_publish, args=(root,)) for root in roots]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert everything(hub_url) in alone


def _publish(root: Path) -> None:
    with open_workspace(root) as workspace, suppress(HubError):
        published(workspace)


@pytest.fixture
def shown(workspace: Workspace, hub: Hub) -> Workspace:
    published(workspace)
    return workspace


def test_repositories_are_listed(shown: Workspace, project: GitSandbox) -> None:
    (one,) = repositories(shown.kernel)
    assert (one.name, one.commit, one.committed_at) == (NAME, project.git("rev-parse", "HEAD"), "2024-01-01T00:00:00Z")
    assert one.rows["files"] == 1


def test_the_status_says_how_far_a_hub_is_behind(shown: Workspace, project: GitSandbox) -> None:
    assert status(shown.kernel).behind == 0
    project.commit("src/new.py")
    found = status(shown.kernel)
    assert (found.name, found.repositories, found.behind, found.vectors) == (NAME, 1, 1, True)


def test_a_repository_is_forgotten(shown: Workspace, hub_url: str) -> None:
    with pytest.raises(NotFound, match="shows you no repository") as raised:
        forget(shown.kernel, "github.com/acme/shap", yes=True, agree=bool)
    assert raised.value.candidates == (NAME,)
    with pytest.raises(UsageError, match="would be forgotten"):
        forget(shown.kernel, NAME, agree=lambda _: False)
    forget(shown.kernel, NAME, agree=lambda _: True)
    assert not any(everything(hub_url).values())
    assert published(shown).added == {"file": 1}
