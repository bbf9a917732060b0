"""Proof of the grader: banks, references built from oracles, their validation; texts that need both."""
