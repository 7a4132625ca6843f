"""Writing the card of a release and the drawing beside it, from the frozen folder."""

from __future__ import annotations

from pathlib import Path

import msgspec

from generators.dataset import Dataset
from generators.errors import not_utf8, refused
from generators.jsonl import read, read_bytes
from generators.output import write_together
from generators.registry import prose
from hansproof.cards.card import card
from hansproof.cards.heatmap import heat_map
from hansproof.manifests.blind import with_blind
from hansproof.manifests.document import decode
from hansproof.manifests.manifest import FIRST_SCHEMA, MANIFEST, Manifest

__all__ = ["measured", "write_card"]


def write_card(folder: Path, dataset: Dataset, cards: Path | str) -> list[Path]:
    """Write `NAME-VERSION.md` and the drawing beside it into `cards`, replacing earlier ones; the paths.

    The card is made from the manifest in `folder`, the dataset and, if there is one, `NAME-VERSION.errata.md`, which
    lists what was found wrong after the freeze. Of a version other than the dataset's, only the drawing is written: the
    card keeps the words of its day. Raises InputError where a file cannot be read or written.
    """
    manifest = _manifest(folder)
    into = Path(cards)
    stem = f"{manifest.dataset}-{manifest.version}"
    noted = into / f"{stem}.errata.md"
    try:
        errata = noted.read_text(encoding="utf-8") if noted.exists() else ""
    except UnicodeDecodeError as error:
        raise not_utf8(error, str(noted)) from error
    except OSError as error:
        raise refused("read", error, str(noted)) from error
    texts = {f"{stem}.svg": heat_map(manifest)}
    if manifest.version == dataset.version:
        texts = {f"{stem}.md": card(measured(folder, dataset), dataset, prose(dataset.name), errata)} | texts
    write_together(into, {name: text.encode() for name, text in texts.items()}, overwrite=True)
    return [into / name for name in texts]


def measured(folder: Path, dataset: Dataset) -> Manifest:
    """The manifest in `folder`; one of the first schema gets its blind strategies from the frozen items.

    Raises InputError where the manifest or, for the first schema, an item file cannot be read.
    """
    manifest = _manifest(folder)
    if manifest.schema != FIRST_SCHEMA:
        return manifest
    entries = [with_blind(entry, dataset, read(folder / entry.file)) for entry in manifest.subsets]
    return msgspec.structs.replace(manifest, subsets=entries)


def _manifest(folder: Path) -> Manifest:
    path = folder / MANIFEST
    return decode(read_bytes(path), str(path))
