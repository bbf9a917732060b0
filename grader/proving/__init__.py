"""The proof of the grader: the answer bank, and the references that it is held against."""
