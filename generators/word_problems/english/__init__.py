"""All English of the word problems: vocabulary, inflection, templates, and a reader that shares none of them."""
