"""What 'tx doctor' finds out about facts."""

from __future__ import annotations

from collections.abc import Iterator

from tx_graph.services.facts import Facts
from tx_graph.services.health import Finding, advice, ok
from tx_graph.storage.stores import Stores


def of_facts(stores: Stores, facts: Facts) -> Iterator[Finding]:
    """Yield how many facts there are, and whether any contradict each other."""
    numbers = stores.facts.numbers_by_status()
    if conflicts := facts.conflicts():
        first = conflicts[0]
        detail = f"{len(conflicts)} with several values, such as {first.subject} {first.predicate}"
        yield advice("facts", detail, "See 'tx fact:conflicts'.")
    else:
        told = ", ".join(f"{count:,} {status}" for status, count in numbers.items())
        yield ok("facts", f"{told}, without conflict" if told else "none")
