"""What the course hands to notebooks beside its checks: a text to train on, and a part that may be missing.

Imported by notebooks alone, as ``figures`` and ``widgets`` are.
"""

from grader.materials.attention import MultiHeadAttention, finished, weights_of
from grader.materials.texts import fables

__all__ = ["MultiHeadAttention", "fables", "finished", "weights_of"]
