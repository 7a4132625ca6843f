"""English inflection: regular plurals, articles, possessives, ordinals and fractions in words.

The word lists spell out irregular plurals; this module does not guess them.
"""

from __future__ import annotations

__all__ = ["article", "ordinal", "part", "plural", "possessive", "spelled", "times"]

_ONES = [
    "zeroth",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
]
_TENS = ["_", "_", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_DIGITS = ["_", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_CARDINALS = [*_DIGITS, "ten", "eleven", "twelve"]


def plural(noun: str) -> str:
    """The regular plural: watch -> watches, cherry -> cherries, toy -> toys."""
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"


def article(word: str) -> str:
    """`a` or `an`, by the first letter. Apart from "one", the words of this folder need no more."""
    return "an" if word[0] in "aeiou" and not word.startswith("one") else "a"


def possessive(name: str) -> str:
    """The possessive of a name: Ann's, James's."""
    return name + "'s"


def ordinal(number: int) -> str:
    """The ordinal of a number from 2 to 999 in words: twentieth, forty-second, one hundred and third."""
    if number < 20:
        return _ONES[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return f"{_TENS[tens]}-{_ONES[ones]}" if ones else f"{_TENS[tens][:-1]}ieth"
    hundreds, rest = divmod(number, 100)
    return f"{_DIGITS[hundreds]} hundred and {ordinal(rest)}" if rest else f"{_DIGITS[hundreds]} hundredth"


def spelled(number: int) -> str:
    """A number up to twelve in words, as in running text; a larger one in digits."""
    return _CARDINALS[number] if number < len(_CARDINALS) else str(number)


def times(number: int) -> str:
    """The factor before `as many`: twice, three times, 20 times."""
    return "twice" if number == 2 else f"{spelled(number)} times"


def part(number: int) -> str:
    """The fraction before `as many`: half, a third, a quarter, an eighth."""
    if number == 2:
        return "half"
    word = "quarter" if number == 4 else "hundredth" if number == 100 else ordinal(number)
    return f"{article(word)} {word}"
