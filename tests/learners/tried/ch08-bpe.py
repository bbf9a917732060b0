# %% setup
from collections import Counter

# %% correct="mine"
def bpe_merges(words, num_merges):
    tokens = [list(w) for w in words]
    result = []
    for step in range(num_merges):
        counts = Counter()
        for t in tokens:
            for i in range(len(t) - 1):
                counts[(t[i], t[i + 1])] += 1
        if not counts:
            break
        best = max(counts, key=counts.get)
        result.append(best)
        for t in tokens:
            i = 0
            while i < len(t) - 1:
                if (t[i], t[i + 1]) == best:
                    t[i : i + 2] = [t[i] + t[i + 1]]
                i += 1
    return result

# %% mistake="counts-not-renewed: counted once for all" edits="mine"
# - for step in range(num_merges):
# - counts = Counter()
# - for t in tokens:
# - for i in range(len(t) - 1):
# - counts[(t[i], t[i + 1])] += 1
# - if not counts:
# + counts = Counter()
# + for t in tokens:
# +     for i in range(len(t) - 1):
# +         counts[(t[i], t[i + 1])] += 1
# + for step in range(num_merges):
# +     if not counts:
# - best = max(counts, key=counts.get)
# + best = max(counts, key=counts.get)
# + del counts[best]

# %% mistake="counted-once: each word once, in order" edits="mine"
# - tokens = [list(w) for w in words]
# + tokens = [list(w) for w in dict.fromkeys(words)]

# %% mistake="raises: no pair is left" edits="mine"
# - if not counts:
# -     break

# %% mistake="merged-tokens-returned: joined" edits="mine"
# - result.append(best)
# + result.append(best[0] + best[1])

# %% mistake="merges-across-words: one text" edits="mine"
# - tokens = [list(w) for w in words]
# + tokens = [list("".join(words))]

# %% mistake="merges-across-words: spaces are symbols" edits="mine"
# - tokens = [list(w) for w in words]
# + tokens = [list(" ".join(words))]

# %% mistake="ties-otherwise: the last of equals" edits="mine"
# - best = max(counts, key=counts.get)
# + best = sorted(counts, key=counts.get)[-1]

# %% mistake="ties-otherwise: by the alphabet" edits="mine"
# - best = max(counts, key=counts.get)
# + best = max(sorted(counts), key=counts.get)

# %% mistake="ties-otherwise: the largest of the alphabet" edits="mine"
# - best = max(counts, key=counts.get)
# + best = max(counts.items(), key=lambda item: (item[1], item[0]))[0]

# %% mistake="merged-once: one place of a word" edits="mine"
# - t[i : i + 2] = [t[i] + t[i + 1]]
# + t[i : i + 2] = [t[i] + t[i + 1]]
# + break

# %% mistake="raises: the list shrinks" edits="mine"
# - i = 0
# - while i < len(t) - 1:
# + for i in range(len(t) - 1):
# - i += 1

# %% mistake="symbols-glued: replaced in the text"
def bpe_merges(words, num_merges):
    texts = [" ".join(w) for w in words]
    result = []
    for step in range(num_merges):
        counts = Counter()
        for text in texts:
            t = text.split(" ")
            counts.update(zip(t, t[1:]))
        if not counts:
            break
        best = max(counts, key=counts.get)
        result.append(best)
        texts = [text.replace(best[0] + " " + best[1], best[0] + best[1]) for text in texts]
    return result

# %% mistake="stopped-early: pairs that are there once" edits="mine"
# - if not counts:
# + if not counts or max(counts.values()) == 1:

# %% mistake="merged-tokens-returned: a pair as one text with a space" edits="mine"
# - result.append(best)
# + result.append(best[0] + " " + best[1])

# %% mistake="unrecognized: return inside the loop" edits="mine"
# - result.append(best)
# + result.append(best)
# + return result

# %% mistake="last-left-out: the last pair of a word is not counted" edits="mine"
# - for i in range(len(t) - 1):
# + for i in range(len(t) - 2):

# %% mistake="ties-otherwise: the last of equals, in words that count once" also="counted-once" edits="mine"
# - tokens = [list(w) for w in words]
# + tokens = [list(w) for w in dict.fromkeys(words)]
# - best = max(counts, key=counts.get)
# + best = sorted(counts, key=counts.get)[-1]
