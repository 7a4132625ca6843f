"""Word problems with controlled biases, after Opedal et al. (2024)."""
