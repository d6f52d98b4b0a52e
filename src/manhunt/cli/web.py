"""`manhunt web`: the web app, with the browser opened."""

from __future__ import annotations

import argparse
import gc
import ipaddress
import os
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from manhunt.cli.parser import Parser, port_number, whole_number
from manhunt.cli.screen import clean_logs, say
from manhunt.core.errors import BadConfig, ManhuntError

if TYPE_CHECKING:
    import socket
    from collections.abc import Awaitable, Callable

    import uvicorn

    from manhunt.server.settings import Limits, Settings
    from manhunt.server.site import Site

    Opening = Callable[[Site], Awaitable[str]]

DESCRIPTION = """Play, watch, replay and analyse in the browser. Opens the page if there is a display, and otherwise
prints its address. Games are kept in the store, even if you stop the server while they are being played."""
EPILOG = """examples:
  manhunt web
  manhunt web --port 9000 --no-browser
  manhunt web --store postgresql://user@host/games
  manhunt web --lan                              for others in the same home network
  manhunt web --public --proxy 127.0.0.1 --name play.example.org     behind a proxy with TLS

Without --store the games are in MANHUNT_STORE, or in your data folder."""
SWITCH_SECONDS = 0.001
"""How long the event loop may keep the thread that stores moves waiting for its turn."""
HOST = "127.0.0.1"
EVERYWHERE = "0.0.0.0"
MEGABYTE = 1_000_000
STORE_VARIABLE = "MANHUNT_STORE"
RARE_COLLECTIONS = (2_000, 20, 500)
"""Thresholds of the garbage collector; with Python's own, whole collections stop all games for 0.3 s, often."""
COLLECT_SECONDS = 300.0
"""Until everything is collected once, however little was made meanwhile; with 200 games that takes 0.4 s."""


