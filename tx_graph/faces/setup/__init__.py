"""The agents room: what each client wants in its files so that it knows us, and edits that can be taken back."""

from __future__ import annotations

from tx_graph.faces.setup.clients import Client
from tx_graph.faces.setup.setting_up import Fate, FileChange, SettingUp, SetupPlan, SetupRequest

__all__ = ["Client", "Fate", "FileChange", "SettingUp", "SetupPlan", "SetupRequest"]
