"""One subject on the agenda of one meeting: the words and the dice that all its papers share."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from random import Random

from connectors.council_papers.bodies import Body, BodyType
from connectors.council_papers.papers import Form
from connectors.council_papers.topics import Topic
from connectors.council_papers.wording import Wording

_WORDS: dict[BodyType, dict[Form, str]] = {
    BodyType.GEMEENTE: {Form.PROPOSAL: "Raadsvoorstel", Form.LETTER: "Raadsbrief"},
    BodyType.PROVINCIE: {Form.PROPOSAL: "Statenvoorstel", Form.LETTER: "Statenbrief"},
    BodyType.WATERSCHAP: {Form.PROPOSAL: "AB-voorstel", Form.LETTER: "Brief dagelijks bestuur"},
}
_AGREE = "in te stemmen met het voorstel over {onderwerp}"
_SENDER = {
    BodyType.GEMEENTE: "Het college van burgemeester en wethouders",
    BodyType.PROVINCIE: "Het college van gedeputeerde staten",
    BodyType.WATERSCHAP: "Het dagelijks bestuur",
}
_CHAIR = {
    BodyType.GEMEENTE: "De griffier, de voorzitter van de raad",
    BodyType.PROVINCIE: "De griffier, de voorzitter van Provinciale Staten",
    BodyType.WATERSCHAP: "De secretaris, de voorzitter van het algemeen bestuur",
}


@dataclass(frozen=True, slots=True)
class Dossier:
    """One subject of one meeting."""

    body: Body
    topic: Topic
    moment: datetime
    dice: Random
    wording: Wording

    @property
    def title(self) -> str:
        """The subject as a title, without the word for the kind of paper."""
        return self.wording.title

    @property
    def sender(self) -> str:
        """Who signs proposals, letters and answers; a role, never a name."""
        return _SENDER[self.body.type]

    @property
    def chair(self) -> str:
        """Who signs decisions; roles, never names."""
        return _CHAIR[self.body.type]

    @property
    def decisions(self) -> tuple[str, ...]:
        """What is decided: to agree with this very proposal, and what the topic adds."""
        return tuple(self.wording.fill(decision) for decision in (_AGREE, *self.topic.decisions))

    def form_word(self, form: Form) -> str:
        """The body's own word for a form: a province has a Statenvoorstel."""
        return _WORDS[self.body.type].get(form, form.value.capitalize())


def open_dossier(dice: Random, body: Body, topic: Topic, moment: datetime) -> Dossier:
    """A new dossier, with its own words."""
    return Dossier(body, topic, moment, dice, Wording(dice, body, topic, moment))
