"""Makes a tool of a use case: what it takes stands in the signature, and only the reply is written by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from tx_graph.core.arguments import REQUIRED, UseCase, parameters_of
from tx_graph.core.arguments import Parameter as Declared
from tx_graph.core.kernel import Found
from tx_graph.faces.mcp.parameters import Kind, Parameter, choice, flag, fraction, names, reference, text, whole
from tx_graph.faces.mcp.replies import Reply
from tx_graph.faces.mcp.tool import Call, Tool

T = TypeVar("T")


def tool_of(
    name: str,
    owner: type | None,
    use_case: Callable[..., T],
    description: str,
    *,
    reply: Callable[[Call, T], Reply],
    is_reading: bool = True,
    also: Mapping[str, tuple[str, ...]] | None = None,
) -> Tool:
    """Return a tool that calls a use case, a method of `owner` or a function; it takes what MCP is told of.

    `also` are other names of parameters, which the schema does not tell.
    """
    found = Found(owner, use_case)
    others = also or {}

    def run(call: Call) -> Reply:
        given = {name: value for name, value in call.given.items() if name != "budget"}
        return reply(call, found.call(call.kernel, given))

    return Tool(
        name=name,
        description=description,
        parameters=tuple(_parameter(one, others.get(one.name, ())) for one in _told(use_case)),
        run=run,
        is_reading=is_reading,
    )


def _told(use_case: UseCase) -> list[Declared]:
    return [one for one in parameters_of(use_case) if one.arg and one.arg.mcp is not None]


def _parameter(one: Declared, also: tuple[str, ...]) -> Parameter:
    description = one.arg.mcp if one.arg and one.arg.mcp else ""
    is_required = one.default is REQUIRED
    return Parameter(name=one.name, kind=_kind(one), description=description, is_required=is_required, also=also)


def _kind(one: Declared) -> Kind:
    if one.is_many:
        return names()
    if one.choices:
        return choice(one.choices)
    if one.kind is bool:
        return flag()
    if one.kind is int:
        least, most = (one.arg.least, one.arg.most) if one.arg else (None, None)
        return whole(least=int(least or 0), most=int(most or 1_000_000))
    if one.kind is float:
        return fraction()
    return reference() if one.is_ref else text()
