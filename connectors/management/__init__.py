"""Commands of the connectors."""
