"""What prose claims about a repository: paths, sections, names of code, options and commands, each where it stands."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple
from urllib.parse import unquote

from tx_graph.documents.document import Format, format_of, tells_of_the_past
from tx_graph.documents.reading import is_path, may_be_here


class ClaimKind(StrEnum):
    """What is claimed to be there."""

    PATH = "path"
    SECTION = "section"
    NAME = "name"
    OPTION = "option"
    COMMAND = "command"


class Claim(NamedTuple):
    """One claim: what it names (`target`), and how that is written in its line, which counts from 1.

    `places` are the repository's paths that it may mean, best first; those of a section have `#slug` behind them. A
    command's `tool` runs it: `npm`, `make`, `just`, `python`; a name's is the language of the block of code that it is
    in, an option's the command before it. What `is_loose` is a claim only if it was true once. What `is_past` stands in
    a section or a table that tells of the past, what `is_record` in an entry of one day, what is `shown` in a block of
    code that this line leads to. What `is_unsure` may well be the reader's or another repository's. A link to this
    repository on its host has a `branch`.
    """

    kind: ClaimKind
    line: int
    written: str
    target: str
    places: tuple[str, ...] = ()
    tool: str = ""
    is_loose: bool = False
    is_link: bool = False
    is_past: bool = False
    shown: int = 0
    is_unsure: bool = False
    is_record: bool = False
    branch: str = ""


AGENT_FILES = re.compile(
    r"(?:.*/)?(?:AGENTS\.md|CLAUDE\.md|GEMINI\.md|\.windsurfrules|\.cursorrules|\.clinerules"
    r"|\.cursor/rules/[^/]+|\.github/copilot-instructions\.md|\.github/instructions/[^/]+\.md)"
)
"""Files that agents are given, in the root or in any directory."""

_FOREIGN = re.compile(
    r"(?:^|/)(?:vendor|vendored|_vendor|(?:third|3rd)[-_]?party|external|extern|node_modules|fixtures?|__fixtures__|testdata"
    r"|test[-_]data|snapshots|__snapshots__|templates?|_templates|cookiecutter|skel\w*|scaffold\w*"
    r"|boilerplate\w*|(?!pull|merge|issue)[\w-]+[-_]template\.\w+|_?backups?|bak|llms(?:-\w+)?\.txt|corpus|[^/]*-\d+(?:\.\d+)+"
    r"|examples?/(?!(?:.*/)?readme)|skills/[^/]+/references"
    r"|corpora|deps|dependencies|(?:__)?(?:auto)?generated(?:__)?|[^/]*\.auto-?gen(?:erated)?\.[^/]*|(?:expected|goldens?)(?:[_-]?(?:outputs?|files?|results?|data|logs?|tests?))?|(?:\w+[_-])?tests?(?:[_-]?(?:data|scripts?|cases?))?/(?!(?:.*/)?readme)|specs?/fixtures|__tests__)(?:/|$|(?<=/))",
    re.IGNORECASE,
)
"""Paths of what others wrote, or of what is no text of this project: fixtures, templates of other projects."""
_HIDDEN = re.compile(r"(?:^|/)\.(?!git(?:hub|lab)/)[^/]+/")
_GIVEN = re.compile(
    r"(?:^|/)(?:(?:agents|commands|instructions|memor(?:y|ies)|prompts|rules|skills)/|readme\b[^/]*$)", re.IGNORECASE
)
"""Paths of what tools and agents keep for themselves, and of what they are given."""
_ASKED = re.compile(r"\.git(?:hub|lab)/.*_template", re.IGNORECASE)  # what a host shows those who write
_OF_DIRECTORY = re.compile(rf"(?:.*/)?README(?:\.\w+)?|{AGENT_FILES.pattern}", re.IGNORECASE)
_OF_PROJECT = re.compile(
    r"^\.|(?:^|/)(?:README|CONTRIBUT|HACKING|DEVELOP)|(?:^|/)(?:dev|internals?|maint\w*|contributors?)/", re.IGNORECASE
)
"""Paths of documents for those who work on the project: others speak of what readers have at home, too."""
_TUTORIAL = re.compile(
    r"(?:^|[/_.-])(?:[a-z]*tutorials?|walk-?throughs?|workshops?|code-?labs?)(?:[/_.-]|$)", re.IGNORECASE
)
"""Paths of documents whose files a reader writes, even where a copy of these was here."""
_FOR_PEOPLE = re.compile(r"(?:^|/)(?:readme|install|contributing|hacking|docs?/)", re.IGNORECASE)
"""Paths of plain text that is prose: other such files may be of any kind."""
_TRANSLATED = re.compile(
    r"(?:^|/)(?:i18n|translations?|locales?|(?:ar|bg|bn|ca|cs|da|de|el|es|fa|fi|fr|he|hi|hu|id|it|ja|jp|ko|kr|nl|no|pl|pt|ro"
    r"|ru|sk|sv|th|tr|uk|ur|uz|vi|zh|cn|tw)(?:[-_][a-z]{2,4})?)/"
    r"|[._-](?:ar|cn|de|es|fa|fr|id|it|ja|jp|ko|kr|nl|pl|pt|ru|tr|tw|uk|vi|zh)(?:[-_][a-z]{2,4})?\.\w+$",
    re.IGNORECASE,
)
"""Paths of translations: but for links they follow the text that they are made of, where the same is told."""
_PAST = re.compile(
    r"\b(?:removed?|removes|removal|renamed?|renam(?:es|ing)|former(?:ly)?|previous(?:ly)?"
    r"|(?<!is )(?<!are )(?<!be )(?<!been )(?<!was )used to|no longer"
    r"|any ?more|replaced|replaces"
    r"|moved|migrat\w+|legacy|deprecat\w+|obsolete|dropped|deleted?|deletes|deleting|gone|instead of"
    r"|was (?:called|named|in|at)|were|"
    r"in the past|old(?:er)?|prior|since v?\d|before v?\d|until|earlier|retired|superseded|supplanted"
    r"|does(?: not|n't) exist|missing|"
    r"there is no|will be|would be|could be|planned|proposed?|future|not yet|TODO"
    r"|split (?:in|into|out|up)|merged (?:from|into)|suggested|lived"
    r"|introduced in|"
    r"as of v?\d|in v?\d+\.\d|version \d|versions? before|backwards?|breaking|upgrad\w+|has been|have been|had)\b",
    re.IGNORECASE,
)
"""Words of sentences that may speak of what was, or is to be."""
_DATED = re.compile(
    r"\b\d+\.\d+|changelog|history|journal|news|\breport$"
    r"|\b(?:files?|changes|tests?|tools?) (?:added|changed|created|made|modified|updated)\b",
    re.IGNORECASE,
)
"""Words of titles of what tells of one version, or of what was done."""
_IMAGINED = re.compile(
    r"\b(?:e\.?g\.|say,)|\b(?:can be|for example|example:|such as|imagine|suppose|assum\w+|let's"
    r"|your (?:own )?(?:project|app|application|file|plugin|repo\w*|package|code|site|theme)"
    r"|you(?:'d| could| might| would)|hypothetical|(?:is|are|be|gets?) (?:creat|writ|produc|generat)\w+)\b",
    re.IGNORECASE,
)
"""Words of sentences about files that need not be here: those of the reader's project."""
_SUCH = re.compile(r"\b(?:for example|examples?:|e\.g\.)", re.IGNORECASE)
"""What leads to a list of what need not be here."""
_ELSEWHERE = re.compile(
    r"\b(?:in|from|of) (?:the|an?|its|their|another) (?!(?:this|same|current|root|main|git|github|whole|own)\b)"
    r"[\w.`/-]+ (?:source(?:s| tree| code)|repo(?:sitory|s)?|distribution|checkout)\b",
    re.IGNORECASE,
)
"""Words of sentences about files of another repository."""
_MADE = re.compile(
    r"\b(?:(?:create|creates|creating|generat\w+|output|named|called|new file)\b|(?:an?|any|each|not|never)\W*$"
    r"|(?:add|configure|define|paste|place|put|set|write)\b[^`.]{0,80}\b(?:in|inside|into|to)(?: the)?\W*$)",
    re.IGNORECASE,
)
"""Words before what a reader or a program makes or adds to, before any one of its kind, and before what it is not."""
_EDITED = re.compile(r"\b(?:edit|open|modify|update)\b[^.]{0,40}$", re.IGNORECASE)
_ADDED = re.compile(r"^[^.]{0,20}\b(?:and|to) (?:add|set|paste|include|insert)\b", re.IGNORECASE)
"""Words before and after a file that a reader is told to add to."""
_EXEMPLARY = re.compile(r"\be\.g\.|\b(?:for example|such as|GOOD|BAD)\b")  # how one may name something
_RETIRED = re.compile(
    r"\*\*(?:[^*\n]{0,12}\bstatus\b[^*\n]{0,12})?(?:deprecated|archived|removed|obsolete)"
    r"|\.\. deprecated::|\bhistorical purposes\b"
    r"|\bsuperseded by\b|\bdo not (?:edit|modify) this file\b|\bauto-?generated from\b"
    r"|^\W*(?:this (?:document|file|index|page|reference)\b.{0,20})?auto(?:matically)?[- ]?generated\b"
    r"(?!-|.{0,40}\b(?:begin|start))"
    r"|\bthis (?:design|document|page|guide|tool|package|module|project|proposal|repository)\b.{0,60}"
    r"\b(?:deprecated|outdated|obsolete|archived|removed|no longer)\b",
    re.IGNORECASE,
)
_TEMPLATE = re.compile(
    r"\b(?:bootstrapped|scaffolded) (?:by|from|using|with)\b|\bproject was generated\b", re.IGNORECASE
)
"""What a program says that begins projects, in the text it leaves there: what that names need not be kept."""
_OF_A_DAY = re.compile(
    r"\W*(?:\w+ )?(?:date|generated)(?: on)?\W*:(?:[^\d\n]{0,20}|.{0,18}\b)20\d\d(?:\d{4})?\b|# .*\b20\d\d-\d\d-\d\d\b",
    re.IGNORECASE,
)
"""What a report says below its title of the day that it was written for."""
_CLOSED = re.compile(
    r"\W*+(?:current )?status\W++(?:accepted|cancell?ed|closed|completed?|done|fixed|implemented|landed|merged"
    r"|rejected|resolved|(?:in )?review|shipped|superseded|withdrawn)\b",
    re.IGNORECASE,
)
"""What a task, a plan or a decision says of itself when it is over."""
_DONE = re.compile(r"\s*+(?:[-*+]|\d+[.)])?\s*+(?:\[x\]|\N{WHITE HEAVY CHECK MARK})", re.IGNORECASE)
"""The beginning of what was to be done, and is."""
_BACKS = ("[[Back to", "_Appears in:_", "*Defined in [", "\N{BLACK RIGHT-POINTING SMALL TRIANGLE} **")
"""What generators of references put into their pages: those of OpenAPI, Kubernetes and TypeScript."""
_MANY_LINES = 20  # links to lines of code
MOST_HEAD = 25  # lines in which a document says what it is
_LOCALE = re.compile(r"/[a-z]{2}(?:-[a-z]{2,4})?/")  # what sites serve in another language where there is none
_RUNNERS = frozenset(
    "pytest py.test python python3 node bash sh zsh source . ruby perl deno bun tsx ts-node php -r -f run cd".split()
)
_COMMENT = re.compile(
    r"(?:^|\s)(?://|#|--|/?\*+|<!--)\s+(?!(?i:contents? of|file(?:name)?:?)\s)\S+\s+\S.*"
)  # else it says which file a listing would be, and so does a path alone
_RUNNABLE = re.compile(
    r"(?:^|/)[^./]*(?:\.(?:sh|bash|bat|cmd|ps1|py|js|mjs|pl|rb))?$"
)  # others are what a program prints
_PLACEHOLDER = re.compile(
    r"[<>{}$*?|\\…%\"'=]|\.\.\.|(?:^|[/_.-])(?:path/to|my[-_]\w+|my(?:app|lib|library|module|package|plugin|project)|your[-_]?\w*|foo\w*|bar|baz|qux|spam|eggs|xxx+"
    r"|example|sample|dummy"
    r"|some[-_]\w+|placeholder|(?:user(?:name)?|owner)(?!-)|hello\w*|x\.\w+)(?:[/_.-]|$)",
    re.IGNORECASE,
)

