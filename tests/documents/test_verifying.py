"""What prose claims, checked against real repositories with a history."""

from __future__ import annotations

import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.conftest import MakeRepository
from tests.fakes import FixedClock
from tests.git_sandbox import DAY, GitSandbox
from tx_graph import open_workspace
from tx_graph.documents.claims.reading import Prose, is_checked
from tx_graph.documents.claims.verifying import ClaimVerdict, ProseReport

MOVED, GONE = ClaimVerdict.MOVED, ClaimVerdict.GONE
CODE = """def get_token(name):
    '''Return the token of a user.'''
    found = lookup(name)
    return sign(found, name)
"""
GUIDE = """# Guide

Tokens are made in `src/tokens.py` by `get_token()`, see [how](how.md#signing) and src/old/keys.py.
Run `npm run check`, or:

```bash
npm run check
python scripts/tidy.py --dry-run
touch src/new.py
```
"""


@pytest.fixture
def written(repository: MakeRepository) -> GitSandbox:
    """A guide beside the code that it speaks of."""
    return repository(
        files={
            "src/tokens.py": CODE,
            "src/old/keys.py": "KEYS = ['a', 'b', 'c']\n",
            "scripts/tidy.py": "import argparse\nargparse.ArgumentParser().add_argument('--dry-run')\n",
            "package.json": '{"scripts": {"check": "eslint src"}}\n',
            "docs/how.md": "# How\n\n## Signing\n\nWith a key that nobody else has, as all of them do.\n",
            "docs/guide.md": GUIDE,
        }
    )


def replaced(sandbox: GitSandbox, path: str, text: str) -> None:
    (sandbox.root / path).write_text(text, encoding="utf-8")


def verified(
    sandbox: GitSandbox, *places: str, fix: bool = False, since: str | None = None, doubtful: bool = False
) -> ProseReport:
    (sandbox.root / ".tx").mkdir(exist_ok=True)
    with open_workspace(sandbox.root) as workspace:
        return workspace.documents.verify(*places, fix=fix, since=since, doubtful=doubtful)


def told(
    sandbox: GitSandbox, *places: str, fix: bool = False, since: str | None = None
) -> dict[str, tuple[str, str | None]]:
    return _told(verified(sandbox, *places, fix=fix, since=since))


def hinted(sandbox: GitSandbox) -> dict[str, tuple[str, str | None, str | None]]:
    """What is told, with where it may be."""
    return {one.written: (one.verdict, one.moved_to, one.perhaps) for one in verified(sandbox).findings}


def _told(report: ProseReport) -> dict[str, tuple[str, str | None]]:
    return {one.written: (one.verdict, one.moved_to) for one in report.findings}


def test_what_is_there_holds_and_what_moved_or_went_is_told_with_where_and_by_what(written: GitSandbox) -> None:
    assert told(written) == {}
    written.git("mv", "src/tokens.py", "src/auth.py")
    written.git("rm", "-q", "src/old/keys.py", "scripts/tidy.py")
    replaced(
        written, "docs/how.md", "# How\n\n## Signing keys\n\nWith a key that nobody else has, as all of them do.\n"
    )
    replaced(written, "package.json", '{"scripts": {"lint": "eslint src"}}\n')
    written.commit(message="Tidy up")
    assert told(written) == {
        "src/tokens.py": (MOVED, "src/auth.py"),
        "src/old/keys.py": (GONE, None),
        "how.md#signing": (MOVED, "docs/how.md#signing-keys"),
        "scripts/tidy.py": (GONE, None),
    }


def test_a_function_that_was_renamed_is_followed_in_documents_and_in_learnings(written: GitSandbox) -> None:
    (written.root / ".tx").mkdir()
    with open_workspace(written.root, clock=FixedClock(datetime(2024, 1, 1, tzinfo=UTC))) as workspace:
        workspace.learnings.add("Call `get_token()` once a day")
        replaced(written, "src/tokens.py", CODE.replace("get_token", "make_token"))
        written.commit(message="Tokens are made")
        assert _told(workspace.documents.verify()) == {"get_token": (MOVED, "make_token")}
        report = workspace.documents.verify(fix=True)
        assert [one.mended for one in report.findings] == [True, True]
        assert "`make_token()`" in (written.root / "docs/guide.md").read_text()
        assert [one.learning.content for one in workspace.learnings.list()] == ["Call `make_token()` once a day"]
        assert _told(workspace.documents.verify()) == {}


def test_mending_keeps_line_ends_and_everything_else(written: GitSandbox) -> None:
    path = written.root / "docs" / "guide.md"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    written.commit()
    before = path.read_bytes()
    written.git("mv", "src/tokens.py", "src/auth.py")
    written.commit()
    told(written, fix=True)
    assert path.read_bytes() == before.replace(b"src/tokens.py", b"src/auth.py")


def test_since_tells_only_what_went_or_was_written_since(written: GitSandbox) -> None:
    written.git("mv", "src/tokens.py", "src/auth.py")
    before = written.commit(message="Move")
    assert told(written, since=before) == {}
    written.git("rm", "-q", "src/old/keys.py")
    written.commit(message="Remove")
    assert told(written, since=before) == {"src/old/keys.py": (GONE, None)}
    assert "src/tokens.py" in told(written, since=f"{before}^")


SILENT = """
The file `src/gone.py` was removed in 2.0.
Formerly this stood in `src/gone.py`, which
is long.
Create a file called `src/gone.py` in your project.
Others have a `src/gone.py` script for it.
All you need is to configure a filter in the ``src/gone.py`` file.
The list (`src/gone.py`) is generated from `src/here.py`.
See `src/gone.py` in the buildroot source tree.
Edit `src/gone.py` and add your own.
<!-- An old link: [it](../src/gone.py) --> Nobody reads comments.

<!--
Written from [it](../src/gone.py).
-->

+++ src/gone.py 2008-02-13

<!-- BEGIN: files -->
<!-- Generated text, do not edit -->
[All](../src/gone.py)
<!-- END: files -->

[unused]: ../src/gone.py
Never here: `src/never.py`, `path/to/gone.py`, `<dir>/gone.py`, https://example.org/src/gone.py.

| Old | New |
|---|---|
| `src/gone.py` | `src/here.py` |

## Migrating from 1.x

Replace `src/gone.py`.

```bash
touch src/gone.py
cd elsewhere && git clone src/gone.py
```

```text
src/gone.py
```
"""


def test_the_past_the_imagined_and_what_never_was_are_left_alone(repository: MakeRepository) -> None:
    files = {"src/gone.py": "A = 1\n", "src/here.py": "", "docs/a.md": SILENT, "CHANGELOG.md": "[a](src/gone.py)\n"}
    sandbox = repository(files={**files, "docs/b.md": "Not before `src/late.py` came.\n", ".gitignore": "made.py\n"})
    sandbox.git("rm", "-q", "src/gone.py")
    sandbox.commit()
    assert told(sandbox) == {}


def test_what_was_gone_already_when_a_document_began_to_name_it_is_no_claim(repository: MakeRepository) -> None:
    sandbox = repository(files={"src/index.js": "a\n", "src/other.js": "b\n"})
    sandbox.git("rm", "-q", "src/index.js")
    sandbox.commit()
    for _ in range(15):  # days, in which a text may follow the code that it speaks of
        sandbox.commit()
    sandbox.write("docs/tutorial.md", text="Open `src/index.js`, see [it](../src/index.js).\n")
    sandbox.commit()
    assert told(sandbox) == {}


def test_a_renamed_name_is_told_wherever_it_stands_and_a_removed_one_is_doubtful(repository: MakeRepository) -> None:
    body = "    older = [one for one in TOKENS if one.age > age]\n    return drop(older)\n"
    code = f"MAX_AGE = 3\n\ndef revoke_all(age):\n{body}"
    shown = "```python\nfrom tokens import revoke_all\nrevoke_all(MAX_AGE)\n```\n"
    sandbox = repository(
        files={
            "tokens.py": f"{code}\n\ndef forget_all():\n    return 1\n",
            "docs/use.md": f"# Use\n\nCall revoke_all, never `forget_all()`:\n\n{shown}",
            "docs/js.md": "# In JavaScript\n\n```js\nrevoke_all()\n```\n",
            "docs/other.md": "# Others\n\n```python\nfrom elsewhere import revoke_all\n```\n",
            "docs/abroad.md": "# Abroad\n\n[revoke_all()](https://example.org/api)\n",
            "docs/own.md": "# Own\n\n```python\ndef revoke_all(): ...\n```\n",
            "docs/like.md": "# Style\n\nWrite it so:\n\n```python\nrevoke_all(THEM)\n```\n",
            "docs/both.md": "# Names\n\nWith `revokeAll()`, unlike\n`revoke_all()`, all is said.\n",
        }
    )
    replaced(sandbox, "tokens.py", code.replace("revoke_all", "revokeAll"))
    sandbox.commit()
    sandbox.write("docs/late.md", text="There is `revoke_all()`.\n")
    sandbox.commit()
    report = verified(sandbox, doubtful=True)
    assert [(one.document, one.line, one.moved_to) for one in report.findings] == [
        ("docs/use.md", line, "revokeAll") for line in (3, 6, 7)
    ]
    assert [(one.document, one.written) for one in report.doubtful] == [
        ("docs/both.md", "revoke_all"),
        ("docs/late.md", "revoke_all"),
        ("docs/like.md", "revoke_all"),
        ("docs/use.md", "forget_all"),
    ]


