"""The usual names of columns in tables of answers, by what they hold."""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["EITHER", "NAMES", "VAGUE", "folded", "listed"]

NAMES: Mapping[str, tuple[str, ...]] = {
    "reply": ("reply", "response", "output", "completion", "prediction", "model_answer", "model_output",
              "model_response", "model_reply", "model_prediction", "model_completion", "llm_answer", "llm_output",
              "llm_response", "ai_response", "agent_response", "assistant_response", "generated_text",
              "generated_answer", "generated_response", "generated_output", "generation", "generated",
              "predicted_answer", "predicted_label", "predicted", "pred", "raw_response", "raw_output",
              "response_text", "output_text", "given_answer", "sampled", "replies", "responses", "outputs",
              "completions", "predictions"),
    "id": ("id", "item_id", "question_id", "sample_id", "example_id", "instance_id", "problem_id", "prompt_id",
           "task_id", "case_id", "test_id", "record_id", "row_id", "qid", "q_id", "uid", "uuid", "guid", "doc_id",
           "item", "question_number", "idx", "index"),
    "prompt": ("prompt", "question", "input", "query", "problem", "instruction", "question_text", "prompt_text",
               "input_text", "full_prompt", "user_prompt", "user_message", "user_input", "stem", "text", "messages"),
    "model": ("model", "model_name", "model_id", "model_name_or_path", "model_label", "model_version", "llm",
              "llm_name", "llm_model", "engine", "deployment"),
    "family": ("family", "model_family"),
    "style": ("style", "prompt_style", "prompt_type", "prompt_template", "prompting"),
    "run": ("run", "run_id", "epoch", "trial", "repetition", "repeat", "replicate", "attempt"),
    "gold": ("gold", "target", "ideal", "expected", "reference", "gold_answer", "correct_answer", "expected_answer",
             "expected_output", "true_answer", "right_answer", "reference_answer", "target_answer", "ground_truth",
             "gold_label", "true_label", "label", "answer_key", "answer", "solution"),
    "choices": ("choices", "options"),
    "judged": ("is_correct", "correct", "judged", "right", "exact_match", "acc", "score"),
    "benchmark": ("benchmark", "benchmark_name", "eval_name"),
    "digest": ("item_digest",),
}  # fmt: skip
"""Role -> usual names, folded; earlier ones win. The reply comes first: what holds it cannot hold the gold answer."""

EITHER = "answer"
"""The name under which some tables have the replies and others the gold answers."""

VAGUE = ("row_id", "item", "idx", "index", "text", "messages")
"""Names that decide nothing beside another one: tables have row numbers, and passages beside their questions."""

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def folded(name: str) -> str:
    """`model_name` for `Model Name`, `model-name`, `modelName`."""
    return re.sub(r"[\s_-]+", "_", _HUMP.sub("_", name.strip())).lower()


def listed(width: int = 106) -> str:
    """The names by role as indented lines of at most `width` characters, for a help page."""
    lines = []
    for role, names in NAMES.items():
        line = f"  {role:<9}"
        for number, name in enumerate(names):
            piece = f" {name}" + ("," if number + 1 < len(names) else "")
            if len(line) + len(piece) > width:
                lines.append(line)
                line = " " * 11
            line += piece
        lines.append(line)
    return "\n".join(lines)
