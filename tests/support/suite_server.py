"""A server with the tools, prompts and resources that the official conformance suite expects, for in our shell.

What they are called and say is fixed by ``@modelcontextprotocol/conformance``. Tools that ask the client something are left
out: ``tests/clients/verwacht.yml`` says why.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    AudioContent,
    BlobResourceContents,
    CallToolRequestParams,
    CallToolResult,
    CompleteRequestParams,
    CompleteResult,
    Completion,
    EmbeddedResource,
    EmptyResult,
    GetPromptRequestParams,
    GetPromptResult,
    ImageContent,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    Prompt,
    PromptArgument,
    PromptMessage,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    SetLevelRequestParams,
    SubscribeRequestParams,
    TextContent,
    TextResourceContents,
    Tool,
    UnsubscribeRequestParams,
)

Context = ServerRequestContext[Any, Any]
_PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
_SOUND = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA="
_SCHEMA_2020 = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {"type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}},
    },
    "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}},
    "additionalProperties": False,
}
_NO_ARGUMENTS = {"type": "object", "properties": {}, "additionalProperties": False}


def _image() -> ImageContent:
    return ImageContent(data=_PIXEL, mime_type="image/png")


def _embedded(uri: str, text: str, mime_type: str = "text/plain") -> EmbeddedResource:
    return EmbeddedResource(resource=TextResourceContents(uri=uri, mime_type=mime_type, text=text))


def _contents() -> dict[str, list[Any]]:
    return {
        "test_simple_text": [TextContent(text="This is a simple text response for testing.")],
        "test_image_content": [_image()],
        "test_audio_content": [AudioContent(data=_SOUND, mime_type="audio/wav")],
        "test_embedded_resource": [_embedded("test://embedded-resource", "This is an embedded resource content.")],
        "test_multiple_content_types": [
            TextContent(text="Multiple content types test:"),
            _image(),
            _embedded("test://mixed-content-resource", json.dumps({"test": "data", "value": 123}), "application/json"),
        ],
        "json_schema_2020_12_tool": [TextContent(text="ok")],
        "test_reconnection": [TextContent(text="ok")],
    }


async def _call(context: Context, params: CallToolRequestParams) -> CallToolResult:
    contents = _contents()
    if params.name in contents:
        return CallToolResult(content=contents[params.name])
    if params.name == "test_error_handling":
        text = "This tool intentionally returns an error for testing"
        return CallToolResult(content=[TextContent(text=text)], is_error=True)
    if params.name == "test_tool_with_progress":
        for progress in (0, 50, 100):
            await context.session.report_progress(progress, 100)
            await asyncio.sleep(0.05)
        return CallToolResult(content=[TextContent(text="done")])
    if params.name == "test_tool_with_logging":
        for said in ("Tool execution started", "Tool processing data", "Tool execution completed"):
            await context.session._request_outbound.notify("notifications/message", {"level": "info", "data": said})
            await asyncio.sleep(0.05)
        return CallToolResult(content=[TextContent(text="done")])
    raise MCPError(INVALID_PARAMS, "Unknown tool")


async def _tools(context: Context, params: PaginatedRequestParams | None) -> ListToolsResult:
    names = [*_contents(), "test_error_handling", "test_tool_with_progress", "test_tool_with_logging"]
    return ListToolsResult(
        tools=[
            Tool(
                name=name,
                description=f"For the suite: {name}",
                input_schema=_SCHEMA_2020 if name.startswith("json_schema") else _NO_ARGUMENTS,
            )
            for name in names
        ]
    )


async def _prompts(context: Context, params: PaginatedRequestParams | None) -> ListPromptsResult:
    arguments = {
        "test_simple_prompt": [],
        "test_prompt_with_arguments": ["arg1", "arg2"],
        "test_prompt_with_embedded_resource": ["resourceUri"],
        "test_prompt_with_image": [],
    }
    return ListPromptsResult(
        prompts=[
            Prompt(
                name=name,
                description=f"For the suite: {name}",
                arguments=[PromptArgument(name=each, description=each, required=True) for each in needed],
            )
            for name, needed in arguments.items()
        ]
    )


async def _prompt(context: Context, params: GetPromptRequestParams) -> GetPromptResult:
    given = params.arguments or {}
    said: dict[str, list[Any]] = {
        "test_simple_prompt": [TextContent(text="This is a simple prompt for testing.")],
        "test_prompt_with_arguments": [
            TextContent(text=f"Prompt with arguments: arg1='{given.get('arg1')}', arg2='{given.get('arg2')}'")
        ],
        "test_prompt_with_embedded_resource": [
            _embedded(given.get("resourceUri", ""), "Embedded resource content for testing."),
            TextContent(text="Please process the embedded resource above."),
        ],
        "test_prompt_with_image": [_image(), TextContent(text="Please analyze the image above.")],
    }
    return GetPromptResult(messages=[PromptMessage(role="user", content=content) for content in said[params.name]])


async def _resources(context: Context, params: PaginatedRequestParams | None) -> ListResourcesResult:
    named = {"test://static-text": "text/plain", "test://static-binary": "image/png"}
    return ListResourcesResult(
        resources=[Resource(uri=uri, name=uri, description=uri, mime_type=kind) for uri, kind in named.items()]
    )


async def _templates(context: Context, params: PaginatedRequestParams | None) -> ListResourceTemplatesResult:
    template = ResourceTemplate(uri_template="test://template/{id}/data", name="template", description="template")
    return ListResourceTemplatesResult(resource_templates=[template])


async def _read(context: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
    uri = str(params.uri)
    if uri == "test://static-binary":
        return ReadResourceResult(contents=[BlobResourceContents(uri=uri, mime_type="image/png", blob=_PIXEL)])
    if uri.startswith("test://template/"):
        about = uri.split("/")[3]
        text = json.dumps({"id": about, "templateTest": True, "data": f"Data for ID: {about}"})
        return ReadResourceResult(contents=[TextResourceContents(uri=uri, mime_type="application/json", text=text)])
    text = "This is the content of the static text resource."
    return ReadResourceResult(contents=[TextResourceContents(uri=uri, mime_type="text/plain", text=text)])


async def _complete(context: Context, params: CompleteRequestParams) -> CompleteResult:
    return CompleteResult(completion=Completion(values=["test"], total=1, has_more=False))


async def _subscribe(context: Context, params: SubscribeRequestParams) -> EmptyResult:
    return EmptyResult()


async def _unsubscribe(context: Context, params: UnsubscribeRequestParams) -> EmptyResult:
    return EmptyResult()


async def _level(context: Context, params: SetLevelRequestParams) -> EmptyResult:
    return EmptyResult()


def suite_server() -> Server[Any]:
    """The server."""
    server: Server[Any] = Server(
        "suite",
        version="1",
        on_list_tools=_tools,
        on_call_tool=_call,
        on_list_prompts=_prompts,
        on_get_prompt=_prompt,
        on_list_resources=_resources,
        on_list_resource_templates=_templates,
        on_read_resource=_read,
        on_subscribe_resource=_subscribe,
        on_unsubscribe_resource=_unsubscribe,
        on_completion=_complete,
    )
    server.add_request_handler("logging/setLevel", SetLevelRequestParams, _level)
    return server
