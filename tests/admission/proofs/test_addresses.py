"""A method and an address have one form, or none."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admission.proofs.addresses import METHODS, OVERRIDES, PublicAddress, normal_address, normal_path
from admission.proofs.exceptions import Check, ClassMismatchError, OutOfScopeError, Reason
from tests.admission.proofs.made import SITE

UNCLEAR = [
    "",
    "zoeken",
    "*",
    "https://site.test/zoeken",
    "//",
    "//zoeken",
    "/zoeken//beheer",
    "/zoeken/../beheer",
    "/zoeken/..",
    "/./zoeken",
    "/zoeken/.",
    "/zoeken/.../x",
    "/zoeken/%2e%2e/beheer",
    "/zoeken/.%2E/beheer",
    "/zoeken/..%2fbeheer",
    "/zoeken%2Fbeheer",
    "/zoeken%5cbeheer",
    "/zoeken\\beheer",
    "/zoeken/%252e%252e%252fbeheer",
    "/zoeken/%252f",
    "/zoeken%00",
    "/zoeken%0d%0aX: y",
    "/zoeken%7f",
    "/zoeken%c0%af",
    "/zoeken%ff",
    "/zoeken%ed%a0%80",
    "/zoeken%",
    "/zoeken%2",
    "/zoeken%zz",
    "/zoeken?vraag=x",
    "/zoeken#x",
    "/zo eken",
    "/zoeken\n",
    "/zoek\u00e9n",
    "/zoeken/\uff0e\uff0e/beheer",
    "/" + "a" * 2_048,
]
segments = st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=5)
signs = st.text("/%.\\;?#@:2eEfF5cCaz0\x00\u00e9\uff0e ", max_size=24).map("/".__add__)


@pytest.mark.parametrize("path", UNCLEAR)
def test_a_path_that_two_readers_could_read_apart_has_no_form(path: str) -> None:
    """Attack 10: DP-N34 (encoded slash), DP-N35 (dot segments) and all their kin."""
    assert normal_path(path) is None
    with pytest.raises(OutOfScopeError) as refused:
        SITE.target("GET", path.encode(), [])
    assert (refused.value.reason, refused.value.check) == (Reason.OUT_OF_SCOPE, Check.PATH)


@pytest.mark.parametrize(
    ("sent", "form"),
    [
        ("/", "/"),
        ("/zoeken", "/zoeken"),
        ("/zoeken/", "/zoeken/"),
        ("/%7a%6Feken", "/zoeken"),
        ("/document/%c3%a9", "/document/%C3%A9"),
        ("/a.b/..c", "/a.b/..c"),
        ("/100%25", "/100%25"),
        ("/a;b=1,2/x@y:z", "/a;b=1,2/x@y:z"),
        ("/a%20b", "/a%20b"),
        ("/ECLI:NL:HR:2020:1", "/ECLI:NL:HR:2020:1"),
        ("/" + "a" * 2_047, "/" + "a" * 2_047),
    ],
)
def test_a_clear_path_has_one_form(sent: str, form: str) -> None:
    assert normal_path(sent) == form


@given(signs | st.text(max_size=40))
def test_the_form_of_a_path_is_its_own_form_and_hides_no_segment(path: str) -> None:
    """Attack 10: whatever is let through is read alike by who decodes before and who decodes after it is split."""
    form = normal_path(path)
    if form is None:
        return
    assert normal_path(form) == form
    assert unquote(form) == unquote(path)
    inside = unquote(form).split("/")
    assert inside == [unquote(part) for part in form.split("/")]
    assert not {"", ".", ".."} & set(inside[1:-1])
    assert inside[-1] not in {".", ".."}
    assert "\\" not in unquote(form)


@given(segments, st.randoms(use_true_random=False))
def test_all_spellings_of_one_path_have_one_form(parts: list[str], chance: object) -> None:
    """Attack 1: a proof in another spelling is the same proof."""
    assert hasattr(chance, "random")

    def spelled(text: str) -> str:
        out = []
        for byte in text.encode("utf-8", "replace"):
            plain = chr(byte) if chr(byte).isascii() and chr(byte).isalnum() else None
            encoded = f"%{byte:02x}" if chance.random() < 0.5 else f"%{byte:02X}"
            out.append(plain if plain and chance.random() < 0.5 else encoded)
        return "".join(out)

    forms = {normal_path("/" + "/".join(spelled(part) for part in parts)) for _ in range(4)}
    assert len(forms) == 1


@pytest.mark.parametrize(
    "address",
    [
        "HTTPS://SITE.test/zoeken",
        "https://site.test:443/zoeken",
        "https://site.test/zoeken?vraag=wet",
        "https://site.test/zoeken#boven",
        "https://site.test/%7aoeken",
    ],
)
def test_an_address_in_another_spelling_is_the_same(address: str) -> None:
    assert normal_address(address) == "https://site.test/zoeken" == SITE.target("GET", b"/zoeken", []).address


@pytest.mark.parametrize(
    "address",
    [
        "http://site.test/zoeken",
        "https://site.test:80/zoeken",
        "https://site.test:8443/zoeken",
        "https://other.test/zoeken",
        "https://site.test.evil.test/zoeken",
        "https://site.test/zoeken/",
        "https://site.test/Zoeken",
    ],
)
def test_another_address_is_another(address: str) -> None:
    assert normal_address(address) not in {None, "https://site.test/zoeken"}


@pytest.mark.parametrize(
    "address",
    [
        "",
        "/zoeken",
        "//site.test/zoeken",
        "ftp://site.test/zoeken",
        "https:site.test/zoeken",
        "https:///zoeken",
        "https://user@site.test/zoeken",
        "https://site.test@evil.test/zoeken",
        "https://site.test:443@evil.test/zoeken",
        "https://site.test\\@evil.test/zoeken",
        "https://site.test\\zoeken",
        "https://site.test:/zoeken",
        "https://site.test:0443/zoeken",
        "https://site.test:65536/zoeken",
        "https://site.test:4 43/zoeken",
        "https://site.test./zoeken",
        "https://site..test/zoeken",
        "https://-site.test/zoeken",
        "https://s\u0456te.test/zoeken",
        "https://\uff53ite.test/zoeken",
        "http\u017f://site.test/zoeken",
        "https://site\u3002test/zoeken",
        "https://site.test/zoeken/../zoeken",
        "https://site.test//zoeken",
        "https://site.test/zoeken\n",
        "https://site.test/zoeken?\x00",
        " https://site.test/zoeken",
        "https://" + "a." * 127 + "test/zoeken",
        "https://site.test/" + "a" * 4_000,
    ],
)
def test_an_address_that_two_readers_could_read_apart_has_no_form(address: str) -> None:
    """Attack 3: a user in it, a backslash, a name in another script, a port written otherwise."""
    assert normal_address(address) is None


@given(st.text(max_size=80) | signs.map("https://site.test".__add__) | signs.map("https://".__add__))
def test_the_form_of_an_address_is_its_own_form(address: str) -> None:
    form = normal_address(address)
    assert form is None or normal_address(form) == form


@given(st.text(max_size=12) | st.sampled_from(["get", "Get", "GET ", "TRACE", "CONNECT", "G\u0415T", "QUERY"]))
def test_only_known_methods_in_capitals_are_methods(method: str) -> None:
    if method in METHODS:
        assert SITE.target(method, b"/zoeken", []).method == method
    else:
        with pytest.raises(ClassMismatchError) as refused:
            SITE.target(method, b"/zoeken", [])
        assert refused.value.check is Check.METHOD


@pytest.mark.parametrize("header", sorted(OVERRIDES))
def test_a_header_that_would_change_the_request_is_refused_whatever_it_says(header: bytes) -> None:
    """Attack 10: ``X-HTTP-Method-Override`` and its kin."""
    with pytest.raises(ClassMismatchError) as refused:
        SITE.target("GET", b"/zoeken", [(b"host", b"site.test"), (header, b"")])
    assert refused.value.check is Check.OVERRIDE


@pytest.mark.parametrize(
    ("setting", "origin"),
    [
        ("https://site.test", "https://site.test"),
        ("https://Site.Test:443/", "https://site.test"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("https://xn--ste-tma.test", "https://xn--ste-tma.test"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_an_operator_sets_the_address_of_this_site(setting: str, origin: str) -> None:
    assert PublicAddress.of(setting).origin == origin


@pytest.mark.parametrize(
    "setting", ["", "site.test", "https://site.test/x", "https://site.test/?", "https://s\u00efte.test"]
)
def test_a_setting_that_is_no_address_of_a_site_is_told_at_once(setting: str) -> None:
    with pytest.raises(ValueError, match="scheme and a host"):
        PublicAddress.of(setting)
