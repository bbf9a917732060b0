# %% setup
import torch

# %% correct="mine"
def sliding_windows(ids, length, stride):
    if len(ids) < length + 1:
        raise ValueError("too short")
    inputs = []
    targets = []
    for i in range(0, len(ids) - length, stride):
        inputs.append(ids[i : i + length])
        targets.append(ids[i + 1 : i + length + 1])
    return torch.stack(inputs), torch.stack(targets)

# %% mistake="window-too-many" edits="mine"
# - for i in range(0, len(ids) - length, stride):
# + for i in range(0, len(ids) - length + 1, stride):

# %% mistake="last-window-missing: one too few" edits="mine"
# - for i in range(0, len(ids) - length, stride):
# + for i in range(0, len(ids) - length - 1, stride):

# %% mistake="last-window-missing: a whole window" edits="mine"
# - for i in range(0, len(ids) - length, stride):
# + for i in range(0, len(ids) - 2 * length, stride):

# %% mistake="last-target-only" edits="mine"
# - targets.append(ids[i + 1 : i + length + 1])
# + targets.append(ids[i + length])

# %% mistake="targets-shifted-too-far: by the stride" edits="mine"
# - targets.append(ids[i + 1 : i + length + 1])
# + targets.append(ids[i + stride : i + stride + length])

# %% mistake="wrong-exception: none" edits="mine"
# - if len(ids) < length + 1:
# -     raise ValueError("too short")

# %% mistake="wrong-type: lists" edits="mine"
# - return torch.stack(inputs), torch.stack(targets)
# + return inputs, targets

# %% mistake="stride-ignored" edits="mine"
# - for i in range(0, len(ids) - length, stride):
# + for i in range(len(ids) - length):

# %% mistake="targets-not-shifted" edits="mine"
# - targets.append(ids[i + 1 : i + length + 1])
# + targets.append(ids[i : i + length])

# %% mistake="begun-late: the loop starts at 1" edits="mine"
# - for i in range(0, len(ids) - length, stride):
# + for i in range(1, len(ids) - length, stride):

# %% mistake="first-round-only: return inside the loop" edits="mine"
# - return torch.stack(inputs), torch.stack(targets)
# +     return torch.stack(inputs), torch.stack(targets)

# %% mistake="last-target-only: one column" edits="mine"
# - targets.append(ids[i + 1 : i + length + 1])
# + targets.append(ids[i + length : i + length + 1])

# %% mistake="stride-ignored: and the targets not shifted" also="targets-not-shifted" edits="mine"
# - for i in range(0, len(ids) - length, stride):
# -     inputs.append(ids[i : i + length])
# -     targets.append(ids[i + 1 : i + length + 1])
# + for i in range(len(ids) - length):
# +     inputs.append(ids[i : i + length])
# +     targets.append(ids[i : i + length])

# %% mistake="last-window-missing: and the targets not shifted" also="targets-not-shifted" edits="mine"
# - for i in range(0, len(ids) - length, stride):
# + for i in range(0, len(ids) - length - 1, stride):
# - targets.append(ids[i + 1 : i + length + 1])
# + targets.append(ids[i : i + length])

# %% mistake="last-window-missing: and the results exchanged" also="results-exchanged" edits="mine"
# - for i in range(0, len(ids) - length, stride):
# + for i in range(0, len(ids) - length - stride, stride):
# - return torch.stack(inputs), torch.stack(targets)
# + return torch.stack(targets), torch.stack(inputs)

# %% mistake="wrong-shape: other places, and targets two places ahead" edits="mine"
# - for i in range(0, len(ids) - length, stride):
# + for i in range(0, len(ids) - length - 1, length):
# - targets.append(ids[i + 1 : i + length + 1])
# + targets.append(ids[i + 2 : i + length + 2])

# %% mistake="targets-not-shifted: and no ValueError" edits="mine"
# - if len(ids) < length + 1:
# -     raise ValueError("too short")
# + # it will not be
# - targets.append(ids[i + 1 : i + length + 1])
# + targets.append(ids[i : i + length])

# %% correct="refused in the end"
def sliding_windows(ids, length, stride):
    a, b = [], []
    for s in range(0, len(ids) - length, stride):
        a.append(ids[s : s + length])
        b.append(ids[s + 1 : s + length + 1])
    if len(a) == 0:
        raise ValueError("no window")
    return torch.stack(a), torch.stack(b)

# %% mistake="last-window-missing: and exchanged" also="results-exchanged" edits="refused in the end"
# - for s in range(0, len(ids) - length, stride):
# + for s in range(0, len(ids) - length - 1, stride):
# - return torch.stack(a), torch.stack(b)
# + return torch.stack(b), torch.stack(a)

# %% mistake="targets-shifted-too-far: the next window" also="wrong-shape" edits="refused in the end"
# - for s in range(0, len(ids) - length, stride):
# + for s in range(0, len(ids) - 2 * length + 1, stride):
# - b.append(ids[s + 1 : s + length + 1])
# + b.append(ids[s + length : s + 2 * length])

