"""Run a function that lets a model continue a text."""

from collections.abc import Callable, Iterable

import torch
from torch import nn

from grader.checking.drivers.further import Calls
from grader.checking.memory import in_another_layout, spoil
from grader.checking.recording import Recorder
from grader.checking.side_effects import reading, seed_for_calls, seed_kept
from grader.exercises import Exercise
from grader.exercises.case import Case, Flag

# How much of each id is left at the next position.
FADING = 0.5


class SmallModel(nn.Module):
    """A model that looks back: each logit is made of all ids so far, the last one counting most.

    It may hold its tables as parameters or not, for a model promises none; a module inside is in the other
    mode than the whole.

    Ids (b, T) give logits (b, T, vocab), as those of a GPT do; this one only fades, and its mode
    changes nothing. What an embedding would refuse is refused here, for on a GPU that ends all work.
    """

    def __init__(self, pairs: torch.Tensor, positions: torch.Tensor, *, bare: bool) -> None:
        super().__init__()
        self.pairs = pairs.clone() if bare else nn.Parameter(pairs.clone())
        self.positions = positions.clone() if bare else nn.Parameter(positions.clone())
        self.tracked = False
        self.inside = nn.Identity()

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Return the logits (b, T, vocab) of the id that follows each position."""
        self.tracked |= torch.is_grad_enabled()
        if ids.shape[1] > len(self.positions):
            most = len(self.positions)
            raise IndexError(f"{ids.shape[1]} ids came in at once; the most that this model takes: {most}")
        if ids.numel() and not 0 <= int(ids.min()) <= int(ids.max()) < len(self.pairs):
            raise IndexError(f"an id came in that is not between 0 and {len(self.pairs) - 1}")
        where = self.positions[: ids.shape[1]]  # (T, vocab)
        seen, logits = torch.zeros_like(self.positions[0]), []
        for t, row in enumerate(where):
            seen = FADING * seen + nn.functional.embedding(ids[:, t], self.pairs)  # (b, vocab)
            logits.append(seen + row)
        return torch.stack(logits, dim=1) if logits else where.expand(len(ids), *where.shape)


def drive_generate(
    exercise: Exercise, subject: Callable, case: Case, device: torch.device, recorder: Recorder
) -> None:
    """Call the function with a model of the grader's, in the mode that the case says."""
    given, pairs, positions = case.arguments.values()
    options = dict(case.options)
    training, bare = options.pop("training"), options.pop("bare")
    model = SmallModel(pairs.to(device), positions.to(device), bare=bare).train(training).to(device)
    model.inside.train(not training)
    ids = given.to(device, copy=True)
    by_position = options.values() if case.positional else ()
    by_name = {} if case.positional else options

    def call(given: Iterable[object]) -> object:
        seed_for_calls()
        return subject(model, *given, *by_position, **by_name)

    with reading(model) as changed:
        result = call((ids,))
    recorder.side_effects += (*changed, *seed_kept())
    recorder.given("ids", ids)
    for name in ("pairs", "positions"):
        recorder.tensor(f"argument/model.{name}", getattr(model, name))
    if recorder.result("result", result):
        calls = Calls(exercise, recorder, call, lambda other: [_arranged(given, device, other)])
        calls.second(calls.given(True), {"result": result}, [spoil(result)])
        recorder.flags |= {Flag.NO_GRADIENT: not model.tracked, Flag.SAME_MODE: model.training == training}


def _arranged(ids: torch.Tensor, device: torch.device, other_layout: bool) -> torch.Tensor:
    return in_another_layout(ids.to(device)) if other_layout else ids.to(device, copy=True)
