"""What tests of every room share."""

from uuid import uuid4

import pytest
import small_benchmarks

from hansproof.generators import registry


@pytest.fixture
def toy_bandit(monkeypatch):
    """The toy family `toy-bandit`, registered like any other: one folder and one line."""
    monkeypatch.setitem(registry.MODULES, "toy-bandit", "toy_bandit.dataset")
    return registry.dataset("toy-bandit")


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, tmp_path_factory):
    """A cache folder for each test, so that none is answered by another or by the user's own."""
    monkeypatch.setenv("HANSPROOF_CACHE", str(tmp_path_factory.getbasetemp() / "cache" / uuid4().hex))


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """A folder of small benchmarks of our own (`small_benchmarks`), written once per test run."""
    folder = tmp_path_factory.mktemp("small")
    small_benchmarks.write_all(folder)
    return folder
