"""The evidence that texts are one template or one story: which texts each piece of it would join.

Reads skeletons (`audit.groups.skeleton`) and sentences (`audit.groups.sentences`); `audit.groups.found`
carries the joins out. All three kinds are found by looking keys up, never by comparing pairs, so the cost
grows with the number of words. Every function returns its joins in an order that depends on what the texts
say, not on where they stand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import blake2b

from audit.groups.sentences import OPTION, Sentence
from audit.groups.skeleton import Skeleton, Words

__all__ = ["near_skeletons", "one_sentence_apart", "same_skeletons", "shared_sentences"]

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
_NEVER_LEFT_OUT = frozenset(
    ["cannot", "except", "neither", "never", "no", "nobody", "none", "nor", "not", "nothing", "unless", "without"]
)


def same_skeletons(skeletons: Sequence[Skeleton]) -> list[list[int]]:
    """Return the sets of two or more texts whose skeletons are equal and say enough, in order of skeleton."""
    members: dict[tuple[str, ...], list[int]] = {}
    for text, one in enumerate(skeletons):
        if one.evidence >= SAME_EVIDENCE:
            members.setdefault(one.tokens, []).append(text)
    return [members[tokens] for tokens in sorted(members) if len(members[tokens]) > 1]


def near_skeletons(skeletons: Sequence[Skeleton]) -> list[list[int]]:
    """Return the texts of two skeletons, of which one is the other with a function word more.

    The word more may stand in several places (`the trash can` beside `the bottle`: `can` is read as an
    auxiliary). Slots are never the difference, for who is who is what makes a template; nor are negations.
    Each skeleton is looked up with each of its words left out (the deletion neighbourhood of Mor and Fraenkel
    1982).
    """
    codes: dict[str, str] = {}
    members: dict[str, list[int]] = {}
    for text, one in enumerate(skeletons):
        if one.evidence >= NEAR_EVIDENCE and len(one.tokens) <= NEAR_LONGEST:
            # One character a token: leaving out a word is then str.replace, and nothing matches across tokens.
            whole = "".join(codes.setdefault(token, chr(0xF0000 + len(codes))) for token in one.tokens)
            members.setdefault(whole, []).append(text)
    pairs = []
    for whole, texts in members.items():
        tokens = skeletons[texts[0]].tokens
        for token in dict.fromkeys(tokens):
            if token.isalpha() and token not in _NEVER_LEFT_OUT:
                others = members.get(whole.replace(codes[token], ""))
                if others is not None:
                    pairs.append((tokens, token, texts + others))
    return [both for _, _, both in sorted(pairs)]


def shared_sentences(texts: Sequence[list[Sentence]], words: Words, most: int) -> list[list[int]]:
    """Return sets of 2 to `most` texts that share a long sentence, or two that follow each other; rarest first.

    What more texts have is an instruction or an option, not a story.
    """
    members: dict[tuple[Sentence, ...], list[int]] = {}
    for text, sentences in enumerate(texts):
        for key in dict.fromkeys(_telling(sentences)):
            members.setdefault(key, []).append(text)
    # A template filled anew each time gives equal sentences by chance: then its other fillings outnumber them.
    kept = words.kept
    shapes = {key: tuple(word for one in key for word in one if word in kept) for key in members}
    fillings = Counter(shapes.values())
    rare = sorted((len(of), key) for key, of in members.items() if max(2, fillings[shapes[key]]) <= len(of) <= most)
    return [members[key] for _, key in rare]


def one_sentence_apart(texts: Sequence[list[Sentence]], most: int) -> list[list[int]]:
    """Return sets of 2 to `most` texts that differ in one sentence, or in the order of sentences; rarest first.

    One sentence put in, left out or exchanged: a story asked about twice, a premise with several hypotheses.
    What is left must be at least half of the words, lines of lists apart. A text is looked up by the sum of
    its sentences' hashes modulo 2**64, less one sentence at a time, so that no rest is ever written out.
    """
    members: dict[int, list[int]] = {}
    for text, sentences in enumerate(texts):
        lengths = [0 if one[0] == OPTION else len(one) for one in sentences]
        digests = [_digest(one) for one in sentences]
        least = max(STORY_PAIR, sum(map(len, sentences)) / 2)
        rests = [(sum(digests), sum(lengths))]
        rests += [(rests[0][0] - digest, rests[0][1] - length) for digest, length in zip(digests, lengths)]
        for key in dict.fromkeys(key % 2**64 for key, length in rests if length >= least):
            members.setdefault(key, []).append(text)
    rare = sorted((len(of), key) for key, of in members.items() if 2 <= len(of) <= most)
    return [members[key] for _, key in rare]


def _digest(sentence: Sentence) -> int:
    """Hash a sentence alike in every process (str.__hash__ is not)."""
    raw = " ".join(sentence).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(raw, digest_size=8).digest(), "big")


def _telling(sentences: list[Sentence]) -> Iterator[tuple[Sentence, ...]]:
    """Yield the sentences and pairs of sentences that two texts do not share by chance."""
    total = sum(map(len, sentences))
    for at, one in enumerate(sentences):
        if one[0] == OPTION:
            continue
        if len(one) >= max(STORY_SENTENCE, STORY_SHARE * total):
            yield (one,)
        last = sentences[at - 1] if at else one
        if at and last[0] != OPTION and len(last) + len(one) >= max(STORY_PAIR, PAIR_SHARE * total):
            yield (last, one)
