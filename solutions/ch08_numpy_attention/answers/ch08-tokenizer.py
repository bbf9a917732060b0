# %% setup
import re

import numpy as np

PATTERN = r"[.,!?;:]|[^\s.,!?;:]+"


# %% correct="textbook"
class SimpleTokenizer:
    def __init__(self, corpus):
        self.vocab = {"<unk>": 0}
        for token in self.split(corpus):
            if token not in self.vocab:
                self.vocab[token] = len(self.vocab)

    def split(self, text):
        return re.findall(PATTERN, text)

    def encode(self, text):
        return [self.vocab.get(token, 0) for token in self.split(text)]

    def decode(self, ids):
        tokens = list(self.vocab)
        text = " ".join(tokens[number] for number in ids)
        return re.sub(r" ([.,!?;:])", r"\1", text)


# %% correct="spaces around the marks"
class SimpleTokenizer:
    def __init__(self, corpus):
        tokens = dict.fromkeys(["<unk>"] + self.tokens(corpus))
        self.vocab = {token: number for number, token in enumerate(tokens)}
        self.words = {number: token for token, number in self.vocab.items()}

    def tokens(self, text):
        for mark in ".,!?;:":
            text = text.replace(mark, " " + mark + " ")
        return text.split()

    def encode(self, text):
        tokens = self.tokens(text)
        return [self.vocab[token] if token in self.vocab else self.vocab["<unk>"] for token in tokens]

    def decode(self, ids):
        text = ""
        for number in ids:
            word = self.words[number]
            if text and word not in ".,!?;:":
                text += " "
            text += word
        return text


# %% correct="re.split with a group"
class SimpleTokenizer:
    def __init__(self, corpus):
        self.vocab = {"<unk>": 0}
        for token in self._split(corpus):
            self.vocab.setdefault(token, len(self.vocab))

    def _split(self, text):
        parts = re.split(r"([.,!?;:]|\s)", text)
        return [part for part in parts if part.strip()]

    def encode(self, text):
        ids = []
        for token in self._split(text):
            try:
                ids.append(self.vocab[token])
            except KeyError:
                ids.append(0)
        return ids

    def decode(self, ids):
        by_id = dict(zip(self.vocab.values(), self.vocab.keys()))
        text = " ".join([by_id[number] for number in ids])
        for mark in ".,!?;:":
            text = text.replace(" " + mark, mark)
        return text


# %% correct="character by character"
class SimpleTokenizer:
    def __init__(self, corpus):
        self.known = ["<unk>"]
        for token in tokens_of(corpus):
            if token not in self.known:
                self.known.append(token)
        self.vocab = {token: self.known.index(token) for token in self.known}

    def encode(self, text):
        return [self.vocab.get(token, self.vocab["<unk>"]) for token in tokens_of(text)]

    def decode(self, ids):
        parts = []
        for number in ids:
            token = self.known[number]
            if parts and token not in {".", ",", "!", "?", ";", ":"}:
                parts.append(" ")
            parts.append(token)
        return "".join(parts)


def tokens_of(text):
    tokens = [""]
    for letter in text:
        if letter in ".,!?;:":
            tokens += [letter, ""]
        elif letter.isspace():
            tokens.append("")
        else:
            tokens[-1] += letter
    return [token for token in tokens if token]


# %% mistake="not-implemented"
class SimpleTokenizer:
    def __init__(self, corpus):
        raise NotImplementedError("Write your answer here, then delete this line.")


# %% mistake="wrong-type: a function"
def make_tokenizer(corpus):
    return {token: number for number, token in enumerate(corpus.split())}


SimpleTokenizer = make_tokenizer("a b")


# %% mistake="not-defined"
class Tokenizer:
    pass


# %% mistake="lowercased" edits="textbook"
# - return re.findall(PATTERN, text)
# + return re.findall(PATTERN, text.lower())

# %% mistake="lowercased: the corpus alone" edits="textbook"
# - for token in self.split(corpus):
# + for token in self.split(corpus.lower()):

# %% mistake="lowercased: what is encoded alone" edits="textbook"
# - return [self.vocab.get(token, 0) for token in self.split(text)]
# + return [self.vocab.get(token, 0) for token in self.split(text.lower())]

