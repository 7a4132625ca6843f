"""The visible table of datasets, and the card.md that each has in its folder."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from traceback import extract_tb

from hansproof.generators.dataset import Dataset
from hansproof.generators.errors import Fault, InputError, UsageError, not_utf8, unknown

__all__ = ["FAMILIES", "MODULES", "CardProse", "add", "command", "dataset", "find", "names", "prose"]

MODULES = {
    "planted-cues": "hansproof.generators.planted_cues.dataset",
    "knights-knaves": "hansproof.generators.knights_knaves.dataset",
    "word-problems": "hansproof.generators.word_problems.dataset",
    "token-bias": "hansproof.generators.token_bias.dataset",
    "cognitive-tasks": "hansproof.generators.cognitive_tasks.dataset",
}
"""One line a family; its module has a `DATASET`."""


FAMILIES = "HANSPROOF_FAMILIES"
"""The environment variable that names families of others, `module:DATASET`, with commas between them. Processes that
this one starts know them by it."""


def add(place: str) -> Dataset:
    """Make the family at `module:DATASET` known by its name, here and in every process that is started from here.

    The module is imported: name only code that you trust. Raises UsageError where there is no such module or attribute,
    where it is no Dataset, and where a family of hansproof has its name.
    """
    os.environ[FAMILIES] = ",".join(dict.fromkeys([*_places(), place]))
    _added()
    return _at_place(place)


def _places() -> list[str]:
    return [place.strip() for place in os.environ.get(FAMILIES, "").split(",") if place.strip()]


def _at_place(place: str) -> Dataset:
    name, _, attribute = place.partition(":")
    if not name or not attribute:
        raise UsageError(f"{place!r} is no place of a family; write module:DATASET, as in my_family.dataset:DATASET")
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.append(folder)  # last: nothing that lies there takes the place of a library
    try:
        module = import_module(name)
    except (Exception, SystemExit) as error:
        if isinstance(error, ModuleNotFoundError) and f"{name}.".startswith(f"{error.name}."):
            raise UsageError(f"there is no module {error.name}; run from the folder that holds it", place) from error
        last = extract_tb(error.__traceback__)[-1]
        where = "" if isinstance(error, SyntaxError) else f" ({Path(last.filename).name}, line {last.lineno})"
        raise UsageError(f"cannot be imported: {type(error).__name__}: {error}{where}", place) from error
    family = getattr(module, attribute, None)
    if not isinstance(family, Dataset):
        raise UsageError(f"{attribute} is a {type(family).__name__}, not a Dataset", place)
    return family


def _added() -> dict[str, tuple[Dataset, str]]:
    """The families of others by name, each with its place."""
    added: dict[str, tuple[Dataset, str]] = {}
    for place in _places():
        family = _at_place(place)
        if family.name in MODULES or family.name in added:
            other = "a family of hansproof" if family.name in MODULES else added[family.name][1]
            raise UsageError(f"{place} is called {family.name!r}, as {other} is; give it another name")
        added[family.name] = family, place
    return added


def names() -> list[str]:
    """The names of all families, those of hansproof first."""
    return [*MODULES, *_added()]


def find(name: str) -> Dataset | None:
    """The dataset called `name`, whose module is imported now; None where no family has this name."""
    if name in MODULES:
        family: Dataset = import_module(MODULES[name]).DATASET
        return family
    return _added().get(name, (None, ""))[0]


def dataset(name: str) -> Dataset:
    """The dataset called `name`; its module is imported now. Raises UsageError with the known names."""
    family = find(name)
    if family is None:
        raise _unknown(name)
    return family


def _unknown(name: str) -> UsageError:
    return UsageError(f"{unknown('dataset', name, names()).reason}; `--family module:DATASET` adds one of your own")


def command(name: str) -> str:
    """How a command about the dataset called `name` begins."""
    return f"hansproof --family {_added()[name][1]}" if name not in MODULES and name in _added() else "hansproof"


CARD = "card.md"
"""The name of the file."""

_REQUIRED = ("Fields", "Uses", "Misuses", "Citation")
_SECTIONS = ("Details", *_REQUIRED, "Tags")
_FIELD = re.compile(r"- `([^`]+)`:(.*)")


@dataclass(frozen=True)
class CardProse:
    """The text of one card.md."""

    description: str
    """What the family measures and how: one or more paragraphs of Markdown."""
    fields: Mapping[str, str]
    """What each of the family's own keys of `metadata` means, on one line each."""
    uses: str
    """What the items are for; Markdown."""
    misuses: str
    """What they are not for; Markdown."""
    citation: str
    """The work that the family follows, on one line."""
    tags: tuple[str, ...] = ()
    """Task categories of the Hugging Face Hub; empty where the family names none."""
    details: str = ""
    """Designs, measures and numbers that are too long for the first screen; Markdown, empty where there are none."""


