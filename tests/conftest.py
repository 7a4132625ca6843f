"""What tests of every room share: a toy family of episodes in the registry."""

import pytest

from generators import registry


@pytest.fixture
def toy_bandit(monkeypatch):
    """The toy family `toy-bandit`, registered like any other: one folder and one line."""
    monkeypatch.setitem(registry.MODULES, "toy-bandit", "toy_bandit.dataset")
    return registry.dataset("toy-bandit")
