# %% setup
import numpy as np
import torch


# %% correct="slices in a loop"
def sliding_windows(ids, length, stride):
    if len(ids) <= length:
        raise ValueError("too few ids")
    inputs, targets = [], []
    for start in range(0, len(ids) - length, stride):
        inputs.append(ids[start : start + length])
        targets.append(ids[start + 1 : start + length + 1])
    return torch.stack(inputs), torch.stack(targets)


# %% correct="unfold"
def sliding_windows(ids, length, stride):
    if ids.shape[0] < length + 1:
        raise ValueError(f"{ids.shape[0]} ids are too few for windows of {length} and a target")
    windows = ids.unfold(0, length + 1, stride)
    return windows[:, :-1], windows[:, 1:]


# %% correct="a table of places"
def sliding_windows(ids, length, stride):
    count = (len(ids) - length - 1) // stride + 1
    if count < 1:
        raise ValueError
    places = torch.arange(count)[:, None] * stride + torch.arange(length)[None, :]
    return ids[places], ids[places + 1]


# %% correct="while, through Python lists"
def sliding_windows(ids, length, stride):
    numbers = ids.tolist()
    start, x, y = 0, [], []
    while start + length + 1 <= len(numbers):
        x.append(numbers[start : start + length])
        y.append(numbers[start + 1 : start + 1 + length])
        start += stride
    if not x:
        raise ValueError("no window fits")
    return torch.tensor(x, dtype=ids.dtype, device=ids.device), torch.tensor(y).to(ids)


# %% correct="numpy views"
def sliding_windows(ids, length, stride):
    if ids.numel() <= length:
        raise ValueError("no window fits")
    array = ids.cpu().numpy()
    rows = np.lib.stride_tricks.sliding_window_view(array, length + 1)[::stride]
    rows = torch.from_numpy(rows.copy()).to(ids.device)
    return rows[:, :length], rows[:, 1:]


# %% correct="two unfolds"
def sliding_windows(ids, length, stride):
    assert length > 0 and stride > 0
    if len(ids) - length < 1:
        raise ValueError("no window fits")
    return ids[:-1].unfold(0, length, stride), ids[1:].unfold(0, length, stride)


# %% correct="prints" edits="slices in a loop"
# - inputs, targets = [], []
# + inputs, targets = [], []
# + print("ids", ids.shape)

# %% mistake="targets-not-shifted" edits="slices in a loop"
# - targets.append(ids[start + 1 : start + length + 1])
# + targets.append(ids[start : start + length])

# %% mistake="targets-not-shifted: one too long and cut off" edits="unfold"
# - return windows[:, :-1], windows[:, 1:]
# + return windows[:, :-1], windows[:, :-1]

# %% mistake="targets-shifted-too-far: two places" edits="a table of places"
# - count = (len(ids) - length - 1) // stride + 1
# + count = (len(ids) - length - 2) // stride + 1
# - return ids[places], ids[places + 1]
# + return ids[places], ids[places + 2]

# %% mistake="targets-shifted-too-far: the next window" also="wrong-shape" edits="slices in a loop"
# - for start in range(0, len(ids) - length, stride):
# + for start in range(0, len(ids) - 2 * length + 1, stride):
# - targets.append(ids[start + 1 : start + length + 1])
# + targets.append(ids[start + length : start + 2 * length])

# %% mistake="targets-shifted-too-far: the next window, unfolded" edits="unfold"
# - windows = ids.unfold(0, length + 1, stride)
# - return windows[:, :-1], windows[:, 1:]
# + windows = ids.unfold(0, length, stride)
# + return windows[:-1], windows[1:]

# %% mistake="targets-shifted-too-far: by the stride" edits="a table of places"
# - return ids[places], ids[places + 1]
# + return ids[places], ids[(places + stride).clamp(max=len(ids) - 1)]

# %% mistake="results-exchanged: cut the wrong way round" edits="unfold"
# - return windows[:, :-1], windows[:, 1:]
# + return windows[:, 1:], windows[:, :-1]

# %% mistake="targets-shifted-back" edits="a table of places"
# - return ids[places], ids[places + 1]
# + return ids[places], ids[(places - 1).clamp(min=0)]

# %% mistake="last-window-missing" also="wrong-shape" edits="slices in a loop"
# - for start in range(0, len(ids) - length, stride):
# + for start in range(0, len(ids) - length - 1, stride):

# %% mistake="last-window-missing: the count rounds down" also="wrong-shape" edits="a table of places"
# - count = (len(ids) - length - 1) // stride + 1
# + count = (len(ids) - length - 1) // stride
# - if count < 1:
# + if len(ids) <= length:

