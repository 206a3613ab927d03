from __future__ import annotations

import pytest

from scripts.benchmarks.survival.fates import Fate
from tests.conftest import MakeRepository
from tests.scripts.lives import SHOP, STOCK, life, lives

PADDING = "".join(f"LIMIT_{number} = {number}\n" for number in range(40))
"""Enough for git to know a file again."""

RUST = "fn f() {{\n    use {};\n    g()\n}}\n"
"""A function that imports."""


@pytest.mark.parametrize(
    ("path", "before", "after", "fate"),
    [
        ("a.py", SHOP, "import this\n\n\n" + SHOP, Fate.UNCHANGED),
        ("a.py", SHOP, SHOP.replace("\n", "\r\n"), Fate.UNCHANGED),
        ("a.py", SHOP, SHOP.replace("item.cost * count", "(\n        item.cost * count\n    )"), Fate.FORMAT),
        ("a.py", SHOP, SHOP.replace("count\n", "count  # pieces\n"), Fate.COMMENT),
        ("a.py", SHOP, SHOP.replace("    total =", '    """What it costs."""\n    total ='), Fate.COMMENT),
        ("a.py", SHOP, SHOP.replace(" * ", " + "), Fate.BODY),
        ("a.py", SHOP, SHOP.replace("count)", "count=1)"), Fate.SIGNATURE),
        ("a.py", SHOP, "@cache\n" + SHOP, Fate.SIGNATURE),
        ("a.ts", "function f(a) {\n  return a >= 18\n}\n", "function f(a) {\n  return a < 18\n}\n", Fate.BODY),
        ("a.ts", "function f(a) {\n  return a\n}\n", "function f(a, b) {\n  return a\n}\n", Fate.SIGNATURE),
        ("a.ts", "function f(a) {\n  g(a, 'x')\n}\n", 'function f(a) {\n  g(\n    a,\n    "x",\n  )\n}\n', Fate.FORMAT),
        ("a.ts", "function f(a) {\n  return a\n}\n", "function f(a) {\n  // why\n  return a\n}\n", Fate.COMMENT),
        ("a.rs", "fn f() -> u8 {\n    1\n}\n", "#[inline]\nfn f() -> u8 {\n    1\n}\n", Fate.SIGNATURE),
        ("A.java", "class A {\n  int f() { return 1; }\n}\n", "class A\n{\n  int f() { return 1; }\n}\n", Fate.FORMAT),
        ("A.java", "public static abstract class A {}\n", "public abstract static class A {}\n", Fate.FORMAT),
        ("A.java", "public static class A {}\n", "public abstract static class A {}\n", Fate.SIGNATURE),
        ("a.rs", RUST.format("b::{C, d}"), RUST.format("b::{d, C}"), Fate.FORMAT),
        ("a.rs", RUST.format("b::{C, d::E}"), RUST.format("b::{d::C, E}"), Fate.BODY),
        ("a.rs", "fn f() -> F<O = A> {\n    g()\n}\n", "fn f() -> F<O = B> {\n    g()\n}\n", Fate.SIGNATURE),
        ("a.ts", "export const f = <T>(a: T) => a\n", "export const f = <T>(b: T) => b\n", Fate.SIGNATURE),
        ("a.ts", "type F = (a: string) => void\n", "type F = (a: number) => void\n", Fate.DRIFT),
        ("a.ts", "interface A<B = C<D>> {}\n", "interface A<\n  B = C<\n    D\n  >\n> {}\n", Fate.FORMAT),
        ("a.rs", "macro_rules! m {\n    () => { 1 };\n}\n", "macro_rules! m {\n    () => { 2 };\n}\n", Fate.DRIFT),
        ("a.rb", "def f(a)\n  a + 1\nend\n", "def f(a)\n  a + 2\nend\n", Fate.DRIFT),
    ],
)
def test_a_symbol_that_stayed_is_told_by_what_changed(
    repository: MakeRepository, path: str, before: str, after: str, fate: Fate
) -> None:
    assert life(repository(), {path: before}, {path: after})[0] is fate


