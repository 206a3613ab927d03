"""Who uses a file, a symbol or a package in other repositories, as those were last published."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Annotated, ClassVar

from tx_graph.code.imports import IMPORT_STRENGTH, ImportType
from tx_graph.code.resolvers import shared_depth
from tx_graph.code.symbols import unnumbered
from tx_graph.core.arguments import Arg
from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import NotFound
from tx_graph.core.kernel import Kernel
from tx_graph.core.shape import Answer, Rows
from tx_graph.graph.references import NodeKind
from tx_graph.graph.resolving import References
from tx_graph.hub.crossing_store import MOST, Crossing, CrossingStore
from tx_graph.hub.ecosystems import ECOSYSTEMS, ecosystem
from tx_graph.hub.identity import name_of, node_id
from tx_graph.hub.repository_store import Publication
from tx_graph.hub.store import Hub, address_of

NAME, FILE, PACKAGE = "name", "file", "package"
"""How sure it is that an import means a file: by a name that it declares, by its module, or only by its package."""
_CERTAINTY = {NAME: 0, FILE: 1, PACKAGE: 2}
_PREFIXED = re.compile(rf"({'|'.join(ECOSYSTEMS)}):(.+)")
_ELSEWHERE = re.compile(r"(?P<repository>[^\s:/]+/[^\s:]+):(?!:)(?P<path>.+)")
_MOST_SHOWN = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependent(Answer):
    """A line in another repository that imports what was asked for, by these names; none for the whole module.

    `certainty` is `name`, `file` or `package`. `target` is the file that answers, None for the package alone.
    `is_required`: the manifests of that repository name the package. `commit` is what the hub has of it, `age` how
    long ago that was made.
    """

    repository: str
    commit: str
    age: str
    path: str
    line: int
    module: str
    names: tuple[str, ...]
    type: str
    certainty: str
    target: str | None
    package: str
    is_required: bool
    JSON: ClassVar = (
        "repository commit age path line module names import_type=type certainty target package required=is_required"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement(Answer):
    """A manifest in a repository that requires a package, in these versions."""

    repository: str
    path: str
    range: str
    JSON: ClassVar = "repository path range"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependents(Rows[Dependent]):
    """Who uses something, the surest first; `total` counts what a limit cut off, too.

    `target` is what was asked for, `repositories` counts those that use it. `is_cut`: there is even more, which nobody
    counted. `requirements` are the manifests that name a package; `remark` says why there is nothing, or how to ask.
    """

    target: str
    dependents: tuple[Dependent, ...]
    requirements: tuple[Requirement, ...] = ()
    repositories: int = 0
    total: int = 0
    is_cut: bool = False
    remark: str = ""
    ROWS: ClassVar = "dependents"
    JSON: ClassVar = "target dependents requirements stats"

    @property
    def stats(self) -> dict[str, int | bool]:
        """How many there are, how many are told, in how many repositories, and whether that is all."""
        return {
            "found": max(self.total, len(self.dependents)),
            "shown": len(self.dependents),
            "repositories": self.repositories,
            "cut": self.is_cut,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What was asked for: a file of a repository, what it declares under a name, or a package."""

    shown: str
    repository: int = 0
    name: str = ""
    path: str = ""
    symbol: str = ""
    ecosystem: str = ""
    package: str = ""
    providers: tuple[int, ...] = ()


