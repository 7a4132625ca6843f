"""Hugging Face datasets: from the Hub by an `hf://` address, or from a folder on disk.

`datasets` is imported only when needed. Code that comes with a dataset is never run: the versions of `datasets`
that this project requires cannot run it.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from audit.sources.addresses import parse_address
from audit.sources.contained import check_contained
from generators.errors import InputError
from generators.input import within

__all__ = ["TIMEOUT", "check_reachable", "folder_dataset", "hub_dataset", "hub_name", "silence"]

TIMEOUT = 10.0
"""Seconds the Hub has to answer the first request; its clients would try six times over half a minute."""

_LOGGERS = ("datasets", "huggingface_hub", "httpx", "httpx2", "urllib3", "fsspec", "filelock")


def hub_name(address: str) -> str:
    """`org/name` of an address, for tables."""
    return address.removeprefix("hf://").split("@")[0]


def hub_dataset(address: str, *, fetch: bool = True) -> Any:
    """The Dataset at `hf://org/name[:config][@split]`; without a split, a DatasetDict of all of them.

    Without `fetch`, which is for an address that a file names and not the user, only the cache is read. Raises
    InputError if the address is malformed, names something on this disk, or the dataset cannot be loaded.
    """
    wanted = parse_address(address)
    from datasets import load_dataset

    with silence(), _as_asked(fetch):
        offline = _is_offline()
        if not offline:
            check_reachable(address, wanted.path)
        try:
            return load_dataset(wanted.path, wanted.config, split=wanted.split)
        except Exception as error:  # the Hub's clients raise from four libraries, with no common base
            if not fetch:
                raise InputError(
                    "its data are on the Hub and not in the cache, and nothing is fetched that you do not name: fetch "
                    f"them with `hansproof audit {address}`, then audit this file again",
                    address,
                ) from error
            if offline and isinstance(error, ConnectionError):
                raise InputError(
                    "cannot reach the Hub: HF_HUB_OFFLINE is set and the dataset is not in the cache", address
                ) from error
            what = "cannot reach the Hub" if isinstance(error, ConnectionError) else "cannot be loaded"
            raise InputError(f"{what}: {_first_line(error)}", address) from error


def folder_dataset(folder: Path, place: str) -> Any:
    """The dataset in a folder, written by `save_to_disk` or served by the Hub. Messages call it `place`.

    Raises InputError where `datasets` cannot load it, and where it would read or fetch anything outside the folder.
    """
    check_contained(folder, place)
    from datasets import load_dataset, load_from_disk

    saved = any((folder / name).is_file() for name in ("dataset_dict.json", "state.json"))
    with silence():
        try:
            # Absolute, so that a folder called `json` is a folder and not the reader of that name.
            return load_from_disk(str(folder)) if saved else load_dataset(str(folder.resolve()))
        except Exception as error:  # as above
            raise InputError(f"cannot be loaded as a dataset folder: {_first_line(error)}", place) from error


def check_reachable(address: str, path: str) -> None:
    """Send the Hub one request. Raises InputError if it does not answer within `TIMEOUT` seconds, or with a 5xx.

    Other answers are left to `datasets`, whose messages about missing or private datasets are good.
    """
    from huggingface_hub import HfApi, constants
    from huggingface_hub.errors import HfHubHTTPError

    try:
        # Its own time limit starts anew with every byte.
        within(2 * TIMEOUT, lambda: HfApi().dataset_info(path, timeout=TIMEOUT))
    except HfHubHTTPError as error:
        status = getattr(error.response, "status_code", None)
        if status is not None and status >= 500:
            raise InputError(f"the Hub at {constants.ENDPOINT} answers {status}: try again later", address) from error
    except Exception as error:  # the client raises its HTTP library's errors, and that library has changed twice
        raise InputError(
            f"cannot reach the Hub at {constants.ENDPOINT} ({_first_line(error)}): check the network, "
            "or set HF_HUB_OFFLINE=1 to use the cache",
            address,
        ) from error


@contextmanager
def silence() -> Iterator[None]:
    """Suppress log lines, warnings and progress bars of `datasets` and its clients; restore them on exit."""
    import datasets
    from huggingface_hub import utils

    libraries: tuple[Any, Any] = (datasets, utils)
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    levels = [logger.level for logger in loggers]
    bars = [(library, library.are_progress_bars_disabled()) for library in libraries]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for library, disabled in bars:
            if not disabled:
                library.disable_progress_bars()
        try:
            yield
        finally:
            for logger, level in zip(loggers, levels):
                logger.setLevel(level)
            for library, disabled in bars:
                if not disabled:
                    library.enable_progress_bars()


@contextmanager
def _as_asked(fetch: bool) -> Iterator[None]:
    """Restrict the Hub's clients to their cache while the block runs, unless they may fetch."""
    import datasets
    from huggingface_hub import constants

    before = constants.HF_HUB_OFFLINE, datasets.config.HF_HUB_OFFLINE
    if not fetch:
        constants.HF_HUB_OFFLINE = datasets.config.HF_HUB_OFFLINE = True
    try:
        yield
    finally:
        constants.HF_HUB_OFFLINE, datasets.config.HF_HUB_OFFLINE = before


def _is_offline() -> bool:
    """True where the user has restricted the Hub's clients to their cache (HF_HUB_OFFLINE=1)."""
    from huggingface_hub import constants

    return bool(constants.HF_HUB_OFFLINE)


def _first_line(error: Exception) -> str:
    """What went wrong, in one line."""
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__
