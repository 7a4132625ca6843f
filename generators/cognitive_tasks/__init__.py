"""Seven experiments of cognitive psychology as episodes, after CogBench (Coda-Forno et al. 2024).

Read `task` (the contract), `game` (what all episodes share), then any file of `tasks`, one a task, with its `stories`;
`subsets` and `dataset` put them together, `scorer` and `blind` score finished runs.
"""
