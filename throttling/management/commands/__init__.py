"""Commands of the room of turns."""
