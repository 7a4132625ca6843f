"""Agents for the toy bandit, and a folder to run in."""

import pytest


def alternate(prompt):
    """A, B, A, B: by what the prompt tells of the past, so the same whenever it is asked."""
    return "B" if prompt.count("won") % 2 else "A"


@pytest.fixture
def agent():
    return alternate


@pytest.fixture
def there(tmp_path, monkeypatch, toy_bandit):
    """An empty folder, in which the command line knows the toy."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
