"""An operator logs in: Django's own middleware works behind /beheer/, and nowhere else."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth import get_user_model

from tests.product.conftest import Product

pytestmark = [pytest.mark.anyio, pytest.mark.django_db(transaction=True)]
SIGN_IN = {"username": "beheer", "password": "een-lang-wachtwoord-9", "next": "/beheer/"}


async def sign_in(product: Product, **changes: str) -> int:
    """Fill in the form as a browser does; gives the status."""
    page = await product.site.get("/beheer/login/?next=/beheer/")
    (token,) = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)
    fields = SIGN_IN | {"csrfmiddlewaretoken": token} | changes
    answer = await product.site.post("/beheer/login/?next=/beheer/", data=fields)
    return answer.status_code


@pytest.fixture
def operator(transactional_db: None) -> None:
    get_user_model().objects.create_superuser("beheer", password=SIGN_IN["password"])


async def test_an_operator_signs_in_sees_the_overview_and_signs_out(product: Product, operator: None) -> None:
    assert await sign_in(product) == 302
    overview = await product.site.get("/beheer/")
    assert overview.status_code == 200
    assert "Beheer van BesluitBron" in overview.text
    assert "Proefmodus: antwoorden uit een meegeleverde verzameling" in overview.text
    (token,) = set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', overview.text))
    assert (await product.site.post("/beheer/logout/", data={"csrfmiddlewaretoken": token})).status_code == 200
    assert (await product.site.get("/beheer/")).status_code == 302


async def test_a_wrong_password_stays_outside(product: Product, operator: None) -> None:
    assert await sign_in(product, password="x") == 200
    assert (await product.site.get("/beheer/")).status_code == 302


async def test_whoever_is_signed_in_asks_the_public_pages_as_everybody_does(product: Product, operator: None) -> None:
    await sign_in(product)
    page = await product.site.get("/")
    assert "set-cookie" not in page.headers
    assert "cookie" not in page.request.headers
    names = {(cookie.name, cookie.path) for cookie in product.site.cookies.jar}
    assert names == {("sessionid", "/beheer/"), ("csrftoken", "/beheer/")}


async def test_the_operators_site_without_its_slash_leads_there(product: Product) -> None:
    answer = await product.site.get("/beheer")
    assert (answer.status_code, answer.headers["location"]) == (301, "/beheer/")
