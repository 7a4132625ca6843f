"""The evidence that texts share a template or a story: each function returns sets of texts to join.

`audit.groups.grouping` makes the joins. All evidence comes from looking up keys, never from comparing pairs, so
the cost is linear in the number of words. The order of the joins depends on the content of the texts, not on their
positions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import blake2b

from audit.groups.sentences import OPTION, Sentence
from audit.groups.skeleton import Skeleton, Words

__all__ = ["near_skeletons", "one_sentence_apart", "same_skeletons", "shared_sentences"]

SAME_EVIDENCE = 4
"""Least evidence of a skeleton that counts as a template: `_ is _ of _` does not."""

NEAR_EVIDENCE = 6
"""The same for two skeletons that differ by a word."""

NEAR_LONGEST = 200
"""Longest skeleton, in tokens, that is looked up with a word left out; longer texts share sentences instead."""

STORY_SENTENCE, STORY_SHARE = 12, 0.25
"""A shared sentence marks a story if it has at least this many words and is this share of its text."""

STORY_PAIR, PAIR_SHARE = 16, 0.10
"""The same for two consecutive sentences."""

# Leaving out one of these reverses a sentence: another template, and often another answer.
_NEVER_LEFT_OUT = frozenset(
    ["cannot", "except", "neither", "never", "no", "nobody", "none", "nor", "not", "nothing", "unless", "without"]
)


def same_skeletons(skeletons: Sequence[Skeleton]) -> list[list[int]]:
    """Return the sets of two or more texts with equal skeletons of enough evidence, in order of skeleton."""
    members: dict[tuple[str, ...], list[int]] = {}
    for text, skeleton in enumerate(skeletons):
        if skeleton.evidence >= SAME_EVIDENCE:
            members.setdefault(skeleton.tokens, []).append(text)
    return [members[tokens] for tokens in sorted(members) if len(members[tokens]) > 1]


def near_skeletons(skeletons: Sequence[Skeleton]) -> list[list[int]]:
    """Return, for each pair of skeletons that differ by one extra function word, the texts that have them.

    The extra word may occur several times (`the trash can` beside `the bottle`: `can` is read as an auxiliary).
    A slot is never the difference, because the slots are what makes a template; nor is a negation. Each skeleton is
    looked up with each of its words left out (the deletion neighbourhood of Mor and Fraenkel 1982).
    """
    codes: dict[str, str] = {}
    members: dict[str, list[int]] = {}
    for text, skeleton in enumerate(skeletons):
        if skeleton.evidence >= NEAR_EVIDENCE and len(skeleton.tokens) <= NEAR_LONGEST:
            # One character per token: str.replace leaves out a word, and nothing matches across tokens.
            whole = "".join(codes.setdefault(token, chr(0xF0000 + len(codes))) for token in skeleton.tokens)
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
    """Return sets of 2 to `most` texts that share a long sentence or two consecutive ones, smallest set first.

    A sentence that more texts share is an instruction or an option, not a story.
    """
    members: dict[tuple[Sentence, ...], list[int]] = {}
    for text, sentences in enumerate(texts):
        for key in dict.fromkeys(_distinctive(sentences)):
            members.setdefault(key, []).append(text)
    # A template that is filled at random gives equal sentences by chance: then its other fillings outnumber them.
    kept = words.kept
    shapes = {key: tuple(word for sentence in key for word in sentence if word in kept) for key in members}
    fillings = Counter(shapes.values())
    rare = sorted((len(of), key) for key, of in members.items() if max(2, fillings[shapes[key]]) <= len(of) <= most)
    return [members[key] for _, key in rare]


def one_sentence_apart(texts: Sequence[list[Sentence]], most: int) -> list[list[int]]:
    """Return sets of 2 to `most` texts that differ in one sentence or in their order, smallest set first.

    One sentence is added, removed or replaced: a story with two questions, a premise with several hypotheses. The
    rest must be at least half of the words, not counting list items. A text is looked up by the sum of the
    hashes of its sentences modulo 2**64, minus one sentence at a time, so that the rest is never built.
    """
    members: dict[int, list[int]] = {}
    for text, sentences in enumerate(texts):
        lengths = [0 if sentence[0] == OPTION else len(sentence) for sentence in sentences]
        digests = [_digest(sentence) for sentence in sentences]
        least = max(STORY_PAIR, sum(map(len, sentences)) / 2)
        rests = [(sum(digests), sum(lengths))]
        rests += [(rests[0][0] - digest, rests[0][1] - length) for digest, length in zip(digests, lengths)]
        for key in dict.fromkeys(key % 2**64 for key, length in rests if length >= least):
            members.setdefault(key, []).append(text)
    rare = sorted((len(of), key) for key, of in members.items() if 2 <= len(of) <= most)
    return [members[key] for _, key in rare]


def _digest(sentence: Sentence) -> int:
    """Hash a sentence; unlike `str.__hash__`, equal in every process."""
    raw = " ".join(sentence).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(raw, digest_size=8).digest(), "big")


def _distinctive(sentences: list[Sentence]) -> Iterator[tuple[Sentence, ...]]:
    """Yield the sentences and pairs of consecutive sentences that two texts do not share by chance."""
    total = sum(map(len, sentences))
    for position, sentence in enumerate(sentences):
        if sentence[0] == OPTION:
            continue
        if len(sentence) >= max(STORY_SENTENCE, STORY_SHARE * total):
            yield (sentence,)
        last = sentences[position - 1] if position else sentence
        if position and last[0] != OPTION and len(last) + len(sentence) >= max(STORY_PAIR, PAIR_SHARE * total):
            yield (last, sentence)