def test_what_a_package_of_this_repository_exports_is_its_own(repository: MakeRepository) -> None:
    shown = "Call `readRules` so:\n\n```js\nimport {{ readRules }} from '{}'\n```\n"
    code = "export function readRules(name) {\n  const found = lookup(name)\n  return sign(found)\n}\n"
    files = {"lib/package.json": '{"name": "@ada/rules"}\n', "lib/rules.js": code}
    for package, expected in (("@ada/rules", {"readRules": (MOVED, "loadRules")}), ("@bob/rules", {})):
        sandbox = repository(f"of-{package[1:4]}", files={"README.md": shown.format(package), **files})
        replaced(sandbox, "lib/rules.js", code.replace("readRules", "loadRules"))
        sandbox.commit()
        assert told(sandbox) == expected


def test_a_listing_that_says_which_file_it_would_be_claims_nothing(repository: MakeRepository) -> None:
    shown = "```python\n# content of {}/helpers.py\nx = 1\n# see {}/helpers.py\n```\n"
    sandbox = repository(
        files={
            "tests/helpers.py": "x = 1\n",
            "lib/helpers.py": "y = 1\n",
            "docs/use.md": f"# Use\n\n{shown.format('tests', 'lib')}",
        }
    )
    sandbox.git("rm", "-q", "-r", "tests", "lib")
    sandbox.commit()
    assert list(told(sandbox)) == ["lib/helpers.py"]


def test_a_file_beside_its_document_needs_no_directory_and_in_the_root_it_is_anybodys(
    repository: MakeRepository,
) -> None:
    shown = "# Tools\n\nIn `made.cfg`, not in `never.cfg`, stands what this reads:\n\n```bash\npython tidy.py\n```\n"
    sandbox = repository(
        files={
            "tools/README.md": shown,
            "tools/tidy.py": "a = 1\n",
            "tools/made.cfg": "b = 1\n",
            "README.md": "Put it into `setup.cfg`.\n",
            "setup.cfg": "c = 1\n",
        }
    )
    sandbox.git("rm", "-q", "tools/tidy.py", "tools/made.cfg", "setup.cfg")
    sandbox.commit()
    assert told(sandbox) == {"tidy.py": (GONE, None), "made.cfg": (GONE, None)}


def test_where_one_page_took_the_text_and_another_one_the_name_nothing_is_certain(
    repository: MakeRepository,
) -> None:
    text = "".join(f"Line {number} of how to build it.\n" for number in range(20))
    sandbox = repository(files={"HACKING.md": text, "docs/a.md": "See [how](../HACKING.md).\n"})
    sandbox.git("mv", "HACKING.md", "docs/building.md")
    sandbox.write("docs/HACKING.md", text="Quite another text that says how people work together.\n")
    sandbox.commit()
    assert told(sandbox) == {"../HACKING.md": (GONE, None)}


def test_what_something_else_may_stand_for_is_doubtful(repository: MakeRepository) -> None:
    told_of = "See [all](../overview.md), [made](made/api.md), `ada/tool` and [it](tool.md), [all](all.txt).\n"
    sandbox = repository(
        files={
            "geps/overview.md": "# Overview\n\nAll of them.\n",
            "geps/one/index.md": told_of,
            "geps/one/made/api.md": "# API\n",
            "geps/one/all.txt": "a\nb\n",
            "geps/one/Makefile": "all.txt: force\n\tlist > all.txt\n",
            "geps/one/tool.md": "# Tool\n\n"
            + "".join(f"It does {word}.\n" for word in ("this", "that", "more", "all")),
            "ada/tool/main.py": "A = 1\n",
            "make.py": "OUT = 'made/api.md'\n",
        }
    )
    sandbox.write("site/geps/overview.md", text="# Overview\n\nAll of them.\n")
    sandbox.git("rm", "-q", "-r", "ada", "geps/overview.md", "geps/one/made", "geps/one/all.txt")
    sandbox.git("mv", "geps/one/tool.md", "geps/one/other.md")
    path = sandbox.root / "geps/one/other.md"
    path.write_text(path.read_text().replace("all", "less"))
    sandbox.commit()
    assert told(sandbox) == {"tool.md": (GONE, None)}


def test_a_site_leads_on_from_what_a_page_says_that_it_was_called(repository: MakeRepository) -> None:
    links = "See [sizes](../intro/sizes/), [limits](../intro/limits/) and [the file](../intro/sizes.md).\n"
    sandbox = repository(
        files={"docs/run/page.md": links, "docs/intro/sizes.md": "# Sizes\n\nMany.\n", "docs/intro/limits.md": "# L\n"}
    )
    sandbox.git("rm", "-q", "-r", "docs/intro")
    sandbox.write(
        "docs/setup/sizes.md", text="---\naliases:\n  - ../intro/sizes/ # as it was\n---\n\n# Sizes\n\nMany.\n"
    )
    sandbox.commit()
    assert told(sandbox) == {"../intro/limits/": (GONE, None), "../intro/sizes.md": (MOVED, "docs/setup/sizes.md")}


def test_a_copied_text_is_not_told_to_mean_what_went_with_the_original(repository: MakeRepository) -> None:
    link = "See [what changed](https://github.com/ada/tool/blob/main/packs/pack/LOG.md).\n"
    sandbox = repository(
        files={"packs/pack/LOG.md": "# Log of a pack\n", "packs/pack/README.md": link, "packs/five/README.md": link}
    )
    sandbox.git("remote", "add", "origin", "https://github.com/ada/tool.git")
    sandbox.git("mv", "packs/pack", "packs/four")
    sandbox.write("packs/five/LOG.md", text="# Another log\n")
    sandbox.commit()
    found = {one.document: (one.verdict, one.moved_to) for one in verified(sandbox).findings}
    assert found == {"packs/four/README.md": (MOVED, "packs/four/LOG.md"), "packs/five/README.md": (GONE, None)}


def test_what_has_the_name_of_many_files_is_not_told_to_be_one_of_them(repository: MakeRepository) -> None:
    sandbox = repository(
        files={
            "tools/stats.go": "package tools\n\nvar A = 1\n",
            "cmd/stats.go": "b\n",
            "docs/a.md": "`tools/stats.go`\n",
        }
    )
    sandbox.git("rm", "-q", "tools/stats.go")
    sandbox.write("sections/stats.go", text="package sections\n\nfunc read() string { return name }\n")
    sandbox.commit()
    assert told(sandbox) == {"tools/stats.go": (GONE, None)}


def test_what_a_guide_says_of_dotted_directories_is_the_readers(repository: MakeRepository) -> None:
    said = "Hooks are in `.husky/commit-msg`.\n"
    sandbox = repository(files={".husky/commit-msg": "a\n", "docs/guide.md": said, "CONTRIBUTING.md": said})
    sandbox.git("rm", "-q", ".husky/commit-msg")
    sandbox.commit()
    assert [one.document for one in verified(sandbox).findings] == ["CONTRIBUTING.md"]


def test_what_went_into_a_directory_below_is_told_unless_a_site_may_have_its_root_there(
    repository: MakeRepository,
) -> None:
    text = "Caches are in cache/store.c, see [how](guide/how.md):\n\n```sh\nless -N cache/store.c\n```\n"
    sandbox = repository(files={"cache/store.c": "int a;\n", "doc/guide/how.md": "# How\n\nSo.\n", "doc/use.md": text})
    (sandbox.root / "src").mkdir()
    sandbox.git("mv", "cache", "src/cache")
    (sandbox.root / "doc/site").mkdir()
    sandbox.git("mv", "doc/guide", "doc/site/guide")
    sandbox.commit()
    report = verified(sandbox, doubtful=True)
    assert [(one.line, one.moved_to) for one in report.findings] == [(1, "src/cache/store.c"), (4, "src/cache/store.c")]
    assert [(one.written, one.moved_to) for one in report.doubtful] == [("guide/how.md", "doc/site/guide/how.md")]


def test_what_a_project_within_the_repository_has_is_meant_from_its_own_root(repository: MakeRepository) -> None:
    sandbox = repository(files={"core/store.c": "int a;\n", "README.md": "# A\n"})
    (sandbox.root / "weaver").mkdir()
    sandbox.write("protos/README.md", text="Update `core/store.c`.\n")
    sandbox.commit()
    sandbox.git("mv", "core", "protos", "weaver")
    sandbox.commit()
    assert told(sandbox) == {}


def test_a_link_that_leads_to_what_is_made_is_there(repository: MakeRepository) -> None:
    sandbox = repository(files={"docs/api.html": "<p>\n", "docs/README.md": "See [it](./api.html).\n"})
    (sandbox.root / "docs/api.html").unlink()
    (sandbox.root / "docs/api.html").symlink_to("../build/index.html")
    sandbox.commit()
    assert told(sandbox) == {}


def test_what_a_text_once_says_to_be_the_readers_it_means_all_along(repository: MakeRepository) -> None:
    text = "1. Create a file, such as `plug.ts`, in your project.\n2. Load `plug.ts`.\n"
    sandbox = repository(files={"samples/plug.ts": "let a = 1\n", "samples/README.md": text})
    sandbox.git("rm", "-q", "samples/plug.ts")
    sandbox.commit()
    assert told(sandbox) == {}


def test_a_directory_whose_files_went_apart_did_not_move_to_one_of_them(repository: MakeRepository) -> None:
    many = "".join(f"line {number}\n" for number in range(9))
    sandbox = repository(files={"lib/README.md": "See [examples](./examples).\n", "lib/examples/sync.rs": many})
    (sandbox.root / "examples/sync/src").mkdir(parents=True)
    sandbox.git("mv", "lib/examples/sync.rs", "examples/sync/src/sync-pass.rs")
    (sandbox.root / "lib/examples").rmdir()
    sandbox.commit()
    assert told(sandbox) == {"./examples": (GONE, None)}


