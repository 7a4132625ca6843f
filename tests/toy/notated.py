"""The notation of a formula of knights and knaves, which `parse` reads back."""

from hansproof.generators.knights_knaves.formula import Both, Knight, Not, letter


def notation(formula):
    """The canonical notation; `parse` reads it back to an equal formula."""
    if isinstance(formula, Knight):
        return letter(formula.character)
    if isinstance(formula, Not):
        return "~" + notation(formula.inner)
    if isinstance(formula, Both):
        return f"({notation(formula.left)} {formula.sign} {notation(formula.right)})"
    inner = notation(formula.inner)
    return f"{letter(formula.character)}:{inner if isinstance(formula.inner, Both) else f'({inner})'}"
