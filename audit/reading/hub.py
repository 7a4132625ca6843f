"""Hugging Face datasets, by an `hf://` address or from a folder that reads nothing but its own files."""

from __future__ import annotations

import importlib.util
import logging
import os
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hansproof.generators.errors import InputError

__all__ = ["folder_dataset", "hub_dataset", "is_dataset", "silence"]

# `datasets` would also read a folder of that name in the working directory, or, given the name of one of its own
# readers, whatever files are there: so an address may name a dataset on the Hub and nothing else.

_PART = r"[A-Za-z0-9_][A-Za-z0-9_.-]*"
_CONFIG = r"[^@\s:/\\](?:[^@\x00-\x1f\x7f:/\\]*[^@\s:/\\])?"  # names of configurations may have spaces
_ADDRESS = re.compile(rf"hf://(?P<path>{_PART}(?:/{_PART})?)(?::(?P<config>{_CONFIG}))?(?:@(?P<split>[^\s/\\]+))?\Z")


@dataclass(frozen=True)
class Address:
    """The parts of `hf://org/name:config@split`."""

    path: str
    """`name` or `org/name`."""
    config: str | None
    split: str | None


def parse_address(address: str) -> Address:
    """The parts of an address. Raises InputError if it is malformed, or would be read from this disk."""
    match = _ADDRESS.match(address)
    if match is None or ".." in address:
        raise InputError("not an address; write hf://org/name, hf://org/name:config or hf://org/name@split", address)
    path = match["path"]
    if os.path.lexists(path):
        raise InputError(
            f"{path!r} also exists in the working directory, and hf:// never reads local data; "
            f"pass ./{path} for the local one, or run this elsewhere for the one on the Hub",
            address,
        )
    if path.isidentifier() and importlib.util.find_spec(f"datasets.packaged_modules.{path}") is not None:
        raise InputError(f"{path!r} is a reader of local files, not a dataset on the Hub; pass the file", address)
    return Address(path, match["config"], match["split"])


# Code that comes with a dataset is never run: the versions of `datasets` that this project requires cannot run it.

TIMEOUT = 10.0
"""Seconds the Hub has to answer the first request; its clients would try six times over half a minute."""


def hub_dataset(address: str, *, fetch: bool = True) -> Any:
    """The Dataset at `hf://org/name[:config][@split]`; without a split, a DatasetDict of all of them.

    Without `fetch`, which is for an address that a file names and not the user, only the cache is read. Raises
    InputError if the address is malformed, names something on this disk, or the dataset cannot be loaded.
    """
    wanted = parse_address(address)
    from datasets import load_dataset
    from huggingface_hub import constants

    with silence(), _as_asked(fetch):
        offline = bool(constants.HF_HUB_OFFLINE)
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


_SHARD = re.compile(r"-\d{5}-of-\d{5}")


def is_dataset(folder: Path) -> bool:
    """True for a folder that `datasets` saved, and for one of the Hub's: shards of Parquet, perhaps in `data`."""
    return bool(_data_files(folder))


def folder_dataset(folder: Path, place: str) -> Any:
    """The dataset in a folder: its Arrow or Parquet files, and nothing that a card or configuration names.

    The split of a saved file is its folder, that of a shard the beginning of its name. Messages call the folder
    `place`. Raises InputError for what cannot be loaded.
    """
    from datasets import Dataset, DatasetDict, concatenate_datasets
    from pyarrow import parquet

    parts: dict[str, list[Any]] = {}
    with silence():
        try:
            for file in _data_files(folder):
                shard = file.suffix == ".parquet"
                split = _SHARD.split(file.name)[0] if shard else file.parent.relative_to(folder).as_posix()
                part = Dataset(parquet.read_table(file)) if shard else Dataset.from_file(str(file))
                parts.setdefault(split, []).append(part)
            splits = {split: concatenate_datasets(several) for split, several in parts.items()}
        except Exception as error:  # Arrow and `datasets` raise errors of their own, with no common base
            raise InputError(f"cannot be loaded as a dataset folder: {_first_line(error)}", place) from error
    return splits["."] if list(splits) == ["."] else DatasetDict(splits)


def _data_files(folder: Path) -> list[Path]:
    """The files of a dataset folder, sorted; empty where it is none."""
    if (folder / "dataset_dict.json").is_file():
        files = folder.glob("*/*.arrow")
    elif (folder / "state.json").is_file() and (folder / "dataset_info.json").is_file():
        files = folder.glob("*.arrow")
    else:
        shards = [*folder.glob("*.parquet"), *(folder / "data").glob("*.parquet")]
        return sorted(file for file in shards if _SHARD.search(file.name))
    return sorted(file for file in files if not file.name.startswith("cache-"))  # what `map` left


def check_reachable(address: str, path: str) -> None:
    """Send the Hub one request. Raises InputError if none of its answers comes within `TIMEOUT` seconds.

    An answer about a missing or private dataset is left to `datasets`, whose messages are good.
    """
    from huggingface_hub import HfApi, constants
    from huggingface_hub.errors import HfHubHTTPError

    try:
        HfApi().dataset_info(path, timeout=TIMEOUT)
    except HfHubHTTPError:
        return
    except Exception as error:  # the client raises its HTTP library's errors, and that library has changed twice
        raise InputError(
            f"cannot reach the Hub at {constants.ENDPOINT} ({_first_line(error)}): check the network, "
            "or set HF_HUB_OFFLINE=1 to use the cache",
            address,
        ) from error


@contextmanager
def silence() -> Iterator[None]:
    """Suppress log lines, warnings, and progress bars of `datasets` and its clients; restore them on exit."""
    import datasets
    from huggingface_hub import utils

    libraries: tuple[Any, Any] = (datasets, utils)
    shown = [library for library in libraries if not library.are_progress_bars_disabled()]
    before = logging.root.manager.disable
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        logging.disable(logging.CRITICAL)
        for library in shown:
            library.disable_progress_bars()
        try:
            yield
        finally:
            logging.disable(before)
            for library in shown:
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


def _first_line(error: Exception) -> str:
    """What went wrong, in one line."""
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__
