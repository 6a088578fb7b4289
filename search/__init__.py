"""Questions, federation, presentation, and the page for people. Knows no contract and no MCP."""
