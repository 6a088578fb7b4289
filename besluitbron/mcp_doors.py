"""The doors of the MCP endpoints, for the incoming limits: who asks by which, known without the SDK that answers."""

from __future__ import annotations

from django.conf import settings
from django.http.request import split_domain_port, validate_host

from assistants.places import connector, path, speaks_for
from assistants.sessions import Sessions
from besluitbron.language import in_their_language
from throttling.middleware import Door, rpc_refusal


def make_sessions() -> Sessions:
    """Sessions of this installation."""
    return Sessions(settings.SECRET_KEY, settings.CALLERS)


def make_doors(sessions: Sessions) -> tuple[Door, ...]:
    """The doors of all endpoints, for the incoming limits."""
    return tuple(
        Door(
            prefix=f"{path(name)}/",
            connector=connector(name),
            asker=sessions.asker,
            refusal=rpc_refusal(settings.SITE_ADDRESS, in_their_language),
            reads_body=True,
        )
        for name in speaks_for()
    )


def is_ours(host: str) -> bool:
    """Whether a host, with or without its port, is one of this site's."""
    domain, _ = split_domain_port(host)
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)
