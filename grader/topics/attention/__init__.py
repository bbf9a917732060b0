"""Attention: what only courses on it need."""