def test_what_may_well_be_anothers_is_doubtful_where_it_was_here(repository: MakeRepository) -> None:
    lines = (
        "See https://github.com/ada/oldname/blob/main/src/a.py.",
        "All is in `setup.py`.",
        "The hook is `.hooks/check.sh`.",
        "```sh\ngit clone https://github.com/bob/other\ncd other\n./src/a.py\n```",
    )
    sandbox = repository(
        files={
            "docs/use.md": "\n\n".join(lines) + "\n",
            "docs/setup.md": "See [it](use.md).\n",
            "docs/tutorial.md": "Write `src/a.py`.\n",
            "docs/more.md": 'It is:\n\n--8<-- "src/a.py"\n\n```py file=../src/a.py\n```\n',
            "src/a.py": "A = 1\n",
            "docs/setup.py": "B = 1\n",
            ".hooks/check.sh": "true\n",
        }
    )
    sandbox.git("remote", "add", "origin", "https://github.com/ada/tool.git")
    sandbox.git("rm", "-q", "-r", "src", "docs/setup.py", ".hooks", "docs/setup.md")
    sandbox.write("docs/setup.en.md", text="See [it](use.md).\n")
    sandbox.commit()
    report = verified(sandbox, doubtful=True)
    assert [(one.document, one.line) for one in report.findings] == [("docs/more.md", 5)]
    doubtful = [(one.document, one.line) for one in report.doubtful]
    assert doubtful == [("docs/more.md", 3), ("docs/tutorial.md", 1), *(("docs/use.md", line) for line in (1, 3, 5))]


def test_a_target_that_nothing_links_to_shows_nobody_anything(repository: MakeRepository) -> None:
    own = "https://github.com/ada/tool/blob/main/docs/use.rst"
    text = f"See the `API pages`_ and usage_.\n\n.. _API pages: api.rst\n.. _usage: use.rst\n.. _other: {own}\n"
    sandbox = repository(files={"docs/a.rst": text, "docs/api.rst": "A\n=\n", "docs/use.rst": "B\n=\n"})
    sandbox.git("remote", "add", "origin", "https://github.com/ada/tool.git")
    sandbox.git("rm", "-q", "docs/api.rst", "docs/use.rst")
    sandbox.commit()
    assert told(sandbox) == {"api.rst": (GONE, None), "use.rst": (GONE, None)}


def test_a_link_is_not_told_to_mean_a_file_that_has_not_what_it_is_shown_as_any_more(
    repository: MakeRepository,
) -> None:
    code = "".join(f"def {name}(text):\n    return text.{name}()\n\n\n" for name in ("strip", "lower", "to_ascii"))
    text = "See [`to_ascii`](lib/text.py), [`strip()`](lib/text.py).\n[`lower`](lib/text.py)\n"
    sandbox = repository(files={"lib/text.py": code, "README.md": text})
    sandbox.git("mv", "lib/text.py", "text.py")
    replaced(sandbox, "text.py", code.replace("to_ascii", "encode"))
    sandbox.commit()
    found = verified(sandbox).findings
    assert [(one.line, one.moved_to, one.perhaps) for one in found] == [(1, None, "text.py"), (2, "text.py", None)]


def test_a_text_is_not_told_to_mean_a_file_that_has_not_what_it_says_of_that_any_more(
    repository: MakeRepository,
) -> None:
    text = "Call `to_ascii` of `lib/text.py`.\n\nSee `strip` in `lib/text.py`.\n"
    code = "def to_ascii(text):\n    return text.encode()\n\n\ndef strip(text):\n    return text.strip()\n"
    sandbox = repository(files={"lib/text.py": code, "docs/a.md": text})
    replaced(sandbox, "lib/text.py", code.partition("\n\n\n")[2])
    sandbox.commit()
    (sandbox.root / "core").mkdir()
    sandbox.git("mv", "lib/text.py", "core/text.py")
    sandbox.commit()
    report = verified(sandbox)
    found = [one for one in report.findings if one.target == "lib/text.py"]
    assert [(one.line, one.moved_to, one.perhaps) for one in found] == [
        (1, None, "core/text.py"),
        (3, "core/text.py", None),
    ]


def test_a_directory_of_another_name_is_a_hint_and_the_commit_that_took_the_last_of_it_is_told(
    repository: MakeRepository,
) -> None:
    sandbox = repository(
        files={"rum/a.py": CODE, "rum/b.py": f"{CODE}\n# b\n", "rum/c.py": "C = 1\n", "a.md": "[it](./rum)\n"}
    )
    (sandbox.root / "browser").mkdir()
    sandbox.git("mv", "rum/a.py", "rum/b.py", "browser")
    sandbox.commit(message="Most")
    sandbox.git("rm", "-q", "rum/c.py")
    sandbox.commit(message="Rest")
    (found,) = verified(sandbox).findings
    assert found.removal
    assert (found.verdict, found.perhaps, found.removal.subject) == (GONE, "browser", "Rest")


def test_a_site_leads_on_from_what_its_configuration_has_and_serves_pages_whose_files_say_what_they_make(
    repository: MakeRepository,
) -> None:
    pages = [f"site/manual/{name}.html.md" for name in ("moved", "made", "gone")]
    text = "".join(f"- [it]({name}.html)\n" for name in ("moved", "made", "gone"))
    sandbox = repository(files={"site/manual/a.html.md": text, **{page: f"# {page}\n" for page in pages}})
    sandbox.git("rm", "-q", *pages)
    sandbox.write("site/manual/made.html.md.erb", text="# Made\n")
    sandbox.write("redirects.yml", text="/manual/moved.html: /manual/a.html\n")
    sandbox.commit()
    assert told(sandbox) == {"gone.html": (GONE, None)}


def test_a_page_in_the_root_is_asked_for_in_no_configuration(repository: MakeRepository) -> None:
    sandbox = repository(files={"gone.md": "# Gone\n", "README.md": "# A\n\nSee [it](./gone).\n", "a.yml": "a: 1\n"})
    sandbox.git("rm", "-q", "gone.md")
    sandbox.commit()
    assert told(sandbox) == {"./gone": (GONE, None)}


def test_what_a_program_prints_below_a_prompt_is_no_claim(repository: MakeRepository) -> None:
    text = (
        "```sh\nada@home:~/tool$ python src/a.py \\\n    src/b.py\nsrc/c.py 100%\n```\n\n```sh\npython src/d.py\n```\n"
    )
    files = {f"src/{name}.py": f"{name} = 1\n" for name in "abcd"}
    sandbox = repository(files={**files, "README.md": f"# A\n\n{text}"})
    sandbox.git("rm", "-q", *files)
    sandbox.commit()
    assert sorted(told(sandbox)) == ["src/a.py", "src/b.py", "src/d.py"]


def test_where_several_files_took_a_name_the_nearest_is_no_other(repository: MakeRepository) -> None:
    licence = "".join(f"{number}. You may use this.\n" for number in range(20))
    link = "https://github.com/ada/tool/blob/main/LICENSE"
    sandbox = repository(files={"LICENSE": licence, "README.md": f"See [LICENSE]({link}).\n"})
    sandbox.git("remote", "add", "origin", "https://github.com/ada/tool.git")
    (sandbox.root / "tools").mkdir()
    sandbox.git("mv", "LICENSE", "tools/LICENSE")
    sandbox.write("LICENSE.txt", text="All rights are reserved, but for those that are not.\n")
    sandbox.commit()
    (found,) = verified(sandbox).findings
    assert (found.verdict, found.perhaps) == (GONE, "tools/LICENSE")


def test_a_directory_whose_last_files_were_deleted_did_not_move(repository: MakeRepository) -> None:
    files = {"ci/build/a.py": CODE, "ci/build/b.py": f"{CODE}\n# b\n", "ci/build/c.py": "C = 1\n"}
    sandbox = repository(files={**files, "README.md": "See [it](./ci/build).\n"})
    (sandbox.root / "infra/build").mkdir(parents=True)
    sandbox.git("mv", "ci/build/a.py", "ci/build/b.py", "infra/build")
    sandbox.commit()
    sandbox.git("rm", "-q", "ci/build/c.py")
    sandbox.commit()
    assert told(sandbox) == {"./ci/build": (GONE, None)}


def test_the_commit_that_took_a_section_is_told_though_one_beside_it_still_had_that(repository: MakeRepository) -> None:
    sandbox = repository(
        files={"HACKING.md": "# Hacking\n\n## Build\n\nMake it.\n\n## Test\n\nRun it.\n\n[Build](#build)\n"}
    )
    main = sandbox.git("branch", "--show-current").strip()
    sandbox.git("switch", "-q", "-c", "beside")
    sandbox.git("switch", "-q", main)
    replaced(sandbox, "HACKING.md", "# Hacking\n\n## Test\n\nRun it.\n\n[Build](#build)\n")
    sandbox.commit(message="Take the section")
    sandbox.git("switch", "-q", "beside")
    sandbox.write("HACKING.md", text="\nMore.\n")
    sandbox.commit(message="Say more")
    sandbox.git("switch", "-q", main)
    sandbox.git("merge", "-q", "--no-edit", "beside")
    (found,) = verified(sandbox).findings
    assert found.removal
    assert found.removal.subject == "Take the section"


def test_in_a_translation_headings_are_others(repository: MakeRepository) -> None:
    text = "See [how](#how-to-start).\n\n## How to start\n\nCall `make` and wait.\n"
    sandbox = repository(files={"docs/de/README.md": text, "docs/README.md": text})
    for path in ("docs/de/README.md", "docs/README.md"):
        replaced(sandbox, path, text.replace("## How to start", "## Erste Schritte"))
    sandbox.commit()
    assert [one.document for one in verified(sandbox).findings] == ["docs/README.md"]


def test_a_section_may_end_in_a_number_of_its_own(repository: MakeRepository) -> None:
    text = "# Hacking\n\n[Rule](#rule-848), [more](#rule-849-1), [old](#rule-850)\n"
    rules = "".join(f"\n## Rule {number}\n\nText {number}.\n" for number in (848, 849, 849))
    sandbox = repository(files={"HACKING.md": f"{text}{rules}\n## Rule 850\n\nOld.\n"})
    replaced(sandbox, "HACKING.md", f"{text}{rules}")
    sandbox.commit()
    assert told(sandbox) == {"#rule-850": (GONE, None)}