# %% mistake="punctuation-glued" edits="textbook"
# - return re.findall(PATTERN, text)
# + return text.split()

# %% mistake="punctuation-glued: only the three common marks" edits="spaces around the marks"
# - for mark in ".,!?;:":
# - text = text.replace(mark, " " + mark + " ")
# + for mark in ".,!":
# +     text = text.replace(mark, " " + mark + " ")

# %% mistake="punctuation-glued: marks side by side are one token" edits="textbook"
# - return re.findall(PATTERN, text)
# + return re.findall(r"[.,!?;:]+|[^\s.,!?;:]+", text)

# %% mistake="punctuation-glued: at the beginning of a word" edits="spaces around the marks"
# - text = text.replace(mark, " " + mark + " ")
# + text = text.replace(mark, " " + mark)

# %% mistake="punctuation-glued: split and join" edits="textbook"
# - return re.findall(PATTERN, text)
# + return text.split()
# - return re.sub(r" ([.,!?;:])", r"\1", text)
# + return text

# %% mistake="punctuation-lost" edits="textbook"
# - return re.findall(PATTERN, text)
# + return re.findall(r"[^\s.,!?;:]+", text)

# %% mistake="punctuation-lost: words of letters alone" edits="textbook"
# - return re.findall(PATTERN, text)
# + return re.findall(r"\w+", text)

# %% mistake="punctuation-lost: stripped" edits="textbook"
# - return re.findall(PATTERN, text)
# + return [word.strip(".,!?;:") for word in text.split() if word.strip(".,!?;:")]

# %% mistake="words-cut: all that is no letter" edits="textbook"
# - return re.findall(PATTERN, text)
# + return re.findall(r"\w+|[^\w\s]", text)

# %% mistake="words-cut: letters or marks" edits="textbook"
# - return re.findall(PATTERN, text)
# + return re.findall(r"\w+|[.,!?;:]", text)

# %% mistake="words-cut: into letters" edits="textbook"
# - return re.findall(PATTERN, text)
# + return [letter for letter in text if letter.strip()]

# %% mistake="empty-tokens: spaces and nothing are tokens" edits="textbook"
# - return re.findall(PATTERN, text)
# + return re.split(r"([.,!?;:]|\s)", text)

# %% mistake="empty-tokens: nothing is a token" edits="re.split with a group"
# - return [part for part in parts if part.strip()]
# + return [part.strip() for part in parts]

# %% mistake="empty-tokens: split at single spaces" edits="spaces around the marks"
# - return text.split()
# + return text.split(" ")

# %% mistake="unknown-dropped" edits="textbook"
# - return [self.vocab.get(token, 0) for token in self.split(text)]
# + return [self.vocab[token] for token in self.split(text) if token in self.vocab]

# %% mistake="raises: unknown words" edits="textbook"
# - return [self.vocab.get(token, 0) for token in self.split(text)]
# + return [self.vocab[token] for token in self.split(text)]

# %% mistake="wrong-type: None for unknown words" edits="textbook"
# - return [self.vocab.get(token, 0) for token in self.split(text)]
# + return [self.vocab.get(token) for token in self.split(text)]

# %% mistake="vocab-of-other-texts: encode adds words" edits="textbook"
# - return [self.vocab.get(token, 0) for token in self.split(text)]
# + return [self.vocab.setdefault(token, len(self.vocab)) for token in self.split(text)]

# %% mistake="vocab-of-other-texts: one dictionary for all tokenizers" edits="textbook"
# - class SimpleTokenizer:
# - def __init__(self, corpus):
# - self.vocab = {"<unk>": 0}
# + class SimpleTokenizer:
# +     vocab = {"<unk>": 0}
# +     def __init__(self, corpus):

# %% mistake="unknown-token-missing" edits="textbook"
# - self.vocab = {"<unk>": 0}
# + self.vocab = {}

# %% mistake="unknown-token-missing: spelled in another way" edits="textbook"
# - self.vocab = {"<unk>": 0}
# + self.vocab = {"<UNK>": 0}

