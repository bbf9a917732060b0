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

# %% mistake="unrecognized: the loop starts at 1" edits="mine"
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
