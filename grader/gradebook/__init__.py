"""Nbgrader's gradebook: sessions that only read, and what the commands write that are there to write."""
