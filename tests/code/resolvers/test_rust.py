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


# --- modules and their files ---


def test_a_module_is_in_the_file_of_its_name() -> None:
    assert library(lib="a", a="").targets("src/lib.rs", "mod a") == ["src/a.rs"]


def test_a_module_may_be_in_a_directory_of_its_name() -> None:
    assert library(lib="a", a__mod="").targets("src/lib.rs", "mod a") == ["src/a/mod.rs"]


def test_modules_of_a_module_are_in_the_directory_of_its_name() -> None:
    own = library(lib="a", a="b", a__b="", b="")

    assert own.targets("src/a.rs", "mod b") == ["src/a/b.rs"]


def test_modules_of_a_module_file_are_beside_it() -> None:
    assert library(lib="a", a__mod="b", a__b="").targets("src/a/mod.rs", "mod b") == ["src/a/b.rs"]


def test_a_written_path_starts_at_the_directory_of_the_file() -> None:
    own = library(lib="a", a="b=x/y.rs", x__y="")

    assert own.targets("src/a.rs", "mod b", name="x/y.rs") == ["src/x/y.rs"]


def test_modules_of_a_file_with_a_written_path_are_beside_it() -> None:
    own = library(lib="a=x/y.rs", x__y="z", x__z="")

    assert own.targets("src/x/y.rs", "mod z") == ["src/x/z.rs"]


def test_modules_of_a_written_out_module_are_in_a_directory_of_its_name() -> None:
    own = library(lib="a", a="b={} b::c", a__b__c="")

    assert own.targets("src/a.rs", "mod c", scope="b") == ["src/a/b/c.rs"]


def test_a_written_path_in_a_written_out_module_starts_at_its_directory() -> None:
    own = library(lib="a", a="b={} b::c=x.rs", a__b__x="")

    assert own.targets("src/a.rs", "mod c", scope="b", name="x.rs") == ["src/a/b/x.rs"]


def test_a_module_without_a_file_is_missing() -> None:
    assert library(lib="a").targets("src/lib.rs", "mod a") == ["missing"]


def test_a_module_in_no_source_file_is_no_code() -> None:
    repository = Repository({"src/lib.rs": "a=a.in", "src/a.in": ""}, root=MODERN.format("own"))

    assert repository.targets("src/lib.rs", "mod a", name="a.in") == ["not code"]


def test_a_file_that_holds_a_module_of_itself_ends_there() -> None:
    own = library(lib="a", a="b=a.rs")

    assert own.targets("src/lib.rs", "crate::a::b::b::X") == ["src/a.rs"]


# --- paths inside a crate ---


def test_a_path_leads_to_its_deepest_module() -> None:
    own = library(lib="a c", a="b", a__b="", c="")

    assert own.targets("src/c.rs", "crate::a::b::Item::Variant") == ["src/a/b.rs"]
    assert own.targets("src/c.rs", "crate::a::Item") == ["src/a.rs"]
    assert own.targets("src/c.rs", "crate::Item") == ["src/lib.rs"]


def test_a_path_that_is_a_module_leads_to_it_and_so_does_everything_in_it() -> None:
    own = library(lib="a c", a="", c="")

    assert own.targets("src/c.rs", "crate::a") == own.targets("src/c.rs", "crate::a::*") == ["src/a.rs"]


def test_super_is_the_module_around() -> None:
    own = library(lib="a", a="b", a__b="")

    assert own.targets("src/a/b.rs", "super::X") == ["src/a.rs"]
    assert own.targets("src/a/b.rs", "super::super::*") == ["src/lib.rs"]
    assert own.targets("src/a/b.rs", "self::super::X") == ["src/a.rs"]


def test_above_the_crate_there_is_nothing() -> None:
    assert library(lib="a", a="").targets("src/a.rs", "super::super::X") == ["missing"]


def test_super_in_a_written_out_module_is_its_own_file() -> None:
    own = library(lib="a", a="tests={}")

    assert own.resolution("src/a.rs", Specifier(module="super::*", scope="tests")) == Resolution()


