"""Transcripts of agents: which files they are, whose format they have, and what they tell."""

from __future__ import annotations

from tx_graph.work.transcripts.content import Draft, Session, SessionPaths
from tx_graph.work.transcripts.reading import Candidate, Head, OpenTranscript, Told, candidates, opened

__all__ = ["Candidate", "Draft", "Head", "OpenTranscript", "Session", "SessionPaths", "Told", "candidates", "opened"]
