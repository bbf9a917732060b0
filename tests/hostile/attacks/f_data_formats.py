"""F: data that harms whoever reads it: what is sent, printed, raised, displayed or written as a name."""

from tests.hostile.attacks.attack import RAN, Attack

SAY = f"\nprint({RAN!r})\n"
# Bytes of one's own in the place of what a check sends, for the attacked exercise alone.
SENDS = """
import sys, struct, json, pickle
runner = sys.modules["grader.sandbox.runner"]
real, sent = runner.pack_attempt, []
def packed(header, body=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + body
def honest_facts(made):
    content = real(made)
    length = struct.unpack("<Q", content[:8])[0]
    return json.loads(content[8:8 + length]), content[8 + length:]
def pack_attempt(made):
    if sent:
        return real(made)
    sent.append(1)
    return evil(made)
runner.pack_attempt = pack_attempt
"""


def sends(name: str, tries: str, evil: str) -> Attack:
    """Return an attack that sends bytes of its own where tensors are expected."""
    return Attack(
        f"sends-{name}",
        tries,
        f"{SENDS}\n{evil.strip()}\n",
        later=f"print({RAN!r} if sent else 'never called')",
        codes=("no-result",),
    )


PWNED = "<script>PWNED()</script><img src=x onerror=PWNED()><svg/onload=PWNED()>"
HTML = f"""
html = {PWNED!r}
"""