def build_parser() -> Parser:
    parser = Parser(prog="manhunt web", usage="manhunt web [OPTIONS]", description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument(
        "--port", type=port_number, default=8000, metavar="P", help="default %(default)s; 0 takes a free one"
    )
    parser.add_argument("--host", default=HOST, help="address to listen on (default %(default)s)")
    parser.add_argument("--store", metavar="URL", help="a file for SQLite, or postgresql://USER@HOST/NAME")
    text = "for phones and laptops in your home network: listens on all addresses, prints the one to open"
    parser.add_argument("--lan", action="store_true", help=text)
    text = "list public tables on the home page"
    parser.add_argument("--lobby", action="store_true", help=text)
    text = "let strangers in, with limits on what they can use; needed with a --host that other machines can reach"
    parser.add_argument("--public", "--allow-remote", dest="public", action="store_true", help=text)
    text = "address or network of a proxy whose X-Forwarded-For is trusted; may be given several times"
    parser.add_argument("--proxy", action="append", default=[], type=network, metavar="ADDRESS", help=text)
    text = "address or network that may read /metrics, besides this machine; may be given several times"
    parser.add_argument("--metrics-to", action="append", default=[], type=network, metavar="ADDRESS", help=text)
    text = "delete running games without a move for this long (default: 30 with --public, else never; 0 is never)"
    parser.add_argument("--expire", type=whole_number(0), metavar="DAYS", help=text)
    text = "take no new games into a larger store (default: 4000 with --public, else any size; 0 is any size)"
    parser.add_argument("--store-limit", type=whole_number(0), metavar="MB", help=text)
    text = "another host name that this server answers to; may be given several times"
    parser.add_argument("--name", action="append", default=[], metavar="HOST", help=text)
    parser.add_argument(
        "--workers", type=whole_number(1), metavar="N", help="processes for agents (default: one per core)"
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open the page")
    text = "do not compile in advance what first visitors need (done once, at the lowest priority)"
    parser.add_argument("--no-compile", action="store_true", help=text)
    return parser


def main(options: argparse.Namespace) -> int:
    from manhunt.server.app import create_app
    from manhunt.server.connections import allow_many_files
    from manhunt.server.durable import hold
    from manhunt.server.first_use import cold_work
    from manhunt.server.settings import Settings, default_store, is_loopback

    store = options.store or os.environ.get(STORE_VARIABLE) or str(default_store())
    if options.lan and options.host == HOST:
        options.host = EVERYWHERE
    if not (options.public or options.lan) and not is_loopback(options.host):
        raise BadConfig(
            f"--host {options.host} can be reached by other machines; add --lan or --public if you want that"
        )
    clean_logs()
    channel = listen(options.host, options.port)
    limits = _with_options(_limits(options), options)
    port, names, proxies = channel.getsockname()[1], tuple(options.name), tuple(options.proxy)
    settings = Settings(
        store,
        options.host,
        port,
        options.workers,
        limits,
        names,
        options.public,
        proxies,
        tuple(options.metrics_to),
        options.lobby,
    )
    allow_many_files()
    try:
        held = hold(store)
    except ManhuntError:
        channel.close()
        raise
    compiling = None if options.no_compile else _start_compiling(cold_work())
    try:
        sys.setswitchinterval(SWITCH_SECONDS)
        gc.freeze()
        gc.set_threshold(*RARE_COLLECTIONS)
        app, may_open = create_app(settings, held), not options.no_browser
        make_server(app, settings, may_open=may_open, ending="Ctrl-C stops it; games are kept").run(sockets=[channel])
        return 0
    finally:
        if compiling is not None:
            compiling.kill()
            compiling.wait()


def _limits(options: argparse.Namespace) -> Limits:
    """In a home network games are kept for as long as at home."""
    from manhunt.server.settings import Limits

    if options.public:
        return Limits()
    return replace(Limits(), expire_days=None, store_bytes=None) if options.lan else Limits.at_home()


def _with_options(limits: Limits, options: argparse.Namespace) -> Limits:
    if options.expire is not None:
        limits = replace(limits, expire_days=options.expire or None)
    if options.store_limit is not None:
        limits = replace(limits, store_bytes=options.store_limit * MEGABYTE or None)
    return limits


def network(text: str) -> str:
    """An address or a network, as it was written."""
    try:
        ipaddress.ip_network(text)
    except ValueError:
        text = f"{text!r} is not an address or network such as 10.0.0.1 or 10.0.0.0/8"
        raise argparse.ArgumentTypeError(text) from None
    return text


def _start_compiling(work: list[str]) -> subprocess.Popen[bytes] | None:
    """In a process of its own, which ends with this one, however this one ends: its input ends then."""
    if not work:
        return None
    command = [sys.executable, "-m", "manhunt", "warm", "--background", *work]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def make_server(
    app: object, settings: Settings, *, may_open: bool, opening: Opening | None = None, ending: str
) -> uvicorn.Server:
    """A server that says where it is when it runs, and opens the page that `opening` names, or the first one."""
    import asyncio

    import uvicorn

    from manhunt.server.connections import limited_protocol
    from manhunt.server.lan import lan_addresses

    config = uvicorn.Config(
        app,  # type: ignore[arg-type]
        log_level="error",  # of odd requests there is no end
        access_log=False,
        http=limited_protocol(settings),
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        server_header=False,
        ws_per_message_deflate=False,
        ws_max_size=settings.limits.message_bytes * 2,
        timeout_graceful_shutdown=2,
    )

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                self.collecting = asyncio.get_running_loop().create_task(_collect())
                page = "/" if opening is None else await opening(app.state.site)  # type: ignore[attr-defined]
                _announce(_address(settings) + page, ending, may_open and _has_display())
                for address in [] if settings.is_local else lan_addresses():
                    say(f"others in your network open http://{address}:{settings.port}")

    return Server(config)


async def _collect() -> None:
    from asyncio import sleep

    while True:
        await sleep(COLLECT_SECONDS)
        gc.collect()


def _announce(address: str, ending: str, is_opened: bool) -> None:
    say(f"manhunt is at {address} ({ending})")
    if is_opened:
        import threading
        import webbrowser

        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _address(settings: Settings) -> str:
    everywhere = settings.host in (EVERYWHERE, "::")
    host = "127.0.0.1" if everywhere else settings.host
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"


def _has_display() -> bool:
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def listen(host: str, port: int) -> socket.socket:
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
