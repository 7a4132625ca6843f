"""Which evaluation harnesses there are: one line each."""

__all__ = ["HARNESSES", "PLAYING"]

HARNESSES = {
    "lm-eval": "hansproof.release.exports.lm_eval",
    "inspect": "hansproof.release.exports.inspect_ai",
    "openai-evals": "hansproof.release.exports.openai_evals",
    "helm": "hansproof.release.exports.helm",
    "lighteval": "hansproof.release.exports.lighteval",
    "hub": "hansproof.release.exports.hub",
}
"""The visible table: harness -> module with `export_files`, imported on demand."""

PLAYING = ("inspect",)
"""The harnesses that can ask turn by turn, as items that are played need it."""
