"""Shell completion: one thin script per shell, and the answers that all of them ask for.

A script calls `tx --complete SHELL LINE`, where LINE is the command up to the cursor, on every press of Tab.
"""

from __future__ import annotations
