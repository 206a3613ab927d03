"""Random JSON as people write it: keys twice, tabs, mixed layouts, both kinds of line ends."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

Texts = st.SearchStrategy[str]

_SCALARS = ("1", '"x"', "null", "true", "-1.5e3", '"\\u0041\\"//"', '"ü🚀"')


def blanks() -> Texts:
    """Blanks."""
    return st.text(" \t\n", max_size=5)


def objects(keys: Sequence[str], values: Texts, *, most: int = 3) -> Texts:
    """Objects with these keys, some of them twice."""
    names = st.sampled_from([f'"{key}"' for key in keys])
    member = st.builds("{}{}{}:{}{}{}".format, blanks(), names, blanks(), blanks(), values, blanks())
    return st.builds(_closed, st.just("{}"), st.lists(member, max_size=most), blanks())


def lists(items: Texts, *, most: int = 3) -> Texts:
    """Lists."""
    item = st.builds("{}{}{}".format, blanks(), items, blanks())
    return st.builds(_closed, st.just("[]"), st.lists(item, max_size=most), blanks())


def values() -> Texts:
    """Any value."""
    return st.recursive(
        st.sampled_from(_SCALARS), lambda inner: st.one_of(lists(inner), objects(["a", "b", "tx"], inner)), max_leaves=6
    )


def _closed(brackets: str, parts: Sequence[str], end: str) -> str:
    return f"{brackets[0]}{','.join(parts)}{end}{brackets[1]}"


def settings_files() -> Texts:
    """Whole files of settings, with servers and hooks that are not ours, or none."""
    servers = objects(["other", "another"], values())
    handlers = lists(objects(["command", "x"], values(), most=2), most=2)
    events = objects(["SessionStart", "PostToolUse", "Stop"], handlers)
    table = st.one_of(
        st.builds('"mcpServers":{}'.format, servers),
        st.builds('"hooks":{}'.format, events),
        st.builds("{}:{}".format, st.sampled_from(['"a"', '"zz"']), values()),
    )
    member = st.builds("{}{}".format, blanks(), table)
    whole = st.builds(_closed, st.just("{}"), st.lists(member, max_size=3), blanks())
    text = st.builds("{}{}{}".format, blanks(), whole, blanks())
    return st.builds(str.replace, text, st.just("\n"), st.sampled_from(["\n", "\r\n"]))
