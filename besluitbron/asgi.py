"""The ASGI shell: it owns the lifespan, serves static files, and hands everything else to Django.

Django refuses the lifespan protocol, and the applications that will stand beside it (MCP, the edge) need one as well.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "besluitbron.settings")

from django.core.asgi import get_asgi_application

_django: Any = get_asgi_application()  # before anything that needs Django's apps to be ready

from django.conf import settings
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from besluitbron.composition import WEB_SHARE, open_federation
from besluitbron.security import StaticHeaders
from throttling.store import Store


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[dict[str, Any]]:
    """Open the store and the HTTP clients; requests find them in ``scope["state"]``."""
    del app
    async with Store(settings.STATE_STORE) as store, open_federation(WEB_SHARE) as federation:
        yield {"store": store, "federation": federation}


def make_application() -> Starlette:
    """The application that uvicorn serves."""
    static = StaticFiles(directory=settings.STATICFILES_DIRS[0], packages=[("django.contrib.admin", "static")])
    return Starlette(
        lifespan=lifespan,
        routes=[Mount("/static", app=StaticHeaders(static)), Mount("/", app=_django)],
    )


application = make_application()
