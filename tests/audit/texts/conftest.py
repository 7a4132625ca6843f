"""Texts that feature tests share: plausible prompts, and text as hostile as Unicode allows."""

import pytest

PLAUSIBLE = [
    "The cat is on the mat. The dog is under the table.",
    "The dog is on the mat.  Is the cat under the table?",
    "Context:\n1 Bernhard is green. 2 Julius is a rhino.\nQuestion: What color is Julius?",
    "Context:\n1 Lily is yellow. 2 Greg is a swan.\nQuestion: What color is Greg?",
    "Dr. Smith doesn't think that she'd pay $3.50, e.g. for a well-known e-mail; does he?",
    "More than half of the people said (in 2019) that they'd rather not.",
    "Fewer than half of the people said, in 2019, that they would rather not.",
    "yes",
    "No",
    "",
]

HOSTILE = [
    "café CAFÉ cafe\u0301 naïve ﬁne ﬁnish \u1e9eTRASSE straße",
    "İstanbul ISTANBUL ıstanbul ΣΊΣΥΦΟΣ ΟΔΟΣ οδός",
    "a\u00a0b\u2003c  \u00a8bar \u0301 \u0301 baz \x1cfs\x1f us\x85nel\u2028ls",
    "日本語 テスト 한국어 कॖ हिन्दी 👩\u200d👩\u200d👧 👍🏽",
    "<|endoftext|> <|endoftext|>x ''quoted'' don't 'll 've   \n\n\t tail   ",
    "\ud800 lone \udfff surrogate \ufffd",
    "\x00\x01\x02 nul\x00byte",
    "½ ²³ ǅ Ⅷ ﷺ ａｂｃ 𝔘𝔫𝔦",
    "   ",
    "\n",
    "cafe naive fine strasse istanbul abc viii test bar baz lone surrogate quoted don tail",
    "_under_score_ __init__ snake_case x_1 ٣٤ 12 1 a b",
]


@pytest.fixture
def plausible() -> list[str]:
    return list(PLAUSIBLE)


@pytest.fixture
def texts() -> list[str]:
    return PLAUSIBLE + HOSTILE
