"""Making puzzles. Read `asked`, `statements`, `permutation`, `sequence`, `designs`, `wording`, `puzzle`."""
