"""Java: what its names mean.

A name that is no variable of a method is written `~Outer::Inner::name`: a member of the classes that it stands in, else
a type of the file, of its imports or of its package (`tx_graph.code.uses.packages`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tx_graph.code.readers.java import imports
from tx_graph.code.tree import Tree, first_line
from tx_graph.code.uses import (
    ALL,
    CALL,
    CLASS,
    EXTEND,
    FIELD,
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

_TYPE_NAMES = frozenset({"type_identifier", "scoped_type_identifier", "generic_type", "array_type", "annotated_type"})
_LEAVES = frozenset(
    "decimal_integer_literal hex_integer_literal octal_integer_literal binary_integer_literal true false"
    " decimal_floating_point_literal hex_floating_point_literal character_literal string_literal null_literal"
    " integral_type floating_point_type boolean_type void_type line_comment block_comment asterisk"
    " import_declaration package_declaration break_statement continue_statement dimensions".split()
)
_UNKNOWN = "?"
"""What a field holds whose name a method has, too, and whose type is none of the repository."""


def uses(tree: Tree) -> tuple[Uses, dict[str, Place]]:
    """Return what a file's names mean, and where they are defined."""
    walk = _Walk()
    return walk.read(tree), walk.places


class _Scope(Names):
    """The variables of a part of a method, and the type parameters (`<T`), with the paths of what they hold."""

    __slots__ = ("owner", "qualified")

    def __init__(self, outer: _Scope | None, qualified: str, owner: str) -> None:
        super().__init__(outer)
        self.qualified, self.owner = qualified, owner

    def block(self) -> _Scope:
        return _Scope(self, self.qualified, self.owner)


