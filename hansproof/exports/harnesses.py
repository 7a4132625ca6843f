"""Which evaluation harnesses there are: one line each."""

__all__ = ["HARNESSES", "PLAYING"]

HARNESSES = {
    "lm-eval": "hansproof.exports.lm_eval",
    "inspect": "hansproof.exports.inspect_ai",
    "openai-evals": "hansproof.exports.openai_evals",
    "helm": "hansproof.exports.helm",
    "lighteval": "hansproof.exports.lighteval",
}
"""The visible table: harness -> module with `export_files`, imported on demand."""

PLAYING = ("inspect",)
"""The harnesses that can ask turn by turn, as items that are played need it."""
