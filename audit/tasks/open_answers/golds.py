"""What counts as right: answers compared as texts, as numbers where they are numbers, as signs."""

from __future__ import annotations

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Sequence
from decimal import Context, Decimal, InvalidOperation
from fractions import Fraction
from functools import cache, cached_property
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from hansproof.generators.answering.numbers import numbers, plain, written

__all__ = ["NOTHING", "Golds", "in_decimals", "is_code", "key_of"]

_LONGEST_NUMERAL = 200
"""Characters of an answer that may be a number."""
_SCIENTIFIC = re.compile(r"[-+]?\d{1,40}(?:\.\d{1,40})?[eE][-+]?\d{1,3}")
_DEGREES = re.compile(r"\^(?:\\circ|\{\\circ\})")
_AROUND = " \t\r\n()[]{}\"'“”‘’«»=~≈\\$€£¥₹"
_CODE = re.compile(r"(?!(?:k?g|k?m|cm|mm|ml|l|lb|oz|h|s|am|pm|ft|mph)\b)[^\W\d\u3040-\u9fff\uac00-\ud7af]")
"""A letter that touches a number makes a code of it (297K), unless it is a measure; Chinese, Japanese and Korean are
written without blanks."""
_MONTHS = frozenset({
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "ad", "bc",
    "ce", "bce",
})  # fmt: skip
_CAPITAL = frozenset({"celsius", "dollar", "dollars", "euro", "euros", "fahrenheit", "kelvin", "kg", "km", "watt"})
"""Units that are written with a capital somewhere; any other word with one may be a name (`50 Cent`)."""
_UNIT_WORDS = 2


def as_number(text: str) -> Decimal | None:
    """The number that an answer is, with or without currency and unit; None if it is no single number.

    A unit begins with a small letter: `50 Cent` may be a name, and `4 July` is a date. Number words are English.

    >>> as_number("$1,000.0"), as_number("3/4"), as_number("twenty-one apples"), as_number("in 1998")
    (Decimal('1000'), Decimal('0.75'), Decimal('21'), None)
    """
    if len(text) > _LONGEST_NUMERAL:
        return None
    if _SCIENTIFIC.fullmatch(text.strip(_AROUND)):
        return Decimal(text.strip(_AROUND))
    text = plain(_DEGREES.sub("°", text)).strip(_AROUND)
    mentions = numbers(text)
    if len(mentions) != 1:
        return None
    (mention,) = mentions
    before, unit = text[: mention.start].strip(_AROUND + "CAUS"), text[mention.end :]
    unit = unit.strip(_AROUND + ".。!?;,:")
    if before not in ("", "+", "-") or is_code(text, mention.end) or not _is_unit(unit):
        return None
    value = in_decimals(mention.value)
    return -value if before == "-" else value


def is_code(text: str, end: int) -> bool:
    """Whether the number that ends there is the beginning of a code, such as 297K."""
    return _CODE.match(text, end) is not None


def in_decimals(number: Fraction) -> Decimal:
    """Exactly, or with 12 significant digits where that takes infinitely many."""
    text = written(number)
    return Decimal(text) if "/" not in text else _DIVISION.divide(Decimal(number.numerator), number.denominator)


def _is_unit(unit: str) -> bool:
    """Whether what follows a number is a unit, rather than a month, a formula or a part of a name."""
    words = unit.split()
    if len(words) > _UNIT_WORDS or any(char.isdecimal() or char in "-+*/^=<>×÷:" for char in unit):
        return False
    if any(word.casefold().rstrip(".") in _MONTHS for word in words):
        return False
    return all(not word[0].isupper() or word.casefold() in _CAPITAL for word in words)


# Answers are one if equal without case, punctuation, articles and white space (Rajpurkar et al. 2016), or as numbers:
# 1,000 is 1000.0, $5 is 5 dollars, 3/4 is .75, seven is 7. A formula is compared sign by sign.

Ints = NDArray[np.int64]

_MARKS = dict.fromkeys(map(ord, string.punctuation))
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_SIGNS = frozenset("+*/^=<>|~\\_{}-−–×÷±√≤≥≠")
_COMMAND = re.compile(r"\\[A-Za-z]+")
_LETTERS = re.compile(r"[^\W\d_]{3}")
_EXACT = Context(prec=2 * _LONGEST_NUMERAL)
_DIVISION = Context(prec=12)
_LONGEST_ANSWER = 2_000
"""Characters of an answer that are compared as words; what follows must be equal."""
_MOST_ACCEPTED = 50
"""Accepted answers of one item that are compared."""
_RARE = 0.2
"""Strategies for numbers are tried if a larger share of the golds are numbers, those for words if more are not."""
NOTHING = -1
"""The number of no guess."""
_LONGEST_GUESS = 300
"""Characters of a guess that are kept: nobody's gold is a page."""


def key_of(answer: str | Decimal) -> str:
    """What two answers that are the same have in common.

    >>> key_of("The Eiffel Tower!") == key_of("eiffel tower"), key_of("1,000") == key_of(Decimal("1000.0"))
    (True, True)
    """
    value = as_number(answer) if isinstance(answer, str) else answer
    if value is not None:
        return f"#{value.normalize(_EXACT) if value else 0}"
    text = str(answer)
    rest = blake2b(text[_LONGEST_ANSWER:].encode("utf-8", "replace")).hexdigest() if len(text) > _LONGEST_ANSWER else ""
    text = text[:_LONGEST_ANSWER]
    # Signs matter where there are some, and no word beside LaTeX commands.
    if not _SIGNS.isdisjoint(text) and not _LETTERS.search(_COMMAND.sub(" ", text)):
        return "=" + "".join(text.split()) + rest
    return (" ".join(tokens(text)) or text.strip().casefold()) + rest


