"""Where votes stand: who asks for the kind "stemming" is led to the motions, for a source shows a vote at its motion.

Hardly any source has a paper that is a vote and nothing else, so that this kind alone finds nothing while the votes are there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from connectors.language import later, say
from connectors.records import Kind
from search.choices import Offer, zoeken
from search.parameters import Asked

AT_MOTIONS: Final = later("Hoe er over een motie is gestemd, staat bij de motie zelf.")


def of_motions(asked: Asked) -> Asked | None:
    """The first page of the same question with motions in the place of votes; None where votes were not asked for alone."""
    kinds = asked.query.kinds
    if Kind.STEMMING not in kinds or Kind.MOTIE in kinds:
        return None
    return replace(asked, query=replace(asked.query, kinds=(kinds - {Kind.STEMMING}) | {Kind.MOTIE}, page=1))


def votes_stand(asked: Asked) -> tuple[Offer, ...]:
    """That votes stand at the motions, with the link to them."""
    motions = of_motions(asked)
    return (Offer(say(AT_MOTIONS), ((say("Zoek moties"), zoeken(motions.address())),)),) if motions else ()
