"""What JavaScript and TypeScript sources import and declare."""

from __future__ import annotations

import pytest

from tests.corpora import reads
from tx_graph.code.parsing import read_source, read_symbols

imports = reads("types", "m.ts")
lines = reads("lines", "m.ts")
kinds = reads("kinds", "m.ts")


# --- imports ---


@pytest.mark.parametrize(
    "statement",
    [
        "import a from './x'",
        'import * as a from "./x"',
        "import './x'",
        "import a, { b } from './x'",
        "import { a, type B } from './x'",
        "import D, { type B } from './x'",
        "import {} from './x'",
        "import type from './x'",
        "import type, { a } from './x'",
        "import { type as a } from './x'",
        "import {\n  a, // type\n  b,\n} from\n  './x'",
        "import a from './x' with { type: 'json' }",
        "import a = require('./x')",
        "const a = require('./x')",
        "function f() { if (a) { return require(`./x`).b } }",
    ],
)
def test_importing_a_value_is_static(statement: str) -> None:
    assert imports(statement) == {"./x": "static"}


@pytest.mark.parametrize("deeper", ["", "declare module 'm' {{ {0} }}", "namespace n {{ {0} }}"])
@pytest.mark.parametrize("noise", ["", "exports.a = 1\n", "// import it\n", "export const z = 1\n"])
@pytest.mark.parametrize("statement", ["import b from 'b'", "export * from 'b'"])
def test_imports_at_the_top_hide_none_deeper_down(statement: str, noise: str, deeper: str) -> None:
    found = imports(f"{noise}import './a'\n{deeper.format(statement)}\n")
    assert set(found) == ({"./a", "b"} if deeper else {"./a"})


@pytest.mark.parametrize(
    "statement",
    [
        "import type A from './x'",
        "import type { A } from './x'",
        "import type * as A from './x'",
        "import type from from './x'",
        "import type A = require('./x')",
        "import { type A, type B as C } from './x'",
        "import { /* one */ type A, } from './x'",
        "import { type as as a } from './x'",
        "type A = import('./x').A",
        "type A = typeof import('./x')",
        "type A = Promise<import('./x').A>",
        "const a: import('./x').A = b",
        "const a = b as import('./x').A",
        "const a = b as typeof import('./x')",
        "const a = b satisfies import('./x').A",
        "const a = f<typeof import('./x')>()",
        "const a = await vi.importActual<typeof import('./x')>('y')",
        "const a = f<import('./x').A>(1)",
        "let a: import('./x').A<B>[]",
        "function f(a: import('./x').A): void {}",
        "function f(): import('./x').A {}",
        "function f<T extends import('./x').A>() {}",
        "interface A { b: import('./x').B }",
        "interface A extends Pick<import('./x').B, 'c'> {}",
        "class A { b?: import('./x').B }",
        "declare global { var a: typeof import('./x') }",
    ],
)
def test_importing_nothing_but_types_is_type_only(statement: str) -> None:
    assert imports(statement) == {"./x": "type-only"}


@pytest.mark.parametrize(
    "statement",
    [
        "export * from './x'",
        "export * as a from './x'",
        "export { a, type B } from './x'",
        "export type { A } from './x'",
        "export type * from './x'",
    ],
)
def test_exporting_from_a_module_is_a_re_export(statement: str) -> None:
    assert imports(statement) == {"./x": "re-export"}


@pytest.mark.parametrize(
    "statement",
    [
        "const a = () => import('./x')",
        "await import(`./x`)",
        "import(/* webpackChunkName: 'a' */ './x').then(f)",
        "import(\n  // why\n  './x',\n)",
        "import('./x', { with: { type: 'json' } })",
        "if (a < 1 && (await import('./x')).b) {}",
        "const a = import('./x') as Promise<A>",
        "const a = { b: () => import('./x') } satisfies C",
        "const a: A = { b: () => import('./x') }",
    ],
)
def test_importing_by_a_call_is_dynamic(statement: str) -> None:
    assert imports(statement) == {"./x": "dynamic"}


