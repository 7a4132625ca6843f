"""What an `hf://` address may name, whether the Hub answers, and its clients kept from talking.

An address names what lies on the Hub and nothing else: `datasets` would also read a folder of that name in the
working directory, or, for the name of one of its own readers, whatever files lie there.
"""

from __future__ import annotations

import importlib.util
import logging
import os
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from generators.errors import InputError

__all__ = ["TIMEOUT", "Address", "check_reachable", "is_offline", "parse_address", "silence"]

TIMEOUT = 10.0
"""Seconds for the Hub to answer the first question; its clients would try six times over half a minute."""

_PART = r"[A-Za-z0-9_][A-Za-z0-9_.-]*"
_ADDRESS = re.compile(rf"hf://(?P<path>{_PART}(?:/{_PART})?)(?::(?P<config>[^@\s:/\\]+))?(?:@(?P<split>[^\s/\\]+))?\Z")
_LOGGERS = ("datasets", "huggingface_hub", "httpx", "httpx2", "urllib3", "fsspec", "filelock")


@dataclass(frozen=True)
class Address:
    """`hf://org/name:config@split`, taken apart."""

    path: str
    """`name` or `org/name`."""
    config: str | None
    split: str | None


def parse_address(address: str) -> Address:
    """The parts of an address. Raises InputError for what is none, and for what would be read from this disk."""
    found = _ADDRESS.match(address)
    if found is None or ".." in address:
        raise InputError(f"{address}: not an address; write hf://org/name, hf://org/name:config or hf://org/name@split")
    path = found["path"]
    if os.path.lexists(path):
        raise InputError(
            f"{address}: {path!r} also exists in the working directory, and hf:// never reads local data; "
            f"give ./{path} for that one, or start elsewhere for the one on the Hub"
        )
    if path.isidentifier() and importlib.util.find_spec(f"datasets.packaged_modules.{path}") is not None:
        raise InputError(f"{address}: {path!r} is a reader of local files, not a dataset on the Hub; give the file")
    return Address(path, found["config"], found["split"])


def is_offline() -> bool:
    """True where the user has told the Hub's clients to use their cache alone (HF_HUB_OFFLINE=1)."""
    from huggingface_hub import constants

    return bool(constants.HF_HUB_OFFLINE)


def check_reachable(address: str, path: str) -> None:
    """Ask the Hub once, for `TIMEOUT` seconds. Raises InputError where it does not answer, or with a fault of its own.

    What it answers about the dataset is left to `datasets`, whose messages about missing or closed ones are good.
    """
    from huggingface_hub import HfApi, constants
    from huggingface_hub.errors import HfHubHTTPError

    try:
        HfApi().dataset_info(path, timeout=TIMEOUT)
    except HfHubHTTPError as error:
        status = getattr(error.response, "status_code", None)
        if status is not None and status >= 500:
            raise InputError(f"{address}: the Hub at {constants.ENDPOINT} answers {status}: try again later") from error
    except Exception as error:  # the client raises its HTTP library's errors, and that library has changed twice
        why = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise InputError(
            f"{address}: cannot reach the Hub at {constants.ENDPOINT} ({why}): check the network; "
            "HF_HUB_OFFLINE=1 uses what is in the cache"
        ) from error


@contextmanager
def silence() -> Iterator[None]:
    """No log lines, warnings or progress bars of `datasets` and its clients inside; all as before after it."""
    import datasets
    from huggingface_hub import utils

    libraries: tuple[Any, Any] = (datasets, utils)
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    levels = [one.level for one in loggers]
    bars = [(one, one.are_progress_bars_disabled()) for one in libraries]
    for one in loggers:
        one.setLevel(logging.CRITICAL + 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for library, disabled in bars:
            if not disabled:
                library.disable_progress_bars()
        try:
            yield
        finally:
            for one, level in zip(loggers, levels):
                one.setLevel(level)
            for library, disabled in bars:
                if not disabled:
                    library.enable_progress_bars()