def test_what_was_renamed_as_it_is_moved_unless_there_are_several_such_files(repository: MakeRepository) -> None:
    sandbox = repository(
        files={
            "src/keys.py": CODE,
            "api/manage.yaml": "a: 1\nb: 2\nc: 3\n",
            "docs/a.md": "`src/keys.py`, `api/manage.yaml`\n",
        }
    )
    sandbox.git("mv", "src/keys.py", "src/auth.py")
    sandbox.git("mv", "api/manage.yaml", "api/version_1.yaml")
    sandbox.write("api/version_2.yaml", text="a: 1\nb: 2\nd: 4\n")
    sandbox.commit()
    assert told(sandbox) == {"src/keys.py": (MOVED, "src/auth.py"), "api/manage.yaml": (GONE, None)}


def test_what_a_text_says_a_thing_is_not_is_no_claim_nor_is_a_dotted_file_beside_it(repository: MakeRepository) -> None:
    text = "It is `src/a.py`, not `src/b.py`. Add to `.eslintrc.json` what is in `rules.json`.\n"
    files = {"src/a.py": "A = 1\n", "src/b.py": "B = 1\n", "lib/.eslintrc.json": "{}\n", "lib/rules.json": "[]\n"}
    sandbox = repository(files={**files, "lib/README.md": text})
    sandbox.git("rm", "-q", *files)
    sandbox.commit()
    assert told(sandbox) == {"src/a.py": (GONE, None), "rules.json": (GONE, None)}


def test_what_came_under_a_name_elsewhere_may_be_another_thing_unless_both_are_pages(
    repository: MakeRepository,
) -> None:
    files = {"data/proxy.yml": "tests: all\n", "docs/setup.rst": "Setup\n=====\n"}
    sandbox = repository(files={**files, "README.md": "# A\n\n`data/proxy.yml`, [set up](docs/setup.rst)\n"})
    sandbox.git("rm", "-q", *files)
    sandbox.write("config/proxy.yaml", text="listeners: [80]\nadmin: none\n")
    sandbox.write("pages/setup.md", text="# How to begin\n\nInstall it.\n")
    sandbox.commit()
    assert told(sandbox) == {"data/proxy.yml": (GONE, None), "docs/setup.rst": (MOVED, "pages/setup.md")}


def test_under_another_name_in_another_directory_a_file_is_gone_with_where_it_may_be(
    repository: MakeRepository,
) -> None:
    sandbox = repository(files={"src/keys.py": CODE, "docs/a.md": "See [keys](../src/keys.py).\n"})
    sandbox.git("mv", "src/keys.py", "auth.py")
    sandbox.commit(message="Move keys")
    (finding,) = verified(sandbox, fix=True).findings
    assert (finding.verdict, finding.moved_to, finding.perhaps, finding.mended) == (GONE, None, "auth.py", False)
    assert finding.told.endswith("Move keys; perhaps it is 'auth.py' now")


def test_what_a_text_says_of_a_file_that_went_is_doubtful_where_the_same_commit_changed_it_or_code_says_so_too(
    repository: MakeRepository,
) -> None:
    text = "Read `src/{0}.py`, [it](../src/{0}.py).\n"
    sandbox = repository(
        files={f"src/{name}.py": f"{name.upper()} = {CODE!r}\n" for name in ("read", "kept", "named")}
        | {f"docs/{name}.md": text.format(name) for name in ("read", "kept", "named")}
        | {"run.sh": "python src/named.py\n"}
    )
    sandbox.git("rm", "-q", "src/read.py", "src/kept.py")
    sandbox.git("mv", "src/named.py", "src/main_named.py")
    sandbox.write("docs/kept.md", text="More.\n")
    sandbox.commit()
    report = verified(sandbox, doubtful=True)
    assert {one.written for one in report.findings} == {
        "src/read.py",
        *(f"../src/{name}.py" for name in ("read", "kept", "named")),
    }
    assert [one.written for one in report.doubtful] == ["src/kept.py", "src/named.py"]


def test_what_is_carried_along_of_others_may_go_and_come(repository: MakeRepository) -> None:
    text = "```sh\nsource vendor/lib/release.sh\nsource own/lib/release.sh\n```\n\n[it](vendor/lib/release.sh)\n"
    files = {"vendor/lib/release.sh": "true\n", "own/lib/release.sh": "false\n"}
    sandbox = repository(files={**files, "README.md": f"# A\n\n{text}"})
    sandbox.git("rm", "-q", *files)
    sandbox.commit()
    assert [one.line for one in verified(sandbox).findings] == [5, 8]


def test_a_flood_of_pages_that_one_commit_took_is_doubtful(repository: MakeRepository) -> None:
    names = [f"class{number}" for number in range(20)]
    links = "".join(f"[{name}]({name}.md)\n" for name in names)
    sandbox = repository(files={"api/a.md": links, **{f"api/{name}.md": f"# {name}\n" for name in names}})
    sandbox.git("rm", "-q", *(f"api/{name}.md" for name in names[1:]))
    sandbox.commit()
    assert len(told(sandbox)) == len(names) - 1
    sandbox.git("rm", "-q", "--ignore-unmatch", "--", "api/class0.md")
    sandbox.git("commit", "-q", "--amend", "-m", "Remove pages")
    assert told(sandbox) == {}


def test_without_a_history_what_is_below_another_root_holds(tmp_path: Path) -> None:
    for path, text in {"docs/use.md": "See lib/a.py and lib/b.py.\n", "src/lib/a.py": "A = 1\n"}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    (tmp_path / ".tx").mkdir()
    for _ in ("outside git", "before the first commit"):
        with open_workspace(tmp_path) as workspace:
            report = workspace.documents.verify(doubtful=True)
        assert (report.findings, [one.written for one in report.doubtful]) == ((), ["lib/b.py"])
        subprocess.run(["git", "init", "-q", "."], cwd=tmp_path, check=True)
        subprocess.run(["git", "add", "-A"], cwd=tmp_path, check=True)


def test_what_has_other_numbers_is_another_file(repository: MakeRepository) -> None:
    text = "".join(f"blur {number}\n" for number in range(30))
    sandbox = repository(files={"data/blur_64.txt": text, "docs/a.md": "See `data/blur_64.txt`.\n"})
    sandbox.git("rm", "-q", "data/blur_64.txt")
    sandbox.write("more/blur_16.txt", text=f"{text}one more\n")
    sandbox.commit()
    assert told(sandbox) == {"data/blur_64.txt": (GONE, None)}


def test_a_key_that_no_symbol_is_called_is_doubtful_where_code_had_it(repository: MakeRepository) -> None:
    sandbox = repository(
        files={"app.py": "import os\n\nTOKEN = os.environ['APP_TOKEN_FILE']\n", "a.md": "Set APP_TOKEN_FILE.\n"}
    )
    replaced(sandbox, "app.py", "import os\n\nTOKEN = os.environ['APP_TOKEN']\n")
    sandbox.commit()
    report = verified(sandbox, doubtful=True)
    assert [(one.written, one.removal is not None) for one in report.doubtful] == [("APP_TOKEN_FILE", True)]
    assert report.findings == ()


def test_of_a_file_that_went_after_it_had_moved_both_commits_are_told(repository: MakeRepository) -> None:
    sandbox = repository(files={"src/keys.py": "KEYS = ['a', 'b', 'c']\n", "docs/a.md": "See `src/keys.py`.\n"})
    sandbox.git("mv", "src/keys.py", "keys.py")
    moved = sandbox.commit(message="Move")
    sandbox.git("rm", "-q", "keys.py")
    removed = sandbox.commit(message="Remove")
    (finding,) = verified(sandbox).findings
    became = f"so is 'keys.py', which it became, {removed[:10]} Remove"
    assert finding.told == f"'src/keys.py' is gone, {moved[:10]} Move; {became}"


def test_where_a_site_makes_its_own_anchors_no_section_is_gone(repository: MakeRepository) -> None:
    files = {"docs/a.md": "# A\n\n## Signing\n\nText.\n", "docs/b.md": "# B\n\nSee [it](a.md#signing).\n"}
    for site, expected in (({}, {"a.md#signing": (GONE, None)}), ({"mkdocs.yml": "site_name: A\n"}, {})):
        sandbox = repository(f"with{len(site)}", files={**files, **site})
        replaced(sandbox, "docs/a.md", "# A\n\nShort.\n")
        sandbox.commit()
        assert told(sandbox) == expected


def test_what_is_doubtful_is_counted_and_listed_only_when_asked_for(repository: MakeRepository) -> None:
    sandbox = repository(files={"docs/a.md": "See `src/never.py` and SomeWord.\n"})
    report, whole = verified(sandbox), verified(sandbox, doubtful=True)
    assert (report.findings, report.doubtful, report.summary["doubtful"]) == ((), (), 1)
    assert [one.written for one in whole.doubtful] == ["src/never.py"]


def test_passages_whose_code_is_another_by_now_are_listed_by_how_much(repository: MakeRepository) -> None:
    lines = [f"line_{number} = {number}\n" for number in range(20)]
    guide = "# Guide\n\nIt begins in `src/a.py`.\n\nThe rest is in `src/b.py`\nand nowhere else.\n"
    sandbox = repository(files={"src/a.py": "".join(lines), "src/b.py": "".join(lines), "docs/guide.md": guide})
    replaced(sandbox, "src/a.py", "".join(lines[:15]))
    replaced(sandbox, "src/b.py", "".join(lines[:5]))
    sandbox.commit()
    (sandbox.root / ".tx").mkdir()
    with open_workspace(sandbox.root) as workspace:
        assert workspace.documents.verify().aged == ()
        report = workspace.documents.verify(aged=True)
    assert [(one.document, one.line, one.path, one.changed) for one in report.aged] == [
        ("docs/guide.md", 5, "src/b.py", 0.75)
    ]
    assert report.unmended == []


