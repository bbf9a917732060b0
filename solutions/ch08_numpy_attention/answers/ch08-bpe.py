# %% setup
import re
from collections import Counter, defaultdict

import numpy as np


def merge(symbols, pair):
    merged, i = [], 0
    while i < len(symbols):
        if i + 1 < len(symbols) and (symbols[i], symbols[i + 1]) == pair:
            merged.append(symbols[i] + symbols[i + 1])
            i += 2
        else:
            merged.append(symbols[i])
            i += 1
    return merged


def merge_from_right(symbols, pair):
    merged, i = [], len(symbols) - 1
    while i >= 0:
        together = i > 0 and (symbols[i - 1], symbols[i]) == pair
        merged.append("".join(pair) if together else symbols[i])
        i -= 2 if together else 1
    return merged[::-1]


# %% correct="textbook"
def bpe_merges(words, num_merges):
    split = [list(word) for word in words]
    merges = []
    for _ in range(num_merges):
        counts = {}
        for symbols in split:
            for pair in zip(symbols, symbols[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=counts.get)
        merges.append(best)
        split = [merge(symbols, best) for symbols in split]
    return merges


# %% correct="words with their frequency"
def bpe_merges(words, num_merges):
    frequency = Counter(words)
    split = {word: list(word) for word in frequency}
    merges = []
    while len(merges) < num_merges:
        counts = Counter()
        for word, symbols in split.items():
            for i in range(len(symbols) - 1):
                counts[symbols[i], symbols[i + 1]] += frequency[word]
        if not counts:
            return merges
        best, _ = counts.most_common(1)[0]
        merges.append(best)
        for word in split:
            split[word] = merge(split[word], best)
    return merges


# %% correct="merged in place"
def bpe_merges(words, num_merges):
    split = [[letter for letter in word] for word in words]
    merges = []
    for step in range(num_merges):
        pairs = []
        for symbols in split:
            pairs.extend(zip(symbols[:-1], symbols[1:]))
        if len(pairs) == 0:
            break
        counts = defaultdict(int)
        for pair in pairs:
            counts[pair] += 1
        most = max(counts.values())
        best = [pair for pair in pairs if counts[pair] == most][0]
        for symbols in split:
            i = 0
            while i < len(symbols) - 1:
                if symbols[i] == best[0] and symbols[i + 1] == best[1]:
                    symbols[i : i + 2] = [best[0] + best[1]]
                i += 1
        merges.append([best[0], best[1]])
    return merges


# %% correct="a pattern on words with spaces"
def bpe_merges(words, num_merges):
    split = [" ".join(word) for word in words]
    merges = []
    for _ in range(num_merges):
        counts = Counter()
        for text in split:
            symbols = text.split()
            counts.update(zip(symbols, symbols[1:]))
        if not counts:
            break
        best = max(counts, key=lambda pair: counts[pair])
        pattern = re.compile(r"(?<!\S)" + re.escape(" ".join(best)) + r"(?!\S)")
        split = [pattern.sub(lambda found: "".join(best), text) for text in split]
        merges.append(best)
    return merges


# %% mistake="not-implemented"
def bpe_merges(words, num_merges):
    raise NotImplementedError("Write your answer here, then delete this line.")


# %% mistake="counted-once" edits="words with their frequency"
# - counts[symbols[i], symbols[i + 1]] += frequency[word]
# + counts[symbols[i], symbols[i + 1]] += 1

# %% mistake="counted-once: each different word" edits="textbook"
# - split = [list(word) for word in words]
# + split = [list(word) for word in dict.fromkeys(words)]

# %% mistake="counted-once: once a word" edits="textbook"
# - for pair in zip(symbols, symbols[1:]):
# + for pair in dict.fromkeys(zip(symbols, symbols[1:])):

# %% mistake="ties-otherwise: the last of the winners" edits="textbook"
# - best = max(counts, key=counts.get)
# + best = max(reversed(counts), key=counts.get)

# %% mistake="ties-otherwise: the last in the alphabet" edits="textbook"
# - best = max(counts, key=counts.get)
# + best = max(counts, key=lambda pair: (counts[pair], pair))

# %% mistake="ties-otherwise: the first in the alphabet" edits="textbook"
# - best = max(counts, key=counts.get)
# + best = min(counts, key=lambda pair: (-counts[pair], pair))

# %% mistake="ties-otherwise: the words are sorted" edits="textbook"
# - split = [list(word) for word in words]
# + split = [list(word) for word in sorted(words)]

# %% mistake="ties-otherwise: the most frequent words come first" edits="textbook"
# - split = [list(word) for word in words]
# + split = [list(word) for word in sorted(words, key=words.count, reverse=True)]

# %% mistake="ties-otherwise: the first one that was ever counted" edits="textbook"
# - for _ in range(num_merges):
# - counts = {}
# + counts = {}
# + for _ in range(num_merges):
# +     counts = dict.fromkeys(counts, 0)
# - if not counts:
# + if not any(counts.values()):

# %% mistake="merges-across-words: one long text" edits="textbook"
# - split = [list(word) for word in words]
# + split = [list("".join(words))]

# %% mistake="merges-across-words: with spaces between them" edits="textbook"
# - split = [list(word) for word in words]
# + split = [list(" ".join(words))]


# %% mistake="counts-not-renewed: counted once at the start"
def bpe_merges(words, num_merges):
    counts = Counter()
    for word in words:
        counts.update(zip(word, word[1:]))
    return [pair for pair, _ in counts.most_common(num_merges)]


# %% mistake="counts-not-renewed: added to the old ones" edits="textbook"
# - merges = []
# - for _ in range(num_merges):
# - counts = {}
# + merges = []
# + counts = {}
# + for _ in range(num_merges):

# %% mistake="counts-not-renewed: nothing is merged" edits="textbook"
# - split = [merge(symbols, best) for symbols in split]
# + [merge(symbols, best) for symbols in split]

# %% mistake="merged-once" edits="merged in place"
# - symbols[i : i + 2] = [best[0] + best[1]]
# + symbols[i : i + 2] = [best[0] + best[1]]
# + break

# %% mistake="merged-once: the first word alone" edits="textbook"
# - split = [merge(symbols, best) for symbols in split]
# + split = [merge(split[0], best)] + split[1:]

# %% mistake="symbols-glued: replaced in the text" edits="a pattern on words with spaces"
# - split = [pattern.sub(lambda found: "".join(best), text) for text in split]
# + split = [text.replace(" ".join(best), "".join(best)) for text in split]

# %% mistake="wrong-overlaps: from the right" edits="textbook"
# - split = [merge(symbols, best) for symbols in split]
# + split = [merge_from_right(symbols, best) for symbols in split]

# %% mistake="wrong-overlaps: counted without them" edits="textbook"
# - for pair in zip(symbols, symbols[1:]):
# - counts[pair] = counts.get(pair, 0) + 1
# + last = None
# + for i, pair in enumerate(zip(symbols, symbols[1:])):
# +     if last == (i - 1, pair):
# +         continue
# +     counts[pair] = counts.get(pair, 0) + 1
# +     last = (i, pair)


# %% mistake="wrong-overlaps: a symbol is used twice"
def bpe_merges(words, num_merges):
    split = [list(word) for word in words]
    merges = []
    for _ in range(num_merges):
        counts = Counter(pair for symbols in split for pair in zip(symbols, symbols[1:]))
        if not counts:
            break
        best = max(counts, key=counts.get)
        merges.append(best)
        for number, symbols in enumerate(split):
            merged = []
            for i, symbol in enumerate(symbols):
                if tuple(symbols[i : i + 2]) == best:
                    merged.append("".join(best))
                elif i == 0 or tuple(symbols[i - 1 : i + 1]) != best:
                    merged.append(symbol)
            split[number] = merged
    return merges


# %% mistake="end-marker-added" edits="textbook"
# - split = [list(word) for word in words]
# + split = [[*word, "</w>"] for word in words]

# %% mistake="end-marker-added: an underscore" edits="textbook"
# - split = [list(word) for word in words]
# + split = [list(word + "_") for word in words]

# %% mistake="merged-tokens-returned" edits="textbook"
# - merges.append(best)
# + merges.append("".join(best))

# %% mistake="merged-tokens-returned: the words in their pieces" edits="textbook"
# - return merges
# + return split

# %% mistake="wrong-type: pairs with their counts" edits="textbook"
# - merges.append(best)
# + merges.append((best, counts[best]))

# %% mistake="wrong-type: a dictionary" edits="textbook"
# - return merges
# + return {pair: "".join(pair) for pair in merges}

# %% mistake="wrong-type: an array of NumPy" edits="textbook"
# - return merges
# + return np.array(merges)

# %% mistake="wrong-type: no return" edits="textbook"
# - return merges
# + print(merges)

# %% mistake="raises: no pair is left" edits="textbook"
# - if not counts:
# + if counts is None:

# %% mistake="stopped-early: a pair that is there once" edits="textbook"
# - best = max(counts, key=counts.get)
# + best = max(counts, key=counts.get)
# + if counts[best] < 2:
# +     break

# %% mistake="too-slow: the loop never ends" edits="words with their frequency"
# - if not counts:
# + if not counts and num_merges < 0:
# - best, _ = counts.most_common(1)[0]
# + best = max(counts, key=counts.get, default=None)
# + if best is None:
# +     continue

# %% mistake="input-modified: words are taken out of the list" edits="textbook"
# - split = [list(word) for word in words]
# + split = []
# + while words:
# +     split.append(list(words.pop(0)))

# %% mistake="input-modified: words are turned into lists" edits="textbook"
# - split = [list(word) for word in words]
# + for i, word in enumerate(words):
# +     words[i] = list(word)
# + split = [list(word) for word in words]

# %% mistake="rarest-merged" edits="textbook"
# - best = max(counts, key=counts.get)
# + best = min(counts, key=counts.get)

# %% mistake="unrecognized: pairs turned round" edits="textbook"
# - merges.append(best)
# + merges.append(best[::-1])

# %% mistake="unrecognized: lower case" edits="textbook"
# - split = [list(word) for word in words]
# + split = [list(word.lower()) for word in words]

# %% mistake="merged-tokens-returned: a pair as one text" edits="textbook"
# - merges.append(best)
# + merges.append(" ".join(best))

# %% mistake="counted-once: the words in a set" also="ties-otherwise" edits="textbook"
# - split = [list(word) for word in words]
# + split = [list(word) for word in sorted(set(words))]

# %% mistake="counted-once: each word, the last winner" also="ties-otherwise" edits="textbook"
# - split = [list(word) for word in words]
# + split = [list(word) for word in dict.fromkeys(words)]
# - best = max(counts, key=counts.get)
# + best = max(reversed(counts), key=counts.get)

# %% mistake="counted-once: each word, the alphabet" also="ties-otherwise" edits="textbook"
# - split = [list(word) for word in words]
# + split = [list(word) for word in dict.fromkeys(words)]
# - best = max(counts, key=counts.get)
# + best = min(counts, key=lambda pair: (-counts[pair], pair))

# %% mistake="symbols-glued: and the alphabet" also="ties-otherwise" edits="a pattern on words with spaces"
# - best = max(counts, key=lambda pair: counts[pair])
# + best = min(counts, key=lambda pair: (-counts[pair], pair))
# - split = [pattern.sub(lambda found: "".join(best), text) for text in split]
# + split = [text.replace(" ".join(best), "".join(best)) for text in split]


# %% mistake="last-symbol-lost"
def bpe_merges(words, num_merges):
    split = [list(word) for word in words]
    merges = []
    for _ in range(num_merges):
        counts = {}
        for symbols in split:
            for pair in zip(symbols, symbols[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=counts.get)
        merges.append(best)
        new = []
        for symbols in split:
            merged, i = [], 0
            while i < len(symbols) - 1:
                if (symbols[i], symbols[i + 1]) == best:
                    merged.append(symbols[i] + symbols[i + 1])
                    i += 2
                else:
                    merged.append(symbols[i])
                    i += 1
            new.append(merged)
        split = new
    return merges


# %% mistake="counted-once: and nothing is merged" also="counts-not-renewed"
def bpe_merges(words, num_merges):
    counts = Counter()
    for word in dict.fromkeys(words):
        counts.update(zip(word, word[1:]))
    return [pair for pair, _ in counts.most_common(num_merges)]


# %% mistake="one-merge-too-many" edits="textbook"
# - for _ in range(num_merges):
# + for _ in range(num_merges + 1):

# %% mistake="merged-once: and no pair is left" edits="merged in place"
# - if len(pairs) == 0:
# + if pairs is None:
# - symbols[i : i + 2] = [best[0] + best[1]]
# + symbols[i : i + 2] = [best[0] + best[1]]
# + break

# %% mistake="last-left-out: the last pair, and joined" also="merged-tokens-returned" edits="textbook"
# - for pair in zip(symbols, symbols[1:]):
# + for pair in zip(symbols[:-1], symbols[1:-1]):
# - merges.append(best)
# + merges.append("".join(best))


# %% correct="one step a line"
def bpe_merges(words, num_merges):
    split = [list(word) for word in words]
    merges = []
    rounds = num_merges
    for step in range(rounds):
        counts = {}
        for symbols in split:
            for i in range(len(symbols) - 1):
                pair = (symbols[i], symbols[i + 1])
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = None
        for pair in counts:
            if best is None or counts[pair] > counts[best]:
                best = pair
        merges.append(best)
        new = []
        for symbols in split:
            merged, i = [], 0
            while i < len(symbols):
                if (symbols[i], *symbols[i + 1 : i + 2]) == best:
                    merged.append(symbols[i] + symbols[i + 1])
                    i += 2
                else:
                    merged.append(symbols[i])
                    i += 1
            new.append(merged)
        split = new
    return merges


# %% mistake="counted-once: a step, each different word" edits="one step a line"
# - split = [list(word) for word in words]
# + split = [list(word) for word in dict.fromkeys(words)]

# %% mistake="counted-once: a step, the words in a sorted set" also="ties-otherwise" edits="one step a line"
# - split = [list(word) for word in words]
# + split = [list(word) for word in sorted(set(words))]

# %% mistake="counted-once: a step, once a word" edits="one step a line"
# - for i in range(len(symbols) - 1):
# - pair = (symbols[i], symbols[i + 1])
# + for pair in dict.fromkeys(zip(symbols, symbols[1:])):

# %% mistake="ties-otherwise: a step, the last of the winners" edits="one step a line"
# - if best is None or counts[pair] > counts[best]:
# + if best is None or counts[pair] >= counts[best]:

# %% mistake="ties-otherwise: a step, the alphabet" edits="one step a line"
# - for pair in counts:
# + for pair in sorted(counts):

# %% mistake="ties-otherwise: a step, the alphabet turned round" edits="one step a line"
# - for pair in counts:
# + for pair in sorted(counts, reverse=True):

# %% mistake="merges-across-words: a step" edits="one step a line"
# - split = [list(word) for word in words]
# + split = [list("".join(words))]

# %% mistake="merges-across-words: a step, with spaces" edits="one step a line"
# - split = [list(word) for word in words]
# + split = [list(" ".join(words))]

# %% mistake="stopped-early: a step, pairs that are there once" edits="one step a line"
# - if not counts:
# + if not counts or max(counts.values()) < 2:

# %% mistake="one-merge-too-many: a step" edits="one step a line"
# - rounds = num_merges
# + rounds = num_merges + 1

# %% mistake="last-left-out: a step, one merge too few" edits="one step a line"
# - rounds = num_merges
# + rounds = num_merges - 1

# %% mistake="last-left-out: a step, the last pair of a word" edits="one step a line"
# - for i in range(len(symbols) - 1):
# + for i in range(len(symbols) - 2):

# %% mistake="merged-tokens-returned: a step" edits="one step a line"
# - merges.append(best)
# + merges.append(best[0] + best[1])

# %% mistake="merged-tokens-returned: a step, with a space" edits="one step a line"
# - merges.append(best)
# + merges.append(" ".join(best))

# %% mistake="merged-tokens-returned: a step, the words" edits="one step a line"
# - return merges
# + return split

# %% mistake="last-symbol-lost: a step" edits="one step a line"
# - while i < len(symbols):
# + while i < len(symbols) - 1:

# %% mistake="symbol-doubled: a step" edits="one step a line"
# - i += 2
# + i += 1

# %% mistake="counts-not-renewed: a step, counted at the start" edits="one step a line"
# - for step in range(rounds):
# - counts = {}
# - for symbols in split:
# - for i in range(len(symbols) - 1):
# - pair = (symbols[i], symbols[i + 1])
# - counts[pair] = counts.get(pair, 0) + 1
# - if not counts:
# + counts = {}
# + for symbols in split:
# +     for i in range(len(symbols) - 1):
# +         pair = (symbols[i], symbols[i + 1])
# +         counts[pair] = counts.get(pair, 0) + 1
# + for step in range(rounds):
# +     if not counts:
# - split = new
# + del counts[best]

# %% mistake="counts-not-renewed: a step, nothing is merged" edits="one step a line"
# - split = new
# + pass

# %% mistake="counts-not-renewed: a step, added to the old ones" edits="one step a line"
# - rounds = num_merges
# - for step in range(rounds):
# - counts = {}
# + rounds = num_merges
# + counts = {}
# + for step in range(rounds):

# %% mistake="merged-once: a step, the first place of a word" edits="one step a line"
# - i += 2
# + merged += symbols[i + 2 :]
# + break

# %% mistake="merged-once: a step, the first word alone" edits="one step a line"
# - split = new
# + split = new[:1] + split[1:]

# %% mistake="rarest-merged: a step" edits="one step a line"
# - if best is None or counts[pair] > counts[best]:
# + if best is None or counts[pair] < counts[best]:

# %% mistake="end-marker-added: a step" edits="one step a line"
# - split = [list(word) for word in words]
# + split = [[*word, "_"] for word in words]


# %% mistake="symbol-doubled: in a for loop that ends before" also="last-symbol-lost" edits="one step a line"
# - while i < len(symbols):
# - if (symbols[i], *symbols[i + 1 : i + 2]) == best:
# - merged.append(symbols[i] + symbols[i + 1])
# - i += 2
# - else:
# - merged.append(symbols[i])
# - i += 1
# + for i in range(len(symbols) - 1):
# +     if (symbols[i], symbols[i + 1]) == best:
# +         merged.append(symbols[i] + symbols[i + 1])
# +     else:
# +         merged.append(symbols[i])

# %% mistake="one-merge-too-many: in place" edits="merged in place"
# - for step in range(num_merges):
# + for step in range(num_merges + 1):

# %% mistake="counted-once: in place, each different word" edits="merged in place"
# - split = [[letter for letter in word] for word in words]
# + split = [[letter for letter in word] for word in dict.fromkeys(words)]

# %% mistake="ties-otherwise: in place, the last" edits="merged in place"
# - best = [pair for pair in pairs if counts[pair] == most][0]
# + best = [pair for pair in pairs if counts[pair] == most][-1]

# %% mistake="ties-otherwise: in place, the alphabet" edits="merged in place"
# - best = [pair for pair in pairs if counts[pair] == most][0]
# + best = min(pair for pair in pairs if counts[pair] == most)

# %% mistake="merged-tokens-returned: in place" edits="merged in place"
# - merges.append([best[0], best[1]])
# + merges.append(best[0] + best[1])

# %% mistake="stopped-early: in place" edits="merged in place"
# - if len(pairs) == 0:
# + if len(pairs) == 0 or len(set(pairs)) == len(pairs):

# %% mistake="merges-across-words: in place" edits="merged in place"
# - split = [[letter for letter in word] for word in words]
# + split = [[letter for word in words for letter in word]]
