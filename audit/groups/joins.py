"""The evidence that texts are one template or one story: which texts each piece of it would join.

Reads skeletons (`audit.groups.skeleton`) and sentences (`audit.groups.sentences`); `audit.groups.found` carries the
joins out. All three kinds are found by looking keys up, never by comparing pairs, so the cost grows with the number
of words. Every function returns its joins in an order that depends on what the texts say, not on where they stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from audit.groups.sentences import Sentence
from audit.groups.skeleton import Skeleton

__all__ = ["near_skeletons", "same_skeletons", "shared_sentences"]

SAME_EVIDENCE = 4
"""Function words and repetitions that a skeleton must have to say anything: `_ is _ of _` is no template."""

NEAR_EVIDENCE = 6
"""The same for two skeletons that only nearly agree."""

NEAR_LONGEST = 200
"""Tokens in the longest skeleton that is looked up with a word left out; longer texts share sentences instead."""

STORY_SENTENCE, STORY_SHARE = 12, 0.25
"""A single shared sentence tells of a story from so many words on, if it is such a share of the text."""

STORY_PAIR, PAIR_SHARE = 16, 0.10
"""The same for two sentences that follow each other."""

# Leaving one of these out turns a sentence into its opposite: another template, and often another answer.
_NEVER_LEFT_OUT = frozenset("no not never none nor neither nothing nobody without except unless cannot".split())


def same_skeletons(skeletons: Sequence[Skeleton]) -> list[list[int]]:
    """Return the sets of two or more texts whose skeletons are equal and say enough, in order of skeleton."""
    members: dict[tuple[str, ...], list[int]] = {}
    for text, one in enumerate(skeletons):
        if one.evidence >= SAME_EVIDENCE:
            members.setdefault(one.tokens, []).append(text)
    return [members[tokens] for tokens in sorted(members) if len(members[tokens]) > 1]


def near_skeletons(skeletons: Sequence[Skeleton]) -> list[list[int]]:
    """Return pairs of texts of which one has the other's skeleton and a function word more.

    The word more may stand in several places (`the trash can` beside `the bottle`: `can` is read as an auxiliary).
    Slots are never the difference, for who is who is what makes a template; nor are negations. Each skeleton
    is looked up with each of its words left out (the deletion neighbourhood of Mor and Fraenkel 1982).
    """
    codes: dict[str, str] = {}
    first: dict[str, tuple[tuple[str, ...], int]] = {}
    for text, one in enumerate(skeletons):
        if one.evidence >= NEAR_EVIDENCE and len(one.tokens) <= NEAR_LONGEST:
            # One character a token: leaving out a word is then str.replace, and nothing can match across tokens.
            whole = "".join(codes.setdefault(token, chr(0xF0000 + len(codes))) for token in one.tokens)
            first.setdefault(whole, (one.tokens, text))
    pairs = []
    for whole, (tokens, text) in first.items():
        for token in dict.fromkeys(tokens):
            if token.isalpha() and token not in _NEVER_LEFT_OUT:
                other = first.get(whole.replace(codes[token], ""))
                if other is not None and skeletons[other[1]].evidence >= NEAR_EVIDENCE:
                    pairs.append((tokens, other[0], text, other[1]))
    return [[text, other] for _, _, text, other in sorted(pairs)]


def shared_sentences(texts: Sequence[list[Sentence]], most: int) -> list[list[int]]:
    """Return sets of 2 to `most` texts that share a long sentence, or two that follow each other; rarest first.

    What more texts have is an instruction or an option, not a story.
    """
    members: dict[tuple[Sentence, ...], list[int]] = {}
    for text, sentences in enumerate(texts):
        for key in dict.fromkeys(_telling(sentences)):
            members.setdefault(key, []).append(text)
    rare = sorted((len(of), key) for key, of in members.items() if 2 <= len(of) <= most)
    return [members[key] for _, key in rare]


def _telling(sentences: list[Sentence]) -> Iterator[tuple[Sentence, ...]]:
    """Yield the sentences and pairs of sentences that two texts do not share by chance."""
    total = sum(map(len, sentences))
    for at, one in enumerate(sentences):
        if len(one) >= max(STORY_SENTENCE, STORY_SHARE * total):
            yield (one,)
        if at and len(sentences[at - 1]) + len(one) >= max(STORY_PAIR, PAIR_SHARE * total):
            yield (sentences[at - 1], one)
