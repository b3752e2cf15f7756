"""A proxy for HTTPS on this computer, behind which a plain server stands for every host."""

from __future__ import annotations

import base64
import contextlib
import datetime as dt
import ipaddress
import select
import socket
import ssl
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

_PIECE = 1 << 16


@dataclass(frozen=True)
class Certificates:
    """An authority that nobody knows, and what it signed."""

    authority: Path
    """For SSL_CERT_FILE."""
    chain: Path
    """Certificate and key of a server."""
    whole_chain: Path
    """The same with the authority, which a server may send as well."""


def own_authority(folder: Path, hosts: Sequence[str]) -> Certificates:
    """Make an authority and a certificate for some hosts."""
    root_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    root_name, name = _name("Jay's own authority"), _name(hosts[0])
    root = (
        _begun(root_name, root_name, root_key)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(is_authority=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(root_key.public_key()), False)
        .sign(root_key, hashes.SHA256())
    )
    issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(root_key.public_key())
    leaf = (
        _begun(name, root_name, key)
        .add_extension(x509.SubjectAlternativeName([_alternative(host) for host in hosts]), False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(issuer, False)
        .sign(root_key, hashes.SHA256())
    )
    made = Certificates(folder / "authority.pem", folder / "server.pem", folder / "all.pem")
    authority = root.public_bytes(serialization.Encoding.PEM)
    made.authority.write_bytes(authority)
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    server = leaf.public_bytes(serialization.Encoding.PEM)
    made.chain.write_bytes(server + private)
    made.whole_chain.write_bytes(server + authority + private)
    return made


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _alternative(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _usage(*, is_authority: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=is_authority,
        crl_sign=is_authority,
        encipher_only=False,
        decipher_only=False,
    )


def _begun(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey
) -> x509.CertificateBuilder:
    now = dt.datetime.now(dt.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(hours=1))
        .not_valid_after(now + dt.timedelta(days=2))
    )


@dataclass
class Tunnel:
    """Answers CONNECT to any host, and is that host itself; or is a host without any proxy."""

    target_port: int
    """The plain server on this computer that gets what was said in secret."""
    chain: Path
    login: str = ""
    """`user:word` that it wants to see."""
    is_proxy: bool = True
    address: str = "127.0.0.1"
    asked: list[str] = field(default_factory=list)
    """Every `host:port` that somebody wanted to reach, and every visit without a proxy."""
    port: int = 0

    @contextlib.contextmanager
    def running(self) -> Iterator[Tunnel]:
        """Accept connections until the end of the block."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.chain)
        closing = threading.Event()
        with socket.create_server((self.address, 0)) as listener:
            listener.settimeout(0.02)
            self.port = listener.getsockname()[1]
            threads: list[threading.Thread] = []

            def accept() -> None:
                while not closing.is_set():
                    with contextlib.suppress(TimeoutError):
                        line, _ = listener.accept()
                        work = (line, context, closing)
                        threads.append(threading.Thread(target=self._serve, args=work))
                        threads[-1].start()

            threads.append(threading.Thread(target=accept))
            threads[0].start()
            try:
                yield self
            finally:
                closing.set()
                for thread in threads:
                    thread.join()

    def _serve(
        self, line: socket.socket, context: ssl.SSLContext, closing: threading.Event
    ) -> None:
        # Clients that do not trust the certificate hang up in the middle.
        with line, contextlib.suppress(OSError):
            line.settimeout(10)
            if not self._is_admitted(line):
                return
            with (
                context.wrap_socket(line, server_side=True) as secret,
                socket.create_connection(("127.0.0.1", self.target_port)) as plain,
            ):
                _carry(secret, plain, closing)

    def _is_admitted(self, line: socket.socket) -> bool:
        if not self.is_proxy:
            self.asked.append("directly")
            return True
        head = b""
        while b"\r\n\r\n" not in head:
            if not (data := line.recv(_PIECE)):
                return False
            head += data
        request, *headers = head.decode().split("\r\n")
        method, host, _ = request.split()
        self.asked.append(f"{method} {host}")
        wanted = f"Basic {base64.b64encode(self.login.encode()).decode()}"
        if self.login and f"proxy-authorization: {wanted}".lower() not in map(str.lower, headers):
            line.sendall(b"HTTP/1.1 407 Who are you?\r\nContent-Length: 0\r\n\r\n")
            return False
        line.sendall(b"HTTP/1.1 200 Go on\r\n\r\n")
        return True


def _carry(secret: ssl.SSLSocket, plain: socket.socket, closing: threading.Event) -> None:
    """Bytes in both directions until one side ends."""
    ways = {secret: plain, plain: secret}
    while not closing.is_set():
        waiting = [secret] if secret.pending() else select.select(list(ways), [], [], 0.02)[0]
        for source in waiting:
            if not (data := source.recv(_PIECE)):
                return
            ways[source].sendall(data)
