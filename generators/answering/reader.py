"""The one reader of replies: which answer a reply gives, whatever the form of the answer.

1. The reply is the answer: apart from marks and articles it says nothing else.
2. The answer is marked (`Answer: B`, `the answer is B`, `I choose B`, `B is correct`, `\\boxed{B}`, `<answer>`, JSON,
   `#### 7`), or stands alone: in front of the reply, on its last line, in bold on its last line.
3. A sentence states it: `Therefore, ... B`, `B is more likely than A`, `7 races are needed`.
4. The whole reply names one answer, and nothing denies it.

The first of these rules that finds an answer decides, and only where all that it finds is one answer: among several
none is chosen by its place. What is denied, asked, supposed or said by others is no answer; nor is a list of options.
All else is unclear, which is better than to be read as another answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, Protocol

from hansproof.generators.answering.reply import lines_of, sentences_of, turn
from hansproof.generators.answering.signs import FIRM, SIGN, Signed

__all__ = ["Form", "read_answer"]


class Form(Protocol):
    """A form of answer: how a text mentions answers."""

    kind: str
    """What messages call an answer: `choice`, `number`."""
    unit: str
    """What a number counts, as a pattern; empty where it does not matter."""

    def signed(self, text: str) -> Signed:
        """The text with a sign for each mention of an answer."""
        ...


_NO_SIGN = SIGN[1:-1]
_OPEN = r"[\s\"'“‘*_`(\[{$\\:<>#~-]{0,9}"
_SHUT = r"[\"'”’*_`)\]}$\\.,;:!~]{0,9}"
_SMALL = (
    r"(?:an?|the|option|choice|letter|label|statement|number|that|it is|it's|to be|about|around|approximately|roughly"
    r"|exactly|only|just|simply|clearly|definitely|most likely|likely|probably|therefore|thus|then|indeed|actually)"
)
_GLUE = rf"{_OPEN}(?:{_SMALL}\b{_OPEN}){{0,4}}"
"""What may stand between a mark and its answer."""
_NOUN = (
    r"(?:answer|ans|response|solution|prediction|predicted|verdict|selection|selected option|label|sentiment"
    r"|relation(?:ship)?|classification|r[ée]ponse|antwort|respuesta|答案)"
)
_ANY = (
    r"(?:choice|option|statement|scenario|outcome|event|pick|one|conclusion|result|class|category|decision|judge?ment)"
)
_IS = (
    r"(?: (?:is|was|would be|must be|should be|has to be|(?:might|could|may) be|ist|est|es)\b| ?[:=：是为]"
    r"| [-–—](?= ))"
)
_LEAD = (
    rf"(?:(?<![^\W_]){_NOUN}(?: label)?(?: (?:to|of|for) [^.,;:!?\n]{{1,60}}| here)?"
    rf"|\b(?:correct|right|best|better|(?:more|most) \w{{1,15}}|likelier|likeliest|my|final|selected) {_ANY}(?: here)?"
    rf"|^\W{{0,5}}(?:\w{{1,12}} )?{_ANY}(?=[\"'*_]{{0,4}} ?[:=：])|^\W{{0,5}}(?:correct|right)(?= ?:))"
    rf"[\"'*_)\]]{{0,4}}(?:,? (?:then|therefore|thus|hence),?)?{_IS}"
    r"|^\W{0,6}(?:final |my |the )?answer\W{0,6}\n|<(?:final_?)?answer>|\[(?:final[_ ])?answer\]"
)
"""`The answer is`, `the more likely option is`, `Choice:`, a heading `Answer`, `<answer>`."""
_PICK = (
    r"\bi(?:'d| would|'ll| will| am|'m)?(?: have to| rather| therefore)? "
    r"(?:choose|chose|pick|picked|select|selected|answer|say|go(?:ing)? (?:with|for)|went with|lean(?:ing)? towards?)\b"
)
_NO_NOUN = (
    r"(?! (?!(?:according|and|answer|as|based|because|but|choice|fit|for|given|here|if|in|label|match|of|one|option"
    r"|since|statement|than|to|with)\b)[a-z])"
)
"""`B is the best answer`, but not `B is the best distractor`."""
_RIGHT = (
    r"(?:is|must be|has to be) (?:\w+ly |therefore |thus )?(?:the )?(?:only )?(?:correct|right|best|answer)\b"
    + _NO_NOUN
)
_MORE = (
    r"[\"'”*_`)\]}$%]{0,6} ?(?:,|/|&|[-+×÷^]|(?<= )\*(?= )|(?:divided by|times|plus|minus|or|and|to)\b|:(?=\S))"
    rf"(?: ?(?:also|or|and|option|choice|an?|the)\b)? ?[\"'“*_`(\[{{$]{{0,6}}({SIGN})"
)
"""A second answer in one breath with the first: `A or B`."""
_BECAUSE = r"(?:,? (?:because|since|as|given|for|due|rather than|instead of|and not|not|over)\b)"
_CONCLUDES = (
    r"(?:so|therefore|thus|hence|consequently|accordingly|in conclusion|in summary|overall|finally|in total|altogether)"
)
_IT_IS = rf"\b(?:{_CONCLUDES}|leaves|leaving|it is|it's|it (?:must|has to) be),?"
_LIKELY = (
    r"(?:(?:is|are|seems?|appears?|would be|must be|looks?) (?:to be )?(?:\w+ly |also |indeed |therefore )?"
    r"(?:the |an? )?(?:(?:more|most) (?:accurate|appropriate|consistent|fitting|likely|logical|plausible|probable"
    r"|reasonable|suitable)|likelier|likeliest|(?:better|best|preferred)\b"
    + _NO_NOUN
    + r")|has (?:the |an? )?(?:higher|highest|greater|greatest) (?:probability|likelihood|chance|plausibility))"
)
_NEEDS = r"\b(?:needs?|requires?|takes?|minimum (?:number )?(?:of )?|total (?:of )?|is|are|equals)\b"
_NEEDED = r"\b(?:needed|required|necessary|enough|sufficient|suffices?|in total|altogether|in all|at minimum|at least)"


class _Patterns(NamedTuple):
    """The patterns of one form of answer."""

    alone: re.Pattern[str]
    marked: re.Pattern[str]
    """Of text in lower case, as is `stated`: they look through whole replies, and take half the time."""
    front: re.Pattern[str]
    stated: re.Pattern[str]


@lru_cache(maxsize=256)
def _patterns(unit: str, number: bool) -> _Patterns:
    word = rf"(?!(?:and|or|is|are|was|then|but|more|additional|extra)\b)[^\W\d_{_NO_SIGN}]{{1,20}}"
    counted = rf"(?: ?%|(?: {word}){{0,3}})" if number else ""
    of_unit, near = rf"({SIGN})[*_]{{0,3}} (?:\w+ ){{0,2}}?{unit}", rf"[^.\n{_NO_SIGN}]{{0,40}}"
    needed = rf"{_NEEDS}{near}{of_unit}|{of_unit}{near}{_NEEDED}" if unit else "(?!)"
    chosen = rf"({SIGN}){_SHUT} {_LIKELY}|{_IT_IS}{_GLUE}({SIGN})(?=[\"'”*_`)\]}}]{{0,6}}(?:[.,;:!]|$| [-–—]))"
    front = (
        rf"\W{{0,9}}({SIGN})(?:[\"'”*_`)\]]{{0,4}}(?:[.,;!](?= |$)| [-–—](?= )|$|(?={_BECAUSE}))"
        r"|[)\]](?= [A-Z\"“]))"
    )
    return _Patterns(
        alone=re.compile(
            rf"[^\w\n?]{{0,20}}(?:{_SMALL} )?{_OPEN}({SIGN}){counted}[^\w\n?❌✗✘✖]{{0,20}}", re.IGNORECASE
        ),
        marked=re.compile(
            rf"(?:{_LEAD}){_GLUE}({SIGN})|(?:{_PICK}|\bit (?:must|has to) be){_GLUE}({SIGN})|({SIGN}){_SHUT} {_RIGHT}"
            rf"|\\boxed ?\{{{_OPEN}({SIGN})[^{{}}\n]{{0,80}}\}}|\[\[ ?({SIGN}) ?\]\]"
            rf"|^#{{2,6}} ?{_OPEN}({SIGN})\W{{0,4}}$",
            re.MULTILINE,
        ),
        front=re.compile("(?!)" if number else front),
        stated=re.compile(needed if number else chosen, re.MULTILINE),
    )


_NEVER = (
    r"not|never|neither|nor|cannot|rul(?:e|ed|es|ing) out|eliminat\w*|exclud\w*|reject\w*|dismiss\w*|doubt\w*|unclear"
    r"|unlikely|implausible|impossible|wrong|incorrect|inaccurate|fails?|failed|contradicts?|less|(?<!at )least|lower"
    r"|none of|nicht|kein\w*|falsch\w*|pas|hardly|barely"
)
_DENIED_BEFORE = re.compile(
    rf"\b(?:{_NEVER}|no|without|except|rather than|instead of|opposed to|opposite of|false|refuted?|than|over|versus|vs"
    r"|unlike|avoid\w*)\b|n['’]t\b",
    re.IGNORECASE,
)
_DENIED_AFTER = re.compile(rf"\b(?:{_NEVER}|false|out|tempting)\b|n['’]t\b|[❌✗✘✖]", re.IGNORECASE)
_WRONG = re.compile(r"[^\w\n]{0,6}(?:which )?(?:is |was )?(?:wrong|incorrect|false|mistaken|refuted)\b", re.IGNORECASE)
_INSTEAD = re.compile(
    rf"{_SHUT} ?(?:and |but )?[(]?(?:not(?= (?:an? |the |option )?{_OPEN}{SIGN})|rather than|instead of|over"
    r"|as opposed to)",
    re.IGNORECASE,
)
"""`B, not A`: denies what follows, not what it follows."""
_SUPPOSED = re.compile(
    r"\b(?:whether|suppos\w+|assum\w+|might|could|may|some|many|most (?:students|readers|would)|others?|another"
    r"|someone|one would|(?:you|they) (?:should|would say)|your|students?|at first|initially|first|tempt\w*"
    r"|people (?:think|believe)|intuitive|obvious|naive|apparent|textbook|says|thinks|claims?|claimed)\b",
    re.IGNORECASE,
)
_IF = re.compile(r"\b(?:if|unless)\b|^\W{0,5}(?:had|were)\b", re.IGNORECASE)
_ANOTHER = re.compile(
    r"[*_]{0,2}(?:(?: [a-z-]{1,12}){0,2}(?:,|,? and| [+×*])?|(?: (?!to\b)[a-z-]{1,12}){3,6},? (?:and|plus|then))"
    rf" [$€£]?{SIGN}"
)
"""`12 hours and 30 minutes`"""
_COMPOUND = re.compile(
    r"\b(?!(?:also|answer|because|believe|choice|finally|hence|here|letter|only|option|overall|since|that|then|therefore"
    r"|think|thus|while)\b)[A-Za-z]{4,} $",
    re.IGNORECASE,
)
"""In front of a letter that is part of a name: `Vitamin C is the best`."""
_IF_LATER = re.compile(
    rf"[^.!?\n]{{0,30}}\b(?:if|at first)\b|{_SHUT} (?:might|may|could|would)\b"
    r"(?! (?:\w+ly )?(?:be|seem) (?:the |my )?(?:more|most|likel\w+|correct|right|best|better|answer)\b)",
    re.IGNORECASE,
)
"""Behind what is only supposed: `B if`, `B would need`."""
_REASON = re.compile(r"\b(?:because|since|as|although|though|while|whereas|for|given)\b")
_TOLD = re.compile(r"[*_]{0,2} (?:of|are|is|was|were|has|have|will|would|costs?|earns?|gives?|makes?)\b")
"""What makes a number part of a story rather than an answer."""
_ASKED = re.compile(r"[^.!?\n]{0,80}\?")
_BREAK = re.compile(
    rf"[.,;:!?()—\n{_NO_SIGN}]|\b(?:but|although|though|while|whereas|yet|so|hence|therefore|thus|because|since)\b"
)
"""Where a clause ends; a word of denial reaches no further."""
_SENTENCE = re.compile(r"[.!?\n] ?")
_JOINED = re.compile(
    rf"(?:{SIGN}\W{{0,6}}, ){{0,8}}{SIGN}\W{{0,6}}(?:\b(?:or|nor|and)\b|/)\W{{0,6}}(?:(?:an?|the|option) )?\W{{0,6}}$"
)
"""The first of two in one breath: what denies it denies both."""
_FURTHER = re.compile(r"\b(?:additional|afterwards|another|more(?! (?:likely|probable|than)))\b", re.IGNORECASE)
_ON_THE_WAY = re.compile(r"\b(?:first|maybe|not|plus|then)\b|n't\b", re.IGNORECASE)
"""What makes a number that is needed part of a larger one, or not enough."""
_REACH = 250
"""Characters in front of a sign in which words that mark or state it begin; what follows it is in its line."""
_LONG = 12
"""Words of a reply that is expected to end with a full stop."""
_OPENING = " \"'*([{_`"
_THEN = re.compile(r"\b(?:so|therefore|thus|hence)\b", re.IGNORECASE)
_COMPARED = re.compile(
    rf"\b(?:than|over|rather than|instead of|compared (?:to|with)|as opposed to|unlike|not){_GLUE}{SIGN}", re.IGNORECASE
)
_BACK = re.compile(
    r"[.!?…\n—] ?(?:wait|actually|hmm+|oops|sorry|correction|no|edit|just kidding|scratch that"
    r"|hold on|or rather|on (?:second|further|closer) \w+|on reflection|let me re\w+)\b"
)
_DECLINES = re.compile(
    r"\b(?:can(?:not|['’]t| not)|could(?:n['’]t| not)|unable to|impossible to|not possible to) (?:be )?"
    r"(?:answer|assist|calculate|choose|compute|decide|determine|find|help|know|provide|say|solve|tell)"
    r"|\bi (?:refuse|decline)\b|\b(?:don['’]t|do not) know\b|\b(?:not enough|insufficient) information\b"
)
_BULLET = re.compile(r"\s{0,9}[-•+*](?!\*) ")
_WORD = re.compile(r"\w+")
_BOLD = re.compile(r"\*\*([^*\n]{1,120})\*\*")
_CONCLUDED = re.compile(rf"[\W_]{{0,6}}{_CONCLUDES}\b", re.IGNORECASE)
_HEAD = re.compile(rf"\W{{0,9}}({SIGN})[)\].:*]{{0,4}}(?: |$)")
_ENTRY = re.compile(rf"\W{{0,9}}({SIGN})[)\].\"'*]{{0,4}} ?[:–—-] ")
_NOT_BUT = re.compile(rf"\bnot {_GLUE}{SIGN}{_SHUT} but (?:rather |instead )?", re.IGNORECASE)
_SIGN, _FIRM = re.compile(SIGN), re.compile(FIRM)
_SECOND = re.compile(_MORE, re.IGNORECASE)


def read_answer(reply: str, form: Form) -> tuple[str | None, str]:
    """(the answer that a reply gives, "") or (None, why there is none); linear in its length."""
    if not reply.strip():
        return None, "is empty"
    text = turn(reply, lambda head: _SIGN.search(form.signed(head).text) is not None)
    if not text.strip():
        return None, "ends within its thoughts"
    of = _Reply(form.signed("\n".join(lines_of(text))), form)
    if not _SIGN.search(of.text):
        return None, f"goes through the {form.kind}s and chooses none" if of.listed else f"names no {form.kind}"
    for rule in (of.whole, of.marked, of.stated, of.single):
        said = list(dict.fromkeys(rule()))
        if len(said) > 1:
            named = map(repr if form.kind == "choice" else str, said[:4])
            return None, f"names several {form.kind}s: {', '.join(named)}"
        if said:
            return (None, "goes back on its answer") if of.goes_back(said[0]) else (said[0], "")
    return None, of.why_not()


class _Reply:
    """The lines of a reply, with signs, without lists of options; each rule yields the answers that it finds."""

    def __init__(self, signed: Signed, form: Form) -> None:
        self._value, self._number, self._worked = signed.value, form.kind == "number", signed.worked
        self._forms = _patterns(form.unit, self._number)
        lines = [line for line in _NOT_BUT.sub("", signed.text).split("\n") if any(map(str.isalnum, line))]
        self.lines = lines if self._number else self._without_lists(lines)
        self.listed = len(self.lines) < len(lines)
        self.text = "\n".join(self.lines)
        self.lower = self.text.lower()

    def _without_lists(self, lines: list[str]) -> list[str]:
        """The lines without runs of those that each give another option and no more."""
        entries = [self._forms.alone.fullmatch(line) or _ENTRY.match(line) for line in lines]
        kept, run = [], []
        for line, entry in zip([*lines, ""], [*entries, None], strict=True):
            if entry:
                run.append((line, entry[1]))
                continue
            if len({sign for _, sign in run}) < 2:
                kept += [line for line, _ in run]
            kept += [line] if line else []
            run = []
        return kept

    def whole(self) -> Iterator[str]:
        """Rule 1."""
        alone = [self._forms.alone.fullmatch(line) for line in self.lines]
        if all(alone):
            yield from (self._value(match[1]) for match in alone if match)

    def marked(self) -> Iterator[str]:
        """Rule 2."""
        for mark in self._near_signs(self._forms.marked):
            yield from self._said(mark, mark.lastindex or 1)
        heads = {head[1] for line in self.lines if (head := _HEAD.match(line))}
        front = self._forms.front.match(self.text)
        if front and len(heads) < 2 and (said := list(self._said(front, 1))):
            until = _REASON.split(sentences_of(self.lines[0])[0])[0]
            yield from (*said, *map(self._value, self._affirmed_in(until)))
        begins, ends = self.lines[0], self.lines[-1]
        parts = [ends, sentences_of(ends)[-1]]
        if not self._worked and _SIGN.search(begins):  # a step of a calculation may be no answer
            first = sentences_of(begins)[0]
            numbered = self._number and len(_WORD.findall(first)) < 2 < len(_WORD.findall(begins))  # `3. Add up`
            parts += [begins, *([] if numbered else [first])]
        for part in parts:
            if alone := self._forms.alone.fullmatch(part):
                yield self._value(alone[1])
        bold = [sign for each in _BOLD.finditer(ends) for sign in self._affirmed_in(ends, _SIGN, *each.span())]
        if len(set(bold)) == 1 and not _BULLET.match(ends):
            yield self._value(bold[0])

    def stated(self) -> Iterator[str]:
        """Rule 3."""
        if _DECLINES.search(self.lower):
            return
        for match in self._near_signs(self._forms.stated):
            if not (self._number and (_FURTHER.search(self.text) or _ON_THE_WAY.search(self._sentence(match)))):
                yield from self._said(match, match.lastindex or 1)
        for line in self.lines:
            for sentence in sentences_of(line):
                if not _CONCLUDED.match(sentence) or sentence.rstrip("\"')* ").endswith("?"):
                    continue
                said = set(self._affirmed_in(_COMPARED.sub("", sentence)))
                if len(said) == 1:
                    yield self._value(said.pop())

    def single(self) -> Iterator[str]:
        """Rule 4."""
        whole = len(self.lines) == 1 == len(sentences_of(self.text))
        if _DECLINES.search(self.lower) or (self._worked and not whole) or self._breaks_off():
            return
        mentions = list(_SIGN.finditer(self.text))
        affirmed = set(self._affirmed_in(self.text))
        others = {match[0] for match in mentions if not self._denied(self.text, match.start(), match.end())}
        denied = {match[0] for match in mentions} - others
        if affirmed and not affirmed & denied:
            yield from (self._value(sign) for sign in sorted(affirmed | others))

    def _near_signs(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """The matches of a pattern that holds a sign, without a search of what is far in front of any."""
        text, start, end = self.lower, 0, 0
        for mention in _SIGN.finditer(text):
            if mention.start() - _REACH > end:
                yield from pattern.finditer(text, start, end)
                start = mention.start() - _REACH
            if mention.end() > end:
                line = text.find("\n", mention.end())
                end = line if line >= 0 else len(text)
        yield from pattern.finditer(text, start, end)

    def _breaks_off(self) -> bool:
        """Whether a longer reply ends within a sentence."""
        return self.text[-1].islower() and self.text.count(" ") > _LONG

    def goes_back(self, answer: str) -> bool:
        """Whether words such as `Wait` stand in front of another answer."""
        back = _BACK.search(f"\n{self.lower}")
        return back is not None and any(
            self._value(match[0]) != answer and not self._denied(self.text, match.start(), match.end())
            for match in _SIGN.finditer(self.text, back.end() - 1)
        )

    def why_not(self) -> str:
        """Why no rule has found an answer."""
        kind = "number" if self._number else "choice"
        if _DECLINES.search(self.lower):
            return "declines to answer"
        for match in _FIRM.finditer(self.text):
            if self._denied(self.text, match.start(), match.end()):
                return f"says not {self._value(match[0])!r}"
        return f"states no {kind} plainly"

    def _sentence(self, match: re.Match[str]) -> str:
        """The sentence of a match."""
        before = _SENTENCE.split(self.text[max(0, match.start() - 160) : match.start()])[-1]
        return before + match[0] + _SENTENCE.split(self.text[match.end() : match.end() + 160])[0]

    def _said(self, match: re.Match[str], group: int) -> Iterator[str]:
        """The answer of a match, and others in one breath with it; none where it is denied, asked or supposed."""
        start, end = match.span(group)
        if not self._affirmed(self.text, min(start, match.start()), end):
            return
        if self._number and (_TOLD.match(self.text, end) or _ANOTHER.match(self.text, end)):
            return
        if start == match.start() and _COMPOUND.search(self.text, max(0, start - 20), start):
            return
        yield self._value(match[group])
        while second := _SECOND.match(self.text, end):
            yield self._value(second[1])
            end = second.end()

    def _affirmed_in(
        self, text: str, kind: re.Pattern[str] = _FIRM, start: int = 0, end: int | None = None
    ) -> Iterator[str]:
        """The signs of a kind that a text affirms between two places."""
        mentions = kind.finditer(text, start, len(text) if end is None else end)
        return (match[0] for match in mentions if self._affirmed(text, *match.span()))

    def _affirmed(self, text: str, start: int, end: int) -> bool:
        """Whether what stands there is said, rather than denied, asked, supposed or left to others."""
        if self._denied(text, start, end) or _ASKED.match(text, end) or _IF_LATER.match(text, end):
            return False
        sentence = _SENTENCE.split(text[max(0, start - 160) : start])[-1].rstrip(_OPENING)
        if _IF.search(sentence) and not _THEN.search(sentence):
            return False
        return not _SUPPOSED.search(_BREAK.split(sentence)[-1])

    def _denied(self, text: str, start: int, end: int) -> bool:
        before = _JOINED.sub("", text[max(0, start - 60) : start]).rstrip(_OPENING)
        clause = _BREAK.split(before)[-1]
        if _DENIED_BEFORE.search(clause):
            return True
        after = text[end : end + 80]
        if _WRONG.match(after):
            return True
        if self._number or _INSTEAD.match(after):
            return False
        return _DENIED_AFTER.search(_BREAK.split(after.lstrip(" \"'*)]}_`."))[0][:50]) is not None
