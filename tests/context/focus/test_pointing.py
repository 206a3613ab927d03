"""What the subject points at comes right after it: imports with names and lines, users, links; neighbours after."""

from __future__ import annotations

import pytest

from tests.context.focus.conftest import View, order, read
from tests.support import Project
from tx_graph.code.canonical import tree_of
from tx_graph.code.comments import code_with
from tx_graph.code.imports import ImportType, Specifier
from tx_graph.context.focus import kin
from tx_graph.context.focus.focus import related_entry
from tx_graph.context.focus.pointing import Tie, TieWeights, asked_for, lines_with, uses_shape
from tx_graph.context.focus.rules import TokensBy
from tx_graph.core.errors import UsageError
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.knowledge.facts import Facts


@pytest.mark.parametrize(
    ("module", "name", "target", "declared", "expected"),
    [
        ("..auth.jwt", "decode", "src/auth/jwt.py", {"decode", "Keys"}, ["decode"]),
        (".", "jwt", "src/auth/jwt.py", {"decode"}, ["decode"]),  # the module itself: whatever it declares
        (".helper", "helper", "src/helper.py", {"helper"}, ["helper"]),
        ("auth", "login", "src/auth/__init__.py", set(), ["login"]),
        ("./jwt.js", None, "src/jwt.ts", {"sign"}, ["sign"]),
        ("@/auth", None, "src/auth/index.ts", {"sign"}, ["sign"]),
        ("com.acme.Store", None, "src/main/java/com/acme/Store.java", {"Store"}, ["Store"]),
        ("example.com/x/store", None, "store/new.go", {"New"}, ["New"]),
    ],
)
def test_the_names_that_an_import_asks_for(
    module: str, name: str | None, target: str, declared: set[str], expected: list[str]
) -> None:
    assert asked_for([Specifier(module=module, name=name)], target, declared)[1] == expected


def test_of_two_files_of_one_name_each_has_its_own_import() -> None:
    both = [Specifier(module="a.store", name="X"), Specifier(module="b.store", name="Y")]
    assert [asked_for(both, f"{one}/store.py", ())[1] for one in "ab"] == [["X"], ["Y"]]


def test_names_stand_in_lines_as_whole_words_and_what_is_left_out_is_counted() -> None:
    lines = ["decode(key)", "decoded = 1", "Keys.decode", "x"]
    assert lines_with(lines, ["decode", "Keys"], start=5) == {"decode": [5, 7], "Keys": [7]}
    assert uses_shape({"decode": [1, 2, 3, 4, 5], "Keys": [1]}) == {
        "uses": {"decode": [1, 2, 3], "Keys": [1]},
        "more_uses": 2,
    }


def test_a_tie_is_a_product_of_which_a_weight_of_nothing_leaves_a_part_out() -> None:
    tie = Tie("a.py", ImportType.TYPE_ONLY, 0.5)
    assert TieWeights().score(tie, 0) == pytest.approx(1.5 * 0.4)
    assert TieWeights(cochange=0, type=0, references=0).score(tie, 9) == 1
    assert TieWeights().score(tie, 3) > TieWeights().score(tie, 2)


def test_all_imports_come_first_by_their_worth_with_the_names_used_and_their_lines(
    view: View, project: Project
) -> None:
    project.write("src/a_rarely.py", "def once():\n    return 1\n")
    for name in ("LICENSE", "src/aunt.txt"):
        project.write(name, "Words.\n")
    project.write(
        "src/main.py",
        "import src.jwt\nfrom src.a_rarely import once\nfrom src.login import login\n\n\n"
        "def main():\n    login()\n    login()\n    return src.jwt.decode() + once()\n",
    )
    read(project)
    seen = view("src/main.py", budget=2_500, by=TokensBy.JSON)
    assert order(seen)[:3] == [
        ("src/login.py", "Import"),
        ("src/a_rarely.py", "Import"),
        ("src/jwt.py", "Import"),
    ]
    first = seen.related[0].note
    assert (first.tie, first.details) == ({"uses": {"login": [3, 7, 8]}, "import_line": 3}, "def login()")
    assert order(view("src/main.py::main"))[0] == ("src/login.py", "Import")
    assert view("src/main.py::main").related[0].note.tie["uses"] == {"login": [7, 8]}


@pytest.mark.parametrize(
    ("path", "text", "lines"),
    [
        ("a.py", '# mint is nice\nx = "mint"\ny = f"a {mint(1)} b"\n"""\nmint\n"""\nz.mint()\n', [3, 7]),
        ("a.ts", 'import { mint } from "./x";\n// mint\nconst s = `a ${mint()} b`;\nconst t = "mint";\n', [1, 3]),
        ("a.tsx", 'const e = (\n  <p title="mint">\n    mint\n    {mint}\n  </p>\n);\n', [4]),
        ("a.go", 'package a\n\n// mint\nvar s = "mint"\nvar t = x.mint\nvar r = `\nmint`\n', [5]),
        ("a.rs", '/// mint\nuse a::mint;\nconst S: &str = "mint";\n', [2]),
        ("a.rb", '# mint\nputs "a #{mint}"\nputs "mint"\n', [2]),
        ("a.c", '#define X mint\n/* mint */\nchar *s = "mint";\nint c = mint(1);\n', [1, 4]),
        ("a.vue", '<template><mint/></template>\n<script>\nimport mint from "./x"\n// mint\n</script>\n', [1, 3]),
        ("a.py", "# nothing\n", []),
    ],
)
def test_a_name_counts_where_it_stands_in_code(path: str, text: str, lines: list[int]) -> None:
    tree = tree_of(path, text)
    assert tree is not None
    code = code_with(["mint"], text, tree).split("\n")
    assert [len(line) for line in code] == [len(line) for line in text.split("\n")]
    assert lines_with(code, ["mint"]).get("mint", []) == lines


