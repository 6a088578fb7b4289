"""The question bank: questions of people with the right answers, put to page, API and MCP alike (issue of the search page)."""
