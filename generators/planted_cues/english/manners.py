"""A hundred adverbs of manner, fifty lively and fifty calm: the words over which the subsets `synonyms-*` spread a cue.

Any of them can stand before any verb: "Henrietta hastily exaggerates an aquarium". The order is part of the bytes.
"""

from __future__ import annotations

__all__ = ["CALM", "LIVELY"]

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