# %% mistake="unknown-token-missing: the ids count from 1" edits="re.split with a group"
# - self.vocab = {"<unk>": 0}
# + self.vocab = {}
# - self.vocab.setdefault(token, len(self.vocab))
# + self.vocab.setdefault(token, len(self.vocab) + 1)

# %% mistake="unknown-token-missing: known to decode alone" edits="re.split with a group"
# - self.vocab = {"<unk>": 0}
# + self.vocab = {}
# - self.vocab.setdefault(token, len(self.vocab))
# + self.vocab.setdefault(token, len(self.vocab) + 1)
# - text = " ".join([by_id[number] for number in ids])
# + text = " ".join([by_id.get(number, "<unk>") for number in ids])

# %% mistake="decode-spacing: a space before every mark" edits="textbook"
# - return re.sub(r" ([.,!?;:])", r"\1", text)
# + return text

# %% mistake="decode-spacing: a space in front of the first" edits="textbook"
# - text = " ".join(tokens[number] for number in ids)
# + text = "".join(" " + tokens[number] for number in ids)

# %% mistake="decode-spacing: before some marks" edits="textbook"
# - return re.sub(r" ([.,!?;:])", r"\1", text)
# + return text.replace(" .", ".").replace(" ,", ",")

# %% mistake="decode-spacing: a space at the end" edits="textbook"
# - text = " ".join(tokens[number] for number in ids)
# + text = "".join(tokens[number] + " " for number in ids)

# %% mistake="decode-spacing: no spaces at all" edits="textbook"
# - text = " ".join(tokens[number] for number in ids)
# + text = "".join(tokens[number] for number in ids)

# %% mistake="decode-spacing: a space at the beginning" edits="spaces around the marks"
# - if text and word not in ".,!?;:":
# + if word not in ".,!?;:":

# %% mistake="decode-spacing: none behind a mark" edits="textbook"
# - return re.sub(r" ([.,!?;:])", r"\1", text)
# + return re.sub(r" ([.,!?;:]) ?", r"\1", text)

# %% mistake="decode-spacing: marks are cut off" edits="textbook"
# - return re.sub(r" ([.,!?;:])", r"\1", text)
# + return re.sub(r" ([.,!?;:])", "", text)

# %% mistake="ids-in-another-order: a known token gets a new id" edits="textbook"
# - if token not in self.vocab:
# - self.vocab[token] = len(self.vocab)
# + self.vocab[token] = len(self.vocab)
# - tokens = list(self.vocab)
# - text = " ".join(tokens[number] for number in ids)
# + tokens = {number: token for token, number in self.vocab.items()}
# + text = " ".join(tokens[number] for number in ids)

# %% mistake="ids-in-another-order: the first word shares 0" edits="textbook"
# - self.vocab = {"<unk>": 0}
# - for token in self.split(corpus):
# - if token not in self.vocab:
# - self.vocab[token] = len(self.vocab)
# + self.vocab = {}
# + for token in self.split(corpus):
# +     if token not in self.vocab:
# +         self.vocab[token] = len(self.vocab)
# + self.vocab["<unk>"] = 0

# %% mistake="ids-in-another-order: unk comes last, and 0 for unknown words" edits="textbook"
# - self.vocab = {"<unk>": 0}
# - for token in self.split(corpus):
# - if token not in self.vocab:
# - self.vocab[token] = len(self.vocab)
# + self.vocab = {}
# + for token in self.split(corpus):
# +     if token not in self.vocab:
# +         self.vocab[token] = len(self.vocab)
# + self.vocab["<unk>"] = len(self.vocab)

# %% mistake="ids-in-another-order: sorted" edits="textbook"
# - for token in self.split(corpus):
# + for token in sorted(set(self.split(corpus))):

# %% mistake="ids-in-another-order: the order of a set" edits="textbook"
# - for token in self.split(corpus):
# + for token in set(self.split(corpus)):

# %% mistake="ids-in-another-order: unk comes last" edits="character by character"
# - self.known = ["<unk>"]
# + self.known = []
# - self.vocab = {token: self.known.index(token) for token in self.known}
# + self.known.append("<unk>")
# + self.vocab = {token: self.known.index(token) for token in self.known}

