"""nltk's tokeniser on its own is nltk's tokeniser, costs little, and leaves nothing behind."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def run(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    return done.stdout.split()


def test_it_loads_neither_scikit_learn_nor_pandas():
    code = """
import sys
from audit.features.tokeniser import word_tokeniser
word_tokeniser()
print(*[name for name in ("sklearn", "pandas", "scipy", "nltk") if name in sys.modules])
"""
    assert run(code) == []


def test_nltk_can_be_imported_afterwards_and_tells_the_same():
    code = """
from audit.features.tokeniser import word_tokeniser
text = 'It\\'s "cannot", gonna (see) the U.S. 3,000 x-rays... don\\'t!'
alone = word_tokeniser()(text)
import nltk
from nltk.tokenize import NLTKWordTokenizer
print(alone == NLTKWordTokenizer().tokenize(text), nltk.ngrams is not None, word_tokeniser()(text) == alone)
"""
    assert run(code) == ["True", "True", "True"]
