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

# %% mistake="counted-once: a set, in whatever order" also="ties-otherwise" edits="mine"
# - tokens = [list(w) for w in words]
# + tokens = [list(w) for w in sorted(set(words))]

# %% mistake="counted-once: different words, alphabet" also="ties-otherwise" edits="mine"
# - tokens = [list(w) for w in words]
# + tokens = [list(w) for w in dict.fromkeys(words)]
# - best = max(counts, key=counts.get)
# + best = sorted(counts, key=lambda p: (-counts[p], p))[0]

# %% mistake="ties-otherwise: the last one that is not smaller" edits="mine"
# - best = max(counts, key=counts.get)
# + best, most = None, 0
# + for p in counts:
# +     if counts[p] >= most:
# +         best, most = p, counts[p]

# %% correct="a new list for each word"
def bpe_merges(words, num_merges):
    splits = [list(w) for w in words]
    merges = []
    for _ in range(num_merges):
        counts = {}
        for s in splits:
            for p in zip(s, s[1:]):
                counts[p] = counts.get(p, 0) + 1
        if not counts:
            break
        best = max(counts, key=counts.get)
        merges.append(best)
        new = []
        for s in splits:
            out, i = [], 0
            while i < len(s):
                if i + 1 < len(s) and (s[i], s[i + 1]) == best:
                    out.append(s[i] + s[i + 1])
                    i += 2
                else:
                    out.append(s[i])
                    i += 1
            new.append(out)
        splits = new
    return merges

# %% mistake="last-symbol-lost: the loop ends before it" edits="a new list for each word"
# - while i < len(s):
# - if i + 1 < len(s) and (s[i], s[i + 1]) == best:
# + while i < len(s) - 1:
# +     if (s[i], s[i + 1]) == best:

# %% mistake="one-merge-too-many" edits="a new list for each word"
# - for _ in range(num_merges):
# + for _ in range(num_merges + 1):

# %% mistake="counted-once: and stopped at 1" also="stopped-early" edits="a new list for each word"
# - splits = [list(w) for w in words]
# + splits = [list(w) for w in dict.fromkeys(words)]
# - if not counts:
# + if not counts or max(counts.values()) < 2:

# %% mistake="counted-once: and once for all" also="counts-not-renewed"
def bpe_merges(words, num_merges):
    counts = {}
    for w in dict.fromkeys(words):
        for p in zip(w, w[1:]):
            counts[p] = counts.get(p, 0) + 1
    return sorted(counts, key=lambda p: -counts[p])[:num_merges]

# %% mistake="merged-once: the first place, and no pair is left" edits="mine"
# - if not counts:
# - break
# - best = max(counts, key=counts.get)
# + best = max(counts, key=counts.get)
# - t[i : i + 2] = [t[i] + t[i + 1]]
# + t[i : i + 2] = [t[i] + t[i + 1]]
# + break

# %% mistake="merged-tokens-returned: joined, and not the last pair" also="last-left-out" edits="mine"
# - for i in range(len(t) - 1):
# + for i in range(len(t) - 2):
# - result.append(best)
# + result.append("".join(best))

# %% mistake="symbols-glued: and the first in the alphabet" also="ties-otherwise"
def bpe_merges(words, num_merges):
    texts = [" ".join(w) for w in words]
    merges = []
    for _ in range(num_merges):
        counts = Counter()
        for text in texts:
            s = text.split()
            counts.update(zip(s, s[1:]))
        if not counts:
            break
        best = min(counts, key=lambda p: (-counts[p], p))
        merges.append(best)
        texts = [text.replace(best[0] + " " + best[1], best[0] + best[1]) for text in texts]
    return merges

# %% mistake="counts-not-renewed: counted once, sorted"
def bpe_merges(words, num_merges):
    counts = {}
    for w in words:
        for p in zip(w, w[1:]):
            counts[p] = counts.get(p, 0) + 1
    return sorted(counts, key=counts.get, reverse=True)[:num_merges]

# %% mistake="ties-otherwise: the alphabet" also="merged-tokens-returned" edits="a new list for each word"
# - best = max(counts, key=counts.get)
# - merges.append(best)
# + best = max(sorted(counts), key=counts.get)
# + merges.append(best[0] + best[1])

# %% mistake="unrecognized: three at once, the last, in a for loop" edits="a new list for each word"
# - best = max(counts, key=counts.get)
# + best = None
# + for p in counts:
# +     if best is None or counts[p] >= counts[best]:
# +         best = p
# - out, i = [], 0
# - while i < len(s):
# - if i + 1 < len(s) and (s[i], s[i + 1]) == best:
# - out.append(s[i] + s[i + 1])
# - i += 2
# - else:
# - out.append(s[i])
# - i += 1
# + out = []
# + for i in range(len(s) - 1):
# +     if (s[i], s[i + 1]) == best:
# +         out.append(s[i] + s[i + 1])
# +     else:
# +         out.append(s[i])

# %% mistake="symbol-doubled: in a for loop" also="last-symbol-lost" edits="a new list for each word"
# - out, i = [], 0
# - while i < len(s):
# - if i + 1 < len(s) and (s[i], s[i + 1]) == best:
# - out.append(s[i] + s[i + 1])
# - i += 2
# - else:
# - out.append(s[i])
# - i += 1
# + out = []
# + for i in range(len(s) - 1):
# +     if (s[i], s[i + 1]) == best:
# +         out.append(s[i] + s[i + 1])
# +     else:
# +         out.append(s[i])

# %% mistake="symbol-doubled: i goes on by one" edits="a new list for each word"
# - i += 2
# + i += 1

# %% mistake="stopped-early: and lists for pairs" edits="mine"
# - if not counts:
# + if not counts or max(counts.values()) < 2:
# - return result
# + return [list(p) for p in result]

# %% mistake="input-modified: words are split in place" edits="mine"
# - tokens = [list(w) for w in words]
# + tokens = words
# + for i in range(len(tokens)):
# +     tokens[i] = list(tokens[i])

# %% mistake="merged-once: the first place of a word, and one merge" also="one-merge-too-many" edits="mine"
# - for step in range(num_merges):
# + for step in range(num_merges + 1):
# - t[i : i + 2] = [t[i] + t[i + 1]]
# + t[i : i + 2] = [t[i] + t[i + 1]]
# + break

# %% mistake="rarest-merged: sorted from below" edits="mine"
# - best = max(counts, key=counts.get)
# + best = sorted(counts, key=counts.get)[0]

# %% mistake="one-merge-too-many: and each word once" also="counted-once" edits="mine"
# - tokens = [list(w) for w in words]
# - result = []
# - for step in range(num_merges):
# + tokens = [list(w) for w in dict.fromkeys(words)]
# + result = []
# + for step in range(num_merges + 1):

# %% mistake="merges-across-words: one text, the last of equals" also="ties-otherwise" edits="mine"
# - tokens = [list(w) for w in words]
# + tokens = [list("".join(words))]
# - best = max(counts, key=counts.get)
# + best = sorted(counts, key=counts.get)[-1]

# %% mistake="counts-not-renewed: the new words are thrown away" edits="a new list for each word"
# - splits = new
# + pass

# %% mistake="last-left-out: one merge too few" edits="a new list for each word"
# - for _ in range(num_merges):
# + for _ in range(num_merges - 1):

# %% mistake="last-symbol-lost: and joined" also="merged-tokens-returned" edits="a new list for each word"
# - merges.append(best)
# + merges.append("".join(best))
# - while i < len(s):
# - if i + 1 < len(s) and (s[i], s[i + 1]) == best:
# + while i < len(s) - 1:
# +     if (s[i], s[i + 1]) == best:
