"""The agents room: what each client wants in its files so that it knows us, and edits that can be taken back."""

from __future__ import annotations
