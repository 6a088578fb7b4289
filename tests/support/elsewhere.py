"""Websites of others, on loopback: each with a name, a real certificate for it, and an address that everybody could reach.

Nothing of what is looked at before a connection is replaced: names get public addresses here, and only who dials one of them
ends up on loopback. An address that is not one of these cannot be dialled at all.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import ssl
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpcore
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.x509.oid import NameOID

from admission.fetch import Fetcher

PUBLIC = "93.184.216.34"
_DAY = dt.timedelta(days=1)


@dataclass
class Page:
    """What is at a path: bytes as they are sent, in pieces where a test wants to wait in between."""

    body: bytes = b"{}"
    status: str = "200 OK"
    headers: dict[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    wait: asyncio.Event | None = None


def card(client_id: str, key: Mapping[str, str], **more: str) -> Page:
    """The document of a client with one public key, named k1."""
    told = {
        "client_id": client_id,
        "token_endpoint_auth_method": "private_key_jwt",
        "jwks": {"keys": [{**key, "kid": "k1", "use": "sig"}]},
    }
    return Page(json.dumps(told | more).encode())


@dataclass
class Elsewhere:
    """The web as a fetcher of ours sees it. ``names``: what the resolver says of each, one answer after another."""

    names: dict[str, list[list[str]]]
    pages: dict[str, Page]
    port: int = 0
    trust: ssl.SSLContext = field(default_factory=ssl.create_default_context)
    dialled: list[str] = field(default_factory=list)
    resolved: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def fetcher(self, **other: Any) -> Fetcher:
        given: dict[str, Any] = {"resolve": self.resolve, "dial": _Dial(self), "trust": self.trust}
        return Fetcher(**(given | other))

    async def resolve(self, host: str) -> Sequence[str]:
        self.resolved.append(host)
        answers = self.names.get(host)
        if answers is None:
            raise OSError(host)
        return answers.pop(0) if len(answers) > 1 else answers[0]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            path = head.split(" ")[1]
            host = next(line[6:] for line in head.split("\r\n") if line.lower().startswith("host: "))
            self.asked.append(f"https://{host}{path}")
            page = self.pages.get(f"https://{host}{path}", Page(status="404 Not Found"))
            if page.wait is not None:
                await page.wait.wait()
            lines = [f"HTTP/1.1 {page.status}", *(f"{name}: {value}" for name, value in page.headers.items())]
            writer.write("\r\n".join([*lines, "Connection: close", "", ""]).encode() + page.body)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


class _Dial(httpcore.AsyncNetworkBackend):
    """Knows the way to one public address: to this machine."""

    def __init__(self, web: Elsewhere) -> None:
        self._web = web
        self._real = httpcore.AnyIOBackend()

    async def connect_tcp(self, host: str, port: int, *args: Any, **named: Any) -> httpcore.AsyncNetworkStream:
        self._web.dialled.append(host)
        assert port == 443
        if host != PUBLIC:
            raise httpcore.ConnectError(host)
        return await self._real.connect_tcp("127.0.0.1", self._web.port)


@asynccontextmanager
async def elsewhere(folder: Path, *hosts: str) -> AsyncIterator[Elsewhere]:
    """Websites with these names."""
    web = Elsewhere({host: [[PUBLIC]] for host in hosts}, {})
    authority, own = _certificates(hosts)
    (folder / "site.pem").write_bytes(own)
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(folder / "site.pem")
    web.trust = ssl.create_default_context(cadata=authority)
    server = await asyncio.start_server(web.serve, "127.0.0.1", 0, ssl=serving)
    web.port = server.sockets[0].getsockname()[1]
    try:
        yield web
    finally:
        server.close()


def _certificates(hosts: Sequence[str]) -> tuple[str, bytes]:
    """An authority, and the key with the certificate of a server that it made for these names."""
    root, leaf = generate_private_key(SECP256R1()), generate_private_key(SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "proef")])
    ca = _signed(name, name, root, root, x509.BasicConstraints(ca=True, path_length=None))
    names = x509.SubjectAlternativeName([x509.DNSName(host) for host in hosts])
    own = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "site")])
    site = _signed(own, name, leaf, root, names)
    form = serialization.Encoding.PEM
    key = leaf.private_bytes(form, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return ca.public_bytes(form).decode(), key + site.public_bytes(form)


def _signed(
    subject: x509.Name,
    issuer: x509.Name,
    key: EllipticCurvePrivateKey,
    by: EllipticCurvePrivateKey,
    extension: x509.ExtensionType,
) -> x509.Certificate:
    now = dt.datetime.now(dt.UTC)
    builder = x509.CertificateBuilder(subject_name=subject, issuer_name=issuer, public_key=key.public_key())
    builder = (
        builder.serial_number(x509.random_serial_number()).not_valid_before(now - _DAY).not_valid_after(now + _DAY)
    )
    builder = builder.add_extension(extension, critical=isinstance(extension, x509.BasicConstraints))
    for more, critical in (
        (x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False),
        (x509.AuthorityKeyIdentifier.from_issuer_public_key(by.public_key()), False),
    ):
        builder = builder.add_extension(more, critical=critical)
    return builder.sign(by, hashes.SHA256())
