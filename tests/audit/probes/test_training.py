"""How a training set is prepared: which columns become one, and what the solvers get."""

import numpy as np
import scipy.sparse as sp

from hansproof.audit.probes.logistic import Training

# Columns 0 and 3 are twins, 1 is the constant 1, 2 the constant 5, 4 has their sum, but in another row.
X = np.array([[2.0, 1, 5, 2, 0, 0], [0, 1, 5, 0, 2, 3], [0, 1, 5, 0, 0, 3]])


def test_l1_gets_each_kind_of_column_once_with_the_intercept_among_the_ones():
    training = Training(sp.csr_matrix(X), np.array([0, 1, 1]))
    np.testing.assert_array_equal(training.merged.toarray(), X[:, [2, 3, 4, 5, 1]])
    weights = training.expand_l1(np.array([[1.0], [4.0], [2.0], [3.0], [6.0]]))
    assert weights[:, 0].tolist() == [2, 0, 1, 2, 2, 3, 6]  # twins share evenly; the intercept keeps all of column 1


def test_an_intercept_without_twins_is_the_last_column():
    training = Training(sp.csr_matrix(X[:, [0, 4]]), np.array([0, 1, 1]))
    np.testing.assert_array_equal(training.merged.toarray()[:, -1], np.ones(3))


def test_l2_gets_each_kind_but_the_constant_1_times_the_root_of_its_number():
    training = Training(sp.csr_matrix(X), np.array([0, 1, 1]))
    np.testing.assert_allclose(training.scaled.toarray(), X[:, [2, 3, 4, 5]] * [1, np.sqrt(2), 1, 1])
    weights = training.expand_l2(np.array([[0.5], [np.sqrt(2)], [2.0], [3.0], [9.0]]))
    np.testing.assert_allclose(weights[:, 0], [1, 0, 0.5, 1, 2, 3, 9])


def test_entries_may_come_in_any_order_within_a_row():
    ordered = sp.csr_matrix(X)
    rows = [slice(ordered.indptr[i], ordered.indptr[i + 1]) for i in range(3)]
    indices, data = (np.concatenate([part[row][::-1] for row in rows]) for part in (ordered.indices, ordered.data))
    unordered = sp.csr_matrix((data, indices, ordered.indptr), shape=X.shape)
    merged = Training(unordered, np.array([0, 1, 1])).merged
    np.testing.assert_array_equal(merged.toarray(), X[:, [2, 3, 4, 5, 1]])