def test_an_importer_that_only_speaks_of_a_name_uses_nothing_and_one_that_was_not_read_says_so(
    view: View, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write("src/talk.py", 'from src import jwt\n\n# decode is quick\nNAME = "decode"\n')
    read(project)
    (talk,) = [one.note for one in view("src/jwt.py", budget=2_500).related if one.note.ref == "src/talk.py"]
    assert "decode" not in talk.tie.get("uses", {})
    monkeypatch.setattr(kin, "_MOST_READ", 1)
    importers = [one.note for one in view("src/jwt.py", budget=2_500).related if one.relationship == "Importer"]
    assert ["unread" in one.tie for one in importers] == [False, True]
    assert "not read for its lines" in related_entry(importers[1], importers[0])


def test_no_licence_and_no_cousin_comes_before_the_code_that_calls_it(view: View, project: Project) -> None:
    project.write("LICENSE", "Words.\n")
    project.write("base.py", "def base():\n    return 1\n")
    for number in range(30):
        project.write(f"zoo/user{number:02}.py", f"from base import base\n\n\ndef use{number}():\n    return base()\n")
    read(project)
    places = {ref: place for place, (ref, _) in enumerate(order(view("base.py")))}
    assert max(places[f"zoo/user{number:02}.py"] for number in range(30)) < places["LICENSE"]
    user = next(one.note for one in view("base.py::base").related if one.relationship.value == "Importer")
    assert user.details == "1: from base import base\n5: return base()"


def test_a_signature_is_told_once(view: View) -> None:
    for ref in ("src/jwt.py", "src/jwt.py::decode"):
        seen = view(ref)
        said = [seen.focus, *(one.note for one in seen.related)]
        assert sum(note.details.split("\n").count("class Keys") for note in said) == 1


def test_a_section_shows_what_it_links_to_right_after_its_own_text(view: View, project: Project) -> None:
    assert order(view("docs/auth.md#tokens"))[0] == ("docs/guide.md#configure", "LinkTarget")
    assert order(view("README.md"))[:2] == [("src/jwt.py", "LinkTarget"), ("src/jwt.py::decode", "LinkTarget")]


def test_a_section_shows_what_somebody_said_of_it_and_another_with_the_reason(view: View, project: Project) -> None:
    with project.open() as workspace, workspace.kernel.database.transaction():
        nodes = NodeStore(workspace.kernel.database)
        found = nodes.find(NodeKind.SECTION, ["docs/guide.md#run", "docs/auth.md#sessions"])
        workspace.kernel.database.write(
            "INSERT INTO section_edges VALUES (?, ?, 'caused_by', 'LINKS_TO', 0.8, 'ends them', 'a model')",
            tuple(found[key] for key in ("docs/guide.md#run", "docs/auth.md#sessions")),
        )
    seen = [view(ref).related[0] for ref in ("docs/guide.md#run", "docs/auth.md#sessions")]
    assert [(one.note.ref, one.relationship, one.note.tie["forward"]) for one in seen] == [
        ("docs/auth.md#sessions", "DescribedRelation", True),
        ("docs/guide.md#run", "DescribedRelation", False),
    ]
    assert 'caused_by ("ends them", 0.8, by a model)' in related_entry(seen[0].note, view("docs/guide.md#run").focus)


def test_an_entity_shows_its_facts_what_they_lead_to_and_who_speaks_of_it(view: View, project: Project) -> None:
    project.write("docs/store.md", "# Store\n\nWe keep rows in DuckDB.\n")
    with project.open() as workspace:
        workspace.kernel.one(Facts).add("JACQ", "uses", object="DuckDB")
        workspace.kernel.one(Facts).add("DuckDB", "license", value="MIT")
    read(project)
    seen = view("entity:DuckDB")
    assert (seen.focus.kind, seen.focus.details, seen.path) == ("entity", "license: MIT (staged)", ())
    assert order(seen)[:2] == [("entity:JACQ", "ReferenceBy"), ("docs/store.md", "ReferenceBy")]
    assert order(view("entity:JACQ"))[0] == ("entity:DuckDB", "DescribedRelation")
    assert ("entity:DuckDB", "Mention") in order(view("docs/store.md"))


def test_layers_and_quotas_are_settings(view: View, project: Project) -> None:
    with project.open() as workspace:
        workspace.kernel.config.set("focus.layers", '["1 OlderSibling", "then", "2 Parent ContextAncestor"]')
    assert [relationship for _, relationship in order(view("docs/guide.md#run"))] == [
        "OlderSibling",
        "OlderSibling",
        "Parent",
        "ContextAncestor",
        "ContextAncestor",
        "ContextAncestor",
    ]


@pytest.mark.parametrize("layer", ["0 Parent", "3", "Parent", "3 Uncle", "1001 Parent", "3 3", "² Parent"])
def test_what_is_no_layer_is_refused_when_it_is_set(project: Project, layer: str) -> None:
    with project.open() as workspace, pytest.raises(UsageError, match="is no layer"):
        workspace.kernel.config.set("focus.code_layers", f'["{layer}"]')