# %% mistake="ids-in-another-order: numbers of places, with gaps" edits="re.split with a group"
# - self.vocab = {"<unk>": 0}
# - for token in self._split(corpus):
# - self.vocab.setdefault(token, len(self.vocab))
# + self.vocab = {"<unk>": 0}
# + for place, token in enumerate(self._split(corpus)):
# +     self.vocab[token] = place + 1

# %% mistake="ids-in-another-order: the first token gets 2" edits="re.split with a group"
# - self.vocab.setdefault(token, len(self.vocab))
# + self.vocab.setdefault(token, len(self.vocab) + 1)

# %% mistake="ids-in-another-order: the most frequent first" edits="textbook"
# - for token in self.split(corpus):
# + tokens = self.split(corpus)
# + for token in sorted(tokens, key=tokens.count, reverse=True):

# %% mistake="wrong-type: ids as an array" edits="textbook"
# - return [self.vocab.get(token, 0) for token in self.split(text)]
# + return np.array([self.vocab.get(token, 0) for token in self.split(text)])

# %% mistake="wrong-type: tokens instead of ids" edits="textbook"
# - return [self.vocab.get(token, 0) for token in self.split(text)]
# + return [token if token in self.vocab else "<unk>" for token in self.split(text)]

# %% mistake="wrong-type: encode returns nothing" edits="textbook"
# - return [self.vocab.get(token, 0) for token in self.split(text)]
# + ids = [self.vocab.get(token, 0) for token in self.split(text)]

# %% mistake="wrong-type: decode returns tokens" edits="textbook"
# - text = " ".join(tokens[number] for number in ids)
# - return re.sub(r" ([.,!?;:])", r"\1", text)
# + return [tokens[number] for number in ids]

# %% mistake="wrong-type: decode returns nothing" edits="textbook"
# - return re.sub(r" ([.,!?;:])", r"\1", text)
# + text = re.sub(r" ([.,!?;:])", r"\1", text)

# %% mistake="wrong-type: the vocabulary the other way round" edits="spaces around the marks"
# - self.words = {number: token for token, number in self.vocab.items()}
# + self.words = {number: token for token, number in self.vocab.items()}
# + self.vocab, self.ids = self.words, self.vocab
# - return [self.vocab[token] if token in self.vocab else self.vocab["<unk>"] for token in tokens]
# + return [self.ids.get(token, 0) for token in tokens]

# %% mistake="wrong-type: the vocabulary as a list" edits="character by character"
# - self.vocab = {token: self.known.index(token) for token in self.known}
# + self.vocab = self.known
# - return [self.vocab.get(token, self.vocab["<unk>"]) for token in tokens_of(text)]
# + return [self.known.index(token) if token in self.known else 0 for token in tokens_of(text)]

# %% mistake="raises: no attribute vocab" edits="character by character"
# - self.vocab = {token: self.known.index(token) for token in self.known}
# + self.vocabulary = {token: self.known.index(token) for token in self.known}
# - return [self.vocab.get(token, self.vocab["<unk>"]) for token in tokens_of(text)]
# + return [self.vocabulary.get(token, self.vocabulary["<unk>"]) for token in tokens_of(text)]

# %% mistake="unrecognized: decode gives back the text that was encoded" edits="textbook"
# - return [self.vocab.get(token, 0) for token in self.split(text)]
# + self.text = text
# + return [self.vocab.get(token, 0) for token in self.split(text)]
# - text = " ".join(tokens[number] for number in ids)
# - return re.sub(r" ([.,!?;:])", r"\1", text)
# + return self.text

# %% mistake="unrecognized: every token once" edits="textbook"
# - return [self.vocab.get(token, 0) for token in self.split(text)]
# + return list(dict.fromkeys(self.vocab.get(token, 0) for token in self.split(text)))

# %% mistake="words-cut: digits are tokens of their own" edits="textbook"
# - return re.findall(PATTERN, text)
# + return re.findall(r"[.,!?;:]|\d+|[^\s.,!?;:\d]+", text)

# %% mistake="punctuation-glued: only full stop and comma" edits="spaces around the marks"
# - for mark in ".,!?;:":
# - text = text.replace(mark, " " + mark + " ")
# + for mark in ".,":
# +     text = text.replace(mark, " " + mark + " ")