@pytest.mark.parametrize(
    "source",
    [
        "// import a from './x'",
        "/** @type {import('./x').A} */",
        "const a = \"import b from './x'\"",
        "const a = `import b from './x'; require('./x')`",
        "const a = /require('.\\/x')/",
        "jest.mock('./x'); vi.mock('./x')",
        "require.resolve('./x')",
        "new URL('./x', import.meta.url)",
        "declare module './x' {}",
        "/// <reference path='./x' />",
        "import(`./${x}`); import('./' + x); require(x); require('./' + x); require()",
        "a.require('./x'); a.import('./x')",
        "export { a }",
        "export default './x'",
    ],
)
def test_everything_else_is_no_import(source: str) -> None:
    assert imports(source) == {}


def test_lines_count_from_one() -> None:
    found = read_source(
        "m.mjs", b"\xef\xbb\xbf// \xff\r\nimport a from './a'\r\n\r\nimport {\r\n} from './b'\r\n"
    ).specifiers

    assert [(specifier.module, specifier.line) for specifier in found] == [("./a", 2), ("./b", 4)]


@pytest.mark.parametrize("extension", ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "d.ts"])
def test_every_extension_of_the_family_is_read(extension: str) -> None:
    assert imports("import a from './x'", f"m.{extension}") == {"./x": "static"}


# --- declarations ---


def test_functions_are_declared_or_kept_in_variables() -> None:
    source = (
        "function a() {}\nasync function* b() {}\nconst c = () => 1\nlet d = function () {}\nvar e = (() => 1) as F"
    )

    assert set(kinds(source).values()) == {"function"}
    assert list(kinds(source)) == ["a", "b", "c", "d", "e"]


def test_members_of_a_class_are_its_methods_and_its_fields_that_hold_functions() -> None:
    source = """class A {
  field = 1
  handler = async () => {}
  constructor() {}
  get x() { return 1 }
  set x(v) {}
  static #hidden() {}
  [computed]() {}
  'quoted'() {}
  overloaded(a: string): void
  overloaded(a: any) {}
}"""
    assert list(lines(source)) == ["A", "A::handler", "A::constructor", "A::x", "A::x#2", "A::#hidden", "A::overloaded"]
    assert lines(source)["A::overloaded"] == (11, 11)


@pytest.mark.parametrize("value", ["function () {}", "() => 1", "class { m() {} }", "class extends B {}"])
@pytest.mark.parametrize("path", ["m.ts", "m.js"])
def test_a_default_export_without_a_name_is_called_default(value: str, path: str) -> None:
    assert next(iter(lines(f"export default {value}", path))) == "default"


# --- signatures ---


@pytest.mark.parametrize(
    ("source", "signature"),
    [
        (
            "export async function f<T>(a: T, b = 1): Promise<T> {\n}",
            "export async function f<T>(a: T, b = 1): Promise<T>",
        ),
        ("export default class extends B implements I { }", "export default class extends B implements I"),
        ("@Dec({ a: 1 })\n@Other()\nexport class A<T> {\n}", "export class A<T>"),
        ("export const f = (x: number): string =>\n  g(x)", "export const f = (x: number): string"),
        ("const f = function* () {}", "const f = function* ()"),
        ("export const LIMIT: number = 5;", "export const LIMIT: number = 5"),
        ("export const table: Table = {\n  a: 1,\n}", "export const table: Table"),
        ("export interface User extends Base {\n  id: string\n}", "export interface User extends Base"),
        ("export type Id = string | number;", "export type Id = string | number"),
        ("type Big = {\n  a: 1\n}", "type Big"),
        ("export const enum Color { Red }", "export const enum Color"),
        ("declare class Z {}", "declare class Z"),
        ("namespace A.B { }", "namespace A.B"),
        ("function f(\n  a, // first\n  /* second */ b = '//',\n) {\n}", "function f(a, b = '//')"),
    ],
)
def test_a_signature_is_the_head_of_a_declaration_on_one_line(source: str, signature: str) -> None:
    assert [symbol.signature for symbol in read_symbols("m.ts", source.encode())] == [signature]