def tokens(text: str) -> list[str]:
    """The words of an answer in lower case, without punctuation and English articles.

    Punctuation goes without a trace, as in the evaluation script of SQuAD: `U.S.` is `us`. Beyond ASCII it is what
    Unicode calls punctuation, as in MLQA (Lewis et al. 2020).
    """
    folded = text.casefold().translate(_MARKS)
    if not folded.isascii():
        folded = "".join(char for char in folded if unicodedata.category(char)[0] != "P")
    return _ARTICLES.sub(" ", folded).split()


def f1(guess: Counter[str], gold: Counter[str]) -> float:
    """Token F1 of two bags of words: 2 |g and a| / (|g| + |a|), tokens with their counts. Rajpurkar et al. (2016).

    0 without a common token; 1 where both are empty.
    """
    size = guess.total() + gold.total()
    return 2 * (guess & gold).total() / size if size else 1.0


class Golds:
    """The gold answers of n items, and every text that is guessed, as numbers, so that comparing is fast.

    Texts 0 to K - 1 are the K different golds, each as it is mostly written; guesses are added as they come.
    """

    def __init__(self, accepted: Sequence[Sequence[str]]) -> None:
        """`accepted` (n,) are the texts that are right for each item, the first gold first."""
        key = cache(key_of)
        several = [list(dict.fromkeys(map(key, texts[:_MOST_ACCEPTED]))) for texts in accepted]
        written = Counter((key(text), text) for texts in accepted for text in texts[:_MOST_ACCEPTED])
        # The most frequent way to write a gold first, of equals the first in the alphabet.
        usual: dict[str, str] = {}
        for of, text in sorted(written, key=lambda pair: (-written[pair], pair[1])):
            usual.setdefault(of, text)
        self.keys = sorted(usual)
        """(K,) what each gold has in common with the answers that are the same."""
        self._keys = {of: number for number, of in enumerate(self.keys)}
        self.texts = [usual[of] for of in self.keys]
        """(T,) the texts by number: golds, and guesses so far."""
        self.accepted: Ints = np.full((len(several), max(map(len, several))), NOTHING, dtype=np.int64)
        """(n, m) the numbers of the golds that are right for each item, the first one first; -1 for no more."""
        for item, keys in enumerate(several):
            self.accepted[item, : len(keys)] = [self._keys[of] for of in keys]
        self.number = np.array([_is_numeric(keys[0]) for keys in several], dtype=np.bool_)
        """(n,) whether the first gold is a number."""
        self._gold = list(range(len(self.texts)))
        self._number = {text: number for number, text in enumerate(self.texts)}
        self._bag = cache(lambda number: Counter(tokens(self.texts[number][:_LONGEST_ANSWER])))

    @property
    def numbers(self) -> bool:
        """Whether strategies for numbers are worth trying."""
        return float(self.number.mean()) > _RARE

    @property
    def words(self) -> bool:
        """Whether strategies for words are."""
        return float(1 - self.number.mean()) > _RARE

    @property
    def common(self) -> int:
        """The number of the answer that is right for most items; of equals the first in the alphabet."""
        return int(np.bincount(self.accepted[self.accepted >= 0]).argmax())

    @cached_property
    def decimals(self) -> int:
        """How many decimals most gold numbers have: quotients are rounded so. 0 without numbers."""
        places: Counter[int] = Counter()
        for first in self.accepted[self.number, 0].tolist():
            places[max(0, -int(Decimal(self.keys[first][1:]).as_tuple().exponent))] += 1
        return min(places, key=lambda count: (-places[count], count)) if places else 0

    def of(self, guess: str | Decimal | None) -> int:
        """The number of a text, or of a number without its exponent; `NOTHING` for None and for blanks."""
        if isinstance(guess, Decimal):
            # Within these bounds it is written out; beyond them nobody's gold is.
            guess = f"{guess:f}" if abs(guess.adjusted()) < _LONGEST_GUESS // 5 else str(guess)
        guess = guess[:_LONGEST_GUESS].strip() if guess else None
        if not guess:
            return NOTHING
        if guess not in self._number:
            self._number[guess] = len(self.texts)
            self.texts.append(guess)
            self._gold.append(self._keys.get(key_of(guess), NOTHING))
        return self._number[guess]

    @property
    def gold(self) -> Ints:
        """(T + 1,) the number of the gold that each text is, -1 for a text that is nobody's, last for no guess."""
        return np.array([*self._gold, NOTHING], dtype=np.int64)

    def right(self, guesses: Ints, items: Ints | slice = slice(None)) -> NDArray[np.bool_]:
        """Whether each guess, the number of a text or `NOTHING`, is right for its item."""
        gold = self.gold[guesses]
        return np.asarray(((gold[:, None] == self.accepted[items]) & (gold >= 0)[:, None]).any(axis=1))

    def f1(self, guesses: Ints, items: Ints) -> NDArray[np.float64]:
        """Token F1 of each guess for its item, the best over the accepted answers.

        A gold number is matched or not, as in DROP (Dua et al. 2019).
        """
        scores = self.right(guesses, items).astype(np.float64)
        for at in np.flatnonzero((scores == 0) & (guesses != NOTHING)).tolist():
            accepted = [number for number in self.accepted[items[at]].tolist() if number != NOTHING]
            if not self.keys[accepted[0]].startswith("#"):
                scores[at] = max(f1(self._bag(int(guesses[at])), self._bag(number)) for number in accepted)
        return scores


def _is_numeric(key: str) -> bool:
    """Whether a key is that of a number, rather than of a text that begins with `#`."""
    try:
        return key.startswith("#") and Decimal(key[1:]).is_finite()
    except InvalidOperation:
        return False
