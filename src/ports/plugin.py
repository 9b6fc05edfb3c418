"""What an adapter found by its URL's scheme is built from.

A third party's package offers a factory under the entry point group ``mutirao.coordination_stores``, named for the
scheme: a callable that takes the URL and a `StoreContext` and returns a `CoordinationStore` that is not open yet.
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
