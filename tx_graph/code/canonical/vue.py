"""Vue: scripts as JavaScript, and all around them as markup."""

from __future__ import annotations

from dataclasses import replace

from tx_graph.code.canonical import ecmascript
from tx_graph.code.canonical.markup import marked

RULES = replace(ecmascript.RULES, between=marked)
