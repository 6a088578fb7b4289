"""Commands of the whole."""
