"""An operator at the page of the load, and the form of its rules as it is filled in."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.test import Client
from lxml import html

PAGE = "/beheer/reports/loadchange/"
RULES = f"{PAGE}regels/"
FORM = {
    "slots": "5",
    "shut_plaatsen": "80",
    "shut_processor": "80",
    "open_processor": "70",
    "shut_database": "80",
    "open_database": "70",
    "shut_pagina": "80",
    "open_pagina": "70",
    "longest_wait": "30",
    "longest_run": "60",
    "fresh": "60",
    "per_hour": "5",
    "most_open": "200",
    "lease": "20",
    "deaths": "3",
    "smoothing": "10",
    "page_target": "500",
    "write_target": "50",
    "report_connections": "3",
    "counts": ["plaatsen"],
}


def operator(*permissions: str) -> Client:
    user = get_user_model().objects.create_user("els", password="geheim-genoeg-hoor", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client()
    client.force_login(user)
    return client


def changes(answer: Any) -> list[tuple[str, ...]]:
    """The changes of the rules as the page shows them, newest first: by whom, and of each field its name, old and new."""
    rows = html.fromstring(answer.content.decode()).xpath("//table[@data-lijst='wijzigingen']/tbody/tr")
    return [tuple(cell.text_content() for cell in row.xpath("td")) for row in rows]
