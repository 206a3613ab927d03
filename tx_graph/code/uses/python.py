"""Python: what its names mean."""

from __future__ import annotations

import builtins
import re
from typing import TYPE_CHECKING

from tx_graph.code.tree import Tree, first_line
from tx_graph.code.uses import (
    ALL,
    CALL,
    CLASS,
    EXTEND,
    FUNCTION,
    PREFIX,
    READ,
    TYPE,
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

_BUILTINS = frozenset(dir(builtins))
_ENUM = re.compile(r"(?:Enum|Flag)\b")
_DOTTED = re.compile(r"[A-Za-z_][\w.]*")
_LEAVES = frozenset(
    "integer float true false none comment string_start string_end string_content ellipsis pass_statement"
    " break_statement continue_statement escape_sequence".split()
)
_OPTIONAL = re.compile(r"(?:typing\.|t\.)?(?:Optional|Annotated|ClassVar|Final|Required|NotRequired)")
_TYPE_OF = re.compile(r"(?:(?:typing\.|t\.)?Type|type)")
_ON_CLASS = frozenset({"__new__", "__init_subclass__", "__class_getitem__"})
_PROPERTIES = re.compile(
    r"@\s*(?:[\w.]*\.)?(?:cached_property|property|abstractproperty|hybrid_property|memoized\w*)\b"
)
_SEQUENCES = frozenset(
    {
        "pattern_list",
        "tuple_pattern",
        "list_pattern",
        "tuple",
        "list",
        "expression_list",
        "list_splat_pattern",
        "list_splat",
        "as_pattern_target",
        "parenthesized_expression",
    }
)


def uses(tree: Tree) -> tuple[Uses, dict[str, Place]]:
    """Return what a module's names mean, and where they are defined."""
    walk = _Walk()
    return walk.read(tree), walk.out.places


class _Walk(Walk[Scope, Value]):
    _leaves = _LEAVES

    def __init__(self) -> None:
        self.out = Collector(hides_members=True)
        self.out.known = _BUILTINS
        self._globals: dict[int, set[str]] = {}
        self._enums: set[str] = set()
        self._forms = {
            "identifier": self._identifier,
            "attribute": self._attribute,
            "call": self._call,
            "assignment": self._assignment,
            "augmented_assignment": self._augmented,
            "named_expression": self._named,
            "function_definition": self._function,
            "class_definition": self._class,
            "decorated_definition": self._decorated,
            "lambda": self._lambda,
            "import_statement": self._import,
            "import_from_statement": self._import_from,
            "future_import_statement": self._nothing,
            "for_statement": self._for,
            "for_in_clause": self._for,
            "list_comprehension": self._comprehension,
            "set_comprehension": self._comprehension,
            "dictionary_comprehension": self._comprehension,
            "generator_expression": self._comprehension,
            "as_pattern": self._as,
            "return_statement": self._return,
            "global_statement": self._global,
            "nonlocal_statement": self._nothing,
            "keyword_argument": lambda node, scope: self._field(node, "value", scope),
            "await": self._last,
            "parenthesized_expression": self._last,
            "type_alias_statement": self._alias,
            "type": self._annotation,
            "case_pattern": self._pattern,
            "dotted_name": self._nothing,
        }

    def read(self, tree: Tree) -> Uses:
        self._children(tree.root, self.out.top)
        self._forms.clear()  # which hold this walk, and so the tree
        return self.out.result()

    # --- expressions

    def _nothing(self, _: SgNode, __: Scope) -> None:
        """Find nothing."""

    def _identifier(self, node: SgNode, scope: Scope, kind: str = READ) -> Value:
        value = Value(node.text(), "", scope)
        self.out.use(first_line(node), kind, value)
        return value

    def _attribute(self, node: SgNode, scope: Scope, kind: str = READ) -> Value | None:
        held, name = node.field("object"), node.field("attribute")
        value = self._visit(held, scope) if held else None
        if value is None or held is None or name is None:
            return None
        return self.out.use_member(held, name, kind, value)

    def _used(self, node: SgNode, scope: Scope, kind: str) -> Value | None:
        what = node.kind()
        if what == "identifier":
            return self._identifier(node, scope, kind)
        return self._attribute(node, scope, kind) if what == "attribute" else self._visit(node, scope)

    def _call(self, node: SgNode, scope: Scope) -> Value | None:
        called, arguments = node.field("function"), node.field("arguments")
        value = None
        if called:
            within = _class_around(scope) if called.kind() == "identifier" and called.text() == "super" else None
            if within is not None:
                value = Value(within, "^", None)
            elif found := self._used(called, scope, CALL):
                value = found.then("()")
        if arguments:
            if arguments.kind() == "argument_list":
                self._children(arguments, scope)
            else:
                self._visit(arguments, scope)
        return value

    def _lambda(self, node: SgNode, scope: Scope) -> None:
        inner = Scope(scope, FUNCTION, scope.qualified)
        parameters, body = node.field("parameters"), node.field("body")
        if parameters:
            self._parameters(parameters, scope, inner, first=None)
        if body:
            self._visit(body, inner)

    def _comprehension(self, node: SgNode, scope: Scope) -> None:
        self._children(node, Scope(scope, FUNCTION, scope.qualified))

    # --- names that are given something

    def _target(self, node: SgNode, scope: Scope, value: Value | None, whole: SgNode | None = None) -> None:
        """Note what a target is given, by the statement `whole`."""
        kind = node.kind()
        if kind == "identifier":
            name = node.text()
            if name in self._globals.get(id(scope), ()):
                self.out.use(first_line(node), WRITE, Value(name, "", self.out.top))
                self.out.assign(self.out.top, name, value)
            else:
                self.out.assign(scope, name, value, self._place(name, scope, whole))
        elif kind == "attribute":
            held = self._attribute(node, scope, WRITE)
            if held is not None and held.steps.count(".") == 1 and (owner := self.out.receiver(held.root, scope)):
                qualified = f"{owner}::{held.steps[1:]}"
                self.out.add_field(qualified, Place("field", whole) if whole else None)
                self.out.hold(qualified, value)
        elif kind in _SEQUENCES:
            for child in node.named_children():
                self._target(child, scope, value if kind == "as_pattern_target" else None, whole)
        else:
            self._visit(node, scope)

    def _assignment(self, node: SgNode, scope: Scope) -> Value | None:
        left, right, told = node.field("left"), node.field("right"), node.field("type")
        value = self._visit(right, scope) if right else None
        if told:
            typed = self._annotation(told, scope)
            value = typed or value
        if left:
            self._target(left, scope, value, node)
        return value

    def _place(self, name: str, scope: Scope, whole: SgNode | None) -> Place | None:
        if whole is None or scope.kind == FUNCTION:
            return None
        if scope.kind == CLASS:
            return Place("member" if scope.qualified in self._enums else "field", whole)
        return Place("constant" if name.isupper() else "variable", whole)

    def _augmented(self, node: SgNode, scope: Scope) -> None:
        left = node.field("left")
        self._field(node, "right", scope)
        if left:
            self._used(left, scope, WRITE)

    def _named(self, node: SgNode, scope: Scope) -> Value | None:
        value, name = self._field(node, "value", scope), node.field("name")
        if name:
            self._target(name, scope, value)
        return value

    def _for(self, node: SgNode, scope: Scope) -> None:
        left = node.field("left")
        if left:
            self._target(left, scope, None)
        for child in node.children():
            if child.is_named() and (left is None or child.range().start.index != left.range().start.index):
                self._visit(child, scope)

    def _as(self, node: SgNode, scope: Scope) -> None:
        named = node.named_children()
        value = self._visit(named[0], scope) if named else None
        if not named[1:]:
            return
        parent = node.parent()
        is_caught = parent is not None and parent.kind().startswith("except")
        given = value and value.then("@" if is_caught else ".__enter__()")
        self._target(named[-1], scope, given)

    def _pattern(self, node: SgNode, scope: Scope) -> None:
        waiting = list(node.children())
        while waiting:
            one = waiting.pop()
            if one.kind() == "dotted_name":
                parts = one.text().split(".")
                parent = one.parent()
                if len(parts) == 1 and (parent is None or parent.kind() != "class_pattern"):
                    self.out.assign(scope, parts[0], None)
                else:
                    self._dotted(one, scope, READ)
            else:
                waiting += one.children()

    def _global(self, node: SgNode, scope: Scope) -> None:
        names = {child.text() for child in node.children() if child.kind() == "identifier"}
        self._globals.setdefault(id(scope), set()).update(names)

    # --- types

    def _annotation(self, node: SgNode, scope: Scope) -> Value | None:  # noqa: PLR0911 - one for each form
        """Note the types that an annotation names; return what it says of a value, where it is that simple."""
        kind = node.kind()
        if kind == "type":
            return next((self._annotation(one, scope) for one in node.named_children()), None)
        if kind == "identifier":
            return self._identifier(node, scope, TYPE).then("@")
        if kind == "attribute":
            found = self._attribute(node, scope, TYPE)
            return found.then("@") if found else None
        if kind == "string":
            return self._quoted(node, scope)
        named = node.named_children()
        if kind in {"generic_type", "subscript"} and named:
            outer = named[0].text()
            self._annotation(named[0], scope)
            inner = [
                self._annotation(one, scope)
                for child in named[1:]
                for one in (child.children() if child.kind() == "type_parameter" else [child])
                if one.is_named()
            ]
            if not inner or inner[0] is None:
                return None
            if _OPTIONAL.fullmatch(outer):
                return inner[0]
            if _TYPE_OF.fullmatch(outer):
                return inner[0]._replace(steps=inner[0].steps.removesuffix("@"))
            return None
        parts = [self._annotation(one, scope) for one in named if one.kind() != "none"]
        return parts[0] if kind == "binary_operator" and len(parts) == 1 else None

    def _quoted(self, node: SgNode, scope: Scope) -> Value | None:
        text = node.text().strip("\"'")
        found, line = None, first_line(node)
        for match in _DOTTED.finditer(text):
            root, *names = match[0].split(".")
            found = Value(root, "".join(f".{name}" for name in names), scope)
            self.out.use(line, TYPE, found)
        return found.then("@") if found and _DOTTED.fullmatch(text.removesuffix(" | None").strip()) else None

    def _alias(self, node: SgNode, scope: Scope) -> None:
        left, right = node.field("left"), node.field("right")
        if left and (name := _DOTTED.match(left.text())):
            self.out.define(scope, name[0], CLASS, Place("type", node))
        if right:
            self._annotation(right, scope)

    # --- definitions

    def _decorated(self, node: SgNode, scope: Scope) -> None:
        definition, marks = node.field("definition"), []
        for child in node.children():
            if child.kind() == "decorator":
                marks.append(child.text())
                for one in child.named_children()[:1]:
                    self._used(one, scope, CALL)
        if definition and definition.kind() == "function_definition":
            self._function(definition, scope, "\n".join(marks), node)
        elif definition:
            self._class(definition, scope, node)

    def _function(self, node: SgNode, scope: Scope, marks: str = "", whole: SgNode | None = None) -> None:
        name = _name_of(node)
        what = "method" if scope.kind == CLASS else "function"
        qualified = self.out.define(scope, name, FUNCTION, Place(what, whole or node))
        inner = Scope(scope, FUNCTION, qualified)
        first: Value | None = None
        if scope.kind == CLASS and "@staticmethod" not in marks:
            on_class = "classmethod" in marks or name in _ON_CLASS
            first = Value(scope.qualified, "" if on_class else "%", None)
        parameters, told, body = node.field("parameters"), node.field("return_type"), node.field("body")
        if parameters:
            self._parameters(parameters, scope, inner, first=first)
        typed = self._annotation(told, scope) if told else None
        key = qualified if _PROPERTIES.search(marks) else f"{qualified}()"
        if typed is not None and typed.root in {"Self", "typing"} and first is not None:
            typed = first
        returned: list[Value | None] = []
        if body:
            outer, self._returned = getattr(self, "_returned", None), returned
            self._children(body, inner)
            self._returned = outer
        if told is not None:
            self.out.hold(key, typed)
        elif "@" not in marks or key == qualified or "classmethod" in marks or "staticmethod" in marks:
            for value in returned:
                self.out.hold(key, value)

    _returned: list[Value | None] | None = None

    def _return(self, node: SgNode, scope: Scope) -> None:
        value = self._last(node, scope)
        if self._returned is not None:
            self._returned.append(value)

    def _parameters(self, node: SgNode, outer: Scope, inner: Scope, *, first: Value | None) -> None:
        for child in node.named_children():
            kind, value = child.kind(), None
            name: SgNode | None = child
            if kind in {"default_parameter", "typed_default_parameter"}:
                name = child.field("name")
                self._field(child, "value", outer)
            if kind in {"typed_parameter", "typed_default_parameter"}:
                told = child.field("type")
                value = self._annotation(told, outer) if told else None
                if kind == "typed_parameter":
                    name = next(iter(child.named_children()), None)
            if name is not None and name.kind() in {"list_splat_pattern", "dictionary_splat_pattern"}:
                name, value = next(iter(name.named_children()), None), None
            if name is not None and name.kind() == "identifier":
                self.out.assign(inner, name.text(), first or value)
                first = None

    def _class(self, node: SgNode, scope: Scope, whole: SgNode | None = None) -> None:
        name = _name_of(node)
        qualified = self.out.define(scope, name, CLASS, Place("class", whole or node))
        bases, above, body = node.field("superclasses"), list[Value | None](), node.field("body")
        for child in bases.named_children() if bases else ():
            kind = child.kind()
            if kind in {"identifier", "attribute"}:
                above.append(self._used(child, scope, EXTEND))
            elif kind == "subscript" and (held := child.field("value")):
                above.append(self._used(held, scope, EXTEND if held.kind() == "identifier" else READ))
                for part in child.field_children("subscript"):
                    self._annotation(part, scope)
            elif kind == "keyword_argument":
                self._visit(child, scope)
            else:
                self._visit(child, scope)
                above.append(None)
        self.out.extend(qualified, above)
        if bases and _ENUM.search(bases.text()):
            self._enums.add(qualified)
        if body:
            self._children(body, Scope(scope, CLASS, qualified))

    # The imports of a module, and those of functions.

    def _import(self, node: SgNode, scope: Scope) -> None:
        for child in node.children():
            if child.kind() == "dotted_name":
                module = "".join(child.text().split())
                top = module.partition(".")[0]
                self.out.bind(scope, top, module, WHOLE if top == module else PREFIX)
            elif child.kind() == "aliased_import" and (alias := child.field("alias")) and (name := child.field("name")):
                self.out.bind(scope, alias.text(), "".join(name.text().split()), WHOLE)

    def _import_from(self, node: SgNode, scope: Scope) -> None:
        source = node.field("module_name")
        module = "".join(source.text().split()) if source else ""
        for child in node.field_children("name"):
            if child.kind() == "aliased_import":
                name, alias = child.field("name"), child.field("alias")
                if name and alias:
                    self.out.bind(scope, alias.text(), module, name.text())
            else:
                self.out.bind(scope, child.text(), module, child.text())
        if any(child.kind() == "wildcard_import" for child in node.children()):
            self.out.bind(scope, ALL, module, ALL)

    def _dotted(self, node: SgNode, scope: Scope, kind: str) -> None:
        root, *names = node.text().split(".")
        self.out.use(first_line(node), kind, Value(root, "".join(f".{name}" for name in names), scope))


def _name_of(node: SgNode) -> str:
    name = node.field("name")
    return name.text() if name else ""


def _class_around(scope: Scope) -> str | None:
    at: Scope | None = scope
    while at is not None:
        if at.kind == CLASS:
            return at.qualified
        at = at.outer
    return None