# %% mistake="punctuation-glued: only the three that end a sentence" edits="spaces around the marks"
# - for mark in ".,!?;:":
# - text = text.replace(mark, " " + mark + " ")
# + for mark in ".!?":
# +     text = text.replace(mark, " " + mark + " ")

# %% mistake="decode-spacing: a space before every mark, and unknown words raise" edits="textbook"
# - return [self.vocab.get(token, 0) for token in self.split(text)]
# + return [self.vocab[token] for token in self.split(text)]
# - return re.sub(r" ([.,!?;:])", r"\1", text)
# + return text

# %% mistake="decode-spacing: none on both sides of a mark" edits="textbook"
# - return re.sub(r" ([.,!?;:])", r"\1", text)
# + return re.sub(r" ?([.,!?;:]) ?", r"\1", text)

# %% mistake="decode-spacing: the first letter is cut off" edits="textbook"
# - text = " ".join(tokens[number] for number in ids)
# - return re.sub(r" ([.,!?;:])", r"\1", text)
# + text = "".join(" " + tokens[number] for number in ids)
# + return re.sub(r" ([.,!?;:])", r"\1", text)[1:]

# %% mistake="ids-in-another-order: the first word shares 0, unk for decode" edits="re.split with a group"
# - self.vocab = {"<unk>": 0}
# - for token in self._split(corpus):
# - self.vocab.setdefault(token, len(self.vocab))
# + self.vocab = {}
# + for token in self._split(corpus):
# +     self.vocab.setdefault(token, len(self.vocab))
# + self.vocab["<unk>"] = 0

# %% mistake="lowercased: and no space on both sides of a mark" also="decode-spacing" edits="textbook"
# - return re.findall(PATTERN, text)
# + return re.findall(PATTERN, text.lower())
# - return re.sub(r" ([.,!?;:])", r"\1", text)
# + return re.sub(r" ?([.,!?;:]) ?", r"\1", text)

# %% mistake="vocab-of-other-texts: and a space in front" also="decode-spacing" edits="textbook"
# - return [self.vocab.get(token, 0) for token in self.split(text)]
# + return [self.vocab.setdefault(token, len(self.vocab)) for token in self.split(text)]
# - text = " ".join(tokens[number] for number in ids)
# + text = "".join(" " + tokens[number] for number in ids)


# %% correct="a word that grows by letters"
class SimpleTokenizer:
    def __init__(self, corpus):
        self.vocab = {"<unk>": 0}
        for token in self.cut(corpus):
            if token not in self.vocab:
                self.vocab[token] = len(self.vocab)

    def cut(self, text):
        tokens, word = [], ""
        for letter in text:
            if letter in ".,!?;:" or letter.isspace():
                if word:
                    tokens.append(word)
                word = ""
                if not letter.isspace():
                    tokens.append(letter)
            else:
                word += letter
        if word:
            tokens.append(word)
        return tokens

    def encode(self, text):
        ids = []
        for token in self.cut(text):
            ids.append(self.vocab.get(token, 0))
        return ids

    def decode(self, ids):
        tokens = list(self.vocab)
        text = ""
        for number in ids:
            if tokens[number] in ".,!?;:":
                text += tokens[number]
            else:
                text += " " + tokens[number]
        return text.strip()


# %% mistake="last-word-lost" edits="a word that grows by letters"
# - if word:
# - tokens.append(word)
# - return tokens
# + return tokens

# %% mistake="split-at-spaces-alone" edits="a word that grows by letters"
# - if letter in ".,!?;:" or letter.isspace():
# + if letter in ".,!?;:" or letter == " ":
# - if not letter.isspace():
# + if letter != " ":

# %% mistake="last-word-lost: spaces alone" also="split-at-spaces-alone" edits="a word that grows by letters"
# - if letter in ".,!?;:" or letter.isspace():
# + if letter in ".,!?;:" or letter == " ":
# - if not letter.isspace():
# + if letter != " ":
# - if word:
# - tokens.append(word)
# - return tokens
# + return tokens