def test_a_symbol_moves_with_its_file(repository: MakeRepository) -> None:
    found = life(repository(), {"a.py": SHOP + PADDING}, {"b/c.py": SHOP + PADDING})
    assert found == (Fate.MOVED, "b/c.py::price")


def test_a_symbol_moves_alone(repository: MakeRepository) -> None:
    before = {"a.py": SHOP + STOCK, "b.py": PADDING}
    found = life(repository(), before, {"a.py": STOCK, "b.py": PADDING + "\n\n" + SHOP})
    assert found == (Fate.MOVED, "b.py::price")


def test_methods_move_with_a_renamed_class_and_the_class_is_renamed(repository: MakeRepository) -> None:
    shop = "class Shop:\n" + "".join(f"    {line}\n" for line in SHOP.splitlines())
    found = lives(repository(), {"a.py": shop}, {"a.py": shop.replace("Shop", "Store")})
    assert found["a.py::Shop"].fate is Fate.RENAMED
    assert found["a.py::Shop"].place == "a.py::Store"
    assert found["a.py::Shop::price"].fate is Fate.MOVED
    assert found["a.py::Shop::price"].place == "a.py::Store::price"


def test_a_renamed_symbol_has_the_same_code_but_for_its_name(repository: MakeRepository) -> None:
    recursive = SHOP.replace("discount(", "price(")
    found = life(repository(), {"a.py": recursive}, {"a.py": recursive.replace("price", "cost_of")})
    assert found == (Fate.RENAMED, "a.py::cost_of")


def test_a_name_inside_a_string_is_not_the_symbols_name(repository: MakeRepository) -> None:
    logging = SHOP.replace("total - ", "total - log('price') - ")
    found = life(repository(), {"a.py": logging}, {"a.py": logging.replace("price", "cost_of")})
    assert found == (Fate.UNCERTAIN, "a new symbol is like it")


def test_a_symbol_edited_in_a_renamed_file_is_moved_and_edited(repository: MakeRepository) -> None:
    found = life(repository(), {"a.py": SHOP + PADDING}, {"b.py": SHOP.replace(" * ", " + ") + PADDING})
    assert found == (Fate.MOVED_AND_EDITED, "b.py::price")


def test_a_symbol_that_nothing_new_is_like_is_deleted(repository: MakeRepository) -> None:
    assert life(repository(), {"a.py": SHOP + STOCK}, {"a.py": STOCK}) == (Fate.DELETED, "")


def test_an_old_symbol_of_the_same_name_does_not_save_a_deleted_one(repository: MakeRepository) -> None:
    other = SHOP.replace("item.cost * count", "sum(basket)").replace("discount(total)", "1")
    found = life(repository(), {"a.py": SHOP, "b.py": other}, {"b.py": other})
    assert found == (Fate.DELETED, "")


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ({"a.py": SHOP}, {"b.py": SHOP.replace("cost", "worth") + PADDING}, "a new symbol has its name"),
        ({"a.py": SHOP}, {"b.py": SHOP.replace("price", "due") + SHOP.replace("price", "fee")}, "several candidates"),
        ({"a.py": SHOP + PADDING, "b.py": SHOP}, {"b.py": SHOP, "c.py": STOCK + SHOP}, "had a twin"),
        ({"a.py": "def f(a):\n    return a\n"}, {"b.py": PADDING + "def f(a):\n    return a\n"}, "tiny"),
        ({"a.py": SHOP}, {"a.py": SHOP.replace("price", "due") + STOCK.replace("shelf", "price")}, "changed, and its"),
        ({"a.py": SHOP + SHOP}, {"a.py": SHOP}, "overloads changed"),
        ({"a.js": "function f() {}\n"}, {"a.js": "const g = () => {\n  function f() {}\n}\n"}, "its file still says"),
        ({"a.js": "function f(a) {\n  return a\n}\n"}, {"a.js": "function f(a) {\n  return (a)\n}\n"}, "a formatter"),
        ({"a.js": "export let a = 1, b = 2\n"}, {"a.js": "export let a = 1, b = 3\n"}, "shares a line"),
    ],
)
def test_what_can_be_argued_about_is_set_apart(
    repository: MakeRepository, before: dict[str, str], after: dict[str, str], reason: str
) -> None:
    fate, why = life(repository(), before, after)
    assert fate is Fate.UNCERTAIN
    assert why.startswith(reason)


