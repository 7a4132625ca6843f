"""The parts that English sentence plans are assembled from, and a hundred adverbs of manner."""

from __future__ import annotations

__all__ = [
    "AMOUNTS",
    "CALM",
    "COMPANY",
    "DENIALS",
    "FOLLOWING",
    "HABITS",
    "JOINERS",
    "LIVELY",
    "NAMING",
    "OBJECTS",
    "OPENERS",
    "PAIRS",
    "PLACES",
    "QUESTIONS",
    "STATES",
    "TIMES",
    "VERBS",
]


# The parts that sentence plans are assembled from: wording only, no content, no label.
#
# `<thing>`, `<adjective>`, `<base>`, `<past>` ... are slots for a word of that kind. `<A>` and `<B>` are the
# two people of an item, `<X>` its main thing; `<A:she>`, `<A:him>`, `<A:her>` are A's pronouns. `<was>` and
# `<has>` agree with their subject. `{cue}`, `{first}` and `{second}` are left open for a planted cue. A part that is
# listed twice is drawn twice as often.

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


# A hundred adverbs of manner, fifty lively and fifty calm: the words over which the subsets `synonyms-*` spread a cue.
#
# Any of them can stand before any verb: "Henrietta hastily exaggerates an aquarium". The order is part of the bytes.

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
