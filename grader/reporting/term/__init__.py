"""Term grades over all chapters."""
