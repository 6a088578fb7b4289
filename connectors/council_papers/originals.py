"""Where the original of a made paper stands: one address, whichever platform gathers the paper.

A real original stands at the supplier of a council. Ours stands nowhere, so its address is our own page of the paper, as it is
at OpenBesluitvorming, which holds all of them (its page, section 4).
"""

from __future__ import annotations

from connectors.addresses import Addresses, PlatformMode
from connectors.council_papers.papers import Paper
from connectors.platforms import OPENBESLUITVORMING


def original_address(paper: Paper, pages: str) -> str:
    """The address of a paper's original. ``pages`` is the root address of our own site."""
    own_id = f"document:{paper.body.supplier}:{paper.body.type}:{paper.body.key}:{paper.native}"
    return Addresses(PlatformMode.STAND_INS, "", pages).own_page(OPENBESLUITVORMING, own_id)
