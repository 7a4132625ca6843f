"""One folder for each kind of task: labels, options per item, open answers, published splits."""
