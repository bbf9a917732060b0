"""Refusals of what cannot be graded: what came, what was expected, and what to do, said in one place.

The student reads them on the feedback page and the instructor in every list, so that they fit both.
"""

from grader.errors import SubmissionError
from grader.messages import Message, message, sentences

EXPECTED = message("Expected the .ipynb file that JupyterLab saves.")
# What to do, by what is wrong.
EMPTY = message("Download and collect it again; if it stays so, hand in the notebook again.")
DAMAGED = message(
    "Download and collect it again; if it stays so, save it in JupyterLab, and hand it in again."
)
OTHER_FILE = message("Hand in the notebook itself, not an export, a print or an archive of it.")
TOO_LARGE = message("In JupyterLab choose Edit, Clear Outputs of All Cells, save it, and hand it in again.")
TOO_MUCH = message("Take out what is no answer, such as pasted data or text, save it, and hand it in again.")
NO_FILE = message("Put the file itself there, as it was handed in, and grade again.")
UNREADABLE = message("Make it readable for your account, and grade again.")
FOLDER = message("Give the folder the student's name.")
# Continues a clause of `grader collect`.
CLEARED = "It is taken with its outputs cleared"
AGAIN = "Download it again, and collect; if it stays so, ask for the file again"


def refused(*said: Message) -> SubmissionError:
    """Return the error that tells some sentences, the last one of which says what to do."""
    return SubmissionError(sentences(said))


def not_a_notebook(came: Message, to_do: Message) -> SubmissionError:
    """Return the error of a file that is no notebook."""
    return refused(came, EXPECTED, to_do)


def too_much(came: Message) -> SubmissionError:
    """Return the error of a notebook that exceeds a limit even without its outputs."""
    return refused(came, TOO_MUCH)
