"""What instructors are shown of a graded class."""