def test_commands_are_those_of_the_directory_of_a_document(repository: MakeRepository) -> None:
    project = "[project]\nname = 'a'\n[project.scripts]\nserve = 'a:serve'\n"
    sandbox = repository(
        files={
            "pyproject.toml": project,
            "package.json": '{"scripts": {"check": "eslint src"}}\n',
            "README.md": "# A\n\n`poetry run serve`, `poetry run pytest`, `npm run check`\n",
            "docs/use.md": "In your project: `npm run check`\n",
        }
    )
    replaced(sandbox, "package.json", '{"scripts": {"lint": "eslint src"}}\n')
    replaced(sandbox, "pyproject.toml", project.replace("serve = ", "start = "))
    sandbox.commit()
    assert told(sandbox) == {"serve": (MOVED, "start"), "check": (MOVED, "lint")}


def test_a_command_may_be_a_submodules_and_what_runs_before_another_is_not_told_to_anybody(
    repository: MakeRepository,
) -> None:
    sandbox = repository(
        files={
            "package.json": '{"scripts": {"compile": "tsc", "build": "rollup"}}\n',
            "README.md": "Run `npm run compile`.\n",
        }
    )
    replaced(sandbox, "package.json", '{"scripts": {"prebuild": "tsc", "build": "rollup"}}\n')
    sandbox.commit()
    assert told(sandbox) == {"compile": (GONE, None)}
    sandbox.write(".gitmodules", text='[submodule "web"]\n\tpath = web\n')
    sandbox.commit()
    assert told(sandbox) == {}


def test_a_command_is_of_where_the_block_changed_to(repository: MakeRepository) -> None:
    scripts = '{"scripts": {"check": "eslint src"}}\n'
    clone = "### Clone\n\n```sh\ngit clone https://github.com/bob/other\n```\n\n### Run\n\n```sh\nnpm run check\n```\n"
    blocks = [f"```sh\ncd {to}\nnpm run check\n```\n" for to in ("web", "other")]
    sandbox = repository(
        files={"package.json": scripts, "web/package.json": scripts, "README.md": "\n".join(["# A", *blocks, clone])}
    )
    sandbox.git("remote", "add", "origin", "https://github.com/ada/tool.git")
    for path in ("package.json", "web/package.json"):
        replaced(sandbox, path, scripts.replace("check", "lint").replace("eslint", "biome"))
    sandbox.commit()
    assert [one.line for one in verified(sandbox).findings] == [4]


def test_a_rule_for_whatever_target_makes_it(repository: MakeRepository) -> None:
    for name, rule, expected in (("all", "%: force", {}), ("one", "web: force", {"book": (GONE, None)})):
        sandbox = repository(name, files={"Makefile": "book:\n\ttrue\n", "README.md": "# A\n\n`make book`\n"})
        replaced(sandbox, "Makefile", f"{rule}\n\techo\n")
        sandbox.commit()
        assert told(sandbox) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("README.md", True),
        ("docs/guide.md", True),
        ("AGENTS.md", True),
        ("pkg/CLAUDE.md", True),
        (".cursor/rules/style.mdc", True),
        (".github/copilot-instructions.md", True),
        ("docs/latest/a.md", True),
        ("client/v3/README.md", True),
        ("DESIGN.md", True),
        ("docs/archived docs/a.md", False),
        ("docs/99-archives/a.md", False),
        ("docs/_removed/a.md", False),
        ("client/generated/README.md", False),
        ("docs/v3/a.md", False),
        ("design/queues.md", False),
        ("testdata/a.md", False),
        ("tests/data/a.md", False),
        ("CHANGELOG.md", False),
        ("docs/decisions/0001-x.md", False),
        ("docs/release-notes/2.1.md", False),
        ("READMES/historical/docker.md", False),
        ("src/expected_output/registry.md", False),
        ("src/golden_files/registry.md", False),
        ("docs/golden-path/start.md", True),
        ("docs/SUMMARY.md", True),
        ("docs/static-analysis.md", True),
        ("docs/reports.md", True),
        ("reports/README.md", True),
        ("reports/latest.md", False),
        ("docs/ideas/refs.md", False),
        ("docs/TEST_RUN_20251017.md", False),
        ("docs/CLEANUP_ANALYSIS_DETAILED.md", False),
        ("docs/coverage-summary.md", False),
        ("src/HANDOFF.md", False),
        (".github/ISSUE_TEMPLATE/bug_report.md", True),
        (".github/PULL_REQUEST_TEMPLATE.md", True),
        ("docs/handover/queue.md", False),
        ("docs/prd/queue.md", False),
        ("bak/docs/queue.md", False),
        ("docs/llms.txt", False),
        ("docs/llms-full.txt", False),
        ("issues/queue.md", False),
        ("docs/COMPLETE_MOVE.md", False),
        ("docs/RFC_TEMPLATE.md", False),
        ("3rd-party/antlr4/README.md", False),
        ("specs/queue.md", False),
        ("spec/README.md", True),
        (".agents/analysis/queue.md", False),
        (".agents/skills/queue/SKILL.md", True),
        (".claude/commands/queue.md", True),
        (".serena/memories/queue.md", True),
        (".circleci/README.md", True),
        (".github/workflows/how.md", True),
        ("src/README.AUTOGEN.md", False),
        ("docs/notice-templates.md", True),
        ("docs/NOTICE.md", False),
        ("vendor/lib/README.md", False),
        ("lib/c-ares-1.34.6/INSTALL.md", False),
        ("tests/fixtures/a.md", False),
        ("src/a.py", False),
    ],
)
def test_which_documents_are_to_be_true_now(path: str, *, expected: bool) -> None:
    assert is_checked(path) is expected


def test_links_into_this_repository_on_its_host_are_paths_and_others_are_not() -> None:
    text = (
        "See https://github.com/ada/tool/blob/main/src/a.py#L3 and https://github.com/bob/other/blob/main/src/b.py.\n"
    )
    found = [(one.target, one.is_unsure) for one in Prose("README.md", text, "ada/tool").claims()]
    assert found == [("src/a.py", False), ("src/b.py", True)]


def test_links_of_another_owner_are_anothers_only_beside_those_of_this_one(repository: MakeRepository) -> None:
    link = "https://github.com/{}/tool/blob/main/src/a.py\n"
    text = link.format("bob")
    sandbox = repository(files={"README.md": text + link.format("ada"), "docs/a.md": text, "src/a.py": CODE})
    sandbox.git("remote", "add", "origin", "https://github.com/ada/tool.git")
    sandbox.git("rm", "-q", "src/a.py")
    sandbox.commit()
    assert [(one.document, one.line) for one in verified(sandbox).findings] == [("README.md", 2), ("docs/a.md", 1)]


def test_what_went_below_another_root_is_doubtful_where_the_text_names_that(repository: MakeRepository) -> None:
    text = "In `src/keys.py`.\n"
    sandbox = repository(
        files={"README.md": text, "AGENTS.md": f"Paths are from packages/core.\n\n{text}", "src/keys.py": CODE}
    )
    sandbox.write("packages/core/src/keys.py", text=CODE)
    sandbox.git("rm", "-q", "src/keys.py")
    sandbox.commit()
    report = verified(sandbox, doubtful=True)
    assert [(one.document, one.moved_to) for one in report.findings] == [("README.md", "packages/core/src/keys.py")]
    assert [one.document for one in report.doubtful] == ["AGENTS.md"]


def test_what_is_called_an_example_is_told_as_a_link_and_doubtful_in_words(repository: MakeRepository) -> None:
    link = "https://github.com/ada/tool/blob/main/src/example/a.py"
    text = (
        f"See [it]({link}), `src/example/b.py` and `src/c.py:get_token()`.\n\n```sh\n$> python src/example/d.py\n```\n"
    )
    sandbox = repository(files={"README.md": text, "src/c.py": CODE})
    sandbox.git("remote", "add", "origin", "https://github.com/ada/tool.git")
    sandbox.write("src/example/a.py", "src/example/b.py", "src/example/d.py", text=CODE)
    sandbox.commit()
    sandbox.git("rm", "-q", "-r", "src")
    sandbox.commit()
    report = verified(sandbox, doubtful=True)
    assert _told(report) == {"src/example/a.py": (GONE, None), "src/c.py": (GONE, None)}
    assert [one.target for one in report.doubtful] == ["get_token", "src/example/b.py", "src/example/d.py"]


def test_an_entry_of_a_day_excuses_nothing_but_itself(repository: MakeRepository) -> None:
    sandbox = repository(files={"README.md": "See `src/a.py`.\n\n- 2025-10-17: `src/a.py` came\n", "src/a.py": CODE})
    sandbox.git("rm", "-q", "src/a.py")
    sandbox.commit()
    report = verified(sandbox, doubtful=True)
    assert [one.line for one in report.findings] == [1]
    assert [one.line for one in report.doubtful] == [3]


def test_what_lists_many_lines_of_code_a_program_wrote(repository: MakeRepository) -> None:
    line = "- [get_token](https://github.com/ada/tool/blob/main/src/a.py#L{})\n"
    for count, verdicts in ((3, [GONE] * 3), (30, [])):
        sandbox = repository(str(count), files={"docs/a.md": "".join(map(line.format, range(count)))})
        sandbox.git("remote", "add", "origin", "https://github.com/ada/tool.git")
        sandbox.write("src/a.py", text=CODE)
        sandbox.commit()
        sandbox.git("rm", "-q", "src/a.py")
        sandbox.commit()
        assert [one.verdict for one in verified(sandbox).findings] == verdicts


