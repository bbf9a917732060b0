"""Run a function that lets a model continue a text."""

from collections.abc import Callable

import torch
from torch import nn

from grader.checking.recording import Recorder
from grader.exercises import Exercise
from grader.exercises.case import Case

# How much of each id is left at the next position.
FADING = 0.5


class SmallModel(nn.Module):
    """A model that looks back: each logit is made of all ids so far, the last one counting most.

    Ids (b, T) give logits (b, T, vocab), as those of a GPT do; this one needs no attention, and its mode
    changes nothing. What an embedding would refuse is refused here, for on a GPU that ends all work.
    """

    def __init__(self, pairs: torch.Tensor, positions: torch.Tensor) -> None:
        super().__init__()
        self.pairs = nn.Parameter(pairs.clone())
        self.positions = nn.Parameter(positions.clone())
        self.tracked = False

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Return the logits of the id that follows each position."""
        self.tracked |= torch.is_grad_enabled()
        if ids.shape[1] > len(self.positions):
            raise IndexError(f"{ids.shape[1]} ids came in; this model has {len(self.positions)} positions.")
        if ids.numel() and not 0 <= int(ids.min()) <= int(ids.max()) < len(self.pairs):
            raise IndexError(f"An id came in that is not between 0 and {len(self.pairs) - 1}.")
        where = self.positions[: ids.shape[1]]  # (T, vocab)
        seen, logits = torch.zeros_like(where[0]), []
        for t, row in enumerate(where):
            seen = FADING * seen + nn.functional.embedding(ids[:, t], self.pairs)  # (b, vocab)
            logits.append(seen + row)
        return torch.stack(logits, dim=1)  # (b, T, vocab)


def drive_generate(
    exercise: Exercise, subject: Callable, case: Case, device: torch.device, recorder: Recorder
) -> None:
    """Call the function with a model of the grader's, in the mode that the case says."""
    torch.default_generator.manual_seed(case.seed)
    given, pairs, positions = case.arguments.values()
    options = dict(case.options)
    training = options.pop("training")
    model = SmallModel(pairs, positions).train(training).to(device)
    ids = given.to(device, copy=True)
    by_position = options.values() if case.positional else ()
    by_name = {} if case.positional else options
    result = subject(model, ids, *by_position, **by_name)
    for name, tensor in zip(case.arguments, (ids, model.pairs, model.positions), strict=True):
        recorder.tensor(f"argument/{name}", tensor)
    if recorder.result("result", result):
        recorder.tensor("mode/no gradient", torch.tensor(not model.tracked))
        recorder.tensor("mode/same mode", torch.tensor(model.training == training))
