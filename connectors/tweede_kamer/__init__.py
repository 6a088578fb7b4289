"""Tweede Kamer: the open data portal of the Dutch House of Representatives (OData v5, and v4/2.0 while it answers)."""
