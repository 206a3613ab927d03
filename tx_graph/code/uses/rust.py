"""Rust: what its names mean.

A name that is no variable of a function is written `~module::name`, after the module inside the file that it stands in
(`~module!::name` for a macro), and looked up by the rules of the language (`tx_graph.code.uses.crates`). What is held
in an `Option` or another box with things in it is written `.<` behind what it holds, and taken out of it by `.>`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tx_graph.code.readers.rust import implementor, label, leaves, wrapped
from tx_graph.code.tree import Tree, first_line, parse_as
from tx_graph.code.uses import (
    CALL,
    CLASS,
    EXTEND,
    FUNCTION,
    IMPLEMENT,
    MACRO,
    MODULE,
    READ,
    TYPE,
    VARIABLE,
    WRITE,
    Binding,
    Place,
    Uses,
)
from tx_graph.code.uses.walk import Names, OpenWalk, Written

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_LEAVES = frozenset(
    "attribute_item inner_attribute_item line_comment block_comment string_literal raw_string_literal char_literal"
    " integer_literal float_literal boolean_literal primitive_type lifetime mutable_specifier visibility_modifier"
    " macro_definition token_tree unit_type never_type label break_expression_label metavariable crate super"
    " inner_doc_comment_marker outer_doc_comment_marker doc_comment".split()
)
_TYPES = frozenset(
    "type_identifier scoped_type_identifier generic_type reference_type pointer_type dynamic_type abstract_type"
    " array_type tuple_type function_type bounded_type primitive_type unit_type never_type bracketed_type"
    " qualified_type macro_invocation".split()
)
_NESTED = frozenset("function_item struct_item enum_item union_item trait_item type_item mod_item".split())
"""What is known in all of the block that it stands in."""
_VALUES = frozenset({"const_item", "static_item"})
_CLEAR = frozenset("Box Rc Arc Cow Ref RefMut MutexGuard RwLockReadGuard RwLockWriteGuard Pin ManuallyDrop".split())
"""What stands for what it holds."""
_BOXES = frozenset(
    "Option Result Vec VecDeque BTreeSet HashSet IndexSet HashMap BTreeMap IndexMap Mutex RwLock RefCell Cell OnceCell"
    " OnceLock LazyLock Iterator IntoIterator DoubleEndedIterator ExactSizeIterator SmallVec Peekable Weak".split()
)
_MAPS = frozenset({"HashMap", "BTreeMap", "IndexMap"})
_EACH = frozenset(
    "map for_each filter any all find and_then filter_map flat_map inspect position take_while skip_while max_by_key"
    " min_by_key sort_by sort_by_key retain is_some_and is_ok_and find_map partition map_or_else then".split()
)
"""Methods that hand what is in a box to a function."""
_LIKE_CALLS = frozenset(
    "assert assert_eq assert_ne debug_assert debug_assert_eq debug_assert_ne print println eprint eprintln format"
    " write writeln panic unreachable todo unimplemented vec dbg matches trace debug info warn error log bail ensure"
    " anyhow".split()
)
"""Macros whose arguments are expressions."""
_VARIANTS = frozenset({"Some", "Ok"})
_STRING = re.compile(r'"(?:[^"\\]|\\[\s\S])*"?')
_NAMING = re.compile(r"[.:(A-Z]")
"""What arguments have that name more than variables."""
_BOUND = re.compile(r"[a-z_]")
"""How the name of a variable begins in a pattern; others are constants."""


def uses(tree: Tree) -> tuple[Uses, dict[str, Place]]:
    """Return what a file's names mean; where they are defined, the tree shows plainly."""
    return _Walk(tree).read(), {}


class _Scope(Names):
    """The names of a part of a function: of variables what they hold, of types (`<T`) and items (`:name`) paths.

    `owner` is the path of `Self`, `qualified` what definitions are in.
    """

    __slots__ = ("module", "owner", "qualified")

    def __init__(self, outer: _Scope | None, module: str, qualified: str, owner: str) -> None:
        super().__init__(outer)
        self.module, self.qualified, self.owner = module, qualified, owner

    def block(self) -> _Scope:
        return _Scope(self, self.module, self.qualified, self.owner)

    def inner_module(self, number: int) -> str:
        """Return what stands for the module as a function sees it that brings in all names of something."""
        return f"{self.module}::*{number}" if self.module else f"*{number}"

    def inner(self, name: str) -> str:
        return f"{self.qualified}::{name}" if self.qualified else name


class _Walk(OpenWalk[_Scope]):
    _leaves = _LEAVES

    def __init__(self, tree: Tree) -> None:
        super().__init__()
        self._tree = tree
        self._bindings: list[Binding] = []
        self._before = 0  # lines above the text that is walked
        self._is_nested = False
        self._forms = {
            "identifier": self._identifier,
            "self": lambda _, scope: Written(f"{scope.owner}%") if scope.owner else None,
            "scoped_identifier": self._scoped,
            "field_expression": self._field_of,
            "call_expression": self._call,
            "generic_function": self._generic,
            "struct_expression": self._literal,
            "assignment_expression": self._assignment,
            "compound_assignment_expr": self._assignment,
            "parenthesized_expression": self._last,
            "reference_expression": self._last,
            "await_expression": self._last,
            "unsafe_block": self._last,
            "unary_expression": self._unary,
            "try_expression": self._taken,
            "index_expression": self._index,
            "type_cast_expression": self._cast,
            "closure_expression": lambda node, scope: self._closure(node, scope, ""),
            "match_arm": self._arm,
            "let_condition": self._let_condition,
            "let_declaration": self._let,
            "for_expression": self._each,
            "while_expression": self._block,
            "if_expression": self._block,
            "match_expression": self._match,
            "block": self._block,
            "macro_invocation": self._macro,
            "use_declaration": self._use_declaration,
            "extern_crate_declaration": self._extern,
            "macro_definition": lambda node, scope: self._define(node, scope, MACRO),
            "mod_item": self._module,
            "impl_item": self._impl,
            "trait_item": self._trait,
            "struct_item": self._type,
            "union_item": self._type,
            "enum_item": self._type,
            "enum_variant": self._variant,
            "field_declaration": self._constant,
            "type_item": self._alias,
            "associated_type": self._alias,
            "const_item": self._constant,
            "static_item": self._constant,
            "function_item": self._function,
            "function_signature_item": self._function,
            "parameter": self._parameter,
            "field_identifier": lambda *_: None,
            **dict.fromkeys(_TYPES - {"macro_invocation"}, self._typed),
        }

    def read(self) -> Uses:
        self._children(self._tree.root, _Scope(None, "", "", ""))
        self._forms.clear()  # which hold this walk, and so the tree
        return Uses(
            bindings=tuple(dict.fromkeys(self._bindings)),
            definitions=self._definitions,
            holds=self._holds(),
            bases=self._bases,
            uses=self._uses(),
        )

    def _line(self, node: SgNode) -> int:
        return first_line(node) + self._before

    def _define(self, node: SgNode, scope: _Scope, kind: str) -> None:
        qualified = scope.inner(label(node))
        if kind != MACRO or qualified not in self._definitions:
            self._definitions[qualified] = kind

    # --- names

    def _named(self, node: SgNode, scope: _Scope, kind: str, mark: str = "") -> Written | None:
        """Note the use of a name that is no variable."""
        name = node.text().removeprefix("r#")
        if name == "Self":
            return Written(scope.owner) if scope.owner else None
        line = self._line(node)
        item = scope.find(f":{name}") if self._is_nested and not mark else None
        module = scope.module if mark or not self._is_nested else scope.find(":*") or scope.module
        value = Written(item or f"~{module}{mark}::{name}", line)
        self._use(line, kind, value)
        return value

    def _identifier(self, node: SgNode, scope: _Scope, kind: str = READ) -> Written | None:
        held = scope.find(node.text())
        if held is not None:
            return Written(held) if held else None
        return self._named(node, scope, kind)

    def _member(self, value: Written, name: SgNode, kind: str) -> Written:
        line, text = self._line(name), name.text().removeprefix("r#")
        found = Written(f"{value.path}.{text}", line, value.cut if line == value.line else len(value.path))
        if not text.isdecimal():
            self._use(line, kind, found)
        return found

    def _scoped(self, node: SgNode, scope: _Scope, kind: str = READ) -> Written | None:
        path, name = node.field("path"), node.field("name")
        if path is None or name is None:
            return self._named(name, scope, kind) if name else None
        held = self._head(path, scope)
        return self._member(held, name, kind) if held else None

    def _head(self, node: SgNode, scope: _Scope) -> Written | None:
        """Return what a path begins with: a module, a type or a trait."""
        what = node.kind()
        if what == "scoped_identifier":
            return self._scoped(node, scope)
        if what == "identifier":
            bound = scope.find(f"<{node.text()}")
            return self._named(node, scope, READ) if bound is None else Written(bound) if bound else None
        if what in ("crate", "super", "self"):
            return Written(f"~{scope.module}::{what}", self._line(node))
        if what == "bracketed_type":
            told = next(iter(node.named_children()), None)
            if told and told.kind() == "qualified_type":
                parts = [self._named_type(one, scope, READ) for one in told.named_children()]
                return parts[0] if parts and parts[0] and not self._is_bound(told, scope) else parts[-1]
        return self._named_type(node, scope, READ)

    def _is_bound(self, told: SgNode, scope: _Scope) -> bool:
        return scope.find(f"<{told.named_children()[0].text()}") is not None

    # --- expressions

    def _field_of(self, node: SgNode, scope: _Scope, kind: str = READ) -> Written | None:
        held, name = node.field("value"), node.field("field")
        value = self._visit(held, scope) if held else None
        return self._member(value, name, kind) if value and name else None

    def _called(self, node: SgNode, scope: _Scope, kind: str) -> Written | None:
        what = node.kind()
        if what == "identifier":
            return self._identifier(node, scope, kind)
        if what == "scoped_identifier":
            return self._scoped(node, scope, kind)
        if what == "field_expression":
            return self._field_of(node, scope, kind)
        if what == "generic_function":
            return self._generic(node, scope, kind)
        return self._visit(node, scope)

    def _generic(self, node: SgNode, scope: _Scope, kind: str = READ) -> Written | None:
        function, arguments = node.field("function"), node.field("type_arguments")
        if arguments:
            self._children(arguments, scope)
        return self._called(function, scope, kind) if function else None

    def _call(self, node: SgNode, scope: _Scope) -> Written | None:
        function, arguments = node.field("function"), node.field("arguments")
        if function is None:
            return None
        value = self._called(function, scope, CALL)
        given: Written | None = None
        held = value.path.rpartition(".") if value and function.kind() == "field_expression" else ("", "", "")
        element = f"{held[0]}.>" if held[2] in _EACH else ""
        for one in arguments.named_children() if arguments else ():
            if one.kind() == "closure_expression":
                self._closure(one, scope, element)
            else:
                given = self._visit(one, scope) or given
        text = function.text() if function.kind() in ("identifier", "scoped_identifier") else ""
        if text in _VARIANTS:
            return Written(given.path).then(".<") if given else None
        if text.endswith("::new") and text[:-5].rpartition("::")[2] in _CLEAR:
            return Written(given.path) if given else None
        return value.then("()") if value else None

    def _literal(self, node: SgNode, scope: _Scope) -> Written | None:
        name, body = node.field("name"), node.field("body")
        value = self._named_type(name, scope, CALL) if name else None
        for one in body.named_children() if body else ():
            if one.kind() == "field_initializer":
                field = one.field("field")
                if value and field:
                    self._member(value._replace(line=-1), field, WRITE)
                self._field(one, "value", scope)
            elif one.kind() == "shorthand_field_initializer":
                for given in one.named_children():
                    self._visit(given, scope)
                    if value and given.kind() == "identifier":
                        self._member(value._replace(line=-1), given, WRITE)
            else:
                self._visit(one, scope)
        return Written(f"{value.path}%") if value else None

    def _assignment(self, node: SgNode, scope: _Scope) -> None:
        left = node.field("left")
        if left:
            self._called(left, scope, WRITE)
        self._field(node, "right", scope)

    def _unary(self, node: SgNode, scope: _Scope) -> Written | None:
        value = self._last(node, scope)
        return value if node.text()[:1] == "*" else None

    def _taken(self, node: SgNode, scope: _Scope) -> Written | None:
        value = self._last(node, scope)
        return value.then(".>") if value else None

    def _index(self, node: SgNode, scope: _Scope) -> Written | None:
        parts = [self._visit(one, scope) for one in node.named_children()]
        return parts[0].then(".>") if parts and parts[0] and ".." not in node.text() else None

    def _cast(self, node: SgNode, scope: _Scope) -> Written | None:
        self._field(node, "value", scope)
        return self._field(node, "type", scope)

    def _closure(self, node: SgNode, scope: _Scope, element: str) -> None:
        inner = scope.block()
        parameters = node.field("parameters")
        for one in parameters.named_children() if parameters else ():
            if one.kind() == "parameter":
                self._parameter(one, inner)
            else:
                self._pattern(one, inner, element)
        self._field(node, "return_type", inner)
        self._field(node, "body", inner)

    def _match(self, node: SgNode, scope: _Scope) -> None:
        value = self._field(node, "value", scope)
        body = node.field("body")
        for arm in body.named_children() if body else ():
            self._arm(arm, scope, value.path if value else "")

    def _arm(self, node: SgNode, scope: _Scope, value: str = "") -> None:
        if node.kind() != "match_arm":
            return
        inner, pattern = scope.block(), node.field("pattern")
        condition = pattern.field("condition") if pattern else None
        for one in pattern.named_children() if pattern else ():
            if condition is None or one.range() != condition.range():
                self._pattern(one, inner, value)
        if condition:
            self._visit(condition, inner)
        self._field(node, "value", inner)

    def _let_condition(self, node: SgNode, scope: _Scope) -> None:
        value, pattern = self._field(node, "value", scope), node.field("pattern")
        if pattern:
            self._pattern(pattern, scope, value.path if value else "")

    def _let(self, node: SgNode, scope: _Scope) -> None:
        value, pattern = self._field(node, "value", scope), node.field("pattern")
        self._field(node, "alternative", scope)
        if told := node.field("type"):
            value = self._visit(told, scope) or (value if "_" in told.text() else None)
        if pattern:
            self._pattern(pattern, scope, value.path if value else "")

    def _each(self, node: SgNode, scope: _Scope) -> None:
        inner, pattern = scope.block(), node.field("pattern")
        value = self._field(node, "value", scope)
        if pattern:
            self._pattern(pattern, inner, f"{value.path}.>" if value else "")
        self._field(node, "body", inner)

    def _block(self, node: SgNode, scope: _Scope) -> Written | None:
        inner, value = scope.block(), None
        children = node.named_children()
        for child in children:
            if child.kind() in _VALUES:
                inner.names[label(child)] = ""
            elif child.kind() in _NESTED:
                self._is_nested = True
                inner.names[f":{label(child)}"] = inner.inner(label(child))
            elif child.kind() == "use_declaration":
                self._use_declaration(child, inner)
        for child in children:
            value = self._visit(child, inner) if child.kind() != "use_declaration" else None
        return value

    def _macro(self, node: SgNode, scope: _Scope) -> Written | None:
        macro = node.field("macro")
        if macro is None:
            return None
        name = macro.text().rpartition("::")[2]
        if macro.kind() == "identifier":
            self._named(macro, scope, CALL, "!")
        elif (path := macro.field("path")) and (last := macro.field("name")):
            mark = f"!{path.text()}"
            line = self._line(last)
            self._use(line, CALL, Written(f"~{scope.module}{mark}::{last.text()}", line))
        tokens = next((one for one in node.named_children() if one.kind() == "token_tree"), None)
        if tokens is None:
            return None
        if name in _LIKE_CALLS:
            text = tokens.text()[1:-1]
            if _NAMING.search(_STRING.sub("", text)):
                self._parsed(f"({text});", tokens, scope)
        elif not self._before:
            for part in wrapped(node, self._tree):
                self._children(part.root, scope)
        return None

    def _parsed(self, text: str, tokens: SgNode, scope: _Scope) -> None:
        root, before = parse_as(text, "rust").root, self._before
        if root.find(kind="ERROR") is None:
            self._before = self._line(tokens) - 1
            self._children(root, scope)
            self._before = before

    # --- patterns

    def _pattern(self, node: SgNode, scope: _Scope, value: str) -> None:  # noqa: PLR0912 - one for each form
        """Bind the variables of a pattern to what is in a value."""
        what = node.kind()
        if what == "identifier":
            if _BOUND.match(node.text()):
                scope.names[node.text()] = value
            else:
                self._named(node, scope, READ)
        elif what == "scoped_identifier":
            self._scoped(node, scope)
        elif what == "tuple_struct_pattern":
            kind, *parts = node.named_children()
            if kind.kind() == "identifier" and kind.text() in {"Some", "Ok", "Err"}:
                inside = f"{value}.>" if value and kind.text() != "Err" else ""
                for one in parts:
                    self._pattern(one, scope, inside)
                return
            held = self._called(kind, scope.block() if kind.kind() != "identifier" else scope, READ)
            for number, one in enumerate(parts):
                self._pattern(one, scope, f"{held.path}.{number}" if held else "")
        elif what == "struct_pattern":
            name, *fields = node.named_children()
            held = self._named_type(name, scope, READ)
            for one in fields:
                if one.kind() != "field_pattern" or not (field := one.field("name")):
                    continue
                found = self._member(held._replace(line=-1), field, READ).path if held else ""
                inner = one.field("pattern")
                if inner:
                    self._pattern(inner, scope, found)
                else:
                    scope.names[field.text()] = found
        elif what in ("tuple_pattern", "slice_pattern"):
            for one in node.named_children():
                self._pattern(one, scope, f"{value}.>" if value and what == "slice_pattern" else "")
        elif what in ("range_pattern", "match_pattern") or what not in _LEAVES:
            for one in node.named_children():
                self._pattern(one, scope, value)

    # --- types

    def _typed(self, node: SgNode, scope: _Scope) -> Written | None:
        """Note the types that a type names; return an instance of it."""
        what = node.kind()
        if what in ("reference_type", "pointer_type", "dynamic_type", "abstract_type"):
            inner = node.field("type") or node.field("trait")
            return self._typed(inner, scope) if inner else None
        if what == "bounded_type":
            found = [self._visit(one, scope) for one in node.named_children()]
            return next(filter(None, found), None)
        if what == "array_type":
            element = self._field(node, "element", scope)
            return element.then(".<") if element else None
        if what in ("type_identifier", "scoped_type_identifier"):
            value = self._named_type(node, scope, TYPE)
            return None if value is None else value if value.path.endswith("%") else Written(f"{value.path}%")
        if what == "bracketed_type":
            self._head(node, scope)
            return None
        if what != "generic_type":
            self._children(node, scope)
            return None
        kind, arguments = node.field("type"), node.field("type_arguments")
        held = self._named_type(kind, scope, TYPE) if kind else None
        given = [self._visit(one, scope) for one in arguments.named_children()] if arguments else []
        name = kind.text().rpartition("::")[2] if kind else ""
        if name in _CLEAR or name in _BOXES:
            at = given[1:2] if name in _MAPS else [one for one in given if one] if name in _CLEAR else given[:1]
            inner_value = at[0] if at else None
            return inner_value.then("" if name in _CLEAR else ".<") if inner_value else None
        return Written(f"{held.path}%") if held and not held.path.endswith("%") else held

    def _named_type(self, node: SgNode, scope: _Scope, kind: str) -> Written | None:
        """Note the use of a type; return what it is."""
        what = node.kind()
        if what in ("type_identifier", "identifier"):
            bound = scope.find(f"<{node.text()}")
            if bound is not None:
                return Written(bound) if bound else None
            return self._named(node, scope, kind)
        if what in ("scoped_type_identifier", "scoped_identifier"):
            return self._scoped(node, scope, kind)
        if what in ("generic_type", "generic_type_with_turbofish"):
            held = node.field("type")
            found = self._named_type(held, scope, kind) if held else None
            if arguments := node.field("type_arguments"):
                self._children(arguments, scope)
            return found
        self._visit(node, scope)
        return None

    def _bounds(self, node: SgNode | None, scope: _Scope, kind: str = TYPE) -> list[str]:
        found = []
        for one in node.named_children() if node else ():
            if one.kind() in ("type_identifier", "scoped_type_identifier", "generic_type"):
                value = self._named_type(one, scope, kind)
                found.append(value.path if value else "")
            else:
                self._visit(one, scope)
        return found

    def _generics(self, node: SgNode, scope: _Scope) -> None:
        """Bind the type parameters of a declaration to their bounds."""
        parameters = node.field("type_parameters")
        for one in parameters.named_children() if parameters else ():
            if one.kind() == "type_parameter" and (name := one.field("name")):
                scope.names[f"<{name.text()}"] = next(filter(None, self._bounds(one.field("bounds"), scope)), "")
                self._field(one, "default_type", scope)
            elif one.kind() == "const_parameter" and (name := one.field("name")):
                scope.names[name.text()] = ""
        for clause in node.named_children():
            for one in clause.named_children() if clause.kind() == "where_clause" else ():
                left, bounds = one.field("left"), self._bounds(one.field("bounds"), scope)
                if left and left.kind() == "type_identifier" and scope.names.get(f"<{left.text()}") == "":
                    scope.names[f"<{left.text()}"] = next(filter(None, bounds), "")
                elif left:
                    self._visit(left, scope)

    # --- definitions

    def _bind(self, scope: _Scope, leaf: Iterable[tuple[str, str]]) -> None:
        for path, name in leaf:
            if scope.outer is not None and name == "*":
                self._is_nested = True
                scope.names[":*"] = scope.inner_module(len(self._bindings))
                self._bindings.append(Binding(f"~{scope.names[':*']}", path.removesuffix("::*"), "*"))
            elif scope.outer is None:
                self._bindings.append(Binding(f"~{scope.module}::{name}", path, path.rpartition("::")[2]))
            elif name != "_":
                self._is_nested = True
                local = f"~{scope.module}::<{len(self._bindings)}"
                self._bindings.append(Binding(local, path, path.rpartition("::")[2]))
                scope.names[f":{name}"] = local

    def _use_declaration(self, node: SgNode, scope: _Scope) -> None:
        self._bind(scope, leaves(node.text()))

    def _extern(self, node: SgNode, scope: _Scope) -> None:
        name, alias = label(node), node.field("alias")
        path = "crate" if name == "self" else f"::{name}"
        if alias or name == "self":
            self._bind(scope, [(path, alias.text() if alias else name)])

    def _module(self, node: SgNode, scope: _Scope) -> None:
        body = node.field("body")
        if body:
            self._define(node, scope, MODULE)
            name = scope.inner(label(node))
            self._children(body, _Scope(None, name, name, ""))

    def _impl(self, node: SgNode, scope: _Scope) -> None:
        outside = scope.block()
        self._generics(node, outside)
        told, trait, body = node.field("type"), node.field("trait"), node.field("body")
        implemented = self._named_type(trait, outside, IMPLEMENT) if trait else None
        value = self._typed(told, outside) if told else None
        owner = implementor(node)
        qualified = scope.inner(owner)
        path = value.path.removesuffix("%") if value and owner and not value.path.endswith("<") else ""
        if path and path != f"~{scope.module}::{owner}":
            self._held.setdefault(f"{qualified}^", {path}).add(path)
        if trait and owner:
            self._bases.setdefault(f"{qualified}^", []).append(implemented.path if implemented else "")
        inner = _Scope(outside, scope.module, qualified if owner else f"{scope.inner('impl')}", path)
        self._body(body, inner, implemented.path if implemented else "" if trait and owner else None)

    def _body(self, body: SgNode | None, scope: _Scope, trait: str | None = None) -> None:
        for one in body.named_children() if body else ():
            if trait is not None and one.kind() == "function_item":
                self._bases.setdefault(scope.inner(label(one)), [trait])
            self._visit(one, scope)

    def _trait(self, node: SgNode, scope: _Scope) -> None:
        self._define(node, scope, CLASS)
        qualified = scope.inner(label(node))
        inner = _Scope(scope, scope.module, qualified, self._own(scope, label(node)))
        self._generics(node, inner)
        self._bases[qualified] = self._bounds(node.field("bounds"), inner, EXTEND)
        self._body(node.field("body"), inner)

    def _own(self, scope: _Scope, name: str) -> str:
        return f"~{scope.module}::{name}" if scope.qualified == scope.module else scope.inner(name)

    def _type(self, node: SgNode, scope: _Scope) -> None:
        self._define(node, scope, CLASS)
        inner = _Scope(scope, scope.module, scope.inner(label(node)), self._own(scope, label(node)))
        self._generics(node, inner)
        self._fields(node.field("body"), inner)

    def _fields(self, body: SgNode | None, scope: _Scope) -> None:
        number = 0
        for one in body.named_children() if body else ():
            if one.kind() in _TYPES:
                self._definitions.setdefault(scope.inner(str(number)), VARIABLE)
                self._hold(scope.inner(str(number)), self._visit(one, scope))
                number += 1
            else:
                self._visit(one, scope)

    def _variant(self, node: SgNode, scope: _Scope) -> None:
        qualified = scope.inner(label(node))
        self._definitions[qualified] = FUNCTION
        for key in (qualified, f"{qualified}()"):
            self._hold(key, Written(f"{scope.owner}%"))
        self._fields(node.field("body"), _Scope(scope, scope.module, qualified, scope.owner))
        self._field(node, "value", scope)

    def _constant(self, node: SgNode, scope: _Scope) -> None:
        name = scope.inner(label(node))
        told = self._field(node, "type", scope)
        if label(node) in scope.names:  # of a function, so it is no symbol
            scope.names[label(node)] = told.path if told else ""
        elif label(node) != "_":
            self._definitions.setdefault(name, VARIABLE)
            self._hold(name, told)
        value = node.field("value")
        if value:
            self._visit(value, scope) if value.kind() != "block" else self._children(value, scope)

    def _alias(self, node: SgNode, scope: _Scope) -> None:
        inner = scope.block()
        self._generics(node, inner)
        self._definitions.setdefault(scope.inner(label(node)), VARIABLE)
        bounds = self._bounds(node.field("bounds"), inner)
        value = self._field(node, "type", inner) or (Written(bounds[0]) if bounds and bounds[0] else None)
        self._hold(scope.inner(label(node)), Written(value.path.removesuffix("%")) if value else None)

    def _parameter(self, node: SgNode, scope: _Scope) -> None:
        value, pattern = self._field(node, "type", scope), node.field("pattern")
        if pattern and pattern.kind() == "identifier":
            scope.names[pattern.text()] = value.path if value else ""
        elif pattern:
            self._pattern(pattern, scope, value.path if value else "")

    def _function(self, node: SgNode, scope: _Scope) -> None:
        self._define(node, scope, FUNCTION)
        qualified = scope.inner(label(node))
        inner = _Scope(scope, scope.module, qualified, scope.owner)
        self._generics(node, inner)
        parameters = node.field("parameters")
        if parameters:
            self._children(parameters, inner)
        self._hold(f"{qualified}()", self._field(node, "return_type", inner))
        self._field(node, "body", inner)
