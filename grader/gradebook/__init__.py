"""Read nbgrader's gradebook without writing to it, and add a person's remarks to it."""
