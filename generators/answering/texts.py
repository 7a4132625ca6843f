"""Answers in words: a text, several lines, or who is what, read from a reply whose gold answers are known.

The gold answers say only what form an answer has and when a long reply has said all of it; a reply that gives another
answer of that form is read as that answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from unicodedata import combining, normalize

from hansproof.generators.answering.naming import choices_named
from hansproof.generators.answering.numbers import same_number, value
from hansproof.generators.answering.reply import lines_of, turn

__all__ = ["NO_ANSWER", "bare", "keyed_parts", "read_text", "same_text"]

_LEAD = re.compile(
    r"(?:so|thus|therefore|hence)?[,: ]{0,2}(?:the |my )?(?:final |correct )?answer(?: is)?[: ]{1,3}", re.IGNORECASE
)
_MARKED = re.compile(
    r"^[\s>*_#-]{0,9}(?:(?:the|my|final|correct) ){0,2}answer[\"*_]{0,3} ?:[*_]{0,3} ?([^\n]+)$"
    r"|\bthe (?:final |correct )?answer is:? ([^\n]{1,300}?)(?=[.!?](?:\s|$)|$)"
    r"|\\boxed ?\{([^{}\n]{1,300})\}|<answer>([^<\n]{1,300})</answer>|\"(?:final_)?answer\" ?: ?\"([^\"\n]{1,300})\"",
    re.IGNORECASE | re.MULTILINE,
)
_HEADING = re.compile(
    r"^[ \t>#*_`~-]{0,9}(?:final |my |the )?(?:answer|conclusion|solution)s?[ \t*_`~]{0,9}(?::|$)",
    re.IGNORECASE | re.MULTILINE,
)
_EDGES = " \t\"'`*_.!?,;:()[]{}“”‘’"
NO_ANSWER = re.compile(
    r"\b(?:not|neither|nor|n/?a|unknown|unclear|unsure|uncertain|depends|cannot|sorry|know|idea|unable|null|error"
    r"|maybe|perhaps|possibly|or)\b|n't\b|^(?:none|nothing|no|both|let me\b.*|as follows:?)$|:$",
    re.IGNORECASE,
)
"""What a reply may say instead of an answer."""
_PARTS = re.compile(r"[\n;]+")
_LIST = re.compile(r"[\n;,/&]|\band\b")
_NO_LETTER = re.compile(r"(?<!\d)[^\w+−-]|[^\w+−-](?!\d)|[-−](?!\d)|_")
_ARTICLE = re.compile(r"^(?:an?|the) (?=\w)")
_PAIR = re.compile(
    r"(?:\W|\b(?:therefore|so|thus|hence|and|then)\b|\d\b){0,9}(\w[\w .'-]{0,60}?)[*_`\"]{0,3} ?"
    r"(?:[:=|]|->|→|[-–—] | (?:is|must be)\b)[*_`\" ]{0,4}(\w[^\n,;.]{0,60})",
    re.IGNORECASE,
)
_ADVERB = re.compile(
    r"^(?:(?:an?|the|also|certainly|clearly|definitely|indeed|must be|therefore|thus)\b\s*)+", re.IGNORECASE
)
_END = re.compile(r"\s*(?:[(❌✅✓|]|[-–—] |\b(?:because|since|as well|as|too|who|which)\b)")


def read_text(reply: str, golds: Sequence[str]) -> tuple[str | None, str]:
    """(what a reply answers, "") or (None, why that is unclear).

    The whole reply or its last lines where they are a gold answer; what it marks as its answer; a reply that is no
    longer than a gold answer. Linear in the length of the reply.
    """
    text = turn(reply)
    lines = lines_of(text)
    if not lines:
        return None, "is empty"
    if golds and (keyed := keyed_parts(golds[0])):
        return _read_keyed(text, keyed)
    known = {bare(gold) for gold in golds}
    stated = (text, *("\n".join(lines[-len(lines_of(gold)) :]) for gold in golds))
    marked = {bare(said): said for said in _marked(text, golds)}
    said = next((each for each in stated if any(same_text(each, gold) for gold in golds)), "")
    if said and all(any(same_text(words, gold) for gold in golds) for words in marked.values()):
        return "\n".join(lines_of(said)), ""
    if len(marked) > 1:
        return None, f"names several answers: {', '.join(map(repr, marked.values()))[:80]}"
    for plain, words in marked.items():
        if not any(same_text(words, gold) for gold in golds) and NO_ANSWER.search(" ".join(words.split())):
            return None, "gives no answer"
        if not any(same_text(words, gold) for gold in golds) and any(
            re.search(rf"(?<!\w){re.escape(gold)}(?!\w)", plain) for gold in known if gold
        ):
            return None, "says more than the gold answer"
        return " ".join(words.split()), ""
    if not known:
        return lines[-1], ""
    longest = max(len(gold.split()) for gold in known)
    lead = _LEAD.match(lines[-1])
    last = lines[-1][lead.end() :] if lead else ""
    if lead and 0 < len(last.split()) <= longest:
        return last, ""
    if len(text.split()) > longest:
        return None, "is longer than the gold answer and does not state it plainly"
    if known and NO_ANSWER.search(" ".join(text.split()).strip(_EDGES)):
        return None, "gives no answer"
    return " ".join(text.split()), ""


def same_text(said: str, gold: str) -> bool:
    """Whether two answers are the same: by value, or by their letters and digits. Case, accents, white space,
    punctuation and an article in front do not count.

    Lists (`A, C`, lines) are the same in any order.
    """
    if value(said) is not None and value(gold) is not None:
        return same_number(said, gold)
    if _key(said) == _key(gold):
        return True
    if len(said) > 2 * len(gold) + 20 or not _LIST.search(gold):
        return False
    first, second = (sorted(filter(None, map(_key, _LIST.split(text.strip())))) for text in (said, gold))
    return first == second


def _key(text: str) -> str:
    """The letters and digits of an answer; a point between digits counts."""
    plain = "".join(each for each in normalize("NFKD", bare(text)) if not combining(each))
    return _NO_LETTER.sub("", _ARTICLE.sub("", plain)) or plain


def bare(text: str) -> str:
    """Case, white space, punctuation at the ends and `The answer is` do not count."""
    folded = " ".join(text.split()).casefold().strip(_EDGES)
    return folded[lead.end() :].strip(_EDGES) if (lead := _LEAD.match(folded)) else folded


def _marked(text: str, golds: Sequence[str]) -> Iterator[str]:
    """What is marked; a gold answer whole, also where a point stands in it: `St. Louis`."""
    for match in _MARKED.finditer(text):
        said = next(part for part in match.groups() if part is not None)
        whole = said + text[match.end() : match.end() + 300].split("\n")[0]
        said = next((whole for gold in golds if same_text(whole, gold)), said)
        if bare(said):
            yield said


def keyed_parts(gold: str) -> dict[str, str]:
    """Who is what in a gold answer of several lines or parts, such as `A: knight; B: knave`; empty for any other."""
    parts = [part for part in _PARTS.split(gold) if part.strip()]
    pairs = [_PAIR.fullmatch(part.strip(" .")) for part in parts]
    if len(parts) < 2 or not all(pairs):
        return {}
    keyed = {bare(match[1]): _role(match[2], ()) for match in pairs if match}
    return keyed if len(keyed) == len(parts) else {}


def _role(text: str, known: tuple[str, ...]) -> str:
    """What somebody is said to be: a known role that is named alone; empty where it is denied or open."""
    told = bare(_ADVERB.sub("", _END.split(text, maxsplit=1)[0]))
    if not told or NO_ANSWER.search(told) or "?" in text or " or " in told:
        return ""
    named = choices_named(told, known) if known else []
    return named[0] if len(named) == 1 else told


def _read_keyed(text: str, gold: dict[str, str]) -> tuple[str | None, str]:
    """What a reply says of each key, in the order of the gold answer: under its last heading, or else in all of it."""
    headings = [match.end() for match in _HEADING.finditer(text)][-1:]
    reason = ""
    for part in [*(text[end:] for end in headings), text]:
        said: dict[str, dict[str, None]] = {key: {} for key in gold}
        for line in re.split(r"[\n;,]+|\.\s|\band\b", part):
            match = _PAIR.match(line)
            if match and (key := bare(match[1])) in said:
                said[key].setdefault(_role(match[2], tuple(dict.fromkeys(gold.values()))))
        if all(len(values) == 1 and "" not in values for values in said.values()):
            return "; ".join(f"{key}: {next(iter(values))}" for key, values in said.items()), ""
        several = next((key for key, values in said.items() if len(values) > 1), "")
        lacking = next((key for key, values in said.items() if not values), "")
        reason = f"says several things of {several!r}" if several else f"does not say what {lacking!r} is"
    return None, reason
