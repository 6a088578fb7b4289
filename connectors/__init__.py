"""The platforms: their formats, lists, limits and quirks, and the client between a connector and the wire."""
