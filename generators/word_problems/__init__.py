"""Word problems with controlled biases, after Opedal et al. (2024).

Read the four levels of a problem in order: `forms`, `model`, `expressions`, `wording`; then `problem` and `designs`.
`languages` is the table of languages.
"""
