"""What a worker may connect to, by the address that a name turns out to have."""

from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.target_policy import TargetPolicy

PUBLIC = TargetPolicy.parse("public")
PRIVATE_ADDRESSES = [
    "127.0.0.1",
    "127.255.255.254",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "169.254.169.254",
    "224.0.0.1",
    "255.255.255.255",
    "192.0.2.1",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a00:1",
    "2002:7f00:1::",
    "2002:a9fe:a9fe::",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "ff02::1",
    "2001:db8::1",
]


@pytest.mark.parametrize("address", PRIVATE_ADDRESSES)
def test_what_is_not_public_is_refused_in_every_spelling(address: str) -> None:
    assert PUBLIC.refusal("x.example", address)


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]
)
def test_what_is_public_passes(address: str) -> None:
    assert PUBLIC.refusal("x.example", address) is None


@given(st.ip_addresses())
def test_any_lets_everything_through(address) -> None:
    assert TargetPolicy.parse("any").refusal("x.example", str(address)) is None


@given(st.ip_addresses(v=4))
def test_an_address_is_judged_alike_however_ipv6_spells_it(address) -> None:
    mapped = str(ip_address(f"::ffff:{address}"))
    assert bool(PUBLIC.refusal("h", str(address))) == bool(PUBLIC.refusal("h", mapped))


def test_a_list_allows_what_it_names_and_nothing_else() -> None:
    policy = TargetPolicy.parse("public, 10.1.0.0/16, api.internal, *.svc.example, 127.0.0.1")
    assert policy.refusal("x", "8.8.8.8") is None
    assert policy.refusal("x", "10.1.2.3") is None
    assert policy.refusal("x", "::ffff:10.1.2.3") is None
    assert policy.refusal("x", "10.2.0.1")
    assert policy.refusal("x", "127.0.0.1") is None
    assert policy.refusal("API.internal.", "10.9.9.9") is None
    assert policy.refusal("a.b.svc.example", "10.9.9.9") is None
    assert policy.refusal("svc.example", "10.9.9.9")
    assert policy.refusal("evilsvc.example", "10.9.9.9")


def test_a_list_without_public_keeps_the_rest_of_the_net_out() -> None:
    assert TargetPolicy.parse("10.0.0.0/8").refusal("x", "8.8.8.8")


@pytest.mark.parametrize(
    "text", ["", " , ", "any,public", "http://x", "10.0.0.0/33", "300.1.1.1", "a b", "*", "*.*.x", "x/8"]
)
def test_what_is_no_policy_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"policy|neither"):
        TargetPolicy.parse(text)


def test_a_refusal_says_what_was_found_where() -> None:
    assert PUBLIC.refusal("db.example", "10.0.0.5") == (
        "10.0.0.5, where db.example is found, is not among the allowed targets"
    )