def dependents(
    kernel: Kernel,
    target: Annotated[str, Arg("REF", "A file or symbol here, REPOSITORY:PATH, or a package: sqlite-utils, npm:vue.")],
    *,
    limit: Annotated[
        int | None, Arg("N", "Most to show; otherwise 50, or all in JSON and --tsv.", flag="-n --limit")
    ] = None,
    is_script: bool = False,
) -> Dependents:
    """Show who uses a file, symbol or package in other repositories, as of the commits that the hub has of them.

    An import leads to the file that declares the name, else to the file that stands for the module, else to the
    package alone: its certainty is name, file or package. Of a symbol imports by its name are shown, then those of the
    whole module, which may use it.

    Example:
      tx hub:dependents src/auth.py
      tx hub:dependents src/auth.py::AuthService --json
      tx hub:dependents github.com/simonw/sqlite-utils:sqlite_utils/db.py
      tx hub:dependents pypi:sqlite-utils

    Raises:
        NotFound: There is no such thing here, or the hub shows no such repository or package.
        HubError: The hub cannot be reached.
    """
    most = limit or (MOST if is_script else _MOST_SHOWN)
    with Hub(address_of(kernel)).reading() as hub:
        store = CrossingStore(hub)
        asked = _asked(kernel, target, store)
        if asked.package:
            rows = of_package(asked.ecosystem, asked.package, asked.providers, store)
        else:
            names = (asked.symbol, "", "*") if asked.symbol else None
            rows = store.into(asked.repository, node_id(asked.name, NodeKind.FILE, asked.path), names=names)
        requirers = store.requirers(asked.ecosystem, asked.package) if asked.package else []
        ids = {row.repository for row in rows}.union(repository for repository, _, _ in requirers)
        known = store.repositories.publications(ids)
        groups = _grouped(rows, known, near=asked.name)
        page = groups[:most]
        places = [(row.repository, row.source) for row, _ in page]
        places += [(row.provider, row.target) for row, _ in page if row.provider is not None and row.target is not None]
        paths = store.paths([*places, *((repository, manifest) for repository, manifest, _ in requirers[:most])])
        told = [_told(kernel, row, names, known=known, paths=paths) for row, names in page]
        return Dependents(
            target=asked.shown,
            dependents=tuple(sorted(told, key=_place)),
            requirements=tuple(
                Requirement(
                    repository=known[repository].name, path=paths.get((repository, manifest), ""), range=versions
                )
                for repository, manifest, versions in requirers[:most]
                if repository in known
            ),
            repositories=len({row.repository for row in rows}),
            total=len(groups),
            is_cut=len(rows) >= MOST,
            remark="" if groups else _why_none(asked, store),
        )


# --- what was asked for -------------------------------------------------------------------------------


def _asked(kernel: Kernel, target: str, store: CrossingStore) -> _Asked:
    """Return what a text names: a package by its ecosystem, a place elsewhere, something here, else a package."""
    if found := _PREFIXED.fullmatch(target):
        return _package(found[2], [found[1]], store)
    if found := _ELSEWHERE.fullmatch(target):
        return _elsewhere(found["repository"], found["path"], store)
    try:
        node = kernel.one(References).node(target)
    except NotFound:
        package = _package(target, ECOSYSTEMS, store)
        if package.providers or store.requirers(package.ecosystem, package.package):
            return package
        raise
    if node.kind not in (NodeKind.FILE, NodeKind.SYMBOL):
        raise NotFound(f"'{target}' is no file, symbol or package.")
    return _elsewhere(name_of(kernel), node.key, store, is_own=True)


def _elsewhere(repository: str, place: str, store: CrossingStore, *, is_own: bool = False) -> _Asked:
    found = next(iter(store.repositories.publications(name=repository.lower()).values()), None)
    if found is None:
        hint = "Publish it: tx hub:publish" if is_own else "'tx hub:repositories' lists those that it shows."
        raise NotFound(f"The hub shows no repository '{repository}'.", hint=hint)
    path, _, symbol = place.partition("::")
    known = store.paths([(found.id, node_id(found.name, NodeKind.FILE, path))])
    if not known:
        hint = "Publish it: tx hub:publish" if is_own else ""
        raise NotFound(f"The hub knows no file '{path}' of {found.name}.", hint=hint)
    return _Asked(
        shown=place if is_own else f"{found.name}:{place}",
        repository=found.id,
        name=found.name,
        path=path,
        symbol=unnumbered(symbol).partition("::")[0],
    )


def _package(name: str, ecosystems: Sequence[str], store: CrossingStore) -> _Asked:
    """Return a package by its name; one that no repository provides may be used all the same."""
    from tx_graph.hub.ecosystems.pypi import normalised

    names = {name, normalised(name)}
    provided = store.providers(names, ecosystems)
    required = (
        one for one in ecosystems for spelled in sorted(names) if not provided and store.requirers(one, spelled)
    )
    kind = provided[0][0] if provided else next(required, ecosystems[0])
    package = normalised(name) if kind == "pypi" else name
    providers = tuple(repository for one, called, repository in provided if (one, called) == (kind, package))
    own = [*store.repositories.publications(providers).values()]
    return _Asked(
        shown=f"{kind}:{package}",
        name=own[0].name if own else "",
        ecosystem=kind,
        package=package,
        providers=providers,
    )


