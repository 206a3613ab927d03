"""Who uses which symbol: what a name means in its file, and through imports, types and barrels."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import Project
from tx_graph.code.references import SymbolUses, every_reference
from tx_graph.core.errors import NotFound, UsageError

PYTHON = {
    "shop/__init__.py": "from .store import Store as Shop\nfrom . import tools\n",
    "shop/base.py": "class Base:\n    def close(self):\n        return self\n\n    @property\n"
    "    def tools(self) -> 'Kit':\n        pass\n\nclass Kit:\n    def cut(self): ...\n",
    "shop/store.py": (
        "from __future__ import annotations\n"
        "import shop.tools as t\n"
        "from .base import Base\n"
        "LIMIT = 3\n"
        "class Store(Base):\n"
        "    def __init__(self, kit: t.Saw | None = None):\n"
        "        self.kit = kit\n"
        "        self.size = LIMIT\n"
        "    def sell(self, what):\n"
        "        self.kit.cut(what)\n"
        "        self.tools.cut()\n"
        "        what.cut()\n"
        "        return self.close()\n"
        "    @classmethod\n"
        "    def opened(cls) -> Store:\n"
        "        return cls()\n"
        "def make() -> Store:\n"
        "    return Store()\n"
    ),
    "shop/tools.py": "class Saw:\n    def cut(self, what): ...\ndef sharpen(): ...\n",
    "app.py": (
        "import shop.tools\n"
        "from shop import Shop\n"
        "from shop.store import *\n"
        "def main(LIMIT):\n"
        "    shop.tools.sharpen()\n"
        "    one = Shop.opened()\n"
        "    one.sell(LIMIT)\n"
        "    make().sell(1)\n"
        "    one.size = 2\n"
        "    for one in []:\n"
        "        pass\n"
        "def second():\n"
        "    with make() as it:\n"
        "        it.sell(2)\n"
        "    other = make()\n"
        "    other.size += 1\n"
        "    return [other.kit for x in other.unknown]\n"
    ),
}
TYPESCRIPT = {
    "src/index.ts": "export * from './store'\n"
    "export { Log as Journal, default as log } from './log'\nexport * as kit from './kit'\n",
    "src/store.ts": (
        "import type { Kit } from './kit'\n"
        "import log, { Log } from './log'\n"
        "export abstract class Base { close(): this { return this } }\n"
        "export class Store extends Base implements Shop {\n"
        "  static made = 0\n"
        "  constructor(private kit: Kit, readonly log: Log = new Log()) { super(); Store.made++ }\n"
        "  sell(what: string) { this.kit.cut(what); this.log.write(what); log(); return this.close() }\n"
        "}\n"
        "export interface Shop { sell(what: string): void }\n"
        "export const make = async (): Promise<Store> => new Store(null!)\n"
    ),
    "src/log.ts": "export class Log { write(text: string) {} }\nexport default function log() { return new Log() }\n",
    "src/kit.ts": "export interface Kit { cut(what: string): void; size: number }\nexport enum Size { Small, Large }\n",
    "app.tsx": (
        "import { Store, make, Journal, kit, log } from './src'\n"
        "const { join } = require('./lib')\n"
        "async function run<Log>(store: Store, Journal: Log) {\n"
        "  store.sell('a')\n"
        "  const { sell } = await make()\n"
        "  log().write('b')\n"
        "  let x: kit.Size = kit.Size.Large\n"
        "  join(x)\n"
        "}\n"
        "const Page = () => <Panel run={run} />\n"
        "function Panel() { return null }\n"
    ),
    "lib.js": "function join(a) { return helper.help(a) }\nconst helper = { help(a) { return a }, other: join }\n"
    "module.exports = { join }\n",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


def found(project: Project, files: dict[str, str]) -> dict[str, set[str]]:
    """Return, by the place of a use, `kind target` of what is used there; what is likely has a `~` before it."""
    for path, text in files.items():
        project.write(path, text)
    project.git.commit()
    project.index()
    told: dict[str, set[str]] = {}
    with project.open() as workspace:
        for path, line, _, kind, sure, target, name in every_reference(workspace.kernel.database):
            mark = "" if sure == "exact" else "~"
            told.setdefault(f"{path}:{line}", set()).add(f"{mark}{kind} {target}::{name}")
    return told


def test_names_in_python_are_followed_through_imports_scopes_and_types(project: Project) -> None:
    told = found(project, PYTHON)
    store = "shop/store.py::Store"
    assert told == {
        "shop/base.py:6": {"type shop/base.py::Kit"},
        "shop/store.py:5": {"extends shop/base.py::Base"},
        "shop/store.py:6": {"type shop/tools.py::Saw"},
        "shop/store.py:7": {f"writes {store}::kit"},
        "shop/store.py:8": {f"writes {store}::size", "reads shop/store.py::LIMIT"},
        "shop/store.py:10": {f"reads {store}::kit", "~calls shop/tools.py::Saw::cut"},
        "shop/store.py:11": {"reads shop/base.py::Base::tools", "~calls shop/base.py::Kit::cut"},
        "shop/store.py:13": {"calls shop/base.py::Base::close"},
        "shop/store.py:15": {f"type {store}"},
        "shop/store.py:17": {f"type {store}"},
        "shop/store.py:18": {f"calls {store}"},
        "app.py:5": {"calls shop/tools.py::sharpen"},
        "app.py:6": {f"reads {store}", f"calls {store}::opened"},
        "app.py:8": {"calls shop/store.py::make", f"~calls {store}::sell"},
        "app.py:13": {"calls shop/store.py::make"},
        "app.py:15": {"calls shop/store.py::make"},
        "app.py:16": {f"~writes {store}::size"},
        "app.py:17": {f"~reads {store}::kit"},
    }


def test_names_in_scripts_are_followed_through_barrels_and_types(project: Project) -> None:
    told = found(project, TYPESCRIPT)
    store = "src/store.ts::Store"
    assert told == {
        "src/store.ts:4": {"extends src/store.ts::Base", "implements src/store.ts::Shop"},
        "src/store.ts:6": {
            "type src/kit.ts::Kit",
            "type src/log.ts::Log",
            "calls src/log.ts::Log",
            f"reads {store}",
            f"writes {store}::made",
        },
        "src/store.ts:7": {
            f"reads {store}::kit",
            f"reads {store}::log",
            "~calls src/kit.ts::Kit::cut",
            "~calls src/log.ts::Log::write",
            "calls src/log.ts::log",
            "calls src/store.ts::Base::close",
        },
        "src/store.ts:10": {f"type {store}", f"calls {store}"},
        "src/log.ts:2": {"calls src/log.ts::Log"},
        "app.tsx:3": {f"type {store}"},
        "app.tsx:4": {f"~calls {store}::sell"},
        "app.tsx:5": {"calls src/store.ts::make", f"~reads {store}::sell"},
        "app.tsx:6": {"calls src/log.ts::log", "~calls src/log.ts::Log::write"},
        "app.tsx:7": {"type src/kit.ts::Size", "reads src/kit.ts::Size", "reads src/kit.ts::Size::Large"},
        "app.tsx:8": {"calls lib.js::join"},
        "app.tsx:10": {"calls app.tsx::Panel", "reads app.tsx::run"},
        "lib.js:1": {"reads lib.js::helper", "calls lib.js::helper::help"},
        "lib.js:2": {"reads lib.js::join"},
        "lib.js:3": {"reads lib.js::join"},
    }


def test_users_are_found_under_whatever_name_they_use(project: Project) -> None:
    found(project, PYTHON | TYPESCRIPT)
    with project.open() as workspace:
        uses = workspace.kernel.one(SymbolUses)
        assert [(one.path, one.line, one.kind) for one in uses.references("shop/store.py::Store", kind=["reads"])] == [
            ("app.py", 6, "reads")
        ]
        calls = uses.references("src/log.ts::log", kind=["calls"])
        assert [(one.path, one.line, one.inside) for one in calls] == [
            ("app.tsx", 6, "app.tsx::run"),
            ("src/store.ts", 7, "src/store.ts::Store::sell"),
        ]
        assert calls.references[0].text == "log().write('b')"


def test_calls_are_walked_both_ways(project: Project) -> None:
    found(project, PYTHON)
    with project.open() as workspace:
        uses = workspace.kernel.one(SymbolUses)
        assert [(one.symbol, one.hops) for one in uses.callers("Base.close", depth=3)] == [
            ("shop/store.py::Store::sell", 1),
            ("app.py::main", 2),
        ]
        assert [(one.symbol, one.certainty) for one in uses.callees("sell")] == [
            ("shop/tools.py::Saw::cut", "likely"),
            ("shop/base.py::Kit::cut", "likely"),
            ("shop/base.py::Base::close", "exact"),
        ]
        assert uses.callers("second").remark == "Nothing here calls app.py::second, as far as can be told."
        assert uses.find("Store.close").fqname == "shop/base.py::Base::close"  # inherited


def test_what_nothing_uses_is_told_honestly(project: Project) -> None:
    project.write("src/lib.py", "def used(): ...\ndef dead(): dead()\ndef spoken(): ...\ndef visit_a(): ...\n")
    project.write("src/app.py", "from lib import used\nused()\nrun('spoken')\nrun(f'visit_{used}')\n")
    project.write("tests/test_lib.py", "def test_nothing(): ...\ndef helper(): ...\n")
    project.git.commit()
    project.index()
    with project.open() as workspace:
        uses = workspace.kernel.one(SymbolUses)
        told = uses.unused()
        assert [one.symbol.fqname for one in told] == ["src/lib.py::dead"]
        assert (told.entries, told.mentioned) == (2, 2)
        assert [one.symbol.name for one in uses.unused(mentioned=True)] == ["dead", "spoken", "visit_a"]


@pytest.mark.parametrize(
    ("typed", "message"), [("nothing", "There is no symbol 'nothing'."), ("cut", "'cut' names several symbols.")]
)
def test_a_name_that_is_not_one_symbol_is_refused(project: Project, typed: str, message: str) -> None:
    found(project, PYTHON)
    with project.open() as workspace, pytest.raises(NotFound, match=message):
        workspace.kernel.one(SymbolUses).references(typed)


def test_a_change_to_one_file_is_seen_through_all_others(project: Project) -> None:
    found(project, PYTHON)
    project.write("shop/__init__.py", "from .tools import Saw as Shop\n")
    project.index()
    with project.open() as workspace:
        uses = workspace.kernel.one(SymbolUses)
        assert [one.line for one in uses.references("shop/tools.py::Saw", kind=["reads"])] == [6]
        assert not uses.references("shop/store.py::Store", kind=["reads"]).references


def test_a_setting_turns_them_off(project: Project) -> None:
    project.write(".tx/config.toml", '[index]\nreferences = "off"\n')
    assert not found(project, PYTHON)
    with project.open() as workspace, pytest.raises(UsageError, match=r"index\.references is off"):
        workspace.kernel.one(SymbolUses).references("Store")


VUE = {
    "App.vue": (
        "<script setup lang='ts'>\n"
        "import Card from './UserCard.vue'\n"
        "import { fmt, store } from './lib'\n"
        "const vFocus = {}\n"
        "let count = 0\n"
        "function save(x: number) {}\n"
        "</script>\n"
        "<!-- <Card/> -->\n"
        "<template>\n"
        "  <Card :name='fmt(store.name)' :save\n"
        '        @close="save(1); count = 2" v-focus />\n'
        '  <card-x v-for="(fmt, i) in store.items" :key="fmt.id">\n'
        "    {{ fmt.x }} {{ save(i) }} <br>\n"
        "    <template #item='{ count }'>{{ count }}</template>\n"
        "  </card-x>\n"
        '  <component :is="Card" v-model="store.name" v-if="count > 1"/>\n'
        "</template>\n"
    ),
    "UserCard.vue": (
        "<template>\n"
        "  <my-app :x='fmt'/><UserCard/>\n"
        "</template>\n"
        "<script>\n"
        "import App from './App.vue'\n"
        "import { fmt } from './lib'\n"
        "export default { components: { 'my-app': App } }\n"
        "</script>\n"
    ),
    "lib.ts": "export const fmt = (x: any) => x\nexport const store = { name: 'a', items: [] }\n",
}


def test_templates_of_vue_use_names(project: Project) -> None:
    told = found(project, VUE)
    card, store = "UserCard.vue::UserCard", "lib.ts::store"
    assert {place: uses for place, uses in told.items() if place != "UserCard.vue:7"} == {
        "App.vue:10": {
            f"calls {card}",
            "calls lib.ts::fmt",
            f"reads {store}",
            f"reads {store}::name",
            "reads App.vue::save",
        },
        "App.vue:11": {"calls App.vue::save", "writes App.vue::count", "reads App.vue::vFocus"},
        "App.vue:12": {f"reads {store}", f"reads {store}::items"},
        "App.vue:13": {"calls App.vue::save"},
        "App.vue:16": {f"reads {card}", f"reads {store}", f"writes {store}::name", "reads App.vue::count"},
        "UserCard.vue:2": {"calls App.vue::App"},
    }
    with project.open() as workspace:
        callers = {one.symbol for one in SymbolUses(workspace.kernel).callers("UserCard").calls}
        assert callers == {"App.vue::App"}
