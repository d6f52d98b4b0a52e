"""What every request and every handshake passes first: host, origin, size, rate; and the headers of every answer."""

import ipaddress
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from manhunt.server.errors import error_response
from manhunt.server.limits import Addresses
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
FORBIDDEN = 403
NUL = "\0"
"""In no name of ours, and PostgreSQL takes no text with it."""


class Guard:
    """A layer around the app."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._settings = app, settings
        self._hosts = {name.lower() for name in settings.names}
        self._addresses = Addresses(settings.limits)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        with self._addresses.socket(address_of(scope)) as allowed:
            is_welcome = allowed and self._is_our_host(headers) and is_same_origin(headers)
            if not is_welcome or NUL in scope["path"]:
                await receive()
                await send({"type": "websocket.close", "code": 4000 + FORBIDDEN})
                return
            await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers, most = Headers(scope=scope), self._settings.limits.body_bytes
        refusal: tuple[int, str] | None = None
        body: bytes | None = b""
        if not self._is_our_host(headers):
            refusal = (FORBIDDEN, "this server does not answer to that name")
        elif not self._addresses.may_request(address_of(scope)):
            refusal = (429, "too many requests; wait a little")
        elif NUL in scope["path"]:
            refusal = (404, "there is no such page")
        elif scope["method"] in UNSAFE:
            if not is_same_origin(headers):
                refusal = (FORBIDDEN, "requests from other sites are refused")
            elif (body := await _read(receive, headers, most)) is None:
                refusal = (413, f"the request is larger than {most} bytes")
        if refusal is not None:
            await error_response(*refusal)(scope, receive, _with_headers(send, scope))
            return
        again = _body_first(body or b"", receive) if scope["method"] in UNSAFE else receive
        await self._app(scope, again, _with_headers(send, scope))

    def _is_our_host(self, headers: Headers) -> bool:
        """Against names that somebody else lets point here: only our own names and plain addresses are answered to."""
        name = host_name(headers.get("host", ""))
        return name in self._hosts or (not self._settings.is_local and _is_address(name))


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


def _with_headers(send: Send, scope: Scope) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            if scope["path"].startswith("/api/"):
                headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sending


def address_of(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else ""


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
