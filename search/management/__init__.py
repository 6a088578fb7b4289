"""Commands of the search room."""
