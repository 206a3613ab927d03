"""The anchoring room: taking anchors, judging whether they hold, and finding where their code went."""

from __future__ import annotations
