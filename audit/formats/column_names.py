"""The names that columns usually have, in tables of items and in tables of answers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from textwrap import wrap

__all__ = [
    "ANSWERS",
    "CHOICES",
    "EITHER",
    "GRADES",
    "GROUPS",
    "IDS",
    "INPUT_STEMS",
    "LAYOUTS",
    "NAMES",
    "OPTION_STEMS",
    "PROMPTS",
    "VAGUE",
    "WEAK_ANSWERS",
    "folded",
    "listed",
]

# Names are folded: lower case, `_` for spaces and hyphens. Earlier entries win.

_SOURCES = (
    "context", "passage", "paragraph", "article", "document", "story", "dialogue", "contract",
    "background", "facts", "text", "theory", "premise", "premises", "scenario", "sentence", "evidence",
    "evidence_sentence", "evidence_sentences", "evidence_text",
)  # fmt: skip
_ASKED = ("question", "query", "hypothesis", "claim", "conclusion")
"""What is asked about a source; a prompt is both."""

LAYOUTS: tuple[tuple[tuple[str, ...], str, tuple[str, ...]], ...] = (
    # Where a name does not mean what it usually means.
    (("paragraph", "question", "answer"), "label", ()),  # whether this answer is right: MultiRC
    (("linguistics_term",), "sentence_good", ("sentence_good", "sentence_bad")),  # minimal pairs: BLiMP
    (("sentence1", "sentence2"), "gold_label", ()),  # not `answer`, from which a hypothesis was made: SciTail
    (tuple(f"input_sentence_{k}" for k in range(1, 5)), "answer_right_ending", ("sentence_quiz1", "sentence_quiz2")),
    (tuple(f"input_sentence{k}" for k in range(1, 5)), "answer_right_ending",
     ("random_fifth_sentence_quiz1", "random_fifth_sentence_quiz2")),  # Story Cloze, twice
    (("reason", "claim"), "correct_label_w0or_w1", ("warrant0", "warrant1")),  # ARCT
    # Columns that together make one prompt; longer entries come first.
    *((tuple(parts.split()), "", ()) for parts in (
        "premise1 premise2 premise3 premise4 hypothesis",
        "background given_info question", "premise1 premise2 conclusion", "word sentence1 sentence2",
        "given_info question", "premise hypothesis", "sentence1 sentence2", "sentence_1 sentence_2", "text1 text2",
        "question1 question2", "instruction input", "instruction context",
        "sentence_a sentence_b", "obs1 obs2", "observation_1 observation_2", "sent1 sent2",
        "premises_en hypothesis_en", "premise_en hypothesis_en",
    )),
    *(((source, asked), "", ()) for asked in _ASKED for source in _SOURCES),
)  # fmt: skip
"""(parts of the prompt, gold or any, options or those that others names say). The first entry wins whose columns are
all there and hold what they should; one with a gold of its own needs labels there, and no column called `prompt`."""

PROMPTS = (
    "prompt", "question", "text", "input", "inputs", "sentence", "query", "problem", "statement", "claim",
    "instruction", "scenario", "story", "passage", "context", "goal", "question_text", "input_text", "body",
    "content", "messages", "conversation", "conversations", "turns", "dialog", "chat", "task", "vignette", "item",
    "ctx", "question_stem", "stem",
    "article", "document", "dialogue",
    "question.stem", "premise",
)  # fmt: skip
ANSWERS = (
    "answer", "label", "gold", "target", "ideal", "expected", "output", "class", "answerkey", "gold_label",
    "answer_key", "correct_answer", "best_answer", "gold_answer", "correct", "ground_truth", "truth", "labels",
    "answers", "targets", "relation", "judgment", "judgement", "verdict", "answer_idx", "correct_option",
    "expected_answer", "expected_output", "label_text", "solution", "completion", "y", "cop", "right_ending",
    "answers_spans", "final_answer", "reference_answer", "gold_answers", "short_answers", "canonical_solution",
    "entailment_label",
    "highlights", "summary",
    "most_plausible_alternative", "golds",
)  # fmt: skip
WEAK_ANSWERS = ("key", "response", "category")
"""Golds only where nothing else can be one, and if they are labels or answer an instruction: elsewhere they are ids,
replies and topics."""
GROUPS = ("group", "group_id", "template_id", "pair_id", "story_id", "cluster_id", "problem_id")
IDS = (
    "id", "idx", "uid", "item_id", "example_id", "sample_id", "question_id", "qid", "guid", "uuid", "index",
)  # fmt: skip
CHOICES = (
    "choices", "options", "endings", "answer_choices", "target_scores", "mc1_targets", "mc2_targets",
    "candidates", "alternatives", "multiple_choice_targets", "choice", "choices.text", "options.text",
    "question.choices",
)  # fmt: skip
OPTION_STEMS = (
    "choice", "option", "opt", "op", "ending", "answer", "sol", "solution", "hyp", "hypothesis", "hypothesis_option",
    "candidate", "alternative",
)  # fmt: skip
"""Columns so called, numbered or lettered, have one option each, whatever the golds are."""
INPUT_STEMS = frozenset([*PROMPTS, *(re.sub(r"_?[1-9ab]$", "", part) for parts, _, _ in LAYOUTS for part in parts)]) - {
    *OPTION_STEMS
}
"""Numbered or lettered columns so called are inputs: `sentence1`, `text_b`."""

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

GRADES = (*NAMES["judged"], "passed", "rating")
"""Truth values or numbers so called say how good a reply is."""

EITHER = "answer"
"""The name under which some tables have the replies and others the gold answers."""

VAGUE = ("row_id", "item", "idx", "index", "text", "messages")
"""Names that decide nothing beside another one: tables have row numbers, and passages beside their questions."""

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def folded(name: str) -> str:
    """`model_name` for `Model Name`, `model-name`, `modelName`."""
    return re.sub(r"[\s_-]+", "_", _HUMP.sub("_", name.strip("# "))).lower()  # a header may begin with `#`


def listed(width: int = 106) -> str:
    """The names by role as indented lines of at most `width` characters, for a help page."""
    lines = []
    for role, names in NAMES.items():
        lines += wrap(", ".join(names), width, initial_indent=f"  {role:<9} ", subsequent_indent=" " * 12)
    return "\n".join(lines)