ATTACKS = (
    sends("nothing", "no bytes at all", "def evil(made): return b''"),
    sends(
        "pickle",
        "a pickle that runs code",
        """
class Evil:
    def __reduce__(self): return (print, ("REACHED",))
def evil(made): return pickle.dumps(Evil())
""",
    ),
    sends(
        "torch-file",
        "a file of torch.save",
        """
import io, torch
def evil(made):
    file = io.BytesIO()
    torch.save({"result": torch.zeros(2)}, file)
    return file.getvalue()
""",
    ),
    sends(
        "header-too-long",
        "a header of 2**63 bytes",
        "def evil(made): return struct.pack('<Q', 2**63) + b'{}'",
    ),
    sends(
        "header-cut",
        "a header longer than what follows",
        "def evil(made): return struct.pack('<Q', 10**6) + b'{}'",
    ),
    sends("header-no-json", "a header that is no JSON", "def evil(made): return packed(b'\\xff\\xfe{')"),
    sends("header-deep", "JSON of a million levels", "def evil(made): return packed(b'[' * 10**6)"),
    sends("header-list", "a header that is no object", "def evil(made): return packed([1, 2, 3])"),
    sends(
        "header-of-numbers",
        "a number of a million digits",
        "def evil(made): return packed(b'{\"a\": ' + b'9' * 10**6 + b'}')",
    ),
    sends(
        "header-of-entries",
        "a hundred thousand tensors",
        """
def evil(made):
    entry = {"dtype": "F32", "shape": [0], "data_offsets": [0, 0]}
    return packed({f"0/parameter/p{i}": entry for i in range(40_000)})
""",
    ),
    sends(
        "facts-missing",
        "tensors without facts",
        """
def evil(made):
    header, body = honest_facts(made)
    header.pop("__metadata__")
    return packed(header, body)
""",
    ),
    sends(
        "facts-deep",
        "facts of a hundred thousand levels",
        """
def evil(made):
    header, body = honest_facts(made)
    header["__metadata__"]["facts"] = "[" * 10**5
    return packed(header, body)
""",
    ),
    sends(
        "facts-of-other-kinds",
        "facts that are all of another kind",
        """
def evil(made):
    header, body = honest_facts(made)
    facts = json.loads(header["__metadata__"]["facts"])
    for one in facts["observations"]:
        one |= {"devices": 3, "kinds": [], "registered": {"a": 1}, "buffers": None, "calls": "abc", "raised": [1]}
    header["__metadata__"]["facts"] = json.dumps(facts)
    return packed(header, body)
""",
    ),
    sends(
        "facts-not-finite",
        "NaN in the facts",
        """
def evil(made):
    header, body = honest_facts(made)
    header["__metadata__"]["facts"] = '{"problem": null, "observations": NaN}'
    return packed(header, body)
""",
    ),
    sends(
        "problem-unknown",
        "a problem with a code of its own",
        """
def evil(made):
    header, body = honest_facts(made)
    header["__metadata__"]["facts"] = json.dumps({"problem": {"code": "passed", "sentence": "Right."}, "observations": []})
    return packed(header, body)
""",
    ),
    sends(
        "offsets-overlap",
        "tensors that share bytes",
        """
def evil(made):
    header, body = honest_facts(made)
    names = [name for name in header if name != "__metadata__"]
    for name in names:
        header[name]["data_offsets"] = header[names[0]]["data_offsets"]
    return packed(header, body)
""",
    ),
    sends(
        "offsets-negative",
        "offsets outside of the file",
        """
def evil(made):
    header, body = honest_facts(made)
    for name in header:
        if name != "__metadata__":
            header[name]["data_offsets"] = [-8, 2**60]
    return packed(header, body)
""",
    ),
    sends(
        "shape-overflow",
        "shapes whose product overflows",
        """
def evil(made):
    header, body = honest_facts(made)
    for name in header:
        if name != "__metadata__":
            header[name]["shape"] = [2**32, 2**32, 2**32]
    return packed(header, body)
""",
    ),
    sends(
        "shape-negative",
        "shapes of negative, boolean and broken sizes",
        """
def evil(made):
    header, body = honest_facts(made)
    for name, shape in zip([name for name in header if name != "__metadata__"], ([-1], [True], [1.5], "ab", None)):
        header[name]["shape"] = shape
    return packed(header, body)
""",
    ),
    sends(
        "dtype-unknown",
        "dtypes that are none, or complex",
        """
def evil(made):
    header, body = honest_facts(made)
    for name in header:
        if name != "__metadata__":
            header[name]["dtype"] = "C64"
    return packed(header, body)
""",
    ),
    sends(
        "names-of-paths",
        "names that lead elsewhere",
        """
def evil(made):
    header, body = honest_facts(made)
    renamed = {name.replace("result", "../../result"): value for name, value in header.items()}
    return packed(renamed, body)
""",
    ),
    sends(
        "names-of-roles",
        "names with roles that nobody knows, and numbers of other cases",
        """
def evil(made):
    header, body = honest_facts(made)
    return packed({name.replace("0/", "99999/", 1): value for name, value in header.items()}, body)
""",
    ),
    sends(
        "keys-twice",
        "the same key twice",
        """
def evil(made):
    header, body = honest_facts(made)
    text = json.dumps(header)
    return packed((text[:-1] + ", " + text[1:]).replace("0/result", "0/kind", 1).encode(), body)
""",
    ),
    sends("too-large", "more bytes than may be sent", "def evil(made): return b'x' * (80 * 2**20)"),
    sends(
        "cases-missing",
        "one case less",
        """
from dataclasses import replace
def evil(made): return real(replace(made, observations=made.observations[:-1]))
""",
    ),
    sends(
        "cases-exchanged",
        "cases in another order",
        """
from dataclasses import replace
def evil(made): return real(replace(made, observations=made.observations[::-1]))
""",
    ),
    Attack(
        "attributes-that-break-checks",
        "attributes and flags that are none, where a number or a truth value is asked for",
        """
import sys, torch
from dataclasses import replace
runner = sys.modules["grader.sandbox.runner"]
real, done = runner.attempt, []
def attempt(exercise, subject, cases, *rest, real=real, done=done, torch=torch, replace=replace):
    made = real(exercise, subject, cases, *rest)
    if exercise.id != "ch06-multi-head-attention":
        return made
    broken = dict.fromkeys(("d_out", "num_heads", "head_dim"), float("nan"))
    done.append(1)
    return replace(made, observations=tuple(replace(one, attributes=broken, flags={"saved": []}) for one in made.observations))
runner.attempt = attempt
""",
        exercise="ch06-multi-head-attention",
        answer="wrong-attribute",
        later=f"print({RAN!r} if done else 'never called')",
    ),
    Attack(
        "html-in-outputs",
        "HTML, JavaScript, SVG, LaTeX and Markdown, displayed",
        HTML
        + """
from IPython.display import HTML, SVG, Javascript, Latex, Markdown, display
display(HTML(html), Javascript("PWNED()"), Markdown(html), Latex(r"$\\\\href{javascript:PWNED()}{x}$"))
display(SVG("<svg xmlns='http://www.w3.org/2000/svg' onload='PWNED()'></svg>"))
display({"application/javascript": "PWNED()", "text/html": html, "application/vnd.jupyter.widget-view+json": {"model_id": "x"}}, raw=True)
print(html)
import sys
print(html, file=sys.stderr)
class Shown:
    def _repr_html_(self): return html
    def _repr_mimebundle_(self, **options): return {"text/html": html, "text/plain": html}
    def __repr__(self): return html
"""
        + SAY
        + "Shown()",
    ),
    Attack(
        "html-in-errors",
        "HTML in the text and the name of an exception, in a cell and in the answer",
        HTML
        + """
Named = type(html, (Exception,), {"__str__": lambda self: html})
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        raise Named(html)
"""
        + SAY
        + "raise Named(html)",
        # A cell that raises still defines what it has defined.
        codes=("raises",),
    ),
    Attack(
        "html-in-names",
        "HTML in names of parameters, which the message tells",
        HTML
        + """
class SelfAttention_v1(SelfAttention_v1):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)
        del self.W_query
        self._parameters[html] = torch.nn.Parameter(torch.zeros(1))
        self._parameters["\\x1b[2Jcleared" + "\\u202e"] = torch.nn.Parameter(torch.zeros(1))
"""
        + SAY,
        codes=("not-registered",),
    ),
    Attack(
        "terminal-sequences",
        "sequences that a terminal obeys, and characters that turn text around",
        r"""
import sys
evil = "\x1b]0;title\x07\x1b[2J\x1b[31m\x1b]8;;http://evil\x07link\x1b]8;;\x07\x9b31m\u202egnp.exe\u2066\x00\x08\x7f\x85\u2028"
print(evil); print(evil, file=sys.stderr)
def told(self): return evil
Told = type("Told", (Exception,), {"__str__": told})
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        raise Told
"""
        + SAY
        + "raise Told",
        codes=("raises",),
    ),
    Attack(
        "surrogates",
        "text that cannot be written as UTF-8",
        r"""
print("\ud800 alone \udfff")
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        raise ValueError("\ud800" * 10)
"""
        + SAY
        + 'raise ValueError("\\udc80")',
        codes=("raises",),
    ),
    Attack(
        "pictures",
        "pictures that are none, or too large",
        """
import base64
from IPython.display import Image, display
display({"image/png": "no base64 <script>PWNED()</script>"}, raw=True)
display({"image/png": base64.b64encode(b"<svg onload=PWNED()>").decode()}, raw=True)
display({"image/png": base64.b64encode(b"\\x89PNG\\r\\n\\x1a\\n" + b"x" * (3 << 20)).decode()}, raw=True)
display({"image/svg+xml": "<svg onload='PWNED()'/>", "image/gif": "R0lGOD", "application/pdf": "JVBERi0="}, raw=True)
"""
        + SAY,
    ),
    Attack(
        "objects-in-streams",
        "things that are no text where text is written, shown and raised",
        """
import sys
class Text(str):
    def __str__(self): return "x" * 10**6
    def __len__(self): return -1
    def __getitem__(self, key): return self
    def encode(self, *rest): return b"\\xff" * 10**6
sys.stdout.write(Text("short"))
try: sys.stdout.write(3)
except TypeError: pass
try: sys.stdout.name = sys.stdout._shell = None
except AttributeError: pass
from IPython.display import display
display({"text/plain": Text("short"), 3: 4}, raw=True)
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        raise ValueError(Text("short"))
""",
        later=f"print({RAN!r})",
        shows=(),
        codes=("missing-scale",),
    ),
    Attack(
        "metadata",
        "an exception whose type lies about its name and module",
        """
class Meta(type):
    @property
    def __name__(cls): raise RuntimeError("no name")
    def __getattribute__(cls, name):
        if name == "__name__": raise RuntimeError("no name")
        return type.__getattribute__(cls, name)
class Nameless(Exception, metaclass=Meta):
    pass
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        raise Nameless
"""
        + SAY,
        spoils=(),
        codes=("raises",),
    ),
    Attack(
        "last-value-of-all-kinds",
        "a last value whose repr raises, exits or is no text",
        """
class NoText:
    def __repr__(self): return 3
class Raises:
    def __repr__(self): raise ValueError("REPR")
get_ipython().ast_node_interactivity = "all"
"""
        + SAY
        + "NoText()\nRaises()\n[Raises()]",
    ),
)
