"""What a student and the instructor are told of a cell that was recovered, replaced or not found."""

from grader.messages import message

PUT_BACK_BLANK = message("The cell {cell} was missing and was put back, without an answer.")
FOUND_BY_ID = message("The cell {cell} had lost its metadata and was found by its cell id.")
FOUND_BY_CALL = message("The cell {cell} was found by what it calls.")
FOUND_BY_NAME = message("The cell {cell} was found by the name that it defines.")
CHANGED_METADATA = message("The cell {cell} had changed metadata; the course's own was used.")
ALL_RAN = message("The cell {cell} was there {number} times, each one different; all ran in their order.")
ONE_COUNTED = message("The cell {cell} was there {number} times; one of them counted.")
ONE_RAN = message("The cell {cell} was there {number} times; one of them ran.")
OTHER_KIND = message("The cell {cell} had been turned into another kind of cell; it was read as {kind}.")
KIND_WORDS = {"code": message("code"), "markdown": message("markdown")}
BLANK_ANSWERED_ELSEWHERE = message(
    "The cell {cell} holds no answer; its answer was found in another exercise's cell."
)
MISSING_ANSWERED_ELSEWHERE = message(
    "The cell {cell} is missing; its answer was found in another exercise's cell."
)
DEFINED_AGAIN = message(
    "The cell {cell} defines {subject}, and so does another cell behind it; what was defined last before its "
    "check was graded."
)
IS_MISSING = message("The cell {cell} is missing.")
UNDEFINED = message("The cell {cell} does not define {subject}.")
PUT_BACK = message("The cell {cell} was missing and was put back.")
MOVED = message("The cell {cell} stood before the answer and was moved behind it.")
CHANGED = message("The cell {cell} had been changed; the course's own was used.")
OWN_DEFINITIONS = message("The cell {cell} held definitions of its own, which ran as an ordinary cell.")
IMPORTS_MISSING = message(
    "Imports of the first code cell were missing up to the first answer: {lines}. They were put there, and "
    "ran before all other code."
)
IMPORTS_UNSURE = message(
    "Imports of the first code cell stand in a cell that was changed and may stop before it comes to them: "
    "{lines}. They ran before all other code."
)
