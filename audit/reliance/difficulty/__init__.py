"""What of the difference between the parts the difficulty of the items does not explain.

`curves` fits how often each model is right by how easy an item is; `expected` what two-stage least squares would show
of a model with such a curve; `beyond` what a model shows more than that.
"""
