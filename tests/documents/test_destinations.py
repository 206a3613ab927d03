"""Where links lead."""

from __future__ import annotations

import pytest

from tests.tables import rows
from tx_graph.documents.document import LinkKind
from tx_graph.documents.links import NOWHERE, Destination, Destinations, DocumentNames


def names(path: str, *slugs: str, title: str = "", labels: dict[str, str] | None = None) -> tuple[str, DocumentNames]:
    own = {slug: f"{path}#{slug}" for slug in slugs}
    return path, DocumentNames(title=title, slugs=own, labels={k: own[v] for k, v in (labels or {}).items()})


@pytest.fixture
def destinations() -> Destinations:
    documents = dict(
        [
            names("README.md", "install", "usage"),
            names("docs/index.md", "welcome"),
            names("docs/auth.md", "tokens", "über-uns", title="How people log in", labels={"token-life": "tokens"}),
            names("docs/adr/003-cache.md", "decision", title="Use a cache"),
            names("docs/adr/004.md", "decision", title="Sessions"),
            names("docs/api/cache.rst", "api", labels={"cache api": "api"}),
            names("blog/sessions.md", title="Something else"),
            ("docs/faq.md", DocumentNames(title="", slugs={}, labels={"old questions": "docs/faq.md"})),
        ]
    )
    files = frozenset(
        {*documents, "src/auth.py", "src/web/auth.ts", "lib/cache.py", "src/a/util.py", "src/b/util.py", "logo.png"}
    )
    symbols = {
        "login": [("src/auth.py", "AuthService::login"), ("src/web/auth.ts", "login")],
        "AuthService": [("src/auth.py", "AuthService")],
        "run": [("src/a/util.py", "run")],
        "make_key": [("lib/cache.py", "make_key")],
    }
    return Destinations(documents=documents, files=files, symbols=symbols)


def section(key: str, problem: str = "") -> Destination:
    return Destination(section=key, problem=problem)


def led(told: str) -> Destination:
    """Return what `file src/auth.py` and its like stand for; nothing is nowhere."""
    kind, _, key = told.partition(" ")
    return Destination(**{kind: key}) if kind else NOWHERE


@pytest.mark.parametrize(
    ("document", "written", "expected"),
    rows("""
        docs/index.md → auth.md → section docs/auth.md ¦ docs/index.md → ./auth.md#tokens → section docs/auth.md#tokens
        docs/index.md → #welcome → section docs/index.md#welcome
        docs/adr/004.md → ../auth.md#token-life → section docs/auth.md#tokens
        docs/index.md → auth.md#%C3%BCber-uns → section docs/auth.md#über-uns
        docs/index.md → auth.md#Tokens → section docs/auth.md#tokens ¦ docs/index.md → /README.md → section README.md
        docs/adr/004.md → /auth.md → section docs/auth.md ¦ docs/index.md → auth → section docs/auth.md
        docs/index.md → auth.html#tokens → section docs/auth.md#tokens ¦ README.md → docs/ → section docs/index.md
        README.md → docs/api/cache → section docs/api/cache.rst ¦ README.md → src/auth.py → file src/auth.py
        README.md → src/auth.py#L10-L20 → file src/auth.py ¦ docs/index.md → ../logo.png → file logo.png
        README.md → src/ → ¦ README.md → docs/auth.md?plain=1#L3 → section docs/auth.md
    """),
)
def test_a_link_leads_where_it_should(destinations: Destinations, document: str, written: str, expected: str) -> None:
    assert destinations.of(document, LinkKind.LINK, written) == led(expected)


def test_a_link_to_a_lost_section_leads_to_its_document_and_says_so(destinations: Destinations) -> None:
    found = destinations.of("README.md", LinkKind.LINK, "docs/auth.md#gone")
    assert found == section("docs/auth.md", "docs/auth.md has no section #gone")


def test_a_link_to_a_lost_file_says_so(destinations: Destinations) -> None:
    assert destinations.of("README.md", LinkKind.LINK, "docs/gone.md").problem == "there is no docs/gone.md"


def test_the_same_destination_means_other_places_in_other_documents(destinations: Destinations) -> None:
    assert destinations.of("README.md", LinkKind.LINK, "#usage") == section("README.md#usage")
    assert destinations.of("docs/index.md", LinkKind.LINK, "#usage").problem


@pytest.mark.parametrize(
    ("written", "expected"),
    rows("""
        auth → section docs/auth.md ¦ How people log in → section docs/auth.md
        auth#tokens → section docs/auth.md#tokens ¦ 003-cache → section docs/adr/003-cache.md
        auth#Tokens → section docs/auth.md#tokens ¦ Use a cache → section docs/adr/003-cache.md
        Old Questions → section docs/faq.md ¦ src/auth.py → file src/auth.py
        AuthService → symbol src/auth.py::AuthService
    """),
)
def test_a_wiki_link_goes_by_name_title_or_path(destinations: Destinations, written: str, expected: str) -> None:
    assert destinations.of("docs/adr/004.md", LinkKind.WIKI, written) == led(expected)


def test_a_wiki_link_that_means_several_documents_leads_to_none_but_a_neighbour(destinations: Destinations) -> None:
    assert "several" in destinations.of("README.md", LinkKind.WIKI, "sessions").problem
    assert destinations.of("blog/other.md", LinkKind.WIKI, "sessions") == section("blog/sessions.md")


def test_a_wiki_link_to_nothing_says_so(destinations: Destinations) -> None:
    assert destinations.of("README.md", LinkKind.WIKI, "nobody").problem == "no document is called 'nobody'"


def test_a_label_leads_to_its_section_whatever_its_spelling(destinations: Destinations) -> None:
    assert destinations.of("README.md", LinkKind.LABEL, "Cache  API") == section("docs/api/cache.rst#api")
    assert destinations.of("README.md", LinkKind.LABEL, "decision").problem  # a heading is no label


@pytest.mark.parametrize(
    ("written", "expected"),
    rows("""
        src/auth.py → file src/auth.py ¦ src/auth.py:12 → file src/auth.py ¦ cache.py → file lib/cache.py ¦ util.py →
        lib/cache.py::make_key → symbol lib/cache.py::make_key ¦ a/util.py → file src/a/util.py ¦ login() → ¦ --flag →
        AuthService.login → symbol src/auth.py::AuthService::login ¦ other.AuthService → ¦ auth.src.AuthService →
        AuthService::login() → symbol src/auth.py::AuthService::login ¦ run() → symbol src/a/util.py::run
        auth.AuthService → symbol src/auth.py::AuthService ¦ make_key(name, size=3) → symbol lib/cache.py::make_key
        lib.make_key → symbol lib/cache.py::make_key
        src.auth.AuthService.login → symbol src/auth.py::AuthService::login
    """),
)
def test_a_name_leads_to_the_one_thing_that_it_means(destinations: Destinations, written: str, expected: str) -> None:
    assert destinations.of("docs/index.md", LinkKind.CODE, written) == led(expected)


def test_a_mere_name_that_means_nothing_is_no_problem(destinations: Destinations) -> None:
    assert destinations.of("README.md", LinkKind.NAME, "GitHub") == NOWHERE
