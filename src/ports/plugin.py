"""What an adapter found by its URL's scheme is built from.

A third party's package offers a factory under an entry point group, named for the scheme: under
``mutirao.coordination_stores`` a callable that takes the URL and a `StoreContext` and returns a `CoordinationStore`
that is not open yet, under ``mutirao.brokers`` one that takes the URL and a `BrokerContext` and returns a `Broker`.
"""

from attrs import frozen

from ports.time import Clock, IdGenerator, RandomSource


@frozen
class StoreContext:
    """Time, identity and chance for a store, and how many holders an item may lose before it is dead."""

    clock: Clock
    ids: IdGenerator
    random: RandomSource
    max_crashes: int


@frozen
class BrokerContext:
    """Time, identity and chance for a broker."""

    clock: Clock
    ids: IdGenerator
    random: RandomSource
