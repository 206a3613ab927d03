"""What lies around a node, and how it is connected: files, learnings, sections and entities."""

from __future__ import annotations

from typing import Any

import pytest

from tests.context.house import furnish, mention, says
from tests.support import Project
from tx_graph.context.graph import Neighborhood
from tx_graph.context.ranking import rank_files
from tx_graph.context.ranking_evidence import Method
from tx_graph.context.search import Query
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.documents.ingesting import Ingesting
from tx_graph.documents.relating import Relating
from tx_graph.faces.cli.render.graph import surroundings
from tx_graph.graph.edge_store import HUB
from tx_graph.graph.edges import Direction, EdgeType, Relation
from tx_graph.graph.expand import Limits, Profile
from tx_graph.graph.references import NodeKind
from tx_graph.history.cochange import CoChangeOptions
from tx_graph.history.cochanges import CoChangeRequest
from tx_graph.knowledge.entities import Entities
from tx_graph.knowledge.fact import FactStatus
from tx_graph.knowledge.facts import Facts
from tx_graph.records.learning import Link, Status

TOKENS = "docs/auth.md#tokens"


@pytest.fixture
def coded(project: Project) -> Project:
    """app.py imports db.py, which changes together with cache.py, to which a learning is anchored."""
    project.write("app.py", "import db\n")
    project.write("db.py", "class Db:\n    def open(self):\n        pass\n")
    project.git.commit("cache.py")
    project.git.commit("db.py", "cache.py")
    project.git.commit("db.py", "cache.py")
    project.index()
    with project.open() as workspace:
        workspace.cochanges.run(CoChangeRequest(options=CoChangeOptions(min_support=2)))
    project.add("Close every cursor", "cache.py")
    return project


@pytest.fixture
def written(project: Project) -> Project:
    """A guide whose section on tokens speaks of jwt.py and of how keys rotate; nothing imports anything."""
    project.write("src/jwt.py", "def decode():\n    return True\n")
    project.write("src/vault.py", "def seal():\n    return True\n")
    project.write(
        "docs/auth.md",
        "# Authentication\n\n## Tokens\n\nDecoded in `src/jwt.py`; see [how keys rotate](keys.md#rotation).\n\n"
        "## Logins\n\n- depends_on:: [[keys]]\n",
    )
    project.write("docs/keys.md", "# Keys\n\n## Rotation\n\nWeekly.\n\n## Storage\n\nSealed by `src/vault.py`.\n")
    read(project)
    return project


@pytest.fixture
def knowing(project: Project) -> Project:
    """Two files, and facts about a user, a project and DuckDB."""
    project.write("src/store.py", "x = 1\n")
    project.write("src/other.py", "x = 1\n")
    project.index()
    with project.open() as workspace:
        furnish(workspace)
    return project


def read(project: Project) -> None:
    project.git.commit()
    project.index()
    with project.open() as workspace:
        workspace.kernel.one(Ingesting).run()


def around(project: Project, ref: str, *, depth: int = 2, **options: Any) -> Neighborhood:  # noqa: ANN401
    with project.open() as workspace:
        return workspace.graph.neighbors(ref, depth=depth, **options)


def refs(hood: Neighborhood) -> list[str]:
    return [neighbor.ref for neighbor in hood.neighbors]


# --- files and learnings ------------------------------------------------------------------------


def test_neighbours_come_best_first_with_the_way_to_them_and_the_limit_says_how_many_there_were(coded: Project) -> None:
    hood = around(coded, "app.py", depth=3)
    assert refs(hood) == ["db.py", "cache.py", "learning:1"]
    last = hood.neighbors[-1]
    assert (last.kind, last.path) == (NodeKind.LEARNING, ("app.py", "db.py", "cache.py", "learning:1"))
    assert [(step.type, step.forward) for step in last.steps] == [
        ("IMPORTS", True),
        ("CO_CHANGES_WITH", False),
        ("ANCHORED_TO", False),
    ]
    assert last.score == pytest.approx(last.steps[1].weight * 0.7**3)
    assert hood.reached == 3
    cut = around(coded, "app.py", depth=3, limit=1)
    assert (refs(cut), cut.reached) == (["db.py"], 3)
    for limit in (0, -1, 10_001):
        with pytest.raises(UsageError):
            around(coded, "app.py", limit=limit)
    with pytest.raises(NotFound) as error:
        around(coded, "pp.py")
    assert "app.py" in error.value.candidates


OUT, IN = {"depth": 1, "direction": Direction.OUT}, {"depth": 1, "direction": Direction.IN}


