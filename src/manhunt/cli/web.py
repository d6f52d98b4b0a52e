"""`manhunt web`: the web app, with the browser opened."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from manhunt.cli.parser import Parser
from manhunt.errors import ManhuntError

if TYPE_CHECKING:
    import socket

    from manhunt.server.settings import Settings

DESCRIPTION = """Play, watch, replay and analyse in the browser. The page is opened where there is a display; elsewhere
its address is printed. Games are kept in the store, also when the server is stopped in the middle of them."""
EPILOG = """examples:
  manhunt web
  manhunt web --port 9000 --no-browser
  manhunt web --store postgresql://user@host/games"""
STORE_VARIABLE = "MANHUNT_STORE"


def build_parser() -> Parser:
    parser = Parser(prog="manhunt web", usage="manhunt web [OPTIONS]", description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument("--port", type=_port, default=8000, metavar="P", help="default %(default)s; 0 takes a free one")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default %(default)s)")
    parser.add_argument("--store", metavar="URL", help="a file for SQLite, or postgresql://USER@HOST/NAME")
    parser.add_argument("--no-browser", action="store_true", help="do not open the page")
    return parser


def main(options: argparse.Namespace) -> int:
    from manhunt.server.app import create_app
    from manhunt.server.durable import hold
    from manhunt.server.settings import Settings, default_store

    store = options.store or os.environ.get(STORE_VARIABLE) or str(default_store())
    channel = _listen(options.host, options.port)
    settings = Settings(store, options.host, channel.getsockname()[1])
    try:
        held = hold(store)
    except ManhuntError:
        channel.close()
        raise
    return _serve(create_app(settings, held), channel, settings, not options.no_browser)


def _serve(app: object, channel: socket.socket, settings: Settings, may_open: bool) -> int:
    import uvicorn

    config = uvicorn.Config(
        app,  # type: ignore[arg-type]
        log_level="warning",
        access_log=False,
        ws_per_message_deflate=False,
        ws_max_size=settings.limits.message_bytes * 2,
        timeout_graceful_shutdown=2,
    )
    address = f"http://{settings.host}:{settings.port}/"
    print(f"manhunt is at {address} (Ctrl-C ends it; games are kept)", flush=True)
    if may_open and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or sys.platform != "linux"):
        import webbrowser

        webbrowser.open(address)
    uvicorn.Server(config).run(sockets=[channel])
    return 0


def _listen(host: str, port: int) -> socket.socket:
    import socket

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    channel = socket.socket(family)
    channel.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        channel.bind((host, port))
        channel.listen(256)
    except OSError as error:
        channel.close()
        raise ManhuntError(f"cannot listen on {host}:{port}: {error.strerror}; choose another with --port") from None
    return channel


def _port(text: str) -> int:
    if not (text.isdecimal() and int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"{text!r} is no port; give a number from 0 to 65535")
    return int(text)