_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_ROLE = re.compile(r":(?P<role>[\w:+.-]{1,60}):`(?P<text>[^`\n]+)`")
_LINKED = re.compile(r"\]\(\s*<?(?P<to>[^()\s<>]+(?:\([^()\s]*\)[^()\s<>]*)*)>?(?:\s+[\"'(][^)]*)?\)")
_DEFINED = re.compile(r"^\s{0,3}\[(?!\^)(?P<label>[^\]]+)\]:\s*<?(?P<to>[^\s<>]+)>?")
_INCLUDED = re.compile(
    r"(?P<how>--8<--\s+[\"']|\{\{\s*#?(?:rustdoc_)?include\s+|\{\{[<%]\s*(?:rel)?ref\s+[\"']|^\s*```\w*\s+file=[\"']?)(?P<to>[\w@./-]+)"
)
"""What generators of sites put in from elsewhere, or link to."""
_LABEL = re.compile(r"(?<=\[)[^\[\]]+(?=\])")
_ATTRIBUTE = re.compile(r"\b(?:href|src)\s*=\s*[\"'](?P<to>[^\"'\s]+)[\"'](?!\s*></a>)")  # an empty one links nothing
_RST_LINKED = re.compile(r"`[^`<]*<(?P<to>[^<>`\s]+)>`__?|^\s*\.\. _[^:]+:\s+(?P<defined>\S+)\s*$")
_REFERENCE = re.compile(r"`([^`<>\n]{1,200})`_|(?<![\w`])(\w[\w.-]{0,80})_(?!\w)")
_RST_DEFINED = re.compile(r"\s*\.\. _([^:]+):\s+\S+\s*$")
_RST_FILE = re.compile(r"^\s*\.\. (?:literalinclude|include|image|figure)::\s+(?P<to>\S+)\s*$")
_STRUCK = re.compile(r"~~[^~]+~~")
_MONTH = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?"
_DAY = (
    rf"(?:20\d\d ?[-/.\u5e74] ?(?:0?[1-9]|1[0-2]) ?[-/.\u6708] ?\d\d?(?!\d)"
    rf"|\b{_MONTH} \d\d?(?:st|nd|rd|th)?,? 20\d\d\b|\b\d\d? {_MONTH},? 20\d\d\b)"
)
_ENTRY = re.compile(rf"(?P<indent>[ \t>]*+)(?:[-*+|]|\d{{1,3}}[.)])?[ \t*_`(\[]*+{_DAY}", re.IGNORECASE)
_DAYS = re.compile(_DAY, re.IGNORECASE)
"""The beginning of an entry that tells what was done on one day, and what titles of such sections have."""
_FENCE = re.compile(r"^(?P<indent>[ \t>]*)(?P<sign>```+|~~~+)\s*\{?(?P<lang>[\w+-]*)")
_RST_BLOCK = re.compile(
    r"^(?P<indent>\s*+)(?:\.\. (?:code-block|code|sourcecode|parsed-literal)::\s*(?P<lang>\w*)|.*(?<!:)::\s*)$"
)
_HEADING = re.compile(r"^(#{1,6})\s+(?P<title>\S.*)$")
_TITLE = re.compile(r"^title():\s*(?P<title>\S.*)$")
_NAMED = re.compile(r"(?<!\S)\S*[/_]\S*|--\S+")
_BEGINS = re.compile(r"\s*(?:[-*+|#>]|\d+[.)])\s?")
_ENDS = re.compile(r"[.!?:](?=\s+[A-Z`\[*_])")
_UNDERLINE = re.compile(r"^([=\-~^\"'*+#.`_])\1{2,}\s*$")
_PRINTED = frozenset("diff log mermaid none output patch plantuml text".split())
_PRINTS = re.compile(r"\b(?:outputs?|prints?|printed|similar to|looks? like)\b", re.IGNORECASE)
_READERS = re.compile(r"(?:^|[^A-Za-z])(?:my|your)[-_]\w+")  # what a reader would call something
_SHELL = frozenset("bash sh shell console zsh fish shell-session shellsession terminal cmd".split())
_HOSTS = r"https?://(?:www\.)?(?:github\.com|raw\.githubusercontent\.com|gitlab\.com)/"
_WORD = re.compile(r"(?<![\w/.@:~$%{<\\=-])\.{0,2}/?(?:[\w@.+-]+/)+[\w@.+-]*\w(?![\w/<*{$(%:\\])")
_ABROAD = re.compile(r"\[[^\[\]]*\]\(https?://[^()\s]*\)")  # what it names is told there
_TITLED = re.compile(r"\[(?P<label>[^\[\]]+)(?P<link>\]\((?P<to>[^()\s]+)\))")
_SHORT = re.compile(r"\[([^\[\]]+)\](?![(:])(?:\[\])?")  # a link whose label a definition leads on
_BARE = re.compile(r"(?<![\w/.@:~$%{<\\=-])[\w-]+\.[a-z]\w{0,7}(?![\w/<*{$(%:\\-]|\.\w)")  # beside the document
_FILE = re.compile(r"\.{0,2}/?[\w@+-]+/(?:[\w.@+-]+/)*[\w.@+-]*\w\.[A-Za-z]\w{0,7}")  # of what kind, history tells
_LINE_NUMBER = re.compile(r"(?::\d+(?:-\d+)?(?::\d+)?|#L\d+(?:-L?\d+)?)$")
_SYMBOL = re.compile(r"(\.\w+):([A-Za-z_]\w*(?:\(\))?)$")  # behind the file that has it
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z\d]+(?:-[a-z\d]+)*(?![\w-])")
_JOINT = re.compile(r"\.|::|#|->")
_CHAIN = re.compile(r"(?<![\w/@$~%&\\-])[A-Za-z_]\w*+(?:(?:\.|::|#|->)[A-Za-z_]\w*+)*+")
_TELLING = re.compile(
    r"[A-Za-z\d]+_[A-Za-z\d_]+|_+[a-z]\w+|[A-Z]?[a-z\d]++(?:[A-Z]++[a-z\d]*+)++|[A-Z]{2,}[a-z]{2,}\w*"
)
_PART = re.compile(r"[A-Z]?[a-z\d]+|[A-Z]+(?![a-z])")
_LEAST_NAME = 5
_DEEPEST = 6  # level of a heading
_MOST_LABEL = 3  # words before a colon that say what the rest is: `- Removed: ...`
_MOST_BEFORE = 6  # lines of a paragraph that one sentence may take
_OTHER_ROLES = frozenset("ref numref term doc file pep rfc issue pr gh ghissue commit user math abbr".split())
_RUN = {
    "npm": re.compile(r"\b(?:npm|pnpm|yarn|bun) run (?!-)(?P<name>[\w:.-]+)"),
    "make": re.compile(r"(?:^|[;&|]\s*|\$ )(?:make)\s+(?!-)(?P<name>[a-z][\w.-]*)(?=\s*$|\s*[;&|#])"),
    "just": re.compile(r"(?:^|[;&|]\s*|\$ )just\s+(?!-)(?P<name>[a-z][\w-]*)(?=\s*$|\s*[;&|#])"),
    "python": re.compile(r"\b(?:poetry|uv|pdm|hatch|rye) run (?!-)(?P<name>[a-z][\w-]*)(?![\w./:-])"),
}
_GENERATED = frozenset("all check clean dist distclean install test uninstall".split())  # `configure` may make these
_COMMENTED = re.compile(r"<!--(?P<said>(?:(?!<!--|-->).)*)-->")
_PROGRAM = re.compile(
    r"generated|do not (?:edit|modify)|^\s*(?!\S*ignore)(?:[\w.-]+:(?:start|begin)\b|begin[_-]\w+)", re.IGNORECASE
)
"""What comments say around what a program writes: `tool:start`, `BEGIN_TOOL`."""
_END = re.compile(r"(?:\b|_)end(?:\b|_)|^\s*/", re.IGNORECASE)
_PATCHES = re.compile(r"(?:\+\+\+|---|\*\*\*|Index:|diff) \S")  # the file that a quoted patch changes
_PROMPT = re.compile(r"(?:\([\w.-]+\) ?)?[\w.@:~/-]*\$>? ")  # with the environment and the directory, for some
_MAKES = re.compile(
    r"(?:^|[\s$])(?:touch|mkdir|cat\s*>|tee|curl|wget|git (?:add|clone)|tar|unzip|mktemp|ln|mv|cp|echo|rm|export"
    r"|docker|EDITOR|nano|vim?)\b|>\s*\S"
)
_CLONED = re.compile(r"\bgit clone\s(?P<what>.*)")
_SLASH_COMMAND = re.compile(r"/[\w:-]+(?:\s|$)")
_CHANGE = re.compile(r"(?:^|[;&$]\s*)(?:cd|pushd)\s+(?P<to>[^\s;&|]+)")
ENDINGS = (".md", ".mdx", ".rst", ".markdown", ".txt")