def test_what_a_branch_has_that_a_link_names_is_there_unless_this_one_goes_on_from_it(
    repository: MakeRepository,
) -> None:
    links = [f"[{branch}](https://github.com/ada/tool/blob/{branch}/src/a.py)\n" for branch in ("next", "dev")]
    sandbox = repository(files={"README.md": links[0], "docs/a.md": links[1], "src/a.py": CODE})
    sandbox.git("remote", "add", "origin", "https://github.com/ada/tool.git")
    sandbox.git("branch", "dev")
    sandbox.git("checkout", "-q", "-b", "next")
    sandbox.commit("other.txt")
    sandbox.git("checkout", "-q", "-")
    sandbox.git("rm", "-q", "src/a.py")
    sandbox.commit()
    assert [(one.document, one.verdict) for one in verified(sandbox).findings] == [("docs/a.md", GONE)]


def test_a_heading_that_was_reworded_is_gone_where_its_text_went_below_another_one(repository: MakeRepository) -> None:
    steps = "".join(f"Step {number} of how it is done.\n" for number in range(12))
    text = f"[how](#flash-the-kernel)\n\n## Flash the kernel\n\n{steps}"
    sandbox = repository(files={"README.md": text})
    ways = "".join(f"Way {number} needs other tools.\n" for number in range(40))
    below = f"## Flashing the kernel\n\n{ways}\n### On a desk, by hand"
    replaced(sandbox, "README.md", text.replace("## Flash the kernel", below))
    sandbox.commit()
    assert hinted(sandbox) == {"#flash-the-kernel": (GONE, None, "README.md#on-a-desk-by-hand")}


def test_what_became_private_or_is_carried_along_now_is_not_where_a_text_would_lead(repository: MakeRepository) -> None:
    text = "`get_token()` makes tokens, see [keys](lib/keys.py).\n"
    sandbox = repository(files={"README.md": text, "src/a.py": CODE, "lib/keys.py": CODE.replace("token", "key")})
    replaced(sandbox, "src/a.py", CODE.replace("get_token", "_get_token"))
    sandbox.git("rm", "-q", "lib/keys.py")
    sandbox.write("vendor/lib/keys.py", text=CODE.replace("token", "key"))
    sandbox.commit()
    assert hinted(sandbox) == {"lib/keys.py": (GONE, None, "vendor/lib/keys.py")}


def test_a_link_that_is_shown_as_its_file_is_told_once(repository: MakeRepository) -> None:
    text = "See [`src/a.py`](./src/a.py), [src/b.py](lib/src/b.py) and [see src/c.py](other.md).\n"
    gone = dict.fromkeys(("src/a.py", "src/b.py", "src/c.py"), CODE)
    sandbox = repository(files={"README.md": text, "lib/src/b.py": CODE, "other.md": "# O\n", **gone})
    sandbox.git("rm", "-q", *gone)
    sandbox.commit()
    assert told(sandbox) == {"./src/a.py": (GONE, None)}  # and what is shown as another one leads there


def test_what_a_label_names_that_leads_to_another_place_is_told_there(repository: MakeRepository) -> None:
    text = "The [`get_token`] and [`load_rules`] do it.\n\n[`get_token`]: https://host.org/v1/a.py\n"
    bodies = {name: "".join(f"    {name}[{place}] = {place}\n" for place in range(9)) for name in ("first", "second")}
    code = f"def get_token(first):\n{bodies['first']}\n\ndef load_rules(second):\n{bodies['second']}"
    sandbox = repository(files={"README.md": text, "src/a.py": code})
    replaced(sandbox, "src/a.py", code.replace("get_token", "make_token").replace("load_rules", "read_rules"))
    sandbox.commit()
    assert told(sandbox) == {"load_rules": (MOVED, "read_rules")}


@pytest.mark.parametrize(
    ("path", "head", "verdicts"),
    [
        ("docs/a.md", "", [GONE]),
        ("docs/a.md", "---\ntitle: A\n---\n", []),
        ("docs/a.mdx", "", []),
        ("skills/a/SKILL.md", "---\nname: a\n---\n", [GONE]),
        ("docs/a.md", "+++\ntitle = 'A'\n+++\n", []),
        ("docs/a.md", "> Do not edit this file. A program writes it.\n", []),
        ("AGENTS.md", "<!-- tool:start -->\n", []),
        ("README.md", "<!-- BEGIN_TOOL_DOCS -->\n\n<!-- END_TOOL_DOCS -->\n", [GONE]),
        ("README.md", "<!-- format-ignore-start -->\n", [GONE]),
        ("docs/a.md", "# What was tried\n\n**Date:** 2025-10-17\n", []),
        ("docs/a.md", "# What was tried\n\n**Date**: September 30, 2025\n", []),
        ("docs/a.md", "# Tried on 2025-10-17\n", []),
        ("docs/a.md", "date: 20170130\n", []),
        ("docs/a.md", "# A\n\n**STATUS: PARTIALLY OBSOLETE**\n", []),
        ("docs/a.md", "# A\n\n> Auto-generated index of all modules.\n", []),
        ("docs/a.md", "# A\n\n<!-- AUTO-GENERATED-CONTENT:START -->\n<!-- AUTO-GENERATED-CONTENT:END -->\n", [GONE]),
        ("docs/a.md", "# A\n\n## Status \N{EM DASH} Implemented (2025-10-17)\n\n## Sizes\n", []),
        ("docs/a.md", "# A\n\n## Task\n\n- **Status**: COMPLETED\n\n## Sizes\n", [GONE]),
        ("docs/a.md", "# A\n\n## Task\n\n- **Status**: COMPLETED\n\n### Files\n", []),
        ("docs/worklog.md", "", []),
        ("AGENTS.md", "# A\n\n**Generated:** 2025-10-17\n", [GONE]),
        ("docs/a.md", "# A\n\n**Last updated:** 2025-10-17\n", [GONE]),
        ("web/README.md", "# Web\n\nThis was bootstrapped with [a tool](https://host.org/a).\n", []),
        ("docs/a.md", "\N{BLACK RIGHT-POINTING SMALL TRIANGLE} **run**(`name`): `void`\n", []),
        ("docs/a.md", "*Defined in [lib/a.ts:15](https://host.org/a.ts#L15)*\n", []),
        ("README.md", "# Archived\n", []),
        ("README.md", "This repository is archived.\n", []),
        ("icons/README.md", "# Icons\n", [GONE]),
        ("icons/_backup/README.md", "# Icons\n", []),
    ],
)
def test_links_of_a_page_of_a_site_are_doubtful_and_nobody_mends_what_a_program_or_a_report_says(
    repository: MakeRepository, path: str, head: str, verdicts: list[str]
) -> None:
    beside = f"{path.rpartition('/')[0]}/sizes.md".lstrip("/")
    sandbox = repository(files={path: f"{head}\nSee [sizes](sizes.md).\n", beside: "# Sizes\n"})
    sandbox.git("rm", "-q", beside)
    sandbox.commit()
    assert [one.verdict for one in verified(sandbox).findings] == verdicts


def test_what_holds_little_of_what_it_held_is_a_hint_for_a_link_and_a_few_lines_are_enough_for_words(
    repository: MakeRepository,
) -> None:
    added = {"role": 40, "rule": 5, "same": 0}  # lines to thirty
    links = "[the role](deploy/role.yaml), [the rule](deploy/rule.yaml)\n"
    sandbox = repository(files={"README.md": f"# A\n\n{links}\nIn `deploy/rule.yaml` or in `deploy/same.yaml`\n"})
    for name in added:
        sandbox.write(f"deploy/{name}.yaml", text="".join(f"{name}{number}: {number}\n" for number in range(30)))
    sandbox.commit()
    sandbox.git("mv", "deploy", "config")
    sandbox.commit()
    for name, count in added.items():
        sandbox.write(*[f"config/{name}.yaml"] * count)
    sandbox.commit()
    found = [(one.written, one.verdict, one.moved_to, one.perhaps) for one in verified(sandbox).findings]
    assert found == [
        ("deploy/role.yaml", GONE, None, "config/role.yaml"),
        ("deploy/rule.yaml", MOVED, "config/rule.yaml", None),
        ("deploy/rule.yaml", GONE, None, "config/rule.yaml"),
        ("deploy/same.yaml", MOVED, "config/same.yaml", None),
    ]


@pytest.mark.parametrize("root", ["public", "static", "theme"])
def test_what_went_to_where_a_site_has_its_root_from_may_be_served_as_it_was(
    repository: MakeRepository, root: str
) -> None:
    sandbox = repository(
        files={"docs/style/a.md": "[All](../assets/all.zip), `docs/assets/all.zip`\n", "docs/assets/all.zip": "zip\n"}
    )
    sandbox.git("rm", "-q", "docs/assets/all.zip")
    sandbox.write(f"docs/{root}/assets/all.zip", text="zip\n")
    sandbox.commit()
    assert told(sandbox) == {}
    assert len(verified(sandbox, doubtful=True).doubtful) == 2


def test_a_file_that_was_split_is_gone(repository: MakeRepository) -> None:
    files = {"www/login.html": "<b>\n", "www/login.js": "go();\n", "www/out.js": "stop();\n"}
    text = "[page](www/login.html), [code](www/login.js), [end](www/out.js)\n"
    sandbox = repository(files={**files, "README.md": text})
    sandbox.git("rm", "-q", *files)
    new = {"app/login.code.html": "<b>\n", "app/login.live.html": "<b>\n<i>\n", "app/out.js": "stop();\n"}
    for path, content in {**new, "app/out.css": "b {}\n"}.items():
        sandbox.write(path, text=content)
    sandbox.commit()
    assert told(sandbox) == {
        "www/login.html": (GONE, None),
        "www/login.js": (GONE, None),
        "www/out.js": (MOVED, "app/out.js"),
    }