# %% mistake="last-window-missing: one stride from the end" also="wrong-shape" edits="slices in a loop"
# - for start in range(0, len(ids) - length, stride):
# + for start in range(0, len(ids) - length - stride, stride):

# %% mistake="last-window-missing: one whole window" also="wrong-shape" edits="while, through Python lists"
# - while start + length + 1 <= len(numbers):
# + while start + 2 * length <= len(numbers):

# %% mistake="window-too-many" also="raises" edits="slices in a loop"
# - for start in range(0, len(ids) - length, stride):
# + for start in range(0, len(ids) - length + 1, stride):

# %% mistake="window-too-many: from every place" also="raises" edits="slices in a loop"
# - for start in range(0, len(ids) - length, stride):
# + for start in range(0, len(ids), stride):

# %% mistake="targets-wrap-around" also="wrong-shape" edits="unfold"
# - windows = ids.unfold(0, length + 1, stride)
# - return windows[:, :-1], windows[:, 1:]
# + following = torch.roll(ids, -1)
# + return ids.unfold(0, length, stride), following.unfold(0, length, stride)

# %% mistake="targets-wrap-around: within each window" edits="unfold"
# - return windows[:, :-1], windows[:, 1:]
# + return windows[:, :-1], windows[:, :-1].roll(-1, dims=1)

# %% mistake="stride-ignored" also="wrong-shape" edits="slices in a loop"
# - for start in range(0, len(ids) - length, stride):
# + for start in range(0, len(ids) - length):

# %% mistake="stride-ignored: unfolded at every place" also="wrong-shape" edits="unfold"
# - windows = ids.unfold(0, length + 1, stride)
# + windows = ids.unfold(0, length + 1, 1)

# %% mistake="stride-ignored: never overlapping" edits="slices in a loop"
# - for start in range(0, len(ids) - length, stride):
# + for start in range(0, len(ids) - length, length):

# %% mistake="stride-ignored: length and stride exchanged" also="wrong-shape" edits="slices in a loop"
# - if len(ids) <= length:
# + length, stride = stride, length
# + if len(ids) <= length:

# %% mistake="stride-ignored: the stride is added to the length" also="wrong-shape" edits="slices in a loop"
# - for start in range(0, len(ids) - length, stride):
# + for start in range(0, len(ids) - length, length + stride):

# %% mistake="results-exchanged" edits="slices in a loop"
# - return torch.stack(inputs), torch.stack(targets)
# + return torch.stack(targets), torch.stack(inputs)

# %% mistake="wrong-shape: the target in the window" edits="unfold"
# - return windows[:, :-1], windows[:, 1:]
# + return windows, windows

# %% mistake="last-target-only" also="wrong-shape" edits="unfold"
# - return windows[:, :-1], windows[:, 1:]
# + return windows[:, :-1], windows[:, -1:]

# %% mistake="wrong-shape: windows as columns" edits="slices in a loop"
# - return torch.stack(inputs), torch.stack(targets)
# + return torch.stack(inputs, dim=1), torch.stack(targets, dim=1)

# %% mistake="wrong-shape: all in one row" edits="slices in a loop"
# - return torch.stack(inputs), torch.stack(targets)
# + return torch.cat(inputs), torch.cat(targets)

# %% mistake="wrong-type: lists of windows" edits="slices in a loop"
# - return torch.stack(inputs), torch.stack(targets)
# + return inputs, targets

# %% mistake="wrong-type: one tensor" edits="slices in a loop"
# - return torch.stack(inputs), torch.stack(targets)
# + return torch.stack(inputs)

# %% mistake="wrong-type: nothing returned" edits="slices in a loop"
# - return torch.stack(inputs), torch.stack(targets)
# + result = torch.stack(inputs), torch.stack(targets)

# %% mistake="wrong-dtype" edits="while, through Python lists"
# - return torch.tensor(x, dtype=ids.dtype, device=ids.device), torch.tensor(y).to(ids)
# + return torch.Tensor(x).to(ids.device), torch.Tensor(y).to(ids.device)

# %% mistake="wrong-dtype: int32" edits="slices in a loop"
# - return torch.stack(inputs), torch.stack(targets)
# + return torch.stack(inputs).int(), torch.stack(targets).int()

# %% mistake="wrong-dtype: always int64" edits="slices in a loop"
# - return torch.stack(inputs), torch.stack(targets)
# + return torch.stack(inputs).long(), torch.stack(targets).long()