def is_checked(path: str) -> bool:
    """Return whether what a document says may be told to be untrue: it is of now, no template, and nobody else's."""
    found = format_of(path)
    is_prose = found is not None and (found is not Format.TEXT or bool(_FOR_PEOPLE.search(path)))
    is_kept = _HIDDEN.search(path) and not _GIVEN.search(path)
    is_record = tells_of_the_past(path) and not _ASKED.match(path)  # what was written for its day nobody mends
    is_other = _FOREIGN.search(path) or is_kept or is_record
    return bool(AGENT_FILES.fullmatch(path)) or (is_prose and not is_other)


class Prose:
    """The text of one document, read for what it claims. `project` is `owner/name`, under which hosts show it."""

    def __init__(self, path: str, text: str, project: str = "") -> None:
        self.path = path
        self.text = text
        self.directory = posixpath.dirname(path)
        self.is_translated = not AGENT_FILES.fullmatch(path) and bool(_TRANSLATED.search(path))
        self.lines = text.split("\n")
        self.is_rst = format_of(path) is Format.RST
        self.is_plain = format_of(path) is Format.TEXT
        self.owner, _, name = project.lower().partition("/")
        branches = "(?:blob|tree|raw|edit)?/?(?P<branch>main|master|HEAD|trunk|develop|dev|next)"
        own = rf"{_HOSTS}(?P<owner>[\w.-]+)/(?P<name>[\w.-]+)/(?:-/)?{branches}/(?P<to>[^\s\"'<>()\[\]`#?,]+)"
        self.own = re.compile(own if name else r"(?!)", re.IGNORECASE)
        self.bases = [self.directory, ""]
        self.has_prompts = False  # the lines of a block before this one: those without are what a program prints
        self.level = 0  # of the last heading
        self.abroad = 0  # the level of the section in which another repository was cloned: up to the next one above it
        self.name = name
        sign = self.lines[0]
        self.front = self.lines.index(sign, 1) + 1 if sign in ("---", "+++") and sign in self.lines[1:] else 0

    def claims(self) -> Iterator[Claim]:
        """Yield each claim once for each line that makes it; of a translation its links alone."""
        seen: set[tuple[int, str, ClaimKind]] = set()
        is_template = any(_TEMPLATE.search(line) for line in self.lines[:MOST_HEAD])
        for claim in self._claims():
            key = (claim.line, claim.written, claim.kind)
            if key not in seen:
                seen.add(key)
                is_loose, is_unsure = claim.is_loose or self.is_translated, claim.is_unsure or is_template
                yield claim._replace(is_loose=is_loose, is_unsure=is_unsure)

    def excuses(self, claim: Claim) -> bool:
        """Whether a claim need not hold: it is of the past, of what is to come, or of what the reader may make."""
        if claim.is_link:  # one that leads nowhere does so whatever its sentence speaks of
            return False
        line = self.lines[claim.line - 1]
        if claim.shown:
            told = "".join(self._sentence(claim.shown, len(self.lines[claim.shown - 1])))
            comment = _COMMENT.search(line)
            is_printed = claim.kind is ClaimKind.NAME and (_PRINTS.search(told) or _READERS.search(line))
            return claim.is_past or bool(is_printed or _PAST.search(told) or (comment and _PAST.search(comment[0])))
        before, after = self._sentence(claim.line, line.find(claim.written))
        below = self.lines[claim.line : claim.line + _MOST_BEFORE]
        if _HEADING.match(line) or (below and _UNDERLINE.match(below[0])):  # what it names, the text below tells of
            after = " ".join((after, *below))
        unsure = _IMAGINED if claim.kind is ClaimKind.PATH else _EXEMPLARY if claim.kind is ClaimKind.NAME else None
        is_added_to = _EDITED.search(before) and _ADDED.search(after)
        is_made = claim.kind is ClaimKind.PATH and (is_added_to or _MADE.search(before))
        words = f"{before} {after}"
        is_imagined = unsure and unsure.search(words)
        is_elsewhere = claim.kind is ClaimKind.PATH and _ELSEWHERE.search(words)
        is_past = claim.is_past or _DONE.match(line) or _PAST.search(words)
        return bool(is_past or is_made or is_imagined or is_elsewhere)

    def _claims(self) -> Iterator[Claim]:
        fence, language, indent = "", "", -1
        said, shown = 0, 0  # the last line of prose, and the one that leads to a block of code
        signs, comments, tense = list[str](), _Comments(), _Tense()
        for number, whole in enumerate(self.lines, start=1):
            line = whole if fence or self.is_rst else comments.visible(whole)
            stripped = line.strip()
            if not fence and indent >= 0 and stripped and len(line) - len(line.lstrip()) <= indent:
                indent = -1
            if indent < 0 and (found := _FENCE.match(line)) and not self.is_rst:
                if not fence:
                    fence, language, shown = found["sign"], found["lang"].lower(), said or number
                    for included in _INCLUDED.finditer(line):
                        yield from self._link(number, included["to"])
                    self.bases, self.has_prompts = [self.directory, ""], False
                    continue
                if found["sign"].startswith(fence) and not found["lang"]:
                    fence = ""
                    continue
            if fence or indent >= 0:
                if taken := _INCLUDED.match(stripped):
                    yield from self._link(number, taken["to"])
                for claim in self._shown(number, line, language) if not self.is_translated else ():
                    yield claim._replace(is_past=tense.is_told, is_record=tense.is_record, shown=shown)
                continue
            if self.is_rst and (found := _RST_BLOCK.match(line)):
                indent, language = len(found["indent"]), (found["lang"] or "").lower()
                shown = said if said and stripped.startswith("..") else number
                self.bases, self.has_prompts = [self.directory, ""], False
            said = number if stripped else said
            is_above = self.front <= number < len(self.lines) and stripped
            under = _UNDERLINE.match(self.lines[number]) if is_above else None
            if heading := under or (_TITLE if number < self.front else _HEADING).match(line):
                sign, is_first = heading[1] or "", not signs
                signs += [sign] if sign not in signs else []
                level = self.level = signs.index(sign) + 1 if under else len(sign)
                self.abroad = self.abroad if level >= self.abroad else 0
                tense.begin(stripped if under else heading["title"], level, is_first=is_first)
            tense.read(line)
            for claim in self._told(number, line):
                yield claim._replace(is_past=tense.is_past, is_record=tense.is_record)

    @cached_property
    def _is_of_site(self) -> bool:
        """Whether a site shows the document, which has rules of its own by which its links find what they mean."""
        is_shown = self._is_of_project or self.path.endswith("SKILL.md")
        return not is_shown and (self.front > 0 or self.path.endswith(".mdx"))

    @cached_property
    def is_instruction(self) -> bool:
        """Whether people or agents go by the document when they work on the project, so that it is no record."""
        if AGENT_FILES.fullmatch(self.path) or self.path.endswith("SKILL.md"):
            return True
        is_guide = self.path.startswith(".") or bool(_OF_PROJECT.search(posixpath.basename(self.path)))
        return is_guide and not self.path.startswith(".github/")

    @cached_property
    def _is_of_project(self) -> bool:
        """Whether the document is for those who work on the project, agents among them."""
        return bool(_OF_PROJECT.search(self.path) or AGENT_FILES.fullmatch(self.path))

    @cached_property
    def _is_linked_as_own(self) -> bool:
        """Whether the document links this repository under the name that it has, so that others are others."""
        return any(
            one["owner"].lower() == self.owner and one["name"].lower() == self.name
            for one in self.own.finditer(self.text)
        )

    @cached_property
    def _is_listing(self) -> bool:
        """Whether a document links so many lines of code that a program will have written it."""
        return self.text.count("#L") >= _MANY_LINES

    @cached_property
    def _led_abroad(self) -> frozenset[str]:
        """Labels in small letters, that definitions lead to addresses: what they name is told there."""
        found = (_DEFINED.match(line) for line in self.lines if "://" in line)
        return frozenset(one["label"].lower() for one in found if one and "://" in one["to"])

    @cached_property
    def _labels(self) -> Counter[str]:
        """How often each text stands in brackets, in small letters."""
        return Counter(label.lower() for label in _LABEL.findall(self.text))

    def _is_unused(self, line: str) -> bool:
        """Whether a line defines where something leads that nothing uses: that shows nobody anything."""
        if self.is_rst:
            found = _RST_DEFINED.match(line)
            return found is not None and not self._references[folded(found[1])]
        found = _DEFINED.match(line)
        return found is not None and self._labels[found["label"].lower()] == 1

    @cached_property
    def _references(self) -> Counter[str]:
        """How often a text of reStructuredText is linked by its name, folded."""
        return Counter(folded(one[1] or one[2]) for one in _REFERENCE.finditer(self.text))

    @cached_property
    def is_retired(self) -> bool:
        """Whether a document says that it, or what it is about, is of the past, of one day, or what a program wrote."""
        head = self.lines[:MOST_HEAD]
        is_of_a_day = not self.is_instruction and any(_OF_A_DAY.match(line) for line in head[self.front :])
        return any(back in self.text for back in _BACKS) or is_of_a_day or any(_RETIRED.search(line) for line in head)

    def _sentence(self, number: int, place: int) -> tuple[str, str]:
        """Return the sentence that a place of a line is in up to it and from it, with what the lines beside it have."""
        line = self.lines[number - 1]
        first = number - 1
        while first > max(0, number - _MOST_BEFORE) and self._goes_on(first - 1):
            first -= 1
        before = " ".join(self.lines[first : number - 1])
        after = self.lines[number] if number < len(self.lines) and self._goes_on(number - 1) else ""
        at = len(before) + 1 + max(place, 0)
        words = f"{before} {line} {after}"
        label, start = ([0, 0] + [found.end() for found in _ENDS.finditer(words, 0, at)])[-2:]
        if words[label:start].endswith(":") and len(words[label:start].split()) <= _MOST_LABEL:
            start = label
        end = _ENDS.search(words, at)
        parts = [words[start:at], words[at : end.start() if end else len(words)]]
        if parts[0].count("`") % 2:  # what stands behind a span that is cut is not between two of them
            parts[1] = parts[1].partition("`")[2]
        before, after = (_NAMED.sub(" ", _LINKED.sub("]", _SPAN.sub("`", one))) for one in parts)
        return before, after  # what is named tells no time

    def _goes_on(self, place: int) -> bool:
        """Whether the line after a place goes on with what stands there."""
        line, following = self.lines[place], self.lines[place + 1]
        return bool(line.strip() and following.strip()) and not _BEGINS.match(following)

    def _shown(self, number: int, line: str, language: str) -> Iterator[Claim]:
        """Yield what a line of a block of code claims."""
        code = line.strip()
        prompt = _PROMPT.match(code)
        if language in _SHELL or prompt:
            is_input = prompt or not self.has_prompts or self.lines[number - 2].endswith("\\")
            self.has_prompts = self.has_prompts or prompt is not None
            yield from self._shell(number, code[prompt.end() if prompt else 0 :]) if is_input else ()
            return
        if found := _COMMENT.search(line):
            yield from self._words(number, found[0])
        if language not in _PRINTED and (language or self.is_rst):  # without a language it may be what is printed
            yield from (one._replace(tool=language) for one in self._names(number, line, is_loose=True))

    def _told(self, number: int, line: str) -> Iterator[Claim]:
        """Yield what a line of prose claims."""
        if _PATCHES.match(line) or self._is_unused(line):
            return
        line = _STRUCK.sub(" ", line)
        rest = _ABROAD.sub(" ", line)
        rest = _TITLED.sub(lambda one: f" {one['link']}" if _is_title(one["label"], one["to"]) else one[0], rest)
        if self._led_abroad:
            rest = _SHORT.sub(lambda one: " " if one[1].lower() in self._led_abroad else one[0], rest)
        for found in self.own.finditer(line):
            written = found["to"].rstrip(".,;:/*")
            to = unquote(written)
            # A project that changed hands is still linked under its old owner; what has no directory may be anybody's.
            is_own = found["name"].lower() == self.name
            is_meant = "/" in to or (is_own and found["owner"].lower() == self.owner)
            if to and is_meant and not _is_placeholder(to):
                claim = Claim(ClaimKind.PATH, number, written, to, (to,), is_link=True, branch=found["branch"])
                # It may have been called otherwise, have this of another one, or be a copy of that beside it.
                is_anothers = self._is_linked_as_own and found["owner"].lower() != self.owner
                is_unsure = self._is_listing or not is_own or is_anothers
                yield claim._replace(is_unsure=is_unsure, is_loose=not is_own)
        links = [_LINKED, _DEFINED, _ATTRIBUTE] if not self.is_rst else [_RST_LINKED, _RST_FILE]
        for found in _INCLUDED.finditer(line):
            is_found = "ref" in found["how"]  # wherever it is, by its name
            yield from (one._replace(is_unsure=one.is_unsure or is_found) for one in self._link(number, found["to"]))
        for pattern in links if not self.is_plain else []:
            for found in pattern.finditer(line):
                to = found.groupdict().get("to") or found.groupdict().get("defined") or ""
                # From where a site shows the page, for what makes that leaves HTML as it is.
                is_served = pattern is _ATTRIBUTE and not self._is_of_project
                yield from (one._replace(is_unsure=one.is_unsure or is_served) for one in self._link(number, to))
            rest = pattern.sub(" ", rest)
        if self.is_translated:
            return
        if self.is_rst:
            for found in _ROLE.finditer(rest):
                yield from self._role(number, found["role"], found["text"])
            rest = _ROLE.sub(" ", rest)
        for found in _SPAN.finditer(rest):
            if not self.is_rst or len(found[1]) > 1:
                yield from self._code(number, found[2].strip())
        rest = re.sub(r"(?<!\S)\S*://\S*", " ", _SPAN.sub(" ", rest))
        yield from self._words(number, rest)
        yield from self._names(number, rest, is_loose=True)

    def _words(self, number: int, text: str) -> Iterator[Claim]:
        for found in _WORD.finditer(text):
            word = _LINE_NUMBER.sub("", found[0].rstrip("."))
            if _FILE.fullmatch(word):
                yield from self._file(number, word)
        for found in _BARE.finditer(text):
            if is_path(found[0]):
                yield from self._file(number, found[0])

    def _link(self, number: int, to: str) -> Iterator[Claim]:
        if not may_be_here(to) or "{" in to or to.startswith(("@", "$", "<", "~")) or _is_answered(to):
            return
        path, _, part = to.partition("#")
        path, part = unquote(path.partition("?")[0]), unquote(part)
        if _is_placeholder(path):
            return
        if path:
            places = tuple(_roots(self.directory, path))
            if "." not in posixpath.basename(path) and not path.startswith("/"):
                # Sites show a document as a directory, so that its links begin there.
                places += (posixpath.normpath(posixpath.join(posixpath.splitext(self.path)[0], path)),)
            written = to.partition("#")[0].partition("?")[0]
            is_unsure = self._is_of_site or ("/" not in path and "." not in path)  # a label, for some
            yield Claim(ClaimKind.PATH, number, written, path, with_endings(places), is_link=True, is_unsure=is_unsure)
        if (
            part
            and not tells_of_the_past(path)
            and not _LINE_NUMBER.search(f"#{part}")
            and (not path or path.endswith((".md", ".mdx", ".rst")))
        ):
            own = [self.path] if not path else list(_roots(self.directory, path))
            yield Claim(ClaimKind.SECTION, number, to, part, tuple(f"{one}#{part}" for one in own), is_link=True)

    def _role(self, number: int, role: str, text: str) -> Iterator[Claim]:
        is_elsewhere = role.startswith("external")
        inner = text.rpartition("<")[2].rstrip(">").lstrip("~!") if "<" in text else text.lstrip("~!")
        role = role.rpartition(":")[2]
        if role == "download":
            yield from self._link(number, inner)
        elif role == "doc" and not is_elsewhere:
            places = with_endings(tuple(_roots(self.directory, inner)))
            is_unsure = "/" not in inner  # another project's, by an inventory of its documents
            yield Claim(ClaimKind.PATH, number, inner, inner, places, is_unsure=is_unsure)
        elif role not in _OTHER_ROLES and "{" not in inner:
            yield from self._code(number, inner)

    def _code(self, number: int, code: str) -> Iterator[Claim]:
        yield from self._commands(number, code)
        yield from self._options(number, code)
        path, _, symbol = _SYMBOL.sub(r"\1::\2", _LINE_NUMBER.sub("", code)).partition("::")
        if " " not in code and (is_path(path) or re.fullmatch(r"\.?/?(?:[\w.@-]+/)+", path)):
            yield from self._file(number, path)
            yield from self._names(number, symbol)
        else:
            yield from self._names(number, code)

    def _file(self, number: int, path: str) -> Iterator[Claim]:
        bare = path.removeprefix("./").rstrip("/")
        is_beside = "/" not in bare.replace("../", "")
        # Readers may have such a file as well, unless this document tells of its own directory or how to work on it.
        is_dotted = bare.startswith(".") and not bare.startswith("../")
        is_of_directory = self.directory and not is_dotted and _OF_DIRECTORY.fullmatch(self.path)
        is_anybodys = not is_of_directory if is_beside else is_dotted and not self._is_of_project
        is_unsure = is_anybodys or bool(_TUTORIAL.search(self.path) or _PLACEHOLDER.search(path))
        if _is_placeholder(path) or path.startswith(("~", "/", "@")):
            return
        bases = [self.directory] if is_beside else ["", *self.bases]
        places = tuple(dict.fromkeys(posixpath.normpath(posixpath.join(one, path)) for one in bases))
        kept = tuple(one for one in places if not one.startswith("../"))
        is_loose = is_beside or is_unsure
        yield Claim(ClaimKind.PATH, number, path.rstrip("/"), bare, kept, is_loose=is_loose, is_unsure=is_unsure)

    def _names(self, number: int, text: str, *, is_loose: bool = False) -> Iterator[Claim]:
        """Yield the names of code in a text: only those whose writing tells them from words of a language."""
        for found in _CHAIN.finditer(text):
            if text.startswith(("/", "-"), found.end()) or is_path(found[0]) or _PLACEHOLDER.search(found[0]):
                continue
            parts = _JOINT.split(found[0])
            is_called = text.startswith("(", found.end()) or len(parts) > 1
            for place, part in enumerate(parts, start=1):
                if is_telling(part):
                    target = ".".join(parts[:place])
                    yield Claim(ClaimKind.NAME, number, part, target, is_loose=is_loose or not is_called)

    def _options(self, number: int, code: str) -> Iterator[Claim]:
        for found in _OPTION.finditer(code):
            command = re.split(r"[|;&]", code[: found.start()])[-1]
            yield Claim(ClaimKind.OPTION, number, found[0], found[0], tool=command.strip())

    def _commands(self, number: int, code: str) -> Iterator[Claim]:
        for tool, pattern in _RUN.items():
            for found in pattern.finditer(code):
                if not _PLACEHOLDER.search(found["name"]) and not (tool == "make" and found["name"] in _GENERATED):
                    yield Claim(ClaimKind.COMMAND, number, found["name"], found["name"], tool=tool)

    def _shell(self, number: int, line: str) -> Iterator[Claim]:
        if line.startswith("#") or _SLASH_COMMAND.match(line):  # of an agent: with it goes whatever one may ask for
            return
        if self.bases and not self.abroad:
            elsewhere = () if self.bases == [self.directory, ""] else tuple(self.bases)
            yield from (one._replace(places=elsewhere) for one in self._commands(number, line))
        if not line.startswith("-"):  # what a program prints of its options, of whatever program
            yield from self._options(number, line)
        cloned = _CLONED.search(line)
        if cloned and self.name not in re.split(r"/|\.git\b|\s", cloned["what"].lower()):
            self.abroad = self.level or _DEEPEST + 1
        if found := _CHANGE.search(line):
            to = found["to"].strip("\"'")
            self.bases = [posixpath.normpath(posixpath.join(one, to)) for one in self.bases]
            if to == "-" or _PLACEHOLDER.search(to):
                self.bases = []
        if _MAKES.search(line) or self.abroad:
            return
        before = ""
        for word in re.split(r"[\s;|&()\"']+", line):
            bare = word.removeprefix("./")
            is_here = not word.startswith(("-", "/", "~", "@", "../")) and "://" not in word
            is_run = (
                before in _RUNNERS or (not before and "/" in word and _RUNNABLE.search(word)) or _FILE.fullmatch(word)
            )
            before = word
            if is_run and self.bases and is_here and is_path(bare) and not _is_placeholder(bare):
                bases = self.bases if "/" in word else self.bases[:1]
                places = dict.fromkeys(posixpath.normpath(posixpath.join(one, word)) for one in bases)
                inside = tuple(one for one in places if not one.startswith("../"))
                is_example = bool(_PLACEHOLDER.search(bare))
                is_loose = is_example or "/" not in word
                yield Claim(ClaimKind.PATH, number, bare, bare, inside, is_loose=is_loose, is_unsure=is_example)


