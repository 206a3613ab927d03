"""Chooses the anchors that a verification is about."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from tx_graph.codebase.globs import PathMatcher
from tx_graph.domain.anchor import Anchor, AnchorType, parse_anchor
from tx_graph.errors import NotFound
from tx_graph.services.anchoring.taking import Anchoring
from tx_graph.services.references import References
from tx_graph.services.verification.values import Scope
from tx_graph.storage.anchors import AnchorRow, AnchorStore
from tx_graph.storage.learnings import Label, LearningStore

Chosen = list[tuple[Label, AnchorRow]]


class Choosing:
    """Finds what a scope names.

    `changed_since` gives the paths that differ from a revision, `records_changed_since` the names of such records.
    """

    def __init__(
        self,
        *,
        learnings: LearningStore,
        anchors: AnchorStore,
        references: References,
        anchoring: Anchoring,
        changed_since: Callable[[str], Collection[str]],
        records_changed_since: Callable[[str], Collection[str]],
    ) -> None:
        self._learnings = learnings
        self._anchors = anchors
        self._references = references
        self._anchoring = anchoring
        self._changed_since = changed_since
        self._records_changed_since = records_changed_since

    def chosen(self, scope: Scope) -> Chosen:
        """Return the anchors in a scope with their learnings, by learning and anchor.

        Raises:
            NotFound: A learning, place or revision is unknown.
            RepositoryError: There is no git to ask what changed.
        """
        if not scope.places:
            return self._narrowed(_in_order(self._named(self._anchors.rows(), scope)), scope)
        found: dict[int, tuple[Label, AnchorRow]] = {}
        for place in scope.places:
            found |= {row.id: (label, row) for label, row in self._at(place, scope)}
        return self._narrowed(_in_order(found.values()), scope)

    def _named(self, rows: Sequence[AnchorRow], scope: Scope) -> Chosen:
        """Return those of the anchors whose learnings the scope may show, with these."""
        nodes = {row.learning for row in rows}
        labels = {label.node: label for label in self._learnings.labelled(nodes, withheld=scope.withheld)}
        return [(labels[row.learning], row) for row in rows if row.learning in labels]

    def _at(self, place: str, scope: Scope) -> Chosen:
        """Return the anchors of a learning, or those in a file or directory, or at a symbol, also one that is gone."""
        if self._references.is_learning(place):
            stored = self._references.learning(place)
            learning = stored.learning
            label = Label(
                node=stored.node,
                id=stored.id,
                uid=learning.uid,
                content=learning.content,
                record=stored.record,
                status=learning.status,
            )
            return [(label, row) for row in self._anchors.rows([stored.node])]
        typed = place.strip().removeprefix("file:")
        path = parse_anchor(typed).path
        paths = self._anchoring.candidates(path)
        wanted = [f"{candidate}{typed[len(path) :]}" for candidate in paths]
        rows = self._anchors.rows() if "." in paths else self._anchors.rows_in([one.rstrip("/") for one in paths])
        here = self._named([row for row in rows if self._is_at(row.anchor, wanted)], scope)
        if not here and not any(self._anchoring.existing(spec.partition("::")[0]) for spec in wanted):
            anchored = sorted({row.anchor.path for _, row in self._named(self._anchors.rows(), scope)})
            raise NotFound(f"There is no '{place}', and nothing is anchored there.", candidates=_near(place, anchored))
        return here

    def _is_at(self, anchor: Anchor, wanted: Sequence[str]) -> bool:
        return any(_lies_in(anchor, spec) for spec in wanted) or (
            anchor.type is AnchorType.GLOB and self._anchoring.matches_any(anchor.path, wanted)
        )

    def _narrowed(self, chosen: Chosen, scope: Scope) -> Chosen:
        if scope.since is None:
            return chosen
        changed = PathMatcher(self._changed_since(scope.since))
        records = frozenset(self._records_changed_since(scope.since))
        return [(label, row) for label, row in chosen if label.record in records or _is_touched(row.anchor, changed)]


def _in_order(chosen: Iterable[tuple[Label, AnchorRow]]) -> Chosen:
    return sorted(chosen, key=lambda one: (one[0].id, one[1].anchor.spec, one[1].anchor.type))


def _is_touched(anchor: Anchor, changed: PathMatcher) -> bool:
    return anchor.path in changed or (anchor.type is AnchorType.GLOB and bool(changed.matching(anchor.path)))


def _lies_in(anchor: Anchor, spec: str) -> bool:
    directory = "" if spec == "." else f"{spec.rstrip('/')}/"
    if spec in (anchor.spec, anchor.path):
        return True
    return anchor.path.startswith(directory) or anchor.spec.startswith(f"{spec}::")


def _near(place: str, paths: Sequence[str]) -> list[str]:
    from difflib import get_close_matches

    return get_close_matches(place, paths, n=3, cutoff=0.5)
