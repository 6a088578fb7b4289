"""Assistants: BesluitBron over MCP. Servers, tools, sessions; a tool is a thin printer over ``search``."""
