"""What is refused, command by command: the exit status, one clear sentence with a way out, and nothing changed.

A line of the table has the status, the command with the alternatives of one word in braces, and what is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faces.cli.calls import alternatives
from tests.faces.cli.conftest import Prepared
from tests.faces.cli.terminal import CommandLine
from tx_graph.core.database import Database

FILES = {
    "src/app.py": "import auth\n\n\nclass App:\n    def run(self):\n        return auth.login()\n",
    "docs/guide.md": "# Guide\n\n## Tokens\n\nThey rotate.\n\n- depends_on:: [[README]]\n",
}
STEPS = (
    "index",
    "learning:add One --anchor src/auth.py::login --anchor README.md",
    "learning:add Two",
    "learning:add Three --status staged",
    "task:add 'Cache the index'",
    "task:add 'Repair the login' --id GH-123",
    "run:start --task GH-123 --agent claude",
    "fact:add tokens live --value 'an hour'",
)
HUGE, LONG, VAST = "9" * 30, "x" * 201, "9" * 5_000
TEXT = r"""
2 | {learning:show|learning:edit}                | Missing argument 'LEARNING'.
2 | -C                                           | Option '-C' requires an argument.
2 | graph:relate 1                               | Missing argument 'OTHER'.
2 | learning:search validate tokens              | Put a text of several words in quotes.
2 | learning:search                              | Missing argument 'QUERY'.
2 | learning:search {''|'\t'}                    | The query is empty. Say what to look for
2 | --bad                                        | No such option: --bad.
2 | status -C .                                  | No such option: -C. See 'tx status --help'.
2 | -C {missing|''} status                       | No such file or directory.
2 | -C README.md status                          | -C README.md: Not a directory.
2 | learning:show 1 --json=3                     | Option '--json' does not take a value.
2 | learning:serch                               | There is no command 'learning:serch'. learning:search
3 | learning:show -- --json                      | '--json' is not a learning.
3 | {learning:{show|edit|promote|merge 1|add x --link}|graph:{confirm|verify}} 99 | There is no learning '99'. … staged:
3 | graph:{confirm|pin|unlink} 1 src/none.py     | Learning 1 is not anchored to 'src/none.py'. src/auth.py::login
3 | graph:restore 1                              | there is nothing to restore
2 | graph:invalidate 1                           | Missing option '--reason'.
2 | graph:invalidate 1 --reason ' '              | The reason is empty.
3 | graph:invalidate 1 --reason x --commit nope  | There is no revision 'nope' here.
3 | graph:history nowhere.py                     | There is no 'nowhere.py', and nothing was ever anchored there.
2 | graph:prune --older-than={x|-1d}             | is no length of time. Write hours, days or weeks
2 | graph:prune                                  | Missing option '--older-than'.
2 | graph:link 1 src/auth.py login {--symbol x|--lines 1-2|--anchor-type hash} | A WORD chooses the anchor
3 | {graph:link 1|learning:add x --anchor} missing.py | There is no file 'missing.py'.
3 | graph:link 1 src/app.py --symbol nothing     | There is no symbol 'nothing' in src/app.py. src/app.py::App
3 | {graph:show|learning:add x --anchor} src/auth.py::logon | There is no symbol 'logon' … src/auth.py::login
3 | graph:link 1 src/app.py --lines 17-19        | src/app.py ends at line 6; there is no line 19.
2 | graph:link 1 src/app.py --lines 3-2          | lines count from 1, first to last.
2 | graph:link 1 src/app.py --lines x            | 'x' is not a range of lines. Write it as 10-20
2 | graph:link 1 src/app.py::App --symbol App    | The symbol or the lines are given twice.
2 | graph:link 1 src/app.py::App:L1-L2           | names both a symbol and lines.
2 | graph:link 1 src/app.py --anchor-type symbol | An anchor of type 'symbol' needs a symbol.
3 | graph:link 1 *.zig                           | The glob '*.zig' matches no file.
2 | graph:link 1 src                             | 'src' is a directory. use the glob 'src/**'
2 | {graph:link 1|learning:add x --anchor} ''    | An anchor needs a path.
3 | {graph:link 1|learning:add x --anchor} docs/guide.md#tokns | There is no section '#tokns' … docs/guide.md#tokens
2 | graph:relate 1 learning:1                    | A learning cannot be linked to itself.
3 | graph:unrelate 1 2 --relation references     | Learning 1 has no such link to learning 2.
3 | graph:show src/auht.py                       | There is nothing named 'src/auht.py'. src/auth.py
3 | graph:show entity:Gide                       | There is nothing named 'entity:Gide'. entity:Guide
2 | graph:neighbors 1 --types-at IMPORTS         | 2=ANCHORED_TO,LINKS_TO
2 | {graph:neighbors 1|graph:path 1 2} --edge-types IMPORTZ | 'IMPORTZ' is no edge type. Choose from ANCHORED_TO,
2 | graph:neighbors 1 --edge-types IMPORTS,LINKS_TO --exclude-edge-types LINKS_TO | LINKS_TO cannot be both
2 | graph:verify --json --format sarif           | --json and --format sarif cannot go together.
3 | graph:verify --since nowhere                 | There is no revision 'nowhere' here.
2 | graph:verify --since ''                      | The revision is empty.
3 | graph:verify nothing.py                      | There is no 'nothing.py', and nothing is anchored there.
2 | graph:verify --format xml                    | 'xml' is not one of 'text', 'json', 'github', … 'junit'.
2 | {graph:{verify|history|imports|link 1}|focus|doc:ingest} ../x.md | '../x.md' is outside the repository.
2 | {context|learning:search x} --files ../x.py  | '../x.py' is outside the repository.
2 | {graph:verify|graph:link 1|learning:add x --anchor} /etc/passwd | '/etc/passwd' is outside the repository.
2 | graph:link 1 src/../../x.py                  | 'src/../../x.py' is outside the repository.
2 | graph:imports {|src/app.py --all}            | Name one FILE, or ask for --all.
2 | graph:imports {--all --reverse|src/app.py --unresolved --depth 2} | --reverse and --depth need a FILE
2 | graph:{imports|cochanges} --all --json --tsv | --json and --tsv cannot go together.
2 | graph:imports src/app.py --depth 0           | The depth must be at least 1, not 0.
3 | graph:{imports|symbols|cochanges} src/apq.py | There is no file 'src/apq.py'. src/app.py
2 | graph:symbols {|src --all}                   | Name a PATH or a name to --find, or ask for --all.
2 | graph:symbols src --kind klass               | No symbol here is a 'klass'. Choose from class, function, method.
2 | graph:symbols --find ''                      | The name to find is empty.
3 | graph:path src/app.py nothing                | There is nothing named 'nothing'.
2 | graph:cochanges {|--tsv}                     | Which file? Name a FILE, or ask for the pairs of all files with
2 | graph:cochanges README.md --all              | A FILE and --all are different questions.
2 | graph:cochanges README.md --tsv              | --tsv is for --all.
2 | graph:check-changes --min-confidence={0|1.1|NaN|-1} | min_confidence must be above 0 and at most 1, not
2 | learning:{add text|edit 1} --status wip      | 'wip' is not one of 'staged', 'active', 'superseded', 'retracted'.
2 | learning:add {''|' '|' \t\r'|'\u3000'|-}     | A learning needs content; this one is empty.
2 | learning:edit 1 --category x --content {''|-} | A learning needs content; this one is empty.
2 | learning:add Text --category ''              | The category is empty.
2 | learning:{add Text|edit 1 --category x} --keyword '' | The keyword is empty.
2 | learning:add Text --category 'a\nb'          | The category must be one line of at most 200 printable characters.
2 | learning:add Text --keyword LONG             | The keyword must be one line of at most 200 printable characters.
2 | learning:add Text --source-ref '\x1b[31m'    | The source reference must be one line of at most 200 printable
2 | learning:add Text --link 1:likes             | 'likes' is no relation. Choose from references, elaborates,
2 | learning:add Text --source-type rumour       | 'rumour' is not one of 'manual', 'agent',
2 | learning:add x --task 1 --run 1              | give --task or --run
2 | learning:add x {--task 1 --source-ref y|--run 1 --source-type manual} | leave out --source-type and --source-ref
2 | learning:edit 1                              | Nothing to change was given, and there is no $EDITOR.
2 | learning:edit 3 --status active              | nobody has confirmed it. tx learning:promote 3, with --force
2 | learning:search x --files ,                  | No file is named.
2 | learning:search x --diversity 1.5            | The diversity must be a number from 0 to 1, not 1.5.
2 | learning:search x --diversity 0.5 --no-diversify | --no-diversify and --diversity contradict each other
2 | learning:search x {--profile=spread|--depth 3|--decay 1|--max-nodes 5} | need --expand.
2 | learning:search x {--direction out|--edge-types IMPORTS} | need --expand.
2 | learning:search x --expand --profile nonsense | 'nonsense' is not one of 'decay', 'hops', 'spread'.
3 | {context|learning:search} x --retriever nobody | There is no retriever 'nobody'. … hybrid … bm25
2 | learning:search x --fresh-only --include-stale | use one of them
2 | {learning:import|run:finish 1 --outcome failed --transcript|doc:extract --apply} none.txt | none.txt cannot be read:
2 | {learning:import|run:finish 1 --outcome failed --transcript} . | . cannot be read: Is a directory.
7 | learning:embed                               | all-MiniLM-L6-v2 is not installed. Run 'tx model install'.
2 | {learning:merge|learning:supersede} 1 1      | learning:1 cannot take its own place: name two learnings.
2 | {graph:analyze-similar|doc:link} --threshold={0|7} | The threshold must be above 0 and at most 1, not
2 | learning:{promote|reject}                    | Which learnings? tx learning:list --status staged
2 | learning:promote 1 --all                     | --all and single learnings exclude each other.
2 | learning:{promote|reject} 1                  | learning:1 is active; nothing was changed.
2 | learning:promote 3 --why --force             | --why promotes nothing, and --force everything.
2 | learning:promote 3 --min-confidence 2        | The minimum confidence must be
2 | learning:promote --all                       | 1 staged learning would be promoted. Agree with --yes.
2 | learning:propose --from rumours              | 'rumours' is nothing to propose from; choose from commits, comments,
2 | {learning:propose|doc:search x|bench} --since soonish | Cannot read 'soonish' as a date. '6 months ago'
2 | learning:propose --model x                   | Add --from transcripts.
2 | learning:propose --print {--dry-run|--apply x} | --print goes with none of the others.
2 | learning:propose {--print|--apply x} --model local | With --print and --apply an agent is the model.
2 | learning:propose {--print|--apply x} --from commits | --print and --apply are about transcripts.
2 | learning:propose --all                       | --all is for --print.
2 | learning:propose --from transcripts --model x --no-model | --model and --no-model exclude each other.
7 | learning:propose --from transcripts --model no-such | Without a model
2 | context tokens --budget={0|-1}               | The budget must be at least 100 tokens, not
2 | context tokens --budget abc                  | Invalid value for '--budget': 'abc' is not a whole number.
2 | context tokens --limit-files=-1              | The most files to look at must be at least 0, not -1.
2 | context tokens --tokens-by guess             | 'guess' is not one of 'chars', 'bytes', 'tokenizer'.
2 | context tokens --tokens-by tokenizer         | No tokenizer is configured. 'tx config set context.tokenizer PATH'
2 | context tokens --format html                 | 'html' is not one of 'markdown', 'json', 'plain'.
2 | context tokens --format plain --json         | --json and --format plain cannot go together.
3 | focus docs/guide.md#tokns                    | There is nothing named 'docs/guide.md#tokns'. docs/guide.md#tokens
3 | focus docs/guide.md#tokens^requires          | has no relation note '^requires'. docs/guide.md#tokens^depends_on
3 | focus dosc/                                  | There is no directory 'dosc/'. docs
2 | focus docs --budget=-1                       | The budget must be 0 or more tokens, not -1.
2 | focus docs --tokens-by words                 | 'words' is not one of 'json', 'chars', 'items'.
2 | recall ''                                    | The query is empty.
2 | {recall|doc:search} x --hops 11              | The hops must be from 0 to 10, not 11.
2 | recall x --anchors 0                         | The anchors must be from 1 to 100, not 0.
2 | {recall x|fact:list} --as-of soon            | 'soon' is no date. Write a day, 2026-11-20,
2 | doc:ingest src/auth.py                       | is not Markdown, reStructuredText or plain text by its name.
3 | doc:ingest docs/guid.md                      | 'docs/guid.md' names no document here. docs/guide.md
2 | doc:search redis --hop-decay 1,fast          | '1,fast' is no list of factors.
2 | doc:search redis --hop-decay 1,2             | each from 0 to 1
2 | doc:search redis --relations likes           | 'likes' is no relation.
2 | doc:search redis --vector-weight 0.9         | at most 1 together.
2 | doc:search redis --keyword-weight 2          | The weight of words must be a number from 0 to 1, not 2.
2 | doc:search redis --graph-slots 9             | The places for the graph must be from 0 to the limit, not 9.
2 | doc:extract --batch-size 4 --overlap 4       | smaller than the batch, not 4 of 4.
2 | {doc:extract|doc:link} --batch-size 1        | A batch must hold at least 2 sections, not 1.
2 | doc:extract --workers 0                      | There must be at least 1 worker, not 0.
2 | doc:extract --timeout 0                      | The timeout must be a number of seconds above 0, not 0.
2 | doc:extract --min-weight 2                   | The least weight must lie between 0 and 1, not 2.
2 | doc:extract --max-edges-per-chunk=-1         | The most edges of a section must be at least 0, not -1.
2 | doc:extract --print-batches {--dry-run|--apply x} | --dry-run, --print-batches and --apply exclude each other.
2 | doc:extract --apply x --model local          | With --print-batches and --apply an agent is the model.
2 | doc:extract --all                            | --all is for --print-batches.
2 | {doc:extract --docs {''|, --print-batches}|doc:link --docs ' , ' --no-model} | --docs names no document.
2 | doc:link --max-pairs 0                       | The most pairs of a section must be at least 1, not 0.
2 | doc:link --no-model --model local            | --no-model and --model exclude each other.
7 | doc:extract                                  | --print-batches
7 | doc:link                                     | --no-model
2 | fact:add a is {|b --value c}                 | A fact has either an object or a value.
2 | fact:add a -- -- b                           | The predicate must be a few words
2 | fact:add a is b --confidence 2               | The confidence must be a number from 0 to 1, not 2.
2 | fact:add a is b --source rumour              | 'rumour' is not one of 'user_edit', 'file',
2 | fact:add a is b --status superseded          | A new fact is staged or confirmed.
3 | {fact:list|fact:history|entity:show|entity:alias x|entity:merge x} nobody | There is no entity
3 | {fact:confirm|fact:retract 1} 9              | There is no fact '9'. tokens live: an hour
2 | entity:edit a                                | There is nothing to change. Give --type or --description.
2 | entity:edit a --type 9                       | '9' is no type of an entity
2 | task:add ''                                  | The title is empty.
2 | task:add 'a\x1b[31mb'                        | The title must be one line of at most 200 printable characters.
2 | {task:add a|task:edit 1} --id gh-123         | There is a task called GH-123 already.
2 | task:add a --id 12                           | would be taken for a local number. Write it as GH-12.
2 | task:edit 1                                  | Nothing to change was given.
3 | {task:{show|done}|run:{list|start} --task|learning:add x --task|context} task:9 | There is no task '9'. … (GH-123)
3 | {task:done|run:list --task} GH-9             | There is no task 'GH-9'.
3 | task:edit run:1 --title x                    | 'run:1' is not a task.
2 | task:list --status stuck                     | 'stuck' is not one of 'open', 'done', 'all'.
2 | run:start --agent ''                         | The name of the agent is empty.
3 | {run:finish 9 --outcome failed|run:feedback 9 --helpful 1|context x --run 9} | There is no run '9'. 1 running,
2 | run:finish 1                                 | Missing option '--outcome'. succeeded
2 | run:finish 1 --outcome won                   | 'won' is not one of 'succeeded', 'failed', 'cancelled'.
3 | run:show task:1                              | 'task:1' is not a run.
2 | run:feedback 1 {|--helpful ,}                | Which learnings? Name them with --helpful 3,7
2 | run:feedback 1 --helpful 3 --unhelpful 3     | learning:3 is named as helpful and as unhelpful
3 | run:feedback 1 --helpful 1,99                | There is no learning '99'.
2 | transcript:ingest                            | Missing argument 'FILE|DIR...'.
3 | transcript:ingest nowhere                    | There is no file or directory 'nowhere'.
2 | transcript:ingest . --format word            | 'word' is not one of 'claude-code', 'codex', 'plain'.
2 | {telemetry:prune --keep|config set telemetry.keep} soon | 'soon' is no length of time.
2 | config frobnicate                            | 'frobnicate' is not one of 'show', 'get', 'set'.
2 | config get                                   | Get needs a key.
2 | config set {|embedder}                       | Set needs a
2 | config show embedder                         | Show takes no key; use 'tx config get KEY'.
2 | config get embedder x                        | Get takes no value; use 'tx config set KEY VALUE'.
3 | config {get cochanges.min_suport|set cochanges.min_suport 3} | 'cochanges.min_suport'. … cochanges.min_support
2 | config set cochanges.min_support 3.7         | '3.7' is not a whole number, as cochanges.min_support needs.
2 | config set cochanges.min_support 0           | cochanges.min_support must be at least 1, not 0.
2 | config set search.min_similarity {NaN|1.1}   | search.min_similarity must be from -1 to 1, not
2 | config set cochanges.half_life_days inf      | cochanges.half_life_days must be at least 0, not inf.
2 | config set embedder foo                      | embedder must be all-MiniLM-L6-v2, fastembed:<name> or none
2 | model {|frobnicate}                          | install
2 | model {remove fastembed:x|install other-model} | knows only all-MiniLM-L6-v2
2 | completion tcsh                              | 'tcsh' is not one of 'bash', 'zsh', 'fish'.
2 | setup {|nobody}                              | claude-code
2 | setup cursor {--print --write|--undo --write} | exclude each other. Give one of them.
2 | bench --samples 0                            | The number of samples must be from 1 to 100,000, not 0.
2 | bench --fail-under {1.5|nan}                 | --fail-under must be from 0 to 1, not
2 | bench --fail-under 0.5 --methods bm25        | --fail-under is about ranking.
2 | bench --methods bm52                         | There is no method 'bm52'. bm25
2 | bench --methods ,                            | No method is named.
2 | bench --write                                | --write stores the weights that --tune finds.
2 | learning:add x --confidence={NaN|-1|1.1|inf|-inf|1e999|HUGE} | The confidence must be a number from 0 to 1, not
2 | learning:search x --min-score={-1|1.1}       | The least score must be a number from 0 to 1, not
2 | graph:relate 1 2 --weight={-1|1.1|1e999}     | The weight must be a number from 0 to 1, not
2 | learning:helpful 1 --score={NaN|1.1}         | The score must be a number from 0 to 1, not
2 | learning:add x --confidence {abc|''|1,5|0x1|½} | Invalid value for '--confidence': is not a number.
2 | graph:neighbors 1 --depth {3.7|NaN|1e2|''|two} | Invalid value for '--depth': is not a whole number.
2 | graph:neighbors 1 --max-nodes={0|-1}         | The most nodes to reach must be at least 1, not
2 | graph:analyze-cochanges --max-files={1|-5}   | --max-files must be at least 2, not
2 | graph:analyze-cochanges --min-support=0      | --min-support must be at least 1, not 0.
2 | graph:analyze-cochanges --half-life={NaN|-1|inf|HUGE} | --half-life must be a number of days, 0 or more, not
2 | {learning:{list|recent|search x}|graph:{neighbors|show|history} 1|fact:list} -n {0|10001} | from 1 to 10,000, not
2 | {task:list|graph:cycles|graph:{symbols|cochanges} --all|learning:propose|doc:search x} -n {HUGE|-1} | 1 to 10,000
2 | {graph:neighbors 1|learning:search x --expand} --depth={-1|11|HUGE} | The depth must be from 0 to 10, not
2 | {context x --limit-files|graph:check-changes --min-support} HUGE | is a larger number than can be counted.
2 | graph:neighbors 1 --types-at VAST=IMPORTS    | does not say which types to follow at which hop.
3 | run:show VAST                                | There is no run
3 | graph:link 1 README.md:VAST                  | There is no file
3 | {transcript:ingest|graph:link 1} VAST        | There is no file
3 | transcript:ingest ~nobody/x                  | There is no file or directory '~nobody/x'.
2 | {fact:retract|learning:search|task:add} \udcff | is not valid UTF-8. tx keeps names and texts as UTF-8.
2 | {graph:neighbors 1|learning:search x --expand} --decay={0|-1|1.1|NaN|inf} | The decay must be above 0 and at most 1
"""


def cases() -> Iterator[tuple[int, str, str]]:
    for line in TEXT.strip().replace("\\\n", "").splitlines():
        status, command, said = re.split(r" +\| ", line, maxsplit=1)[0], *line[4:].rsplit(" | ", 1)
        command = command.replace("HUGE", HUGE).replace("LONG", LONG).replace("VAST", VAST)
        readable = re.sub(r"\\(x1b|[trn]|u3000|udcff)", lambda sign: sign[0].encode().decode("unicode_escape"), command)
        yield from ((int(status), one, said) for one in alternatives(readable))


@pytest.fixture(scope="module")
def origin(prepared: Prepared) -> Path:
    return prepared(*STEPS, files=FILES)


def state(root: Path) -> tuple[object, ...]:
    """Return what people wrote and what was made of it."""
    with Database.open(root / ".tx" / "graph.db") as database:
        tables = ("learnings", "file_anchors", "learning_edges", "tasks", "runs", "run_learnings", "entities", "facts")
        rows = [list(database.rows(f"SELECT * FROM {table}")) for table in tables]
    return rows, {
        path: path.read_bytes() for path in [root / ".tx" / "config.toml", *(root / ".tx" / "learnings").iterdir()]
    }


@pytest.fixture(scope="module")
def before(origin: Path) -> tuple[object, ...]:
    return state(origin)


@pytest.mark.parametrize(("status", "command", "said"), [pytest.param(*one, id=one[1][:70]) for one in cases()])
def test_what_makes_no_sense_is_refused_in_words_and_as_json_and_changes_nothing(
    shared: CommandLine, origin: Path, before: tuple[object, ...], status: int, command: str, said: str
) -> None:
    as_json = bool(re.search(r"(?<!--) --json( |$)", command))
    words = shared(command)
    assert (words.status, words.out, words.err.startswith('{"schema": 2, "error"' if as_json else "tx: ")) == (
        status,
        "",
        True,
    )
    for part in re.split(r" … |(?<=[.:?]) ", said):
        assert part in words.err
    assert "Traceback" not in words.err
    assert not as_json or words.err.count("\n") == 1
    if not as_json and "--tsv" not in command and " -- " not in command and command != "-C":
        document = shared(f"{command} --json")
        assert (document.status, document.out, document.err.count("\n")) == (status, "", 1)
        assert document.error.keys() == {"code", "message", "hint", "candidates"}
        assert document.error["message"] in words.err
    assert state(origin) == before
