"""The SDK's server made of our tools, prompts and resources, for one endpoint.

Whatever a tool finds, or fails at, is the result of the call: the model that called can read it and do better. Only a tool that
is not there is an error of the protocol.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

import structlog
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    ToolAnnotations,
)
from mcp_types import Tool as Definition

from assistants.arguments import called, meant
from assistants.changing import ONE_CHANGE, ContractNeededError
from assistants.matter import Prompts, Resources, one_page
from assistants.posted import Posted
from assistants.prompts import Prompt
from assistants.resources import Resource
from assistants.sessions import HANDLE_KEY
from assistants.tool import Outcome, Tool, ToolFailedError, Visit
from assistants.visiting import Visiting, posted_of, visit_of
from throttling.admitted import may_change
from throttling.problems import Kinds

RETRY_KEY: Final = "besluitbron/opnieuw-na"
"""Where ``_meta`` of a failed call says after how many seconds a new try makes sense."""
_CHANGED: Final = "besluitbron.changed"
_HOUR: Final = CacheHint(ttl_ms=3_600_000, scope="public")
_BROKEN: Final = ToolFailedError(
    "Er ging bij BesluitBron iets mis.",
    "Of er iets te vinden is, weten we daardoor niet.",
    "Probeer het over een minuut opnieuw.",
)

Context = ServerRequestContext[Any, Posted]

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """What an endpoint says of itself. ``name`` is for programs, ``title`` and ``instructions`` are Dutch.

    ``extensions`` of the protocol that it knows, with what each tells of itself.
    """

    name: str
    title: str
    version: str
    instructions: str
    extensions: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """What an endpoint has. Its lists are the same for everybody, and stay so while the process runs."""

    tools: Sequence[Tool]
    prompts: Sequence[Prompt] = ()
    resources: Sequence[Resource] = ()


def server(described: Described, offered: Offered, visiting: Visiting) -> Server[Any]:
    """A server that offers this."""
    calls = Calls(offered.tools, visiting)
    prompts, resources = Prompts(offered.prompts), Resources(offered.resources, visiting)
    made: Server[Any] = Server(
        described.name,
        version=described.version,
        title=described.title,
        instructions=described.instructions,
        cache_hints={
            "tools/list": _HOUR,
            "prompts/list": _HOUR,
            "resources/list": _HOUR,
            "resources/templates/list": _HOUR,
            "server/discover": _HOUR,
        },
        on_list_tools=calls.listed,
        on_call_tool=calls.called,
        on_list_prompts=prompts.listed,
        on_get_prompt=prompts.given,
        on_list_resources=resources.listed,
        on_list_resource_templates=resources.templates,
        on_read_resource=resources.read,
    )
    made.extensions = {name: dict(told) for name, told in described.extensions.items()}
    made.middleware.clear()  # only the SDK's tracing, which nobody here reads
    return made


class Calls:
    """Lists and calls the tools of one endpoint."""

    def __init__(self, tools: Iterable[Tool], visiting: Visiting) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._visiting = visiting

    async def listed(self, context: Context, params: PaginatedRequestParams | None) -> ListToolsResult:
        """All tools, on one page."""
        del context
        one_page(params)
        return ListToolsResult(tools=[definition(tool) for tool in self._tools.values()])

    async def called(self, context: Context, params: CallToolRequestParams) -> CallToolResult:
        """What one call brought, or why it brought nothing."""
        tool = self._tools.get(params.name)
        if tool is None:
            hint = meant(params.name, self._tools)
            raise MCPError(INVALID_PARAMS, f"Dit gereedschap is er niet. {hint}".rstrip())
        visit = visit_of(context, self._visiting)
        if tool.operation:
            check_change(tool, context, visit)
        try:
            result = succeeded(await called(tool, params.arguments, visit))
        except ToolFailedError as failure:
            result = failed(failure)
        except Exception:
            log.exception("mcp_tool_failed", tool=tool.name)
            result = failed(_BROKEN)
        handle = await posted_of(context).handle()
        return result.model_copy(update={"meta": {**(result.meta or {}), HANDLE_KEY: handle}}) if handle else result


def check_change(tool: Tool, context: Context, visit: Visit) -> None:
    """Whether a tool may change something now. Raises ``MCPError``, with the problem as its data.

    The decision of the edge is about one request, so what came in one request changes one thing, also in a batch.
    """
    scope = posted_of(context).scope
    if may_change(scope, tool.operation) is None:
        needed = ContractNeededError(tool.operation)
        kind = Kinds.TOKEN_REQUIRED.value
        raise MCPError(kind.code, f"{kind.means} {kind.advice}", needed.problem(visit.pages))
    if scope.get(_CHANGED):
        raise MCPError(INVALID_PARAMS, ONE_CHANGE)
    scope[_CHANGED] = True


def definition(tool: Tool) -> Definition:
    """A tool as clients see it."""
    return Definition(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=dict(tool.input_schema),
        output_schema=dict(tool.output_schema),
        annotations=ToolAnnotations(
            read_only_hint=tool.hints.read_only,
            idempotent_hint=tool.hints.idempotent,
            destructive_hint=tool.hints.destructive,
            open_world_hint=tool.hints.open_world,
        ),
    )


def succeeded(outcome: Outcome) -> CallToolResult:
    """What a tool found, as text and as data."""
    return CallToolResult(content=[TextContent(text=outcome.text)], structured_content=outcome.data)


def failed(failure: ToolFailedError) -> CallToolResult:
    """What a tool failed at: a result, so that the model reads it."""
    meta = None if failure.retry_after is None else {RETRY_KEY: failure.again_in}
    return CallToolResult(content=[TextContent(text=failure.text)], is_error=True, _meta=meta)
