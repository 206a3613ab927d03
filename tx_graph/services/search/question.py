"""Reads a question: which files of the repository it names, and what else it says."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tx_graph.domain.edges import NodeId
from tx_graph.storage.text_search import TextSearch

_MOST_NAMED = 5
"""Files one question may name."""
_SAME_NAME = 3
"""Files of one name that a question may mean."""
_READ = 2000
"""Characters in which file names are looked for."""
_FILE_NAME = re.compile(r"(?<![\w@.\-/])(?:[\w@.\-/]*\w\.\w{1,8}\b|[\w@.\-]+/[\w@.\-/]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question as it is searched for.

    `text` is the question, `words` the same with paths of known files cut down to their names: their directories
    are no words of it. `rest` is what it says besides; `files` are the nodes of the files it names.
    """

    text: str
    words: str
    rest: str
    files: tuple[NodeId, ...]

    @property
    def has_meaning(self) -> bool:
        """Whether it says anything besides naming files; a file's name alone means nothing to an embedding."""
        return not self.files or any(character.isalnum() for character in self.rest)


def read_question(text: str, files: TextSearch) -> Question:
    """Return the question with the files it names, as far as the repository has them."""
    names = dict.fromkeys(match[0].removeprefix("./").strip("/") for match in _FILE_NAME.finditer(text[:_READ]))
    found = {
        name: [node for _, node in files.files_named(name, limit=_SAME_NAME)]
        for name in [name for name in names if name][:_MOST_NAMED]
    }
    words = rest = text
    for name in sorted((name for name, nodes in found.items() if nodes), key=len, reverse=True):
        words = words.replace(name, name.rpartition("/")[2])
        rest = rest.replace(name, " ")
    return Question(text=text, words=words, rest=rest, files=tuple(node for nodes in found.values() for node in nodes))
