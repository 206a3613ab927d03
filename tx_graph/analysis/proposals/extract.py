"""Extracts: the paragraphs of a text that explain, few enough for one learning."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from tx_graph.analysis.proposals.prose import Kind, Paragraph, words
from tx_graph.analysis.proposals.why import certainty, cues

_ROOM = 900
"""Characters of an explanation: three paragraphs, which people still read."""
_OPENING = 450
"""Characters of the first paragraph where others explain more: it says what it is all about."""
_LONGEST = {Kind.LIST: 400, Kind.CODE: 200}
"""Characters of a list or an example that still goes with its sentence."""
_LEFT_OUT = "…"
_ODD = 0.3
_LETTERS = 0.6
"""Share of letters that sentences have at least."""
_LEAST_WORTH = 0.05
_SENTENCE_ENDS = (". ", "! ", "? ", "; ")


def extract(found: Sequence[Paragraph], *, room: int = _ROOM) -> str:
    """Return the paragraphs that explain most, in their order, in about `room` characters; gaps are marked.

    The first one is always there. A list goes with the sentence that announces it.
    """
    prose = [index for index, one in enumerate(found) if one.kind is Kind.PROSE]
    if not prose:
        return ""
    texts = {index: _with_its_list(found, index) for index in prose}
    if sum(map(len, texts.values())) <= room:
        return "\n\n".join(texts.values())
    texts[prose[0]] = shortened(texts[prose[0]], _OPENING if len(prose) > 1 else room)
    chosen = {prose[0]}
    room -= len(texts[prose[0]])
    worth = {index: _worth(texts[index]) for index in prose[1:]}
    for index in sorted(worth, key=lambda index: (-worth[index], index)):
        if len(texts[index]) <= room and worth[index] >= _LEAST_WORTH:
            chosen.add(index)
            room -= len(texts[index])
    return "\n\n".join(_told(texts, chosen))


def _worth(text: str) -> float:
    """Return how much a paragraph explains: little if it announces what is not there, or is a drawing or a log."""
    is_odd = text.endswith(":") or sum(map(str.isalpha, text)) < _LETTERS * len(text)
    return certainty(cues(text)) * (_ODD if is_odd else 1)


def _told(texts: Mapping[int, str], chosen: Collection[int]) -> Iterator[str]:
    last, is_gap = max(chosen), False
    for index, text in texts.items():
        if index not in chosen:
            if index < last and not is_gap:
                yield _LEFT_OUT
            is_gap = True
            continue
        yield text
        is_gap = text.endswith(_LEFT_OUT)


def _with_its_list(found: Sequence[Paragraph], index: int) -> str:
    text = found[index].text
    below = found[index + 1] if index + 1 < len(found) else None
    if text.endswith(":") and below and len(below.text) <= _LONGEST.get(below.kind, 0):
        return f"{text}\n\n{below.text}"
    return text


def shortened(text: str, length: int) -> str:
    """Return whole sentences of `text` in at most `length` characters, marked when something was left out."""
    if len(text) <= length:
        return text
    head = text[: length - 1]
    cut = max(head.rfind(end) for end in _SENTENCE_ENDS) + 1
    cut = cut if cut > length // 2 else head.rfind(" ")
    return f"{head[: cut if cut > 0 else length - 1].rstrip()} {_LEFT_OUT}"


def size(found: Sequence[Paragraph]) -> int:
    """Return how many words of prose there are."""
    return sum(len(words(one.text)) for one in found if one.kind is Kind.PROSE)
