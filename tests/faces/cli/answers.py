"""Every command, sorted by whether it reads out what somebody wrote: for rules that hold of all that do."""

from __future__ import annotations

STAGED, ACTIVE = "2", "1"
"""The learnings that the workspaces of these tests have."""
ANSWERS = [
    ["learning:search", "zebrafish tokens"],
    ["learning:search", "zebrafish tokens", "--expand"],
    ["learning:search", "zebrafish tokens", "--include-stale", "--expand"],
    ["learning:search", "zebrafish tokens", "--status", "staged"],
    ["learning:search", "zebrafish tokens", "--files", "src/auth.py"],
    ["learning:show", ACTIVE],
    ["learning:show", STAGED],
    ["learning:list"],
    ["learning:list", "--verify"],
    ["learning:list", "--status", "staged"],
    ["learning:list", "--category", "zoo"],
    ["learning:recent"],
    ["learning:export"],
    ["context", "zebrafish tokens"],
    ["context", "zebrafish tokens", "--include-staged"],
    ["context", "1", "--files", "src/auth.py", "--include-staged"],
    ["focus", "src/auth.py"],
    ["focus", STAGED],
    ["focus", ACTIVE],
    ["recall", "zebrafish tokens"],
    ["graph:show", "src/auth.py"],
    ["graph:show", STAGED],
    ["graph:show", ACTIVE],
    ["graph:show", "run:1"],
    ["graph:neighbors", "src/auth.py"],
    ["graph:neighbors", ACTIVE],
    ["graph:neighbors", STAGED],
    ["graph:neighbors", "run:1"],
    ["graph:path", "src/auth.py", STAGED],
    ["graph:path", ACTIVE, STAGED],
    ["graph:verify"],
    ["graph:verify", STAGED],
    ["graph:history", "src/auth.py"],
    ["graph:history", STAGED],
    ["graph:stats"],
    ["graph:imports", "src/auth.py"],
    ["graph:symbols", "src/auth.py"],
    ["graph:cycles"],
    ["graph:cochanges", "src/auth.py"],
    ["graph:check-changes"],
    ["graph:analyze-similar"],
    ["doc:list"],
    ["doc:show", "README.md"],
    ["doc:search", "zebrafish tokens"],
    ["entity:list"],
    ["entity:show", "zebrafish"],
    ["fact:list"],
    ["fact:history", "zebrafish"],
    ["fact:conflicts"],
    ["task:list"],
    ["task:show", "1"],
    ["run:list"],
    ["run:show", "1"],
    ["transcript:list"],
    ["telemetry:list"],
    ["learning:propose", "--dry-run"],
    ["learning:promote", STAGED, "--why"],
    ["status"],
    ["doctor"],
    ["config"],
]
"""Every command that answers, in the ways in which it may come upon a learning."""
OTHERS = frozenset(
    """init index model completion learning:add learning:edit learning:remove learning:helpful learning:merge
    learning:supersede learning:import learning:embed learning:reject task:add task:done task:edit run:start run:finish
    run:feedback graph:link graph:unlink graph:relate graph:unrelate graph:confirm graph:pin graph:unpin
    graph:invalidate graph:restore graph:prune graph:analyze-imports graph:analyze-cochanges doc:ingest doc:extract
    doc:link doc:prune bench fact:add fact:confirm fact:retract fact:maintain entity:edit entity:alias entity:merge
    transcript:ingest telemetry:prune mcp setup hook""".split()
)
"""Commands that change what they are told to change, and read nothing out; mcp and hook, which do, have tests of their
own for it."""
