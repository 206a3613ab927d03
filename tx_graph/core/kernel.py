"""One open workspace: what every use case starts from."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from datetime import UTC, datetime
from functools import cached_property, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self, TypeVar, cast, final, runtime_checkable

from tx_graph.core.database import Database
from tx_graph.core.place import Place

if TYPE_CHECKING:
    from types import TracebackType

    from tx_graph.core.checkout import Checkout
    from tx_graph.core.ports import Clock, Embedder, Model, OpenRetriever
    from tx_graph.core.settings import Config
    from tx_graph.core.sources import Sources


T = TypeVar("T")


@runtime_checkable
class Forgetful(Protocol):
    """What outlives `Kernel.forget`, because it knows by itself what of it gets old."""

    def forget(self) -> None:
        """Let what was read of files count as old."""


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """The current time, in UTC, to the second: enough for people, and short in records."""
        return datetime.now(UTC).replace(microsecond=0)


def iso(moment: datetime) -> str:
    """Return a UTC time as records and rows have it, `2026-11-20T22:00:00Z`."""
    return moment.strftime(f"{moment.year:04}-%m-%dT%H:%M:%SZ")  # %Y has no leading zeros, and texts are compared


@final
class Kernel:
    """One repository with its memory, open. Close it, or use it as a context manager.

    Use cases take the kernel and nothing else. What they need of other rooms they ask it for: `kernel.one(References)`
    is the same object for everybody.
    """

    def __init__(
        self,
        place: Place,
        *,
        database: Database,
        clock: Clock,
        embedder: Embedder | None = None,
        model: Model | None = None,
        retriever: OpenRetriever | None = None,
        config: Config | None = None,
        register: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        self.place = place
        self.root = place.root.path
        self.cwd = place.cwd
        self.database = database
        self.clock = clock
        self.embedder = embedder
        self.model = model
        self.retriever = retriever
        self._config = config
        self._register = register or {}
        self._made: dict[Callable[[Kernel], Any], Any] = {}
        self._closing = ExitStack()

    def one(self, make: Callable[[Kernel], T]) -> T:
        """Return what `make` (a class, or a function) makes of this kernel: made at the first call, then kept."""
        if make not in self._made:
            self._made[make] = make(self)
        return cast(T, self._made[make])

    def registered(self, what: str, name: str) -> Any:
        """Return what a room above registered under this name, made of this kernel at the first call."""
        return self.one(find(self._register[what][name]).function)

    def call_all(self, what: str) -> None:
        """Call all functions that rooms above registered for some occasion with this kernel."""
        for place in self._register[what].values():
            find(place).function(self)

    @cached_property
    def config(self) -> Config:
        """What `.tx/config.toml` says."""
        from tx_graph.core.settings import Config

        return self._config or Config(self.place.config)

    @cached_property
    def lacking_retriever(self) -> str:
        """The retriever that the settings name, where this machine has no such plug-in; else nothing."""
        from tx_graph.core.ports import BUILT_IN_RETRIEVERS, RETRIEVER_GROUP

        if self.retriever or (name := str(self.config.get("search.retriever"))) in BUILT_IN_RETRIEVERS:
            return ""
        from importlib.metadata import entry_points

        return "" if entry_points(group=RETRIEVER_GROUP, name=name) else name

    @property
    def caveat(self) -> str:
        """What to say of settings that wait for the user's word, and of a journal that was not in order."""
        said = [self.config.caveat] if self.place.has_settings() else []
        if said and self.lacking_retriever:
            lacking = f"The retriever '{self.lacking_retriever}' of the settings is not installed here: hybrid answers."
            lacking += " Install its package, or run 'tx config set search.retriever hybrid'."
            said = [f"{said[0]} {lacking}".strip()]
        if said and self.config.texts("documents.sources"):
            said = [" ".join(filter(None, [*said, *self.sources.problems]))]
        return ". ".join(filter(None, [*said, *(self.database.journal.notices if self.database.journal else ())]))

    @cached_property
    def checkout(self) -> Checkout:
        """The files of the repository, and its git."""
        from tx_graph.core.checkout import Checkout

        return Checkout(self.place.root, cwd=self.cwd, sources=lambda: self.sources.folders)

    @property
    def sources(self) -> Sources:
        """The folders of documents outside the repository that the settings name, and what is wrong with them."""
        from tx_graph.core.sources import sources_of

        return sources_of(self.root, self.config.texts("documents.sources"))

    def now(self) -> str:
        """Return the time as records and rows have it, `2026-11-20T22:00:00Z`."""
        return iso(self.clock.now())

    def enter(self, context: AbstractContextManager[T]) -> T:
        """Enter a context, such as a process that reads history; it ends when the kernel forgets or is closed."""
        return self._closing.enter_context(context)

    def forget(self) -> None:
        """Begin another use, to which all that was read of files and of history is old: a workspace may live long.

        What has a `forget` of its own is asked to, and stays; everything else is made anew when it is next asked for.
        """
        self._closing.close()
        self._made = {make: made for make, made in self._made.items() if isinstance(made, Forgetful)}
        for made in self._made.values():
            made.forget()
        if "checkout" in vars(self):
            self.checkout.forget()

    def beside(self, checkout: Checkout) -> Kernel:
        """Return the same workspace over other files; whoever asked for it has it `forget`, and closes this one."""
        other = Kernel(
            self.place,
            database=self.database,
            clock=self.clock,
            embedder=self.embedder,
            model=self.model,
            retriever=self.retriever,
            config=self.config,
            register=self._register,
        )
        other.checkout = checkout
        return other

    def close(self) -> None:
        """End what was entered, and close the database."""
        self._closing.close()
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Found(NamedTuple):
    """A use case by its name: the class that has it, None for a function that takes the kernel."""

    owner: type | None
    function: Callable[..., Any]

    def bound(self, on: Any, given: dict[str, Any]) -> Callable[[], Any]:
        """Return the use case on a kernel, ready to be called; a function may take something else, like a directory."""
        bound = inspect.signature(self.function).bind_partial(on.one(self.owner) if self.owner else on)
        bound.arguments |= given
        return partial(self.function, *bound.args, **bound.kwargs)


def find(place: str) -> Found:
    """Return the use case at `module:Class.method` or `module:function` below this package, imported now."""
    module, _, name = place.partition(":")
    owner, _, method = name.rpartition(".")
    holder = import_module(f"tx_graph.{module}")
    kind = getattr(holder, owner) if owner else None
    return Found(kind, getattr(kind or holder, method))
