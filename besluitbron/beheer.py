"""The admin of operators, ``/beheer/``, and Django's stateful middleware, which runs behind that address alone.

Each class below goes straight on for any other path: no session, no cookie, no hop to a thread (decision record 0006).
A test proves that every address outside ``/beheer/`` takes safe methods only, because the CSRF check is off there; but for
the two forms of reports, which have a check of their own (decision record 0022).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.contrib.admin import AdminSite
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware

from connectors.moments import now

PREFIX: Final = "/beheer/"


class BeheerSite(AdminSite):
    """The operators' site."""

    site_title = "Beheer van BesluitBron"
    site_header = "Beheer van BesluitBron"
    index_title = "Overzicht"
    site_url = "/"

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """With how many changes wait for whoever may decide on them: after ten minutes nobody has to."""
        context = super().each_context(request)
        if request.user.has_perm("admission.change_approval"):
            from admission import approvals  # noqa: PLC0415 - this site is made before there are models

            context["wacht_op_u"] = approvals.waiting(now())
        return context


def is_beheer(request: HttpRequest) -> bool:
    """Whether this request is for the operators' site."""
    return request.path_info.startswith(PREFIX)


class _OnlyBeheer:
    """Mixed in before one of Django's middlewares: other paths go straight on."""

    get_response: Any

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        if not is_beheer(request):
            response: HttpResponseBase | Awaitable[HttpResponseBase] = self.get_response(request)
            return response
        through: HttpResponseBase | Awaitable[HttpResponseBase] = super().__call__(request)  # type: ignore[misc] # the mixin's partner defines it
        return through


class BeheerSessions(_OnlyBeheer, SessionMiddleware):
    """Sessions for operators."""


class BeheerAuthentication(_OnlyBeheer, AuthenticationMiddleware):
    """Who is logged in, for operators."""


class BeheerMessages(_OnlyBeheer, MessageMiddleware):
    """Messages after an action, for operators."""


class BeheerCsrf(_OnlyBeheer, CsrfViewMiddleware):
    """The CSRF check for operators. Django calls ``process_view`` apart, so that bypasses as well."""

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        super().__init__(get_response)
        if iscoroutinefunction(get_response):
            # Django calls this hook by its kind: an async one spares public pages the hop to a thread.
            self.process_view = self._process_view_async  # type: ignore[method-assign,assignment] # an async hook for a sync one

    async def _process_view_async(
        self, request: HttpRequest, callback: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        if not is_beheer(request):
            return None
        check = sync_to_async(super().process_view, thread_sensitive=True)
        return await check(request, callback, args, kwargs)
