"""The command ``grader``: one module for each group of commands."""

import atexit
import gc
import os
import sys
from importlib import import_module
from types import ModuleType

import click

from grader.private_api import SERVER_EXTENSION_LOADER, SERVER_EXTENSIONS

# jsonschema, which everything that reads notebooks imports, imports this to check a format that no notebook
# uses; compiling its grammar takes 1.2 s. Without it only that check is left out.
sys.modules.setdefault("rfc3987_syntax", None)

# The module of each command. It is imported when the command is used: `grader list` needs no nbgrader.
COMMANDS = {
    "new": "new:new",
    "build": "building:build",
    "bundle": "building:bundle",
    "site": "building:site",
    "references": "references:references",
    "translations": "translating:translations",
    "check": "checking:check",
    "list": "checking:list_exercises",
    "sample-class": "sample_class:sample_class",
    "collect": "collecting:collect",
    "return": "collecting:give_back",
    "term": "term:term",
    "report": "reporting:report",
    "grade": "grading:grade",
    "regrade": "regrading:regrade",
    "worker": "working:worker",
    "decide": "deciding:decide",
    "remark": "remarking:remark",
    "extend": "extending:extend",
    "due": "registering:due",
    "roster": "registering:roster",
    "export": "exporting:export",
    "similarity": "similarity:similarity",
    "doctor": "doctor:doctor",
}


# The garbage collector runs after so many net allocations.
OBJECTS = 20_000


def load(name: str) -> ModuleType:
    """Import a module of ours and the thousands beneath it.

    The garbage collector would take a fifth of the import's time, and half a second at its end, and would
    find nothing. Commands make little garbage either: collecting every 700 objects takes a fiftieth of the
    time that grading takes in the trusted process.
    """
    gc.disable()
    try:
        return import_module(f"grader.cli.{name}")
    finally:
        gc.freeze()
        gc.set_threshold(OBJECTS)
        gc.enable()


def leave_out_server() -> None:
    """Put empty modules in the place of nbgrader's server extensions, whose imports take 0.1 s."""
    for name in SERVER_EXTENSIONS:
        extension = ModuleType(name)
        setattr(extension, SERVER_EXTENSION_LOADER, None)
        sys.modules.setdefault(name, extension)


def is_nbgrader(error: ModuleNotFoundError) -> bool:
    """Return whether the missing package is nbgrader, which a student's archive does not require."""
    return (error.name or "").partition(".")[0] == "nbgrader"


def refuse() -> None:
    """Explain that a command is not available in a student's installation, and exit."""
    click.echo(
        "grader: This command is for who grades and needs nbgrader, which is not installed. "
        "In the unpacked archive: python -m pip install --requirement requirements.txt nbgrader",
        err=True,
    )
    sys.exit(2)


class LazyGroup(click.Group):
    """A group that imports a command when it is called or described."""

    def list_commands(self, context: click.Context) -> list[str]:
        """Return the names of all commands, in the order in which the help shows them."""
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Return the command of a name, None if there is none."""
        if name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[name].partition(":")
        try:
            return getattr(load(module), attribute)
        except ModuleNotFoundError as error:
            if not is_nbgrader(error):
                raise
            anything = {"ignore_unknown_options": True, "allow_extra_args": True}
            return click.Command(
                name, callback=refuse, short_help="Needs nbgrader.", context_settings=anything
            )

    def invoke(self, context: click.Context) -> object:
        """Run the command; modules that it imports now may need nbgrader, too."""
        try:
            return super().invoke(context)
        except ModuleNotFoundError as error:
            if not is_nbgrader(error):
                raise
            return refuse()


@click.group(cls=LazyGroup)
@click.version_option(package_name="grader")
def main() -> None:
    """Build, check and grade a course."""


def program() -> None:
    """Be the program ``grader``.

    It exits without finalizing the interpreter, which takes a quarter of a second with torch loaded.
    """
    leave_out_server()
    for stream in (sys.stdout, sys.stderr):  # a student's name may have signs that a terminal does not
        stream.reconfigure(errors="backslashreplace")
    try:
        main()
    except SystemExit as end:
        if not isinstance(end.code, int):
            raise
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(end.code)
