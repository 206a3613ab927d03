"""What an agent's session teaches: what users said, errors that were resolved, commands that come again and again.

The rules know English. They prefer silence to noise, and take no words of an agent or a tool, but for one line of an
error.
"""

from __future__ import annotations