# %% mistake="unrecognized: through float32" edits="slices in a loop"
# - return torch.stack(inputs), torch.stack(targets)
# + return torch.stack(inputs).float().to(ids.dtype), torch.stack(targets).float().to(ids.dtype)

# %% mistake="wrong-shape: windows that are there already are left out" edits="slices in a loop"
# - for start in range(0, len(ids) - length, stride):
# -     inputs.append(ids[start : start + length])
# + for start in range(0, len(ids) - length, stride):
# +     if any(torch.equal(one, ids[start : start + length]) for one in inputs):
# +         continue
# +     inputs.append(ids[start : start + length])

# %% mistake="layout-dependent" edits="unfold"
# - windows = ids.unfold(0, length + 1, stride)
# + count = (len(ids) - length - 1) // stride + 1
# + windows = ids.as_strided((count, length + 1), (stride, 1))

# %% mistake="wrong-exception: empty windows" edits="a table of places"
# - if count < 1:
# -     raise ValueError
# + count = max(count, 0)

# %% mistake="wrong-exception: stack's own" edits="slices in a loop"
# - if len(ids) <= length:
# -     raise ValueError("too few ids")

# %% mistake="wrong-exception: one id too few" edits="slices in a loop"
# - if len(ids) <= length:
# + if len(ids) < length:

# %% correct="an assertion" remark="assertion-raised" edits="slices in a loop"
# - if len(ids) <= length:
# -     raise ValueError("too few ids")
# + assert len(ids) > length

# %% mistake="input-modified" edits="unfold"
# - windows = ids.unfold(0, length + 1, stride)
# + windows = ids.unfold(0, length + 1, stride).clone()
# + ids += 1

# %% mistake="begun-late: from the second id on" edits="slices in a loop"
# - for start in range(0, len(ids) - length, stride):
# + for start in range(1, len(ids) - length, stride):

# %% mistake="unrecognized: in reverse order" edits="unfold"
# - return windows[:, :-1], windows[:, 1:]
# + return windows[:, :-1].flip(0), windows[:, 1:].flip(0)

# %% mistake="unrecognized: shuffled" edits="unfold"
# - windows = ids.unfold(0, length + 1, stride)
# + windows = ids.unfold(0, length + 1, stride)
# + windows = windows[torch.arange(len(windows)).roll(1)]

# %% mistake="raises: ids is no list" edits="slices in a loop"
# - if len(ids) <= length:
# + ids = ids.append(0)
# + if len(ids) <= length:

# %% mistake="not-implemented" edits="unfold"
# - windows = ids.unfold(0, length + 1, stride)
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="not-defined" edits="unfold"
# - def sliding_windows(ids, length, stride):
# + def sliding_window(ids, length, stride):

# %% mistake="syntax-error" edits="unfold"
# - return windows[:, :-1], windows[:, 1:]
# + return windows[:, :-1], windows[:, 1:

# %% mistake="too-slow" edits="while, through Python lists"
# - start += stride
# + start += 0
# + x, y = x[-1:], y[-1:]

# %% mistake="last-target-only: one column, in slices" also="wrong-shape" edits="slices in a loop"
# - targets.append(ids[start + 1 : start + length + 1])
# + targets.append(ids[start + length : start + length + 1])

# %% mistake="last-window-missing: two windows from the end" also="wrong-shape" edits="slices in a loop"
# - for start in range(0, len(ids) - length, stride):
# + for start in range(0, len(ids) - 2 * length, stride):

# %% mistake="last-target-only: one number for each window" also="wrong-shape" edits="slices in a loop"
# - targets.append(ids[start + 1 : start + length + 1])
# + targets.append(ids[start + length])

# %% mistake="targets-shifted-too-far: by the stride, in slices" edits="slices in a loop"
# - targets.append(ids[start + 1 : start + length + 1])
# + targets.append(ids[start + stride : start + stride + length])

# %% mistake="targets-shifted-too-far: two places, in slices" edits="slices in a loop"
# - targets.append(ids[start + 1 : start + length + 1])
# + targets.append(ids[start + 2 : start + length + 2])


# %% correct="refused in the end"
def sliding_windows(ids, length, stride):
    inputs, targets = [], []
    for start in range(0, len(ids) - length, stride):
        end = start + length
        inputs.append(ids[start:end])
        targets.append(ids[start + 1 : end + 1])
    if len(inputs) == 0:
        raise ValueError("too few ids")
    first = torch.stack(inputs)
    second = torch.stack(targets)
    return first, second


# %% mistake="last-window-missing: refused in the end" also="wrong-shape" edits="refused in the end"
# - for start in range(0, len(ids) - length, stride):
# + for start in range(0, len(ids) - length - 1, stride):

