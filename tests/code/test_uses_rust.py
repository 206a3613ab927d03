"""Who uses which symbol in Rust: modules, `use`, `impl` in other files, traits, variants, macros, written types."""

from __future__ import annotations

from tests.code.test_uses import found, project  # noqa: F401 - a fixture
from tests.support import Project
from tx_graph.code.references import SymbolUses

RUST = {
    "Cargo.toml": '[workspace]\nmembers = ["kit", "shop"]\n',
    "kit/Cargo.toml": '[package]\nname = "kit-tools"\nedition = "2021"\n',
    "kit/src/lib.rs": (
        "mod saw;\n"
        "pub use saw::{Saw as Blade, *};\n"
        "#[macro_export]\n"
        "macro_rules! cut { () => {} }\n"
        "pub trait Cut { fn cut(&self) -> usize; fn twice(&self) -> usize { self.cut() } }\n"
    ),
    "kit/src/saw.rs": (
        "use super::Cut;\n"
        "pub struct Saw { pub teeth: usize, next: Option<Box<Saw>> }\n"
        "pub enum Mode { Fast(Saw), Slow { depth: usize }, Off }\n"
        "impl Saw {\n"
        "    pub fn new(teeth: usize) -> Self { Self { teeth, next: None } }\n"
        "    pub fn next(&self) -> Option<&Saw> { self.next.as_deref() }\n"
        "}\n"
        "impl Cut for Saw { fn cut(&self) -> usize { self.teeth } }\n"
    ),
    "shop/Cargo.toml": '[package]\nname = "shop"\nedition = "2021"\n[dependencies]\nkit-tools = { path = "../kit" }\n',
    "shop/src/main.rs": (
        "mod store;\n"
        "use kit_tools::{Blade, Cut, Mode};\n"
        "use store::Store;\n"
        "const LIMIT: usize = 3;\n"
        "fn main() -> Result<(), String> {\n"
        "    let store = Store::open()?;\n"
        "    store.sell(&Blade::new(LIMIT));\n"
        "    kit_tools::cut!();\n"
        "    if let Some(one) = Blade::new(1).next() { one.twice(); }\n"
        "    match mode() { Mode::Fast(saw) => saw.cut(), Mode::Slow { depth } => depth, Mode::Off => 0 };\n"
        "    use self::inner::helper;\n"
        "    for each in &store.all { each.cut(); unknown.cut(); }\n"
        "    assert_eq!(helper(), LIMIT);\n"
        "    ignored!(helper());\n"
        "    store.all.iter().map(|saw| saw.teeth);\n"
        "    Ok(())\n"
        "}\n"
        "fn mode() -> Mode { Mode::Off }\n"
        "fn most<T: Cut>(each: T) { each.twice(); }\n"
        "mod inner { pub fn helper() -> usize { super::LIMIT } }\n"
    ),
    "shop/src/store.rs": (
        "mod sale;\n"
        "pub struct Store { pub all: Vec<kit_tools::Blade> }\n"
        "impl Store { pub fn open() -> Result<Store, String> { todo!() } }\n"
    ),
    "shop/src/store/sale.rs": (
        "use crate::store::Store;\n"
        "impl Store {\n"
        "    pub fn sell(&self, what: &dyn kit_tools::Cut) { what.cut(); self.all.len(); }\n"
        "}\n"
    ),
}


def test_names_in_rust_are_followed_through_modules_impls_and_types(project: Project) -> None:  # noqa: F811
    told = found(project, RUST)
    saw, mode, cut = "kit/src/saw.rs::Saw", "kit/src/saw.rs::Mode", "kit/src/lib.rs::Cut"
    store, main = "shop/src/store.rs::Store", "shop/src/main.rs"
    assert told == {
        "kit/src/lib.rs:5": {f"calls {cut}::cut"},
        "kit/src/saw.rs:2": {f"type {saw}"},
        "kit/src/saw.rs:3": {f"type {saw}"},
        "kit/src/saw.rs:4": {f"type {saw}"},
        "kit/src/saw.rs:5": {f"writes {saw}::teeth", f"writes {saw}::next"},
        "kit/src/saw.rs:6": {f"type {saw}", f"reads {saw}::next"},
        "kit/src/saw.rs:8": {f"type {saw}", f"implements {cut}", f"reads {saw}::teeth"},
        f"{main}:6": {f"reads {store}", f"calls {store}::open"},
        f"{main}:7": {
            "~calls shop/src/store/sale.rs::Store::sell",
            f"reads {saw}",
            f"calls {saw}::new",
            f"reads {main}::LIMIT",
        },
        f"{main}:8": {"calls kit/src/lib.rs::cut"},
        f"{main}:9": {f"reads {saw}", f"calls {saw}::new", f"~calls {saw}::next", f"~calls {cut}::twice"},
        f"{main}:10": {
            f"calls {main}::mode",
            f"reads {mode}",
            f"reads {mode}::Fast",
            f"~calls {saw}::cut",
            f"reads {mode}::Slow",
            f"reads {mode}::Slow::depth",
            f"reads {mode}::Off",
        },
        f"{main}:12": {f"~reads {store}::all", f"~calls {saw}::cut"},
        f"{main}:13": {f"calls {main}::inner::helper", f"reads {main}::LIMIT"},
        f"{main}:15": {f"~reads {store}::all", f"~reads {saw}::teeth"},
        f"{main}:18": {f"type {mode}", f"reads {mode}", f"reads {mode}::Off"},
        f"{main}:19": {f"type {cut}", f"calls {cut}::twice"},
        f"{main}:20": {f"reads {main}::LIMIT"},
        "shop/src/store.rs:2": {f"type {saw}"},
        "shop/src/store.rs:3": {f"type {store}"},
        "shop/src/store/sale.rs:2": {f"type {store}"},
        "shop/src/store/sale.rs:3": {f"type {cut}", f"calls {cut}::cut", f"reads {store}::all"},
    }


def test_what_a_trait_wants_and_what_is_called_new_is_told_apart(project: Project) -> None:  # noqa: F811
    found(project, RUST)
    with project.open() as workspace:
        uses = workspace.kernel.one(SymbolUses)
        assert [one.line for one in uses.callers("kit/src/saw.rs::Saw::new")] == [7]
        unused = [one.symbol.fqname for one in uses.unused("kit", mentioned=True)]
    assert "kit/src/saw.rs::Saw::cut" not in unused


def test_what_others_may_use_of_a_library_is_not_unused(project: Project) -> None:  # noqa: F811
    tested = "#[inline]\n#[test]\nfn runs() {}\n"
    crates = {
        "lib/Cargo.toml": '[package]\nname = "lib"\nedition = "2021"\n',
        "lib/src/lib.rs": "mod inner;\npub fn dead() {}\npub(crate) fn own() {}\n"
        f"pub trait Open {{ fn may(&self) {{}} }}\n{tested}",
        "lib/src/inner.rs": "pub struct Kept;\nstruct Lost;\n",
        "lib/examples/show.rs": "fn main() {}\npub fn shown() {}\n",
        "app/Cargo.toml": '[package]\nname = "app"\nedition = "2021"\n',
        "app/src/main.rs": "pub fn idle() {}\nfn main() {}\n",
    }
    found(project, crates)
    with project.open() as workspace:
        told = workspace.kernel.one(SymbolUses).unused(mentioned=True)
    assert [one.symbol.name for one in told] == ["idle", "shown", "Lost", "own"]