def test_super_in_a_module_inside_a_function_is_its_own_file() -> None:
    own = library(lib="a", a="")

    assert own.resolution("src/a.rs", Specifier(module="super::X", scope="hidden")) == Resolution()
    assert own.targets("src/a.rs", "super::super::X", scope="hidden") == ["src/lib.rs"]


def test_a_name_is_a_module_of_the_module_it_stands_in() -> None:
    own = library(lib="a b", a="b", a__b="", b="")

    assert own.targets("src/a.rs", "b::X") == ["src/a/b.rs"]
    assert own.targets("src/lib.rs", "b::X") == ["src/b.rs"]


def test_an_item_in_scope_leads_nowhere_else() -> None:
    assert library(lib="a", a="").resolution("src/a.rs", Specifier(module="Kind::*")) == Resolution()


def test_every_text_of_a_module_counts_but_each_has_its_own_parent() -> None:
    own = library(lib="sys=unix.rs sys=windows.rs", unix="fd", fd="", windows="")

    assert own.targets("src/lib.rs", "sys::X") == ["src/unix.rs", "src/windows.rs"]
    assert own.targets("src/fd.rs", "super::X") == ["src/unix.rs"]


def test_a_declared_module_that_is_not_there_is_not_taken_for_its_parent() -> None:
    assert library(lib="a generated", a="").targets("src/a.rs", "crate::generated::X") == ["missing"]


def test_a_file_that_only_a_macro_declares_is_found_by_its_place() -> None:
    own = library(lib="a", a="", b="c", b__c="", b__d="")

    assert own.targets("src/a.rs", "crate::b::c::X") == ["src/b/c.rs"]
    assert own.targets("src/a.rs", "crate::b::d::X") == ["src/b/d.rs"]
    assert own.targets("src/b/d.rs", "super::a::X") == ["src/b.rs"]
    assert own.targets("src/b/d.rs", "crate::a::X") == ["src/a.rs"]


# --- names that other imports bring in ---


def test_a_path_may_start_with_what_another_import_brings_in() -> None:
    own = library(lib="a c", a="b", a__b="", c="")
    own.uses["src/c.rs"] = ("x=crate::a", "tests::y=crate::a::b")

    assert own.targets("src/c.rs", "x::b::X") == ["src/a/b.rs"]
    assert own.targets("src/c.rs", "y::X") == ["external"]
    assert own.targets("src/c.rs", "y::X", scope="tests") == ["src/a/b.rs"]


def test_a_name_may_be_brought_in_for_each_platform() -> None:
    own = library(lib="a b", a="", b="")
    own.uses["src/lib.rs"] = ("imp=self::a", "imp=self::b")

    assert own.targets("src/lib.rs", "imp::X") == ["src/a.rs", "src/b.rs"]


def test_a_glob_brings_in_modules() -> None:
    own = library(lib="a", a="b c", a__b="", a__c="")
    own.uses["src/a/c.rs"] = ("*=super",)

    assert own.targets("src/a/c.rs", "b::X") == ["src/a/b.rs"]
    assert own.targets("src/a/c.rs", "serde::X") == ["external"]


def test_imports_that_name_each_other_end() -> None:
    own = library(lib="")
    own.uses["src/lib.rs"] = ("a=b", "b=a", "c=d", "d=c", "*=c", *(f"*=glob{number}" for number in range(100)))

    assert own.targets("src/lib.rs", "a::X") == ["external"]


# --- crates ---


def workspace(**members: str) -> Repository:
    """Return a workspace with a library per member; `own` is the one that imports."""
    files = {f"{name}/src/lib.rs": "inner" for name in members} | {f"{name}/src/inner.rs": "" for name in members}
    return Repository(files, root="[workspace]", **{name: textwrap.dedent(text) for name, text in members.items()})


