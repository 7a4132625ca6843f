"""The end of the help page of `hansproof score`."""

from __future__ import annotations

from audit.answers.importers.column_names import listed

__all__ = ["SCORE_EPILOG"]

SCORE_EPILOG = """\b
Examples:
  hansproof score replies.jsonl --items datasets/planted-cues/1.0.0
  hansproof score gpt.eval llama=samples_mine.jsonl --items bench.csv --csv scores.csv
  hansproof score logs/ --judged harness
  zcat big.jsonl.gz | hansproof score mine=- --items bench.csv
  hansproof score partial.jsonl --items bench.csv --skip-missing
  hansproof score replies.jsonl --items datasets/planted-cues/1.0.0 --html scores.html
  hansproof score table.csv --items bench.csv --column id=qid --reply-columns gpt,llama
  hansproof score replies.jsonl --items pairs.csv --prompt text --answer label --group pair --condition arm
  hansproof score replies.jsonl --items arms.csv --group pair --condition arm --original plain
  hansproof score replies.jsonl --items bench.csv --subset topic --csv scores.csv
  hansproof score replies.jsonl --items private.jsonl --json | jq .models[0].lines[0].right
  hansproof score replies.jsonl --items items.jsonl --out scores.json
  hansproof score replies.jsonl --items datasets/word-problems/1.0.0 --json | jq .models[0].effects
  hansproof score replies.jsonl --items datasets/token-bias/1.1.0 --test mcnemar --figure bars.svg
  hansproof score replies.jsonl --items datasets/token-bias/1.1.0 --test mcnemar --hypothesis H1 --json

\b
REPLIES are files or folders, and may hold the answers of many models; - is standard input. NAME=FILE names the model
of a file that holds one. What a file is, its content decides:
  JSON lines    {"id": "planted-cues/1.0.0/none/000000", "reply": "I think so. Yes", "model": "mine"}
                "prompt" may stand for "id"; the key "reply" may also be "response", "output" or "completion";
                "model", "family", "style" and "run" are optional, and each gets its own table
  logs          inspect_ai (.eval, .json), lm-evaluation-harness (samples_*.jsonl), OpenAI evals, HELM
                (scenario_state.json)
  tables        CSV, TSV, Parquet, JSON; columns are guessed by name (see below), or named:
                --column reply=answer_text
Replies find their items by id, or by prompt, which may stand within a longer text. A task (in tables a column
"benchmark") that is called otherwise is told; its replies are left out where the model has others, under the items'
own name, to the same items. With the "item_digest" that
`hansproof prompts` writes, replies to other items of the same ids (another seed) are refused. Replies to no item,
and second replies, are counted and listed. A model is called as its log says; where no file names it, by the results
or the folder of lm-evaluation-harness, or else by file or folder. A subset of the benchmark without any reply was not
asked: it is in no number.

\b
Columns of tables of replies, and the names by which they are guessed (`Model Name`, `model-name` and `modelName`
are model_name). A column called as its role wins; where two others may be the reply, id, prompt or model and
differ, the table is refused and --column ROLE=NAME decides. `answer` is the reply in a table with a model or
with another column for the gold answer.
@COLUMNS@

\b
Items of a benchmark are read with the options of `hansproof audit`. Items that share a template, a text or a --group
are not independent: groups are those of the audit (--groups), and a note says how many count in intervals, standard
errors and p. With --condition, groups whose items differ in it are matched, and every condition is compared with the
one that --original names, or else with the one called original (or baseline, control and the like), or else with the
one that occurs first. With --subset, accuracies, effects and the differences of `compare` also stand by subset, and no
other number changes: items without a reply are missing even where their whole subset is; with --skip-missing such a
subset has a line that says so. Matched items of different subsets are pairs in the whole and in the effects
("bio / geo"), but no group of either subset.

\b
Columns
  right         items with the whole answer right, with Wilson's 95 % interval (robust to dependence within
                groups where items share one)
  se            standard error of that share, in points, clustered by group (Miller 2024)
  groups right  groups of matched items with every item right, such as both items of a pair; "groups" says of how
                many: those with exactly one item of each of their conditions (with --skip-missing, and a reply to
                each). An effect, which is about two conditions, needs only these two
  flips         groups of matched items of which some answers are right and others wrong
  unclear       replies without one clear answer; they count as wrong
  missing       items without a reply, or with an empty one (null, an empty cell, or no text), in subsets that have
                replies; they count as wrong, and where there are some, "right of replied" is the share of the others.
                With --skip-missing they are in no number, as if they had not been asked
  mean over     where a model has several runs: an item counts with the mean of its runs, so that runs are no
  runs          further items; interval and se are clustered by group (Miller 2024)
  chance        the expected score of a uniform guess; empty for open answers
  best blind    the best of the strategies that answer without the ability, and its name; it is picked on
                these very items, so its share is a little too high
Some datasets add measures of their own, such as the share of characters that are right. Each is a weighted
mean, with a 95 % interval that is robust to dependence within groups; its heading says if it is not in per
cent. Where no answer is right, chance and best blind are those of the first measure. Blind strategies that
learn are trained on other groups of the same subset. --json has every strategy.

\b
Differences between models
  Paired on the items that both were asked (with --skip-missing: to which both have a reply, in every run), in
  percentage points, as `hansproof compare` has them: a 95 % interval and a standard error that are robust to
  dependence within groups (Miller 2024), and an exact p, here corrected for all pairs of models (Holm). Runs of a
  model are averaged. With fewer than 30 items, or 6 independent groups, there is neither. Intervals are not
  corrected: they leave out 0 exactly where the p of a single pair is at most .05. "Only one right" are items; of
  means of runs "one does better" are those with the higher mean. Without an item that both answered nothing is tested.
  Unclear and missing replies count as wrong, so a model may be behind by its format alone. Where there are some, the
  difference stands once more on the items to which both replies are clear, with its own correction, and a note names
  the pairs of which it says something else. Of more than eight models, the eight that are right most often are shown.

\b
Effects
  Matched items have an original condition and one or more perturbed ones. An effect is the accuracy on the
  original minus the accuracy on the perturbed items, in percentage points.
  p               McNemar's exact test, two-sided; no test and no interval with fewer than 30 pairs
  Holm p          the exact p, corrected over all subsets and perturbations, or over the slices of a subset
  t-test p        the paired t-test of Opedal et al. (2024), uncorrected, for comparison with their tables
  pairs           groups with exactly one item of each of the two conditions (with --skip-missing, and a reply to both)
  both right      pair accuracy: those with both items right, in per cent
  only one right  pairs with only the original or only the perturbed item right
  80 % power      the smallest effect that this many pairs find about 80 % of the time, after Holm's correction
                  (at 5 % divided by the number of effects that are corrected together); intervals are before it
  A slice "add / subtract" pairs an original with addition and a perturbed item with subtraction.

\b
Spread over the surface forms of a problem (word-problems: surface-forms)
  sd of forms     standard deviation of the accuracy over sets with one form of each problem, in points
  variance within mean variance of right and wrong over the forms of a problem: 0 where the form never matters
  if independent  what that would be if the answers to the forms of a problem had nothing to do with each other
  % mixed         problems of which some forms are right and others wrong
  Cochran p       Cochran's Q: are all forms right equally often?

\b
Hypotheses (the same as hansproof analyse --by hypotheses)
  --test mcnemar tests all hypotheses of a dataset at once: what should happen to the answers when something
  that does not matter is changed. `hansproof list token-bias` shows them. REPLIES may hold the replies of many
  models, each in many prompt styles, and may give the "prompt" instead of the "id":
  {"prompt": "Sam lived in ... (b) ...", "reply": "It is (b).", "model": "mine", "style": "zero-shot-cot"}
  Hypotheses about prompt styles need replies with these styles (`hansproof prompts` writes them); a reply
  without a clear answer is wrong; a pair without one of its replies is left out, and the notes say so.
  n12, n21   pairs with only the answer before, or only the answer after, the change right
  z          (n21 - n12) / sqrt(n12 + n21); with at most ten such pairs, p is exact
  p          one-sided in the expected direction; two-sided where either may happen
  BH p       corrected over all tests of a hypothesis after Benjamini and Hochberg; * marks .05 and less.
             --json also has it over the models alone
  finds      the smallest shift in percentage points that so many pairs find with about 80 % power
  needs for  pairs that find a shift of 5 points, or of --shift, with about 80 % power
  Both hold for a single test, before the correction.

\b
Exit codes: 0 scored, 2 could not be scored.
""".replace("@COLUMNS@", listed())
