"""Is everything there that grading needs? Each check looks at one thing and changes nothing."""
