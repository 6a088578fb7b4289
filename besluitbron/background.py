"""The way to the workers, for what serves the website."""

from __future__ import annotations

from django.conf import settings
from django.utils.module_loading import import_string


def in_the_background(task: str, *arguments: str) -> None:
    """Have a worker do ``task``. Raises ``OSError``.

    What that takes is loaded when it is first needed: a page of the website never does.
    """
    import_string(settings.BACKGROUND)(task, *arguments)
