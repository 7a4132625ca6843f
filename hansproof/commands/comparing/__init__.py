"""Commands that compare the answers of two models."""
