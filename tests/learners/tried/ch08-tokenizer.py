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

# %% mistake="ids-in-another-order: a known token gets a new id" also="decode-spacing" edits="mine"
# - if token not in self.vocab:
# - self.vocab[token] = len(self.vocab)
# + self.vocab[token] = len(self.vocab)
# - if text != "" and token not in [".", ",", "!", "?", ";", ":"]:
# + if text != "":

# %% mistake="punctuation-glued: split, and a space in front" also="decode-spacing" edits="mine"
# - tokens = re.findall(r"[^\s.,!?;:]+|[.,!?;:]", text)
# + tokens = text.split()
# - if text != "" and token not in [".", ",", "!", "?", ";", ":"]:
# + if token not in [".", ",", "!", "?", ";", ":"]:

# %% mistake="decoded-by-place: unk comes last, and decode counts places" edits="letter by letter"
# - token = [t for t in self.vocab if self.vocab[t] == number][0]
# + token = list(self.vocab)[number]

# %% mistake="raises: decode does not know the new words" also="input-modified" says="KeyError" edits="mine"
# - self.vocab[token] = len(self.vocab)
# + self.vocab[token] = len(self.vocab)
# + self.back = {number: token for token, number in self.vocab.items()}
# - return [self.vocab.get(token, 0) for token in self.cut(text)]
# + ids = []
# + for token in self.cut(text):
# +     if token not in self.vocab:
# +         self.vocab[token] = len(self.vocab)
# +     ids.append(self.vocab[token])
# + return ids
# - back = {number: token for token, number in self.vocab.items()}
# - text = ""
# - for number in ids:
# - token = back[number]
# + text = ""
# + while ids:
# +     token = self.back[ids.pop(0)]

# %% mistake="lowercased: a set, and spaces before some marks" also="decode-spacing" edits="mine"
# - for token in self.cut(corpus):
# + for token in set(self.cut(corpus)):
# - tokens = re.findall(r"[^\s.,!?;:]+|[.,!?;:]", text)
# + tokens = re.findall(r"[^\s.,!?;:]+|[.,!?;:]", text.lower())
# - text = ""
# - for number in ids:
# - token = back[number]
# - if text != "" and token not in [".", ",", "!", "?", ";", ":"]:
# - text = text + " "
# - text = text + token
# - return text
# + text = " ".join(back[number] for number in ids)
# + return text.replace(" .", ".").replace(" ,", ",")

# %% mistake="words-cut: and a counter that runs on" edits="mine"
# - for token in self.cut(corpus):
# - if token not in self.vocab:
# - self.vocab[token] = len(self.vocab)
# + i = 1
# + for token in self.cut(corpus):
# +     if token not in self.vocab:
# +         self.vocab[token] = i
# +     i += 1
# - tokens = re.findall(r"[^\s.,!?;:]+|[.,!?;:]", text)
# + tokens = re.findall(r"\w+|[.,!?;:]", text)

# %% mistake="ids-in-another-order: unk last with the largest id" edits="mine"
# - self.vocab = {"<unk>": 0}
# - for token in self.cut(corpus):
# - if token not in self.vocab:
# - self.vocab[token] = len(self.vocab)
# + self.vocab = {}
# + for token in self.cut(corpus):
# +     if token not in self.vocab:
# +         self.vocab[token] = len(self.vocab)
# + self.vocab["<unk>"] = len(self.vocab)
# - return [self.vocab.get(token, 0) for token in self.cut(text)]
# + return [self.vocab.get(token, self.vocab["<unk>"]) for token in self.cut(text)]

# %% mistake="ids-in-another-order: unk last, and 0 for unknown words" edits="mine"
# - self.vocab = {"<unk>": 0}
# - for token in self.cut(corpus):
# - if token not in self.vocab:
# - self.vocab[token] = len(self.vocab)
# + self.vocab = {}
# + for token in self.cut(corpus):
# +     if token not in self.vocab:
# +         self.vocab[token] = len(self.vocab)
# + self.vocab["<unk>"] = len(self.vocab)

