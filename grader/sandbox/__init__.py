"""A learner's file runs here, in a process of its own that is sent no expected tensor."""
