"""The shapes of benchmarks: labels, under every protocol; options per item; open answers."""
