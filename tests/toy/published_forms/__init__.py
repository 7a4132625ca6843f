"""Records in the forms in which benchmarks are published: those of the paper (`paper`), the most used ones (`used`)."""
