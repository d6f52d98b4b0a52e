"""What every request and handshake passes first: host, origin, size, rate, time; and the headers of every answer."""

import asyncio
import ipaddress
from collections import Counter
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from manhunt.server.addresses import Addresses, client_address
from manhunt.server.errors import error_response
from manhunt.server.settings import Settings

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
UNSAFE = ("POST", "PUT", "PATCH", "DELETE")
FORBIDDEN, TOO_MANY = 403, 429
LATE = 408
"""The rest of such a request is not waited for."""
NUL = "\0"
"""In no name of ours, and PostgreSQL takes no text with it."""


class Guard:
    """A layer around the app."""

    def __init__(self, app: ASGIApp, settings: Settings, addresses: Addresses, answers: Counter[int]) -> None:
        self._app, self._settings, self._addresses = app, settings, addresses
        self._hosts = {name.lower() for name in settings.names}
        self._answers = answers
        """How many answers of each status were given."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers, address = Headers(scope=scope), client_address(HTTPConnection(scope))
        with self._addresses.sockets.one(address) as allowed:
            if not allowed or not self._addresses.handshakes.take(address):
                await self._refuse_socket(TOO_MANY, receive, send)
            elif not self._is_our_host(headers) or not is_same_origin(headers) or NUL in scope["path"]:
                await self._refuse_socket(FORBIDDEN, receive, send)
            else:
                await self._app(scope, receive, send)

    async def _refuse_socket(self, status: int, receive: Receive, send: Send) -> None:
        """Before it is one: the client gets the HTTP status 403, whatever the reason."""
        self._answers[status] += 1
        await receive()
        await send({"type": "websocket.close", "code": 4000 + status})

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = client_address(HTTPConnection(scope))
        sending = self._with_headers(send, scope)
        with self._addresses.at_once.one(address) as allowed:
            refusal = self._refusal(scope, address) if allowed else (TOO_MANY, "too many requests at once")
            if refusal is None and scope["method"] in UNSAFE:
                body = await self._body(scope, receive)
                if isinstance(body, bytes):
                    receive = _body_first(body, receive)
                else:
                    refusal = body
            if refusal is None:
                await self._app(scope, receive, sending)
            else:
                await error_response(*refusal)(scope, receive, sending)

    def _refusal(self, scope: Scope, address: str) -> tuple[int, str] | None:
        """What is wrong with a request before its body is read."""
        headers = Headers(scope=scope)
        if not self._is_our_host(headers):
            return FORBIDDEN, "this server does not answer to that name"
        if not self._addresses.requests.take(address):
            return TOO_MANY, "too many requests; wait a little"
        if NUL in scope["path"]:
            return 404, "there is no such page"
        if scope["method"] in UNSAFE and not is_same_origin(headers):
            return FORBIDDEN, "requests from other sites are refused"
        return None

    async def _body(self, scope: Scope, receive: Receive) -> bytes | tuple[int, str]:
        """The whole body, or why it is not taken."""
        limits = self._settings.limits
        try:
            async with asyncio.timeout(limits.body_seconds):
                body = await _read(receive, Headers(scope=scope), limits.body_bytes)
        except TimeoutError:
            return LATE, f"the request did not arrive within {limits.body_seconds:g} s"
        return (413, f"the request is larger than {limits.body_bytes} bytes") if body is None else body

    def _is_our_host(self, headers: Headers) -> bool:
        """Against names that somebody else lets point here: only our own names and plain addresses are answered to."""
        name = host_name(headers.get("host", ""))
        return name in self._hosts or (not self._settings.is_local and _is_address(name))

    def _with_headers(self, send: Send, scope: Scope) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._answers[message["status"]] += 1
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if message["status"] == LATE:
                    headers["Connection"] = "close"
                if scope["path"].startswith("/api/"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        return sending


def _body_first(body: bytes, receive: Receive) -> Receive:
    """A body that was read already, and then what really comes."""
    read: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receiving() -> Message:
        return read.pop() if read else await receive()

    return receiving


async def _read(receive: Receive, headers: Headers, most: int) -> bytes | None:
    """The body; None if it is too large."""
    length = headers.get("content-length", "0")
    if length.isdecimal() and int(length) > most:
        return None
    parts: list[bytes] = []
    n_bytes, more = 0, True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            break
        parts.append(message.get("body", b""))
        n_bytes += len(parts[-1])
        if n_bytes > most:
            return None
        more = message.get("more_body", False)
    return b"".join(parts)


def host_name(host: str) -> str:
    """The name in a Host header, without its port."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def is_same_origin(headers: Headers) -> bool:
    """A browser says where a page comes from; programs that are none say nothing."""
    host = headers.get("host", "").lower()
    try:
        origins = [urlsplit(origin.lower()) for origin in headers.getlist("origin")]
    except ValueError:
        return False
    return all(origin.scheme in ("http", "https") and origin.netloc == host for origin in origins)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
