"""The course: nbgrader's configuration, notebooks, tables, references, hidden cases, room on the disk."""

import os
import shutil
from collections.abc import Callable
from fnmatch import fnmatch
from pathlib import Path
from types import SimpleNamespace

from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from grader.checking.credit import read_credit
from grader.course.build import drift
from grader.course.compile import declaration_drift, declared_stems
from grader.course.paths import CoursePaths, chapters_in
from grader.doctor.finding import Finding, named
from grader.errors import GraderError
from grader.exercises import CHAPTERS
from grader.exercises.declaration import MISTAKES, SOURCE, SPECIMENS
from grader.files import MIB
from grader.gradebook.extensions import read_extensions
from grader.gradebook.lateness import late_rule, penalty_by
from grader.gradebook.stored import due_dates
from grader.grading.decisions import read_decisions
from grader.grading.remarks import read_remarks
from grader.grading.submissions import students_in
from grader.grading.times import instant
from grader.proving.recipe import PUBLIC_SEED
from grader.references import load_for_grading
from grader.references.store import CASES, KNOWN_WRONG, grading_folders, read_manifest, read_tensors
from grader.references.unbuilt import unbuilt_references
from grader.reporting.exports.identity import blank_ends
from grader.reporting.term.rules import read_rules

# The plug-ins that keep submissions out of a kernel, by nbgrader's option.
PLUGINS = {
    "sanitize_preprocessors": ("grader.grading.plugins.AlignSubmission",),
    "autograde_preprocessors": (
        "grader.grading.plugins.JudgeSubmission",
        "grader.grading.plugins.SaveVerdicts",
    ),
}
# nbgrader's preprocessor that runs a submission in a kernel.
KERNEL = ".Execute"
# What lies beside a chapter's solution in `solutions` and must not be copied to students.
KEPT_BACK = (
    *("answers", "grading_cases", "{chapter}.md", "reference.py", "steps.py"),
    *(SOURCE, MISTAKES, SPECIMENS, "terms.toml"),
)
GIB = 2**30
DAY = 86400.0
# What a run over a class writes is some hundred megabytes at most; below the second it may not fit.
ROOM, LITTLE_ROOM = 2 * GIB, 256 * MIB


def _class_names(configured: object) -> list[str]:
    """Return the dotted names of a list of classes; none where nbgrader's own list is only added to."""
    if not isinstance(configured, list | tuple):
        return []
    return [
        f"{one.__module__}.{one.__qualname__}" if isinstance(one, type) else str(one) for one in configured
    ]


def configuration(paths: CoursePaths, config: Config, directory: CourseDirectory) -> Finding:
    """Check that nbgrader's own commands use the course's plug-ins and keep solutions back."""
    file = paths.config.name
    chosen = {place: _class_names(config.Autograde.get(place)) for place in PLUGINS}
    missing = [name for place, names in PLUGINS.items() for name in names if name not in chosen[place]]
    if missing or any(name.endswith(KERNEL) for names in chosen.values() for name in names):
        seen = (
            f"does not name {named([one.rpartition('.')[2] for one in missing])}"
            if missing
            else "has Execute"
        )
        return Finding(
            "configuration",
            "fails",
            f"{file} {seen}: `nbgrader autograde` would run submissions where they can write grades",
            f"Take over c.Autograde from the {file} that comes with the course.",
        )
    beside = {name.format(chapter=one.stem): None for name in KEPT_BACK for one in chapters_in(paths)}
    published = [name for name in beside if not any(fnmatch(name, pattern) for pattern in directory.ignore)]
    if published:
        return Finding(
            "configuration",
            "fails",
            f"CourseDirectory.ignore lets students have {named(published)}",
            f"Take over c.CourseDirectory.ignore from the {file} that comes with the course.",
        )
    return Finding("configuration", "ok", f"{file} names the grader's plug-ins")


def notebooks(paths: CoursePaths) -> Finding:
    """Check that the built notebooks are what their sources give; nothing is executed."""
    chapters = chapters_in(paths)
    if not chapters:
        if texts := sorted(paths.solutions.glob("*/*.md")):
            return Finding("notebooks", "fails", f"{texts[0]} is not built", "Run `grader build`.")
        return Finding(
            "notebooks", "fails", f"{paths.solutions} holds no chapter", "Name the course's folder."
        )
    problems, own = [], 0
    for chapter in chapters:
        if paths.source(chapter).is_file():
            try:
                declared = chapter.stem in declared_stems(paths)
                changed = declaration_drift(chapter.stem, paths) if declared else []
                problems += changed or drift(chapter, paths)
            except GraderError as error:
                problems.append(str(error))
        elif paths.solution(chapter).is_file():
            own += 1
        else:
            problems.append(f"{paths.solution(chapter)} is missing.")
    if problems:
        return Finding("notebooks", "fails", named(problems, 1), "Run `grader build`.")
    compared = f"{len(chapters) - own} chapters are as built" if own < len(chapters) else ""
    alone = f"{own} without a text source to compare with" if own else ""
    return Finding("notebooks", "ok", ", ".join(filter(None, (compared, alone))))


