"""The files that authors of benchmarks release, where they are neither a table nor the file of a harness.

Read in this order: `nested` (questions inside passages: SQuAD, DROP, RACE, ProofWriter, PrOntoQA), `pieces` (a folder
with one item or passage per file), `blocks` (LogiQA: eight lines per item), `copa` (XML), `headless` (tables without a
header line: CoLA, MMLU), `label_lists` (labels in a file of their own beside the items).
"""
