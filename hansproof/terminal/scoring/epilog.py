"""The end of the help page of `hansproof score`."""

from __future__ import annotations

from audit.answers.importers.column_names import listed

__all__ = ["SCORE_EPILOG"]

SCORE_EPILOG = """\b
Examples:
  hansproof score replies.jsonl --items datasets/planted-cues/1.0.0 --html scores.html
  hansproof score gpt.eval llama=samples_mine.jsonl --items bench.csv --csv scores.csv
  zcat big.jsonl.gz | hansproof score mine=- --items bench.csv
  hansproof score logs/ --judged harness
  hansproof score partial.jsonl --items bench.csv --skip-missing
  hansproof score table.csv --items bench.csv --column id=qid --reply-columns gpt,llama
  hansproof score replies.jsonl --items arms.csv --group pair --condition arm --original plain
  hansproof score replies.jsonl --items items.jsonl --json | jq .models[0].lines[0].right
  hansproof score replies.jsonl --items datasets/token-bias/1.1.0 --test mcnemar --figure bars.svg

\b
REPLIES are files or folders, and may hold the answers of many models; - is standard input, NAME=FILE names
the model. What a file is, its content decides: logs of inspect_ai, lm-evaluation-harness, OpenAI evals and
HELM; tables (CSV, TSV, Parquet, JSON); or JSON lines such as
  {"id": "planted-cues/1.0.0/none/000000", "reply": "I think so. Yes", "model": "mine"}
with "prompt" for "id" if you like, and "family", "style" and "run" where there are several.

\b
Columns of tables are guessed by these names, in any case, with - or a blank for _; --column ROLE=NAME decides.
`answer` is the reply beside a model, or beside another column for the gold answer.
@COLUMNS@

\b
Columns
  right         items with the whole answer right, with a 95 % interval that is robust to groups of items
  se            standard error of that share, in points, clustered by group (Miller 2024); where it is much smaller
                than the interval, a note says so: go by the interval
  groups right  groups of matched items with every item right; flips: some are right and others wrong
  unclear       replies without one clear answer; they count as wrong
  missing       items without a reply, or with an empty one; wrong, too, unless you pass --skip-missing
  chance        the expected score of a uniform guess; empty for open answers
  best blind    the best of the strategies that answer without the ability, picked on these very items; of one that does
                not answer all of them, the share right of those that it answers, and how many these are
docs/answers.md has the columns of differences, effects and hypotheses (`hansproof list` names those), and
says how replies find their items and are read, which items count together, and what is compared.

\b
Exit codes: 0 scored, 2 could not be scored.
""".replace("@COLUMNS@", listed())
