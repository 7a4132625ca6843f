"""What stands on the ladder of options, simplest first: names, what is said of each, and what it draws on."""

from __future__ import annotations

__all__ = ["LABELS", "RULES", "SAID", "VIEWS"]

LABELS = {
    "constant": "guessing",
    "position": "position",
    "length": "length",
    "overlap": "likeness",
    "wording": "wording",
    "repeats": "repeated options",
    "ngram": "one n-gram",
    "format": "format",
    "readability": "readability",
    "unigrams": "unigrams of the option",
    "bigrams": "bigrams of the option",
    "others": "option and other options",
    "question": "option and question",
    "trees": "trees",
}
"""The rungs by stable name, simplest first, with their names in reports."""

SAID = {
    "position": "the position of the option is enough",
    "length": "the length of the option is enough",
    "overlap": "how like the option is to the question or to the other options is enough",
    "wording": "the kind of words in the option (rare, hedged, absolute) is enough",
    "repeats": "how often the same option is right elsewhere is enough",
    "format": "the format of the option (case, lines, blanks, punctuation) is enough",
    "readability": "the readability and diversity of the option's words are enough",
    "unigrams": "single words of the option are enough",
    "bigrams": "words and pairs of words of the option are needed",
    "others": "the options compared with each other are needed",
    "question": "the words that option and question share are needed",
    "trees": "combinations of words are needed",
}
"""What the name of a rung says if it is the simplest that is enough."""

RULES = {
    "position": ("the most common position (learnt)",),
    "length": (
        "the longest (characters)",
        "the shortest (characters)",
        "the longest (words)",
        "the shortest (words)",
    ),
    "overlap": (
        "most like the question",
        "least like the question",
        "most like the other options",
        "least like the other options",
    ),
    "wording": (
        "the rarest words",
        "the commonest words",
        "“all of the above” and the like",
        "anything but “all of the above”",
        "without absolutes (always, never, only)",
        "with a hedge (may, often, most)",
        "with a negation",
    ),
    "repeats": ("most often right elsewhere (learnt)",),
}
"""The rules of the rungs that choose an option without any fit (`audit.options.rules`). What is learnt stands alone on
its rung: a choice between rules must not rest on golds that one of them was learnt from."""

VIEWS = {
    "format": "format",
    "readability": "readability",
    "unigrams": "1-grams",
    "bigrams": "2-grams",
    "others": "others",
    "question": "question",
}
"""Which views the other rungs draw on, in a word; `picking` knows them by it."""
