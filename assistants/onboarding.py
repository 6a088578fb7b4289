"""The page on which a person reads how to connect an assistant."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from assistants.clients import Reach, check, is_here_only, recipes
from assistants.places import UNIFIED, path, speaks_for
from assistants.prompts import PROMPTS
from assistants.tools import tools_for
from connectors.language import later, say
from connectors.platforms import PLATFORMS
from throttling.incoming_rules import IncomingRules

QUESTIONS: Final = (
    later("Wat is er in Ede besloten over het warmtenet?"),
    later("Welke moties over stikstof zijn in de Tweede Kamer aangenomen?"),
    later("Staat deze zin letterlijk in dat raadsvoorstel, en op welke bladzijde?"),
    later("Wat vroegen Kamerleden over toeslagen, en wat was het antwoord?"),
)


@require_safe
async def page(request: HttpRequest) -> HttpResponse:
    """The settings for each kind of client, all addresses, what can be asked, the limits, and what is kept."""
    site: str = settings.SITE_ADDRESS
    rules: IncomingRules = settings.INCOMING_RULES
    address = site + path(UNIFIED)
    context = {
        "titel": say("Sluit uw assistent aan – BesluitBron"),
        "adres": address,
        "alleen_hier": is_here_only(address),
        "recepten": [(one, one.reach is Reach.MAKER) for one in recipes(address)],
        "controle": check(address),
        "adressen": [(platform.name, platform.about, site + path(platform.key)) for platform in PLATFORMS],
        "gereedschap": [(tool.name, tool.title) for tool in tools_for(speaks_for()[UNIFIED])],
        "vragen": QUESTIONS,
        "klaar": [prompt.title for prompt in PROMPTS],
        "grens": rules.mcp.session,
        "aanbieders": bool(rules.vendors),
    }
    return render(request, "assistants/aansluiten.html", context)