class _Tense:
    """Reads a document line by line for what tells of the past, or of one day.

    That is by headings, the heads of tables, what leads to a list, dates, and what says that something is over.
    """

    def __init__(self) -> None:
        self._level = 0
        self._past = self._day = -1  # the level of the section
        self._entry = -1  # how far it is in
        self._header = self._lead = ""
        self._is_listed = False

    @property
    def is_told(self) -> bool:
        """Whether the section tells of the past."""
        return self._past >= 0 or self._day >= 0

    @property
    def is_record(self) -> bool:
        """Whether the section or the entry of a list is of one day."""
        return self._day >= 0 or self._entry >= 0

    @property
    def is_past(self) -> bool:
        """Whether the line tells of the past."""
        return self.is_told or self.is_record or self._is_listed

    def begin(self, title: str, level: int, *, is_first: bool) -> None:
        """Read a heading."""
        self._level = level
        if self._day < 0 or level <= self._day:
            self._day = level if _DAYS.search(title) else -1
            if _CLOSED.match(title):  # it speaks for the section that it stands in
                self._day = max(level - 1, 1)
        if self._past < 0 or level <= self._past:  # what the first title tells of is what the whole document does
            is_told = _PAST.search(title) or _DATED.search(title)
            self._past = (0 if is_first else level) if is_told else -1

    def read(self, line: str) -> None:
        """Read a line."""
        if self._day < 0 and _CLOSED.match(line):
            self._day = max(self._level, 1)
        stripped = line.strip()
        if found := _ENTRY.match(line):
            self._entry = len(found["indent"])
        elif stripped and len(line) - len(line.lstrip()) <= self._entry:
            self._entry = -1
        self._header = (self._header or stripped) if stripped.startswith("|") else ""
        if stripped and not _BEGINS.match(line):  # what leads to a list tells of what is in it
            self._lead = stripped if stripped.rstrip("*_").endswith(":") else ""
        leads = _PAST.search(self._header) or _PAST.search(self._lead) or _SUCH.search(self._lead)
        self._is_listed = leads is not None


