"""The format of a text in numbers: `characters` finds white space, case, punctuation; `vector` counts them."""