def test_methods_are_signed_without_their_decorators() -> None:
    source = """class A {
  @Input() private static async login(user: string): Promise<void> {}
  constructor(private readonly db: Db) { super() }
  get #x() { return 1 }
  onClick = (e: Event) => {}
}"""
    assert [symbol.signature for symbol in read_symbols("m.ts", source.encode())] == [
        "class A",
        "private static async login(user: string): Promise<void>",
        "constructor(private readonly db: Db)",
        "get #x()",
        "onClick = (e: Event)",
    ]


# --- what the grammars do not know ---


@pytest.mark.parametrize(
    "use",
    [
        "const a: import('./x').A<B> = 1",
        "declare const a: import('./x').A<B, { c: 1 }>",
        "interface I {\n  new (a: import('./x').A<B>): C\n  b: D\n}",
        "type A = B | import('./x').C.D<E>['f']",
        "interface I {\n  a?: import('./x').A[]\n}",
        "const a = await load<typeof import('./x')>()",
    ],
)
def test_a_type_taken_from_an_import_may_have_arguments(use: str) -> None:
    source = f"{use}\nexport const after = () => {{}}"

    assert imports(source) == {"./x": "type-only"}
    assert "after" in lines(source)
    assert read_source("m.ts", source.encode()).problem == ""


@pytest.mark.parametrize("noise", ["// {0}", "const s = `{0}`", "/** @type {{{0}}} */"])
def test_a_type_named_in_a_comment_or_a_text_is_no_import(noise: str) -> None:
    assert imports(noise.format("import('./x').A<B>")) == {}


@pytest.mark.parametrize("keyword", ["with", "assert"])
@pytest.mark.parametrize("names", ["*", "* as a", "{ a }"])
def test_attributes_do_not_hide_a_re_export(names: str, keyword: str) -> None:
    assert imports(f"export {names} from './x' {keyword} {{ type: 'json' }};\nexport * from './y'") == {
        "./x": "re-export",
        "./y": "re-export",
    }


@pytest.mark.parametrize("statement", ["export import a = require('./x')", "import a = require('./x')"])
def test_requiring_into_a_name_is_static_exported_or_not(statement: str) -> None:
    assert imports(f"{statement};\nexport const b = 1") == {"./x": "static"}


def test_all_types_may_be_exported_again() -> None:
    source = "export type * from './x'\nexport type * as T from './y'\nimport type * as U from './z'"

    assert imports(source) == {"./x": "re-export", "./y": "re-export", "./z": "type-only"}
    assert read_source("m.ts", source.encode()).problem == ""


@pytest.mark.parametrize(
    "source",
    [
        "interface Get {\n  <K extends A>(key: K): B[K]\n  <K extends C>(key: K): D<K>\n}",
        "interface Get {\n  (): B[K]\n\n  // why\n  <\n    T,\n  >(): T\n}",
        "interface Mapper<in T, out U extends A, in out V> {\n  a: T\n}",
        "const f =\n  (a: A) =>\n  <T>(b: T) => {\n    return a < b\n  }",
    ],
)
def test_what_stands_below_odd_types_is_read(source: str) -> None:
    assert list(lines(f"{source}\nexport function after() {{\n}}"))[-1] == "after"
    assert read_source("m.ts", source.encode()).problem == ""


@pytest.mark.parametrize("path", ["m.jsx", "m.js", "m.tsx"])
def test_attributes_of_elements_may_be_called_like_keywords(path: str) -> None:
    source = 'export const A = () => <label class="a" for="b">text</label>\nexport const b = 1'

    assert list(lines(source, path)) == ["A", "b"]
    assert read_source(path, source.encode()).problem == ""


def test_depth_is_no_problem() -> None:
    assert read_source("m.ts", b"{" * 5000 + b"import('./x')" + b"}" * 5000).specifiers != ()
    assert read_source("m.ts", b"namespace A {" * 3000) is not None


def test_broken_sources_give_what_can_be_read() -> None:
    assert "A" in lines("import a from './a'\nclass A {\n  m() {}\n}\nfunction f( {\n")
    assert imports("import a from './a'\nconst x = {{{\n") == {"./a": "static"}
    assert lines("\x00\x00") == {}
