"""The English texts: the parts of sentences, plans made of them without content, and what fills their slots."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from hansproof.generators.lexicon.words import past, present_participle, third_person, words
from hansproof.generators.stream import Stream

__all__ = ["CALM", "LIVELY", "Plan", "draw_plan", "fill", "with_empty_slots"]

# `<thing>`, `<base>`, `<past>` ... are slots for a word of that kind; `<A>` and `<B>` the two people, `<X>` the main
# thing; `<A:she>`, `<A:him>`, `<A:her>` are A's pronouns; `<was>` and `<has>` agree with their subject; `{cue}`,
# `{first}` and `{second}` are left open for a planted cue. A part that is listed twice is drawn twice as often.

NAMING = (
    "<A>", "<A>", "<A>", "+<A> and the <role>", "+<A> and <B>", "<A>, like the <role>,",
    "+both <A> and <B>", "<A>, not <B>,", "nobody but <A>", "not only <A> but also <B>",
    "the <role> and not <A>", "<A> alone", "<A> of <town>", "<A>, a <role> from <town>,",
    "either <A> or the <role>", "<A>, who <was> then in <town>,",
)  # fmt: skip
"""Subjects of the first clause: whoever is in the story is named here."""

FOLLOWING = (
    "<A>", "<A:she>", "<A:she>", "<B>", "the <adjective> <role>", "a <role> from <town>", "another <role>",
    "the <role> who <past> the <thing>", "someone from <town>", "the other <role>",
    "neither <A> nor the <role>", "a <adjective> <role> in the <place>", "+<A:she> and <B>",
    "every <role> there", "+the <role> and the <role>", "<A:her> <role>", "somebody near the <place>",
    "the <role> with the <thing>", "no <role> except <A>", "one <role> after another", "the same <role>",
    "whoever <past> the <thing>", "any <role> in <town>",
)  # fmt: skip
"""Subjects of all later clauses; `+` makes a plural."""

VERBS = (
    "<past>", "<past>", "<past>", "had <past>", "<was> <ing>", "could <base>", "had to <base>",
    "would have <past>", "might have <past>", "should have <past>", "<has> <past>", "<was> about to <base>",
    "had been <ing>", "must have <past>", "may have <past>", "<has> just <past>", "used to <base>",
    "ought to have <past>", "<was> going to <base>", "<has> been <ing>", "had already <past>",
    "<was> still <ing>", "<was> able to <base>", "then <past>", "can <base>", "will soon <base>",
    "did <base>", "<was> to <base>", "would again <base>", "only <past>",
)  # fmt: skip
"""Verbs that go with any subject and any object."""

DENIALS = (
    "did not <base>", "could not <base>", "would not <base>", "had never <past>", "<was> not <ing>",
    "<has> not <past>", "must not <base>", "should not have <past>", "will not <base>",
)  # fmt: skip
"""Verbs that deny something; they go with OBJECTS only."""

OBJECTS = (
    "the <thing>", "the <thing>", "the <X>", "the <X>", "a <thing>", "a <adjective> <thing>",
    "this <thing>", "the <adjective> <thing>", "the <thing> and the <thing>", "the <thing> of the <role>",
    "the same <thing>", "either the <thing> or the <thing>", "such a <thing>", "what <B> had <past>",
    "a <thing> as <adjective> as the <thing>", "that <thing>", "the <thing> that the <role> <past>",
    "another <thing>", "each <thing>", "all that <B> <past>", "a <thing> with a <thing> on it",
    "<A:her> own <thing>", "<A:her> <thing>", "most of the <thing>",
    "the <adjective> but <adjective> <thing>", "the <thing> rather than the <thing>",
)  # fmt: skip
"""Objects of any verb."""

AMOUNTS = (
    "no <thing> at all", "nothing but the <thing>", "some <thing> or other", "one <thing> too many",
    "more than one <thing>",
)  # fmt: skip
"""Objects that would clash with a denial."""

STATES = (
    "<was> as <adjective> as the <role>", "<was> in the <place>", "<was> from <town>",
    "had a <adjective> <thing>", "<was> not as <adjective> as <B>", "<was> with <B> at the <place>",
    "had more than one <thing>", "<was> too <adjective> for the <role>",
    "<was> neither <adjective> nor <adjective>", "had no <thing>",
    "<was> at once <adjective> and <adjective>", "<was> above all <adjective>", "had what <B> had <past> in <town>",
    "<was> on the way to <town>", "<was> against the <event>", "<was> never so <adjective> as then",
)  # fmt: skip
"""Predicates without a verb of the lexicon."""

PLACES = (
    "in the <place>", "near the <place>", "behind the <place>", "in <town>", "under the <place>",
    "beside the <place>", "around the <place>", "not far from the <place>", "by the <place>",
    "outside the <place>", "above the <place>", "at the <place>", "through the <place>", "at the <event>",
    "from <town> to <town>", "on the way to <town>", "over there", "between the <place> and the <place>",
    "on the far side of the <place>", "past the <place>",
)  # fmt: skip
"""Where it was; a clause has at most one of each of these three kinds."""

TIMES = (
    "before the <event>", "after the <event>", "during the <event>", "because of the <event>",
    "until the <event>", "despite the <event>", "since the <event>", "for the <event>", "once more",
    "as before", "more than once", "by then", "for the most part",
)  # fmt: skip
"""When it was, or why."""

COMPANY = (
    "without a <thing>", "with the <role>", "for <B>", "instead of the <role>", "with a <thing>",
    "as well as the <thing>", "against the <role>", "with <A:her> own <thing>", "like the <role>",
    "with <B>", "for the <role>", "with more than one <thing>", "without <B>", "with such a <thing>",
)  # fmt: skip
"""With whom or what."""

OPENERS = (
    "after the <event>", "before the <event>", "during the <event>", "in <town>", "at the <place>",
    "at first", "then", "since the <event>", "because of the <event>", "despite the <event>",
    "until the <event>", "now", "without the <role>", "soon after the <event>", "by the <place>",
    "here in <town>", "once again", "at last", "just before the <event>", "with the <role> away",
    "like the <role>", "as for the <thing>", "between us", "from then on", "not far from <town>",
    "while in <town>", "above all", "if only for the <event>", "so far", "some time before the <event>",
    "apart from the <event>", "more than once", "as so many before <A:him>",
)  # fmt: skip
"""What a sentence may open with, before a comma."""

JOINERS = (
    "and", "but", "because", "while", "although", "so", "before", "after", "until", "since", "yet", "when",
    "whereas", "as", "even though", "if only because", "once", "unless", "as soon as", "just as",
    "wherever", "and so", "but then", "as if", "in case", "now that", "though", "for", "and yet",
)  # fmt: skip
"""What joins a second clause to a first."""

QUESTIONS = (
    "did <A> <base> the <X>", "will <A> <base> the <X> before the <event>", "has <B> <past> the <X>",
    "was <A> <ing> the <X> at the <place>", "could <A:she> <base> the <X> without the <role>",
    "is the <X> still with the <role> in the <place>", "should <B> <base> the <thing>",
    "does the <X> now belong to the <role>", "was it <A> who <past> the <X>",
    "is it true that <B> <past> the <X>", "were both of them at the <event> in <town>",
    "is there a <thing> in the <place>", "had the <role> <past> the <X> by then",
    "must <A> <base> a <thing>", "is the <X> more <adjective> than the <thing>",
    "was the <role> there during the <event>", "did anyone but <A> <base> the <thing>",
    "may the <role> <base> the <X> after all", "has <A:she> been <ing> the <X>",
    "would the <role> of <town> <base> it", "can <B> have <past> the <thing>",
    "is <A> on the side of the <role>", "was <B> as <adjective> as the <role>",
    "were they in <town> for the <event>", "does it follow that <A> <past> the <thing>",
    "is <A:she> the one who <past> the <X>", "did the <role> have any <thing> with <A:him>",
    "are <A> and the <role> <ing> the <X> again", "will there be another <event> at the <place>",
    "was there ever a <thing> under the <place>",
)  # fmt: skip
"""Closing questions."""

HABITS = (
    "<A>", "<A:she>", "the <adjective> <role>", "a <role> from <town>", "<A:her> <role>",
    "the other <role>",
)  # fmt: skip
"""Subjects of the sentence that says how regularly something happens (subset `unigram`)."""

PAIRS = (
    "between the {first} and the {second}", "near the {first} and the {second}",
    "behind the {first} or the {second}", "from the {first} to the {second}",
    "past the {first} and the {second}", "not far from the {first} or the {second}",
    "with the {first} on one side and the {second} on the other",
    "in sight of the {first} and the {second}",
)  # fmt: skip
"""Adjuncts that put two places side by side (subset `bigram`)."""

# Fifty lively and fifty calm adverbs, for the subsets `synonyms-*`; any can stand before any verb. The order is part of
# the bytes.

LIVELY = (
    "quickly", "swiftly", "rapidly", "hastily", "briskly", "hurriedly", "speedily", "promptly", "frantically",
    "impatiently", "eagerly", "boldly", "loudly", "noisily", "fiercely", "vigorously", "energetically", "forcefully",
    "wildly", "recklessly", "rashly", "feverishly", "furiously", "restlessly", "keenly", "ardently", "zealously",
    "passionately", "excitedly", "exuberantly", "boisterously", "brashly", "daringly", "impulsively", "impetuously",
    "heatedly", "hotly", "rowdily", "raucously", "stormily", "strenuously", "tempestuously", "violently", "fervently",
    "urgently", "madly", "abruptly", "breathlessly", "spiritedly", "vehemently",
)  # fmt: skip
"""Point to yes."""

CALM = (
    "slowly", "quietly", "calmly", "gently", "softly", "carefully", "cautiously", "patiently", "gradually",
    "gingerly", "tenderly", "mildly", "meekly", "timidly", "shyly", "silently", "serenely", "peacefully",
    "placidly", "sedately", "soberly", "steadily", "smoothly", "sleepily", "drowsily", "lazily", "idly",
    "languidly", "listlessly", "lethargically", "sluggishly", "wearily", "tamely", "modestly", "demurely",
    "discreetly", "delicately", "guardedly", "warily", "prudently", "deliberately", "hesitantly", "haltingly",
    "unhurriedly", "coolly", "tranquilly", "composedly", "reservedly", "noiselessly", "dreamily",
)  # fmt: skip
"""Point to no."""

# A plan is drawn from a stream that knows nothing of the label; `fill` puts words of the lexicon into its slots.


@dataclass(frozen=True)
class Plan:
    """The wording of one item: sentences with slots `{kind:label}`; equal labels are equal words."""

    sentences: tuple[str, ...]
    """Two to four, each with its full stop: `{women:A} {past:1} the {thing:2}.`"""
    question: str
    """The closing question, which the sentences never decide."""


_PRONOUNS = {"women": {"she": "she", "him": "her", "her": "her"}, "men": {"she": "he", "him": "him", "her": "his"}}
_ONCE = ("<B>", "neither", "more than")  # else "Fran was with Fran", "neither of them was neither ..."
_PART_MARK = re.compile(r"<(\w+)(?::(\w+))?>")


def draw_plan(stream: Stream, sentences: int, extra: str = "") -> Plan:
    """A plan with this many sentences and a question.

    `extra` is "" or what one of the sentences must contain: "habit" (slot `{cue}`) or "pair" (slots `{first}` and
    `{second}`). The wording of a sentence does not depend on how many there are.
    """
    special = stream.child("extra").below(sentences) if extra else -1
    texts = []
    for i in range(sentences):
        draws = stream.child("sentence").child(i)
        if i == special and extra == "habit":
            texts.append(_habit(draws, first=i == 0))
        else:
            texts.append(_sentence(draws, first=i == 0, pair=i == special))
    question = stream.child("question").choice(QUESTIONS) + "?"
    return _numbered(texts, question, female=stream.child("people").coin())


def _sentence(stream: Stream, first: bool, pair: bool) -> str:
    subjects = NAMING if first else FOLLOWING
    text = _opener(stream) + _clause(stream, subjects, adjuncts=stream.below(3))
    if pair:
        text += " " + stream.choice(PAIRS)
    if stream.chance(1, 4):
        joiner = stream.choice(JOINERS)
        text += f" {joiner} {_clause(stream, FOLLOWING, adjuncts=stream.below(2))}"
    return text + "."


def _opener(stream: Stream) -> str:
    return stream.choice(OPENERS) + ", " if stream.chance(9, 20) else ""


def _clause(stream: Stream, subjects: Sequence[str], adjuncts: int) -> str:
    subject = stream.choice(subjects)
    chosen = [subject]
    if stream.chance(1, 5):
        chosen.append(_new(stream, STATES, chosen))
    elif stream.chance(1, 5) and not subject.startswith(("no", "neither")):
        chosen += [stream.choice(DENIALS), _new(stream, OBJECTS, chosen)]
    else:
        chosen += [stream.choice(VERBS), _new(stream, OBJECTS + AMOUNTS, chosen)]
    text = " ".join(chosen + _adjuncts(stream, adjuncts, chosen))
    plural = subject.startswith("+")
    for singular, several in (("was", "were"), ("has", "have")):
        text = text.replace(f"<{singular}>", several if plural else singular)
    return text.removeprefix("+")


def _adjuncts(stream: Stream, count: int, before: Sequence[str]) -> list[str]:
    kinds = stream.sample((PLACES, TIMES, COMPANY), count)
    return [_new(stream, kind, before) for kind in kinds]


def _new(stream: Stream, choices: Sequence[str], before: Sequence[str]) -> str:
    """A part that repeats nothing of _ONCE within a clause."""
    part = stream.choice(choices)
    while any(mark in part and any(mark in earlier for earlier in before) for mark in _ONCE):
        part = stream.choice(choices)
    return part


def _habit(stream: Stream, first: bool) -> str:
    subject = "<A>" if first else stream.choice(HABITS)
    chosen = [subject, "{cue} <third>", stream.choice(OBJECTS + AMOUNTS)]
    return _opener(stream) + " ".join(chosen + _adjuncts(stream, stream.below(3), chosen)) + "."


def _numbered(sentences: list[str], question: str, female: bool) -> Plan:
    """Turn every mark into a slot of its own, a slot shared by the whole item, or a pronoun."""
    people = {"A": "women" if female else "men", "B": "men" if female else "women"}
    count = 0

    def slot(mark: re.Match[str]) -> str:
        nonlocal count
        name, case = mark[1], mark[2]
        if name in people:
            return _PRONOUNS[people[name]][case] if case else f"{{{people[name]}:{name}}}"
        if name == "X":
            return "{thing:X}"
        count += 1
        return f"{{{name}:{count}}}"

    texts = [_PART_MARK.sub(slot, text).replace(",,", ",").replace(",.", ".") for text in sentences]
    return Plan(tuple(texts), _PART_MARK.sub(slot, question))


_NOUNS = ("thing", "role", "place", "event")
_SLOT_MARK = re.compile(r"<(\w+)>")

_PATTERNS = (
    ("<>",),
    ("<adjective> <>",),
    ("<adjective>, <adjective> <>", "<> from <town>", "<> of <town>"),
    ("<adjective> <> from <town>", "<> near the <place>", "<> of the <role>", "<> behind the <place>"),
    (
        "<adjective> <> near the <place>", "<adjective> <> of the <role>", "<> of the <adjective> <role>",
        "<> beside the <adjective> <place>", "<adjective>, <adjective> <> from <town>",
    ),
)  # fmt: skip
"""Noun phrases of one to five words; `<>` is the noun."""

_ASIDES = (
    ("again", "alone", "anyway", "aloud", "barefoot", "indoors", "today", "twice"),
    ("at noon", "by mistake", "for free", "in private", "on foot", "on Monday", "after dark", "in silence"),
    ("for two days", "in the rain", "for no reason", "without a word", "day and night", "against all advice"),
    ("with a heavy heart", "in front of everybody", "for the third time", "long before the snow"),
    ("in the middle of winter", "on the way to church", "without a word of thanks", "for the sake of peace"),
)  # fmt: skip
"""Adverbials of one to five words."""


def phrase(kind: str, stream: Stream, word: Callable[[str, Stream], str]) -> str:
    """A filling of one to five words for a slot of this kind, or, for a slot `aside`, of none to five.

    Each length is equally likely. Names, towns, verbs and adjectives stay single words. `word` draws an unused word
    of a kind.
    """
    if kind == "aside":
        length = stream.child("length").below(len(_ASIDES) + 1)
        return f" {stream.child('aside').choice(_ASIDES[length - 1])}" if length else ""
    if kind not in _NOUNS:
        return word(kind, stream)
    pattern = stream.child("pattern").choice(stream.child("length").choice(_PATTERNS)).replace("<>", f"<{kind}>")
    pieces = _SLOT_MARK.split(pattern)  # literal, kind, literal, kind, ... literal
    return "".join(word(piece, stream.child(i)) if i % 2 else piece for i, piece in enumerate(pieces))


def with_empty_slots(plan: Plan) -> Plan:
    """The plan with a slot at the end of each sentence that may stay empty."""
    sentences = tuple(f"{text[:-1]}{{aside:aside{i}}}." for i, text in enumerate(plan.sentences))
    return Plan(sentences, plan.question)


_SLOT = re.compile(r"\{(\w+):(\w+)\}")
_VERB_FORMS: dict[str, Callable[[str], str]] = {
    "base": str,
    "past": past,
    "ing": present_participle,
    "third": third_person,
}
_LISTS = {"men": "men", "women": "women"} | {
    kind: f"{kind}s" for kind in ("adjective", "event", "place", "role", "thing", "town")
}


def fill(
    plan: Plan, stream: Stream, long_words: tuple[int, int], extras: Mapping[str, str], long_slots: bool = False
) -> str:
    """The text of `plan`, its sentences separated by a space.

    Each content word is long with probability `long_words` (numerator, denominator). No word fills two slots: words
    repeat only where the plan repeats them. `extras` fills `{cue}`, `{first}` and `{second}`. With `long_slots` a slot
    for a noun takes one to five words.
    """
    chosen: dict[str, str] = {}
    used: set[str] = set()

    def unused(kind: str, draws: Stream) -> str:
        word = _unused(kind, draws, long_words, used)
        used.add(word)
        return word

    def filling(slot: re.Match[str]) -> str:
        kind, label = slot[1], slot[2]
        if label not in chosen:
            draws = stream.child(label)
            chosen[label] = phrase(kind, draws, unused) if long_slots else unused(kind, draws)
        return _VERB_FORMS.get(kind, str)(chosen[label])

    texts = []
    for sentence in (*plan.sentences, plan.question):
        text = sentence
        for name, value in extras.items():
            text = text.replace(f"{{{name}}}", value)
        text = re.sub(r"\ba (?=[aeiou])", "an ", _SLOT.sub(filling, text))
        texts.append(text[0].upper() + text[1:])
    return " ".join(texts)


def _unused(kind: str, stream: Stream, long_words: tuple[int, int], used: set[str]) -> str:
    pool = words(_LISTS.get(kind, "verbs"), "long" if stream.chance(*long_words) else "short")
    word = stream.choice(pool)
    while word in used:
        word = stream.choice(pool)
    return word
