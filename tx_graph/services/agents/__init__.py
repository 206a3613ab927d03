"""The agents room: what each client wants in its files so that it knows us, and edits that can be taken back."""

from __future__ import annotations

from tx_graph.services.agents.clients import Client
from tx_graph.services.agents.setting_up import Fate, FileChange, SettingUp, SetupPlan, SetupRequest

__all__ = ["Client", "Fate", "FileChange", "SettingUp", "SetupPlan", "SetupRequest"]
