"""Transcripts of agents: which files they are, whose format they have, and what they tell."""

from tx_graph.codebase.transcripts.draft import Draft, Session
from tx_graph.codebase.transcripts.finding import Candidate, candidates
from tx_graph.codebase.transcripts.paths import SessionPaths
from tx_graph.codebase.transcripts.reading import Head, OpenTranscript, Told, opened

__all__ = ["Candidate", "Draft", "Head", "OpenTranscript", "Session", "SessionPaths", "Told", "candidates", "opened"]
