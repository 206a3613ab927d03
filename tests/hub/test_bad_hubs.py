"""Hubs that cannot be used: one sentence, a hint, and a status."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from scripts.opened import Workspace
from tests.git_sandbox import GitSandbox
from tests.hub.publishers import NAME, everything, named, published
from tx_graph import open_hub
from tx_graph.core.errors import TxError, UsageError
from tx_graph.hub import store
from tx_graph.hub.making import init
from tx_graph.hub.repositories import repositories
from tx_graph.hub.store import VARIABLE, Hub, HubError

_SERVER = Path("/usr/lib/postgresql/15/bin")


def _refused(workspace: Workspace, monkeypatch: pytest.MonkeyPatch, url: str) -> TxError:
    monkeypatch.setenv(VARIABLE, url)
    with pytest.raises(TxError) as raised:
        repositories(workspace.kernel)
    return raised.value


@pytest.mark.parametrize(
    ("url", "status", "says"),
    [
        ("postgresql://[", UsageError.status, "means nothing to PostgreSQL"),
        ("host=/nowhere dbname=hub", HubError.status, "cannot be reached"),
        ("postgresql://user:secret@127.0.0.1:1/hub", HubError.status, "cannot be reached"),
        ("service=nowhere", HubError.status, "cannot be reached"),
        ("postgresql://hub?nonsense=1", UsageError.status, "means nothing to PostgreSQL"),
    ],
)
def test_wrong_addresses(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, url: str, status: int, says: str
) -> None:
    found = _refused(workspace, monkeypatch, url)
    assert found.status == status
    assert says in found.message
    assert found.hint
    assert "secret" not in found.message + found.hint


def test_no_hub_is_named(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    with pytest.raises(UsageError, match="No hub is named"):
        repositories(workspace.kernel)


def test_a_database_that_is_not_there(workspace: Workspace, server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = _refused(workspace, monkeypatch, psycopg.conninfo.make_conninfo(server, dbname="nowhere"))
    assert "There is no such database" in found.message


def test_a_wrong_password(workspace: Workspace, server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CREATE ROLE locked LOGIN PASSWORD 'right-one'")
        (file,) = connection.execute("SHOW hba_file").fetchone() or ("",)
        rules = Path(file).read_text(encoding="utf-8")
        Path(file).write_text(f"local all locked scram-sha-256\n{rules}", encoding="utf-8")
        connection.execute("SELECT pg_reload_conf()")
        try:
            for password in ("wrong-one", None):
                url = psycopg.conninfo.make_conninfo(server, user="locked", password=password)
                found = _refused(workspace, monkeypatch, url)
                assert found.message.endswith("refuses this user or password.")
                assert ".pgpass" in found.hint
                assert "wrong-one" not in str(found) + found.hint
            url = psycopg.conninfo.make_conninfo(server, user="locked", password="right-one")
            assert "There is no hub" in _refused(workspace, monkeypatch, url).message
        finally:
            Path(file).write_text(rules, encoding="utf-8")
            connection.execute("SELECT pg_reload_conf()")
            connection.execute("DROP ROLE locked")


def test_a_server_that_is_too_old(workspace: Workspace, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "OLDEST", 99)
    with pytest.raises(HubError, match="is PostgreSQL 18; it has to be 99 or newer"):
        repositories(workspace.kernel)


@pytest.mark.parametrize(("version", "says"), [(99, "made by a newer tx"), (-1, "of an older tx")])
def test_another_schema(
    project: GitSandbox, workspace: Workspace, hub: Hub, hub_url: str, version: int, says: str
) -> None:
    named(project)
    hub.write("UPDATE tx.hub SET version = %s", (version,))
    with pytest.raises(HubError, match=says) as raised:
        published(workspace)
    assert "nothing was touched" in raised.value.hint
    assert not any(everything(hub_url).values())


def test_a_connection_that_is_lost(project: GitSandbox, workspace: Workspace, hub: Hub, hub_url: str) -> None:
    named(project)
    hub.write(
        """
        CREATE FUNCTION public.lose() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$
        """
    )
    hub.write("CREATE TRIGGER lose BEFORE UPDATE ON tx.repositories FOR EACH ROW EXECUTE FUNCTION public.lose()")
    with pytest.raises(HubError, match="cannot be reached: terminating connection"):
        published(workspace)
    assert not any(everything(hub_url).values())
    hub.write("DROP TRIGGER lose ON tx.repositories")
    assert published(workspace).added == {"file": 1}


@pytest.fixture
def plain_server() -> Iterator[str]:
    """Yield the address of a PostgreSQL of this machine that has no pgvector, if there is one."""
    if not (_SERVER / "initdb").exists():
        pytest.skip(f"there is no PostgreSQL 15 at {_SERVER}: apt install postgresql-15")
    user = "postgres" if os.geteuid() == 0 else None  # a server refuses to run as root

    def run(program: str, *arguments: str) -> None:
        subprocess.run([_SERVER / program, "-D", data, *arguments], check=True, capture_output=True, user=user)

    with tempfile.TemporaryDirectory(prefix="tx-hub-", ignore_cleanup_errors=True) as directory:
        data = f"{directory}/data"
        if user:
            shutil.chown(directory, user)
        run("initdb", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--no-sync")
        run("pg_ctl", "-w", "-o", f"-h '' -k {directory} -F", "-l", f"{directory}/log", "start")
        yield psycopg.conninfo.make_conninfo(host=directory, user="postgres", dbname="postgres")
        run("pg_ctl", "-w", "-m", "immediate", "stop")


def test_a_server_without_vectors(
    project: GitSandbox, workspace: Workspace, plain_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.learnings.add("Tokens live for an hour.", anchors=["src/auth.py"])
    project.commit()
    named(project)
    monkeypatch.setenv(VARIABLE, plain_server)
    with psycopg.connect(plain_server) as connection:
        if connection.execute("SELECT FROM pg_available_extensions WHERE name = 'vector'").fetchone():
            pytest.skip("this machine's PostgreSQL has pgvector")
    assert not init(workspace.kernel).has_vectors
    done = published(workspace)
    assert done.added == {"file": 1, "learning": 1}
    assert "finds by words alone" in done.notices[0]
    opened = open_hub(plain_server)
    assert [one.text for one in opened.search("how long do tokens live")] == ["Tokens live for an hour."]
    assert [one.kind for one in opened.neighbors(f"{NAME}:src/auth.py")] == ["learning"]
    assert not published(workspace).is_changed
    assert not init(workspace.kernel).is_changed
