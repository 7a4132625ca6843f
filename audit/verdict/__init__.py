"""From numbers to one word, with the reason in one sentence.

Read `rule` first: the questions in their order. `suspects` says which vectors look like a leak, `carrying` whether a
leak carries over to other templates, `doubts` why CLEAN would say too much, `unpredictable` why nothing could be
said from the texts at all; `paper` is the verdict of one random split.
`judgement` has the records.
"""