def of_package(kind: str, package: str, providers: Collection[int], store: CrossingStore) -> list[Crossing]:
    """Return the imports of a package that these repositories provide, those that no file answers among them."""
    separator = ecosystem(kind).separator
    modules = store.modules(kind, package, providers) if providers else [_usual_module(kind, package)]
    return store.into_package(kind, package, roots=_roots(modules, separator), separator=separator)


def _roots(modules: Iterable[str], separator: str) -> list[str]:
    """Return the modules that lie below none of the others."""
    found: list[str] = []
    for module in sorted(modules):
        if not found or not f"{module}{separator}".startswith(f"{found[-1]}{separator}"):
            found.append(module)
    return found


def _usual_module(kind: str, package: str) -> str:
    """Return the module that a package has by its name, where no repository offers one."""
    if kind in ("pypi", "cargo"):
        return package.replace("-", "_")
    return package.partition(":")[0] if kind == "maven" else package


# --- what is told -------------------------------------------------------------------------------------


def certainty_of(row: Crossing) -> str:
    """Return how sure it is that the import means the file."""
    if row.target is None:
        return PACKAGE
    return NAME if (row.is_exact and row.name) or row.is_declared else FILE


def _grouped(
    rows: Iterable[Crossing], known: Mapping[int, Publication], *, near: str
) -> list[tuple[Crossing, tuple[str, ...]]]:
    """Return one row a line, module and answer, with the names that are asked for there; the surest and nearest first.

    Repositories are as near as their names begin like that of what was asked for: an organisation's own come first.
    """
    groups: dict[tuple[object, ...], list[Crossing]] = {}
    for row in rows:
        if row.repository in known:
            key = (row.repository, row.source, row.line, row.module, row.provider, row.target, row.package)
            groups.setdefault(key, []).append(row)

    def order(those: list[Crossing]) -> tuple[object, ...]:
        row, repository = those[0], known[those[0].repository].name
        return (
            _CERTAINTY[certainty_of(row)],
            not row.is_required,
            -shared_depth(repository, near),
            repository,
            row.source,
            row.line,
            row.module,
        )

    for those in groups.values():
        those.sort(key=lambda row: (_CERTAINTY[certainty_of(row)], IMPORT_STRENGTH[ImportType(row.type)], row.name))
    return [
        (those[0], tuple(dict.fromkeys(row.name for row in those if row.name)))
        for those in sorted(groups.values(), key=order)
    ]


def _told(
    kernel: Kernel,
    row: Crossing,
    names: tuple[str, ...],
    *,
    known: Mapping[int, Publication],
    paths: Mapping[tuple[int, int], str],
) -> Dependent:
    by = known[row.repository]
    target = None if row.provider is None or row.target is None else paths.get((row.provider, row.target))
    return Dependent(
        repository=by.name,
        commit=by.commit,
        age=by.age(kernel.clock.now()),
        path=paths.get((row.repository, row.source), ""),
        line=row.line,
        module=row.module,
        names=names,
        type=row.type,
        certainty=certainty_of(row),
        target=target,
        package=row.package,
        is_required=row.is_required,
    )


def _place(one: Dependent) -> tuple[object, ...]:
    return _CERTAINTY[one.certainty], not one.is_required, one.repository, one.path, one.line


def _why_none(asked: _Asked, store: CrossingStore) -> str:
    if asked.package:
        return "No other repository that the hub shows imports it."
    packages = store.packages_of(asked.repository, node_id(asked.name, NodeKind.FILE, asked.path))
    if not packages:
        return "Others cannot ask for it by any name: no package of its repository has it."
    kind, package = packages[0]
    return (
        f"No other repository that the hub shows imports it. Who uses its package: tx hub:dependents {kind}:{package}"
    )