class _Comments:
    """Reads a document line by line, without its comments and what these say that a program wrote."""

    def __init__(self) -> None:
        self._is_open = self._is_written = False

    def visible(self, line: str) -> str:
        """Return what readers see of the next line and is to be mended there."""
        if "<!--" not in line and not self._is_open:
            return "" if self._is_written else line
        for said in _COMMENTED.findall(line):
            is_end = bool(_END.search(said))
            self._is_written = not is_end and (self._is_written or bool(_PROGRAM.search(said)))
        if self._is_open:
            _, end, line = line.partition("-->")
            self._is_open = not end
        line = _COMMENTED.sub(" ", line)
        self._is_open = self._is_open or line.lstrip().startswith("<!--")
        return "" if self._is_open or self._is_written else line


def _is_placeholder(path: str) -> bool:
    """Whether a path stands for any: examples and samples are there, as a rule."""
    return _PLACEHOLDER.search(path.replace("example", "").replace("sample", "")) is not None


def folded(name: str) -> str:
    """Return a name as it is in any spelling: `get_token`, `getToken` and `get-token` are one."""
    return re.sub(r"[\W_]+", "", name).lower()


def parts_of(name: str) -> set[str]:
    """Return the words that a name is made of: `get_token` and `tokenGet` have the same."""
    return {part.lower() for part in _PART.findall(name)}


