"""What Django has to have before anybody is told to come: a database that fits the code, and an operator."""

from __future__ import annotations

import os
import secrets
from typing import Final

import django
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import Error, connection, connections, transaction
from django.db.migrations.executor import MigrationExecutor

from besluitbron.running.layout import Layout
from besluitbron.running.options import OPERATOR, Options
from besluitbron.running.secrets import replace

_PREPARING: Final = 20_251_007
"""The lock of whoever prepares a database: any number that nobody else uses there."""


class PreparationFailedError(Exception):
    """The database cannot be used. The text is Dutch, for the person who starts the product."""


def prepare(options: Options) -> str | None:
    """Migrate, fill the lists, make the operator's account when there is none; gives its password when made now.

    Raises ``PreparationFailedError``.
    """
    os.environ.update(options.environment())
    django.setup()
    try:
        wait_for_others()
        migrate()
        fill_lists()
        return make_operator(options.layout)
    except Error as error:
        raise PreparationFailedError(_unusable(options, error)) from None
    finally:
        connections.close_all()


def _unusable(options: Options, error: Error) -> str:
    """What is said of a database that cannot be used, and what may help. Its password is nowhere in it."""
    database = options.database
    said = " ".join(database.without_password(str(error)).split())
    message = f"De database {database.place(options.layout.database)} is niet te gebruiken: {said}"
    if not database.parts:
        return message
    return (
        f"{message} Draait PostgreSQL (14 of nieuwer), en kloppen machine, naam en wachtwoord in BESLUITBRON_DATABASE?"
    )


def wait_for_others() -> None:
    """Let no two machines prepare one PostgreSQL database at once; it is over when the connection is closed."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '5min'")
            cursor.execute("SELECT pg_advisory_lock(%s)", [_PREPARING])


def migrate() -> None:
    """Bring the database up to the code; quick when there is nothing to do."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", interactive=False, verbosity=0)


def fill_lists() -> None:
    """Write down the lists that the project ships, where nothing stands yet; quick when there is nothing to do."""
    from connectors.apps import open_house  # noqa: PLC0415 - as above
    from connectors.refreshing import fill  # noqa: PLC0415 - its models exist only after Django's setup

    fill(open_house, settings.VERSION)


def make_operator(layout: Layout) -> str | None:
    """Make the operator's account once. Its login is on disk before the account exists: nobody is ever locked out."""
    users = get_user_model().objects
    if users.filter(username=OPERATOR).exists():
        return None
    password = secrets.token_urlsafe(15)
    replace(layout.operator_login, f"Beheer: /beheer/\nGebruiker: {OPERATOR}\nWachtwoord: {password}")
    with transaction.atomic():
        users.create_superuser(username=OPERATOR, email="", password=password)
    return password
