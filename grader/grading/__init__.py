"""Grade a whole class: read, sanitize, run, judge and record submissions."""
