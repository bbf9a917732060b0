"""Proof of the grader: answer banks, references built from oracles, and their validation."""
