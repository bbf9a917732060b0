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

# %% mistake="sin-cos-swapped: d // 2 pairs, turned round" also="odd-width" edits="mine"
# - for i in range((d + 1) // 2):
# + for i in range(d // 2):
# - P[k, 2 * i] = np.sin(k / denominator)
# - if 2 * i + 1 < d:
# - P[k, 2 * i + 1] = np.cos(k / denominator)
# + P[k, 2 * i] = np.cos(k / denominator)
# + P[k, 2 * i + 1] = np.sin(k / denominator)

# %% mistake="positions-from-one: d // 2 pairs, k + 1" also="odd-width" edits="mine"
# - for i in range((d + 1) // 2):
# + for i in range(d // 2):
# - denominator = n ** (2 * i / d)
# + angle = (k + 1) / n ** (2 * i / d)
# - P[k, 2 * i] = np.sin(k / denominator)
# - if 2 * i + 1 < d:
# - P[k, 2 * i + 1] = np.cos(k / denominator)
# + P[k, 2 * i] = np.sin(angle)
# + P[k, 2 * i + 1] = np.cos(angle)

# %% mistake="sines-then-cosines: and 10000 for n" also="base-ignored"
def positional_encoding(seq_len, d, n=10000):
    pos = np.arange(seq_len)[:, None]
    i = np.arange(d // 2)
    a = pos / 10000 ** (2 * i / d)
    return np.concatenate([np.sin(a), np.cos(a)], axis=1)

# %% correct="by columns"
def positional_encoding(seq_len, d, n=10000):
    P = np.zeros((seq_len, d))
    for pos in range(seq_len):
        for k in range(d):
            i = k // 2
            a = pos / n ** (2 * i / d)
            P[pos, k] = np.sin(a) if k % 2 == 0 else np.cos(a)
    return P

# %% mistake="wrong-frequency: no brackets round the exponent" edits="by columns"
# - a = pos / n ** (2 * i / d)
# + a = pos / n**2 * i / d

# %% mistake="positions-from-one: each column its own" also="wrong-frequency" edits="by columns"
# - a = pos / n ** (2 * i / d)
# + a = (pos + 1) / n ** (k / d)

# %% mistake="rows-shared: the rows are one list" edits="by columns"
# - P = np.zeros((seq_len, d))
# + P = [[0.0] * d] * seq_len
# - P[pos, k] = np.sin(a) if k % 2 == 0 else np.cos(a)
# + P[pos][k] = np.sin(a) if k % 2 == 0 else np.cos(a)
# - return P
# + return np.array(P)

# %% mistake="wrong-frequency: multiplied, and pairs from 1" edits="by columns"
# - i = k // 2
# - a = pos / n ** (2 * i / d)
# + i = k // 2 + 1
# + a = pos * n ** (2 * i / d)

# %% mistake="wrong-frequency: divided without a rest" edits="by columns"
# - a = pos / n ** (2 * i / d)
# + a = pos / n ** (2 * i // d)

# %% mistake="wrong-dtype: whole numbers" never="double" edits="by columns"
# - P = np.zeros((seq_len, d))
# + P = np.array([[0] * d] * seq_len)

# %% mistake="last-left-out: one position too few" edits="by columns"
# - for pos in range(seq_len):
# + for pos in range(seq_len - 1):

# %% mistake="raises: i counts in steps of two, odd d"
def positional_encoding(seq_len, d, n=10000):
    pos = np.arange(seq_len)[:, None]
    i = np.arange(0, d, 2)
    P = np.zeros((seq_len, d))
    P[:, 0::2] = np.sin(pos / n ** (i / d))
    P[:, 1::2] = np.cos(pos / n ** (i / d))
    return P

# %% mistake="sin-cos-swapped: by the pair's number" edits="by columns"
# - P[pos, k] = np.sin(a) if k % 2 == 0 else np.cos(a)
# + P[pos, k] = np.sin(a) if i % 2 == 0 else np.cos(a)

# %% mistake="last-left-out: and the exponent without 2" also="wrong-frequency" edits="by columns"
# - for pos in range(seq_len):
# + for pos in range(seq_len - 1):
# - a = pos / n ** (2 * i / d)
# + a = pos / n ** (i / d)

# %% mistake="wrong-frequency: multiplied, and odd d raises" says="IndexError"
def positional_encoding(seq_len, d, n=10000):
    P = np.zeros((seq_len, d))
    for pos in range(seq_len):
        for i in range(0, d, 2):
            a = pos * n ** (i / d)
            P[pos, i] = np.sin(a)
            P[pos, i + 1] = np.cos(a)
    return P

# %% mistake="wrong-frequency: float32, and a product for a power" also="wrong-dtype" edits="by columns"
# - P = np.zeros((seq_len, d))
# + P = np.zeros((seq_len, d), dtype=np.float32)
# - a = pos / n ** (2 * i / d)
# + a = pos / (n * 2 * i / d + 1)

# %% mistake="wrong-frequency: three at once, // and 10000 and an empty last column" also="odd-width" edits="mine"
# - for i in range((d + 1) // 2):
# - denominator = n ** (2 * i / d)
# + for i in range(d // 2):
# +     denominator = 10000 ** (2 * i // d)

# %% mistake="wrong-frequency: angles in degrees" edits="by columns"
# - a = pos / n ** (2 * i / d)
# + a = math.radians(pos / n ** (2 * i / d))

# %% mistake="odd-width: and the last column empty, without the 2" also="wrong-frequency" edits="mine"
# - for i in range((d + 1) // 2):
# - denominator = n ** (2 * i / d)
# + for i in range(d // 2):
# +     denominator = n ** (i / d)

# %% mistake="sin-cos-swapped: each column its own, turned round" also="wrong-frequency" edits="by columns"
# - a = pos / n ** (2 * i / d)
# - P[pos, k] = np.sin(a) if k % 2 == 0 else np.cos(a)
# + a = pos / n ** (k / d)
# + P[pos, k] = np.cos(a) if k % 2 == 0 else np.sin(a)

# %% mistake="first-round-only: return in the outer loop" edits="by columns"
# - return P
# +     return P

# %% mistake="sin-cos-swapped: no else" edits="by columns"
# - P[pos, k] = np.sin(a) if k % 2 == 0 else np.cos(a)
# + if k % 2 == 0:
# +     P[pos, k] = np.sin(a)
# + P[pos, k] = np.cos(a)

# %% mistake="base-ignored: and the cosine has the next exponent" also="wrong-frequency" edits="by columns"
# - a = pos / n ** (2 * i / d)
# + a = pos / 10000 ** (k / d)

# %% mistake="wrong-dtype: zeros of whole numbers" never="first one counts|first round"
def positional_encoding(seq_len, d, n=10000):
    P = np.zeros((seq_len, d), dtype=int)
    for k in range(seq_len):
        for i in range(d):
            angle = k / n ** (2 * (i // 2) / d)
            P[k, i] = np.sin(angle) if i % 2 == 0 else np.cos(angle)
    return P

# %% mistake="precision-lost: angles in float32" edits="mine"
# - denominator = n ** (2 * i / d)
# + denominator = np.float32(n ** (2 * i / d))
# - P[k, 2 * i] = np.sin(k / denominator)
# + P[k, 2 * i] = np.sin(np.float32(k / denominator))
# - P[k, 2 * i + 1] = np.cos(k / denominator)
# + P[k, 2 * i + 1] = np.cos(np.float32(k / denominator))
