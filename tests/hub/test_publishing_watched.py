"""Who reads while others publish sees whole commits."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

from scripts.opened import open_workspace
from tests.attack.conftest import ROUNDS
from tests.git_sandbox import GitSandbox
from tests.hub.publishers import by_repository, everything, published
from tx_graph.hub.store import Hub

_READERS, _PUBLISHERS = 16, 4


def test_readers_see_whole_commits(project: GitSandbox, hub_url: str, hub: Hub, tmp_path: Path) -> None:
    for number in range(40):
        project.write(
            f"src/module{number}.py", f"docs/page{number}.md", text=f"# Part {number}\n\n## Of it\n\nIt is.\n"
        )
    project.commit()
    project.git("rm", "--quiet", "-r", "docs")
    project.commit("src/auth.py", "src/module1.py")
    commits = project.git("rev-parse", "HEAD", "HEAD~1").split()
    roots, wholes = [], list[object]()
    for number in range(_PUBLISHERS):
        root = tmp_path / f"clone{number}"
        project.git("clone", "--quiet", str(project.root), str(root))
        project.git("remote", "set-url", "origin", f"https://example.org/acme/shop{number}", at=root)
        for commit in commits:
            _publish(project, root, commit)
            wholes += by_repository(everything(hub_url)).values()
        roots.append(root)
    done = Event()

    def read() -> int:
        times = 0
        while not done.is_set():
            for number, shown in by_repository(everything(hub_url)).items():
                assert shown in wholes, number
            times += 1
        return times

    def publish(root: Path) -> None:
        for _ in range(ROUNDS):
            for commit in commits:
                _publish(project, root, commit)

    with ThreadPoolExecutor(_READERS + _PUBLISHERS) as pool:
        reading = [pool.submit(read) for _ in range(_READERS)]
        publishing = [pool.submit(publish, root) for root in roots]
        for one in publishing:
            one.exception()
        done.set()
        assert all(one.result() for one in reading)
        for one in publishing:
            one.result()


def _publish(project: GitSandbox, root: Path, commit: str) -> None:
    project.git("checkout", "--quiet", commit, at=root)
    with open_workspace(root) as workspace:
        published(workspace, force=True)
