"""Where requests may go: a guard against tasks that reach for the network behind the worker (SSRF).

An address is judged as it is connected to. Names, and spellings like 2130706433 or ``[::ffff:127.0.0.1]``, tell
nothing: each of those is 127.0.0.1.
"""

import re
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from attrs import field, frozen

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

_ANY = "any"
_PUBLIC = "public"
_HOST = re.compile(r"(\*\.)?[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?", re.ASCII)
# RFC 6052: IPv4 behind a NAT64 gateway; RFC 4291, section 2.5.5.1: IPv4 as some old stacks still spell it
_IPV4_WITHIN = (IPv6Network("64:ff9b::/96"), IPv6Network("::/96"))


@frozen
class TargetPolicy:
    """Lets `anything` through; else what is `public`, in one of `networks`, or of one of `hosts`.

    A host is a whole name, or ``*.example.org`` for every name below it; its addresses are not looked at.
    """

    anything: bool = False
    public: bool = False
    hosts: frozenset[str] = field(factory=frozenset)
    networks: Sequence[Network] = ()

    @classmethod
    def parse(cls, text: str) -> "TargetPolicy":
        """``any``, or a list with commas of ``public``, hosts and networks: ``public,10.1.0.0/16,*.internal.example``.

        Raises:
            ValueError: with the part that is none of these.
        """
        words = [word.strip().lower() for word in text.split(",") if word.strip()]
        if not words:
            raise ValueError("a target policy is any, public, or a list of hosts and networks; this one is empty")
        if words == [_ANY]:
            return cls(anything=True)
        if _ANY in words:
            raise ValueError("a target policy is any, or a list without it: any leaves nothing to list")
        networks, hosts = [], set()
        for word in words:
            network = _network(word)
            if network is not None:
                networks.append(network)
            elif word != _PUBLIC:
                hosts.add(_host(word))
        return cls(public=_PUBLIC in words, hosts=frozenset(hosts), networks=networks)

    def refusal(self, host: str, address: str) -> str | None:
        """Why no connection may be made to `address`, at which `host` (as the URL has it) is found; None if it may."""
        if self.anything or self._knows(host.lower().rstrip(".")):
            return None
        # an IPv6 address may name its interface: fe80::1%eth0
        real = _ipv4_within(ip_address(address.partition("%")[0]))
        if self.public and real.is_global and not real.is_multicast:
            return None
        if any(real in network for network in self.networks):
            return None
        return f"{address}, where {host} is found, is not among the allowed targets"

    def _knows(self, host: str) -> bool:
        labels = host.split(".")
        return host in self.hosts or any(f"*.{'.'.join(labels[n:])}" in self.hosts for n in range(1, len(labels)))


def _network(word: str) -> Network | None:
    try:
        return ip_network(word, strict=False)
    except ValueError:
        return None


def _host(word: str) -> str:
    # what looks like a number or a path is a mistyped address, not a host
    if _HOST.fullmatch(word) and not word.replace(".", "").isdigit():
        return word
    raise ValueError(f"{word!r} is neither any, public, a host (*.example.org) nor a network (10.0.0.0/8)")


def _ipv4_within(address: Address) -> Address:
    """The IPv4 address that an IPv6 one stands for, where it does."""
    if isinstance(address, IPv4Address):
        return address
    if any(address in network for network in _IPV4_WITHIN) and address.packed[-4:] > bytes([0, 0, 0, 1]):
        return IPv4Address(address.packed[-4:])
    return address.ipv4_mapped or address.sixtofour or address
