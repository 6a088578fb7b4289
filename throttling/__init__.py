"""Limits, turns and who is asking. The lowest room: it knows no platform's format and no page."""
