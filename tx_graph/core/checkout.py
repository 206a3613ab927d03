"""The checkout that a workspace is about: its files, its git, and what is kept beside them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from tx_graph.core.errors import RepositoryError
from tx_graph.core.place import DIRECTORY, LEARNINGS, Root

if TYPE_CHECKING:
    from tx_graph.core.globs import PathMatcher
    from tx_graph.core.repository import GitRepository, Skipped, WorkingFile
    from tx_graph.core.revisions import Side
    from tx_graph.core.working_tree import WorkingTree


class Checkout:
    """One working tree, in git or not, seen from the directory `cwd`."""

    is_snapshot = False
    """Whether these are the files of git's index or of a commit, which the database says nothing about."""

    def __init__(self, root: Root, *, cwd: Path, sources: Callable[[], Mapping[str, Path]] = dict) -> None:
        self._sources = sources
        self.root = root.path
        self.is_git = root.is_git
        self.cwd = cwd
        self._files: tuple[list[WorkingFile], frozenset[str], list[Skipped]] | None = None
        self._listed: PathMatcher | None = None
        self._tracked: PathMatcher | None = None
        self._user: str | None = None

    @cached_property
    def seen(self) -> Side:
        """What git compares commits with to tell what has changed here."""
        from tx_graph.core.revisions import TREE

        return TREE

    @cached_property
    def tree(self) -> WorkingTree:
        """The files as they are now."""
        from tx_graph.core.working_tree import WorkingTree

        return WorkingTree(self.root, cwd=self.cwd, sources=self._sources)

    @cached_property
    def repository(self) -> GitRepository | None:
        """The git repository, None outside git."""
        from tx_graph.core.repository import GitRepository

        return GitRepository(self.root) if self.is_git else None

    @cached_property
    def askable(self) -> GitRepository | None:
        """The git repository if git can be run: what can do without git, as indexing can, goes on."""
        from tx_graph.core.git import is_git_installed

        return self.repository if is_git_installed() else None

    def in_git(self, without: str, *, hint: str = "Run 'git init' there.") -> GitRepository:
        """Return the repository of git.

        Raises:
            RepositoryError: There is none; `without` says what there is not either, as a sentence's end.
        """
        if (found := self.repository) is None:
            raise RepositoryError(f"{self.root} is not a git repository, so {without}.", hint=hint)
        return found

    @property
    def caveat(self) -> str:
        """What to say of a listing: a sentence where there is a git repository that cannot be asked, else nothing."""
        from tx_graph.core.git import WITHOUT_GIT

        return WITHOUT_GIT if self.is_git and self.askable is None else ""

    def list_files(self, on_skip: Callable[[Skipped], None] = lambda _: None) -> list[WorkingFile]:
        """Return the project's files, by path, as they were when this use first asked (see `Kernel.forget`).

        `on_skip` hears of what is left out.
        """
        from tx_graph.core.repository import IgnoreRules, walk_files

        if self._files is None:
            skipped: list[Skipped] = []
            if self.askable is not None:
                files, new = self.askable.listing(on_skip=skipped.append)
            else:
                rules = IgnoreRules(self.root) if self.is_git else None
                files, new = walk_files(self.root, on_skip=skipped.append, rules=rules), frozenset()
            self._files = files, new, skipped
        for one in self._files[2]:
            on_skip(one)
        return self._files[0]

    def list_tracked(self, wanted: Callable[[str], object] = bool) -> list[WorkingFile]:
        """Return those wanted of the files that git tracks, by path; of all files where git cannot be asked."""
        if self._files is None and self.askable is not None:
            return self.askable.tracked_files(wanted)
        files = self.list_files()
        new = self._files[1] if self._files else frozenset()
        return [file for file in files if file.path not in new and wanted(file.path)]

    def list_documents(self, wanted: Callable[[str], object]) -> list[WorkingFile]:
        """Return the tracked files that are wanted, and those in folders of the setting `documents.sources`."""
        from tx_graph.core.repository import walk_files

        found = [*self.list_tracked(wanted)]
        for name, folder in self.tree.sources.items():
            found += (one._replace(path=f"{name}/{one.path}") for one in walk_files(folder) if wanted(one.path))
        return found

    def forget(self) -> None:
        """Ask git and the file system anew about everything."""
        self._files = self._listed = self._tracked = None
        self.tree.forget()
        self._user = None

    def listed_files(self) -> PathMatcher:
        """Return a matcher over the project's files."""
        from tx_graph.core.globs import PathMatcher

        self._listed = self._listed or PathMatcher(file.path for file in self.list_files())
        return self._listed

    def tracked_files(self) -> PathMatcher:
        """Return a matcher over the files that git tracks; outside git, over every listed one."""
        from tx_graph.core.globs import PathMatcher

        if self._tracked is None and self.repository:
            files = self.list_tracked() if self.askable else self.repository.tracked_files()
            self._tracked = PathMatcher(file.path for file in files)
        return self._tracked or self.listed_files()

    def changed_since(self, revision: str) -> list[str]:
        """Return the files that differ from where HEAD's line left that of a revision."""
        from tx_graph.core.revisions import files_changed_since

        repository = self._repository_to("ask what has changed", hint="Leave the revision out.")
        return files_changed_since(repository, revision, self.seen)

    def records_changed_since(self, revision: str) -> list[str]:
        """Return the names of records of learnings that differ likewise."""
        from tx_graph.core.revisions import below_changed_since

        below = f"{DIRECTORY}/{LEARNINGS}"
        changed = below_changed_since(self.repository, revision, below, self.seen) if self.repository else []
        return [path.removeprefix(f"{below}/") for path in changed]

    def parting_from(self, revision: str) -> str | None:
        """Return the commit where HEAD's line left that of a revision; None before the first commit."""
        from tx_graph.core.revisions import merge_base

        return merge_base(self._repository_to("compare with an older state of"), revision, self.seen)

    def default_branch(self) -> str:
        """Return the branch that others start from: that of origin, else main or master."""
        from tx_graph.core.revisions import default_branch

        return default_branch(self._repository_to("compare with an older state of"))

    def commit_named(self, revision: str) -> str:
        """Return the full name of a commit."""
        from tx_graph.core.revisions import full_name

        return full_name(self._repository_to("look a commit up in"), revision)

    def _repository_to(self, purpose: str, *, hint: str = "") -> GitRepository:
        if self.repository is None:
            raise RepositoryError(f"There is no git repository here to {purpose}.", hint=hint)
        return self.repository

    def subjects(self, commits: Collection[str]) -> dict[str, str]:
        """Return the first line of the message of each commit that git knows here."""
        from tx_graph.core.revisions import subjects

        return subjects(self.askable, commits) if self.askable else {}

    def user(self) -> str:
        """Return the name of the user as git knows it, empty where it knows none."""
        if self._user is None:
            from tx_graph.core.revisions import author

            self._user = author(self.askable) if self.askable else ""
        return self._user