# %% mistake="decode-spacing: a space before marks, of a word that grows" edits="a word that grows by letters"
# - if tokens[number] in ".,!?;:":
# - text += tokens[number]
# - else:
# - text += " " + tokens[number]
# + text += " " + tokens[number]

# %% mistake="decode-spacing: a space in front, of a word that grows" edits="a word that grows by letters"
# - return text.strip()
# + return text

# %% mistake="lowercased: a word that grows" edits="a word that grows by letters"
# - for letter in text:
# + for letter in text.lower():

# %% mistake="unknown-dropped: a word that grows" edits="a word that grows by letters"
# - ids.append(self.vocab.get(token, 0))
# + if token in self.vocab:
# +     ids.append(self.vocab[token])

# %% mistake="vocab-of-other-texts: a word that grows" edits="a word that grows by letters"
# - ids.append(self.vocab.get(token, 0))
# + ids.append(self.vocab.setdefault(token, len(self.vocab)))

# %% mistake="punctuation-lost: the mark is not appended" edits="a word that grows by letters"
# - tokens.append(letter)
# + pass

# %% mistake="empty-tokens: no question whether there is a word" edits="a word that grows by letters"
# - if word:
# - tokens.append(word)
# - word = ""
# + tokens.append(word)
# + word = ""

# %% mistake="word-not-emptied" edits="a word that grows by letters"
# - word = ""
# - if not letter.isspace():
# + if not letter.isspace():

# %% mistake="first-round-only: encode returns in the loop" edits="a word that grows by letters"
# - ids.append(self.vocab.get(token, 0))
# - return ids
# + ids.append(self.vocab.get(token, 0))
# + return ids

# %% mistake="first-round-only: encode returns in the loop, an empty list otherwise" edits="textbook"
# - return [self.vocab.get(token, 0) for token in self.split(text)]
# + return [self.vocab.get(token, 0) for token in self.split(text)][:1]

# %% mistake="first-round-only: decode returns in the loop" edits="a word that grows by letters"
# - else:
# - text += " " + tokens[number]
# - return text.strip()
# + else:
# +     text += " " + tokens[number]
# + return text.strip()

# %% mistake="first-round-only: the constructor's loop adds the first alone" edits="textbook"
# - for token in self.split(corpus):
# + for token in self.split(corpus)[:1]:

# %% mistake="decoded-by-place: unk comes last in the dictionary" edits="re.split with a group"
# - self.vocab = {"<unk>": 0}
# - for token in self._split(corpus):
# - self.vocab.setdefault(token, len(self.vocab))
# + self.vocab = {}
# + for token in self._split(corpus):
# +     self.vocab.setdefault(token, len(self.vocab) + 1)
# + self.vocab["<unk>"] = 0
# - text = " ".join([by_id[number] for number in ids])
# + text = " ".join([list(self.vocab)[number] for number in ids])

# %% mistake="decoded-by-place: one place too far back" edits="textbook"
# - text = " ".join(tokens[number] for number in ids)
# + text = " ".join(tokens[number - 1] for number in ids)

# %% mistake="decoded-by-place: the list of all tokens of the corpus" edits="textbook"
# - self.vocab = {"<unk>": 0}
# + self.vocab = {"<unk>": 0}
# + self.all = ["<unk>"] + self.split(corpus)
# - text = " ".join(tokens[number] for number in ids)
# + text = " ".join(self.all[number] for number in ids)

# %% mistake="decoded-by-place: sorted tokens" edits="textbook"
# - tokens = list(self.vocab)
# + tokens = sorted(self.vocab)

# %% mistake="ids-in-another-order: a known token gets a new id, places in decode" edits="textbook"
# - if token not in self.vocab:
# - self.vocab[token] = len(self.vocab)
# + self.vocab[token] = len(self.vocab)

# %% mistake="ids-in-another-order: unk comes last, with its own id" edits="textbook"
# - self.vocab = {"<unk>": 0}
# - for token in self.split(corpus):
# - if token not in self.vocab:
# - self.vocab[token] = len(self.vocab)
# + self.vocab = {}
# + for token in self.split(corpus):
# +     if token not in self.vocab:
# +         self.vocab[token] = len(self.vocab)
# + self.vocab["<unk>"] = len(self.vocab)
# - return [self.vocab.get(token, 0) for token in self.split(text)]
# + return [self.vocab.get(token, self.vocab["<unk>"]) for token in self.split(text)]

