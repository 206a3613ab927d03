"""Somebody who does at random what people do to a history."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from subprocess import CalledProcessError

from tests.support import Project

FILES = [f"{directory}{name}.py" for directory in ("", "src/", "src/deep/") for name in "abcdef"]


class Developer:
    """Does at random what people do to a history."""

    def __init__(self, project: Project, seed: int) -> None:
        self._git = project.git
        self._root = project.root
        self._random = Random(seed)
        self._branches = ["main"]
        self.commit()

    def act(self) -> str:
        """Do something and return what; what git refuses for a conflict is given up."""
        acts = {
            self.commit: 8,
            self.rename: 4,
            self.delete: 1,
            self.branch: 2,
            self.switch: 2,
            self.merge: 3,
            self.amend: 2,
            self.reset: 1,
            self.rebase: 1,
        }
        act = self._random.choices(list(acts), weights=list(acts.values()))[0]
        try:
            act()
        except CalledProcessError:
            self._give_up()
            return "gave up"
        return act.__name__

    def _give_up(self) -> None:
        for command in ("rebase", "merge"):
            with suppress(CalledProcessError):
                self._git.git(command, "--abort")
        self._git.git("reset", "--quiet", "--hard")

    def commit(self) -> None:
        self._git.commit(*self._random.sample(FILES, self._random.randint(1, 7)))

    def rename(self) -> None:
        present = self._present()
        free = [path for path in FILES if path not in present]
        if present and free:
            target = self._random.choice(free)
            (self._root / target).parent.mkdir(parents=True, exist_ok=True)
            self._git.git("mv", self._random.choice(present), target)
            self._git.commit(*self._random.sample(self._present(), min(2, len(self._present()))))

    def delete(self) -> None:
        if len(present := self._present()) > 3:
            self._git.git("rm", "--quiet", "-r", *self._random.sample(present, 2))
            self._git.commit()

    def branch(self) -> None:
        self._branches.append(f"branch{len(self._branches)}")
        self._git.git("checkout", "--quiet", "-b", self._branches[-1])
        self.commit()

    def switch(self) -> None:
        self._git.git("checkout", "--quiet", self._random.choice(self._branches))

    def merge(self) -> None:
        self._git.git("merge", "--quiet", "--no-edit", "-s", "ort", "-X", "ours", self._random.choice(self._branches))

    def amend(self) -> None:
        self._git.write(self._random.choice(FILES))
        self._git.git("add", "--all")
        self._git.git("commit", "--quiet", "--allow-empty", "--amend", "--no-edit")

    def reset(self) -> None:
        depth = int(self._git.git("rev-list", "--count", "--first-parent", "HEAD"))
        self._git.git("reset", "--quiet", "--hard", f"HEAD~{self._random.randint(0, min(3, depth - 1))}")

    def rebase(self) -> None:
        self._git.git("rebase", "--quiet", "-X", "ours", self._random.choice(self._branches))

    def _present(self) -> list[str]:
        return [path for path in self._git.git("ls-files").splitlines() if path in FILES]
