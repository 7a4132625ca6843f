"""Where the answer stands: under the last heading with anything below it."""

import time

from hansproof.generators.knights_knaves.replies import conclusion


def test_the_last_heading_with_anything_under_it_counts() -> None:
    assert conclusion("Conclusion: A\nCONCLUSION:\nB") == "\nB"
    assert conclusion("a\nCONCLUSION:\nb\n**CONCLUSION:**\n \n## Conclusion") == "\nb\n"
    assert conclusion("a\nCONCLUSION:") == "a\nCONCLUSION:"
    begun = time.perf_counter()
    assert conclusion("x\n" + "CONCLUSION:\n" * 80_000).startswith("x")
    assert time.perf_counter() - begun < 2
