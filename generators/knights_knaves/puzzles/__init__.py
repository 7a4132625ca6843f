"""Making puzzles. Read `statements`, `permutation`, `sequence`, `designs`, `wording`, `puzzle`."""
