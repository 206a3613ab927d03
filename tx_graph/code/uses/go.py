"""Go: what its names mean.

A name that is none of a function is written `~::name`, and looked up in its package and among its imports
(`tx_graph.code.uses.go_packages`). Of a type the path is an instance, and a pointer stands for what it points to. What
is in a slice, a channel or a map is written `.<`, `.<-` or `.<m` behind what it holds, and taken out of it by `.>`, by
`.>k` what a loop counts; `.0` and `.1` are the results of a call that has several. What has no name is called `<7`:
functions, and structs whose fields are in it; `^` is an instance of the struct that a variable is declared with.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tx_graph.code.details import test_title
from tx_graph.code.readers.go import specifiers
from tx_graph.code.tree import Tree, first_line
from tx_graph.code.uses import (
    ALL,
    CALL,
    CLASS,
    EXTEND,
    FUNCTION,
    IMPLEMENT,
    READ,
    TYPE,
    VARIABLE,
    WHOLE,
    WRITE,
    Binding,
    Place,
    Uses,
)
from tx_graph.code.uses.walk import Names, OpenWalk, Written

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_LEAVES = frozenset(
    "comment interpreted_string_literal raw_string_literal rune_literal int_literal float_literal imaginary_literal nil"
    " true false iota dot label_name package_clause import_declaration break_statement continue_statement"
    " goto_statement fallthrough_statement empty_statement field_identifier package_identifier".split()
)
_BUILT_IN = frozenset(
    "_ nil true false iota append cap len make new panic recover error string bool byte rune int int8 int16 int32 int64"
    " uint uint8 uint16 uint32 uint64 uintptr float32 float64 complex64 complex128 any comparable".split()
)
"""Names of the language that packages leave to it."""
_BLOCKS = frozenset(
    "block if_statement for_statement expression_switch_statement expression_case default_case"
    " communication_case".split()
)
_NAMED_TYPES = frozenset({"type_identifier", "qualified_type", "generic_type"})
_BOXES = {
    "slice_type": "<",
    "array_type": "<",
    "implicit_length_array_type": "<",
    "channel_type": "<-",
    "map_type": "<m",
}
"""Types that hold others; what they hold is the last type in them."""
_ITERATORS = {"iter.Seq": ".<-", "iter.Seq2": ".<m"}
"""Types that loops go through like channels and maps."""
_PARAMETER = re.compile(r"\.<\d")
"""What the path of a type parameter has: its number behind what it is one of."""
_STRINGS = frozenset({"interpreted_string_literal", "raw_string_literal"})
_CALLS = frozenset({"call_expression", "type_conversion_expression"})
_LONGEST = 400
"""Characters of a path; a longer one grows with every assignment."""


def uses(tree: Tree) -> tuple[Uses, dict[str, Place]]:
    """Return what a file's names mean; where they are defined, the tree shows plainly."""
    return _Walk().read(tree), {}


class _Scope(Names):
    """The names of a block, with the paths of what they hold; behind `=` that of a definition inside a function."""

    __slots__ = ("qualified",)

    def __init__(self, outer: _Scope | None, qualified: str) -> None:
        super().__init__(outer)
        self.qualified = qualified

    def block(self) -> _Scope:
        return _Scope(self, self.qualified)

    def inner(self, name: str) -> str:
        return f"{self.qualified}::{name}" if self.qualified else name


