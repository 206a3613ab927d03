"""The server answers its owner alone, whatever it is asked, and leaves nothing behind."""

from __future__ import annotations

import http.client
import os
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.isolation import run_without
from tests.view.conftest import Served

pexpect = pytest.importorskip("pexpect")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def test_nobody_is_answered_without_the_secret(served: Served) -> None:
    secret = served.secret
    near = (f"/{secret[:-1]}/", f"/{secret}x/", f"/{secret.upper()}/")
    for path in ("/", "//", "/data/about.json", "/favicon.ico", "/../", *near):
        for method in ("GET", "HEAD", "POST", "OPTIONS"):
            answered = served.ask(path, method=method)
            assert (answered.status, answered.body) == (404, b""), path
            assert "server" not in answered.headers


def test_no_other_site_and_no_other_name_of_this_machine_is_answered(served: Served) -> None:
    here = f"127.0.0.1:{served.port}"
    refused: list[dict[str, str]] = [
        {"Host": "evil.example"},
        {"Host": f"evil.example:{served.port}"},
        {"Host": "127.0.0.1"},
        {"Host": f"{here}.evil.example"},
        {"Host": f"{here}@evil.example"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": f"https://{here}"},
        {"Host": f"localhost:{served.port}", "Origin": f"http://{here}"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ]
    for headers in refused:
        for path in ("", "data/about.json", "page/index.html"):
            answered = served.get(path, **headers)
            assert (answered.status, answered.body) == (403, b""), headers
    for headers in (
        {"Host": f"localhost:{served.port}"},
        {"Origin": f"http://{here}", "Sec_Fetch_Site": "same-origin"},
    ):
        assert served.get("data/about.json", **headers).status == 200


def test_every_answer_tells_the_browser_what_it_may_do(served: Served) -> None:
    for path, status, kind in (
        ("", 200, "text/html; charset=utf-8"),
        ("page/index.html", 200, "text/html; charset=utf-8"),
        ("data/map.json", 200, "application/json"),
        ("data/nothing.json", 404, "application/json"),
        ("data/node.json?ref=nothing", 404, "application/json"),
        ("page/../server.py", 404, ""),
        ("page/%2e%2e/server.py", 404, ""),
        ("page//etc/passwd", 404, ""),
        ("nothing", 404, ""),
    ):
        answered = served.get(path)
        assert (answered.status, answered.headers.get("content-type", "")) == (status, kind), path
        assert answered.headers["content-security-policy"] == POLICY
        assert answered.headers["x-content-type-options"] == "nosniff"
        assert answered.headers["referrer-policy"] == "no-referrer"
        assert answered.headers["cache-control"] == "no-store"
        assert answered.headers["cross-origin-resource-policy"] == "same-origin"
    assert (served.get(method="POST").status, served.get(method="DELETE").status) == (405, 405)
    head = served.get("data/map.json", method="HEAD")
    assert (head.status, head.body) == (200, b"")


def test_what_is_asked_wrongly_is_explained(served: Served) -> None:
    for path, status, code, words in (
        ("node.json?ref=nothing.py", 404, "not_found", "nothing.py"),
        ("node.json", 400, "usage", "'ref' is missing"),
        ("neighbors.json?node=1&depth=x", 400, "usage", "'depth' cannot be 'x'"),
        ("neighbors.json?node=1&depth=99", 400, "usage", "from 0 to 10"),
        ("neighbors.json?node=1&types=NONE", 400, "usage", "no edge type"),
        ("neighbors.json?node=1&profile=", 400, "usage", "'profile' cannot be ''"),
        ("neighbors.json?node=1&hub=1", 400, "usage", "'hub'"),
        ("neighbors.json?node=%00", 400, "usage", "NUL"),
        ("neighbors.json?node=%ff%fe", 404, "not_found", ""),
        ("path.json?from=1", 400, "usage", "'to' is missing"),
        ("search.json?q=%20", 400, "usage", "empty"),
        (f"search.json?q=a&limit={'9' * 40}", 400, "usage", "from 1 to 10,000"),
        ("nothing.json", 404, "not_found", ""),
    ):
        answered = served.get(f"data/{path}")
        error = answered.document["error"]
        assert (answered.status, error["code"]) == (status, code), path
        assert words in error["message"]


METHODS = (b"PUT", b"TRACE", b"CONNECT", b"X" * 300, b"get")
ODD_NAMES = (
    b"%",
    b"%zz.json",
    b"%00.json",
    b"../../../../etc/passwd",
    b"..%2f..%2fetc",
    b"\xff\xfe.json",
    b"a" * 9_000,
)
ODD_QUESTIONS = (b"%e2%80%ae" * 2_000, b"a ", b"%22%22%22%20OR%20*", b"(" * 3_000, b"&" * 20_000)
ODD_WALKS = (b"a/" * 5_000, b"1&decay=inf", b"1&max_nodes=-1", b"1&depth=10&profile=spread")
ODD_NODES = (b"%ed%a0%80", b".." + b"/.." * 900, b"~root", b"::", b"#", b"commit:")
PATHS = (
    *ODD_NAMES,
    *(b"search.json?q=" + text for text in ODD_QUESTIONS),
    *(b"neighbors.json?node=" + text for text in ODD_WALKS),
    *(b"node.json?ref=" + text for text in ODD_NODES),
    b"map.json#x",
    b"path.json?from=1&to=1&decay=nan",
)
LINES = (
    b"",
    b"\0" * 500,
    b"GET",
    b"GET /",
    b"GET / HTTP/9.9",
    b"\x16\x03\x01\x02\x00",
    b"PRI * HTTP/2.0",
    b"GET * HTTP/1.1",
)


def test_wild_requests_end_nothing(served: Served) -> None:
    own = f"/{served.secret}/data/".encode()
    host = f"Host: 127.0.0.1:{served.port}\r\n".encode()
    start = b"GET " + own + b"about.json HTTP/1.1\r\n" + host
    wild = [
        *(method + start.removeprefix(b"GET") + b"\r\n" for method in METHODS),
        *(b"GET " + own + path + b" HTTP/1.1\r\n" + host + b"\r\n" for path in PATHS),
        *(line + b"\r\n\r\n" for line in LINES),
        start + b"Content-Length: 99999999999\r\n\r\n" + b"x" * 1_000,
        start + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        start + b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\n\r\n",
        start + b"X: y\r\n" * 20_000 + b"\r\n",
        start + host * 3 + b"\r\n",
    ]
    half_open = []
    for number, request in enumerate(wild * 3):
        connection = socket.create_connection(("127.0.0.1", served.port or 0), timeout=30)
        with suppress(OSError):  # it may hang up before all of it is said
            connection.sendall(request[: len(request) // 2] if number >= 2 * len(wild) else request)
        if number < len(wild):
            connection.shutdown(socket.SHUT_WR)
            with suppress(OSError):
                connection.recv(100)
        half_open.append(connection)
    assert len(half_open) > 100
    assert served.get("data/about.json").status == 200
    for connection in half_open:
        connection.close()
    assert served.get("data/graph.json").status == 200


def test_a_port_that_somebody_has_is_refused(served: Served) -> None:
    outcome = served.tx("view", "--port", str(served.port))
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith(f"tx: Port {served.port} cannot be had: ")
    assert served.tx("view", "nothing.py").status == 3


def test_when_it_ends_nothing_is_left(workspace: Path) -> None:
    before = {path.name for path in (workspace / ".tx").rglob("*")}
    other = Served(workspace)
    assert other.started.keys() == {"schema", "url", "port"}
    assert other.get("data/graph.json").status == 200
    children = Path(f"/proc/{other.process.pid}/task/{other.process.pid}/children")
    started = children.read_text().split() if children.exists() else []
    assert other.end() == 130
    assert not any(Path(f"/proc/{pid}").exists() for pid in started)
    assert {path.name for path in (workspace / ".tx").rglob("*")} == before
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", other.port or 0), timeout=30)


def test_a_browser_is_sent_there_once_and_control_c_ends_it(workspace: Path, tmp_path: Path) -> None:
    seen, browser = tmp_path / "seen", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {seen}\n', encoding="utf-8")
    browser.chmod(0o755)
    environment = {**os.environ, "BROWSER": f"{browser} %s", "TERM": "dumb"}
    child = pexpect.spawn(
        sys.executable,
        ["-m", "tx_graph", "view", "1"],
        cwd=str(workspace),
        env=environment,
        timeout=60,
        encoding="utf-8",
    )
    child.expect(r"(http://127\.0\.0\.1:(\d+)(/[\w-]+/)#/around/learning%3A1)\r\n")
    _, port, path = child.match.groups()
    child.expect(r"Ctrl-C ends it\.")
    while not seen.exists() or not seen.read_text(encoding="utf-8").endswith("\n"):
        time.sleep(0.01)
    invitation = seen.read_text(encoding="utf-8").strip()
    assert invitation.endswith("#/around/learning%3A1")
    assert path not in invitation
    once = urlsplit(invitation).path
    evil = http.client.HTTPConnection("127.0.0.1", int(port), timeout=30)
    for headers, status, place in (
        ({"Host": "evil.example"}, 404, None),
        ({}, 303, path),
        ({}, 404, None),
    ):
        evil.request("GET", once, headers=headers)
        response = evil.getresponse()
        assert (response.status, response.getheader("location"), response.read()) == (status, place, b"")
    evil.close()
    child.sendintr()
    child.expect("Interrupted")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130


def test_without_its_libraries_the_page_is_a_file(tmp_path: Path) -> None:
    code = """
import contextlib, io, json, os, sys
from tx_graph.faces.cli.main import run
os.chdir(sys.argv[2])
err = io.StringIO()
with contextlib.redirect_stderr(err), contextlib.redirect_stdout(io.StringIO()):
    statuses = [run(line.split()) for line in ("init", "view --out page.html", "view")]
print(json.dumps([statuses, err.getvalue().splitlines()[-2:]]))
"""
    expected = ["tx: The page needs the uvicorn library.", "Run: pip install 'tx-graph[view]'"]
    assert run_without(["starlette", "uvicorn"], code, str(tmp_path)) == [[0, 0, 7], expected]
