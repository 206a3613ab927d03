"""JavaScript, TypeScript and the scripts of Vue: what their names mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tx_graph.code.tree import Tree, first_line
from tx_graph.code.uses import (
    ALL,
    BLOCK,
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
    Collector,
    Place,
    Scope,
    Uses,
    Value,
)
from tx_graph.code.uses.walk import Walk

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function", "function"})
_CLASSES = frozenset({"class", "class_declaration", "abstract_class_declaration"})
_WRAPPED = frozenset(
    {"Promise", "PromiseLike", "Awaited", "Readonly", "Partial", "Required", "NonNullable", "Omit", "Pick"}
)
_NO_TYPES = frozenset({"predefined_type", "literal_type", "undefined", "null"})
_HOISTED = frozenset({"function_declaration", "generator_function_declaration", "class_declaration"})
_LEAVES = frozenset(
    "string number true false null undefined comment regex property_identifier private_property_identifier"
    " statement_identifier empty_statement super this import accessibility_modifier string_fragment escape_sequence"
    " predefined_type debugger_statement hash_bang_line override_modifier jsx_text".split()
)
_REQUIRE = "require"
_NAMESPACE = "n"
"""The kind of a scope whose names are members, and known inside it."""


def uses(tree: Tree) -> tuple[Uses, dict[str, Place]]:
    """Return what the names in a script mean, and where they are defined."""
    walk = _Walk()
    return walk.read(tree), walk.out.places


class _Walk(Walk[Scope, Value]):
    _leaves = _LEAVES

    def __init__(self) -> None:
        self.out = Collector(hides_members=True)
        self.out.exports = []
        self._returned: list[Value | None] | None = None
        one = self._first
        self._forms = {
            "identifier": self._identifier,
            "shorthand_property_identifier": self._identifier,
            "this": lambda _, scope: Value("this", "", scope),
            "member_expression": self._member,
            "call_expression": self._call,
            "new_expression": self._new,
            "assignment_expression": self._assignment,
            "augmented_assignment_expression": self._augmented,
            "update_expression": self._augmented,
            "arrow_function": self._anonymous,
            "function_expression": self._anonymous,
            "generator_function": self._anonymous,
            "function_declaration": self._function,
            "generator_function_declaration": self._function,
            "function_signature": self._function,
            "class": self._class_expression,
            "class_declaration": self._class,
            "abstract_class_declaration": self._class,
            "interface_declaration": self._interface,
            "type_alias_declaration": self._alias,
            "enum_declaration": self._enum,
            "internal_module": self._namespace,
            "module": self._namespace,
            "ambient_declaration": self._ambient,
            "lexical_declaration": self._variables,
            "variable_declaration": self._variables,
            "for_in_statement": self._for_in,
            "for_statement": self._block,
            "statement_block": self._block,
            "catch_clause": self._catch,
            "import_statement": self._import,
            "export_statement": self._export,
            "return_statement": self._return,
            "object": self._object,
            "parenthesized_expression": one,
            "await_expression": one,
            "non_null_expression": one,
            "satisfies_expression": self._cast,
            "as_expression": self._cast,
            "type_annotation": self._type,
            "type_arguments": self._type,
            "type_parameters": self._type_parameters,
            "decorator": self._decorator,
            "jsx_opening_element": self._element,
            "jsx_self_closing_element": self._element,
            "jsx_closing_element": lambda _, __: None,
        }

    def read(self, tree: Tree) -> Uses:
        for child in tree.root.named_children():
            declared = child.field("declaration") if child.kind() == "export_statement" else child
            if declared is not None and declared.kind() in _HOISTED and (name := declared.field("name")):
                self.out.reserve(name.text())
        self._children(tree.root, self.out.top)
        if tree.beside:
            self._children(tree.beside, Scope(self.out.top, BLOCK))
        self._forms.clear()  # which hold this walk, and so the tree
        return self.out.result()

    # Expressions.

    def _first(self, node: SgNode, scope: Scope) -> Value | None:
        found = None
        for child in node.named_children():
            value = self._visit(child, scope)
            found = found or value
        return found

    def _identifier(self, node: SgNode, scope: Scope, kind: str = READ) -> Value:
        value = Value(node.text(), "", scope)
        self.out.use(first_line(node), kind, value)
        return value

    def _member(self, node: SgNode, scope: Scope, kind: str = READ) -> Value | None:
        held, name = node.field("object"), node.field("property")
        if held is None or name is None:
            return None
        value = Value("this", "^", scope) if held.kind() == "super" else self._visit(held, scope)
        return self.out.use_member(held, name, kind, value) if value else None

    def _used(self, node: SgNode, scope: Scope, kind: str) -> Value | None:
        found = node.kind()
        if found == "identifier":
            return self._identifier(node, scope, kind)
        if found == "member_expression":
            return self._member(node, scope, kind)
        return self._visit(node, scope)

    def _call(self, node: SgNode, scope: Scope) -> Value | None:
        called, arguments, types = node.field("function"), node.field("arguments"), node.field("type_arguments")
        if types:
            self._type(types, scope)
        if called is None:
            return None
        kind = called.kind()
        value: Value | None = None
        is_import = kind == "import" or (kind == "identifier" and called.text() == _REQUIRE)
        if is_import and arguments and (module := _module_in(arguments)):
            return Value(self.out.bind_unnamed(module, WHOLE), "", None)
        if kind == "super":
            value = Value("this", "^.constructor", scope)
            self.out.use(first_line(called), CALL, value, 1)
            value = None
        else:
            found = self._used(called, scope, CALL)
            value = found.then("()") if found else None
        if arguments:
            self._children(arguments, scope)
        return value

    def _new(self, node: SgNode, scope: Scope) -> Value | None:
        called, arguments, types = node.field("constructor"), node.field("arguments"), node.field("type_arguments")
        found = self._used(called, scope, CALL) if called else None
        for part in (types, arguments):
            if part:
                self._visit(part, scope)
        return found.then("()") if found else None

    def _cast(self, node: SgNode, scope: Scope) -> Value | None:
        named = node.named_children()
        value = self._visit(named[0], scope) if named else None
        typed = self._type(named[-1], scope) if named[1:] else None
        return typed if node.kind() == "as_expression" and typed else value

    def _object(self, node: SgNode, scope: Scope, name: str = "") -> None:
        """Note what an object literal holds: the members of `name`, if it has one at the top of the file."""
        inner = Scope(scope, CLASS, name)
        for child in node.named_children():
            kind = child.kind()
            if kind == "pair":
                key, value = child.field("key"), child.field("value")
                label = key.text() if key and key.kind() == "property_identifier" else ""
                if key and key.kind() == "computed_property_name":
                    self._children(key, scope)
                if value:
                    self._given(value, inner, scope, label if name else "", Place("property", child))
            elif kind == "method_definition":
                self._method(child, inner, scope, None, is_kept=bool(name))
            elif kind == "shorthand_property_identifier":
                found = self._identifier(child, scope)
                if name:
                    self.out.hold(self.out.define(inner, child.text(), VARIABLE, Place("property", child)), found)
            else:
                self._visit(child, scope)

    def _given(self, value: SgNode, holder: Scope, scope: Scope, name: str, place: Place | None = None) -> Value | None:
        """Visit a value that is given to a name of `holder`, if it has one; a function or class bears that name."""
        kind = value.kind()
        if name and kind in _FUNCTIONS:
            what = "method" if holder.kind == CLASS else "function"
            qualified = self.out.define(holder, name, FUNCTION, place and place._replace(kind=what))
            self._body(value, scope, qualified, this=None, binds_this=kind != "arrow_function")
            return Value(qualified, "", None)
        if name and kind == "class":
            qualified = self.out.define(holder, name, CLASS, place and place._replace(kind="class"))
            self._members(value, scope, qualified)
            return Value(qualified, "", None)
        if name and kind == "object" and holder.kind not in {BLOCK, FUNCTION}:
            qualified = self.out.define(holder, name, VARIABLE, place)
            self._object(value, scope, qualified)
            return None
        found = self._visit(value, scope)
        if name:
            self.out.assign(holder, name, found, place)
        return found

    def _element(self, node: SgNode, scope: Scope) -> None:
        name = node.field("name")
        for child in node.named_children():
            if name is not None and child.range().start.index == name.range().start.index:
                if name.kind() != "identifier" or name.text()[:1].isupper():
                    self._used(name, scope, CALL)
            else:
                self._visit(child, scope)

    def _decorator(self, node: SgNode, scope: Scope) -> None:
        for child in node.named_children():
            self._used(child, scope, CALL)

    # Names that are given something.

    def _variables(self, node: SgNode, scope: Scope) -> None:
        at = scope
        if node.kind() == "variable_declaration":
            while at.kind == BLOCK and at.outer is not None:
                at = at.outer
        one = [child for child in node.children() if child.kind() == "variable_declarator"]
        word = "const" if any(child.kind() == "const" for child in node.children()) else "variable"
        for child in one:
            self._variable(child, at, scope, Place(word, child if len(one) > 1 else node))

    def _variable(self, node: SgNode, at: Scope, scope: Scope, place: Place) -> None:
        name, value, told = node.field("name"), node.field("value"), node.field("type")
        typed = self._type(told, scope) if told else None
        if name is None:
            return
        if name.kind() != "identifier":
            module = _required(value)
            if module and name.kind() == "object_pattern":
                self._bind_pattern(name, at, module)
                return
            found = self._visit(value, scope) if value else None
            self._pattern(name, at, typed or found, place)
            return
        held = value.field("object") if value is not None and value.kind() == "member_expression" else None
        member = value.field("property") if held is not None and value is not None else None
        if module := _required(held):
            self.out.bind(at, name.text(), module, member.text() if member else WHOLE)
            return
        if module := _required(value):
            self.out.bind(at, name.text(), module, WHOLE)
            return
        inner = _unwrapped(value)
        if inner is not None and inner.kind() in _FUNCTIONS | {"class"}:
            self._given(inner, at, scope, name.text(), place)
        elif value is None:
            self.out.declare(at, name.text(), place)
            if typed:
                self.out.assign(at, name.text(), typed)
        elif inner is not None and inner.kind() == "object" and at.kind not in {FUNCTION, BLOCK} and typed is None:
            self._given(inner, at, scope, name.text(), place)
        else:
            found = self._visit(value, scope)
            self.out.assign(at, name.text(), typed or found, place)
            if inner is not None and inner.kind() == "object" and at.kind not in {FUNCTION, BLOCK}:
                self._place_members(inner, at.inner(name.text()))

    def _place_members(self, node: SgNode, holder: str) -> None:
        """Note where the members of an object stand whose type is told: what uses them means those of the type."""
        for child in node.children():
            name, value = child.field("key") or child.field("name"), child.field("value")
            label = child if child.kind() == "shorthand_property_identifier" else name
            if label is None or not label.kind().endswith("property_identifier"):
                continue
            is_method = child.kind() == "method_definition" or (value is not None and value.kind() in _FUNCTIONS)
            own = f"{holder}::{label.text()}"
            self.out.places.setdefault(own, Place("method" if is_method else "property", child))
            if value is not None and value.kind() == "object":
                self._place_members(value, own)

    def _bind_pattern(self, node: SgNode, at: Scope, module: str) -> None:
        for child in node.children():
            if child.kind() == "shorthand_property_identifier_pattern":
                self.out.bind(at, child.text(), module, child.text())
            elif child.kind() == "pair_pattern":
                key, value = child.field("key"), child.field("value")
                if key and value and value.kind() == "identifier":
                    self.out.bind(at, value.text(), module, key.text())

    def _pattern(self, node: SgNode, scope: Scope, value: Value | None, place: Place | None = None) -> None:
        kind = node.kind()
        if kind in {"identifier", "shorthand_property_identifier_pattern"}:
            self.out.assign(scope, node.text(), value, place)
        elif kind in {"assignment_pattern", "object_assignment_pattern"}:
            left, right = node.field("left"), node.field("right")
            if right:
                self._visit(right, scope)
            if left:
                self._pattern(
                    left, scope, self._part(left, value) if kind == "object_assignment_pattern" else value, place
                )
        elif kind == "object_pattern":
            for child in node.named_children():
                if child.kind() == "shorthand_property_identifier_pattern":
                    self._pattern(child, scope, self._part(child, value), place)
                elif child.kind() == "pair_pattern":
                    key, held = child.field("key"), child.field("value")
                    if held:
                        self._pattern(held, scope, self._part(key, value) if key else None, place)
                else:
                    self._pattern(child, scope, value if child.kind() == "object_assignment_pattern" else None, place)
        elif kind == "member_expression":
            self._member(node, scope, WRITE)
        else:
            for child in node.named_children():
                self._pattern(child, scope, None, place)

    def _part(self, name: SgNode, value: Value | None) -> Value | None:
        if value is None or name.kind() not in {"shorthand_property_identifier_pattern", "property_identifier"}:
            return None
        found = value.then(f".{name.text()}")
        self.out.use(first_line(name), READ, found, len(value.steps) or -1)
        return found

    def _assignment(self, node: SgNode, scope: Scope) -> Value | None:
        left, right = node.field("left"), node.field("right")
        if left is None or right is None:
            return None
        kind = left.kind()
        exported = _exported_as(left.text()) if kind == "member_expression" and scope.outer is None else None
        if exported is not None:
            return self._exports(exported, right, scope)
        value = self._visit(right, scope)
        if kind == "identifier":
            self._written(left, scope, value)
        elif kind == "member_expression":
            held = self._member(left, scope, WRITE)
            if held is not None and held.root == "this" and held.steps.count(".") == 1 and "(" not in held.steps:
                owner = self.out.receiver("this", scope)
                if owner:
                    qualified = f"{owner}::{held.steps[1:]}"
                    self.out.add_field(qualified, Place("field", node))
                    self.out.hold(qualified, value)
        else:
            self._pattern(left, scope, None)
        return value

    def _written(self, node: SgNode, scope: Scope, value: Value | None) -> None:
        at: Scope | None = scope
        while at is not None and node.text() not in at.values and node.text() not in at.names:
            at = at.outer
        if at is not None and node.text() in at.values:
            at.values[node.text()].append(value)
            return
        self.out.use(first_line(node), WRITE, Value(node.text(), "", scope))
        if at is self.out.top:
            self.out.hold(node.text(), value)

    def _augmented(self, node: SgNode, scope: Scope) -> None:
        left = node.field("left") or node.field("argument")
        if left:
            self._used(left, scope, WRITE)
        if right := node.field("right"):
            self._visit(right, scope)

    def _for_in(self, node: SgNode, scope: Scope) -> None:
        inner = Scope(scope, BLOCK, scope.qualified)
        left, right, body = node.field("left"), node.field("right"), node.field("body")
        if right:
            self._visit(right, scope)
        if left:
            if left.kind() == "member_expression":
                self._member(left, scope, WRITE)
            else:
                self._pattern(left, inner, None)
        if body:
            self._children(body, inner) if body.kind() == "statement_block" else self._visit(body, inner)

    def _block(self, node: SgNode, scope: Scope) -> None:
        self._children(node, Scope(scope, BLOCK, scope.qualified))

    def _catch(self, node: SgNode, scope: Scope) -> None:
        inner, parameter, body = Scope(scope, BLOCK, scope.qualified), node.field("parameter"), node.field("body")
        if parameter:
            self._pattern(parameter, inner, None)
        if body:
            self._children(body, inner)

    # Types.

    def _type(self, node: SgNode, scope: Scope, kind: str = TYPE) -> Value | None:  # noqa: PLR0911 - one for each form
        """Note the types that are named; return what a value of this type is, where that is simple."""
        found = node.kind()
        if found in {"type_identifier", "identifier"}:
            return self._identifier(node, scope, kind).then("@")
        if found == "nested_type_identifier":
            module, name = node.field("module"), node.field("name")
            held = self._visit(module, scope) if module else None
            if held is None or name is None:
                return None
            value = held.then(f".{name.text()}")
            self.out.use(first_line(name), kind, value)
            return value.then("@")
        if found == "generic_type":
            name, arguments = node.field("name"), node.field("type_arguments")
            outer = self._type(name, scope, kind) if name else None
            inner = [self._type(one, scope) for one in arguments.named_children()] if arguments else []
            return inner[0] if inner and name is not None and name.text() in _WRAPPED else outer
        if found == "type_query":
            one = next(iter(node.named_children()), None)
            return self._visit(one, scope) if one else None
        if found in {"object_type", "interface_body"}:
            self._signatures(node, scope, "")
            return None
        if found in {"function_type", "constructor_type"}:
            inner_scope = Scope(scope, BLOCK, scope.qualified)
            for child in node.named_children():
                if child.kind() == "type_parameters":
                    self._type_parameters(child, inner_scope)
                elif child.kind() == "formal_parameters":
                    self._parameters(child, inner_scope, inner_scope, None)
                else:
                    self._type(child, inner_scope)
            return None
        parts = [(child.kind(), self._type(child, scope)) for child in node.named_children()]
        if found in {"type_annotation", "parenthesized_type", "readonly_type"}:
            return parts[0][1] if len(parts) == 1 else None
        if found == "union_type":
            told = [value for one, value in parts if one not in _NO_TYPES]
            return told[0] if len(told) == 1 else None
        return None

    def _type_parameters(self, node: SgNode, scope: Scope) -> None:
        for child in node.children():
            if child.kind() == "type_parameter":
                if name := child.field("name"):
                    self.out.declare(scope, name.text()) if scope.kind in {BLOCK, FUNCTION} else None
                for part in ("constraint", "value"):
                    if held := child.field(part):
                        for one in held.named_children():
                            self._type(one, scope)

    def _interface(self, node: SgNode, scope: Scope) -> None:
        name, body = node.field("name"), node.field("body")
        if name is None:
            return
        qualified = self.out.define(scope, name.text(), CLASS, Place("interface", node))
        inner, above = Scope(scope, BLOCK, scope.qualified), list[Value | None]()
        for child in node.children():
            if child.kind() == "type_parameters":
                self._type_parameters(child, inner)
            elif child.kind() in {"extends_type_clause", "extends_clause"}:
                for one in child.named_children():
                    base = self._type(one, inner, EXTEND)
                    above.append(base and base._replace(steps=base.steps.removesuffix("@")))
        self.out.extend(qualified, above)
        if body:
            self._signatures(body, inner, qualified)

    def _signatures(self, node: SgNode, scope: Scope, qualified: str) -> None:
        """Note the members that an interface or an object type has; without a name only their types."""
        holder = Scope(scope, CLASS, qualified)
        for child in node.named_children():
            kind, name = child.kind(), child.field("name")
            if kind == "property_signature":
                told = child.field("type")
                typed = self._type(told, scope) if told else None
                if qualified and name:
                    own = self.out.define(holder, name.text(), VARIABLE, Place("property", child))
                    self.out.hold(own, typed)
            elif kind == "method_signature":
                own = ""
                if qualified and name:
                    own = self.out.define(holder, name.text(), FUNCTION, Place("method", child))
                self._signature(child, scope, own)
            else:
                self._type(child, scope)

    def _signature(self, node: SgNode, scope: Scope, qualified: str) -> None:
        inner = Scope(scope, BLOCK, scope.qualified)
        for child in node.children():
            if child.kind() == "type_parameters":
                self._type_parameters(child, inner)
            elif child.kind() == "formal_parameters":
                self._parameters(child, inner, inner, None)
        if told := node.field("return_type"):
            typed = self._type(told, inner)
            if qualified:
                self.out.hold(f"{qualified}()", typed)

    def _alias(self, node: SgNode, scope: Scope) -> None:
        name, value, parameters = node.field("name"), node.field("value"), node.field("type_parameters")
        if name is None or value is None:
            return
        inner = Scope(scope, BLOCK, scope.qualified)
        if parameters:
            self._type_parameters(parameters, inner)
        if value.kind() == "object_type":
            self._signatures(value, inner, self.out.define(scope, name.text(), CLASS, Place("type", node)))
            return
        qualified, held = self.out.define(scope, name.text(), VARIABLE, Place("type", node)), self._type(value, inner)
        if held is not None:
            self.out.hold(qualified, held._replace(steps=held.steps.removesuffix("@")))

    def _enum(self, node: SgNode, scope: Scope) -> None:
        name, body = node.field("name"), node.field("body")
        if name is None or body is None:
            return
        holder = Scope(scope, CLASS, self.out.define(scope, name.text(), VARIABLE, Place("enum", node)))
        for child in body.children():
            label = child.field("name") if child.kind() == "enum_assignment" else child
            if label is not None and label.kind() == "property_identifier":
                self.out.define(holder, label.text(), VARIABLE, Place("member", child))
            if child.kind() == "enum_assignment" and (value := child.field("value")):
                self._visit(value, scope)

    def _namespace(self, node: SgNode, scope: Scope) -> None:
        """Note a namespace, or a module that is declared for others, whose name is quoted."""
        name, body = node.field("name"), node.field("body")
        if body is None or name is None:
            return
        if name.kind() == "string":
            inner = Scope(scope, _NAMESPACE, scope.inner(_plain(name.text())))
        else:
            named = name.text().replace(".", "::")
            inner = Scope(scope, _NAMESPACE, self.out.define(scope, named, VARIABLE, Place("namespace", node)))
        self._children(body, inner)

    def _ambient(self, node: SgNode, scope: Scope) -> None:
        is_global = any(child.kind() == "global" for child in node.children())
        self._children(node, Scope(scope, _NAMESPACE, scope.inner("global")) if is_global else scope)

    # Definitions.

    def _function(self, node: SgNode, scope: Scope) -> Value | None:
        name = node.field("name")
        if name is None:
            self._anonymous(node, scope)
            return None
        qualified = self.out.define(scope, name.text(), FUNCTION, Place("function", node))
        self._body(node, scope, qualified, this=None, binds_this=True)
        return Value(qualified, "", None)

    def _anonymous(self, node: SgNode, scope: Scope) -> None:
        inner = Scope(scope, FUNCTION, scope.qualified)
        name = node.field("name")
        if name is not None:
            self.out.declare(inner, name.text())
        self._body(node, inner, "", this=None, binds_this=node.kind() != "arrow_function")

    def _body(
        self, node: SgNode, scope: Scope, qualified: str, *, this: Value | None, binds_this: bool, key: str = ""
    ) -> None:
        """Visit a function's parameters, types and body; with a qualified name, note what it returns."""
        inner = Scope(scope, FUNCTION, qualified or scope.qualified)
        if binds_this:
            self.out.assign(inner, "this", this)
        told: SgNode | None = None
        body: SgNode | None = None
        for child in node.children():
            kind = child.kind()
            if kind == "type_parameters":
                self._type_parameters(child, inner)
            elif kind == "formal_parameters":
                self._parameters(child, inner, inner, this)
        if parameter := node.field("parameter"):
            self._pattern(parameter, inner, None)
        told, body = node.field("return_type"), node.field("body")
        typed = self._type(told, inner) if told else None
        key = key or f"{qualified}()"
        outer, self._returned = self._returned, []
        if body is not None:
            if body.kind() == "statement_block":
                self._children(body, inner)
            else:
                self._returned.append(self._visit(body, inner))
        returned, self._returned = self._returned, outer
        if qualified and told is not None:
            self.out.hold(key, typed)
        elif qualified:
            for value in returned:
                self.out.hold(key, value)

    def _return(self, node: SgNode, scope: Scope) -> None:
        value = self._first(node, scope)
        if self._returned is not None:
            self._returned.append(value)

    def _parameters(self, node: SgNode, scope: Scope, inner: Scope, this: Value | None) -> None:
        for child in node.named_children():
            kind = child.kind()
            if kind not in {"required_parameter", "optional_parameter"}:
                self._pattern(child, inner, None)
                continue
            pattern, told, value = child.field("pattern"), child.field("type"), child.field("value")
            typed = self._type(told, scope) if told else None
            is_field = False
            for part in child.children():
                if part.kind() == "decorator":
                    self._decorator(part, scope)
                is_field = is_field or part.kind() in {"accessibility_modifier", "readonly", "override_modifier"}
            found = self._visit(value, scope) if value else None
            if pattern is None:
                continue
            if pattern.kind() == "this":
                inner.values["this"] = [typed]
            elif pattern.kind() == "rest_pattern":
                self._pattern(pattern, inner, None)
            else:
                self._pattern(pattern, inner, typed or (found if told is None else None))
                if is_field and this is not None and pattern.kind() == "identifier":
                    qualified = f"{this.root}::{pattern.text()}"
                    self.out.add_field(qualified, Place("field", child))
                    self.out.hold(qualified, typed)

    def _class_expression(self, node: SgNode, scope: Scope) -> None:
        name = node.field("name")
        inner = Scope(scope, FUNCTION, scope.qualified)
        self._members(node, inner, inner.inner(name.text()) if name else "")

    def _class(self, node: SgNode, scope: Scope) -> Value | None:
        name = node.field("name")
        qualified = self.out.define(scope, name.text() if name else "default", CLASS, Place("class", node))
        self._members(node, scope, qualified)
        return Value(qualified, "", None)

    def _members(self, node: SgNode, outer: Scope, qualified: str) -> None:
        scope, body = Scope(outer, BLOCK, outer.qualified), node.field("body")
        for child in node.children():
            kind = child.kind()
            if kind == "type_parameters":
                self._type_parameters(child, scope)
            elif kind == "class_heritage":
                self._heritage(child, scope, qualified)
            elif kind == "decorator":
                self._decorator(child, scope)
        holder = Scope(scope, CLASS, qualified)
        for child in body.named_children() if body else ():
            kind = child.kind()
            if kind in {"method_definition", "abstract_method_signature", "method_signature"}:
                self._method(child, holder, scope, qualified, is_kept=bool(qualified))
            elif kind in {"public_field_definition", "field_definition"}:
                self._class_field(child, holder, scope, qualified)
            else:
                self._visit(child, scope)

    def _heritage(self, node: SgNode, scope: Scope, qualified: str) -> None:
        above = list[Value | None]()
        for child in node.named_children():
            kind = child.kind()
            if kind == "extends_clause":
                value, types = child.field("value"), child.field("type_arguments")
                above.append(self._used(value, scope, EXTEND) if value else None)
                if types:
                    self._type(types, scope)
            elif kind == "implements_clause":
                for one in child.named_children():
                    self._type(one, scope, IMPLEMENT)
            else:
                above.append(self._used(child, scope, EXTEND))
        if qualified:
            self.out.extend(qualified, above)

    def _method(self, node: SgNode, holder: Scope, scope: Scope, class_: str | None, *, is_kept: bool) -> None:
        name, marks = node.field("name"), {child.kind() for child in node.children() if not child.is_named()}
        plain = name is not None and name.kind() in {"property_identifier", "private_property_identifier"}
        if name is not None and name.kind() == "computed_property_name":
            self._children(name, scope)
        for child in node.children():
            if child.kind() == "decorator":
                self._decorator(child, scope)
        this = Value(class_, "" if "static" in marks else "%", None) if class_ else None
        qualified = ""
        if name is not None and plain and is_kept:
            qualified = self.out.define(holder, name.text(), FUNCTION, Place("method", node))
        key = qualified if "get" in marks else ""
        self._body(node, scope, qualified, this=this, binds_this=True, key=key)

    def _class_field(self, node: SgNode, holder: Scope, scope: Scope, qualified: str) -> None:
        name, told, value = node.field("name") or node.field("property"), node.field("type"), node.field("value")
        for child in node.children():
            if child.kind() == "decorator":
                self._decorator(child, scope)
        typed = self._type(told, scope) if told else None
        label = name.text() if name and name.kind() in {"property_identifier", "private_property_identifier"} else ""
        inner = Scope(scope, FUNCTION, holder.qualified)
        is_static = any(child.kind() == "static" for child in node.children())
        self.out.assign(inner, "this", Value(qualified, "" if is_static else "%", None) if qualified else None)
        if not qualified or not label:
            if value:
                self._visit(value, inner)
            return
        if value and value.kind() in _FUNCTIONS | {"class"}:
            self._given(value, holder, inner, label, Place("field", node))
            return
        found = self._visit(value, inner) if value else None
        own = self.out.define(holder, label, VARIABLE, Place("field", node))
        if typed or value:
            self.out.hold(own, typed if told else found)

    # What is imported and exported.

    def _import(self, node: SgNode, scope: Scope) -> None:
        source = node.field("source") or node.find(kind="string")
        if source is None:
            return
        module = source.text()[1:-1]
        for child in node.children():
            if child.kind() == "import_require_clause":
                name = next((one for one in child.children() if one.kind() == "identifier"), None)
                if name:
                    self.out.bind(scope, name.text(), module, WHOLE)
            if child.kind() != "import_clause":
                continue
            for one in child.children():
                kind = one.kind()
                if kind == "identifier":
                    self.out.bind(scope, one.text(), module, "default")
                elif kind == "namespace_import":
                    name = next((part for part in one.children() if part.kind() == "identifier"), None)
                    if name:
                        self.out.bind(scope, name.text(), module, WHOLE)
                elif kind == "named_imports":
                    for part in one.children():
                        if part.kind() == "import_specifier" and (name := part.field("name")):
                            local = part.field("alias") or name
                            self.out.bind(scope, local.text(), module, _plain(name.text()))

    def _export(self, node: SgNode, scope: Scope) -> None:
        for child in node.children():
            if child.kind() == "decorator":
                self._decorator(child, scope)
        source, declaration = node.field("source"), node.field("declaration")
        offered = self.out.exports if scope is self.out.top else []
        if offered is None:
            return
        if source is not None:
            self._re_export(node, source.text()[1:-1], offered)
            return
        marks = {child.kind() for child in node.children() if not child.is_named()}
        if declaration is not None:
            before = set(scope.names)
            found = self._visit(declaration, scope)
            new = [name for name in scope.names if name not in before] or _declared(declaration)
            if "default" in marks:
                if found is not None:
                    offered.append(("default", found))
            else:
                offered += [(name, Value(name, "", scope)) for name in dict.fromkeys([*new, *_declared(declaration)])]
            return
        self._listed(node, scope, offered, is_whole="=" in marks)

    def _listed(self, node: SgNode, scope: Scope, offered: list[tuple[str, Value]], *, is_whole: bool) -> None:
        """Note names that are exported by themselves: a list, a default value, or `export =`."""
        value = node.field("value")
        for child in node.children():
            if child.kind() == "export_clause":
                for one in child.children():
                    if one.kind() == "export_specifier" and (name := one.field("name")):
                        alias = one.field("alias") or name
                        self._identifier(name, scope)
                        offered.append((_plain(alias.text()), Value(name.text(), "", scope)))
        if value is not None:
            inner = _unwrapped(value)
            if inner is not None and inner.kind() in _FUNCTIONS | _CLASSES:
                found = self._given(inner, scope, scope, "default") if inner.kind() != "class_declaration" else None
            else:
                found = self._visit(value, scope)
            if found is not None:
                offered.append(("default", found))
        elif is_whole:
            name = next(iter(node.named_children()), None)
            found = self._visit(name, scope) if name else None
            if found is not None:
                offered.append(("=", found))

    def _re_export(self, node: SgNode, module: str, offered: list[tuple[str, Value]]) -> None:
        for child in node.children():
            kind = child.kind()
            if kind == "export_clause":
                for one in child.children():
                    if one.kind() == "export_specifier" and (name := one.field("name")):
                        alias, key = one.field("alias") or name, self.out.bind_unnamed(module, _plain(name.text()))
                        offered.append((_plain(alias.text()), Value(key, "", None)))
            elif kind == "namespace_export":
                name = next(iter(child.named_children()), None)
                if name:
                    offered.append((name.text(), Value(self.out.bind_unnamed(module, WHOLE), "", None)))
            elif kind == "*":
                offered.append((ALL, Value(self.out.bind_unnamed(module, WHOLE), "", None)))

    def _exports(self, name: str, value: SgNode, scope: Scope) -> Value | None:
        """Note what a script hands out the way of CommonJS: `module.exports = …` (empty name), `exports.name = …`."""
        offered = self.out.exports
        if offered is None:
            return None
        if name:
            found = self._given(value, scope, scope, name) if value.kind() in _FUNCTIONS | {"class"} else None
            found = found or self._visit(value, scope)
            if found is not None:
                offered.append((name, found))
            return found
        if value.kind() != "object":
            found = self._given(value, scope, scope, "default") if value.kind() in _FUNCTIONS | {"class"} else None
            found = found or self._visit(value, scope)
            if found is not None:
                offered.append(("=", found))
            return found
        holder = Scope(scope, CLASS, "exports")
        for child in value.named_children():
            if child.kind() == "shorthand_property_identifier":
                offered.append((child.text(), self._identifier(child, scope)))
            elif child.kind() == "pair" and (key := child.field("key")) and (held := child.field("value")):
                named = held.kind() in _FUNCTIONS | {"class"} and key.kind() == "property_identifier"
                found = self._given(held, holder, scope, key.text() if named else "")
                if found is not None:
                    offered.append((_plain(key.text()), found))
            else:
                self._visit(child, scope)
        return None


