"""Every command as it is called: for rules that hold of all of them, in the workspace of `test_everywhere`."""

from __future__ import annotations

import re


def alternatives(command: str) -> list[str]:
    """Return a command once for each alternative in its braces, as a shell would: `show {1|2}`."""
    if not (braces := re.search(r"\{([^{}]*)\}", command)):
        return [command.strip()]
    before, after = command[: braces.start()], command[braces.end() :]
    found = [one for choice in braces[1].split("|") for one in alternatives(f"{before}{choice}{after}")]
    return list(dict.fromkeys(found))  # inner braces are chosen first, also for the sake of what does not have them


def calls(text: str) -> list[str]:
    """Return the commands of a text, one or more on each line."""
    return [one for line in text.strip().splitlines() for one in alternatives(line)]


READING = calls("""
search "zebrafish tokens" {|--kind learning,section}
learning:search "zebrafish tokens" {|--expand|--expand --verbose|--include-stale --expand}
learning:search "zebrafish tokens" {--status staged|--files src/auth.py}
learning:search nothing-has-this-word
learning:show {1|2}
learning:list {|--verify|--status staged|--category zoo}
learning:recent {|--verify}
learning:export
learning:embed --status
learning:propose --dry-run
learning:promote 2 --why
context {"zebrafish tokens" {|--include-staged}|1 --files src/auth.py --include-staged}
review {|--staged|--files src/auth.py|--files README.md}
who {src/auth.py|src}
focus {src/auth.py|1|2|README.md}
recall "zebrafish tokens"
graph:show {src/auth.py|1|2|run:1|task:1|README.md}
graph:neighbors {src/auth.py|1|2|run:1|README.md}
graph:path {src/auth.py 2|1 2|1 task:1}
graph:verify {|2}
allow {|--list}
graph:history {src/auth.py|2}
graph:stats
graph:imports {src/auth.py|--all|--all --unresolved}
graph:symbols {src/auth.py|--all|--find login}
graph:{references|callers|callees} login
graph:unused {|--mentioned}
graph:impact {|login|src/auth.py|--staged}
graph:cycles
graph:cochanges {src/auth.py|--all}
graph:check-changes {|--staged}
doc:list
doc:show README.md{|#zebrafish}
doc:verify {|--doubtful|--aged}
doc:search "zebrafish tokens"
doc:extract --print-batches
entity:list
entity:show tokens
fact:list {|tokens --past}
fact:history tokens
fact:conflicts
task:list
task:show 1
run:list
run:show 1 {|--transcript}
transcript:list
telemetry:list
status
doctor
config {|get embedder}
""")
"""Calls that change nothing, in the ways in which they may come upon what somebody wrote."""
WRITING = calls("""
{init|index}
graph:{analyze-imports|analyze-cochanges|analyze-similar}
learning:add Added --keyword a
learning:edit 1 --category x
learning:helpful 1 {|--share-feedback}
learning:remove 3 {|--restore}
learning:merge 1 3
learning:edit 3 --status active
learning:supersede 3 1
learning:import -
learning:reject 2
graph:{link|unlink} 1 README.md
graph:{relate|unrelate} 1 3
graph:{confirm|pin|unpin} 1
graph:invalidate 1 src/auth.py::login --reason wrong
graph:restore 1
graph:prune --older-than 90d
task:add Another
task:edit 2 --title Other
task:done 2
run:start --task 1
run:feedback 2 --helpful 1
run:finish 2 --outcome failed
doc:{ingest|prune}
fact:add Ada owns --value tests
fact:{confirm|retract} 1
fact:maintain
entity:edit Ada --type person
entity:alias Ada "Ada Lovelace"
entity:merge Ada tokens
transcript:ingest README.md
telemetry:prune
config set embedder none
export ../memory
view --out ../page.html
setup agents-md
model remove
completion bash
""")
"""One call of each other command, in an order in which they can be run; `mcp`, `hook`, `bench`, `import` and
`doc:link` have tests of their own."""
