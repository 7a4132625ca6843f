"""The names that columns usually have, as tables; `guesses` looks them up.

Names are folded: lower case, `_` for spaces and hyphens. Earlier entries win.
"""

from __future__ import annotations

__all__ = [
    "ANSWERS",
    "CHOICES",
    "COMPOSED",
    "GROUPS",
    "IDS",
    "LAYOUTS",
    "LISTED_CHOICES",
    "PROMPTS",
]

LAYOUTS = (
    (("paragraph", "question", "answer"), "label", ()),  # whether this answer is right: MultiRC
    (("context", "question"), "label", ("answers",)),  # here `answers` are options: ReClor
    (("linguistics_term",), "sentence_good", ("sentence_good", "sentence_bad")),  # minimal pairs: BLiMP
    (("question",), "correct_answer", ("correct_answer", "distractor1", "distractor2", "distractor3")),  # SciQ
    (("question",), "correct_answer", ("correct_answer", *(f"incorrect_answer_{k}" for k in (1, 2, 3)))),  # GPQA
    (tuple(f"input_sentence_{k}" for k in range(1, 5)), "answer_right_ending", ("sentence_quiz1", "sentence_quiz2")),
    (tuple(f"inputsentence{k}" for k in range(1, 5)), "answerrightending",
     ("randomfifthsentencequiz1", "randomfifthsentencequiz2")),  # Story Cloze, twice
)  # fmt: skip
"""(parts of the prompt, gold, options) where a name does not mean what it usually means."""

COMPOSED = (
    ("background", "given_info", "question"), ("premise1", "premise2", "conclusion"),
    ("word", "sentence1", "sentence2"), ("given_info", "question"), ("premise", "hypothesis"),
    ("sentence1", "sentence2"), ("sentence_1", "sentence_2"),
    ("text1", "text2"), ("question1", "question2"), ("context", "question"), ("passage", "question"),
    ("paragraph", "question"), ("article", "question"), ("document", "question"), ("story", "question"),
    ("contract", "question"), ("background", "question"), ("facts", "question"), ("text", "question"),
    ("theory", "question"), ("premise", "question"), ("premises", "question"), ("scenario", "question"),
    ("text", "hypothesis"), ("sentence", "question"), ("context", "query"), ("passage", "query"), ("story", "query"),
    ("context", "hypothesis"), ("premises", "hypothesis"), ("premises_en", "hypothesis_en"),
    ("premise_en", "hypothesis_en"), ("evidence", "claim"), ("premise", "conclusion"), ("premises", "conclusion"),
    ("sentence_a", "sentence_b"), ("obs1", "obs2"), ("observation_1", "observation_2"), ("sent1", "sent2"),
    ("dialogue", "question"),
)  # fmt: skip
"""Columns that together make one prompt. The first complete entry wins, so longer entries come first."""

PROMPTS = (
    "prompt", "question", "text", "input", "inputs", "sentence", "query", "problem", "statement", "claim",
    "instruction", "scenario", "story", "passage", "context", "goal", "question_text", "input_text", "body",
    "content", "messages", "conversation", "task", "vignette", "item", "ctx", "question_stem", "stem",
    "article", "document", "dialogue",
    "question.stem", "premise",
)  # fmt: skip
ANSWERS = (
    "answer", "label", "gold", "target", "ideal", "expected", "output", "class", "answerkey", "gold_label",
    "answer_key", "correct_answer", "gold_answer", "correct", "ground_truth", "truth", "labels", "answers",
    "targets", "category", "relation", "judgment", "judgement", "verdict", "answer_idx", "correct_option",
    "expected_answer", "expected_output", "label_text", "solution", "completion", "y", "cop", "right_ending",
    "answers_spans", "final_answer", "reference_answer", "gold_answers", "short_answers", "canonical_solution",
    "highlights", "summary",
    "most_plausible_alternative",
)  # fmt: skip
GROUPS = ("group", "group_id", "template_id", "pair_id", "story_id", "cluster_id", "problem_id")
IDS = (
    "id", "idx", "uid", "item_id", "example_id", "sample_id", "question_id", "qid", "guid", "uuid", "index",
)  # fmt: skip
CHOICES = (
    "choices", "options", "endings", "answer_choices", "target_scores", "mc1_targets", "mc2_targets",
    "candidates", "alternatives", "multiple_choice_targets", "choice", "choices.text", "options.text",
    "question.choices",
)  # fmt: skip
_NUMBERS, _LETTERS = [str(number) for number in range(1, 27)], [chr(ord("a") + place) for place in range(26)]
_STEMS = (
    "choice", "choice_", "option", "option_", "opt", "opt_", "op", "ending", "ending_", "answer", "answer_", "sol",
    "sol_", "solution", "solution_", "hyp", "hyp_", "hypothesis", "hypothesis_", "hypothesis_option_", "candidate",
    "candidate_", "alternative", "alternative_",
)  # fmt: skip
LISTED_CHOICES = (
    *(tuple(stem + end for end in ends) for stem in _STEMS for ends in (["0", *_NUMBERS], _NUMBERS, _LETTERS)),
    tuple(_LETTERS),
)
"""Columns with one option each, numbered or lettered without a gap; two or more of them make a list of options."""
