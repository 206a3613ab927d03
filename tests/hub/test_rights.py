"""Who may see and publish what: nothing else is seen in any command, table, count or error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import count

import psycopg
import pytest
from psycopg import sql

from scripts.opened import Workspace
from tests.git_sandbox import GitSandbox
from tests.hub.publishers import NAME, everything, named, published
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.graph.edges import Direction, EdgeType
from tx_graph.hub.dependents import dependents
from tx_graph.hub.identity import repository_id
from tx_graph.hub.making import init
from tx_graph.hub.repositories import forget, repositories, status
from tx_graph.hub.rights import Right, grant, revoke, rights
from tx_graph.hub.store import VARIABLE, Hub, HubError, read_address
from tx_graph.hub.walk_store import WalkStore

_VAULT = "example.org/secret/vault"
_numbers = count(1)
_As = Callable[[str], None]


@pytest.fixture
def roles(server: str) -> Iterator[tuple[str, str]]:
    """Return two new roles that may log in: of a reader and of a publisher."""
    names = [f"{kind}_{next(_numbers)}" for kind in ("reader", "ci")]
    with psycopg.connect(server, autocommit=True) as connection:
        for name in names:
            connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(name)))
    yield names[0], names[1]
    with psycopg.connect(server, autocommit=True) as connection:
        databases = [row[0] for row in connection.execute("SELECT datname FROM pg_database WHERE datname LIKE 'hub%'")]
    for database in databases:
        with psycopg.connect(psycopg.conninfo.make_conninfo(server, dbname=database), autocommit=True) as connection:
            for name in names:
                connection.execute(sql.SQL("DROP OWNED BY {}").format(sql.Identifier(name)))
    with psycopg.connect(server, autocommit=True) as connection:
        for name in names:
            connection.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(name)))


@pytest.fixture
def acting(hub_url: str, monkeypatch: pytest.MonkeyPatch) -> _As:
    """Let commands be given by this role from here on."""
    return lambda role: monkeypatch.setenv(VARIABLE, psycopg.conninfo.make_conninfo(hub_url, user=role))


@pytest.fixture
def shared(project: GitSandbox, workspace: Workspace, hub: Hub, roles: tuple[str, str]) -> Workspace:
    """A hub with a repository that both roles may see, and one that neither may."""
    (project.root / "docs.md").write_text("# Guide\n\n## Tokens\n\nThey live, see `src/auth.py`.\n", encoding="utf-8")
    workspace.learnings.add("Tokens live for an hour.")
    project.commit()
    named(project, f"https://{_VAULT}.git")
    published(workspace)
    project.git("remote", "set-url", "origin", f"https://{NAME}")
    published(workspace)
    grant(workspace.kernel, roles[0], repositories="github.com/ACME/*", read=True)
    grant(workspace.kernel, roles[1], repositories=NAME, publish=True)
    return workspace


def test_who_was_granted_nothing_is_told_so(
    workspace: Workspace, hub: Hub, roles: tuple[str, str], acting: _As, project: GitSandbox
) -> None:
    named(project)
    acting(roles[0])
    for ask in (repositories, status, rights, partial(dependents, target="pypi:shop-kit")):
        with pytest.raises(HubError, match="gives you no right"):
            ask(workspace.kernel)
    with pytest.raises(HubError, match="gives you no right"):
        published(workspace)


def test_commands_show_what_was_granted(
    shared: Workspace, roles: tuple[str, str], acting: _As, project: GitSandbox
) -> None:
    kernel = shared.kernel
    for role in roles:
        acting(role)
        assert [one.name for one in repositories(kernel)] == [NAME]
        assert status(kernel).repositories == 1
        assert {one.role for one in rights(kernel).rights} == {role}
        for name in (_VAULT, "example.org/secret/nothing"):
            with pytest.raises(NotFound, match="shows you no repository") as raised:
                forget(kernel, name, yes=True, agree=bool)
            assert raised.value.candidates == ()
        with pytest.raises(HubError, match="gives you no right"):
            grant(kernel, role, repositories="*", read=True)
    acting(roles[0])
    with pytest.raises(HubError, match="gives you no right"):
        forget(kernel, NAME, yes=True, agree=bool)
    project.commit("src/new.py")
    with pytest.raises(HubError, match="gives you no right"):
        published(shared)
    acting(roles[1])
    assert published(shared).added == {"file": 1}
    project.git("remote", "set-url", "origin", f"https://{_VAULT}")
    with pytest.raises(HubError, match="gives you no right"):
        published(shared)
    acting("postgres")
    assert [one.name for one in repositories(kernel)] == [_VAULT, NAME]
    assert len(rights(kernel).rights) == 2


def test_tables_show_what_was_granted(shared: Workspace, hub: Hub, hub_url: str, roles: tuple[str, str]) -> None:
    vault = str(repository_id(_VAULT))
    whole = everything(hub_url)
    for role in roles:
        found = everything(psycopg.conninfo.make_conninfo(hub_url, user=role))
        for table, rows in whole.items():
            assert found[table] == [row for row in rows if row[0] != vault], table
    parts = [name for (name,) in hub.rows("SELECT relname FROM pg_class WHERE relnamespace = 'tx_parts'::regnamespace")]
    for role in roles:
        with psycopg.connect(hub_url, user=role, autocommit=True) as connection:
            for part in parts:
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    connection.execute(sql.SQL("SELECT count(*) FROM tx_parts.{}").format(sql.Identifier(part)))
            shown = "SELECT count(*) FROM pg_stats WHERE schemaname IN ('tx', 'tx_parts') AND tablename NOT IN ('hub')"
            assert connection.execute(shown).fetchone() == (0,)


def test_walks_go_where_rights_allow_it(shared: Workspace, hub: Hub, hub_url: str, roles: tuple[str, str]) -> None:
    every = [node for (node,) in hub.rows("SELECT node FROM tx.nodes")]
    needed = f"ARRAY[({repository_id(_VAULT)}, 1, 1, 'pypi', 'module', '', 'static', NULL)]::tx.need[]"
    for user, seen in [("postgres", {_VAULT, NAME}), *((role, {NAME}) for role in roles)]:
        with Hub(read_address(psycopg.conninfo.make_conninfo(hub_url, user=user))) as opened:
            walk = WalkStore(opened)
            walk.leaving(every, types=tuple(EdgeType), direction=Direction.BOTH)
            assert set(walk.homes.values()) == {repository_id(name) for name in seen}
            told = opened.rows(f"SELECT repository FROM tx.answered({needed})")
            assert told == [(repository_id(name),) for name in seen & {_VAULT}]


def test_words_are_found_where_rights_allow_it(
    shared: Workspace, hub: Hub, hub_url: str, roles: tuple[str, str]
) -> None:
    words = "ARRAY['tokens'], phraseto_tsquery('tx.words', 'tokens')"
    asked = f"SELECT repository FROM tx.worded_learnings({words}, NULL, 10, 10)"
    seen, vault = repository_id(NAME), repository_id(_VAULT)
    assert {number for (number,) in hub.rows(asked)} == {seen, vault}
    told = "SELECT kind, repository FROM tx.told(%s, %s, %s, array_fill(0, ARRAY[100]), 100)"
    rows = hub.rows("SELECT kind, repository, node FROM tx.nodes WHERE kind IN ('learning', 'section')")
    every = [*map(list, zip(*rows, strict=True))]
    assert {number for _, number in hub.rows(told, every)} == {seen, vault}
    for role in roles:
        with psycopg.connect(hub_url, user=role) as connection:
            assert connection.execute(asked).fetchall() == [(seen,)]
            assert connection.execute("SELECT tx.readable()").fetchone() == ([seen],)
            assert set(connection.execute(told, every).fetchall()) == {(kind, seen) for kind in ("learning", "section")}
        with psycopg.connect(hub_url) as connection:
            connection.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(role)))
            assert connection.execute(asked).fetchall() == [(seen,)]


def test_rows_of_others_cannot_be_written(shared: Workspace, hub: Hub, hub_url: str, roles: tuple[str, str]) -> None:
    """What is refused is refused alike, whether there is such a repository or not."""
    whole = everything(hub_url)
    vault, nothing = repository_id(_VAULT), repository_id("example.org/secret/nothing")
    attempts = [
        "INSERT INTO tx.nodes (repository, node, owner, kind, key) VALUES (%(id)s, 1, 1, 'file', 'x')",
        "INSERT INTO tx.files (repository, node, path, size) VALUES (%(id)s, 1, 'x', 1)",
        "INSERT INTO tx.repositories (id, name) VALUES (%(id)s, %(name)s)",
        "INSERT INTO tx.repositories (id, name) VALUES (%(id)s, %(name)s) ON CONFLICT DO NOTHING",
        f"INSERT INTO tx.repositories (id, name) VALUES (0, '{NAME}') ON CONFLICT (name) DO UPDATE SET id = %(id)s",
        f"UPDATE tx.repositories SET id = %(id)s WHERE name = '{NAME}'",
        f"UPDATE tx.repositories SET name = %(name)s, id = %(id)s WHERE name = '{NAME}'",
        "UPDATE tx.nodes SET repository = %(id)s",
        "UPDATE tx.files SET path = 'mine' WHERE repository = %(id)s RETURNING path",
        "DELETE FROM tx.nodes WHERE repository = %(id)s RETURNING key",
        "DELETE FROM tx.repositories WHERE id = %(id)s RETURNING name",
        "SELECT name FROM tx.repositories WHERE id = %(id)s FOR UPDATE",
        "SELECT count(*) FROM tx.edges WHERE repository = %(id)s",
        "INSERT INTO tx.grants (role, pattern, glob, may_publish) VALUES (current_user::regrole, '%%', '*', true)",
        "UPDATE tx.grants SET pattern = '%%'",
        "UPDATE tx.hub SET version = 9",
        "TRUNCATE tx.nodes",
        "ALTER TABLE tx.nodes DISABLE ROW LEVEL SECURITY",
        "SELECT set_config('row_security', 'off', false), (SELECT count(*) FROM tx.nodes)",
    ]
    for role in roles:
        for attempt in attempts:
            answers = []
            for name, number in ((_VAULT, vault), ("example.org/secret/nothing", nothing)):
                with psycopg.connect(hub_url, user=role) as connection:
                    try:
                        asked = connection.execute(attempt, {"id": number, "name": name})
                        answers.append(str(asked.fetchall()) if asked.description else f"{asked.rowcount} rows")
                    except psycopg.Error as error:
                        detail = str(error).replace(str(number), "ID").replace(name, "NAME")
                        answers.append(f"{error.sqlstate} {detail}")
                    connection.rollback()
            assert answers[0] == answers[1], attempt
            assert "vault" not in answers[0], attempt
    with suppress(psycopg.Error), psycopg.connect(hub_url, user=roles[1]) as connection:
        connection.execute("DELETE FROM tx.nodes WHERE key = 'src/auth.py'")
        connection.rollback()
    assert everything(hub_url) == whole


def test_rights_are_revoked_with_their_privileges(
    shared: Workspace, hub: Hub, roles: tuple[str, str], acting: _As
) -> None:
    kernel, ci = shared.kernel, roles[1]
    assert not grant(kernel, ci, repositories=NAME, publish=True).is_changed
    grant(kernel, ci, repositories="example.org/open/*", read=True)
    with pytest.raises(NotFound, match="no such right") as raised:
        revoke(kernel, ci, repositories="github.com/acme/shp")
    assert NAME in raised.value.candidates
    revoke(kernel, ci, repositories=NAME, publish=True)
    acting(ci)
    assert repositories(kernel) == ()
    with pytest.raises(HubError, match="gives you no right"):
        published(shared)
    acting("postgres")
    assert revoke(kernel, ci, repositories="example.org/open/*").rights == (
        Right(role=ci, repositories="example.org/open/*", publish=False),
    )
    acting(ci)
    with pytest.raises(HubError, match="gives you no right"):
        repositories(kernel)


def test_members_of_a_role_may_do_what_it_may(shared: Workspace, hub: Hub, roles: tuple[str, str], acting: _As) -> None:
    reader, ci = roles
    revoke(shared.kernel, reader, repositories="github.com/acme/*")
    hub.write(f"GRANT {ci} TO {reader}")
    acting(reader)
    assert [one.name for one in repositories(shared.kernel)] == [NAME]
    assert [one.role for one in rights(shared.kernel).rights] == [ci]


def test_what_is_granted_has_to_make_sense(workspace: Workspace, hub: Hub, roles: tuple[str, str]) -> None:
    with pytest.raises(NotFound, match="no role 'raeder'"):
        grant(workspace.kernel, "raeder", repositories="*", read=True)
    for read in (True, False):
        with pytest.raises(UsageError, match="what the role may do"):
            grant(workspace.kernel, roles[0], repositories="*", read=read, publish=read)


def test_tables_that_come_later_are_granted_too(
    workspace: Workspace, hub: Hub, hub_url: str, roles: tuple[str, str], acting: _As
) -> None:
    hub.write("DROP TABLE tx.vectors")
    hub.write("UPDATE tx.hub SET has_vectors = false")
    grant(workspace.kernel, roles[0], repositories="*", read=True)
    assert init(workspace.kernel).has_vectors
    with psycopg.connect(hub_url, user=roles[0]) as connection:
        assert connection.execute("SELECT count(*) FROM tx.vectors").fetchone() == (0,)
