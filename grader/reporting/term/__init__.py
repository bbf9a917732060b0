"""A term over all chapters: how it counts, and what everybody has come to."""
