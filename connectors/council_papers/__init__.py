"""Council papers that hardly exist in the open: made from a seed, marked as examples, and naming nobody.

``council_papers(seed)`` gives meetings, papers and motions of real bodies that fit together, with the oddities that the
platform pages and the field reports name. The same seed gives the same bytes in every process.
"""

from __future__ import annotations

from functools import cache

from connectors.council_papers.generate import generate
from connectors.council_papers.papers import CouncilPapers

DEFAULT_SEED = 2012


@cache
def council_papers(seed: int = DEFAULT_SEED) -> CouncilPapers:
    """All papers of a seed; made once a process."""
    return generate(seed)
