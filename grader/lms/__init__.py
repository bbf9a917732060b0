"""Moodle and Canvas: collect submissions from their downloads, and pack feedback for upload."""
