"""How deep YAML is nested: libyaml's loader calls itself for each level, and at some 20,000 the process dies."""

from __future__ import annotations

import re

_OPENING = re.compile(r"[\[{]|[-?][ \t]+(?=[-?][ \t])")
MOST_LEVELS = 1000
"""Levels that every loader can climb."""


def nests_too_deep(text: str) -> bool:
    """Whether a text is YAML that is nested too deep to be loaded."""
    if sum(1 for _ in _OPENING.finditer(text)) <= MOST_LEVELS:
        return False  # and nothing more was to be done: what follows takes as long as loading
    import yaml

    depth = 0
    try:
        for event in yaml.parse(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader)):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > MOST_LEVELS:
                return True
    except yaml.YAMLError:
        return False  # loading it will say why
    return False