def test_of_overloads_one_may_change(repository: MakeRepository) -> None:
    getter = "class A:\n    @property\n    def x(self):\n        return self._x\n"
    setter = "    @x.setter\n    def x(self, x):\n        self._x = x\n"
    found = lives(repository(), {"a.py": getter + setter}, {"a.py": getter + setter.replace("= x", "= int(x)")})
    assert found["a.py::A::x"].fate is Fate.UNCHANGED
    assert found["a.py::A::x#2"].fate is Fate.BODY


def test_git_alone_is_not_believed_where_files_are_like_templates(repository: MakeRepository) -> None:
    lines = [f"TABLE_{number} = {number}\n" for number in range(20)]
    template, filled = "".join(lines), "".join([*lines[:14], *(line.lower() for line in lines)])
    found = life(repository(), {"one/a.py": SHOP + template}, {"two/a.py": SHOP + filled, "three/b.py": STOCK + SHOP})
    assert found == (Fate.UNCERTAIN, "its file was renamed, but others are as like it")


def test_git_is_not_believed_of_an_edited_symbol_that_is_as_like_another(repository: MakeRepository) -> None:
    files = {"one/a.py": SHOP + PADDING}
    edited, rival = SHOP.replace("total -", "total +"), SHOP.replace("item.cost", "item.price")
    found = life(repository(), files, {"two/a.py": edited + PADDING, "three/b.py": STOCK + rival})
    assert found == (Fate.UNCERTAIN, "its file was renamed, but others are as like it")


def test_of_two_copies_that_left_git_cannot_say_which_went_where(repository: MakeRepository) -> None:
    before = {"one/a.py": SHOP + PADDING, "two/a.py": SHOP + PADDING}
    found = lives(repository(), before, {"three/a.py": SHOP.replace(" * ", " + ") + PADDING})
    assert {truth.fate for truth in found.values()} == {Fate.UNCERTAIN}


def test_of_two_like_files_that_left_one_may_have_gone_with_the_other(repository: MakeRepository) -> None:
    other = SHOP.replace("item.cost * count", "sum(count)").replace("total - discount(total)", "0")
    found = lives(repository(), {"one/a.py": SHOP, "two/a.py": other + PADDING}, {"three/a.py": other + PADDING})
    assert found["one/a.py::price"].reason == "one of its name arrived with a file"


def test_a_symbol_whose_old_code_is_more_like_a_new_one_is_set_apart(repository: MakeRepository) -> None:
    stub = "def price(item, count):\n    return price_of(item, count, None)\n"
    moved = SHOP.replace("price(item, count)", "price_of(item, count, ready)")
    found = life(repository(), {"a.py": SHOP}, {"a.py": stub + moved})
    assert found == (Fate.UNCERTAIN, "changed, and a new symbol is more like it")


def test_equal_code_beside_another_symbol_of_the_name_is_set_apart(repository: MakeRepository) -> None:
    shop = "class Shop:\n" + "".join(f"    {line}\n" for line in SHOP.splitlines())
    shim = "\n\nclass Shop(Store):\n    def price(self):\n        warn()\n"
    found = lives(repository(), {"a.py": shop}, {"b.py": STOCK + PADDING + shop.replace("Shop", "Store") + shim})
    assert found["a.py::Shop::price"].reason == "beside its code is another of its name"


def test_code_of_others_is_left_out(repository: MakeRepository) -> None:
    files = {"vendor/a.py": SHOP, "web/node_modules/b/c.js": "function f() {}\n", "a.py": STOCK}
    assert set(lives(repository(), files, files)) == {"a.py::shelf"}
