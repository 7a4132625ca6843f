"""Where a reply says its answer: the part that is read, and patterns of plain and weaker statements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple
from unicodedata import normalize

from hansproof.generators.answering.mentions import SIGNS, Naming, Standing, standing

__all__ = ["ANNOUNCES", "LEAD", "Patterns", "Told", "lines_of", "next_item", "patterns", "runs_on", "told", "told_by"]

_END = 30_000
"""Characters that are read at each end of a reply: no answer stands in the middle of a megabyte."""
_TURN = re.compile(r"<\|(?:im_start|start_header_id)\|>\s*user\b|<\|user\|>|<start_of_turn>user\b", re.IGNORECASE)
_SPECIAL = re.compile(r"<\|[^|<>\n]{1,40}\|>|</?s>|<(?:eos|bos|pad|end_of_turn|start_of_turn)>|\u200b|\ufeff")
_LATEX = re.compile(r"\\(?:text|textbf|textit|mathrm|mathbf|textrm|operatorname) ?\{([^{}\n]{0,200})\}")
_UNDERLINED = re.compile(r"(?<!\w)_{1,2}([^_\n]{1,80})_{1,2}(?!\w)")
_NEXT = re.compile(r"\n[^\S\n]*(?:Q|(?:(?:The )?[Nn]ext )?[Qq]uestion|Problem|Human|User) ?\d{0,4} ?[:.]")
"""Where a reply runs on into a question that nobody asked."""
_FIELD = re.compile(
    r"\n[^\S\n]*(?:Premise|Hypothesis|Passage|Sentence|Text|Review|Input|Context|Statement|Claim|Instruction|Tweet|Story)"
    r" ?\d{0,4} ?:"
)
"""Where it may give the next item, or the parts of its own."""


def told(reply: str) -> str:
    """What the reply tells: without thoughts (`<think>`), what follows the turn of a user, tokens and LaTeX fonts."""
    text = reply.rpartition("</think>")[2]
    text = text if text.strip() else reply
    if len(text) > 2 * _END:
        text = f"{text[:_END]}\n{text[-_END:]}"
    turn = _TURN.search(text)
    if turn and _SPECIAL.sub("", text[: turn.start()]).strip():
        text = text[: turn.start()]
    text = _LATEX.sub(r"\1", _SPECIAL.sub(" ", text)).replace("\\_", "_")
    return normalize("NFC", _UNDERLINED.sub(r"\1", text))


def runs_on(text: str) -> int:
    """Where the text runs on into another question, or its length."""
    cut = _NEXT.search(text)
    return cut.start() if cut and text[: cut.start()].strip() else len(text)


def next_item(text: str) -> int:
    """Where the text may go on to another item (`Premise:`), or its length."""
    cut = _FIELD.search(text)
    return cut.start() if cut and text[: cut.start()].strip() else len(text)


def lines_of(text: str) -> list[str]:
    """The lines that are not blank, with single spaces."""
    return [line for raw in re.split(r"[\r\n]+", text) if (line := " ".join(raw.split()))]


# All patterns are for a line with signs for options (`naming`); `[A-Z]` is a letter of an option. Each takes bounded
# room around a letter or sign, so that it is linear in the length of the line.

_OPEN = r"[\s\"'“‘*_`(\[{$\\]{0,9}"
_SHUT = (
    r"(?=[)\]}*_`\"'”’.,;:!$\\]{0,9}(?: ?$|[)\]}*_`\"”.,;:!$…—–<。，！；\[]| [-–—(<\[]"
    r"| (?i:because|since|rather than|instead of|over|not|and not|but not)\b))"
)
"""What may stand around a letter; behind it comes punctuation, the end or a reason, so that it is no word."""
_NOUN = (
    r"(?:answer|ans|response|choice|selection|selected|chosen|choose|pick|option|label|prediction|predicted"
    r"|r[ée]ponse|antwort|respuesta)"
)
_IS = r"(?:is|was|would be|must be|should be|has to be|ist|est|es)"
LEAD = (
    r"(?:(?:(?<![^\W_])(?:" + _NOUN + r")(?: (?:is|label))?(?: to [^.,;:!?\n]{1,60}| here)?"
    r"|\b(?:correct|right|best) \w{1,20})(?:,? (?:then|therefore|thus|hence),?)?"
    r"[\"'*_)\]]{0,3}(?: ?[:=：]| [-–—](?= )| "
    + _IS
    + r"(?: (?:most likely|therefore|thus|clearly|definitely|probably|then))?:?)"
    r"|(?<![^\W_])correct ?:|答案(?:是|为|為)?[：:]?|<(?:final_?)?answer>|\[(?:final[_ ])?answer\])"
)
"""What stands in front of an answer: `Answer:`, `The correct option is`, `"answer":`, `<answer>`."""

_SO = (
    r"\b(?i:it is|it['’]s|it must be|it has to be|hence|thus|therefore|so|leaves|left with|remains),?"
    r"(?i: it is| it['’]s| it must be)?"
)
_PICK = (
    r"\b(?i:i(?: would|['’]d|['’]ll|['’]m| am| will)?(?: have to| rather)? (?:pick|choose|select|say|answer"
    r"|go(?:ing)? (?:with|for)|chose|picked|went with|lean(?:ing)? towards?))[,:]?"
)
ANNOUNCES = re.compile(rf"(?:{LEAD}|{_PICK})[*_\"' ]{{0,4}}$", re.IGNORECASE)
"""What ends a line whose answer stands on the next one."""
_NAMED = (
    r"\b(?i:answer|option|choice)(?: is| would be|:){0,3}[ \"'*`(\[]{0,9}([A-Z])(?![\w'’])",
    rf"\b(?i:answer|option|choice)(?: is| would be|:){{0,3}}{_OPEN}([a-z]){_SHUT}",
    r"\(([A-Za-z])\)(?! \d)",
    r"(?:\*\*|__)\(?([A-Z])[).]?(?:\*\*|__)[.!]? ?$",
    r"(?<=[.!?] )[*(]{0,3}([B-HJ-Z])[*).]{0,4}$",
)


class Patterns(NamedTuple):
    """The patterns of items with letters, or without."""

    alone: re.Pattern[str]
    """A letter or option alone on a line."""
    front: re.Pattern[str]
    """One in front of other words. Its groups: a letter; an option with a reason, `because`; words, what parts them."""
    listed: re.Pattern[str]
    """A line that goes through the options: `A) red is out`."""
    plain: tuple[re.Pattern[str], ...]
    decided: tuple[re.Pattern[str], ...]
    """`I pick B`, `B is right`, `so B`."""
    named: tuple[re.Pattern[str], ...]
    """Any other place that may name an option."""
    ticked: re.Pattern[str]
    """One in a list that is said to be right: `B) blue - correct!`"""
    more: re.Pattern[str]
    """A second one behind one: `A or B`, `(A), (B)`."""
    bare: re.Pattern[str]
    """One that stands by itself, wherever."""


@cache
def patterns(letters: bool) -> Patterns:
    """The patterns of items whose options have letters, or have only words."""
    sign = f"[{SIGNS}]"
    words = rf"{_OPEN}(?:(?:an?|the|option|label) [\"'“‘*`]{{0,4}})?({sign})"
    name = rf"(?:{words}|{_OPEN}(?:(?:option|choice|letter) {_OPEN})?([A-Z]){_SHUT})" if letters else words
    within = rf"{_OPEN}(?:(?:an?|the|option|choice) {_OPEN})?([A-Z{SIGNS}])" if letters else words
    either = f"[A-Z{SIGNS}]" if letters else sign
    small = f"[A-Za-z{SIGNS}]" if letters else sign
    goes_on = (
        r"(?! (?!(?:because|since|as|rather|over|instead|not|for|given|due|here|in|with|then|if|though|but|who)\b)"
        r"[a-z])"
    )
    capital = rf"{_OPEN}(?:(?i:option|choice|letter|answer) {_OPEN})?([A-Z]){_SHUT}"
    ticked = (
        rf"(?<![\w'’])({either})[\"'”*)\].]{{0,9}}(?: \w+)? ?[-–—:] ?\**(?:this is )?(?:correct|right|✓|✅|✔)"
        r"[.!*✓✅✔]{0,4}$"
    )
    shuts = [(f"{words}{goes_on}", words), (capital, capital)][: 1 + letters]
    decided = [
        *(rf"{_SO}{shut}" for shut, _ in shuts),
        *(rf"{_PICK}{picked}" for _, picked in shuts),
        rf"(?<![\w'’])({either})[\"'”*)\]]{{0,9}} (?:is|must be|has to be) "
        r"(?:therefore |clearly |most likely )?(?:the )?(?:only )?"
        r"(?:right|correct|true|best|better|answer)\b(?! (?:if|in part|at first))",
        rf"(?<![\w'’])({either})[\"'”*)\]]{{0,9}} it is[.!]?$",
        rf"(?<![\w'’])({either}) (?:fits|matches|works|applies|remains)(?: best| here)?[.!]?$",
        ticked,
    ]
    named = [f"({sign})", *(_NAMED if letters else ())]
    return Patterns(
        alone=re.compile(
            rf"[^\w\n?]{{0,20}}(?:(?:option|choice|answer|label) )?[^\w\n?]{{0,9}}({small})[^\w\n?❌✗✘✖]{{0,20}}", re.I
        ),
        front=re.compile(
            rf"[^\w\n]{{0,9}}({'[A-HJ-Z]' if letters else '(?!)x'})[).:]+[*_]{{0,2}}(?: (?![a-z])|$)"
            rf"|[^\w\n]{{0,9}}({either})[*_\"'”)\]]{{0,4}}(?=(,? (?:because|since)\b))"
            rf"|[^\w\n]{{0,9}}({sign})[*_\"'”)\]]{{0,4}}([.,;:!]|(?= [-–—(])|(?= ?$))"
        ),
        listed=re.compile(
            rf"[^\w\n]{{0,9}}(?:\d{{1,2}}[.)] )?[*\"'“(\[]{{0,4}}({sign})[*\"'”)\]]{{0,4}} ?(?:[:–—]|- )"
            + (
                r"|[^\w\n]{0,9}(?:(?:option|choice|answer) \(?([A-Z])\b|\(([A-Z])\)|([A-Z])[).:]|\*\*([A-Z])\*\*)"
                if letters
                else ""
            ),
            re.I,
        ),
        plain=tuple(
            re.compile(pattern, re.IGNORECASE)
            for pattern in (
                rf"\\boxed ?\{{{within}[^{{}}\n]{{0,80}}\}}",
                rf"\[\[ ?({either}) ?\]\]",
                rf"^#{{2,6}} ?({either})\W{{0,4}}$",
                rf"{LEAD}{name}",
                rf"(?:^|[.!?:,] )(?:(?:option|choice) )?[*_\"'“(]{{0,3}}({either})"
                rf"[\"'”*)\]]{{0,9}} is (?:therefore )?the (?:right |correct |best )?"
                r"(?:answer|choice|option|label)\b(?! if)",
                rf"\b(?:verdict|classification|class|category|sentiment|judge?ment|decision|conclusion|result|output|relation(?:ship)?)"
                rf"[\"'*_)\]]{{0,3}} ?[:=：]{words}",
            )
        ),
        decided=tuple(map(re.compile, decided)),
        named=tuple(map(re.compile, named)),
        ticked=re.compile(ticked),
        more=re.compile(
            rf"[)\]\"'*_`]{{0,9}} ?(?:,|/|&|\+|or |and )(?: ?(?:also|or|and|option|choice|an?|the))? ?"
            rf"[(\[\"'*]{{0,9}}({either})(?![\w'’])(?!\?)"
        ),
        bare=re.compile(rf"(?<![\w'’])({either})(?![\w'’])"),
    )


class Told(NamedTuple):
    """An option that a line names."""

    place: int
    end: int
    """Where its name ends in the line."""
    standing: Standing


_WORD = re.compile(r" (?!(?:because|since|as|due|given|which|for|and|or|is|it is)\b)[a-z]")
"""What makes an `A` in front of it an article: `the answer is A bit of a trick`."""


def told_by(forms: tuple[re.Pattern[str], ...], line: str, names: Naming, *, plain: bool = False) -> Iterator[Told]:
    """The options that a line names by some patterns, with those that are named in one breath with them."""
    more = patterns(bool(names.letters)).more
    for form in forms:
        read = 0
        for match in form.finditer(line):
            group = match.lastindex or 1
            start, end = match.span(group)
            letter = match[group]
            if start < read or _is_word(line, start, letter, plain=plain):
                continue
            place = names.place(letter)
            if place is None:
                continue
            how = standing(line, start, end)
            yield Told(place, end, how)
            while following := more.match(line, end):
                end = following.end(1)
                other = names.place(following[1])
                if other is not None and how > Standing.DENIED and not _is_word(line, following.start(1), following[1]):
                    yield Told(other, end, min(how, standing(line, following.start(1), end)))
            read = end


def _is_word(line: str, start: int, letter: str, *, plain: bool = False) -> bool:
    """Whether `A` or `I` is a word rather than a letter of an option."""
    if letter not in "AIi" or (start and line[start - 1] in "([{"):
        return False
    if letter == "A":
        return bool(_WORD.match(line, start + 1))
    return not plain or bool(line[start + 1 :][:9].strip(' .)]}*_`"$'))
