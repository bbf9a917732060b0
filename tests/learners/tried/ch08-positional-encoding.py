# %% setup
import math

import numpy as np

# %% correct="mine"
def positional_encoding(seq_len, d, n=10000):
    P = np.zeros((seq_len, d))
    for k in range(seq_len):
        for i in range((d + 1) // 2):
            denominator = n ** (2 * i / d)
            P[k, 2 * i] = np.sin(k / denominator)
            if 2 * i + 1 < d:
                P[k, 2 * i + 1] = np.cos(k / denominator)
    return P

# %% mistake="wrong-frequency: i counts columns" edits="mine"
# - denominator = n ** (2 * i / d)
# + denominator = n ** (2 * (2 * i) / d)

# %% mistake="wrong-frequency: each column its own" edits="mine"
# - P[k, 2 * i + 1] = np.cos(k / denominator)
# + P[k, 2 * i + 1] = np.cos(k / n ** ((2 * i + 1) / d))

# %% mistake="base-ignored: 10000" edits="mine"
# - denominator = n ** (2 * i / d)
# + denominator = 10000 ** (2 * i / d)

# %% mistake="raises: odd d" edits="mine"
# - if 2 * i + 1 < d:
# -     P[k, 2 * i + 1] = np.cos(k / denominator)
# + P[k, 2 * i + 1] = np.cos(k / denominator)

# %% mistake="odd-width: the last column stays 0" edits="mine"
# - for i in range((d + 1) // 2):
# + for i in range(d // 2):

# %% mistake="sines-then-cosines: two halves" edits="mine"
# - P[k, 2 * i] = np.sin(k / denominator)
# - if 2 * i + 1 < d:
# -     P[k, 2 * i + 1] = np.cos(k / denominator)
# + P[k, i] = np.sin(k / denominator)
# + if 2 * i + 1 < d:
# +     P[k, (d + 1) // 2 + i] = np.cos(k / denominator)

# %% mistake="sin-cos-swapped: the other way round" edits="mine"
# - P[k, 2 * i] = np.sin(k / denominator)
# - if 2 * i + 1 < d:
# -     P[k, 2 * i + 1] = np.cos(k / denominator)
# + P[k, 2 * i] = np.cos(k / denominator)
# + if 2 * i + 1 < d:
# +     P[k, 2 * i + 1] = np.sin(k / denominator)

# %% mistake="positions-from-one: k + 1" edits="mine"
# - P[k, 2 * i] = np.sin(k / denominator)
# - if 2 * i + 1 < d:
# -     P[k, 2 * i + 1] = np.cos(k / denominator)
# + P[k, 2 * i] = np.sin((k + 1) / denominator)
# + if 2 * i + 1 < d:
# +     P[k, 2 * i + 1] = np.cos((k + 1) / denominator)

# %% mistake="wrong-frequency: multiplied" edits="mine"
# - denominator = n ** (2 * i / d)
# + denominator = 1 / n ** (2 * i / d)

# %% mistake="wrong-frequency: the power ends before the fraction"
def positional_encoding(seq_len, d, n=10000):
    position = np.arange(seq_len)[:, None]
    i = np.arange((d + 1) // 2)
    angles = position / (n**2 * i / d)
    P = np.zeros((seq_len, d))
    P[:, 0::2] = np.sin(angles)
    P[:, 1::2] = np.cos(angles[:, : d // 2])
    return P

# %% mistake="raises: the power ends before the fraction, number by number" edits="mine"
# - denominator = n ** (2 * i / d)
# + denominator = n**2 * i / d
# - P[k, 2 * i] = np.sin(k / denominator)
# + P[k, 2 * i] = math.sin(k / denominator)

# %% mistake="first-left-out: from position 1 on" edits="mine"
# - for k in range(seq_len):
# + for k in range(1, seq_len):

# %% mistake="wrong-type: lists in a list" edits="mine"
# - return P
# + return [list(row) for row in P]

# %% mistake="sin-cos-swapped: and counted from 1" also="positions-from-one" edits="mine"
# - P[k, 2 * i] = np.sin(k / denominator)
# - if 2 * i + 1 < d:
# -     P[k, 2 * i + 1] = np.cos(k / denominator)
# + P[k, 2 * i] = np.cos((k + 1) / denominator)
# + if 2 * i + 1 < d:
# +     P[k, 2 * i + 1] = np.sin((k + 1) / denominator)