def test_what_a_file_of_redirects_names_leads_on(repository: MakeRepository) -> None:
    sandbox = repository(
        files={
            "docs/index.md": "See the [viewer](./datasets-viewer) and the [files](./files).\n",
            "docs/datasets-viewer.md": "# Viewer\n",
            "docs/files.md": "# Files\n",
        }
    )
    sandbox.git("rm", "-q", "docs/datasets-viewer.md", "docs/files.md")
    sandbox.write("docs/_redirects.yml", text="datasets-viewer: data-studio\n")
    sandbox.commit()
    assert told(sandbox) == {"./files": (GONE, None)}


def test_pages_that_a_site_may_serve_under_the_name_that_a_link_has_are_doubtful(repository: MakeRepository) -> None:
    pages = ("docs/en/people.md", "docs/de/people.md", "docs/api/setup.md", "docs/api/places.md", "docs/api/faq.md")
    links = "[up](./setup.md), [places](places.md), [FAQ](./faq.md)\n"
    sandbox = repository(
        files={**dict.fromkeys(pages, "# It\n"), "docs/api/a.md": links, "docs/de/a.md": "[Leute](people.md)\n"}
    )
    sandbox.git("rm", "-q", "docs/de/people.md")
    sandbox.git("mv", "docs/api/setup.md", "docs/api/setup-js.md")  # one of several, for each language
    sandbox.git("rm", "-q", "docs/api/places.md", "docs/api/faq.md")
    sandbox.write("docs/faq.md", text="# Questions\n")  # a site's root
    sandbox.commit()
    assert told(sandbox) == {"places.md": (GONE, None)}


@pytest.mark.parametrize("front", ['+++\naliases = ["sizes"]\n+++', "---\nredirect_from: [/x/y, /intro/sizes]\n---"])
def test_a_site_leads_on_from_what_front_matter_lists_in_one_line(repository: MakeRepository, front: str) -> None:
    links = "See [sizes](../intro/sizes/) and [limits](../intro/limits/).\n"
    sandbox = repository(
        files={"docs/run/page.md": links, "docs/intro/sizes.md": "# Sizes\n", "docs/intro/limits.md": "# L\n"}
    )
    sandbox.git("rm", "-q", "-r", "docs/intro")
    sandbox.write("docs/setup/all.md", text=f"{front}\n\n# All\n")
    sandbox.commit()
    assert told(sandbox) == {"../intro/limits/": (GONE, None)}


def test_pages_of_an_elixir_project_are_found_by_name(repository: MakeRepository) -> None:
    sandbox = repository(
        files={"mix.exs": "{}\n", "guides/ecto.md": "# Ecto\n", "guides/json.md": "[Ecto](ecto.md) [Gone](gone.md)\n"}
    )
    sandbox.write("guides/gone.md", text="# Gone\n")
    sandbox.commit()
    sandbox.git("rm", "-q", "guides/ecto.md", "guides/gone.md")
    sandbox.write("guides/data/ecto.md", text="# Ecto\n")
    sandbox.commit()
    assert told(sandbox) == {"gone.md": (GONE, None)}


def test_how_a_site_spells_the_anchor_of_a_heading_with_a_sign_between_words_is_not_certain(
    repository: MakeRepository,
) -> None:
    rows, lines = ("".join(f"The {word} {number} says how.\n" for number in range(9)) for word in ("row", "line"))
    links = "[it](doc/commands.md#show)\n[own](#show)\n"
    files = {"doc/commands.md": f"# A\n\n## Show\n\n{rows}", "README.md": f"{links}\n## Show\n\n{lines}"}
    sandbox = repository(files=files)
    for path, text in files.items():
        replaced(sandbox, path, text.replace("## Show", "## Show / info"))
    sandbox.commit()
    assert hinted(sandbox) == {
        "doc/commands.md#show": (GONE, None, "doc/commands.md#show--info"),
        "#show": (MOVED, "README.md#show--info", None),
    }


def test_a_copy_of_another_project_is_that_projects_to_mend(repository: MakeRepository) -> None:
    files = {"icons/README.md": "See [sizes](sizes.md).\n", "icons/sizes.md": "# Sizes\n"}
    sandbox = repository(files=files | {".github/labeler.yml": "a: b\n", "icons/.github/labeler.yml": "a: b\n"})
    sandbox.git("rm", "-q", "icons/sizes.md")
    sandbox.commit()
    assert not verified(sandbox).findings
    assert [one.written for one in verified(sandbox, doubtful=True).doubtful] == ["sizes.md"]
    sandbox.git("rm", "-q", "icons/.github/labeler.yml")
    sandbox.commit()
    assert told(sandbox) == {"sizes.md": (GONE, None)}


def test_what_was_put_aside_did_not_move(repository: MakeRepository) -> None:
    text = "Run `scripts/check.py`, see [it](docs/it.md), [web](lib/web) and [app](lib/app).\n"
    sandbox = repository(files={"README.md": text, "docs/it.md": "# It\n"})
    sandbox.write("scripts/check.py", "lib/web/a.py", "lib/app/b.py", text=CODE)
    sandbox.commit()
    for made in ("scripts/archived ones", "contrib"):
        (sandbox.root / made).mkdir()
    sandbox.git("mv", "lib/web", "contrib/web")
    sandbox.git("mv", "lib/app", "app")
    sandbox.git("mv", "scripts/check.py", "scripts/archived ones/check.py")
    sandbox.git("mv", "docs/it.md", "docs/it.old.md")
    sandbox.commit()
    assert hinted(sandbox) == {
        "scripts/check.py": (GONE, None, "scripts/archived ones/check.py"),
        "docs/it.md": (GONE, None, "docs/it.old.md"),
        "lib/web": (GONE, None, "contrib/web"),
        "lib/app": (MOVED, "app", None),
    }


def test_what_was_done_is_told_of_its_day(repository: MakeRepository) -> None:
    lines = (
        "For example (names are not exact):\n\n- `src/e.py`\n\nThere is more to do.",
        "- [x] `src/a.py` has tests",
        "- [ ] `src/b.py` has none",
        "Removed: `src/c.py`",
        "- 2025/10/17: [the demo](src/f.py) came",
        "- **2025-10-17** `src/g.py` came",
        "- **October 17, 2025** The demo came\n  - it is [here](src/k.py)\n- [Tokens](src/l.py) are made",
        "### 17 October 2025\n\nSee [the demo](src/m.py).\n\n#### More\n\n`src/n.py`\n\n### Now",
        "| ~~[tokens](src/h.py)~~ | ~~`src/i.py`~~ |",
        "```bash\n/tidy src/j.py\n```",
        "## Files created",
        "`src/d.py`",
        "## Exploration report",
        "`src/o.py`",
    )
    sandbox = repository(
        files={"README.md": "\n\n".join(lines), **{f"src/{name}.py": CODE for name in "abcdefghijklmno"}}
    )
    sandbox.git("rm", "-q", "-r", "src")
    sandbox.commit()
    report = verified(sandbox, doubtful=True)
    assert _told(report) == {"src/b.py": (GONE, None), "src/l.py": (GONE, None)}
    in_doubt = "src/e.py src/a.py src/c.py src/f.py src/g.py src/k.py src/m.py src/n.py src/d.py src/o.py"
    assert [one.written for one in report.doubtful] == in_doubt.split()


def test_what_each_of_several_has_now_none_has_alone(repository: MakeRepository) -> None:
    text = "Rules of `get_token()` are in [tests](tests/data), those of `load_rules()` in [rules](rules/all).\n"
    bodies = {name: "".join(f"    {name}[{place}] = {place}\n" for place in range(9)) for name in ("first", "second")}
    code = f"def get_token(first):\n{bodies['first']}\n\ndef load_rules(second):\n{bodies['second']}"
    sandbox = repository(
        files={"README.md": text, "src/a.py": code, "tests/data/a.yaml": "a: 1\n", "rules/all/b.yaml": "b: 2\n"}
    )
    replaced(sandbox, "src/a.py", code.replace("get_token", "get_own_token").replace("load_rules", "load_all_rules"))
    sandbox.write(
        "src/other.py", text="def get_foreign_token():\n    return 1\n\n\ndef test_load_rules():\n    return 2\n"
    )
    for old, new in (("tests/data", "tests/one/data"), ("rules/all", "rules/one/all")):
        (sandbox.root / new).parent.mkdir()
        sandbox.git("mv", old, new)
    sandbox.write("tests/two/data/c.yaml", text="c: 3\n")
    sandbox.commit()
    assert hinted(sandbox) == {
        "load_rules": (MOVED, "load_all_rules", None),
        "tests/data": (GONE, None, "tests/one/data"),
        "rules/all": (MOVED, "rules/one/all", None),
    }


def test_html_and_notebooks_are_as_a_site_serves_them(repository: MakeRepository) -> None:
    text = '<img src="a.svg"> ![b](b.svg) [tour](tour.md)\n'
    files = dict.fromkeys(("docs/a.svg", "docs/b.svg", "docs/tour.md"), "# It\n")
    sandbox = repository(files={"docs/it.md": text, "README.md": '<img src="docs/a.svg">\n', **files})
    sandbox.git("rm", "-q", *files)
    sandbox.write("notebooks/tour.ipynb", text="{}\n")
    sandbox.commit()
    assert told(sandbox) == {"docs/a.svg": (GONE, None), "b.svg": (GONE, None)}


def test_what_a_heading_says_that_it_goes_by_is_not_its_name(repository: MakeRepository) -> None:
    steps = "".join(f"Step {number} of how it is done.\n" for number in range(12))
    sandbox = repository(files={"README.md": f"[how](#flash-it)\n\n## Flash it\n\n{steps}"})
    replaced(sandbox, "README.md", f"[how](#flash-it)\n\n## Flash it by hand {{#by-hand}}\n\n{steps}")
    sandbox.commit()
    assert hinted(sandbox) == {"#flash-it": (GONE, None, "README.md#flash-it-by-hand")}


