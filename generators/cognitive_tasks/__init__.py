"""Seven experiments of cognitive psychology as episodes, after CogBench (Coda-Forno et al. 2024)."""
