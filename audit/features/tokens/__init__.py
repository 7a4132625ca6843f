"""Texts cut into tokens: `folding` and `pieces` prepare them, `words` and `gpt2` cut them."""
