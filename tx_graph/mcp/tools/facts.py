"""tx_recall, tx_fact_add."""

from __future__ import annotations

from collections.abc import Sequence

from tx_graph.domain.fact import FactSource, FactStatus, StoredFact
from tx_graph.domain.inert import inert_line, quoted, quoted_line
from tx_graph.domain.moment import moment_of
from tx_graph.mcp.parameters import fraction, text, whole
from tx_graph.mcp.replies import Draft, Item, Reply, Shape, packed
from tx_graph.mcp.replies.words import brief_line
from tx_graph.mcp.tools.values import Call, Tool, parameter
from tx_graph.retrieval.recall import MAX_HOPS, RecallLimits, marked
from tx_graph.services.facts.values import Added, FactDraft
from tx_graph.services.recall import RecallAnswer, RecalledFact, RecallRequest

_LONGEST_NAME = 60
_TOKENS_OF_A_FACT = 60
"""What one takes at least, as a line and as an object: no more of them are told than there is room for."""


def _recall(call: Call) -> Reply:
    given = call.given
    standard = RecallLimits()
    limits = RecallLimits(
        hops=given.get("hops", standard.hops),
        max_facts=max(1, min(standard.max_facts, call.budget // _TOKENS_OF_A_FACT)),
    )
    request = RecallRequest(
        text=given["query"],
        limits=limits,
        moment=moment_of(given["as_of"]) if "as_of" in given else None,
        is_counted=not call.is_read_only,
    )
    return packed(_answered(call.workspace.recall.ask(request), call), budget=call.budget)


def _answered(answer: RecallAnswer, call: Call) -> Draft:
    names = [brief_line(one.entity.name, _LONGEST_NAME) for one in answer.anchors]
    head = f"About {', '.join(map(quoted_line, names))}:" if names else "No entity is named or meant."
    if names and not answer.facts:
        head = f"Nothing is known {head[0].lower()}{head[1:-1]}."
    return Draft(
        head=head,
        fields={
            "anchors": [
                {"name": name, "matched_by": one.matched_by.value}
                for name, one in zip(names, answer.anchors, strict=True)
            ]
        },
        items=[_fact_item(one, call) for one in answer.facts],
        plural="facts",
        named=("fact", "facts"),
        found=answer.found,
        between="\n",
        notices=call.notices(*answer.notices),
    )


def _fact_item(one: RecalledFact, call: Call) -> Item:
    shape = _shape(one.stored, longest=call.longest) | {
        "hops": one.hops,
        "verdict": one.state.value if one.state else None,
        "conflicting": one.is_conflicting or None,
    }
    return Item(text=quoted(f"{_sentence(one.stored, call.longest)}{marked(one.marks)}"), shape=shape)


def _sentence(stored: StoredFact, longest: int) -> str:
    told = brief_line(stored.told, longest)
    return f"{inert_line(stored.subject_name)} {inert_line(stored.fact.predicate)}: {told}"


def _shape(stored: StoredFact, *, longest: int) -> Shape:
    fact = stored.fact
    return {
        "id": stored.id,
        "subject": stored.subject_name,
        "predicate": fact.predicate,
        "object": stored.object_name,
        "value": brief_line(fact.value, longest) if fact.value is not None else None,
        "status": fact.status.value,
        "confidence": fact.confidence,
        "source": fact.source.value,
        "source_ref": fact.source_ref,
        "valid_until": fact.valid_until,
    }


def _add(call: Call) -> Reply:
    given = call.given
    draft = FactDraft(
        subject=given["subject"],
        predicate=given["predicate"],
        object=given.get("object"),
        value=given.get("value"),
        confidence=given.get("confidence", 1.0),
        source=FactSource.CONVERSATION,
        source_ref=given.get("source_ref"),
        status=FactStatus.STAGED,
    )
    return packed(_told(call.workspace.facts.add(draft), call), budget=call.budget)


def _told(added: Added, call: Call) -> Draft:
    verb = "Already known:" if added.existed else "Added again" if added.revived else "Added"
    stored, status = added.stored, added.stored.fact.status.value
    return Draft(
        head=f"{verb} {stored.ref} ({status}).",
        fields={"id": stored.id, "uid": stored.fact.uid, "status": status, "existed": added.existed},
        items=[*_others(added.superseded, "superseded", call), *_others(added.conflicting, "conflicting", call)],
        plural="others",
        named=("fact", "facts"),
        tail=brief_line(added.warning, _LONGEST_NAME),
    )


def _others(many: Sequence[StoredFact], how: str, call: Call) -> list[Item]:
    """Return facts that say something else, and what became of them."""
    return [
        Item(
            text=f"{how}: {one.ref}\n{quoted(_sentence(one, call.longest))}",
            shape=_shape(one, longest=call.longest) | {how: True},
        )
        for one in many
    ]


RECALL = Tool(
    name="tx_recall",
    description="What is known of people, projects, decisions and things that a question names: facts, with sources.",
    parameters=(
        parameter("query", text(), is_required=True),
        parameter("hops", whole(least=0, most=MAX_HOPS)),
        parameter("as_of", text(), "what held on a date"),
    ),
    run=_recall,
)
FACT_ADD = Tool(
    name="tx_fact_add",
    description=(
        "Keep one statement about an entity, with object or value. It is staged, as heard in conversation, until a "
        "person confirms it."
    ),
    parameters=(
        parameter("subject", text(), is_required=True),
        parameter("predicate", text(), "such as uses, owner", is_required=True),
        parameter("object", text(), "another entity"),
        parameter("value", text(), "a literal"),
        parameter("confidence", fraction(), "0 to 1"),
        parameter("source_ref", text()),
    ),
    run=_add,
    is_reading=False,
)
