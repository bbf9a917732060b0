# %% setup
import math

import numpy as np


# %% correct="textbook"
def positional_encoding(seq_len, d, n=10000):
    positions = np.arange(seq_len)[:, None]
    pairs = np.arange(0, d, 2)
    angles = positions / n ** (pairs / d)
    table = np.zeros((seq_len, d))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles[:, : d // 2])
    return table


# %% correct="two loops"
def positional_encoding(seq_len, d, n=10000):
    table = np.zeros((seq_len, d))
    for position in range(seq_len):
        for column in range(d):
            angle = position / n ** (2 * (column // 2) / d)
            table[position, column] = math.sin(angle) if column % 2 == 0 else math.cos(angle)
    return table


# %% correct="every angle twice, chosen by column"
def positional_encoding(seq_len, d, n=10000):
    columns = np.arange(d)
    angles = np.arange(seq_len)[:, np.newaxis] / np.power(n, 2 * (columns // 2) / d)
    return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))


# %% correct="logarithm, outer product"
def positional_encoding(seq_len, d, n=10000):
    frequencies = np.exp(-np.log(n) * np.arange(0, d, 2) / d)
    angles = np.outer(np.arange(seq_len), frequencies)
    both = np.stack((np.sin(angles), np.cos(angles)), axis=-1)
    return both.reshape(seq_len, -1)[:, :d]


# %% correct="pair by pair"
def positional_encoding(seq_len, d, n=10000):
    P = np.empty((seq_len, d))
    k = np.arange(seq_len)
    for i in range((d + 1) // 2):
        denominator = n ** (2 * i / d)
        P[:, 2 * i] = np.sin(k / denominator)
        if 2 * i + 1 < d:
            P[:, 2 * i + 1] = np.cos(k / denominator)
    return P


# %% mistake="not-implemented"
def positional_encoding(seq_len, d, n=10000):
    raise NotImplementedError("Write your answer here, then delete this line.")


# %% mistake="sin-cos-swapped" edits="textbook"
# - table[:, 0::2] = np.sin(angles)
# - table[:, 1::2] = np.cos(angles[:, : d // 2])
# + table[:, 0::2] = np.cos(angles)
# + table[:, 1::2] = np.sin(angles[:, : d // 2])

# %% mistake="sin-cos-swapped: sines everywhere" edits="textbook"
# - table[:, 1::2] = np.cos(angles[:, : d // 2])
# + table[:, 1::2] = np.sin(angles[:, : d // 2])

# %% mistake="sin-cos-swapped: cosines everywhere" edits="textbook"
# - table[:, 0::2] = np.sin(angles)
# + table[:, 0::2] = np.cos(angles)

# %% mistake="sin-cos-swapped: by the row, not the column" edits="two loops"
# - table[position, column] = math.sin(angle) if column % 2 == 0 else math.cos(angle)
# + table[position, column] = math.sin(angle) if position % 2 == 0 else math.cos(angle)


# %% mistake="sin-cos-swapped: odd d forgotten" edits="textbook"
# - table[:, 0::2] = np.sin(angles)
# - table[:, 1::2] = np.cos(angles[:, : d // 2])
# + table[:, 0::2] = np.cos(angles)
# + table[:, 1::2] = np.sin(angles)


# %% mistake="sines-then-cosines"
def positional_encoding(seq_len, d, n=10000):
    angles = np.arange(seq_len)[:, None] / n ** (np.arange(0, d, 2) / d)
    return np.concatenate((np.sin(angles), np.cos(angles[:, : d // 2])), axis=1)


# %% mistake="sines-then-cosines: odd d forgotten"
def positional_encoding(seq_len, d, n=10000):
    angles = np.arange(seq_len)[:, None] / n ** (np.arange(0, d, 2) / d)
    return np.concatenate((np.sin(angles), np.cos(angles)), axis=1)


# %% mistake="wrong-frequency: the even column doubled, odd d forgotten"
def positional_encoding(seq_len, d, n=10000):
    table = np.zeros((seq_len, d))
    for pos in range(seq_len):
        for i in range(0, d, 2):
            table[pos, i] = np.sin(pos / n ** (2 * i / d))
            table[pos, i + 1] = np.cos(pos / n ** (2 * i / d))
    return table


# %% mistake="wrong-frequency: the cosine has the next exponent, odd d forgotten"
def positional_encoding(seq_len, d, n=10000):
    table = np.zeros((seq_len, d))
    for pos in range(seq_len):
        for i in range(0, d, 2):
            table[pos, i] = np.sin(pos / n ** (i / d))
            table[pos, i + 1] = np.cos(pos / n ** ((i + 1) / d))
    return table


# %% mistake="positions-from-one: odd d forgotten" edits="textbook"
# - positions = np.arange(seq_len)[:, None]
# + positions = np.arange(1, seq_len + 1)[:, None]
# - table[:, 1::2] = np.cos(angles[:, : d // 2])
# + table[:, 1::2] = np.cos(angles)

# %% mistake="wrong-frequency: half the exponent" edits="textbook"
# - angles = positions / n ** (pairs / d)
# + angles = positions / n ** (pairs / 2 / d)

# %% mistake="wrong-frequency: the column where the pair belongs" edits="every angle twice, chosen by column"
# - angles = np.arange(seq_len)[:, np.newaxis] / np.power(n, 2 * (columns // 2) / d)
# + angles = np.arange(seq_len)[:, np.newaxis] / np.power(n, 2 * columns / d)

# %% mistake="wrong-frequency: every column has its own" edits="every angle twice, chosen by column"
# - angles = np.arange(seq_len)[:, np.newaxis] / np.power(n, 2 * (columns // 2) / d)
# + angles = np.arange(seq_len)[:, np.newaxis] / np.power(n, columns / d)

# %% mistake="wrong-frequency: the even column doubled" edits="textbook"
# - angles = positions / n ** (pairs / d)
# + angles = positions / n ** (2 * pairs / d)

# %% mistake="wrong-frequency: the cosine has the next exponent" edits="pair by pair"
# - P[:, 2 * i + 1] = np.cos(k / denominator)
# + P[:, 2 * i + 1] = np.cos(k / n ** ((2 * i + 1) / d))

# %% mistake="wrong-frequency: pairs counted from 1" edits="pair by pair"
# - denominator = n ** (2 * i / d)
# + denominator = n ** (2 * (i + 1) / d)

# %% mistake="wrong-frequency: multiplied" edits="textbook"
# - angles = positions / n ** (pairs / d)
# + angles = positions * n ** (pairs / d)

# %% mistake="wrong-frequency: divided by half of d" also="odd-width" edits="pair by pair"
# - denominator = n ** (2 * i / d)
# + denominator = n ** (i / (d // 2 or 1))

# %% mistake="wrong-frequency: without the exponent's 2" edits="pair by pair"
# - denominator = n ** (2 * i / d)
# + denominator = n ** (i / d)

# %% mistake="base-ignored" edits="textbook"
# - angles = positions / n ** (pairs / d)
# + angles = positions / 10000 ** (pairs / d)

# %% mistake="wrong-frequency: a product instead of a power" edits="textbook"
# - angles = positions / n ** (pairs / d)
# + angles = positions / (1 + n * pairs / d)

# %% mistake="wrong-frequency: the fraction outside the power" edits="textbook"
# - angles = positions / n ** (pairs / d)
# + angles = positions / (n**pairs / d)

# %% mistake="wrong-frequency: the same for every column" edits="textbook"
# - angles = positions / n ** (pairs / d)
# + angles = positions / n ** (0 * pairs / d)

# %% mistake="wrong-frequency: divided by the number of tokens" edits="textbook"
# - angles = positions / n ** (pairs / d)
# + angles = positions / n ** (pairs / seq_len)

# %% mistake="wrong-frequency: the exponent spans from 0 to 1" edits="textbook"
# - angles = positions / n ** (pairs / d)
# + angles = positions / n ** np.linspace(0, 1, len(pairs))

# %% mistake="positions-from-one" edits="textbook"
# - positions = np.arange(seq_len)[:, None]
# + positions = np.arange(1, seq_len + 1)[:, None]

# %% mistake="positions-from-one: in the loop" edits="two loops"
# - angle = position / n ** (2 * (column // 2) / d)
# + angle = (position + 1) / n ** (2 * (column // 2) / d)

# %% mistake="positions-from-one: backwards" edits="textbook"
# - positions = np.arange(seq_len)[:, None]
# + positions = np.arange(seq_len, 0, -1)[:, None]

# %% mistake="raises: odd d" edits="textbook"
# - table[:, 1::2] = np.cos(angles[:, : d // 2])
# + table[:, 1::2] = np.cos(angles)

# %% mistake="raises: an index behind the last column" edits="pair by pair"
# - if 2 * i + 1 < d:
# + if True:

# %% mistake="odd-width: the last column stays 0" edits="textbook"
# - table[:, 0::2] = np.sin(angles)
# + table[:, 0 : d // 2 * 2 : 2] = np.sin(angles[:, : d // 2])

# %% mistake="odd-width: the last column is missing" also="wrong-shape" edits="logarithm, outer product"
# - return both.reshape(seq_len, -1)[:, :d]
# + return both.reshape(seq_len, -1)[:, : d // 2 * 2]

# %% mistake="odd-width: one column too many" also="wrong-shape" edits="logarithm, outer product"
# - return both.reshape(seq_len, -1)[:, :d]
# + return both.reshape(seq_len, -1)

# %% mistake="wrong-frequency: d is made even first" also="odd-width" edits="two loops"
# - angle = position / n ** (2 * (column // 2) / d)
# + angle = position / n ** (2 * (column // 2) / (d // 2 * 2 or 1))

# %% mistake="result-transposed" also="wrong-shape" edits="textbook"
# - return table
# + return table.T

# %% mistake="wrong-dtype: float32" edits="textbook"
# - return table
# + return table.astype(np.float32)

# %% mistake="wrong-type: a list of rows" edits="textbook"
# - return table
# + return table.tolist()

# %% mistake="wrong-type: no return" edits="textbook"
# - return table
# + print(table)

# %% mistake="wrong-type: a matrix of NumPy's old kind" edits="textbook"
# - return table
# + return np.matrix(table)

# %% mistake="raises: NumPy has no pi of that kind" edits="textbook"
# - table[:, 0::2] = np.sin(angles)
# + table[:, 0::2] = np.sine(angles)

# %% mistake="raises: math for an array" edits="textbook"
# - table[:, 0::2] = np.sin(angles)
# + table[:, 0::2] = math.sin(angles)

# %% mistake="wrong-frequency: degrees" edits="textbook"
# - angles = positions / n ** (pairs / d)
# + angles = np.radians(positions / n ** (pairs / d))

# %% mistake="wrong-frequency: whole circles" edits="textbook"
# - angles = positions / n ** (pairs / d)
# + angles = 2 * np.pi * positions / n ** (pairs / d)

# %% mistake="unrecognized: scaled" edits="textbook"
# - return table
# + return table / np.sqrt(d)

# %% mistake="wrong-frequency: the power ends before the fraction" also="not-finite" edits="textbook"
# - angles = positions / n ** (pairs / d)
# + angles = positions / (n**2 * (pairs / 2) / d)

# %% mistake="wrong-frequency: the power ends first, of the even column" also="not-finite" edits="textbook"
# - angles = positions / n ** (pairs / d)
# + angles = positions / (n**2 * pairs / d)


# %% correct="one step a line"
def positional_encoding(seq_len, d, n=10000):
    P = np.zeros((seq_len, d))
    for row in range(seq_len):
        for column in range(d):
            position = row
            pair = column // 2
            exponent = 2 * pair / d
            divisor = n**exponent
            angle = position / divisor
            if column % 2 == 0:
                P[row, column] = np.sin(angle)
            else:
                P[row, column] = np.cos(angle)
    return P


# %% mistake="odd-width: a step, the last column stays 0" edits="one step a line"
# - for column in range(d):
# + for column in range(d // 2 * 2):

# %% mistake="positions-from-one: a step" edits="one step a line"
# - position = row
# + position = row + 1

# %% mistake="sin-cos-swapped: a step" edits="one step a line"
# - if column % 2 == 0:
# + if column % 2 == 1:

# %% mistake="sin-cos-swapped: a step, sines everywhere" edits="one step a line"
# - P[row, column] = np.cos(angle)
# + P[row, column] = np.sin(angle)

# %% mistake="base-ignored: a step" edits="one step a line"
# - divisor = n**exponent
# + divisor = 10000**exponent

# %% mistake="wrong-frequency: a step, every column has its own" edits="one step a line"
# - exponent = 2 * pair / d
# + exponent = column / d

# %% mistake="wrong-frequency: a step, the column where the pair belongs" edits="one step a line"
# - pair = column // 2
# + pair = column

# %% mistake="wrong-frequency: a step, without the 2" edits="one step a line"
# - exponent = 2 * pair / d
# + exponent = pair / d

# %% mistake="wrong-frequency: a step, multiplied" edits="one step a line"
# - angle = position / divisor
# + angle = position * divisor

# %% mistake="wrong-frequency: multiplied, and pairs counted from 1" edits="one step a line"
# - pair = column // 2
# + pair = column // 2 + 1
# - angle = position / divisor
# + angle = position * divisor

# %% mistake="wrong-frequency: the power ends first, and the rest multiplies" edits="one step a line"
# - divisor = n**exponent
# - angle = position / divisor
# + angle = position / n**2 * pair / d

# %% mistake="wrong-frequency: an exponent without fraction" edits="one step a line"
# - exponent = 2 * pair / d
# + exponent = 2 * pair // d

# %% mistake="rows-shared: one row, several times" edits="one step a line"
# - P = np.zeros((seq_len, d))
# + P = [[0.0] * d] * seq_len
# - P[row, column] = np.sin(angle)
# + P[row][column] = np.sin(angle)
# - P[row, column] = np.cos(angle)
# + P[row][column] = np.cos(angle)
# - return P
# + return np.array(P)


# %% mistake="sines-then-cosines: n ignored" also="base-ignored"
def positional_encoding(seq_len, d, n=10000):
    angles = np.arange(seq_len)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
    return np.concatenate((np.sin(angles), np.cos(angles[:, : d // 2])), axis=1)


# %% mistake="sines-then-cosines: n ignored, odd d forgotten" also="base-ignored"
def positional_encoding(seq_len, d, n=10000):
    angles = np.arange(seq_len)[:, None] / 10000 ** (2 * np.arange(d // 2) / d)
    return np.concatenate((np.sin(angles), np.cos(angles)), axis=1)


# %% mistake="sin-cos-swapped: a step, by the pair, not the column" edits="one step a line"
# - if column % 2 == 0:
# + if pair % 2 == 0:

# %% mistake="sin-cos-swapped: a step, cosines everywhere" edits="one step a line"
# - P[row, column] = np.sin(angle)
# + P[row, column] = np.cos(angle)

# %% mistake="last-left-out: a step, one position too few" edits="one step a line"
# - for row in range(seq_len):
# + for row in range(seq_len - 1):

# %% mistake="first-left-out: a step, from position 1 on" edits="one step a line"
# - for row in range(seq_len):
# + for row in range(1, seq_len):

# %% mistake="wrong-frequency: a step, a product instead of a power" edits="one step a line"
# - divisor = n**exponent
# + divisor = n * exponent + 1

# %% mistake="wrong-frequency: a step, the even column doubled" edits="one step a line"
# - exponent = 2 * pair / d
# + exponent = 4 * pair / d

# %% mistake="wrong-frequency: a step, pairs from 1" edits="one step a line"
# - pair = column // 2
# + pair = column // 2 + 1

# %% mistake="wrong-frequency: a step, degrees" edits="one step a line"
# - angle = position / divisor
# + angle = np.radians(position / divisor)

# %% mistake="wrong-frequency: a step, the position is not divided" edits="one step a line"
# - angle = position / divisor
# + angle = position

# %% mistake="positions-from-one: a step, the same angle in every row" edits="one step a line"
# - angle = position / divisor
# + angle = 1 / divisor

# %% mistake="sin-cos-swapped: a step, without else" edits="one step a line"
# - if column % 2 == 0:
# - P[row, column] = np.sin(angle)
# - else:
# - P[row, column] = np.cos(angle)
# + if column % 2 == 0:
# +     P[row, column] = np.sin(angle)
# + P[row, column] = np.cos(angle)

# %% mistake="rows-shared: a step, a row as long as the table" edits="one step a line"
# - P[row, column] = np.sin(angle)
# + P[:, column] = np.sin(angle)
# - P[row, column] = np.cos(angle)
# + P[:, column] = np.cos(angle)


# %% mistake="wrong-frequency: multiplied, odd d forgotten"
def positional_encoding(seq_len, d, n=10000):
    table = np.zeros((seq_len, d))
    for pos in range(seq_len):
        for i in range(0, d, 2):
            table[pos, i] = np.sin(pos * n ** (i / d))
            table[pos, i + 1] = np.cos(pos * n ** (i / d))
    return table


# %% mistake="wrong-frequency: half the exponent, odd d forgotten"
def positional_encoding(seq_len, d, n=10000):
    table = np.zeros((seq_len, d))
    for pos in range(seq_len):
        for i in range((d + 1) // 2):
            table[pos, 2 * i] = np.sin(pos / n ** (i / d))
            table[pos, 2 * i + 1] = np.cos(pos / n ** (i / d))
    return table


# %% mistake="base-ignored: odd d forgotten" also="raises"
def positional_encoding(seq_len, d, n=10000):
    table = np.zeros((seq_len, d))
    for pos in range(seq_len):
        for i in range(0, d, 2):
            table[pos, i] = np.sin(pos / 10000 ** (i / d))
            table[pos, i + 1] = np.cos(pos / 10000 ** (i / d))
    return table


# %% mistake="sin-cos-swapped: sines everywhere, odd d forgotten"
def positional_encoding(seq_len, d, n=10000):
    table = np.zeros((seq_len, d))
    for pos in range(seq_len):
        for i in range(0, d, 2):
            table[pos, i] = np.sin(pos / n ** (i / d))
            table[pos, i + 1] = np.sin(pos / n ** (i / d))
    return table


# %% mistake="unrecognized: the sum of both" edits="one step a line"
# - P[row, column] = np.cos(angle)
# + P[row, column] = np.sin(angle) + np.cos(angle)

# %% mistake="first-round-only: a step, the first row alone" edits="one step a line"
# - for row in range(seq_len):
# + for row in range(min(seq_len, 1)):

# %% mistake="sines-then-cosines: a step" edits="one step a line"
# - P[row, column] = np.sin(angle)
# + P[row, pair] = np.sin(angle)
# - P[row, column] = np.cos(angle)
# + P[row, (d + 1) // 2 + pair] = np.cos(angle)
