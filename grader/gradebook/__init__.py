"""nbgrader's gradebook, read without changing a byte of it."""
