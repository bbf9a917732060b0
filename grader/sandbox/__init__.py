"""The only place where a learner's file runs: a process of its own, which holds no expected tensor."""