def test_a_crate_of_the_workspace_goes_by_its_name_with_underscores() -> None:
    found = workspace(own=MODERN.format("own"), other=MODERN.format("the-other"))

    assert found.targets("own/src/lib.rs", "the_other::inner::X") == ["other/src/inner.rs"]
    assert found.targets("own/src/lib.rs", "the_other::X") == ["other/src/lib.rs"]
    assert found.targets("own/src/lib.rs", "::the_other::X") == ["other/src/lib.rs"]
    assert found.targets("own/src/lib.rs", "extern crate the_other") == ["other/src/lib.rs"]


def test_a_library_goes_by_its_own_name_where_it_has_one() -> None:
    found = workspace(own=MODERN.format("own"), other=MODERN.format("other") + '[lib]\nname = "short"')

    assert found.targets("own/src/lib.rs", "short::X") == ["other/src/lib.rs"]
    assert found.targets("own/src/lib.rs", "other::X") == ["external"]


def test_a_dependency_may_be_renamed() -> None:
    manifest = MODERN.format("own") + '[dependencies]\nnew-name = { package = "other", path = "../other" }'
    found = workspace(own=manifest, other=MODERN.format("other"))

    assert found.targets("own/src/lib.rs", "new_name::X") == ["other/src/lib.rs"]


def test_a_dependency_may_be_written_in_the_workspace() -> None:
    own = MODERN.format("own") + "[dev-dependencies]\nnew.workspace = true"
    found = workspace(own=own, other=MODERN.format("other"))
    found.manifests["Cargo.toml"] = '[workspace.dependencies]\nnew = { package = "other", path = "other" }'

    assert found.targets("own/src/lib.rs", "new::X") == ["other/src/lib.rs"]


def test_a_package_outside_the_workspace_is_reached_by_its_path_alone() -> None:
    apart = MODERN.format("apart") + "[workspace]"
    by_path = workspace(own=MODERN.format("own") + '[dependencies]\napart = { path = "../apart" }', apart=apart)
    by_name = workspace(own=MODERN.format("own") + '[dependencies]\napart = "1"', apart=apart)

    assert by_path.targets("own/src/lib.rs", "apart::X") == ["apart/src/lib.rs"]
    assert by_name.targets("own/src/lib.rs", "apart::X") == ["external"]


def test_a_published_package_may_be_patched_by_one_of_the_repository() -> None:
    apart = MODERN.format("apart") + "[workspace]"
    found = workspace(own=MODERN.format("own") + '[dependencies]\napart = "1"', apart=apart)
    found.manifests["Cargo.toml"] = '[workspace]\n[patch.crates-io]\napart = { path = "apart" }'

    assert found.targets("own/src/lib.rs", "apart::X") == ["apart/src/lib.rs"]


def test_the_standard_library_stays_outside_unless_a_dependency_replaces_it() -> None:
    plain = workspace(own=MODERN.format("own"), core=MODERN.format("core"))
    replaced = workspace(
        own=MODERN.format("own") + '[dependencies]\ncore = { path = "../core" }', core=MODERN.format("core")
    )

    assert plain.targets("own/src/lib.rs", "core::fmt") == ["stdlib"]
    assert plain.targets("own/src/lib.rs", "extern crate alloc") == ["stdlib"]
    assert replaced.targets("own/src/lib.rs", "core::fmt") == ["core/src/lib.rs"]


def test_a_crate_that_nobody_here_has_is_external() -> None:
    own = library(lib="")

    assert own.targets("src/lib.rs", "serde::Serialize") == ["external"]
    assert own.targets("src/lib.rs", "extern crate serde") == ["external"]


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


def test_each_program_is_a_crate_of_its_own() -> None:
    files = {"src/lib.rs": "a", "src/a.rs": "", "src/bin/x.rs": "", "src/bin/y/main.rs": "z", "src/bin/y/z.rs": ""}
    own = Repository(files, root=MODERN.format("own"))

    assert own.targets("src/bin/x.rs", "a::X") == ["external"]
    assert own.targets("src/bin/x.rs", "crate::a::X") == []
    assert own.targets("src/bin/y/z.rs", "crate::X") == ["src/bin/y/main.rs"]


