"""A whole class."""
