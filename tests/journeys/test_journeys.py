"""Ten first sessions, each in a repository and an environment of its own. Nothing is typed that no output had named."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import textwrap

import mcp_types as types
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters

from tests.journeys.traveller import Traveller

pytestmark = pytest.mark.slow

SHOP = {
    "shop/prices.py": 'from shop.money import Money\n\n\ndef with_tax(price):\n    """Add the tax."""\n'
    "    return Money(price * 119 // 100)\n",
    "shop/money.py": 'class Money:\n    """Cents, never floats."""\n\n    def __init__(self, cents):\n        pass\n',
    "README.md": "# Shop\n\nHow tax is rounded stands in `shop/prices.py`.\n",
}
MONOREPO = {
    "package.json": '{"private": true, "workspaces": ["packages/*"]}\n',
    "packages/auth/package.json": '{"name": "@acme/auth", "main": "src/token.ts"}\n',
    "packages/auth/src/token.ts": "export function verifyToken(token: string) {\n  return token.length > 0\n}\n",
    "packages/web/package.json": '{"name": "@acme/web", "dependencies": {"@acme/auth": "*"}}\n',
    "packages/web/src/page.tsx": 'import { verifyToken } from "@acme/auth"\n\nexport const Page = verifyToken("")\n',
    "packages/web/src/page.test.ts": 'import { Page } from "./page"\n\nPage()\n',
}
LESSON = "Round down, because the tax office accepts whole cents only"


def uid(said: str) -> str:
    """Return the lasting name of a learning that was just told of."""
    (found,) = re.findall(r"\b[0-9a-z]{12}\b", said)[:1]
    return str(found)


def learned(user: Traveller) -> str:
    """Begin in the shop, learn one thing there, and return its name."""
    user.type("tx")
    user.type("tx init")
    user.type("tx help add")
    return uid(user.type(f"tx add '{LESSON}' --anchor shop/prices.py::with_tax"))


def change_the_code(user: Traveller) -> None:
    """Change what the learning is about."""
    user.write({"shop/prices.py": SHOP["shop/prices.py"].replace("119 // 100", "1.19")})


def test_alone_in_python(user: Traveller) -> None:
    user.enter("shop", SHOP)
    why = "Keep cents in the database\n\nBecause Postgres rounds numeric differently, money.py must never see a float."
    user.commit({"shop/money.py": SHOP["shop/money.py"] + "\n\nZERO = Money(0)\n"}, why)
    name = learned(user)
    assert "`shop/prices.py:" in user.type("tx context 'change the tax rate'")
    found = user.type("tx search 'how is tax rounded'")
    assert LESSON in found
    assert "drifted" not in found
    change_the_code(user)
    assert "drifted:body" in user.type("tx search 'how is tax rounded'")
    assert "drifted:body" in user.type("tx verify", status=1)
    user.type(f"tx graph:confirm {name}")
    assert "1 anchor: 1 holds." in user.type("tx verify")
    assert "staged" in user.type("tx learning:propose")
    # A review needs a terminal; where there is none, it says what to do instead.
    user.type("tx learning:review", status=2)
    staged = uid(user.type("tx learning:list --status staged"))
    user.answer("tx learning:review", "y")
    assert "2 active" in user.type("tx status")
    user.type("tx learning")
    user.type(f"tx learning:show {staged}")


def test_a_monorepo_in_typescript(user: Traveller) -> None:
    user.enter("acme", MONOREPO)
    user.type("tx --help")
    assert "2 imports between them" in user.type("tx init")
    user.enter("packages/web")
    user.type("tx graph")
    user.type("tx help graph:imports")
    assert "packages/auth/src/token.ts" in user.type("tx graph:imports src/page.tsx")
    assert "packages/web/src/page.tsx" in user.type("tx graph:imports ../auth/src/token.ts --reverse")
    name = uid(user.type("tx learning:add 'An empty token is a guest, not an error'"))
    user.type("tx help link")
    assert "Globs start at the repository's root" in user.type(f"tx link {name} 'src/**/*.{{ts,tsx}}'", status=3)
    assert "2 files" in user.type(f"tx link {name} 'packages/web/**/*.{{ts,tsx}}'")
    user.type("tx help graph:symbols")
    assert "packages/auth/src/token.ts" in user.type("tx graph:symbols --find verifyToken")
    user.type(f"tx link {name} verifyToken")  # one symbol of the repository has that name
    user.type("tx help context")
    assert "An empty token" in user.type("tx context 'guests get an error page' --files src/page.tsx")
    assert "2 anchors: 2 hold." in user.type("tx verify")


def test_a_colleague_clones(user: Traveller) -> None:
    user.enter("shop", SHOP)
    name = learned(user)
    user.commit({}, "Say why we round down")
    user.here = user.here.parent
    user.git("clone", "--quiet", "shop", "clone")
    user.outputs = ["tx", "tx --help"]  # the colleague has seen nothing of that
    user.enter("clone")
    user.type("tx")
    assert "tx sync" in user.type("tx search 'how is tax rounded'")
    user.type("tx sync")
    assert LESSON in user.type("tx search 'how is tax rounded'")
    assert "1 active" in user.type("tx status")
    user.type("tx help setup")
    assert "--write" in user.type("tx setup git-hooks")
    user.type("tx setup git-hooks --write")
    change_the_code(user)
    assert name in user.type("tx verify", status=1)
    user.type("tx help learning:edit")
    assert "tx graph:confirm" in user.type(f"tx learning:edit {name} 'Do not round here: the invoice does'")
    user.type(f"tx graph:confirm {name}")
    assert "1 anchor: 1 holds." in user.type("tx verify")
    user.commit({}, "The invoice rounds")
    user.here = user.here.parent / "shop"
    user.git("pull", "--quiet", "../clone", "HEAD")
    assert "the invoice does" in user.type("tx search 'how is tax rounded'")


def test_the_gate_alone(user: Traveller) -> None:
    user.enter("shop", SHOP)
    name = learned(user)
    user.commit({}, "Say why we round down")
    user.git("checkout", "--quiet", "-b", "faster")
    change_the_code(user)
    user.commit({}, "Faster")
    user.here = user.here.parent
    user.git("clone", "--quiet", "--branch=faster", "--no-local", "shop", "runner")
    user.outputs = ["tx", "tx --help"]
    user.enter("runner")
    user.type("tx")
    user.type("tx help verify")
    assert name in user.type("tx verify", status=1)
    assert "::" in user.type("tx verify --since origin/main --format github", status=1)
    assert "<testsuite" in user.type("tx verify --format junit", status=1)
    user.type("tx verify --fail-on never")
    assert not user.git("status", "--porcelain")


def test_the_job_of_every_week(user: Traveller) -> None:
    user.enter("shop", SHOP)
    learned(user)
    user.commit({}, "Say why we round down")
    why = "Keep cents in the database\n\nBecause Postgres rounds numeric differently, money.py must never see a float."
    user.commit({"shop/money.py": SHOP["shop/money.py"] + "\n\nZERO = Money(0)\n"}, why)
    user.type("tx help maintain")
    said = user.type("tx maintain")
    assert "1 anchor: 1 holds." in said
    assert "1 learning could be proposed" in said
    user.type("tx learning:propose")
    user.type("tx learning:promote", status=2)
    staged = uid(user.type("tx learning:list --status staged"))
    user.type("tx help learning:promote")
    user.type(f"tx learning:promote {staged} --force")
    change_the_code(user)
    assert "drifted:body" in user.type("tx maintain")


def test_an_agent_over_mcp_from_connecting_to_feedback(user: Traveller) -> None:
    user.enter("shop", SHOP)
    name = learned(user)
    user.type("tx help setup")
    user.type("tx mcp", status=7)
    user.install("mcp")
    user.type("tx setup claude-code --write")
    command = json.loads((user.here / ".mcp.json").read_text())["mcpServers"]["tx"]
    user.commit({}, "Say why we round down")
    change_the_code(user)
    server = StdioServerParameters(
        command=shutil.which(command["command"], path=user.environment["PATH"]) or "",
        args=command["args"],
        cwd=user.here,
        env=user.environment,
    )

    async def converse() -> None:
        async with Client(server) as client:
            offered = {tool.name: tool for tool in (await client.list_tools()).tools}
            seen = [str(client.instructions)]

            async def call(tool: str, **arguments: str | bool | list[str]) -> str:
                schema = offered[tool].input_schema["properties"]
                assert arguments.keys() <= schema.keys(), f"{tool} takes {', '.join(schema)}"
                for one in arguments.values():  # references are those that a reply gave
                    if isinstance(one, str) and re.fullmatch(r"[0-9a-z]{12}|\w+:\d+", one):
                        assert any(one in text for text in seen), one
                result = await client.call_tool(tool, arguments)
                (content,) = result.content
                assert isinstance(content, types.TextContent)
                assert not result.is_error, content.text
                seen.append(content.text)
                return content.text

            found = await call("tx_learning_search", query="how is tax rounded")
            assert name in found
            assert "drifted" in found
            assert name in await call("tx_review")
            told = "Round on the invoice, for prices may have fractions"
            await call("tx_learning_edit", learning=name, content=told, confirm=True)
            added = await call("tx_learning_add", content="Money takes cents", anchors=["shop/money.py::Money"])
            assert told in await call("tx_context", text="change how tax is rounded", files=["shop/prices.py"])
            assert "Money takes cents" in await call("tx_focus", ref="shop/money.py")
            await call("tx_run_feedback", helpful=[name], unhelpful=[uid(added)])
            assert "drifted" not in await call("tx_review")
            assert "with_tax" in await call("tx_graph_symbols", name="with_tax")

    asyncio.run(converse())
    user.type("tx learning")
    shown = user.type(f"tx learning:show {name}")
    assert "Round on the invoice" in shown
    assert "1 anchor" not in user.type("tx learning:recent")
    assert "2 anchors: 2 hold." in user.type("tx verify")


def test_python_in_a_notebook(user: Traveller) -> None:
    user.enter("shop", SHOP)
    cells = [
        "import tx_graph\nhelp(tx_graph)",
        "from tx_graph import init_workspace\nworkspace = init_workspace()\nhelp(workspace)",
        "help(workspace.learnings.add)\nhelp(workspace.search)",
        f"added = workspace.learnings.add({LESSON!r}, anchors=['shop/prices.py::with_tax'])\nprint(added)",
        "answer = workspace.search('how is tax rounded', limit=3)\nprint(len(list(answer)))\nanswer",
        f"assert answer.results[0].stored.learning.content == {LESSON!r}\nhelp(answer)",
        "print(workspace.context('change the tax rate').text)",
        "page = workspace.context('change the tax rate')\nhelp(page)\npage",
        "print(page.to_dict())",
        "help(workspace.graph.neighbors)\naround = workspace.graph.neighbors('shop/prices.py')\nhelp(around)\naround",
        "try:\n    around.to_networkx()\nexcept Exception as error:\n    print(error.message, error.hint)",
        "workspace.close()",
    ]
    # Each cell uses only names that Python has, that an earlier one printed, or that it makes itself.
    notebook = textwrap.dedent("""
        import ast, builtins, contextlib, io, json, keyword, re, sys
        names, seen = {"__name__": "__main__"}, "import tx_graph"
        for cell in json.loads(sys.argv[1]):
            tree = ast.parse(cell)
            used = {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
            used |= {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
            used |= {n.arg for n in ast.walk(tree) if isinstance(n, ast.keyword)}
            own = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
            unnamed = used - own - names.keys() - set(dir(builtins)) - set(re.findall(r"\\w+", seen))
            assert not unnamed - {"help"}, f"{cell}: nothing named {unnamed}"
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                *first, last = tree.body
                exec(compile(ast.Module(first, []), "cell", "exec"), names)
                if isinstance(last, ast.Expr):
                    shown = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
                    if shown is not None:  # as a notebook shows the last value of a cell
                        told = getattr(shown, "_repr_markdown_", str)()
                        print(told or repr(shown))
                else:
                    exec(compile(ast.Module([last], []), "cell", "exec"), names)
            seen += printed.getvalue()
        print(seen)
    """)
    seen = user.python("-W", "error", "-c", notebook, json.dumps(cells))
    assert seen.count(LESSON) >= 3
    assert "# Before you start" in seen
    user.outputs.append(seen)
    user.install("notebook")
    asked = "from tx_graph import open_workspace\nwith open_workspace() as workspace:\n"
    asked += "    around = workspace.graph.neighbors('shop/prices.py')\n"
    seen = user.python("-c", f"{asked}    print(around.to_networkx().edges, list(around.to_pandas()['ref']))")
    assert "('shop/prices.py', 'shop/money.py', ('IMPORTS', 'static'))" in seen
    assert "'shop/money.py'" in seen.rpartition("[")[2]
    user.type("tx")
    assert "1 anchor: 1 holds." in user.type("tx verify")


def test_without_git(user: Traveller) -> None:
    user.enter("notes")
    user.write(SHOP)
    user.type("tx")
    assert "not a git repository" in user.type("tx init")
    user.type("tx help add")
    name = uid(user.type(f"tx add '{LESSON}' --anchor shop/prices.py::with_tax"))
    assert LESSON in user.type("tx search 'how is tax rounded'")
    change_the_code(user)
    assert name in user.type("tx verify", status=1)
    user.type(f"tx graph:confirm {name}")
    user.type("tx graph")
    assert "Without git" in user.type("tx graph:cochanges shop/prices.py")
    assert "git init" in user.type("tx doctor")
    user.type("tx sync")
    user.type("tx maintain")
    user.type("tx help init")
    user.type("tx init --stealth", status=2)


def test_without_a_model(user: Traveller) -> None:
    user.enter("shop", SHOP)
    user.type("tx")
    assert user.type("tx init").count("words alone") == 1
    user.type("tx model install", status=7)
    user.install("search")
    said = user.type("tx model install", status=7)
    assert "could not be downloaded" in said
    user.type("tx help add")
    user.type(f"tx add '{LESSON}' --anchor shop/prices.py::with_tax")
    found = user.type("tx search 'how is tax rounded'")
    assert LESSON in found
    assert found.count("words alone") == 1
    assert "tx model install" in user.type("tx status")
    user.type("tx help config")
    user.type("tx config")
    user.type("tx config set embedder none")
    assert "alone" not in user.type("tx search 'how is tax rounded'")


def test_a_repository_that_is_not_yours(user: Traveller) -> None:
    user.enter("shop", SHOP)
    user.type("tx")
    user.type("tx help init")
    user.type("tx init --stealth")
    user.type("tx help add")
    user.type(f"tx add '{LESSON}' --anchor shop/prices.py::with_tax")
    assert not user.git("status", "--porcelain")
    assert LESSON in user.type("tx search 'how is tax rounded'")
    shutil.rmtree(user.here / ".tx/local")
    for path in (user.here / ".tx").glob("graph.db*"):
        path.unlink()
    user.lose_the_right_to_write()
    found = user.type("tx search 'how is tax rounded'")
    assert LESSON in found
    assert "shop/money.py" not in found
    user.set("TX_DB", str(user.here.parent / "elsewhere.db"))
    user.type("tx sync")
    assert "shop/money.py" in user.type("tx search 'how is tax rounded'")
    assert "1 anchor: 1 holds." in user.type("tx verify")
    assert "cannot be written" in user.type("tx add 'Nobody else may see this'", status=5)
