"""What Rust imports mean."""

from __future__ import annotations

import textwrap

from tx_graph.code.imports import NO_SURFACE, Offered, Specifier, Surface
from tx_graph.code.resolvers import RepositoryIndex, Resolution, resolve_imports

MODERN = '[package]\nname = "{}"\nedition = "2021"\n'


class Repository:
    """A repository of Rust files, each given by the modules that it declares: `a`, `b = x.rs`, `c = {}`."""

    def __init__(self, files: dict[str, str] | None = None, **manifests: str) -> None:
        self.offers = {path: _offers(text) for path, text in (files or {}).items()}
        self.uses: dict[str, tuple[str, ...]] = {}
        self.manifests = {f"{place}/Cargo.toml".replace("root/", ""): text for place, text in manifests.items()}

    def resolution(self, source: str, *specifiers: Specifier) -> Resolution:
        surfaces = {path: Surface(offers=offers, uses=self.uses.get(path, ())) for path, offers in self.offers.items()}
        known = {path: surface for path, surface in surfaces.items() if surface != NO_SURFACE}
        index = RepositoryIndex([*self.offers, *self.manifests], self.manifests.get, lambda _: known)
        return resolve_imports(source=source, language="rust", specifiers=specifiers, index=index)

    def targets(self, source: str, path: str, *, scope: str = "", name: str | None = None) -> list[str]:
        """Return the files that the path leads to, else the reason why there are none."""
        found = self.resolution(source, Specifier(module=path, scope=scope, name=name))
        return [edge.target for edge in found.edges] or [one.reason for one in found.unresolved]


def _offers(text: str) -> tuple[Offered, ...]:
    pairs = (part.partition("=") for part in text.split())
    return tuple(Offered(name, place) for name, _, place in pairs)


def library(**files: str) -> Repository:
    """Return a package named `own`; `lib`, `a`, `a__b` stand for src/lib.rs, src/a.rs, src/a/b.rs."""
    paths = {f"src/{name.replace('__', '/')}.rs": text for name, text in files.items()}
    return Repository(paths, root=MODERN.format("own"))


# --- crates ---


def workspace(**members: str) -> Repository:
    """Return a workspace with a library per member; `own` is the one that imports."""
    files = {f"{name}/src/lib.rs": "inner" for name in members} | {f"{name}/src/inner.rs": "" for name in members}
    return Repository(files, root="[workspace]", **{name: textwrap.dedent(text) for name, text in members.items()})


def test_programs_tests_and_examples_know_their_own_library() -> None:
    roots = (
        "src/main.rs",
        "src/bin/x.rs",
        "src/bin/y/main.rs",
        "tests/t.rs",
        "examples/e.rs",
        "benches/b.rs",
        "build.rs",
    )
    own = Repository({"src/lib.rs": "a", "src/a.rs": "", **dict.fromkeys(roots, "")}, root=MODERN.format("own"))

    assert {own.targets(root, "own::a::X")[0] for root in roots} == {"src/a.rs"}
