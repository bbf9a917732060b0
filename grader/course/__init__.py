"""From a chapter's text source to the notebooks of instructor and student."""
