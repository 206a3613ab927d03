"""What the doctor says of the engines that a search may use: the embedding model, and retrievers."""

from __future__ import annotations

from collections.abc import Iterator

from tx_graph.services.embedding import NO_EMBEDDER, Embedding
from tx_graph.services.health import Finding, advice, ok, problem
from tx_graph.services.search.retrievers import Retrievers


def of_model(embedding: Embedding, *, sound: bool, detail: str) -> Iterator[Finding]:
    """Yield what is said of the embedding model, which is `sound` or not, and of the vectors it made."""
    if embedding.name == NO_EMBEDDER:
        yield ok("model", "turned off (embedder = none); search is by words")
        return
    if not sound:
        yield advice("model", detail, "Run 'tx model install'.")
        return
    yield ok("model", detail)
    if lacking := embedding.lacking:
        whose = "1 learning has" if lacking == 1 else f"{lacking:,} learnings have"
        yield advice("embeddings", f"{whose} no vector of {embedding.name}", "Run 'tx learning:embed'.")
    else:
        yield ok("embeddings", "every learning has its vector")
    if entities := embedding.lacking_entities:
        whose = "1 entity has" if entities == 1 else f"{entities:,} entities have"
        yield advice("entity vectors", f"{whose} no vector of {embedding.name}", "Run 'tx learning:embed'.")


def of_retrievers(retrievers: Retrievers) -> Iterator[Finding]:
    """Yield what is said of the retrievers that are installed, and of the one in the settings."""
    found = {one.name: one for one in retrievers.installed()}
    chosen = found.get(retrievers.standard)
    if chosen is None:
        detail = f"the setting search.retriever names '{retrievers.standard}', which is not installed"
        yield problem("retrievers", detail, "Install its package, or run 'tx config set search.retriever hybrid'.")
    elif chosen.problem:
        yield problem("retrievers", chosen.problem, "Mend its package, or run 'tx config set search.retriever hybrid'.")
    for one in found.values():
        if one.problem and one is not chosen:
            yield advice("retrievers", one.problem, "It is not used unless asked for.")
    working = [f"{one.name} ({one.origin})" for one in found.values() if not one.problem]
    yield ok("retrievers", ", ".join(working))
