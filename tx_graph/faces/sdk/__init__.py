"""The SDK: the same use cases as on the command line, as typed methods of one workspace. Import from `tx_graph`."""

from __future__ import annotations
