from __future__ import annotations

import stat
from pathlib import Path

import pytest
from django.contrib.auth import authenticate, get_user_model

from besluitbron.running.layout import Layout
from besluitbron.running.options import OPERATOR
from besluitbron.running.preparation import fill_lists, make_operator
from connectors.models import PlatformList


@pytest.mark.django_db
def test_the_operator_is_made_once_with_the_login_that_is_kept(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    password = make_operator(layout)
    assert password
    assert authenticate(username=OPERATOR, password=password).is_superuser  # type: ignore[union-attr]
    assert f"Gebruiker: {OPERATOR}\nWachtwoord: {password}\n" in layout.operator_login.read_text("utf-8")
    assert stat.S_IMODE(layout.operator_login.stat().st_mode) == 0o600
    assert make_operator(layout) is None


@pytest.mark.django_db
def test_a_login_that_the_operator_threw_away_is_not_made_again(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    make_operator(layout)
    layout.operator_login.unlink()
    assert make_operator(layout) is None
    assert not layout.operator_login.exists()


@pytest.mark.django_db
def test_no_account_is_left_without_a_login_that_somebody_knows(tmp_path: Path) -> None:
    (tmp_path / "in-the-way").mkdir()
    with pytest.raises(OSError, match="beheerder"):
        make_operator(Layout(tmp_path / "missing"))
    assert not get_user_model().objects.filter(username=OPERATOR).exists()


@pytest.mark.django_db
def test_a_first_start_has_lists_and_a_second_does_not_write_them_again() -> None:
    fill_lists()
    first = dict(PlatformList.objects.values_list("platform", "fetched_at"))
    assert "rechtspraak" in first
    fill_lists()
    assert dict(PlatformList.objects.values_list("platform", "fetched_at")) == first
