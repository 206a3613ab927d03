"""The settings of a repository: what there is to set, what is in force, and writing it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from tx_graph.core.arguments import Arg
from tx_graph.core.dataclass import dataclass, field, fields, replace
from tx_graph.core.errors import NotFound, StorageError, UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.labels import clean_predicate
from tx_graph.core.place import DIRECTORY, links_out
from tx_graph.core.ports import BUILT_IN_RETRIEVERS
from tx_graph.core.sources import parsed, parsed_clone, sources_of
from tx_graph.core.times import parse_age


def literal(value: Any) -> str:
    """Return a value as TOML writes it: JSON's numbers, texts and lists are TOML's too."""
    return json.dumps(value, ensure_ascii=False)


def with_value(text: str, key: str, value: Any) -> str:
    """Return the TOML text with `key` set: where it stands, else in its table; all else stays as it is written."""
    import tomlkit

    document: Any = tomlkit.parse(text)
    *tables, name = key.split(".")
    table = document
    for one in tables:
        table = table.setdefault(one, tomlkit.table())
    table[name] = list(value) if isinstance(value, tuple) else value
    return tomlkit.dumps(document)


def _hashes_in_comments(text: str) -> int:
    import tomllib

    return text.count("#") - str(tomllib.loads(text)).count("#")


MOST_WEIGHT = 100.0
"""The greatest weight: more would leave nothing for the others."""
_TRIED = (0.0, 0.5, 2.0)  # by what each number is multiplied when better ones are looked for


def _factor(about: str) -> float:
    found: float = field(default=1.0, metadata={"about": about})
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """By what the weight of each kind of evidence for a file is multiplied, in [0, 100]; 0 leaves it out."""

    messages: float = _factor("commit messages that match the question")
    words: float = _factor("words of files that match it")
    paths: float = _factor("words of paths that match it, and files that it names")
    learnings: float = _factor("learnings that match it")
    open_files: float = _factor("open files, beside the best matches")
    history: float = _factor("files that changed in the same commits")
    imports: float = _factor("files that import each other")
    anchors: float = _factor("files of the same learnings")
    names: float = _factor("files of the same name, such as a test and its source")
    recent: float = _factor("files that changed lately")

    def __post_init__(self) -> None:
        """Raise UsageError for a number out of range."""
        for name, value in self.as_dict().items():
            if not 0 <= value <= MOST_WEIGHT:
                raise UsageError(f"The weight '{name}' must be from 0 to {MOST_WEIGHT:g}, not {value:g}.")

    def as_dict(self) -> dict[str, float]:
        """Return the numbers by name."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    @classmethod
    def described(cls) -> Iterator[tuple[str, float, str]]:
        """Yield (name, default, what it weighs) of each number."""
        for one in fields(cls):
            yield one.name, float(one.default), one.metadata["about"]  # type: ignore[arg-type]

    def candidates(self) -> Iterator[Weights]:
        """Yield the weights that differ from these in one number: nothing of it, half, and twice as much."""
        for name, value in self.as_dict().items():
            tried = (min(value * factor, MOST_WEIGHT) for factor in _TRIED)
            yield from (replace(self, **{name: other}) for other in tried if other != value)


