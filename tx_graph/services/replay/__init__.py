"""The replay room: how well files would have been ranked before the commits of this repository's own history."""

from __future__ import annotations

from tx_graph.services.replay.replay import Replay
from tx_graph.services.replay.values import Comparison, ReplayReport, ReplayRequest, Row, Tuning

__all__ = ["Comparison", "Replay", "ReplayReport", "ReplayRequest", "Row", "Tuning"]
