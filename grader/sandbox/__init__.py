"""The only place where a learner's code runs: isolated processes that are sent no expected tensor."""
