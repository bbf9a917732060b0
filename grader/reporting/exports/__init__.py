"""Final grades out of nbgrader's gradebook, as the tables that other systems import."""
