"""Mixed-effects logistic regression of right answers on whether the probe is right: likelihood, fit, and answers."""
