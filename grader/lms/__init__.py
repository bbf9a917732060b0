"""Moodle and Canvas: what they download is collected, and feedback is packed as they expect it."""