@pytest.mark.parametrize(
    ("ref", "options", "expected"),
    [
        ("db.py", OUT, ["cache.py"]),
        ("db.py", IN, ["app.py", "cache.py"]),
        ("app.py", IN, []),
        ("1", OUT, ["cache.py"]),
        ("cache.py", OUT, ["db.py"]),
        ("cache.py", IN, ["learning:1", "db.py"]),
        ("app.py", {"edge_types": (EdgeType.IMPORTS,)}, ["db.py"]),
        ("app.py", {"edge_types": (EdgeType.CO_CHANGES_WITH,)}, []),
        ("app.py", {"depth": 0}, []),
        ("new.py", {}, []),
    ],
)
def test_direction_types_and_depth_say_what_is_followed_but_co_changes_have_no_direction(
    coded: Project, ref: str, options: dict[str, Any], expected: list[str]
) -> None:
    coded.write("new.py")
    assert sorted(refs(around(coded, ref, **options))) == sorted(expected)


def test_a_file_that_only_a_glob_knows_is_shown_with_it(coded: Project) -> None:
    coded.add("Later", "*.py")
    coded.write("new.py")
    coded.git.git("add", "new.py")
    with coded.open() as workspace:
        [step] = workspace.graph.show("new.py").steps
    assert (step.target, step.description) == ("learning:2", "*.py")


def test_a_symbol_has_edges_once_a_learning_is_about_it_and_leads_there_and_to_its_file(coded: Project) -> None:
    symbol = "db.py::Db::open"
    with coded.open() as workspace:
        shown = workspace.graph.show(symbol)
    assert (shown.node.kind, shown.node.id, shown.steps) == (NodeKind.SYMBOL, None, ())
    assert refs(around(coded, symbol)) == []
    coded.add("Open late", symbol)
    assert refs(around(coded, symbol, depth=1)) == ["learning:2"]
    assert refs(around(coded, "2", depth=1)) == ["db.py", symbol]
    assert "learning:2" in refs(around(coded, "db.py", depth=1))
    assert set(refs(around(coded, symbol, depth=3))) == {"learning:2", "db.py", "app.py", "cache.py"}


@pytest.mark.parametrize("profile", list(Profile))
def test_every_profile_leads_through_files_to_learnings_and_on_but_across_none_that_was_removed(
    coded: Project, profile: Profile
) -> None:
    coded.add("Cursors are dear", links=[Link(target="1")])
    hood = around(coded, "app.py", depth=4, profile=profile)
    assert set(refs(hood)) == {"db.py", "cache.py", "learning:1", "learning:2"}
    (last,) = (one for one in hood.neighbors if one.ref == "learning:2")
    assert last.path == ("app.py", "db.py", "cache.py", "learning:1", "learning:2")
    assert all(0 < one.score <= 1 for one in hood.neighbors)
    assert hood.stats is not None
    assert (hood.stats.seeds, hood.stats.expanded, hood.stats.max_depth_reached) == (1, 4, 4)
    imports, anchors = (EdgeType.IMPORTS,), (EdgeType.ANCHORED_TO,)
    assert refs(around(coded, "app.py", depth=3, profile=profile, types_at={2: imports})) == ["db.py"]
    assert refs(around(coded, "cache.py", depth=1, profile=profile, types_at={1: anchors})) == ["learning:1"]
    with coded.open() as workspace:
        workspace.learnings.remove("1")
    assert refs(around(coded, "app.py", depth=5, profile=profile)) == ["db.py", "cache.py"]
    assert refs(around(coded, "2", depth=5, profile=profile)) == []
    assert refs(around(coded, "cache.py", depth=1)) == ["db.py"]


def test_spread_gives_the_best_neighbour_a_one_and_hops_scores_by_the_last_edge(coded: Project) -> None:
    assert around(coded, "app.py", depth=4, profile=Profile.SPREAD).neighbors[0].score == 1.0
    by_ref = {one.ref: one.score for one in around(coded, "app.py", depth=3, profile=Profile.HOPS).neighbors}
    assert by_ref["learning:1"] == pytest.approx(0.3 * 0.5)


def test_links_carry_their_relation_and_weight_the_heaviest_first_and_the_sizes_add_up(coded: Project) -> None:
    coded.add("Zebra", "*.py", links=[Link(target="1", weight=0.5)])
    hub = coded.add("Hub", links=[Link(target=target, weight=weight) for target, weight in (("1", 0.2), ("2", 0.9))])
    [zebra] = [one for one in around(coded, "1", depth=1).neighbors if one.ref == "learning:2"]
    [step] = zebra.steps
    assert (step.type, step.relation, step.weight, step.forward) == ("LINKS_TO", "references", 0.5, False)
    with coded.open() as workspace:
        assert [step.weight for step in workspace.graph.show(hub.ref).steps] == [0.9, 0.2]
        workspace.learnings.remove(hub.ref)
        stats = workspace.graph.stats()
    assert stats.learnings == {"active": 2, "removed": 1}
    assert (stats.files, stats.languages, stats.anchors) == (3, {"python": 3}, 2)
    assert stats.edges == {"ANCHORED_TO": 1, "CO_CHANGES_WITH": 1, "IMPORTS": 1, "LINKS_TO": 3}
    assert {name for name, run in stats.analyses.items() if run} == {"index", "cochanges"}


