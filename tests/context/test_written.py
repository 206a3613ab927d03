"""What a page says is written: sections that answer, sections that speak of open files, and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fakes import WordEmbedder
from tests.support import Project
from tx_graph.context.page import ContextRequest, ContextSection, Markdown, Page, Part
from tx_graph.core.text import by_characters
from tx_graph.documents.ingesting import Ingesting
from tx_graph.documents.search import State

TOKENS, ROTATION = "docs/auth.md#tokens", "docs/keys.md#rotation"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A guide to tokens that speaks of jwt.py, a section it links to, and an unrelated document."""
    found = Project(tmp_path, monkeypatch)
    found.write("src/auth.py", "from src import jwt\n\ndef login():\n    return jwt.decode()\n")
    found.write("src/jwt.py", "def decode():\n    return True\n")
    found.write(
        "docs/auth.md",
        "# Authentication\n\n## Tokens\n\nTokens expire after an hour. Decoded in `src/jwt.py`.\n\n"
        "- depends_on:: [rotation](keys.md#rotation)\n\n## Logins\n\nEach login is counted.\n",
    )
    found.write("docs/keys.md", "# Keys\n\n## Rotation\n\nEvery week.\n\n## Storage\n\nIn a vault.\n")
    found.write("docs/colours.md", "# Colours\n\nThe theme has them.\n")
    found.git.commit()
    found.index()
    return found


def read(project: Project) -> None:
    """Read the documents as they are now."""
    with project.open() as workspace:
        workspace.kernel.one(Ingesting).run()
        workspace.embedding.catch_up("chunks")


def page(project: Project, text: str = "", *files: str, budget: int = 2_000) -> Page:
    with project.open() as workspace:
        request = ContextRequest(text=text, files=files, budget=budget)
        return workspace.context.page(request, Markdown(), count=by_characters)


def sections(project: Project, text: str = "", *files: str) -> dict[str, ContextSection]:
    read(project)
    return {one.ref: one for one in page(project, text, *files).shown.sections}


def test_a_question_is_answered_with_what_is_written(project: Project) -> None:
    found = sections(project, "when do tokens expire?")
    assert next(iter(found)) == TOKENS
    one = found[TOKENS]
    assert (one.headings, one.reasons) == (("Authentication", "Tokens"), ("matches by words",))
    assert one.excerpt.startswith("Tokens expire after an hour.")
    assert "docs/colours.md#colours" not in found


def test_what_an_answer_depends_on_is_told_with_the_relation(project: Project) -> None:
    found = sections(project, "when do tokens expire?")
    assert found[ROTATION].reasons == (f"related to `{TOKENS}` (depends_on)",)


def test_what_something_else_than_an_answer_depends_on_is_not_told(project: Project) -> None:
    project.write("docs/colours.md", "# Colours\n\nThe theme has them.\n\n- depends_on:: [storage](keys.md#storage)\n")
    project.git.commit()
    assert sections(project, "when do colours frobnicate the xerus?") == {}
    assert "docs/keys.md#storage" in sections(project, "colours of the theme")


def test_what_merely_stands_beside_an_answer_is_not_told(project: Project) -> None:
    assert "docs/auth.md#logins" not in sections(project, "when do tokens expire?")


def test_an_open_file_brings_the_sections_that_speak_of_it(project: Project) -> None:
    found = sections(project, "", "src/jwt.py")
    assert {ref: one.reasons for ref, one in found.items()} == {TOKENS: ("mentions the open `src/jwt.py`",)}


def test_an_open_symbol_brings_the_sections_that_speak_of_it(project: Project) -> None:
    project.write("src/jwt.py", "def decode_token():\n    return True\n")
    project.write("docs/jwt.md", "# Jwt\n\n`decode_token` never raises.\n")
    project.git.commit()
    project.index()
    found = sections(project, "", "src/jwt.py::decode_token")
    assert found["docs/jwt.md#jwt"].reasons[0] == "mentions the open `src/jwt.py::decode_token`"


def test_who_reads_a_document_is_not_told_what_it_says_but_who_points_at_it(project: Project) -> None:
    project.write("docs/more.md", "# More\n\nSee [keys](keys.md).\n")
    project.git.commit()
    assert set(sections(project, "", "docs/keys.md")) == {"docs/more.md#more"}


def test_a_section_that_answers_and_speaks_of_an_open_file_comes_first_with_both_reasons(project: Project) -> None:
    found = sections(project, "when do tokens expire?", "src/jwt.py")
    assert next(iter(found)) == TOKENS
    assert found[TOKENS].reasons == ("matches by words", "mentions the open `src/jwt.py`")


def test_by_meaning_only_what_is_near_the_question_is_told(project: Project) -> None:
    project.embedder = WordEmbedder()
    project.configure()
    found = sections(project, "tokens expire after an hour")
    assert found[TOKENS].reasons == ("matches by meaning",)
    assert "docs/colours.md#colours" not in found


def test_no_document_fills_the_page_alone(project: Project) -> None:
    parts = "".join(f"## Part {number}\n\nTokens expire, part {number}.\n\n" for number in range(9))
    project.write("docs/many.md", f"# Many\n\n{parts}")
    project.git.commit()
    found = sections(project, "tokens expire")
    assert sum(one.path == "docs/many.md" for one in found.values()) == 2
    assert TOKENS in found


def test_a_document_that_changed_or_went_since_is_marked(project: Project) -> None:
    read(project)
    text = (project.root / "docs/auth.md").read_text(encoding="utf-8")
    project.write("docs/auth.md", f"{text}\nMore.\n")
    changed = page(project, "when do tokens expire?")
    assert changed.shown.sections[0].state is State.CHANGED
    assert "its document changed since it was read" in changed.text
    (project.root / "docs/auth.md").unlink()
    assert "its document is gone" in page(project, "when do tokens expire?").text


def test_a_superseded_decision_says_what_took_its_place(project: Project) -> None:
    project.write("docs/adr/1.md", "# One\n\n## Status\n\nSuperseded by: [Two](2.md)\n\n## Choice\n\nXerus caches.\n")
    project.write("docs/adr/2.md", "# Two\n\nNo xerus at all.\n")
    project.git.commit()
    read(project)
    found = page(project, "xerus caches")
    (old,) = (one for one in found.shown.sections if one.ref == "docs/adr/1.md#choice")
    assert (old.superseded_by or "").startswith("docs/adr/2.md")
    assert "superseded by docs/adr/2.md" in found.text


@pytest.mark.parametrize(("text", "files"), [("frobnicate the xerus", ()), ("", ("src/auth.py",))])
def test_documents_that_have_nothing_to_say_change_no_letter_of_the_page(
    project: Project, text: str, files: tuple[str, ...]
) -> None:
    project.add("A xerus is no frog", "src/auth.py")
    before = page(project, text, *files).text
    read(project)
    assert page(project, text, *files).text == before


def test_sections_count_towards_the_budget_and_those_left_out_are_counted(project: Project) -> None:
    for number in range(9):
        project.write(f"docs/{number}.md", f"# Number {number}\n\nTokens expire. {'Word ' * 80}\n")
    project.add("Tokens expire after an hour")
    project.git.commit()
    read(project)
    small = page(project, "tokens expire", budget=250)
    assert small.tokens <= 250
    assert [one.result.stored.learning.content for one in small.shown.learnings] == ["Tokens expire after an hour"]
    assert f"{small.omitted[Part.SECTIONS]} section" in small.text
