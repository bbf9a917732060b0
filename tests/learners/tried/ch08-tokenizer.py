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

# %% correct="letter by letter"
MARKS = [".", ",", "!", "?", ";", ":"]


class SimpleTokenizer:
    def __init__(self, corpus):
        self.vocab = {}
        for token in self.cut(corpus):
            if token not in self.vocab:
                self.vocab[token] = len(self.vocab) + 1
        self.vocab["<unk>"] = 0

    def cut(self, text):
        out = []
        word = ""
        for c in text:
            if c in MARKS or c.isspace():
                if word != "":
                    out.append(word)
                word = ""
                if c in MARKS:
                    out.append(c)
            else:
                word = word + c
        if word != "":
            out.append(word)
        return out

    def encode(self, text):
        return [self.vocab[t] if t in self.vocab else 0 for t in self.cut(text)]

    def decode(self, ids):
        out = ""
        for k, number in enumerate(ids):
            token = [t for t in self.vocab if self.vocab[t] == number][0]
            if k > 0 and token not in MARKS:
                out = out + " "
            out = out + token
        return out

# %% mistake="last-word-lost: nothing behind the loop" edits="letter by letter"
# - if word != "":
# - out.append(word)
# - return out
# + return out

# %% mistake="split-at-spaces-alone: no tab, no line end" edits="letter by letter"
# - if c in MARKS or c.isspace():
# + if c in MARKS or c == " ":

# %% mistake="ids-in-another-order: the first word has 0, as the unknown one" edits="letter by letter"
# - self.vocab[token] = len(self.vocab) + 1
# + self.vocab[token] = len(self.vocab)

# %% mistake="decode-spacing: none behind a mark" edits="letter by letter"
# - if k > 0 and token not in MARKS:
# + if out != "" and token not in MARKS and out[-1] not in MARKS:

# %% mistake="lowercased: and no space behind a mark" also="decode-spacing" edits="mine"
# - tokens = re.findall(r"[^\s.,!?;:]+|[.,!?;:]", text)
# + tokens = re.findall(r"[^\s.,!?;:]+|[.,!?;:]", text.lower())
# - text = ""
# - for number in ids:
# - token = back[number]
# - if text != "" and token not in [".", ",", "!", "?", ";", ":"]:
# - text = text + " "
# - text = text + token
# - return text
# + tokens = [back[number] for number in ids]
# + return re.sub(r" ?([.,!?;:]) ?", r"\1", " ".join(tokens))

# %% mistake="words-cut: letters and marks" edits="mine"
# - tokens = re.findall(r"[^\s.,!?;:]+|[.,!?;:]", text)
# + tokens = re.findall(r"\w+|[.,!?;:]", text)

# %% mistake="vocab-of-other-texts: and a space in front" also="decode-spacing" edits="letter by letter"
# - self.vocab = {}
# - for token in self.cut(corpus):
# - if token not in self.vocab:
# - self.vocab[token] = len(self.vocab) + 1
# - self.vocab["<unk>"] = 0
# + self.vocab = {"<unk>": 0}
# + self.encode(corpus)
# - return [self.vocab[t] if t in self.vocab else 0 for t in self.cut(text)]
# + ids = []
# + for t in self.cut(text):
# +     if t not in self.vocab:
# +         self.vocab[t] = len(self.vocab)
# +     ids.append(self.vocab[t])
# + return ids
# - if k > 0 and token not in MARKS:
# + if token not in MARKS:

# %% mistake="decode-spacing: the first letter is cut off" edits="letter by letter"
# - for k, number in enumerate(ids):
# - token = [t for t in self.vocab if self.vocab[t] == number][0]
# - if k > 0 and token not in MARKS:
# - out = out + " "
# - out = out + token
# - return out
# + for number in ids:
# +     token = [t for t in self.vocab if self.vocab[t] == number][0]
# +     out = out + (token if token in MARKS else " " + token)
# + return out[1:]
