"""Drivers of exercises on attention, and what each wants to be returned."""

from collections.abc import Callable, Mapping

from grader.messages import Message, message
from grader.topics.attention.to_torch import drive_to_torch

DRIVERS: Mapping[str, Callable] = {"to_torch": drive_to_torch}
# What a driver records of a result, in the learner's words.
WANTED: Mapping[str, Message] = {"to_torch": message("an nn.MultiheadAttention")}
