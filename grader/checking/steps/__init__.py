"""Trace a wrong answer: compare the intermediate tensors it computes with the steps of a right answer."""
