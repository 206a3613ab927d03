"""Every command as it is called: for rules that hold of all of them, in the workspace of `test_everywhere`."""

from __future__ import annotations

READING = """
learning:search "zebrafish tokens"
learning:search "zebrafish tokens" --expand
learning:search "zebrafish tokens" --expand --verbose
learning:search "zebrafish tokens" --include-stale --expand
learning:search "zebrafish tokens" --status staged
learning:search "zebrafish tokens" --files src/auth.py
learning:search nothing-has-this-word
learning:show 1
learning:show 2
learning:list
learning:list --verify
learning:list --status staged
learning:list --category zoo
learning:recent
learning:recent --verify
learning:export
learning:embed --status
learning:propose --dry-run
learning:promote 2 --why
context "zebrafish tokens"
context "zebrafish tokens" --include-staged
context 1 --files src/auth.py --include-staged
focus src/auth.py
focus 2
focus 1
focus README.md
recall "zebrafish tokens"
graph:show src/auth.py
graph:show 1
graph:show 2
graph:show run:1
graph:show task:1
graph:show README.md
graph:neighbors src/auth.py
graph:neighbors 1
graph:neighbors 2
graph:neighbors run:1
graph:neighbors README.md
graph:path src/auth.py 2
graph:path 1 2
graph:path 1 task:1
graph:verify
graph:verify 2
graph:history src/auth.py
graph:history 2
graph:stats
graph:imports src/auth.py
graph:imports --all
graph:imports --all --unresolved
graph:symbols src/auth.py
graph:symbols --all
graph:symbols --find login
graph:cycles
graph:cochanges src/auth.py
graph:cochanges --all
graph:check-changes
graph:check-changes --staged
doc:list
doc:show README.md
doc:show README.md#zebrafish
doc:search "zebrafish tokens"
doc:extract --print-batches
entity:list
entity:show tokens
fact:list
fact:list tokens --past
fact:history tokens
fact:conflicts
task:list
task:show 1
run:list
run:show 1
run:show 1 --transcript
transcript:list
telemetry:list
status
doctor
config
config get embedder
""".strip().splitlines()
"""Calls that change nothing, in the ways in which they may come upon what somebody wrote."""
WRITING = """
init
index
graph:analyze-imports
graph:analyze-cochanges
graph:analyze-similar
learning:add Added --keyword a
learning:edit 1 --category x
learning:helpful 1
learning:remove 3
learning:remove 3 --restore
learning:merge 1 3
learning:edit 3 --status active
learning:supersede 3 1
learning:import -
learning:reject 2
graph:link 1 README.md
graph:unlink 1 README.md
graph:relate 1 3
graph:unrelate 1 3
graph:confirm 1
graph:pin 1
graph:unpin 1
graph:invalidate 1 src/auth.py::login --reason wrong
graph:restore 1
graph:prune --older-than 90d
task:add Another
task:edit 2 --title Other
task:done 2
run:start --task 1
run:feedback 2 --helpful 1
run:finish 2 --outcome failed
doc:ingest
doc:prune
fact:add Ada owns --value tests
fact:confirm 1
fact:retract 1
fact:maintain
entity:edit Ada --type person
entity:alias Ada "Ada Lovelace"
entity:merge Ada tokens
transcript:ingest README.md
telemetry:prune
config set embedder none
setup agents-md
model remove
completion bash
""".strip().splitlines()
"""One call of each other command, in an order in which they can be run; `mcp`, `hook`, `bench` and
`doc:link` have tests of their own."""