def prose(name: str) -> CardProse:
    """The prose of the registered dataset `name`, from the folder of its module.

    Raises UsageError for an unknown dataset; InputError where card.md is missing, is not UTF-8, or as `parse` does.
    """
    if name not in names():
        raise _unknown(name)
    module = MODULES[name] if name in MODULES else _added()[name][1].partition(":")[0]
    package = import_module(module).__package__
    if package:
        folder, place = files(package), f"{package.replace('.', '/')}/{CARD}"
    else:  # a module that lies alone in a folder
        folder, place = Path(import_module(module).__file__ or "").parent, CARD
    try:
        text = (folder / CARD).read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise InputError(f"is missing; it has a description and the sections {', '.join(_REQUIRED)}", place) from error
    except UnicodeDecodeError as error:
        raise not_utf8(error, place) from error
    return parse(text, place)


def parse(text: str, place: str) -> CardProse:
    """The prose in the text of a card.md.

    Raises InputError with every fault and its line: a section that is missing, unknown, repeated or empty (`Fields`
    may be), a key that is repeated or has no meaning, and a line of `Fields` that belongs to no entry.
    """
    faults: list[Fault] = []
    sections = _sections(text, place, faults)
    fields = _fields(sections.get("Fields", (0, []))[1], place, faults)
    texts = {title: "\n".join(line for _, line in lines).strip() for title, (_, lines) in sections.items()}
    for title, (number, _) in sections.items():
        if not texts[title] and title != "Fields":
            faults.append(Fault(f"section {title!r} is empty" if title else "has no description", _at(place, number)))
    faults += [Fault(f"lacks the section '## {title}'", place) for title in _REQUIRED if title not in sections]
    if faults:
        raise InputError.of(faults)
    tags = [tag.strip() for tag in texts.get("Tags", "").split(",")]
    return CardProse(
        description=texts[""],
        fields=fields,
        uses=texts["Uses"],
        misuses=texts["Misuses"],
        citation=" ".join(texts["Citation"].split()),
        tags=tuple(tag for tag in tags if tag),
        details=texts.get("Details", ""),
    )


_Lines = list[tuple[int, str]]


def _sections(text: str, place: str, faults: list[Fault]) -> dict[str, tuple[int, _Lines]]:
    """Title -> line of its heading, numbered lines below it; the description has the empty title and line 1."""
    sections: dict[str, tuple[int, _Lines]] = {"": (1, [])}
    lines = sections[""][1]
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.startswith("#"):
            lines.append((number, line))
            continue
        title = line.removeprefix("## ").strip()
        lines = []  # what stands under a faulty heading is passed over: the heading is the fault
        if title not in _SECTIONS:
            faults.append(Fault(unknown("section", title, _SECTIONS, within="a card").reason, _at(place, number)))
        elif title in sections:
            faults.append(Fault(f"section {title!r} occurs twice", _at(place, number)))
        else:
            sections[title] = (number, lines)
    return sections


def _fields(lines: _Lines, place: str, faults: list[Fault]) -> dict[str, str]:
    entries: dict[str, tuple[int, list[str]]] = {}
    parts: list[str] | None = None
    for number, line in lines:
        match = _FIELD.fullmatch(line)
        if match:
            key, parts = match[1], [match[2]]
            if key in entries:
                faults.append(Fault(f"field {key!r} occurs twice", _at(place, number)))
            else:
                entries[key] = (number, parts)
        elif line.startswith(" ") and parts is not None:
            parts.append(line)
        elif line.strip():
            faults.append(Fault(f"not a field: {line!r}; write - `key`: what it means", _at(place, number)))
    fields = {key: " ".join(" ".join(parts).split()) for key, (_, parts) in entries.items()}
    for key, (number, _) in entries.items():
        if not fields[key]:
            faults.append(Fault(f"field {key!r} has no meaning", _at(place, number)))
    return fields


def _at(place: str, number: int) -> str:
    return f"{place}: line {number}"
