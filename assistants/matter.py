"""Prompts and resources of one endpoint, as the SDK's server lists and gives them.

What cannot be given is an error of the protocol: these methods have no result that says so. Its text is ours, in Dutch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    PaginatedRequestParams,
    PromptArgument,
    PromptMessage,
    ReadResourceRequestParams,
    ReadResourceResult,
    ResourceTemplate,
    TextContent,
    TextResourceContents,
)
from mcp_types import Prompt as PromptDefinition
from mcp_types import Resource as ResourceDefinition

from assistants.arguments import meant
from assistants.posted import Posted
from assistants.prompts import Prompt, written
from assistants.resources import TEMPLATES, Resource, read_resource
from assistants.tool import ToolFailedError
from assistants.visiting import Visiting, visit_of

NOT_NOW: Final = 5030
"""The code of an error for what may be given later; its data say after how many seconds (``retryAfter``)."""

Context = ServerRequestContext[Any, Posted]


def one_page(params: PaginatedRequestParams | None) -> None:
    """Raises ``MCPError`` for a cursor: our lists have one page, so we never gave one."""
    if params is not None and params.cursor is not None:
        raise MCPError(INVALID_PARAMS, "Deze lijst heeft één bladzijde; vraag haar zonder `cursor`.")


def refused(failure: ToolFailedError) -> MCPError:
    """A failure as an error of the protocol."""
    if failure.retry_after is None:
        return MCPError(INVALID_PARAMS, failure.text)
    return MCPError(NOT_NOW, failure.text, {"retryAfter": failure.again_in})


class Prompts:
    """Lists prompts and writes them out."""

    def __init__(self, prompts: Sequence[Prompt]) -> None:
        self._prompts = {prompt.name: prompt for prompt in prompts}

    async def listed(self, context: Context, params: PaginatedRequestParams | None) -> ListPromptsResult:
        """All prompts, on one page."""
        del context
        one_page(params)
        return ListPromptsResult(prompts=[_prompt_definition(prompt) for prompt in self._prompts.values()])

    async def given(self, context: Context, params: GetPromptRequestParams) -> GetPromptResult:
        """One prompt, filled in."""
        del context
        prompt = self._prompts.get(params.name)
        if prompt is None:
            raise MCPError(INVALID_PARAMS, f"Deze opdracht is er niet. {meant(params.name, self._prompts)}".rstrip())
        try:
            text = written(prompt, params.arguments)
        except ToolFailedError as failure:
            raise refused(failure) from None
        message = PromptMessage(role="user", content=TextContent(text=text))
        return GetPromptResult(description=prompt.description, messages=[message])


class Resources:
    """Lists resources and reads them."""

    def __init__(self, resources: Sequence[Resource], visiting: Visiting) -> None:
        self._resources = tuple(resources)
        self._visiting = visiting

    async def listed(self, context: Context, params: PaginatedRequestParams | None) -> ListResourcesResult:
        """All lists, on one page; documents have templates."""
        del context
        one_page(params)
        return ListResourcesResult(
            resources=[
                ResourceDefinition(
                    uri=one.uri,
                    name=one.name,
                    title=one.title,
                    description=one.description,
                    mime_type=one.media_type,
                )
                for one in self._resources
            ]
        )

    async def templates(self, context: Context, params: PaginatedRequestParams | None) -> ListResourceTemplatesResult:
        """All ways to write down the address of a document, on one page."""
        del context
        one_page(params)
        return ListResourceTemplatesResult(
            resource_templates=[
                ResourceTemplate(
                    uri_template=one.uri_template,
                    name=one.name,
                    title=one.title,
                    description=one.description,
                    mime_type=one.media_type,
                )
                for one in TEMPLATES
            ]
        )

    async def read(self, context: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        """What stands at one address, and how long it stays good."""
        try:
            found = await read_resource(str(params.uri), visit_of(context, self._visiting))
        except ToolFailedError as failure:
            raise refused(failure) from None
        contents = TextResourceContents(uri=found.uri, mime_type=found.media_type, text=found.text)
        return ReadResourceResult(contents=[contents], ttl_ms=found.good_for * 1000, cache_scope="public")


def _prompt_definition(prompt: Prompt) -> PromptDefinition:
    return PromptDefinition(
        name=prompt.name,
        title=prompt.title,
        description=prompt.description,
        arguments=[
            PromptArgument(name=name, description=description, required=required)
            for name, description, required in prompt.arguments
        ],
    )
