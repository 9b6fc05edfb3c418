"""Contract suites that anyone can bind to an adapter of their own.

Each module holds the promises of one port as a class of tests. Subclass it, override its fixture, and run pytest:
docs/writing-an-adapter.md shows a whole small adapter bound in ten lines. For readable failures, call
``pytest.register_assert_rewrite("ports.testing")`` in a conftest before the suites are imported.
"""