def _plain(name: str) -> str:
    return name.strip("\"'")


def _module_in(arguments: SgNode) -> str:
    """Return the module that the only argument of a call names; empty where it is no plain string."""
    first = next(iter(arguments.named_children()), None)
    return first.text()[1:-1] if first is not None and first.kind() == "string" else ""


def _required(value: SgNode | None) -> str:
    """Return the module that a value is what is required of; empty where it is something else."""
    inner = _unwrapped(value)
    if inner is not None and inner.kind() == "await_expression":
        inner = next(iter(inner.named_children()), None)
    if inner is None or inner.kind() != "call_expression":
        return ""
    called, arguments = inner.field("function"), inner.field("arguments")
    is_one = called is not None and (called.kind() == "import" or called.text() == _REQUIRE)
    return _module_in(arguments) if is_one and arguments else ""


def _unwrapped(value: SgNode | None) -> SgNode | None:
    while value is not None and value.kind() in {"as_expression", "satisfies_expression", "parenthesized_expression"}:
        value = next(iter(value.named_children()), None)
    return value


def _exported_as(target: str) -> str | None:
    """Return the name that an assignment to this exports, empty for all; None where it exports nothing."""
    if target == "module.exports":
        return ""
    holder, _, name = target.rpartition(".")
    return name if holder in {"exports", "module.exports"} else None


def _declared(node: SgNode) -> list[str]:
    """Return the names that a declaration declares."""
    if node.kind() in {"lexical_declaration", "variable_declaration"}:
        return [
            name.text()
            for child in node.children()
            if child.kind() == "variable_declarator" and (name := child.field("name")) and name.kind() == "identifier"
        ]
    name = node.field("name")
    if name is None and node.kind() == "ambient_declaration":
        return [one for child in node.named_children() for one in _declared(child)]
    return [name.text()] if name and name.kind() in {"identifier", "type_identifier"} else []