# --- sections -----------------------------------------------------------------------------------


def test_a_section_is_tied_to_what_it_stands_in_what_follows_and_what_it_speaks_of(written: Project) -> None:
    assert {(one.ref, one.kind, one.steps[0].relation) for one in around(written, TOKENS, depth=1).neighbors} == {
        ("docs/auth.md#authentication", NodeKind.SECTION, "part_of"),
        ("docs/auth.md#logins", NodeKind.SECTION, "sequence"),
        ("docs/keys.md#rotation", NodeKind.SECTION, "references"),
        ("src/jwt.py", NodeKind.FILE, "references"),
    }
    with written.open() as workspace:
        shown = workspace.graph.show("docs/keys.md")
        words = workspace.references.text("docs/keys.md"), workspace.references.text("docs/keys.md#rotation")
    assert {(step.target, step.relation, bool(step.forward)) for step in shown.steps} == {
        ("docs/keys.md#keys", "part_of", False),
        ("docs/auth.md#logins", "depends_on", False),
        ("entity:Keys", "references", True),
    }
    assert words == ("Keys", "Rotation")
    written.add("Tokens expire", TOKENS)
    assert "learning:1" in {one.ref for one in around(written, TOKENS, depth=1).neighbors}


@pytest.mark.parametrize("profile", Profile)
def test_walks_of_every_profile_pass_through_sections(written: Project, profile: Profile) -> None:
    written.add("Sealing takes a minute", "src/vault.py")
    hood = around(written, "src/jwt.py", depth=5, profile=profile)
    (learning,) = (one for one in hood.neighbors if one.kind is NodeKind.LEARNING)
    assert learning.path[1:] == (TOKENS, "docs/keys.md#rotation", "docs/keys.md#storage", "src/vault.py", "learning:1")


@pytest.mark.parametrize(
    ("source", "target", "sentence"),
    [
        (
            "src/jwt.py",
            "docs/keys.md#storage",
            (
                f"src/jwt.py is referenced by {TOKENS} (0.90), "
                'which references docs/keys.md#rotation ("how keys rotate"), which precedes docs/keys.md#storage.'
            ),
        ),
        (
            "docs/auth.md",
            "docs/keys.md",
            (
                "docs/auth.md contains docs/auth.md#authentication, which contains docs/auth.md#logins, "
                "which depends on docs/keys.md."
            ),
        ),
        ("docs/keys.md#storage", "docs/keys.md#rotation", "docs/keys.md#storage follows docs/keys.md#rotation."),
    ],
)
def test_a_path_through_sections_reads_as_a_sentence(written: Project, source: str, target: str, sentence: str) -> None:
    with written.open() as workspace:
        assert workspace.graph.path(source, target, max_hops=6).sentence == sentence