# %% mistake="decode-spacing: no strip, none behind a mark" edits="a word that grows by letters"
# - if tokens[number] in ".,!?;:":
# - text += tokens[number]
# - else:
# - text += " " + tokens[number]
# + if text and text[-1] in ".,!?;:" or tokens[number] in ".,!?;:":
# +     text += tokens[number]
# + else:
# +     text += " " + tokens[number]

# %% mistake="decode-spacing: unk is left out" edits="textbook"
# - text = " ".join(tokens[number] for number in ids)
# + text = " ".join(tokens[number] for number in ids if number)

# %% mistake="decode-spacing: a space behind words, none behind marks" edits="textbook"
# - text = " ".join(tokens[number] for number in ids)
# - return re.sub(r" ([.,!?;:])", r"\1", text)
# + return "".join(tokens[number] if tokens[number] in ".,!?;:" else tokens[number] + " " for number in ids)


# %% correct="one step a line"
MARKS = [".", ",", "!", "?", ";", ":"]


class SimpleTokenizer:
    def __init__(self, corpus):
        self.vocab = {}
        for token in self.cut(corpus):
            if token not in self.vocab:
                self.vocab[token] = len(self.vocab) + 1
        self.vocab["<unk>"] = 0

    def cut(self, text):
        pattern = r"[^\s.,!?;:]+|[.,!?;:]"
        tokens = re.findall(pattern, text)
        return tokens

    def encode(self, text):
        ids = []
        for token in self.cut(text):
            if token in self.vocab:
                ids.append(self.vocab[token])
            else:
                ids.append(0)
        return ids

    def decode(self, ids):
        names = {number: token for token, number in self.vocab.items()}
        out = ""
        for place, number in enumerate(ids):
            token = names.get(number, "<unk>")
            if place > 0 and token not in MARKS:
                out = out + " "
            out = out + token
        return out


# %% mistake="lowercased: one step a line" edits="one step a line"
# - tokens = re.findall(pattern, text)
# + tokens = re.findall(pattern, text.lower())

# %% mistake="words-cut: letters, and all other signs" edits="one step a line"
# - pattern = r"[^\s.,!?;:]+|[.,!?;:]"
# + pattern = r"\w+|[^\w\s]"

# %% mistake="words-cut: letters, and the six marks" edits="one step a line"
# - pattern = r"[^\s.,!?;:]+|[.,!?;:]"
# + pattern = r"\w+|[.,!?;:]"

# %% mistake="punctuation-glued: split at spaces" edits="one step a line"
# - pattern = r"[^\s.,!?;:]+|[.,!?;:]"
# + pattern = r"\S+"

# %% mistake="punctuation-lost: words alone" edits="one step a line"
# - pattern = r"[^\s.,!?;:]+|[.,!?;:]"
# + pattern = r"[^\s.,!?;:]+"

# %% mistake="decode-spacing: a space before marks" edits="one step a line"
# - if place > 0 and token not in MARKS:
# + if place > 0:

# %% mistake="decode-spacing: in front" edits="one step a line"
# - if place > 0 and token not in MARKS:
# + if token not in MARKS:

# %% mistake="decode-spacing: before each token" edits="one step a line"
# - if place > 0 and token not in MARKS:
# + if True:

# %% mistake="decode-spacing: no spaces" edits="one step a line"
# - out = out + " "
# + out = out + ""

# %% mistake="unknown-dropped: no else" edits="one step a line"
# - else:
# - ids.append(0)

# %% mistake="unknown-token-missing: one step a line" edits="one step a line"
# - self.vocab["<unk>"] = 0
# + pass

# %% mistake="ids-in-another-order: the first word has 0" edits="one step a line"
# - self.vocab[token] = len(self.vocab) + 1
# + self.vocab[token] = len(self.vocab)

# %% mistake="vocab-of-other-texts: one step a line" edits="one step a line"
# - ids.append(0)
# + self.vocab[token] = len(self.vocab)
# + ids.append(self.vocab[token])

