"""Retrievers by name: those built in, and those that other packages offer as plug-ins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from tx_graph.errors import NotFound, UsageError
from tx_graph.ports import BUILT_IN_RETRIEVERS, RETRIEVER_GROUP
from tx_graph.services.search.matching import Hybrid, Matcher, Words
from tx_graph.storage.corpus import CorpusStore
from tx_graph.storage.selection import SelectionStore

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


class InstalledRetriever(NamedTuple):
    """A retriever that can be chosen: where it comes from, and why it cannot be loaded, if so."""

    name: str
    origin: str
    problem: str = ""


class Retrievers:
    """Hands out matchers; a plug-in is looked for only when a name is asked for that is none of the built-in ones."""

    def __init__(
        self,
        *,
        hybrid: Hybrid,
        words: Words,
        corpus: CorpusStore,
        selection: SelectionStore,
        standard: str,
        options: Sequence[str],
    ) -> None:
        self._built_in: Mapping[str, Matcher] = dict(zip(BUILT_IN_RETRIEVERS, (hybrid, words), strict=True))
        self._corpus = corpus
        self._selection = selection
        self.standard = standard
        self._options = options

    def named(self, name: str | None) -> Matcher:
        """Return the retriever called `name`, the standard one for None.

        Raises:
            NotFound: There is none such; those there are are named.
            UsageError: The options in the settings are not as they should be.
            ModelError: It cannot be loaded.
        """
        name = self.standard if name is None else name
        return self._built_in.get(name) or self._plugged(name)

    def installed(self) -> list[InstalledRetriever]:
        """Return all that can be chosen, the built-in ones first; each plug-in is loaded to see whether it can be."""
        built_in = [InstalledRetriever(name, "built in") for name in self._built_in]
        return [*built_in, *(_looked_at(name, point) for name, point in self._plug_ins.items())]

    def _plugged(self, name: str) -> Matcher:
        point = self._plug_ins.get(name)
        if point is None:
            raise NotFound(
                f"There is no retriever '{name}'.",
                hint=f"A package offers one by an entry point of the group {RETRIEVER_GROUP}.",
                candidates=[*self._built_in, *self._plug_ins],
            )
        from tx_graph.services.search.plugged import Plugged, failed

        try:
            opener = point.load()
        except Exception as error:  # whatever its modules raise, its user is to read it as one sentence
            raise failed(name, error) from error
        return Plugged(name, opener, corpus=self._corpus, selection=self._selection, options=_read(self._options))

    @cached_property
    def _plug_ins(self) -> Mapping[str, EntryPoint]:
        from importlib.metadata import entry_points

        found = sorted(entry_points(group=RETRIEVER_GROUP), key=lambda point: (point.name, point.value))
        return {point.name: point for point in reversed(found) if point.name not in self._built_in}


def _looked_at(name: str, point: EntryPoint) -> InstalledRetriever:
    from tx_graph.services.search.plugged import failed

    package = point.dist.name if point.dist else point.value
    try:
        point.load()
    except Exception as error:  # noqa: BLE001 - a plug-in may raise anything, and the doctor is to tell it
        return InstalledRetriever(name, package, failed(name, error).message)
    return InstalledRetriever(name, package)


def _read(options: Sequence[str]) -> dict[str, str]:
    """Return `NAME=VALUE` texts as a mapping."""
    pairs = [option.partition("=") for option in options]
    if odd := [name for name, equals, _ in pairs if not equals or not name.strip()]:
        raise UsageError(
            f"'{odd[0]}' in search.retriever_options is not of the form NAME=VALUE.", hint="See 'tx config'."
        )
    return {name.strip(): value.strip() for name, _, value in pairs}