def test_a_manifest_may_say_where_a_program_begins() -> None:
    manifest = MODERN.format("own") + '[[bin]]\nname = "x"\npath = "tools/x.rs"'
    own = Repository({"tools/x.rs": "part", "tools/part.rs": ""}, root=manifest)

    assert own.targets("tools/x.rs", "mod part") == ["tools/part.rs"]
    assert own.targets("tools/part.rs", "super::X") == ["tools/x.rs"]


def test_a_file_of_two_crates_counts_in_the_one_where_its_path_leads_deeper() -> None:
    files = {"src/lib.rs": "shared", "src/main.rs": "shared args", "src/shared.rs": "", "src/args.rs": ""}
    own = Repository(files, root=MODERN.format("own"))

    assert own.targets("src/shared.rs", "crate::X") == ["src/lib.rs"]
    assert own.targets("src/shared.rs", "crate::args::X") == ["src/args.rs"]


def test_a_module_of_one_program_is_no_name_in_another() -> None:
    own = Repository({"src/lib.rs": "log", "src/log.rs": "", "src/main.rs": ""}, root=MODERN.format("own"))

    assert own.targets("src/main.rs", "log::info") == ["external"]


def test_a_module_of_the_tests_is_no_test_of_its_own() -> None:
    own = Repository({"tests/one.rs": "common", "tests/common.rs": ""}, root=MODERN.format("own"))

    assert own.targets("tests/common.rs", "super::X") == ["tests/one.rs"]


# --- editions ---


def test_before_2018_paths_start_at_the_root_of_the_crate() -> None:
    own = library(lib="a b", a="b", a__b="", b="")
    own.manifests["Cargo.toml"] = '[package]\nname = "own"'

    assert own.targets("src/a.rs", "b::X") == ["src/b.rs"]
    assert own.targets("src/a.rs", "::b::X") == ["src/b.rs"]
    assert own.targets("src/a.rs", "self::b::X") == ["src/a/b.rs"]
    assert own.targets("src/a.rs", "Item") == ["src/lib.rs"]


def test_an_edition_may_be_written_in_the_workspace() -> None:
    own = library(lib="a b", a="b", a__b="", b="")
    own.manifests["Cargo.toml"] = (
        '[package]\nname = "own"\nedition.workspace = true\n[workspace.package]\nedition = "2024"'
    )

    assert own.targets("src/a.rs", "b::X") == ["src/a/b.rs"]


def test_a_crate_renamed_at_the_root_is_known_everywhere() -> None:
    found = workspace(own='[package]\nname = "own"', other=MODERN.format("other"))
    found.uses["own/src/lib.rs"] = ("new=::other",)

    assert found.targets("own/src/inner.rs", "new::inner::X") == ["other/src/inner.rs"]


# --- odd repositories ---


def test_without_a_manifest_a_file_is_a_crate() -> None:
    repository = Repository({"x.rs": "a", "a.rs": ""})

    assert repository.targets("x.rs", "mod a") == ["a.rs"]
    assert repository.targets("a.rs", "crate::X") == ["x.rs"]
    assert repository.targets("x.rs", "std::fmt") == ["stdlib"]


def test_a_malformed_manifest_counts_as_absent() -> None:
    repository = Repository({"src/lib.rs": "a", "src/a.rs": ""}, root="[package\n")

    assert repository.targets("src/lib.rs", "mod a") == ["src/a.rs"]


def test_a_manifest_of_unexpected_shape_breaks_nothing() -> None:
    manifest = "[package]\nname = 1\nedition = []\nbuild = false\nworkspace = 3\n[lib]\npath = 1\n[dependencies]\na = 1"
    repository = Repository(
        {"src/lib.rs": "a", "src/a.rs": ""}, root=manifest + '\n[target]\nx = 1\n[[bin]]\npath = "/x"'
    )

    assert repository.targets("src/a.rs", "crate::X") == ["src/lib.rs"]