def test_who_related_two_sections_is_told_with_the_words_and_the_weight_from_both_ends(
    written: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    logins, storage = "docs/auth.md#logins", "docs/keys.md#storage"
    with written.open() as workspace:
        relating = workspace.kernel.one(Relating)
        relating.relate(logins, storage, relation=Relation.CAUSED_BY, weight=0.8, description="seals them")
        for own, other in ((logins, storage), (storage, logins)):
            shown = workspace.graph.show(own)
            told = {step.target: (step.origin, step.weight, step.why) for step in shown.steps}
            assert told[other] == ("manual", 0.8, "seals them")
            surroundings(shown, 10)
            assert '"seals them"  (by manual)' in capsys.readouterr().out
        assert told["docs/keys.md#rotation"][0] == ""  # where it stands nobody says
        path = workspace.graph.path(logins, storage)
    assert [step.origin for step in path.steps] == ["manual"]
    assert '(0.80: "seals them", by manual)' in path.sentence


@pytest.mark.parametrize("status", [Status.STAGED, Status.SUPERSEDED, Status.RETRACTED])
def test_what_is_withheld_is_not_reached_through_sections_either(written: Project, status: Status) -> None:
    written.add("Rotation is manual", "docs/auth.md", status=status)
    assert "learning:1" not in refs(around(written, TOKENS, depth=4))


def test_of_a_file_that_very_many_sections_mention_only_some_are_followed(written: Project) -> None:
    many = "".join(f"## Part {number}\n\nSee `src/vault.py`.\n\n" for number in range(HUB + 50))
    written.write("docs/many.md", f"# Many\n\n{many}")
    read(written)
    hood = around(written, "src/vault.py", depth=1, max_nodes=1_000, limit=1_000)
    assert hood.stats is not None
    assert (len(refs(hood)), hood.stats.fan_out_reached) == (HUB, 1)


def test_a_learning_is_found_through_sections_but_files_are_ranked_without_what_documents_say(
    written: Project,
) -> None:
    written.add("Decoding never raises", "src/jwt.py")
    written.add("Colours come from the theme", "docs/keys.md")
    written.add("Sealing takes a minute", "src/vault.py")
    query = Query(text="decoding", expansion=Limits(depth=5), profile=Profile.DECAY)
    found = {one.stored.learning.content: one for one in written.search("", query).results}
    sealing = found["Sealing takes a minute"]
    assert [step.relation for step in sealing.steps] == ["references", "references", "sequence", "references", "hash"]
    assert sealing.path[:3] == ("src/jwt.py", TOKENS, "docs/keys.md#rotation")
    assert "docs/keys.md" in found["Colours come from the theme"].path
    with written.open() as workspace:
        ranked = rank_files(workspace.kernel, "", open_files=["src/jwt.py"])
    reasons = [reason.text for one in ranked for reason in one.reasons]
    assert [text for text in reasons if "linked" in text or "docs/auth.md#" in text] == []


# --- entities -----------------------------------------------------------------------------------


def test_an_entity_goes_by_each_of_its_names_and_its_text_is_what_it_is_said_to_be(knowing: Project) -> None:
    with knowing.open() as workspace:
        workspace.kernel.one(Entities).alias("DuckDB", "the duck")
        found = {workspace.references.node(f"entity:{name}").ref for name in ("DuckDB", "duckdb", "The  Duck")}
        assert found == {"entity:DuckDB"}
        with pytest.raises(NotFound, match="nothing named 'entity:DuckBD'") as error:
            workspace.references.node("entity:DuckBD")
        assert error.value.candidates[0] == "entity:DuckDB"
        assert workspace.references.text("entity:DuckDB") == ""
        workspace.kernel.one(Entities).edit("DuckDB", description="Embedded OLAP")
        assert workspace.references.text("entity:DuckDB") == "DuckDB: Embedded OLAP"


@pytest.mark.parametrize("profile", Profile)
def test_facts_lead_from_entity_to_entity(knowing: Project, profile: Profile) -> None:
    hood = around(knowing, "entity:user", profile=profile)
    assert [(one.ref, one.kind) for one in hood.neighbors] == [
        ("entity:JACQ Project", NodeKind.ENTITY),
        ("entity:DuckDB", NodeKind.ENTITY),
    ]
    assert [step.why for step in hood.neighbors[1].steps] == ["works_on", "uses"]


def test_a_staged_fact_is_marked_on_the_way_and_one_that_does_not_hold_leads_nowhere(knowing: Project) -> None:
    with knowing.open() as workspace:
        says(workspace, "DuckDB", "written_in", to="Zig", status=FactStatus.STAGED)
        shown = workspace.graph.show("entity:Zig")
        assert [step.description for step in shown.steps] == ["written_in (staged)"]
        assert "written_in (staged)" in workspace.graph.path("entity:DuckDB", "entity:Zig").sentence
        workspace.kernel.one(Facts).retract("4")
        assert [step.target for step in workspace.graph.show("entity:DuckDB").steps] == ["entity:Zig"]


def test_two_learnings_reach_each_other_through_what_both_speak_of(knowing: Project) -> None:
    first, second = knowing.add("Spills go to disk"), knowing.add("Exports are slow")
    with knowing.open() as workspace:
        for stored in (first, second):
            mention(workspace, NodeKind.LEARNING, stored.learning.uid, "DuckDB")
        hood = workspace.graph.neighbors(first.ref, depth=2, direction=Direction.BOTH)
    assert {one.ref for one in hood.neighbors} >= {"entity:DuckDB", second.ref}
    assert [one.stored.ref for one in knowing.search("spills disk", expand=True).results] == [first.ref, second.ref]


def test_files_are_ranked_without_what_entities_say(knowing: Project) -> None:
    def ranked() -> list[tuple[str, float]]:
        with knowing.open() as workspace:
            found = rank_files(workspace.kernel, "store", open_files=["src/other.py"], method=Method.RANKING)
            return [(one.path, one.score) for one in found]

    before = ranked()
    with knowing.open() as workspace:
        mention(workspace, NodeKind.FILE, "src/store.py", "DuckDB")
        mention(workspace, NodeKind.FILE, "src/other.py", "DuckDB")
    assert ranked() == before
