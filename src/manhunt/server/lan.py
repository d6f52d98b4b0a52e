"""The addresses of this machine in the networks that it is part of."""

import contextlib
import ipaddress
import socket

ELSEWHERE = ("192.0.2.1", 9)
"""An address for documents; nothing is sent there, the system only says from where it would be."""


def lan_addresses() -> list[str]:
    """Those that other machines can use, the most likely first; none without a network."""
    found = [_outward()]
    with contextlib.suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return list(dict.fromkeys(address for address in found if address is not None and _is_useful(address)))


def _outward() -> str | None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as channel:
        try:
            channel.connect(ELSEWHERE)
            return str(channel.getsockname()[0])
        except OSError:
            return None


def _is_useful(address: str) -> bool:
    ip = ipaddress.ip_address(address)
    return not (ip.is_loopback or ip.is_unspecified or ip.is_link_local)