class _Walk(OpenWalk[_Scope]):
    _leaves = _LEAVES

    def __init__(self) -> None:
        super().__init__()
        self._unnamed = 0
        self._holder = ""  # the variable or field whose type is read
        self._forms = {
            "identifier": self._identifier,
            "selector_expression": self._selector,
            "call_expression": self._call,
            "composite_literal": self._composite,
            "func_literal": self._literal,
            "unary_expression": self._unary,
            "parenthesized_expression": self._last,
            "index_expression": self._index,
            "slice_expression": self._sliced,
            "type_assertion_expression": self._last,
            "type_conversion_expression": self._conversion,
            "type_instantiation_expression": self._instantiated,
            "short_var_declaration": self._short,
            "assignment_statement": self._assignment,
            "inc_statement": self._write,
            "dec_statement": self._write,
            "var_spec": self._variables,
            "const_declaration": self._constants,
            "range_clause": self._each,
            "receive_statement": self._each,
            "type_switch_statement": self._type_switch,
            **dict.fromkeys(_BLOCKS, self._block),
            "type_spec": self._type,
            "type_alias": self._type,
            "function_declaration": self._function,
            "method_declaration": self._method,
            **dict.fromkeys(_NAMED_TYPES, self._typed),
            "pointer_type": self._last,
            "type_elem": self._last,
            "parenthesized_type": self._last,
            "function_type": self._literal,
            "struct_type": self._unnamed_struct,
            "interface_type": self._unnamed_interface,
            **dict.fromkeys(_BOXES, self._boxed),
        }

    def read(self, tree: Tree) -> Uses:
        bindings = []
        for one in specifiers(tree):
            if one.name == ".":
                bindings.append(Binding(ALL, one.module, ALL))
            elif one.name != "_":
                bindings.append(Binding(one.name or "", one.module, WHOLE))
        self._children(tree.root, _Scope(None, ""))
        self._forms.clear()  # which hold this walk, and so the tree
        return Uses(
            bindings=tuple(dict.fromkeys(bindings)),
            definitions=self._definitions,
            holds=self._holds(),
            bases=self._bases,
            uses=self._uses(),
        )

    def _block(self, node: SgNode, scope: _Scope) -> None:
        self._children(node, scope.block())

    def _new(self) -> str:
        self._unnamed += 1
        return f"<{self._unnamed}"

    # --- names

    def _identifier(self, node: SgNode, scope: _Scope, kind: str = READ) -> Written | None:
        name = node.text()
        held = scope.find(name)
        if held is None:
            if name in _BUILT_IN:
                return None
            path = f"~::{name}"
        elif held[:1] != "=":
            return Written(held) if held else None
        else:
            path = held[1:]
        line = first_line(node)
        value = Written(path, line)
        self._use(line, kind, value)
        return value

    def _selector(self, node: SgNode, scope: _Scope, kind: str = READ) -> Written | None:
        held, name = node.field("operand"), node.field("field")
        if held is None or name is None:
            return None
        if held.kind() == "identifier" and scope.find(text := held.text()) is None:  # most often a package
            return self._member(Written(f"~::{text}", first_line(held)), name, kind)
        value = self._visit(held, scope)
        return self._member(value, name, kind) if value and len(value.path) < _LONGEST else None

    # --- expressions

    def _called(self, node: SgNode, scope: _Scope, kind: str) -> Written | None:
        what = node.kind()
        if what == "identifier":
            return self._identifier(node, scope, kind)
        if what == "selector_expression":
            return self._selector(node, scope, kind)
        return self._visit(node, scope)

    def _call(self, node: SgNode, scope: _Scope) -> Written | None:
        function, arguments = node.field("function"), node.field("arguments")
        if function is None or arguments is None:
            return None
        what = function.kind()
        value = self._called(function, scope, CALL)
        if what == "identifier" and value is None:
            given = [self._visit(one, scope) for one in arguments.named_children()]
            is_like_its_first = given and function.text() in ("append", "make", "new")
            return Written(given[0].path) if is_like_its_first and given[0] else None
        if told := node.field("type_arguments"):
            self._children(told, scope)  # or the index of a function
            value = value and Written(_taken(value.path), value.line, len(value.path))
        if what == "selector_expression" and function.text().endswith(".Run"):
            first = next(iter(arguments.named_children()), None)
            if first and first.kind() in _STRINGS and (name := test_title(first.text())):
                scope = _Scope(scope, scope.inner(name))
        self._children(arguments, scope)
        return value.then("()") if value else None

    def _composite(self, node: SgNode, scope: _Scope) -> Written | None:
        told, body = node.field("type"), node.field("body")
        if told is None or body is None:
            return None
        key: Written | None = None
        if told.kind() in _NAMED_TYPES:
            value = self._instance(self._named_type(told, scope, CALL))
        elif told.kind() == "map_type":
            key, value = self._field(told, "key", scope), self._field(told, "value", scope)
            value = value and value.then(".<m")
        else:
            value = self._visit(told, scope)
        self._elements(body, value, scope, key, is_boxed=told.kind() in _BOXES)
        return Written(value.path) if value else None

    def _elements(
        self, body: SgNode, value: Written | None, scope: _Scope, keyed: Written | None = None, *, is_boxed: bool
    ) -> None:
        """Read what a literal is made of, and by what it is keyed; `is_boxed`: its keys are no fields."""
        held = Written(_taken(value.path)) if value else None
        for one in body.named_children():
            kind = one.kind()
            if kind == "literal_element":
                self._element(one, held, scope)
            elif kind == "keyed_element":
                parts = [part for part in one.named_children() if part.kind() == "literal_element"]
                key, given = parts[0].child(0), parts[-1].child(0)
                if is_boxed or not key or key.kind() != "identifier" or not given or given.kind() == "literal_value":
                    self._element(parts[0], keyed, scope)
                elif value:
                    self._member(Written(value.path), key, WRITE)
                self._element(parts[-1], held, scope)

    def _element(self, node: SgNode, value: Written | None, scope: _Scope) -> None:
        for one in node.named_children():
            if one.kind() == "literal_value":
                is_boxed = value is None or value.path.rpartition(".")[2] in ("<", "<m")
                self._elements(one, value, scope, is_boxed=is_boxed)
            else:
                self._visit(one, scope)

    def _unary(self, node: SgNode, scope: _Scope) -> Written | None:
        sign, value = node.child(0), self._last(node, scope)
        if value is None or sign is None:
            return None
        return Written(_taken(value.path), value.line, value.cut) if sign.kind() == "<-" else value

    def _index(self, node: SgNode, scope: _Scope) -> Written | None:
        held, index = node.field("operand"), node.field("index")
        value = self._visit(held, scope) if held else None
        if index:
            self._visit(index, scope)
        return Written(_taken(value.path), value.line, value.cut) if value else None

    def _sliced(self, node: SgNode, scope: _Scope) -> Written | None:
        return next(iter([self._visit(one, scope) for one in node.named_children()]), None)

    def _conversion(self, node: SgNode, scope: _Scope) -> Written | None:
        told = node.field("type")
        if told is None:
            return None
        is_generic = told.kind() == "generic_type"  # which may be a function, too, or one by its index
        value = self._named_type(told, scope, CALL) if is_generic else self._visit(told, scope)
        self._field(node, "operand", scope)
        return Written(f"{_taken(value.path)}()", value.line, len(value.path)) if value and is_generic else value

    def _instantiated(self, node: SgNode, scope: _Scope) -> Written | None:
        function, *arguments = node.named_children()
        value = self._named_type(function, scope, READ)
        for one in arguments:
            self._visit(one, scope)
        return value

    def _literal(self, node: SgNode, scope: _Scope) -> Written | None:
        """Read a function, or the type of one, that has no name."""
        return self._signature(node, scope.block(), "")

    # --- statements

    def _values(self, node: SgNode | None, count: int, scope: _Scope) -> Sequence[Written | None]:
        """Return what as many variables are given."""
        given = [one for one in node.named_children() if one.kind() != "comment"] if node else []
        values = [self._visit(one, scope) for one in given]
        if len(values) != 1 or count == 1:
            return [*values, *[None] * (count - len(values))]
        value = values[0]
        if value and given[0].kind() in _CALLS:
            return [value.then(f".{number}") for number in range(count)]
        return [value, *[None] * (count - 1)]

    def _declare(self, left: SgNode, values: Sequence[Written | None], scope: _Scope) -> None:
        """Make names those of a block, but for those that it has already."""
        for one, value in zip([one for one in left.named_children() if one.kind() != "comment"], values, strict=False):
            name = one.text()
            if name not in scope.names:
                scope.names[name] = value.path if value else ""

    def _write(self, left: SgNode, scope: _Scope) -> None:
        for one in left.named_children():
            self._called(one, scope, WRITE)

    def _short(self, node: SgNode, scope: _Scope) -> None:
        left, right = node.field("left"), node.field("right")
        if left is None or right is None:
            return
        names = left.named_children()
        if len(names) == 1 and self._closure(names[0].text(), right, scope):
            return
        self._declare(left, self._values(right, len(names), scope), scope)

    def _closure(self, name: str, given: SgNode, scope: _Scope) -> bool:
        """Define a function that a variable is declared with, if it is one."""
        values = given.named_children()
        if len(values) != 1 or values[0].kind() != "func_literal" or name == "_":
            return False
        qualified, self._holder = scope.inner(name), ""
        self._definitions[qualified] = FUNCTION
        self._signature(values[0], _Scope(scope, qualified), qualified)
        if scope.outer:
            scope.names[name] = f"={qualified}"
        return True

    def _assignment(self, node: SgNode, scope: _Scope) -> None:
        left = node.field("left")
        if left:
            self._write(left, scope)
        self._field(node, "right", scope)

    def _variables(self, node: SgNode, scope: _Scope) -> None:
        names, told, given = _parts(node)
        inner = scope
        if not scope.outer:
            inner = _Scope(scope, self._new())
            if len(names) == 1 and names != ["_"]:
                inner.qualified = self._holder = names[0]
                self._define(names[0], VARIABLE)
        value: Written | None = None
        if told and names == ["_"]:
            self._named_type(told, scope, IMPLEMENT)
        elif told:
            value = self._visit(told, inner)
        if len(names) == 1 and given and self._closure(names[0], given, scope):
            return
        values = self._values(given, len(names), inner)
        self._holder = ""
        for name, one in zip(names, [value] * len(names) if told else values, strict=False):
            self._variable(name, one, scope)

    def _variable(self, name: str, value: Written | None, scope: _Scope) -> None:
        if scope.outer:
            scope.names[name] = value.path if value else ""
        elif name != "_":
            self._define(name, VARIABLE)
            self._hold(name, value)

    def _constants(self, node: SgNode, scope: _Scope) -> None:
        before: list[Written | None] = []
        for one in node.named_children():
            if one.kind() != "const_spec":
                continue
            names, told, given = _parts(one)
            value = self._visit(told, scope) if told else None
            values = self._values(given, len(names), scope)
            if told or given:  # else the names are given what those above are
                before = [value] * len(names) if told else list(values)
            for name, held in zip(names, before, strict=False):
                self._variable(name, held, scope)

    def _each(self, node: SgNode, scope: _Scope) -> None:
        """Read a loop over something, or what a channel gives."""
        value, left = self._field(node, "right", scope), node.field("left")
        if left is None:
            return
        if all(one.kind() != ":=" for one in node.children()):
            self._write(left, scope)
            return
        if value and node.kind() == "range_clause":
            self._declare(left, [value.then(".>k"), Written(_taken(value.path))], scope)
        else:
            self._declare(left, [value, None], scope)

    def _type_switch(self, node: SgNode, scope: _Scope) -> None:
        inner, alias = scope.block(), node.field("alias")
        self._field(node, "initializer", inner)
        value = self._field(node, "value", inner)
        name = alias.text() if alias else "_"
        for case in node.named_children():
            if case.kind() not in ("type_case", "default_case"):
                continue
            each = inner.block()
            told = [self._visit(one, inner) for one in case.field_children("type") if one.is_named()]
            held = told[0] if len(told) == 1 else value
            each.names[name] = held.path if held else ""
            for one in case.named_children():
                if one.kind() == "statement_list":
                    self._children(one, each)

    # --- types

    def _typed(self, node: SgNode, scope: _Scope) -> Written | None:
        """Note the types that a type names; return an instance of it."""
        return self._instance(self._named_type(node, scope, TYPE))

    def _instance(self, found: Written | None) -> Written | None:
        if found is None:
            return None
        return Written(found.path if found.path.endswith(("%", "^", "<", "<m", "<-")) else f"{found.path}%")

    def _named_type(self, node: SgNode, scope: _Scope, kind: str) -> Written | None:
        """Note the use of a type; return what it is."""
        what = node.kind()
        if what == "type_identifier":
            return self._identifier(node, scope, kind)
        if what == "qualified_type":
            package, name = node.field("package"), node.field("name")
            if package is None or name is None:
                return None
            held = scope.find(text := package.text())  # of a variable, where it is an index that is read as a type
            value = Written(f"~::{text}", first_line(package)) if held is None else Written(held)
            return self._member(value, name, kind) if value.path else None
        if what == "generic_type":
            told, arguments = node.field("type"), node.field("type_arguments")
            given = [self._visit(one, scope) for one in arguments.named_children()] if arguments else []
            if told and given and given[-1] and (box := _ITERATORS.get(told.text())):
                return given[-1].then(box)
            return self._named_type(told, scope, kind) if told else None
        return self._visit(node, scope)

    def _boxed(self, node: SgNode, scope: _Scope) -> Written | None:
        held = self._last(node, scope)
        return held.then(f".{_BOXES[node.kind()]}") if held else None

    def _unnamed_struct(self, node: SgNode, scope: _Scope) -> Written:
        qualified, self._holder = self._holder, ""
        if not qualified:
            qualified = self._new()
            self._define(qualified, CLASS)
        self._struct(node, scope, qualified)
        return Written(f"{qualified}^")

    def _unnamed_interface(self, node: SgNode, scope: _Scope) -> Written | None:
        qualified, self._holder = self._holder or scope.qualified, ""
        self._interface(node, scope, qualified)
        return Written(f"{qualified}^") if qualified else None

    def _struct(self, node: SgNode, scope: _Scope, qualified: str) -> None:
        fields = next(iter(node.named_children()), None)
        for one in fields.named_children() if fields else ():
            told = one.field("type")
            if one.kind() != "field_declaration" or told is None:
                continue
            names = [f"{qualified}::{part.text()}" for part in one.field_children("name") if part.is_named()]
            if names:
                self._define(names[0], VARIABLE)
                self._holder = names[0] if len(names) == 1 else ""
                value = self._visit(told, scope)
                self._holder = ""
            else:
                found = self._named_type(told, scope, EXTEND)
                self._bases.setdefault(qualified, []).append(found.path if found else "")
                value = self._instance(found)
                names = [f"{qualified}::{_label(told)}"]
            for name in names:
                self._define(name, VARIABLE)
                self._hold(name, value)

    def _interface(self, node: SgNode, scope: _Scope, qualified: str) -> None:
        for one in node.named_children():
            if one.kind() == "method_elem":
                name = one.field("name")
                method = f"{qualified}::{name.text()}" if name else ""
                self._define(method, FUNCTION)
                self._signature(one, _Scope(scope, method), method)
            elif one.kind() == "type_elem":
                parts = one.named_children()
                if len(parts) == 1 and parts[0].kind() in _NAMED_TYPES:
                    found = self._named_type(parts[0], scope, EXTEND)
                    self._bases.setdefault(qualified, []).append(found.path if found else "")
                else:
                    self._children(one, scope)

    def _generics(self, node: SgNode, scope: _Scope) -> None:
        """Make the type parameters of a declaration names of a scope, with what their constraints tell."""
        told = node.field("type_parameters")
        parameters = told.named_children() if told else []
        named = [[name.text() for name in one.field_children("name") if name.is_named()] for one in parameters]
        scope.names.update((name, "") for names in named for name in names)
        number = 0
        for one, names in zip(parameters, named, strict=True):
            constraint = one.field("type")
            found = [self._visit(part, scope) for part in constraint.named_children()] if constraint else []
            for name in names:
                if len(found) == 1 and found[0]:
                    scope.names[name] = f"{self._own(scope)}.<{number}"
                    self._hold(f"{scope.qualified}::<{number}", found[0])
                number += 1

    def _own(self, scope: _Scope) -> str:
        return f"~::{scope.qualified}" if scope.outer and not scope.outer.outer else scope.qualified

    # --- definitions

    def _define(self, qualified: str, kind: str) -> None:
        self._definitions.setdefault(qualified, kind)

    def _type(self, node: SgNode, scope: _Scope) -> None:
        name, told = node.field("name"), node.field("type")
        if name is None or told is None:
            return
        text = name.text()
        qualified = scope.inner(text)
        if scope.outer:
            scope.names[text] = f"={qualified}"
        is_alias = node.kind() == "type_alias"
        self._define(qualified, VARIABLE if is_alias else CLASS)
        inner = _Scope(scope, qualified)
        self._generics(node, inner)
        if told.kind() == "struct_type" and not is_alias:
            self._struct(told, inner, qualified)
        elif told.kind() == "interface_type" and not is_alias:
            self._interface(told, inner, qualified)
        else:
            self._holder = qualified
            value = self._visit(told, inner)
            self._holder = ""
            if value and is_alias:
                value = Written(value.path.removesuffix("%"))
            self._hold(qualified, value)

    def _function(self, node: SgNode, scope: _Scope) -> None:
        name = node.field("name")
        if name is None:
            return
        qualified = name.text()
        inner = _Scope(scope, qualified)
        self._generics(node, inner)
        self._define(qualified, FUNCTION)
        self._signature(node, inner, qualified)

    def _method(self, node: SgNode, scope: _Scope) -> None:
        name, receiver = node.field("name"), node.field("receiver")
        held = next((one for one in receiver.named_children() if one.kind() != "comment"), None) if receiver else None
        told = held.field("type") if held else None
        if name is None or held is None or told is None:
            return
        while told.kind() in ("pointer_type", "parenthesized_type"):
            told = told.named_children()[-1]
        inner = _Scope(scope, "")
        if told.kind() == "generic_type":
            arguments = told.field("type_arguments")
            held_by = told.field("type") or told
            for number, one in enumerate(arguments.named_children() if arguments else ()):
                inner.names[one.text()] = f"~::{held_by.text()}.<{number}"  # as the type says
            told = held_by
        value = self._typed(told, scope)
        inner.qualified = f"{told.text()}::{name.text()}"
        for one in held.field_children("name"):
            inner.names[one.text()] = value.path if value else ""
        self._define(inner.qualified, FUNCTION)
        self._signature(node, inner, inner.qualified)

    def _signature(self, node: SgNode, scope: _Scope, qualified: str) -> Written | None:
        """Read parameters, results and body; return what the function is, as far as it matters."""
        parameters, result, body = node.field("parameters"), node.field("result"), node.field("body")
        named: dict[str, str] = {}
        if parameters:
            self._parameters(parameters, scope, named)
        results: list[Written | None] = []
        if result:
            is_list = result.kind() == "parameter_list"
            results = self._parameters(result, scope, named) if is_list else [self._visit(result, scope)]
        scope.names.update(named)
        results = [one if one and not _PARAMETER.search(one.path) else None for one in results]  # as it is called with
        if any(results):
            if not qualified:
                qualified = self._new()
                self._define(qualified, FUNCTION)
            for number, one in enumerate(results):
                self._hold(f"{qualified}()" if len(results) == 1 else f"{qualified}().{number}", one)
        if body:
            self._children(body, scope)
        return Written(qualified) if qualified else None

    def _parameters(self, node: SgNode, scope: _Scope, named: dict[str, str]) -> list[Written | None]:
        """Read parameters or results into names; return what each is."""
        found: list[Written | None] = []
        for one in node.named_children():
            told = one.field("type")
            if told is None:
                continue
            value = self._visit(told, scope)
            if value and one.kind() == "variadic_parameter_declaration":
                value = value.then(".<")
            names = [name.text() for name in one.field_children("name") if name.is_named()]
            named.update(dict.fromkeys(names, value.path if value else ""))
            found += [value] * max(1, len(names))
        return found


def _parts(spec: SgNode) -> tuple[list[str], SgNode | None, SgNode | None]:
    """Return the names that a spec declares, their type and what they are given."""
    names = [one.text() for one in spec.field_children("name") if one.is_named()]
    return names, spec.field("type"), spec.field("value")


def _taken(path: str) -> str:
    """Return the path of what is in something."""
    held, _, box = path.rpartition(".")
    return held if box in _BOXES.values() else f"{path}.>"


def _label(told: SgNode) -> str:
    """Return the name of the field that embeds a type."""
    return told.text().partition("[")[0].rpartition(".")[2].strip("* \t()")