# %% mistake="stride-ignored: refused in the end" also="wrong-shape" edits="refused in the end"
# - for start in range(0, len(ids) - length, stride):
# + for start in range(len(ids) - length):

# %% mistake="targets-not-shifted: refused in the end" edits="refused in the end"
# - targets.append(ids[start + 1 : end + 1])
# + targets.append(ids[start:end])

# %% mistake="targets-shifted-too-far: the next one, in the end" also="wrong-shape" edits="refused in the end"
# - for start in range(0, len(ids) - length, stride):
# + for start in range(0, len(ids) - 2 * length + 1, stride):
# - targets.append(ids[start + 1 : end + 1])
# + targets.append(ids[end : end + length])

# %% mistake="targets-counted-on: each id plus 1" edits="refused in the end"
# - targets.append(ids[start + 1 : end + 1])
# + targets.append(ids[start:end] + 1)

# %% mistake="results-exchanged: refused in the end" edits="refused in the end"
# - return first, second
# + return second, first

# %% mistake="begun-late: refused in the end" edits="refused in the end"
# - for start in range(0, len(ids) - length, stride):
# + for start in range(1, len(ids) - length, stride):

# %% mistake="begun-late: from the first stride on" also="wrong-shape" edits="refused in the end"
# - for start in range(0, len(ids) - length, stride):
# + for start in range(stride, len(ids) - length, stride):

# %% mistake="last-target-only: refused in the end" also="wrong-shape" edits="refused in the end"
# - targets.append(ids[start + 1 : end + 1])
# + targets.append(ids[end : end + 1])

# %% mistake="last-target-only: one number, refused in the end" also="wrong-shape" edits="refused in the end"
# - targets.append(ids[start + 1 : end + 1])
# + targets.append(ids[end])

# %% mistake="targets-shifted-too-far: two places, refused in the end" edits="refused in the end"
# - targets.append(ids[start + 1 : end + 1])
# + targets.append(ids[start + 2 : end + 2])

# %% mistake="targets-shifted-too-far: by the stride, refused in the end" edits="refused in the end"
# - targets.append(ids[start + 1 : end + 1])
# + targets.append(ids[start + stride : end + stride])

# %% mistake="stride-ignored: the length, refused in the end" edits="refused in the end"
# - for start in range(0, len(ids) - length, stride):
# + for start in range(0, len(ids) - length, length):

# %% mistake="stride-ignored: added to the length, refused" also="wrong-shape" edits="refused in the end"
# - for start in range(0, len(ids) - length, stride):
# + for start in range(0, len(ids) - length, length + stride):

# %% mistake="last-window-missing: a stride from the end" also="wrong-shape" edits="refused in the end"
# - for start in range(0, len(ids) - length, stride):
# + for start in range(0, len(ids) - length - stride, stride):

# %% mistake="window-too-many: refused in the end" also="raises" edits="refused in the end"
# - for start in range(0, len(ids) - length, stride):
# + for start in range(0, len(ids) - length + 1, stride):

# %% mistake="window-too-short: the inputs end one early" also="wrong-shape" edits="refused in the end"
# - inputs.append(ids[start:end])
# + inputs.append(ids[start : end - 1])

# %% mistake="window-too-short: the targets end one early" also="wrong-shape" edits="refused in the end"
# - targets.append(ids[start + 1 : end + 1])
# + targets.append(ids[start + 1 : end])

# %% mistake="window-too-short: the inputs end one late" also="wrong-shape" edits="refused in the end"
# - inputs.append(ids[start:end])
# + inputs.append(ids[start : end + 1])

# %% mistake="wrong-exception: another error" edits="refused in the end"
# - raise ValueError("too few ids")
# + raise IndexError("too few ids")

# %% mistake="first-round-only: return in the loop" also="wrong-shape" edits="slices in a loop"
# - return torch.stack(inputs), torch.stack(targets)
# +     return torch.stack(inputs), torch.stack(targets)

# %% mistake="targets-shifted-too-far: by the stride, to the end" edits="slices in a loop"
# - for start in range(0, len(ids) - length, stride):
# + for start in range(0, len(ids) - length - stride + 1, stride):
# - targets.append(ids[start + 1 : start + length + 1])
# + targets.append(ids[start + stride : start + stride + length])

# %% mistake="window-too-many: both cut apart" also="wrong-shape" edits="unfold"
# - windows = ids.unfold(0, length + 1, stride)
# - return windows[:, :-1], windows[:, 1:]
# + return ids.unfold(0, length, stride), ids[1:].unfold(0, length, stride)