# %% mistake="empty-tokens: letter by letter" edits="one step a line"
# - pattern = r"[^\s.,!?;:]+|[.,!?;:]"
# - tokens = re.findall(pattern, text)
# + tokens, word = [], ""
# + for letter in text:
# +     if letter in MARKS or letter.isspace():
# +         tokens.append(word)
# +         word = ""
# +         if letter in MARKS:
# +             tokens.append(letter)
# +     else:
# +         word = word + letter
# + if word != "":
# +     tokens.append(word)

# %% mistake="empty-tokens: letter by letter, at the end, too" edits="one step a line"
# - pattern = r"[^\s.,!?;:]+|[.,!?;:]"
# - tokens = re.findall(pattern, text)
# + tokens, word = [], ""
# + for letter in text:
# +     if letter in MARKS or letter.isspace():
# +         tokens.append(word)
# +         word = ""
# +         if letter in MARKS:
# +             tokens.append(letter)
# +     else:
# +         word = word + letter
# + tokens.append(word)

# %% mistake="empty-tokens: spaces around marks, then split at one space" edits="one step a line"
# - tokens = re.findall(pattern, text)
# + tokens = re.sub(r"([.,!?;:])", r" \1 ", text).split(" ")

# %% mistake="decode-spacing: the first letter is cut off, one step a line" edits="one step a line"
# - if place > 0 and token not in MARKS:
# + if token not in MARKS:
# - return out
# + return out[1:]

# %% mistake="decode-spacing: none behind a mark, one step a line" edits="one step a line"
# - if place > 0 and token not in MARKS:
# + if out != "" and token not in MARKS and out[-1] not in MARKS:

# %% mistake="punctuation-glued: full stop and comma alone" edits="one step a line"
# - tokens = re.findall(pattern, text)
# + tokens = text.replace(".", " . ").replace(",", " , ").split()

# %% mistake="last-word-lost: one step a line" edits="one step a line"
# - tokens = re.findall(pattern, text)
# + tokens = re.findall(pattern, text)
# + if text and not text[-1].isspace() and text[-1] not in MARKS:
# +     tokens = tokens[:-1]

# %% mistake="split-at-spaces-alone: one step a line" edits="one step a line"
# - pattern = r"[^\s.,!?;:]+|[.,!?;:]"
# + pattern = r"[^ .,!?;:]+|[.,!?;:]"

# %% mistake="first-round-only: encode returns in the loop, one step a line" edits="one step a line"
# - return ids
# +     return ids

# %% mistake="first-round-only: decode returns in the loop, one step a line" edits="one step a line"
# - return out
# +     return out

# %% mistake="ids-in-another-order: the first word has 0 and is found first" edits="one step a line"
# - self.vocab[token] = len(self.vocab) + 1
# + self.vocab[token] = len(self.vocab)
# - names = {number: token for token, number in self.vocab.items()}
# + names = {number: token for token, number in reversed(self.vocab.items())}

# %% mistake="words-cut: more marks than six, and dashes" edits="one step a line"
# - tokens = re.findall(pattern, text)
# + tokens = [part.strip() for part in re.split(r"([,.:;?_!\"()']|--|\s)", text) if part.strip()]

# %% mistake="punctuation-glued: four of the marks" edits="one step a line"
# - pattern = r"[^\s.,!?;:]+|[.,!?;:]"
# + pattern = r"[^\s.,!?]+|[.,!?]"

# %% mistake="unknown-token-missing: the ids count from 0, one step a line" edits="one step a line"
# - self.vocab[token] = len(self.vocab) + 1
# - self.vocab["<unk>"] = 0
# + self.vocab[token] = len(self.vocab)

# %% mistake="decode-spacing: two of the marks" edits="textbook"
# - return re.sub(r" ([.,!?;:])", r"\1", text)
# + return re.sub(r" ([.,!?])", r"\1", text)

# %% mistake="punctuation-glued: encode alone splits at spaces" edits="textbook"
# - return [self.vocab.get(token, 0) for token in self.split(text)]
# + return [self.vocab.get(token, 0) for token in text.split()]
