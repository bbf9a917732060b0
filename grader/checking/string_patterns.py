"""Patterns of Python's strings, by their quotation mark. They are linear in the text."""

QUOTES = ('"', "'")
LONG = r"""{0}{0}{0}(?:[^{0}\\]|\\.|{0}(?!{0}{0}))*+(?:{0}{0}{0})?"""
SHORT = r"""{0}[^{0}\\\n]*+(?:\\.[^{0}\\\n]*+)*+{0}?"""
