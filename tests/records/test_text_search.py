"""Any question is safe, and finds what people mean by it."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fakes import learning
from tx_graph.code.file_store import FileRow, FileStore
from tx_graph.core.database import Database
from tx_graph.graph.word_store import TextSearch
from tx_graph.records.anchor import Anchor, AnchorType
from tx_graph.records.learning import Learning, Status
from tx_graph.records.learning_store import LearningStore

TEMPLATES = "Prefer C++ templates over macros"
HYPHEN = "Call foo-bar before baz"
AUTH = "Sessions end in src/auth.ts"
TOKEN = "Call validateToken first"
SPACED = "We validate token signatures twice"
CONSTANT = "Use constant-time comparison"
ROCKET = "Deploys 🚀 happen on Monday"
CHINESE = "数据库连接必须关闭"
SHORT = "auth needs a salt"
LONG_WORD = "x" * 200
CAFE = "The café is naïve"
RETRIES = "Retry MAX_RETRIES times"
MIGRATIONS = "Migrations run once"


@pytest.fixture
def texts(database: Database) -> dict[int, str]:
    contents = [
        TEMPLATES,
        HYPHEN,
        AUTH,
        TOKEN,
        SPACED,
        CONSTANT,
        ROCKET,
        CHINESE,
        SHORT,
        LONG_WORD,
        CAFE,
        RETRIES,
        MIGRATIONS,
    ]
    return save(database, *(learning(content) for content in contents))


def save(database: Database, *learnings: Learning) -> dict[int, str]:
    with database.transaction():
        return {LearningStore(database).save(one, record="r.md", now=""): one.content for one in learnings}


def found(database: Database, texts: dict[int, str], query: str) -> list[str]:
    hits = TextSearch(database).learnings(query, allowed=None, limit=50)
    scores = [score for _, score, _ in hits]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    return [texts[number] for number, *_ in hits]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("C++", TEMPLATES),
        ("foo-bar", HYPHEN),
        ("src/auth.ts", AUTH),
        ("auth.ts", AUTH),
        ("validateToken", TOKEN),
        ("VALIDATETOKEN", TOKEN),
        ("constant-time", CONSTANT),
        ("constant time comparisons", CONSTANT),
        ("🚀", ROCKET),
        ("数据库", CHINESE),
        ("连接", CHINESE),
        ("deploying", ROCKET),
        ("AND OR NOT comparison", CONSTANT),
        ("content:comparison*", CONSTANT),
        ("{comparison} ^ + -", CONSTANT),
        ("comparison\0 '; DROP TABLE learnings; --", CONSTANT),
        ("cafe naive", CAFE),
        ("max retries", RETRIES),
        ("migration running", MIGRATIONS),
    ],
)
def test_a_query_finds_first_what_it_means(database: Database, texts: dict[int, str], query: str, first: str) -> None:
    assert found(database, texts, query)[:1] == [first]


def test_an_identifier_and_its_words_find_each_other(database: Database, texts: dict[int, str]) -> None:
    assert {TOKEN, SPACED} <= set(found(database, texts, "validateToken"))
    assert {TOKEN, SPACED} <= set(found(database, texts, "validate_token"))
    assert {TOKEN, SPACED} <= set(found(database, texts, "validate token"))


@pytest.mark.parametrize("query", ["", " ", '"', '""', "*", "NEAR(", "(", "^", "-", ":", "\0", "\ud800", "'", "\\"])
def test_a_query_without_words_finds_nothing(database: Database, texts: dict[int, str], query: str) -> None:
    assert found(database, texts, query) == []
    assert TextSearch(database).files(query, limit=5) == []


def test_an_unknown_word_falls_back_to_known_ones_that_begin_like_it(database: Database, texts: dict[int, str]) -> None:
    assert set(found(database, texts, "authentication")) == {AUTH, SHORT}
    assert found(database, texts, "temp") == [TEMPLATES]
    assert found(database, texts, "zebra") == []


def test_a_known_word_does_not_fall_back(database: Database) -> None:
    texts = save(database, learning("authentication is slow"), learning("auth is quick"))
    assert found(database, texts, "authentication") == ["authentication is slow"]


def test_a_word_of_every_learning_changes_nothing_beside_a_telling_one(database: Database) -> None:
    texts = save(database, *(learning(f"module {number} waits", number=number) for number in range(40)))
    assert found(database, texts, "module 7") == ["module 7 waits"]
    assert len(found(database, texts, "module waits")) == len(texts), "there is nothing more telling"
    assert len(found(database, texts, "module unheard")) == len(texts)


def test_a_word_of_every_learning_counts_where_none_with_a_telling_one_is_allowed(database: Database) -> None:
    texts = save(database, *(learning(f"module {number} waits", number=number) for number in range(40)))
    seventh = next(number for number, text in texts.items() if text == "module 7 waits")
    hits = TextSearch(database).learnings("module 7", allowed=texts.keys() - {seventh}, limit=5)
    assert len(hits) == 5


def test_labels_and_anchored_places_are_found_too(database: Database) -> None:
    anchors = (
        Anchor(path="src/jwtMiddleware.ts", type=AnchorType.HASH),
        Anchor(path="lib/**/*.go", type=AnchorType.GLOB),
    )
    texts = save(database, learning("Rotate keys", category="security", keywords=("C#",), anchors=anchors))
    for query in ("security", "c#", "middleware", "jwtMiddleware.ts", "lib"):
        assert found(database, texts, query) == ["Rotate keys"], query


def test_withheld_learnings_are_found_only_when_allowed(database: Database) -> None:
    texts = save(
        database,
        learning("rotate one", status=Status.SUPERSEDED),
        learning("rotate two", status=Status.RETRACTED),
        learning("rotate three", removed_at="2026-12-01T00:00:00Z"),
        learning("rotate four"),
        learning("rotate five", status=Status.STAGED),
    )
    assert found(database, texts, "rotate") == ["rotate four"]
    assert [n for n, *_ in TextSearch(database).learnings("rotate", allowed={1, 3}, limit=5)] == [1, 3]
    assert TextSearch(database).learnings("rotate", allowed=set(), limit=5) == []


def test_an_edited_learning_is_found_by_its_new_words_only(database: Database) -> None:
    save(database, learning("alpha", number=1))
    texts = save(database, learning("omega", number=1))
    assert found(database, texts, "alpha") == []
    assert found(database, texts, "omega") == ["omega"]


def test_files_are_found_by_the_words_of_their_paths(database: Database) -> None:
    with database.transaction():
        paths = ("src/services/authService.ts", "README.md", "tests/test_login.py")
        nodes = FileStore(database).save(FileRow(path=path, language=None, size=1, mtime_ns=1) for path in paths)
    search = TextSearch(database)
    assert [node for node, _ in search.files("auth service", limit=5)] == [nodes[paths[0]]]
    assert [node for node, _ in search.files("login", limit=5)] == [nodes[paths[2]]]
    assert search.files("tests/test_login.py", limit=5)[0][0] == nodes[paths[2]]


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None, max_examples=150
)
@given(text=st.text(min_size=1).filter(lambda text: "\0" not in text), query=st.text())
def test_no_text_breaks_the_index_or_the_query(database: Database, text: str, query: str) -> None:
    search = TextSearch(database)
    with database.transaction():
        search.index(1, text, labels=(), places=())
    search.learnings(query, allowed={1}, limit=5)
    search.learnings(text, allowed={1}, limit=5)
    search.files(query, limit=5)
