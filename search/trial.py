"""What an address is where a made paper of the stand-ins has none at its source: a page of this website, and not the source.

An address tells by itself whether it is one of our document pages, so that a page, a file and a feed say the same of it.
"""

from __future__ import annotations

from typing import Final

from connectors.language import say
from connectors.platforms import PLATFORMS
from search.notations import own_page

_KEYS: Final = frozenset(platform.key for platform in PLATFORMS)


def is_ours(address: str | None) -> bool:
    """Whether an address is that of a document page of this website."""
    found = own_page(address) if address else None
    return found is not None and found[0] in _KEYS


def place_words(name: str) -> str:
    """What stands at the address of a made paper of the source ``name``."""
    return say("op deze website; in de proefmodus niet bij {name}", name=name)


def file_words(original: str | None) -> str:
    """What a link to the original file is called."""
    return say("bestand op deze website (proefmodus)") if is_ours(original) else say("origineel bestand")


def told(name: str, address: str) -> str:
    """The sentence for files and feeds; empty for an address at the source. In Dutch, as all of a file is."""
    return f"Proefmodus: dit adres is van deze website en niet van {name}." if is_ours(address) else ""
