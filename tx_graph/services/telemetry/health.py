"""What the doctor says of telemetry."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

from tx_graph.services.health import Finding, advice, ok

_DETECTOR = "kingfisher_sdk"


def of_detector() -> Iterator[Finding]:
    """Yield whether there is what finds secrets in transcripts."""
    if find_spec(_DETECTOR):
        yield ok("secrets", "are taken out of transcripts by kingfisher")
    else:
        yield advice(
            "secrets",
            "what finds them in transcripts is not installed; none is read",
            "Install kingfisher-secret-scanner, where it has a wheel for this platform.",
        )
