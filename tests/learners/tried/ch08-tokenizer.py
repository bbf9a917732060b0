# %% setup
import re

# %% correct="mine"
class SimpleTokenizer:
    def __init__(self, corpus):
        self.vocab = {"<unk>": 0}
        for token in self.cut(corpus):
            if token not in self.vocab:
                self.vocab[token] = len(self.vocab)

    def cut(self, text):
        tokens = re.findall(r"[^\s.,!?;:]+|[.,!?;:]", text)
        return tokens

    def encode(self, text):
        return [self.vocab.get(token, 0) for token in self.cut(text)]

    def decode(self, ids):
        back = {number: token for token, number in self.vocab.items()}
        text = ""
        for number in ids:
            token = back[number]
            if text != "" and token not in [".", ",", "!", "?", ";", ":"]:
                text = text + " "
            text = text + token
        return text

# %% mistake="raises: another name of the attribute" edits="mine"
# - self.vocab = {"<unk>": 0}
# - for token in self.cut(corpus):
# - if token not in self.vocab:
# - self.vocab[token] = len(self.vocab)
# + self.vocabulary = {"<unk>": 0}
# + for token in self.cut(corpus):
# +     if token not in self.vocabulary:
# +         self.vocabulary[token] = len(self.vocabulary)
# - return [self.vocab.get(token, 0) for token in self.cut(text)]
# + return [self.vocabulary.get(token, 0) for token in self.cut(text)]
# - back = {number: token for token, number in self.vocab.items()}
# + back = {number: token for token, number in self.vocabulary.items()}

# %% mistake="ids-in-another-order: a sorted set" edits="mine"
# - for token in self.cut(corpus):
# + for token in sorted(set(self.cut(corpus))):

# %% mistake="ids-in-another-order: one more" edits="mine"
# - self.vocab[token] = len(self.vocab)
# + self.vocab[token] = len(self.vocab) + 1

# %% mistake="punctuation-glued: split" edits="mine"
# - tokens = re.findall(r"[^\s.,!?;:]+|[.,!?;:]", text)
# + tokens = text.split()

# %% mistake="raises: unknown words" edits="mine"
# - return [self.vocab.get(token, 0) for token in self.cut(text)]
# + return [self.vocab[token] for token in self.cut(text)]

# %% mistake="decode-spacing: a space before marks, and unknown words" says="KeyError" edits="mine"
# - return [self.vocab.get(token, 0) for token in self.cut(text)]
# + return [self.vocab[token] for token in self.cut(text)]
# - if text != "" and token not in [".", ",", "!", "?", ";", ":"]:
# + if text != "":

# %% mistake="decode-spacing: before marks" edits="mine"
# - if text != "" and token not in [".", ",", "!", "?", ";", ":"]:
# + if text != "":

# %% mistake="decode-spacing: in front of the first" edits="mine"
# - if text != "" and token not in [".", ",", "!", "?", ";", ":"]:
# + if token not in [".", ",", "!", "?", ";", ":"]:

# %% mistake="vocab-of-other-texts: encode adds words" edits="mine"
# - return [self.vocab.get(token, 0) for token in self.cut(text)]
# + for token in self.cut(text):
# +     self.vocab.setdefault(token, len(self.vocab))
# + return [self.vocab.get(token, 0) for token in self.cut(text)]

# %% mistake="unknown-dropped: left out" edits="mine"
# - return [self.vocab.get(token, 0) for token in self.cut(text)]
# + return [self.vocab[token] for token in self.cut(text) if token in self.vocab]

# %% mistake="lowercased: lower()" edits="mine"
# - tokens = re.findall(r"[^\s.,!?;:]+|[.,!?;:]", text)
# + tokens = re.findall(r"[^\s.,!?;:]+|[.,!?;:]", text.lower())

# %% mistake="punctuation-glued: only two marks" edits="mine"
# - tokens = re.findall(r"[^\s.,!?;:]+|[.,!?;:]", text)
# + tokens = text.replace(".", " . ").replace(",", " , ").split()

# %% mistake="lowercased: and a space before marks" also="decode-spacing" edits="mine"
# - tokens = re.findall(r"[^\s.,!?;:]+|[.,!?;:]", text)
# + tokens = re.findall(r"[^\s.,!?;:]+|[.,!?;:]", text.lower())
# - if text != "" and token not in [".", ",", "!", "?", ";", ":"]:
# + if text != "":

# %% mistake="unknown-dropped: left out, and a sorted set" edits="mine"
# - for token in self.cut(corpus):
# + for token in sorted(set(self.cut(corpus))):
# - return [self.vocab.get(token, 0) for token in self.cut(text)]
# + return [self.vocab[token] for token in self.cut(text) if token in self.vocab]