class _Walk(OpenWalk[_Scope]):
    _leaves = _LEAVES

    def __init__(self) -> None:
        super().__init__()
        self.places: dict[str, Place] = {}
        self._fields: set[str] = set()
        self._unnamed = 0
        self._forms = {
            "identifier": self._identifier,
            "field_access": self._field_access,
            "method_invocation": self._invocation,
            "object_creation_expression": self._creation,
            "array_creation_expression": self._children,
            "method_reference": self._reference,
            "assignment_expression": self._assignment,
            "update_expression": self._update,
            "parenthesized_expression": self._last,
            "cast_expression": self._cast,
            "this": lambda _, scope: Written(f"{scope.owner}%"),
            "super": lambda _, scope: Written(f"{scope.owner}^"),
            "lambda_expression": self._lambda,
            "instanceof_expression": self._instanceof,
            "type_pattern": self._typed_pattern,
            "record_pattern_component": self._typed_pattern,
            "record_pattern": self._record_pattern,
            "switch_expression": self._switch,
            "labeled_statement": self._labeled,
            "local_variable_declaration": self._variables,
            "field_declaration": self._member_variables,
            "constant_declaration": self._member_variables,
            "enhanced_for_statement": self._each,
            "resource": self._each,
            "catch_clause": self._block,
            "catch_formal_parameter": self._caught,
            "block": self._block,
            "for_statement": self._block,
            "try_with_resources_statement": self._block,
            "switch_block_statement_group": self._children,
            "method_declaration": self._method,
            "annotation_type_element_declaration": self._method,
            "constructor_declaration": self._method,
            "compact_constructor_declaration": self._block,
            "static_initializer": self._children,
            "class_declaration": self._class,
            "interface_declaration": self._class,
            "enum_declaration": self._class,
            "record_declaration": self._class,
            "annotation_type_declaration": self._class,
            "enum_constant": self._constant,
            "annotation": self._annotation,
            "marker_annotation": self._annotation,
            "modifiers": self._children,
            **dict.fromkeys(_TYPE_NAMES, self._typed),
        }

    def read(self, tree: Tree) -> Uses:
        bindings = []
        for one, is_static in imports(tree):
            if one.name == ALL:
                bindings.append(Binding(ALL, one.module, ALL))
            elif is_static and one.name:
                bindings.append(Binding(one.name, one.module, one.name))
            else:
                bindings.append(Binding(one.module.rpartition(".")[2], one.module, WHOLE))
        self._children(tree.root, _Scope(None, "", ""))
        self._forms.clear()  # which hold this walk, and so the tree
        holds = self._holds()
        for name in self._fields:
            if self._definitions.get(name) == FUNCTION:
                holds.setdefault(name, _UNKNOWN)
        return Uses(
            bindings=tuple(dict.fromkeys(bindings)),
            definitions=self._definitions,
            holds=holds,
            bases=self._bases,
            uses=self._uses(),
        )

    def _block(self, node: SgNode, scope: _Scope) -> None:
        self._children(node, scope.block())

    # --- expressions

    def _identifier(self, node: SgNode, scope: _Scope, kind: str = READ) -> Written | None:
        name = node.text()
        held = scope.find(name)
        if held is not None:
            return Written(held) if held else None
        line = first_line(node)
        value = Written(f"~{scope.owner}::{name}", line)
        self._use(line, kind, value)
        return value

    def _field_access(self, node: SgNode, scope: _Scope, kind: str = READ) -> Written | None:
        held, name = node.field("object"), node.field("field")
        if held is None or name is None:
            return None
        value = self._visit(held, scope)
        if value is None:
            return None
        if name.kind() == "this":
            return Written(f"{value.path}%")
        return self._member(value, name, kind)

    def _invocation(self, node: SgNode, scope: _Scope) -> Written | None:
        held, name, value = None, None, None
        names, arguments = [], None
        for child in node.named_children():
            kind = child.kind()
            if kind == "argument_list":
                arguments = child
            elif kind == "type_arguments":
                self._children(child, scope)
            elif kind not in ("line_comment", "block_comment"):
                names.append(child)
        if names:
            name = names[-1]
            held = names[0] if len(names) > 1 else None
        if name is None:
            return None
        if held is None:
            line = first_line(name)
            value = Written(f"~{scope.owner}::{name.text()}", line)
            self._use(line, CALL, value)
        elif (found := self._visit(held, scope)) is not None:
            if len(names) > 2 and names[1].kind() == "super":  # noqa: PLR2004 - Outer.super.name()
                found = Written(f"{scope.owner}^")
            value = self._member(found, name, CALL)
        if arguments:
            self._children(arguments, scope)
        return value.then("()") if value else None

    def _creation(self, node: SgNode, scope: _Scope) -> Written | None:
        made: Written | None = None
        body = None
        is_within = False
        for child in node.children():
            kind = child.kind()
            if kind in _TYPE_NAMES and made is None:
                made = None if is_within else self._named_type(child, scope, CALL)
                if is_within:
                    return None
            elif kind == "class_body":
                body = child
            elif kind == "new" or not child.is_named():
                continue
            else:
                if kind not in {"argument_list", "type_arguments", "marker_annotation", "annotation"}:
                    is_within = made is None and kind not in ("line_comment", "block_comment")
                self._visit(child, scope)
        if body:
            self._unnamed += 1
            name = f"{scope.qualified}::{self._unnamed}"
            self._definitions[name] = CLASS
            self._bases[name] = [made.path if made else ""]
            self._members(body, _Scope(scope, name, name), is_named=False)
        return Written(f"{made.path}%") if made else None

    def _reference(self, node: SgNode, scope: _Scope) -> None:
        parts = node.children()
        value = self._visit(parts[0], scope)
        if value and parts[-1].kind() == "identifier":
            if parts[0].kind() in _TYPE_NAMES:
                value = Written(value.path.removesuffix("%"))
            self._member(value, parts[-1], READ)

    def _assignment(self, node: SgNode, scope: _Scope) -> Written | None:
        left, right = node.field("left"), node.field("right")
        if left:
            self._written(left, scope)
        return self._visit(right, scope) if right else None

    def _written(self, node: SgNode, scope: _Scope) -> None:
        kind = node.kind()
        if kind == "identifier":
            self._identifier(node, scope, WRITE)
        elif kind == "field_access":
            self._field_access(node, scope, WRITE)
        else:
            self._visit(node, scope)

    def _update(self, node: SgNode, scope: _Scope) -> None:
        for child in node.named_children():
            self._written(child, scope)

    def _cast(self, node: SgNode, scope: _Scope) -> Written | None:
        told, value = node.field("type"), node.field("value")
        found = self._typed(told, scope) if told else None
        if value:
            self._visit(value, scope)
        return found

    def _lambda(self, node: SgNode, scope: _Scope) -> None:
        inner = scope.block()
        parameters, body = node.field("parameters"), node.field("body")
        if parameters:
            if parameters.kind() == "identifier":
                inner.names[parameters.text()] = ""
            elif parameters.kind() == "inferred_parameters":
                inner.names.update((one.text(), "") for one in parameters.children() if one.kind() == "identifier")
            else:
                self._parameters(parameters, inner)
        if body:
            self._visit(body, inner)

    def _instanceof(self, node: SgNode, scope: _Scope) -> None:
        value: Written | None = None
        told, name = node.field("right"), node.field("name")
        left, pattern = node.field("left"), node.field("pattern")
        if left:
            self._visit(left, scope)
        if told:
            value = self._typed(told, scope)
        if name:
            scope.names[name.text()] = value.path if value else ""
        if pattern:
            self._visit(pattern, scope)

    def _typed_pattern(self, node: SgNode, scope: _Scope) -> None:
        value: Written | None = None
        for child in node.named_children():
            kind = child.kind()
            if kind == "identifier":
                scope.names[child.text()] = value.path if value else ""
            else:
                value = self._visit(child, scope)

    def _record_pattern(self, node: SgNode, scope: _Scope) -> None:
        for child in node.named_children():
            if child.kind() == "identifier":
                line = first_line(child)
                self._use(line, TYPE, Written(f"~{scope.owner}::{child.text()}", line))
            else:
                self._visit(child, scope)

    def _switch(self, node: SgNode, scope: _Scope) -> None:
        held, body = node.field("condition"), node.field("body")
        value = self._visit(held, scope) if held else None
        if body is None:
            return
        inner = scope.block()
        for group in body.children():
            for child in group.named_children():
                if child.kind() == "switch_label":
                    self._label(child, inner, value)
                else:
                    self._visit(child, inner)

    def _label(self, node: SgNode, scope: _Scope, value: Written | None) -> None:
        for child in node.children():
            kind = child.kind()
            if kind == "identifier":
                if value:
                    self._member(value._replace(line=-1), child, READ)
                elif child.text().isupper():
                    continue
            elif kind == "pattern":
                self._children(child, scope)
            elif kind == "field_access":
                self._field_access(child, scope)

    def _labeled(self, node: SgNode, scope: _Scope) -> None:
        for child in node.named_children()[1:]:
            self._visit(child, scope)

    def _annotation(self, node: SgNode, scope: _Scope) -> None:
        name, arguments = node.field("name"), node.field("arguments")
        if name and name.kind() == "identifier":
            line = first_line(name)
            self._use(line, TYPE, Written(f"~{scope.owner}::{name.text()}", line))
        for child in arguments.named_children() if arguments else ():
            value = child.field("value") if child.kind() == "element_value_pair" else child
            if value:
                self._visit(value, scope)

    # --- types

    def _typed(self, node: SgNode, scope: _Scope) -> Written | None:
        """Note the types that a type names; return an instance of it."""
        found = self._named_type(node, scope, TYPE)
        return Written(found.path if found.path.endswith("%") else f"{found.path}%") if found else None

    def _named_type(self, node: SgNode, scope: _Scope, kind: str) -> Written | None:  # noqa: PLR0911 - one for each form
        what = node.kind()
        if what == "type_identifier":
            name = node.text()
            bound = scope.find(f"<{name}")
            if bound is not None:
                return Written(bound) if bound else None
            if name == "var":
                return None
            line = first_line(node)
            value = Written(f"~{scope.owner}::{name}", line)
            self._use(line, kind, value)
            return value
        parts = node.named_children()
        if what == "generic_type":
            found = self._named_type(parts[0], scope, kind) if parts else None
            for part in parts[1:]:
                self._children(part, scope)
            return found
        if what == "scoped_type_identifier":
            if not parts or parts[-1].kind() != "type_identifier":
                return None
            if parts[0].kind() == "type_identifier" and parts[0].text()[:1].islower():
                return None  # a package
            held = self._named_type(parts[0], scope, TYPE)
            return self._member(held, parts[-1], kind) if held else None
        for part in parts:
            found = self._visit(part, scope)
            if what == "annotated_type" and part is parts[-1]:
                return found
        return None

    def _type_parameters(self, node: SgNode, scope: _Scope) -> None:
        waiting = []
        for one in node.children():
            if one.kind() == "type_parameter":
                name = next((part for part in one.children() if part.kind() in {"type_identifier", "identifier"}), None)
                if name:
                    scope.names[f"<{name.text()}"] = ""
                    waiting.append((name.text(), one))
        for text, one in waiting:
            for bound in one.children():
                if bound.kind() == "type_bound":
                    found = [self._typed(part, scope) for part in bound.named_children()]
                    if found and found[0]:
                        scope.names[f"<{text}"] = found[0].path

    # --- variables

    def _variables(self, node: SgNode, scope: _Scope) -> None:
        value: Written | None = None
        is_told = True
        for child in node.named_children():
            kind = child.kind()
            if kind == "variable_declarator":
                name, given = child.field("name"), child.field("value")
                if name and is_told:
                    is_array = child.field("dimensions") is not None
                    scope.names[name.text()] = value.path if value and not is_array else ""
                found = self._visit(given, scope) if given else None
                if name and not is_told:
                    scope.names[name.text()] = found.path if found else ""
            elif kind == "type_identifier" and child.text() == "var":
                is_told = False
            else:
                found = self._visit(child, scope)
                value = found if kind in _TYPE_NAMES else value

    def _member_variables(self, node: SgNode, scope: _Scope) -> None:
        value: Written | None = None
        is_constant = node.kind() == "constant_declaration"
        for child in node.children():
            kind = child.kind()
            if kind == "modifiers":
                text = child.text()
                is_constant = is_constant or ("static" in text and "final" in text)
                self._children(child, scope)
            elif kind == "variable_declarator":
                name, given = child.field("name"), child.field("value")
                if name:
                    is_array = child.field("dimensions") is not None
                    place = Place("constant" if is_constant else "field", node)
                    self._member_variable(scope, name.text(), value if not is_array else None, place)
                if given:
                    self._visit(given, scope)
            elif kind in _TYPE_NAMES:
                value = self._typed(child, scope)

    def _member_variable(self, scope: _Scope, name: str, value: Written | None, place: Place) -> None:
        qualified = f"{scope.qualified}::{name}"
        self._definitions.setdefault(qualified, VARIABLE)
        self._fields.add(qualified)
        if self._is_named(scope):
            self.places.setdefault(qualified, place)
        self._hold(qualified, value)

    def _is_named(self, scope: _Scope) -> bool:
        return not any(part.isdecimal() for part in scope.qualified.split("::"))

    def _each(self, node: SgNode, scope: _Scope) -> None:
        inner = scope.block() if node.kind() == "enhanced_for_statement" else scope
        told, name, value, body = node.field("type"), node.field("name"), node.field("value"), node.field("body")
        typed = self._visit(told, inner) if told else None
        found = self._visit(value, scope) if value else None
        if told and told.text() == "var" and inner is scope:
            typed = found
        if name and name.kind() == "identifier":
            inner.names[name.text()] = typed.path if typed else ""
        if not told and not value:
            self._children(node, inner)
        if body:
            self._visit(body, inner)

    def _caught(self, node: SgNode, scope: _Scope) -> None:
        found: list[Written | None] = []
        for child in node.children():
            kind = child.kind()
            if kind == "catch_type":
                found = [self._visit(one, scope) for one in child.named_children()]
            elif kind == "identifier":
                one = found[0] if len(found) == 1 else None
                scope.names[child.text()] = one.path if one else ""

    def _parameters(self, node: SgNode, scope: _Scope) -> None:
        for child in node.children():
            kind = child.kind()
            if kind == "formal_parameter":
                told, name = child.field("type"), child.field("name")
                first = child.child(0)
                if first and first.kind() == "modifiers":
                    self._children(first, scope)
                value = self._visit(told, scope) if told else None
                if name:
                    scope.names[name.text()] = value.path if value and child.field("dimensions") is None else ""
            elif kind == "spread_parameter":
                for part in child.named_children():
                    if part.kind() == "variable_declarator":
                        name = part.field("name")
                        scope.names[name.text() if name else ""] = ""
                    else:
                        self._visit(part, scope)

    # --- definitions

    def _class(self, node: SgNode, scope: _Scope) -> None:
        name = node.field("name")
        if name is None:
            return
        qualified = f"{scope.qualified}::{name.text()}" if scope.qualified else name.text()
        self._definitions[qualified] = CLASS
        if scope.qualified != scope.owner:
            scope.names[f"<{name.text()}"] = qualified
        inner = _Scope(scope, qualified, qualified)
        outside = scope.block()
        bases: list[str] = []
        components = None
        for child in node.children():
            kind = child.kind()
            if kind == "type_parameters":
                self._type_parameters(child, outside)
                inner.names.update(outside.names)
            elif kind in ("superclass", "super_interfaces", "extends_interfaces"):
                told = IMPLEMENT if kind == "super_interfaces" else EXTEND
                listed = child.children() if kind == "superclass" else child.children()[-1].children()
                for one in listed:
                    if one.kind() in _TYPE_NAMES:
                        found = self._named_type(one, outside, told)
                        bases.append(found.path if found else "")
            elif kind == "modifiers":
                self._children(child, scope)
            elif kind == "formal_parameters":
                components = child
            elif kind == "permits":
                self._children(child, outside)
        self._bases[qualified] = bases
        if components:
            self._components(components, inner)
        body = node.field("body")
        if body:
            self._members(body, inner)

    def _components(self, node: SgNode, scope: _Scope) -> None:
        for child in node.children():
            if child.kind() == "formal_parameter" and (name := child.field("name")):
                told = child.field("type")
                value = self._visit(told, scope) if told else None
                qualified = f"{scope.qualified}::{name.text()}"
                self._definitions[qualified] = FIELD
                self.places.setdefault(qualified, Place("field", child))
                self._hold(qualified, value)

    def _members(self, body: SgNode, scope: _Scope, *, is_named: bool = True) -> None:
        members = body.children()
        hidden = scope.outer
        if not is_named and hidden:  # fields of an unnamed class hide the variables around it
            for child in members:
                if child.kind() == "field_declaration":
                    for one in child.children():
                        if one.kind() == "variable_declarator" and (name := one.field("name")):
                            text = name.text()
                            if hidden.find(text) is not None:
                                scope.names[text] = f"~{scope.qualified}::{text}"
        self._children(body, scope)

    def _constant(self, node: SgNode, scope: _Scope) -> None:
        name, arguments, body = node.field("name"), node.field("arguments"), node.field("body")
        if name is None:
            return
        qualified = f"{scope.qualified}::{name.text()}"
        self._definitions.setdefault(qualified, VARIABLE)
        self._fields.add(qualified)
        self.places.setdefault(qualified, Place("member", node))
        self._hold(qualified, Written(f"{scope.owner}%"))
        if arguments:
            self._children(arguments, scope)
        if body:
            self._unnamed += 1
            unnamed = f"{scope.qualified}::{self._unnamed}"
            self._definitions[unnamed] = CLASS
            self._bases[unnamed] = [f"~{scope.qualified}::{scope.qualified.rpartition('::')[2]}"]
            self._members(body, _Scope(scope, unnamed, unnamed))

    def _method(self, node: SgNode, scope: _Scope) -> None:
        name = node.field("name")
        text = name.text() if name else ""
        inner = _Scope(scope, f"{scope.qualified}::{text}" if text else scope.qualified, scope.owner)
        is_method = node.kind() != "constructor_declaration"
        returned: Written | None = None
        body = None
        for child in node.named_children():
            kind = child.kind()
            if kind == "type_parameters":
                self._type_parameters(child, inner)
            elif kind in _TYPE_NAMES:
                returned = self._typed(child, inner)
            elif kind == "formal_parameters":
                self._parameters(child, inner)
            elif kind in ("modifiers", "throws"):
                self._children(child, inner)
            elif kind in ("block", "constructor_body"):
                body = child
            elif kind not in _LEAVES and kind != "identifier":
                self._visit(child, inner)
        if is_method:
            qualified = inner.qualified
            self._definitions[qualified] = FUNCTION
            self._hold(f"{qualified}()", returned)
        if body:
            self._children(body, inner)
