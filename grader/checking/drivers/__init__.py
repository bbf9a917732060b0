"""Run a subject on one case and record what happened. A driver knows no expected value.

A driver is a function ``(exercise, subject, case, device, recorder)``; ``Exercise.driver`` names it.
"""

from collections.abc import Callable

from grader.checking.drivers.arrays import drive_arrays
from grader.checking.drivers.exposes import drive_exposes
from grader.checking.drivers.function import drive_function, drive_number
from grader.checking.drivers.generate import drive_generate
from grader.checking.drivers.module import drive_module
from grader.checking.drivers.names import drive_names
from grader.checking.drivers.run_on import drive_run_on
from grader.checking.drivers.texts import drive_texts, drive_tokenizer
from grader.checking.drivers.transfer import drive_transfer
from grader.topics import table

# Those of the package; topics have some more.
DRIVERS: dict[str, Callable] = {
    "module": drive_module,
    "function": drive_function,
    "number": drive_number,
    "transfer": drive_transfer,
    "names": drive_names,
    "run_on": drive_run_on,
    "arrays": drive_arrays,
    "texts": drive_texts,
    "tokenizer": drive_tokenizer,
    "exposes": drive_exposes,
    "generate": drive_generate,
}


def known_drivers() -> dict[str, Callable]:
    """Return every driver by its name."""
    return DRIVERS | table("drivers", "DRIVERS")
