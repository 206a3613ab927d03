"""The briefing room: what an agent is told unasked, when a session starts and when it opens a file; each thing once.

Who opens a file wants no page, so neither part imports the other.
"""