def test_what_a_sparse_checkout_leaves_out_is_there(repository: MakeRepository) -> None:
    text = "See `src/a.py`, [how](far/how.md#parts) and `src/gone.py`.\n"
    files = {"src/a.py": CODE, "src/gone.py": CODE, "far/how.md": "# How\n\n## Parts\n"}
    sandbox = repository(files={"README.md": text, **files})
    sandbox.git("rm", "-q", "src/gone.py")
    sandbox.commit()
    sandbox.git("sparse-checkout", "set", "--no-cone", "/*", "!/far/", "!/src/")
    assert told(sandbox) == {"src/gone.py": (GONE, None)}


@pytest.mark.parametrize(
    ("edits", "days", "since", "told"),
    [
        (0, 20, (), {"src/keys.py", "../src/keys.py"}),  # somebody is still at what just went
        (0, 40, (), set()),
        (2, 40, (), {"src/keys.py", "../src/keys.py"}),
        (2, 70, (), {"../src/keys.py"}),
        (2, 100, (), set()),
        (2, 100, (95,), {"../src/keys.py"}),
        (2, 100, (95, 5), {"src/keys.py", "../src/keys.py"}),
        (0, 100, (5,), set()),
    ],
)
def test_what_nobody_keeps_is_doubtful_and_so_are_words_that_nobody_is_at(
    repository: MakeRepository, edits: int, days: int, since: tuple[int, ...], told: set[str]
) -> None:
    text = "See [keys](../src/keys.py), or `src/keys.py`.\n"
    sandbox = repository(files={"docs/CONTRIBUTING.md": text, "src/keys.py": CODE})
    for _ in range(60):
        sandbox.commit()
    for _ in range(edits):
        sandbox.commit("docs/CONTRIBUTING.md")
    sandbox.git("rm", "-q", "src/keys.py")
    sandbox.commit()
    removed = sandbox._time
    for ago in since:
        sandbox._time = removed + (days - ago) * DAY
        sandbox.commit("docs/CONTRIBUTING.md")
    sandbox._time = removed + days * DAY
    sandbox.commit("src/other.py")
    report = verified(sandbox, doubtful=True)
    assert {one.written for one in report.findings} == told
    assert {one.written for one in report.doubtful} == {"src/keys.py", "../src/keys.py"} - told


def test_what_changes_only_along_with_many_others_a_program_writes(repository: MakeRepository) -> None:
    pages = [f"docs/page{place}.md" for place in range(11)]
    link = "See [keys](../src/keys.py).\n"
    sandbox = repository(files={**dict.fromkeys(pages, link), "docs/use.md": link, "src/keys.py": CODE})
    for _ in range(2):
        sandbox.commit(*pages)
        sandbox.commit("docs/use.md")
    sandbox.git("rm", "-q", "src/keys.py")
    sandbox.commit()
    sandbox._time += 40 * DAY
    sandbox.commit("src/other.py")
    assert [one.document for one in verified(sandbox).findings] == ["docs/use.md"]


def test_what_hardly_anybody_changes_may_be_a_record_of_its_day(repository: MakeRepository) -> None:
    text = "It is in `src/a.py`, see [it](../src/b.py).\n"
    names = ("docs/once.md", "docs/often.md", ".github/once.md", "docs/README.md", ".claude/skills/seal/SKILL.md")
    code = {"src/a.py": CODE, "src/b.py": CODE.replace("token", "key")}
    sandbox = repository(files={**dict.fromkeys(names, text), "AGENTS.md": text, **code})
    for line in ("Often.\n", "Often, too.\n"):
        sandbox.write("docs/often.md", text=line)
        sandbox.commit()
    for _ in range(38):
        sandbox.git("commit", "-q", "--allow-empty", "-m", "Something else")
    sandbox.git("rm", "-q", "-r", "src")
    sandbox.commit()
    found = {(one.document, one.written) for one in verified(sandbox).findings}
    kept = {"docs/often.md", "docs/README.md", ".claude/skills/seal/SKILL.md", "AGENTS.md"}
    assert {document for document, written in found if written == "src/a.py"} == kept
    assert ("docs/once.md", "../src/b.py") in found


def test_a_root_that_another_project_had_is_none_of_a_texts(repository: MakeRepository) -> None:
    text = "See [how](../../HOW.md) and [what](WHAT.md).\n"
    sandbox = repository(files={"services/one/README.md": text, "services/one/WHAT.md": "# What\n"})
    sandbox.git("checkout", "-q", "--orphan", "other")
    sandbox.git("rm", "-q", "-r", "-f", ".")
    sandbox.write("HOW.md", text="# How\n\nAs the other one does.\n")
    sandbox.commit()
    (sandbox.root / "services/two").mkdir(parents=True)
    sandbox.git("mv", "HOW.md", "services/two/HOW.md")
    sandbox.commit()
    sandbox.git("checkout", "-q", "main")
    sandbox.git("merge", "-q", "--allow-unrelated-histories", "-m", "Join", "other")
    sandbox.git("rm", "-q", "services/one/WHAT.md")
    sandbox.commit()
    assert told(sandbox) == {"WHAT.md": (GONE, None)}


def test_what_is_no_code_a_program_may_write_from_its_name_alone(repository: MakeRepository) -> None:
    text = "The figures are in `results/figures.csv`, the rules in `rules/all.csv`, the code in `src/made.py`.\n"
    files = dict.fromkeys(("results/figures.csv", "rules/all.csv", "src/made.py"), "a,b\n1,2\n")
    sandbox = repository(
        files={"README.md": text, "run.py": "PLACE = f'{where}/figures.csv'\nIT = 'made.py'\n", **files}
    )
    sandbox.git("rm", "-q", *files)
    sandbox.commit()
    assert told(sandbox) == {"rules/all.csv": (GONE, None), "src/made.py": (GONE, None)}


def test_a_name_whose_thing_became_another_is_gone_with_what_it_may_be(repository: MakeRepository) -> None:
    text = "`get_token()` makes tokens, `load_rules()` reads rules.\n"
    bodies = {name: "".join(f"    {name}[{place}] = {place}\n" for place in range(9)) for name in ("first", "second")}
    code = f"def get_token(first):\n{bodies['first']}\n\ndef load_rules(second):\n{bodies['second']}"
    sandbox = repository(files={"README.md": text, "src/a.py": code})
    changed = code.replace("get_token", "make_token").replace("load_rules", "read_rules")
    replaced(sandbox, "src/a.py", changed.replace("first[3] = 3", "first[3] = given"))
    sandbox.commit()
    assert hinted(sandbox) == {"get_token": (GONE, None, "make_token"), "load_rules": (MOVED, "read_rules", None)}
    assert "perhaps it is 'make_token' now" in next(iter(verified(sandbox).findings)).told


def test_a_site_may_leave_numbers_out_of_what_pages_are_called(repository: MakeRepository) -> None:
    links = "[a](03_Sizes.md) [b](../02_Parts/01_All.md) [c](04_Rules.md)\n"
    pages = ("doc/01_Use/03_Sizes.md", "doc/02_Parts/01_All.md", "doc/01_Use/04_Rules.md")
    sandbox = repository(files={"doc/01_Use/01_How.md": links, **dict.fromkeys(pages, "# It\n")})
    sandbox.git("rm", "-q", *pages)
    sandbox.write("doc/01_Use/05_Sizes.md", text="# Other\n")
    sandbox.write("doc/06_Parts/07_All/README.md", text="# Others\n")
    sandbox.commit()
    assert told(sandbox) == {"04_Rules.md": (GONE, None)}


def test_what_is_there_in_other_letters_is_where_a_text_would_lead(repository: MakeRepository) -> None:
    sandbox = repository(
        files={"tool/README.md": "See [what changed](changes.md).\n", "tool/changes.md": "# Changes\n"}
    )
    sandbox.git("rm", "-q", "tool/changes.md")
    sandbox.commit()
    sandbox.write("tool/CHANGES.md", text="# All that changed\n\n- Much.\n")
    sandbox.commit()
    assert told(sandbox) == {"changes.md": (MOVED, "tool/CHANGES.md")}


def test_what_a_block_of_code_takes_in_is_a_path(repository: MakeRepository) -> None:
    text = "```rust\n{{#include ../src/a.rs:part}}\n```\n\n```rust\n\\\\{{#include ../src/b.rs}}\n```\n"
    code = dict.fromkeys(("src/a.rs", "src/b.rs"), "fn a() {}\n")
    sandbox = repository(files={"docs/a.md": text, **code})
    sandbox.git("rm", "-q", *code)
    sandbox.commit()
    assert told(sandbox) == {"../src/a.rs": (GONE, None)}


def test_a_partial_clone_without_its_remote_tells_what_it_can_prove_and_says_what_it_lacks(
    written: GitSandbox, tmp_path: Path
) -> None:
    replaced(written, "README.md", "Keys are in [keys](src/old/keys.py).\n")
    replaced(written, "docs/guide.md", GUIDE + "Long words.\n" * 400)
    written.commit(message="Explain")
    replaced(written, "docs/guide.md", GUIDE)
    written.commit(message="Shorten")
    (written.root / "src/old/keys.py").unlink()
    written.commit(message="Drop keys")
    written.git("config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    written.git("clone", "--quiet", "--filter=blob:limit=2k", written.root.as_uri(), str(clone))
    shutil.rmtree(written.root / ".git")
    (clone / ".tx").mkdir()
    with open_workspace(clone) as workspace:
        report = workspace.documents.verify(doubtful=True)
    assert [(one.document, one.written, one.verdict) for one in report.findings] == [
        ("README.md", "src/old/keys.py", GONE)
    ]
    assert [(one.document, one.written) for one in report.doubtful] == [("docs/guide.md", "src/old/keys.py")]
    (notice,) = report.notices
    assert notice.startswith("Not all that 1 file held is in this clone (docs/guide.md)")