def references(paths: CoursePaths) -> Finding:
    """Check that the references are complete and unaltered."""
    problems, outdated, chapters, tensors = [], [], chapters_in(paths), 0
    for chapter in chapters:
        visible, _ = grading_folders(chapter.stem, paths)
        try:
            manifest = read_manifest(visible)
            tensors += sum(len(read_tensors(visible, name, manifest)) for name in (CASES, KNOWN_WRONG))
        except GraderError as error:
            problems.append(str(error))
        except KeyError as error:
            problems.append(f"{visible} has a manifest without {error}.")
        else:
            problems += [
                f"{visible} has nothing for {one.id}."
                for one in chapter.exercises
                if one.id not in manifest["exercises"]
            ]
        outdated += unbuilt_references(chapter, paths)
    if problems:
        advice = "Restore the folder from version control; `grader references verify` says more."
        return Finding("references", "fails", named(problems, 1), advice)
    if outdated:
        return Finding(
            "references", "fails", named(outdated, 1), "Do what it says, for each chapter that is named."
        )
    return Finding("references", "ok", f"{tensors:,} tensors of {len(chapters)} chapters are unaltered")


def tables(paths: CoursePaths) -> Finding:
    """Check that what an instructor writes can be read: credit, a term's rules, decisions and the rest."""
    readers: dict[Callable[[Path], object], Path] = {
        read_credit: paths.settings,
        read_rules: paths.settings,
        read_decisions: paths.decisions,
        read_extensions: paths.extensions,
        read_remarks: paths.remarks,
    }
    problems = []
    for read, path in readers.items():
        try:
            read(path)
        except GraderError as error:
            problems.append(str(error))
    problems = list(dict.fromkeys(problems))
    there = [path.name for path in dict.fromkeys(readers.values()) if path.is_file()]
    if problems:
        return Finding("tables", "fails", named(problems, 1), "Mend the file; the guide has an example.")
    return Finding("tables", "ok", f"{', '.join(there)} can be read" if there else "none is written")


def late_penalties(config: Config) -> Finding:
    """Check that the late-penalty rule can be imported, and call it for an invented student."""
    submission = SimpleNamespace(score=10.0)
    try:
        rule = late_rule(config)
        penalty = penalty_by(rule, "a student", submission, DAY)
    except GraderError as error:
        return Finding("late penalties", "fails", str(error), "Until then `grader grade` stops at it.")
    taken = f"{penalty or 0:g} of 10 points are taken off one who is a day late"
    return Finding("late penalties", "ok", f"{rule.plugin_class.__name__}: {taken}")


def due_date_list(directory: CourseDirectory) -> Finding:
    """Show the due dates that late penalties go by."""
    try:
        dates = due_dates(directory.db_url)
    except GraderError as error:
        return Finding("due dates", "fails", str(error), "See the line on the gradebook.")
    told = [f"{name} {instant(date)}" for name, date in sorted(dates.items()) if date]
    return Finding("due dates", "ok", ", ".join(told) or "none is set, so nothing is late")


def hidden_cases(paths: CoursePaths) -> Finding:
    """Check that there are hidden cases. Reports whether the course's own seed drew them, never the seed."""
    problems, public, chapters = [], [], chapters_in(paths)
    for chapter in chapters:
        _, hidden = grading_folders(chapter.stem, paths)
        try:
            manifest = read_manifest(hidden)
            if not isinstance(manifest.get("course_seed"), int):
                problems.append(f"{hidden} does not say with which seed it was drawn.")
            public += [chapter.stem] * (manifest.get("course_seed") == PUBLIC_SEED)
            read_tensors(hidden, CASES, manifest)
            for exercise in chapter.exercises:
                load_for_grading(chapter.stem, exercise.id, paths)
        except GraderError as error:
            problems.append(str(error))
        except KeyError as error:
            problems.append(f"{hidden} has a manifest without {error}.")
    if problems:
        return Finding(
            "hidden cases",
            "fails",
            named(problems, 1),
            "Run `grader references build` in the course.",
        )
    if public:
        whose = "all" if len(public) == len(chapters) else named(public)
        return Finding(
            "hidden cases",
            "warning",
            f"drawn from the public seed ({whose}): whoever has the repository can read them",
            "Draw your own before grading for marks: `grader references build --course-seed N`, N a large "
            "number that you keep to yourself.",
        )
    return Finding("hidden cases", "ok", f"your own, in {len(chapters)} chapters")


def submissions(directory: CourseDirectory) -> Finding:
    """Check that no folder of submissions has a name that another system takes for another student's."""
    names = {
        name for stem in CHAPTERS for name in students_in(directory, directory.submitted_directory, stem)
    }
    if blank := sorted(filter(blank_ends, names)):
        seen = f"a blank at an end of the name of {named(list(map(repr, blank)))}, which grading refuses"
        return Finding("submissions", "warning", seen, "Give the folder the student's name.")
    return Finding("submissions", "ok", f"{len(names)} students handed something in")


def disk(folder: Path) -> Finding:
    """Check that the folders that grading writes to are writable and have room."""
    if not os.access(folder, os.W_OK):
        return Finding("disk", "fails", f"{folder} cannot be written", "Grade as a user who may write there.")
    free = shutil.disk_usage(folder).free
    seen = f"{free / GIB:,.1f} GiB free where grading writes" if free >= GIB else f"{free // MIB} MiB free"
    if free >= ROOM:
        return Finding("disk", "ok", seen)
    status = "warning" if free >= LITTLE_ROOM else "fails"
    return Finding("disk", status, seen, f"Make room on the disk of {folder}.")