# %% mistake="unrecognized: a set of the tokens with unk, sorted" edits="mine"
# - self.vocab = {"<unk>": 0}
# - for token in self.cut(corpus):
# - if token not in self.vocab:
# - self.vocab[token] = len(self.vocab)
# + self.vocab = {}
# + for number, token in enumerate(sorted(set(["<unk>"] + self.cut(corpus)))):
# +     self.vocab[token] = number

# %% mistake="ids-in-another-order: enumerate without a dictionary's check" edits="mine"
# - for token in self.cut(corpus):
# - if token not in self.vocab:
# - self.vocab[token] = len(self.vocab)
# + for number, token in enumerate(self.cut(corpus)):
# +     self.vocab[token] = number + 1

# %% mistake="decode-spacing: and the ids are the first word's 0" also="ids-in-another-order" edits="mine"
# - self.vocab = {"<unk>": 0}
# - for token in self.cut(corpus):
# - if token not in self.vocab:
# - self.vocab[token] = len(self.vocab)
# + self.vocab = {}
# + for token in self.cut(corpus):
# +     if token not in self.vocab:
# +         self.vocab[token] = len(self.vocab)
# + self.vocab["<unk>"] = 0
# - if text != "" and token not in [".", ",", "!", "?", ";", ":"]:
# + if text != "":

# %% mistake="words-cut: only letters and digits, marks kept, and lower()" also="lowercased" edits="mine"
# - tokens = re.findall(r"[^\s.,!?;:]+|[.,!?;:]", text)
# + tokens = re.findall(r"\w+|[^\w\s]", text.lower())

# %% mistake="last-word-lost: and a space before marks" also="decode-spacing" edits="letter by letter"
# - if word != "":
# - out.append(word)
# - return out
# + return out
# - if k > 0 and token not in MARKS:
# + if k > 0:

# %% mistake="unknown-dropped: and a space before marks" also="decode-spacing" edits="letter by letter"
# - return [self.vocab[t] if t in self.vocab else 0 for t in self.cut(text)]
# + return [self.vocab[t] for t in self.cut(text) if t in self.vocab]
# - if k > 0 and token not in MARKS:
# + if k > 0:

# %% mistake="unknown-token-missing: and a space in front" also="decode-spacing" edits="letter by letter"
# - self.vocab["<unk>"] = 0
# + pass
# - for k, number in enumerate(ids):
# - token = [t for t in self.vocab if self.vocab[t] == number][0]
# - if k > 0 and token not in MARKS:
# + for k, number in enumerate(ids):
# +     token = ([t for t in self.vocab if self.vocab[t] == number] + ["<unk>"])[0]
# +     if token not in MARKS:

# %% mistake="first-round-only: encode returns in the loop" edits="letter by letter"
# - return [self.vocab[t] if t in self.vocab else 0 for t in self.cut(text)]
# + for t in self.cut(text):
# +     return [self.vocab[t] if t in self.vocab else 0]

# %% mistake="first-round-only: decode returns in the loop" edits="letter by letter"
# - out = out + token
# - return out
# + out = out + token
# + return out

# %% mistake="word-not-emptied: the word is not emptied" edits="letter by letter"
# - word = ""
# - if c in MARKS:
# + if c in MARKS:

# %% mistake="punctuation-lost: the mark is not appended" edits="letter by letter"
# - if c in MARKS:
# - out.append(c)
# + if c in MARKS:
# +     pass

# %% mistake="empty-tokens: no question whether the word is empty" edits="letter by letter"
# - if c in MARKS or c.isspace():
# - if word != "":
# - out.append(word)
# + if c in MARKS or c.isspace():
# +     out.append(word)

# %% mistake="decode-spacing: unknown words are left out" never="The spaces are not where" edits="mine"
# - for number in ids:
# - token = back[number]
# + for number in filter(None, ids):
# +     token = back[number]

# %% mistake="punctuation-glued: encode alone splits at spaces" never="not in the way asked for|first failed case" edits="mine"
# - return [self.vocab.get(token, 0) for token in self.cut(text)]
# + return [self.vocab.get(token, 0) for token in text.split()]