def shares_half(old: str, new: str) -> bool:
    """Whether two names share half of their words or more: `get_token`, `make_token`."""
    first, second = parts_of(old), parts_of(new)
    return len(first & second) * 2 >= max(len(first), len(second))


def is_telling(name: str) -> bool:
    """Whether the writing of a name tells it from a word: `get_token`, `AuthService`."""
    return len(name) >= _LEAST_NAME and _TELLING.fullmatch(name) is not None


def _is_title(label: str, to: str) -> bool:
    """Whether a link is shown as a file, by whatever path: the link itself says where that is."""
    shown, name = label.strip("`*_ "), posixpath.basename(to.partition("#")[0])
    return posixpath.basename(shown) == name or any(map(_FILE.fullmatch, shown.split()))


def _is_answered(to: str) -> bool:
    """Whether a site answers a link by what it makes: a route without an ending, or one in another language."""
    path = to.partition("#")[0].partition("?")[0]
    return path.startswith("/") and ("." not in posixpath.basename(path) or bool(_LOCALE.match(path)))


def _roots(directory: str, path: str) -> Iterator[str]:
    """Yield the paths that a link may mean: from the document or, with a slash, from any root above it."""
    if not path.startswith("/"):
        yield posixpath.normpath(posixpath.join(directory, path))
        return
    above = directory
    while above:
        yield posixpath.normpath(f"{above}/{path.strip('/')}")
        above = posixpath.dirname(above)
    yield path.strip("/")


def with_endings(places: Sequence[str]) -> tuple[str, ...]:
    """Return paths with what generators of sites leave out of links."""
    found = dict.fromkeys(places)
    for place in places:
        found |= {f"{place}.md": None} if place.endswith(".html") else {}
        stem = re.sub(r"\.html?$", "", place)
        if "." not in posixpath.basename(stem):
            found |= dict.fromkeys(f"{stem}{ending}" for ending in (*ENDINGS, ".ipynb"))
            found |= dict.fromkeys(
                f"{stem}/{page}" for page in ("README.md", "index.md", "index.rst", "index.mdx", "_index.md")
            )
    return tuple(one for one in found if not one.startswith("../"))
