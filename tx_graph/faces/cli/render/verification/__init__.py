"""What a verification found: for people, for programs, and in the forms that CI services show beside the code."""

from __future__ import annotations