TELL_NOTHING = (
    # Versions of what others wrote, as package managers note them.
    *("*.lock", "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "bun.lockb", "go.sum", "go.work.sum"),
    *("conda-lock.yml", "packages.lock.json", ".terraform.lock.hcl", "gradle.lockfile", "Package.resolved"),
    *("Cartfile.resolved", "cabal.project.freeze", "cpanfile.snapshot"),
    # What changed, in words.
    *("CHANGELOG*", "ChangeLog*", "Changelog*", "changelog.md", "changelog.rst", "changelog.txt"),
    *("CHANGES*", "Changes", "changes.md", "changes.rst", "changes.txt", "RELEASE_NOTES*", "RELEASENOTES*"),
    *("HISTORY*", "History.md", "history.md", "history.rst", "NEWS*", "whatsnew/"),
    # What a program wrote.
    *("*.min.js", "*.min.css", "*.map", "*.generated.*", "*_generated.*", "__generated__/"),
    *("*_pb2.py", "*_pb2.pyi", "*_pb2_grpc.py", "*.pb.go", "*.pb.cc", "*.pb.h", "*_pb.js", "*_pb.d.ts"),
    *("__snapshots__/", "*.snap"),
)
"""Globs, as `.gitignore` reads them: lock files, changelogs, generated files."""


_FOCUS_FAR = (
    "2 ParentSiblingChild TargetParentSiblingChild ReferenceContextAncestor SiblingOfReferencingNote "
    "ReferencedTargetOfRelationship"
)
THEN = "then"
"""Between layers of the focus view: those below it begin when all above have nothing left."""
FOCUS_LAYERS = (
    "10 LinkTarget DescribedRelation Mention",
    "3 Parent RelationshipTarget ContextAncestor",
    "3 Child OlderSibling YoungerSibling ReferenceBy TargetContextAncestor ParentSibling TargetParentSibling",
    "2 TargetOfRelationship ReferencingNote",
    _FOCUS_FAR,
)
"""What lies around a document, after what it points at: the layers and quotas of Doughnut's Graph RAG."""
FOCUS_CODE_LAYERS = (
    "100 Import LinkTarget DescribedRelation Mention",
    "10 ReferenceBy Importer",
    "3 Parent RelationshipTarget ContextAncestor",
    "3 Child TargetContextAncestor",
    "2 TargetOfRelationship ReferencingNote",
    THEN,
    "3 OlderSibling YoungerSibling ParentSibling TargetParentSibling",
    _FOCUS_FAR,
)
"""What lies around a file or symbol: siblings and cousins come after all that has to do with its code."""
_MOST_QUOTA = 1_000
_RELATIONSHIPS = frozenset(" ".join(FOCUS_CODE_LAYERS).split()) - {THEN}


def _layer(text: str) -> None:
    """Raise UsageError for what is no layer of the focus view."""
    quota, *names = text.split()
    unknown = [name for name in names if name not in _RELATIONSHIPS or not name.isalpha()]
    if text != THEN and not (quota.isdecimal() and 1 <= int(quota) <= _MOST_QUOTA and names and not unknown):
        raise UsageError(
            f"'{text}' is no layer: it must be a quota from 1 to {_MOST_QUOTA:,} and relationships, or '{THEN}'.",
            hint="The relationships are " + ", ".join(sorted(filter(str.isalpha, _RELATIONSHIPS))) + ".",
        )


def _factor_of_a_hop(text: str) -> None:
    if not re.fullmatch(r"0(?:\.\d+)?|1(?:\.0+)?|\.\d+", text):
        raise UsageError(f"'{text}' is no factor from 0 to 1.", hint="Write it as in 0.7.")


OF_CATEGORY = "category:"
"""What a selector of findings starts with that means a category of learnings, and no path."""


def _selector(text: str) -> None:
    if not text.strip() or text.strip() == OF_CATEGORY:
        raise UsageError(f"'{text}' selects nothing.", hint=f"Write {OF_CATEGORY}gotcha, or a glob such as docs/**.")


Scalar = str | int | float
Value = Scalar | tuple[str, ...]
_NAME = "<name>"


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its dotted key, its default (which also says its type), what it does, and the bounds of its value.

    A default that is a tuple makes it a list of texts. Of the `choices` of a text, one with `<name>` in it stands for
    every text that has a name in that place. `check` raises a UsageError for a text that has no meaning here. What is
    not among the values that are `safe`, where there are such, has something run, loaded, sent or read elsewhere: it
    counts only once the user of this machine allowed it (see `core/trust.py`).
    """

    key: str
    default: Value
    summary: str
    least: float = -math.inf
    most: float = math.inf
    choices: tuple[str, ...] = ()
    check: Callable[[str], object] = str
    safe: tuple[Value, ...] = ()


def weight_key(name: str) -> str:
    """Return the key of the setting that holds a weight of the ranking of files."""
    return f"ranking.{name}"


SETTINGS = {
    setting.key: setting
    for setting in (
        Setting(
            "embedder",
            "all-MiniLM-L6-v2",
            "Embedding model: all-MiniLM-L6-v2, fastembed:<name>, or none.",
            choices=("all-MiniLM-L6-v2", f"fastembed:{_NAME}", "none"),
            safe=("all-MiniLM-L6-v2", "none"),
        ),
        Setting(
            "update",
            "auto",
            "What commands that read do first: auto (take in a few changes of files and history) or none.",
            choices=("auto", "none"),
        ),
        Setting(
            "search.min_similarity",
            0.12,
            "Least cosine similarity for a learning to be found by its vector alone.",
            least=-1.0,
            most=1.0,
        ),
        Setting(
            "search.retriever",
            "hybrid",
            "Who finds direct matches: hybrid (words and meaning), bm25 (words), or a plug-in's name.",
            safe=BUILT_IN_RETRIEVERS,
        ),
        *(
            Setting(f"search.{name}_days", days, f"Days after which {about} half.", least=0.01, most=36_500.0)
            for name, days, about in (
                ("half_life", 90.0, "a learning's recency, which is shown, is"),
                ("history_half_life", 365.0, "what a commit tells, as learning or message, counts"),
                ("recent_half_life", 30.0, "that a commit touched a file lately counts"),
            )
        ),
        Setting("search.retriever_options", (), "What a plug-in is opened with, each NAME=VALUE.", safe=((),)),
        Setting(
            "context.tokenizer",
            "none",
            "Path of a tokenizer.json that counts the tokens of 'tx context --tokens-by tokenizer', or none.",
            safe=("none",),
        ),
        *(
            Setting(weight_key(name), default, f"How much these count: {about}.", least=0.0, most=MOST_WEIGHT)
            for name, default, about in Weights.described()
        ),
        Setting(
            "documents.chunking",
            "parent-child",
            "How long sections of documents are cut: parent-child, recursive, markdown or semantic.",
            choices=("parent-child", "recursive", "markdown", "semantic"),
        ),
        Setting("documents.exclude", (), "Files that are not read as documents, as globs of .gitignore."),
        Setting(
            "documents.sources",
            (),
            "Folders of documents outside the repository, read only, each NAME=FOLDER; shown as @NAME/….",
            check=parsed,
            safe=((),),
        ),
        *(
            Setting(f"documents.{name}", default, f"{about}: on or off.", choices=("on", "off"))
            for name, default, about in (
                (
                    "structure",
                    "on",
                    "Whether walks go from a section to what it stands in and to the next one beside it",
                ),
                ("part_of", "on", "The same of what a section stands in alone, where documents.structure is on"),
                ("sequence", "on", "The same of the next section beside it alone, where documents.structure is on"),
                (
                    "share_relations",
                    "off",
                    "Whether what models say of sections is kept in .tx/relations/ too, which git carries",
                ),
            )
        ),
        Setting("documents.min_weight", 0.0, "Least weight of what models say of sections.", least=0.0, most=1.0),
        Setting(
            "documents.max_edges", 0, "Most edges that models may have leave a section, the heaviest; 0: all.", least=0
        ),
        Setting(
            "documents.relate",
            "off",
            "What a language model is asked after 'tx sync', 'tx index' and 'tx doc:ingest': how the sections of each "
            "document are related (extract), near ones of different documents (link), both, or nothing (off).",
            choices=("off", "extract", "link", "both"),
            safe=("off",),
        ),
        Setting(
            "documents.model",
            "default",
            "Which one is asked then, by its name in llm; default: llm's.",
            safe=("default",),
        ),
        Setting("documents.max_calls", 50, "Most questions that one run asks then; 0: no limit.", least=0, safe=(50,)),
        Setting(
            "documents.max_tokens",
            100_000,
            "Most tokens of these questions, by estimate; 0: no limit.",
            least=0,
            safe=(100_000,),
        ),
        Setting("documents.batch_size", 5, "Sections that it is asked about together then.", least=2),
        Setting("documents.workers", 3, "Most questions under way at a time then.", least=1),
        Setting("documents.link_threshold", 0.5, "Least likeness of a pair to ask about then.", least=0.01, most=1.0),
        Setting("documents.link_pairs", 3, "Nearest sections of others that each is paired with then.", least=1),
        Setting("documents.link_min_weight", 0.0, "Least weight of what it says of pairs then.", least=0.0, most=1.0),
        Setting(
            "documents.link_max_edges", 0, "Most edges that it may have leave a section by pairs then; 0: all.", least=0
        ),
        Setting("documents.vector_weight", 0.7, "What likeness counts in the score of a seed.", least=0.0, most=1.0),
        Setting(
            "documents.graph_weight", 0.3, "What the graph counts; with the former at most 1.", least=0.0, most=1.0
        ),
        Setting(
            "documents.hop_decay",
            ("1.0", "0.7", "0.5"),
            "Factors of 0 to 1 by hop, from 0 for seeds; the last goes on.",
            check=_factor_of_a_hop,
        ),
        Setting(
            "focus.layers",
            FOCUS_LAYERS,
            "Layers around documents, learnings, entities: nodes of one visit, then relationships.",
            check=_layer,
        ),
        Setting("focus.code_layers", FOCUS_CODE_LAYERS, "The same around files and symbols.", check=_layer),
        *(
            Setting(f"focus.{name}", 1.0, f"Exponent, for the order of imports, of {about}.", least=0.0, most=10.0)
            for name, about in (
                ("cochange", "1 + the Jaccard index of the commits of both files"),
                ("type", "the type of the import: static 1, re-export .8, dynamic .6, type-only .4"),
                ("references", "1 + ln(1 + lines that name what is imported)"),
            )
        ),
        Setting(
            "facts.single_valued",
            ("status", "owner", "version", "license", "date"),
            "Predicates that take one value: a new one supersedes the old one, or is a conflict.",
            check=clean_predicate,
        ),
        *(
            Setting(f"facts.{name}", default, f"In the score of a fact: {about}.", least=least, most=most)
            for name, default, about, least, most in (
                ("user_edit", 2.0, "what one that a person wrote counts", 0.0, 100.0),
                ("file", 1.5, "what one from a file counts", 0.0, 100.0),
                ("system", 1.2, "what one from a program counts", 0.0, 100.0),
                ("conversation", 1.0, "what one from a conversation counts", 0.0, 100.0),
                ("decay", 0.95, "what a week leaves of it", 0.01, 0.999),
                ("grace_weeks", 1.0, "weeks before it decays", 0.0, 520.0),
                ("usage", 0.5, "what log10(accesses + 1) adds to 1", 0.0, 10.0),
                ("confirmed", 1.2, "factor of one that somebody confirmed", 0.0, 100.0),
                ("faded_below", 0.2, "below this one that nobody confirmed has faded", 0.01, 10.0),
            )
        ),
        *(
            Setting(f"recall.{name}", default, f"Recall: {about}.", least=least, most=most)
            for name, default, about, least, most in (
                ("hops", 2, "facts that lead from where it starts to the last one", 0, 10),
                ("anchors", 3, "most entities to start from", 1, 100),
                ("max_facts", 30, "most facts to tell", 1, 10_000),
                ("per_entity", 10, "most facts to tell of one entity", 1, 10_000),
                ("words", 0.3, "what the best match by words counts, beside a cosine", 0.0, 10.0),
                ("named", 0.4, "what a fact about what the question names counts", 0.0, 10.0),
                ("score", 0.05, "what a score of 1 counts", 0.0, 10.0),
                ("direction", 0.1, "what it counts that a fact points the way the question asks", 0.0, 10.0),
            )
        ),
        *(
            Setting(
                f"verify.{name}",
                (),
                f"Findings of graph:verify that {about}: category:NAME, or globs of .gitignore.",
                check=_selector,
            )
            for name, about in (
                ("error", "fail it, whatever the next two say"),
                ("warn", "are told and fail nothing"),
                ("off", "are only counted"),
            )
        ),
        Setting("cochanges.max_files", 30, "Commits that touch more files are left out whole.", least=2),
        Setting("cochanges.min_support", 3, "Least commits that two files must share.", least=1),
        Setting(
            "cochanges.half_life_days",
            0.0,
            "Days after which a commit counts half, from HEAD's time; 0 counts all alike.",
            least=0.0,
        ),
        Setting(
            "cochanges.exclude",
            TELL_NOTHING,
            "Files that tell nothing by changing, as globs of .gitignore: lock files, changelogs, generated.",
        ),
        Setting(
            "hub.url",
            "",
            "Address of the hub, without a password: postgresql://HOST/DATABASE; TX_HUB comes before it.",
            safe=("",),
        ),
        Setting("hub.repository", "", "By which name the hub knows this repository; else that of its origin."),
        Setting(
            "hub.clones",
            (),
            "Clones of other repositories, each REPOSITORY=FOLDER: what is known of these is verified there.",
            check=parsed_clone,
            safe=((),),
        ),
        Setting("hub.read", "off", "Whether commands that read ask the hub too: on or off.", choices=("on", "off")),
        Setting(
            "telemetry.keep",
            "30d",
            "How long to keep what transcripts tell, in hours, days or weeks: 12h, 30d, 4w.",
            check=parse_age,
        ),
        Setting("index.max_file_size", 1_000_000, "Bytes above which a file is not parsed.", least=1),
        Setting(
            "index.generated",
            "both",
            "Generated files to pass over: those that .gitattributes marks and that look it (both), all that it marks "
            "(attribute), all that look it (header), or none.",
            choices=("both", "attribute", "header", "none"),
        ),
        Setting(
            "index.references",
            "on",
            "Whether to keep who uses which symbol; off saves a tenth of the space, no time.",
            choices=("on", "off"),
        ),
        Setting("index.processes", 0, "Processes that parse when there is much to parse; 0: one per core.", least=0),
        Setting(
            "index.cache_size",
            200_000_000,
            "Bytes of parsed files that are kept in git's directory for other branches; 0: none.",
            least=0,
        ),
    )
}


FORMULAS = {
    "facts": "confidence × source (user_edit, file, system, conversation) × decay^max(weeks - grace_weeks, 0) "
    "× (1 + usage × log10(accesses + 1)) × confirmed, if it is; weeks since it was last used, or else made",
    "search": "what a commit tells × 0.5^(its days / history_half_life_days); files lately touched: sum of "
    "0.5^(days / recent_half_life_days) / √files of the commit",
    "recall": "words × BM25 / the best BM25 + cosine + named, if it is about what is named ± direction, "
    "whether it points there as is asked or not + score × the fact's score; the best first",
    "documents": "a seed: vector_weight × likeness + graph_weight; what a relation leads to: graph_weight × its weight "
    "× hop_decay of the hop",
    "focus": "(1 + co-change)^cochange × type^type × (1 + ln(1 + lines that name it))^references",
}
"""How the numbers of each group make a score: of a fact (JACQ), a section (Oasis), an import in the focus view."""


class Config:
    """The settings in force: the file's, else the defaults. What waits for the user's word is not in force."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._values = _read(path)

    @property
    def asked(self) -> dict[str, Value]:
        """What the file says that counts only where the user of this machine allowed it."""
        known = ((key, value, SETTINGS[key].safe) for key, value in self._values.items())
        return {key: value for key, value, safe in known if safe and value not in safe}

    @cached_property
    def withheld(self) -> dict[str, Value]:
        """What of that is not allowed here; one value that is another one than was allowed withholds them all."""
        asked = self.asked
        return {} if not asked or self._may(asked) else asked

    def _may(self, asked: Mapping[str, Value]) -> bool:
        from tx_graph.core.trust import SETTINGS_ENTRY, is_allowed

        return is_allowed(self.path.parent.parent, SETTINGS_ENTRY, asked)

    def is_outdated(self) -> bool:
        """Whether the user allowed something since, or took it back."""
        return bool(asked := self.asked) and self._may(asked) is bool(self.withheld)

    @property
    def caveat(self) -> str:
        """What to say of settings that are withheld, nothing where none is."""
        if not self.withheld:
            return ""
        *most, last = self.withheld
        names, do, them = (f"{', '.join(most)} and {last}", "do", "them") if most else (last, "does", "it")
        where = f"{DIRECTORY}/{self.path.name}"
        return f"{names} in {where} {do} not count until the user of this machine allows {them} with 'tx allow'."

    def get(self, key: str) -> Scalar:
        """Return the value of a setting that has one."""
        value = self.value(key)
        if isinstance(value, tuple):
            raise TypeError(f"{key} is a list")
        return value

    def weights(self) -> Weights:
        """Return the weights of the ranking of files."""
        return Weights(**{name: float(self.get(weight_key(name))) for name in Weights().as_dict()})

    def texts(self, key: str) -> tuple[str, ...]:
        """Return the values of a setting that is a list."""
        value = self.value(key)
        if not isinstance(value, tuple):
            raise TypeError(f"{key} is no list")
        return value

    def value(self, key: str) -> Value:
        """Return what a setting is, whatever it is."""
        default = setting_of(key).default
        return default if key in self.withheld else self._values.get(key, default)

    def is_default(self, key: str) -> bool:
        """Whether the file leaves the setting alone."""
        return key not in self._values

    def set(self, key: str, text: str) -> Value:
        """Write a setting to the file, its comments and other lines kept; return the new value.

        The user who sets it allows it, unless there are others in the file that are not allowed yet.
        """
        import tomllib

        before, is_theirs = self.asked, not self.withheld

        value = _converted(setting_of(key), text)
        if key == "documents.sources" and isinstance(value, tuple):
            for problem in sources_of(self.path.parent.parent.resolve(), value).problems:
                raise UsageError(problem, hint="Write each as NAME=FOLDER, relative ones from the repository's root.")
        # A full disk or a crash leaves the file that was there: another one takes its place in one step.
        temporary, found = self.path.with_name(f".{self.path.name}.tmp"), None
        try:
            written = self.path.read_text(encoding="utf-8") if self.path.exists() else ""
            with suppress(ValueError, RecursionError):  # what tomlkit does not take
                after = with_value(written, key, value)
                is_whole = _hashes_in_comments(after) >= _hashes_in_comments(written)  # none in a list went with it
                found = dict(_flattened(tomllib.loads(after))).get(key) if is_whole else None
            if (tuple(found) if isinstance(found, list) else found) != value:
                raise UsageError(
                    f"{key} cannot be set in {self.path} as it is written.",
                    hint=f"Set it there: {key} = {literal(value) if isinstance(value, tuple) else value}",
                )
            temporary.unlink(missing_ok=True)  # whatever somebody put there is not written to
            temporary.write_text(after, encoding="utf-8")
            temporary.replace(self.path)
        except OSError as error:
            with suppress(OSError):
                temporary.unlink()
            raise StorageError(f"{self.path} cannot be written: {error.strerror}.") from error
        self._values[key] = value
        if self.asked != before:
            if is_theirs:
                from tx_graph.core.trust import LINKS_ENTRY, SETTINGS_ENTRY, write

                root = self.path.parent.parent
                with suppress(StorageError):  # then it waits for 'tx allow', which says why
                    write(root, {SETTINGS_ENTRY: self.asked, LINKS_ENTRY: links_out(root)})
            del self.withheld
        return value


def setting_of(key: str) -> Setting:
    """Return the setting called `key`."""
    if key in SETTINGS:
        return SETTINGS[key]
    from difflib import get_close_matches

    raise NotFound(f"There is no setting '{key}'.", candidates=get_close_matches(key, SETTINGS) or list(SETTINGS))


def _read(path: Path) -> dict[str, Value]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError as error:
        raise _not_toml(path, error) from None
    except OSError as error:
        raise StorageError(f"{path} cannot be read: {error.strerror}.") from error
    if all(not line.strip() or line.lstrip().startswith("#") for line in text.splitlines()):
        return {}  # as in most workspaces; the import below takes longer than everything else here
    import tomllib

    try:
        pairs = _flattened(tomllib.loads(text))
    except (ValueError, RecursionError) as error:
        raise _not_toml(path, error) from None
    found: dict[str, Value] = {}
    for key, value in pairs:
        try:
            found[key] = _checked(setting_of(key), value)
        except (NotFound, UsageError) as error:
            raise UsageError(f"{path}: {error.message}", hint="See 'tx config' for the settings.") from None
    return found


def _not_toml(path: Path, error: ValueError | RecursionError) -> UsageError:
    return UsageError(f"{path} is not valid TOML: {error}.", hint="Correct it, or remove it for the defaults.")


def _flattened(tables: Mapping[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for name, value in tables.items():
        key = f"{prefix}{name}"
        found += _flattened(value, f"{key}.") if isinstance(value, dict) else [(key, value)]
    return found


def _checked(setting: Setting, value: Any) -> Value:
    """Return a value that the file has for a setting."""
    if isinstance(setting.default, tuple):
        return _listed(setting, value)
    is_text = isinstance(setting.default, str)
    if isinstance(value, bool) or not isinstance(value, str if is_text else int | float):
        wanted = "text" if is_text else "a number"
        raise UsageError(f"{setting.key} must be {wanted}, not {json.dumps(value, default=str)}.")
    return _converted(setting, str(value))


def _converted(setting: Setting, text: str) -> Value:
    if isinstance(setting.default, tuple):
        text = text.strip()
        if not text.startswith("["):  # names parted by commas; else as TOML writes a list
            return _listed(setting, [part.strip() for part in text.split(",")])
        import tomllib

        try:
            return _listed(setting, tomllib.loads(f"list = {text}")["list"])
        except (ValueError, RecursionError):
            raise UsageError(f"{text} is not a list.", hint=f'Write it as in {setting.key} = ["a", "b"].') from None
    if isinstance(setting.default, str):
        return _named(setting, text.strip())
    kind: type[int | float] = type(setting.default)
    try:
        value = kind(text)
    except (ValueError, OverflowError):
        wanted = "a whole number" if kind is int else "a number"
        raise UsageError(f"'{text}' is not {wanted}, as {setting.key} needs.") from None
    if not setting.least <= value <= setting.most or value in (math.inf, -math.inf):
        bounds = f"from {setting.least:g} to {setting.most:g}"
        bounds = f"at least {setting.least:g}" if math.isinf(setting.most) else bounds
        raise UsageError(f"{setting.key} must be {bounds}, not {text}.")
    return value


def _listed(setting: Setting, values: Any) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise UsageError(f"{setting.key} must be a list of texts, not {json.dumps(values, default=str)}.")
    if not all(value.strip() and value.isprintable() for value in values):
        raise UsageError(f"Each entry of {setting.key} must be one line of text.", hint="[] is the empty list.")
    for value in values:
        setting.check(value)
    return tuple(values)


def _named(setting: Setting, text: str) -> str:
    if not text.isprintable() or (not text and setting.default):
        raise UsageError(f"{setting.key} must be one line of text.")
    patterns = (re.escape(choice).replace(_NAME, ".+") for choice in setting.choices)
    if setting.choices and not any(re.fullmatch(pattern, text) for pattern in patterns):
        *most, last = setting.choices
        raise UsageError(f"{setting.key} must be {', '.join(most)} or {last}, not '{text}'.")
    setting.check(text)
    return text


class Action(StrEnum):
    """What to do with the settings."""

    SHOW = "show"
    GET = "get"
    SET = "set"


@dataclass(frozen=True, slots=True, kw_only=True)
class AllSettings:
    """Every setting by its name; the file says those that are `given`; those `withheld` wait for 'tx allow'."""

    JSON = "settings withheld formulas"

    settings: Mapping[str, Value]
    given: frozenset[str]
    withheld: Mapping[str, Value]
    formulas: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class OneSetting:
    """A setting and its value."""

    key: str
    value: Value


def configure(
    kernel: Kernel,
    action: Annotated[Action, Arg("[show|get|set]", "Show all, get one, or set one.")] = Action.SHOW,
    key: Annotated[str | None, Arg("[KEY]", "A setting, such as cochanges.min_support.")] = None,
    value: Annotated[str | None, Arg("[VALUE]", "Its new value.")] = None,
) -> AllSettings | OneSetting:
    """Show, get or set the settings in .tx/config.toml; comments in it are kept.

    Example:
      tx config
      tx config get embedder
      tx config set cochanges.min_support 5
      tx config set cochanges.exclude "*.lock,docs/**"
    """
    config, hint = kernel.config, "See 'tx config --help'."
    if action is Action.SHOW:
        if key is not None:
            raise UsageError("Show takes no key; use 'tx config get KEY'.")
        settings = {name: config.value(name) for name in SETTINGS}
        given = frozenset(one for one in settings if not config.is_default(one))
        return AllSettings(settings=settings, given=given, withheld=config.withheld, formulas=FORMULAS)
    if action is Action.GET and value is not None:
        raise UsageError("Get takes no value; use 'tx config set KEY VALUE'.")
    if key is None:
        raise UsageError(f"{action.capitalize()} needs a key.", hint=hint)
    if action is Action.GET:
        return OneSetting(key=key, value=config.value(key))
    if value is None:
        raise UsageError("Set needs a value.", hint=hint)
    return OneSetting(key=key, value=config.set(key, value))
