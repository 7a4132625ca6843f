"""OpenAI evals registry: `registry/evals/*.yaml`, whose evals name their `samples_jsonl` under `registry/data`."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from generators.errors import InputError
from generators.input import ABSENT, note

__all__ = ["is_registry", "samples_file"]

_DEEPEST = 4
"""How many folders above the YAML may hold the `data` folder."""


def is_registry(value: Any) -> bool:
    """True for a mapping of evals of which one names samples or a data set."""
    return isinstance(value, dict) and bool(_named(value) or _named(value, "dataset"))


def samples_file(value: dict[Any, Any], path: Path, place: str) -> Path:
    """The one samples file that the evals of a YAML name.

    Raises InputError if they name several, a remote one, one outside the data folder, one that is missing, or a data
    set on the Hub instead.
    """
    named = _named(value)
    if not named:
        sets = _named(value, "dataset")
        listed = ", ".join(map(_address, sets[:3])) + (f" and {len(sets) - 3} more" if len(sets) > 3 else "")
        raise InputError(f"evals over data sets and not over samples; audit the data set itself: {listed}", place)
    if len(named) > 1:
        listed = ", ".join(named[:10]) + (f" and {len(named) - 10} more" if len(named) > 10 else "")
        raise InputError(f"evals over {len(named)} files; audit one of them: {listed}", place)
    name = named[0]
    if "://" in name:
        raise InputError(f"the samples are at {name}: download them and audit the file", place)
    if Path(name).is_absolute() or ".." in Path(name).parts:
        raise InputError(f"samples_jsonl is {name!r}, which leads out of the registry; audit the file itself", place)
    folders = [path.parent, *(folder / "data" for folder in list(path.resolve().parents)[: _DEEPEST + 1])]
    for folder in folders:
        if (folder / name).is_file():
            return folder / name
        note(str(folder / name), ABSENT)  # once it is there, it comes first
    raise InputError(f"samples_jsonl is {name!r}, but no `data` folder beside `evals` has it", place)


def _named(value: dict[Any, Any], key: str = "samples_jsonl") -> list[str]:
    """What all evals have under `key`, each once, in order."""
    names: dict[str, None] = {}
    for entry in value.values():
        arguments = entry.get("args") if isinstance(entry, dict) else None
        name = arguments.get(key) if isinstance(arguments, dict) else None
        if isinstance(name, str) and name:
            names[name] = None
    return list(names)


def _address(dataset: str) -> str:
    """`hf://name:config@split` for the registry's `hf://name?name=config&split=split`; others as they are."""
    try:
        parts = urlsplit(dataset)
    except ValueError:
        return dataset
    if parts.scheme != "hf":
        return dataset
    asked = dict(parse_qsl(parts.query))
    config, split = asked.get("name"), asked.get("split")
    path = f"hf://{parts.netloc}{parts.path}"
    return path + (f":{config}" if config else "") + (f"@{split}" if split else "")
