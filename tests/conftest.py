"""Loaded before any suite, so that a failing promise of `ports.testing` shows its values."""

import pytest

pytest.register_assert_rewrite("ports.testing")