# %% mistake="targets-counted-on: plus 1" edits="refused in the end"
# - b.append(ids[s + 1 : s + length + 1])
# + b.append(ids[s : s + length] + 1)

# %% mistake="targets-wrap-around: rolled" edits="mine"
# - if len(ids) < length + 1:
# -     raise ValueError("too short")
# + if len(ids) < length:
# +     raise ValueError("too short")
# + return ids.unfold(0, length, stride), ids.roll(-1).unfold(0, length, stride)

# %% mistake="wrong-dtype: through lists" never="double" edits="mine"
# - inputs.append(ids[i : i + length])
# - targets.append(ids[i + 1 : i + length + 1])
# + inputs.append(ids[i : i + length].tolist())
# + targets.append(ids[i + 1 : i + length + 1].tolist())
# - return torch.stack(inputs), torch.stack(targets)
# + return torch.tensor(inputs), torch.tensor(targets)

# %% mistake="stride-ignored: the length" edits="mine"
# - for i in range(0, len(ids) - length, stride):
# + for i in range(0, len(ids) - length, length):

# %% mistake="raises: the next window, but for as many" edits="mine"
# - targets.append(ids[i + 1 : i + length + 1])
# + targets.append(ids[i + length : i + 2 * length])

# %% mistake="last-window-missing: and one target" also="last-target-only wrong-shape" edits="mine"
# - if len(ids) < length + 1:
# -     raise ValueError("too short")
# + # not asked
# - for i in range(0, len(ids) - length, stride):
# + for i in range(0, len(ids) - length - 1, stride):
# - targets.append(ids[i + 1 : i + length + 1])
# + targets.append(ids[i + length : i + length + 1])

# %% mistake="targets-not-shifted: and another error" edits="refused in the end"
# - b.append(ids[s + 1 : s + length + 1])
# + b.append(ids[s : s + length])
# - raise ValueError("no window")
# + raise IndexError("no window")

# %% mistake="results-exchanged: from 1 on, and the targets are those before" edits="refused in the end"
# - for s in range(0, len(ids) - length, stride):
# - a.append(ids[s : s + length])
# - b.append(ids[s + 1 : s + length + 1])
# + for s in range(1, len(ids) - length + 1, stride):
# +     a.append(ids[s : s + length])
# +     b.append(ids[s - 1 : s + length - 1])

# %% mistake="wrong-type: lists, and the stride added to the length" edits="refused in the end"
# - for s in range(0, len(ids) - length, stride):
# + for s in range(0, len(ids) - length, stride + length):
# - return torch.stack(a), torch.stack(b)
# + return a, b

# %% mistake="wrong-exception: unfold's own" edits="mine"
# - if len(ids) < length + 1:
# + if len(ids) < length:
# - return torch.stack(inputs), torch.stack(targets)
# + a, b = ids.unfold(0, length, stride), ids[1:].unfold(0, length, stride)
# + return a[: len(b)], b

# %% mistake="stride-ignored: by the length" also="targets-not-shifted" edits="refused in the end"
# - for s in range(0, len(ids) - length, stride):
# + for s in range(0, len(ids) - length, length):
# - b.append(ids[s + 1 : s + length + 1])
# + b.append(ids[s : s + length])

# %% mistake="begun-late: from 1 on, and the targets" also="targets-not-shifted" edits="refused in the end"
# - for s in range(0, len(ids) - length, stride):
# + for s in range(1, len(ids) - length, stride):
# - b.append(ids[s + 1 : s + length + 1])
# + b.append(ids[s : s + length])

# %% mistake="window-too-short: the targets end too early" edits="refused in the end"
# - b.append(ids[s + 1 : s + length + 1])
# + b.append(ids[s + 1 : s + length])

# %% mistake="results-exchanged: and the stride ignored" also="stride-ignored" edits="refused in the end"
# - for s in range(0, len(ids) - length, stride):
# + for s in range(len(ids) - length):
# - return torch.stack(a), torch.stack(b)
# + return torch.stack(b), torch.stack(a)

# %% mistake="targets-shifted-too-far: as long as there are ids"
def sliding_windows(ids, length, stride):
    starts = [i for i in range(0, len(ids), stride) if i + length + stride <= len(ids)]
    if not starts:
        raise ValueError("too short")
    inputs = [ids[i : i + length] for i in starts]
    targets = [ids[i + stride : i + stride + length] for i in starts]
    return torch.stack(inputs), torch.stack(targets)

# %% mistake="raises: targets one place back" says="equal size" never="reaches beyond|too far ahead" edits="mine"
# - targets.append(ids[i + 1 : i + length + 1])
# + targets.append(ids[i - 1 : i + length - 1])

# %% mistake="targets-shifted-too-far: the targets are the next window"
def sliding_windows(ids, length, stride):
    w = ids.unfold(0, length, stride)
    return w[:-1], w[1:]
