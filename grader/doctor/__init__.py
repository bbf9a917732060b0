"""``grader doctor``: check that everything that grading needs is there. No check changes anything."""
