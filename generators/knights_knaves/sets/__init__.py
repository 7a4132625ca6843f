"""The paper's sets, the balanced sets, and the sets in which solutions are counted.

Read `cells` (which designs there are, and who comes first), then `faithful`, `balanced`, `counts`.
"""
