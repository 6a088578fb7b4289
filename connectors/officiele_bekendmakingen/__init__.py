"""Officiële Bekendmakingen: the journals and parliamentary papers of the Dutch governments, over KOOP's SRU service."""
