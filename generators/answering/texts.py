"""Answers in words: a text, several lines, or who is what, read from a reply whose gold answers are known.

The gold answers say only what form an answer has and when a long reply has said all of it; a reply that gives another
answer of that form is read as that answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from hansproof.generators.answering.numbers import same_number
from hansproof.generators.answering.reply import lines_of, turn

__all__ = ["bare", "read_text", "same_text"]

_LEAD = re.compile(
    r"(?:so|thus|therefore|hence)?[,: ]{0,2}(?:the |my )?(?:final |correct )?answer(?: is)?[: ]{1,3}", re.IGNORECASE
)
_MARKED = re.compile(
    r"^[\s>*_#-]{0,9}(?:(?:the|my|final|correct) ){0,2}answer[\"*_]{0,3} ?:[*_]{0,3} ?([^\n]+)$"
    r"|\bthe (?:final |correct )?answer is:? ([^\n.!?]{1,300})"
    r"|\\boxed ?\{([^{}\n]{1,300})\}|<answer>([^<\n]{1,300})</answer>|\"(?:final_)?answer\" ?: ?\"([^\"\n]{1,300})\"",
    re.IGNORECASE | re.MULTILINE,
)
_HEADING = re.compile(
    r"^[ \t>#*_`~-]{0,9}(?:final |my |the )?(?:answer|conclusion|solution)s?[ \t*_`~]{0,9}(?::|$)",
    re.IGNORECASE | re.MULTILINE,
)
_EDGES = " \t\"'`*_.!?,;:()[]{}“”‘’"
_PARTS = re.compile(r"[\n;]+")
_LIST = re.compile(r"[\n;,]|\band\b")
_PAIR = re.compile(r"\W*(\w[\w .'-]{0,60}?)[*_`\"]{0,3} ?(?:[:=]|->| is (?:an? |the )?)[*_`\" ]{0,4}(\w[^\n,;.]{0,60})")


def read_text(reply: str, golds: Sequence[str]) -> tuple[str | None, str]:
    """(what a reply answers, "") or (None, why that is unclear).

    The whole reply or its last lines where they are a gold answer; what it marks as its answer; a reply that is no
    longer than a gold answer. Linear in the length of the reply.
    """
    text = turn(reply)
    lines = lines_of(text)
    if not lines:
        return None, "is empty"
    if golds and (keyed := _keyed(golds[0])):
        return _read_keyed(text, keyed)
    known = {bare(gold) for gold in golds}
    stated = (text, *("\n".join(lines[-len(lines_of(gold)) :]) for gold in golds))
    marked = {bare(said): said for said in _marked(text)}
    said = next((each for each in stated if any(same_text(each, gold) for gold in golds)), "")
    if said and not marked.keys() - known:
        return "\n".join(lines_of(said)), ""
    if len(marked) > 1:
        return None, f"names several answers: {', '.join(map(repr, marked.values()))[:80]}"
    for plain, words in marked.items():
        if plain not in known and any(re.search(rf"(?<!\w){re.escape(gold)}(?!\w)", plain) for gold in known if gold):
            return None, "says more than the gold answer"
        return " ".join(words.split()), ""
    if not known:
        return lines[-1], ""
    longest = max(len(gold.split()) for gold in known)
    last = _LEAD.sub("", lines[-1], count=1)
    if last != lines[-1] and 0 < len(last.split()) <= longest:
        return last, ""
    if len(text.split()) > longest:
        return None, "is longer than the gold answer and does not state it plainly"
    return " ".join(text.split()), ""


def same_text(said: str, gold: str) -> bool:
    """Whether two answers are the same: by value, or in words apart from case, white space and punctuation at the ends.

    Lists (`A, C`, lines) are the same in any order.
    """
    if bare(said) == bare(gold) or same_number(said, gold):
        return True
    if len(said) > 2 * len(gold) + 20 or not _LIST.search(gold):
        return False
    first, second = (sorted(map(bare, _LIST.split(text.strip()))) for text in (said, gold))
    return first == second


def bare(text: str) -> str:
    """Case, white space, punctuation at the ends and `The answer is` do not count."""
    folded = " ".join(text.split()).casefold().strip(_EDGES)
    return folded[lead.end() :].strip(_EDGES) if (lead := _LEAD.match(folded)) else folded


def _marked(text: str) -> Iterator[str]:
    for match in _MARKED.finditer(text):
        said = next(part for part in match.groups() if part is not None)
        if bare(said):
            yield said


def _keyed(gold: str) -> dict[str, str]:
    """Who is what in a gold answer of several lines or parts, such as `A: knight; B: knave`; empty for any other."""
    parts = [part for part in _PARTS.split(gold) if part.strip()]
    pairs = [_PAIR.fullmatch(part.strip(" .")) for part in parts]
    if len(parts) < 2 or not all(pairs):
        return {}
    keyed = {bare(match[1]): bare(match[2]) for match in pairs if match}
    return keyed if len(keyed) == len(parts) else {}


def _read_keyed(text: str, gold: dict[str, str]) -> tuple[str | None, str]:
    """What a reply says of each key, in the order of the gold answer: under its last heading, or else in all of it."""
    headings = [match.end() for match in _HEADING.finditer(text)][-1:]
    reason = ""
    for part in [*(text[end:] for end in headings), text]:
        said: dict[str, dict[str, None]] = {key: {} for key in gold}
        for line in re.split(r"[\n;,]+", part):
            match = _PAIR.match(line)
            if match and (key := _LEAD.sub("", bare(match[1]))) in said:
                said[key].setdefault(bare(match[2]))
        if all(len(values) == 1 for values in said.values()):
            return "; ".join(f"{key}: {next(iter(values))}" for key, values in said.items()), ""
        several = next((key for key, values in said.items() if len(values) > 1), "")
        lacking = next((key for key, values in said.items() if not values), "")
        reason = f"says several things of {several!r}" if several else f"does not say what {lacking!r} is"
    return None, reason
