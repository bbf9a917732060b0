"""The implementation of ``grader collect``: plan, write, and list what a person has to check."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from functools import cache

import click

from grader.cli.collecting import CollectOptions
from grader.cli.common import NOT_ALL
from grader.errors import GraderError
from grader.exercises import find_chapter
from grader.grading.class_run import only_run
from grader.grading.collected import NOT_COLLECTED
from grader.grading.course_directory import course_directory, read_config
from grader.grading.folder import listed, printable
from grader.grading.intake import has_answers
from grader.grading.master import Master, load_master
from grader.grading.submissions import TIMESTAMP
from grader.lms.archive import opened_download
from grader.lms.collect import TAKEN, Collection
from grader.lms.plan import Plan, PlanStep
from grader.lms.students import ROSTER, read_people
from grader.lms.systems import PLATFORMS
from grader.lms.uploads import Upload
from grader.reporting.exports.identity import made_known

TOLD = {
    "new": "new",
    "newer": "replaced",
    "same": "there already",
    "kept": "not replaced",
    "refused": "refused",
    "without": "without a notebook",
}


def run(options: CollectOptions) -> None:
    """Collect a download, or show what that would do.

    Raises:
        GraderError: it cannot be read, nobody is known, or somebody is grading.
    """
    chapter = find_chapter(options.chapter)
    stem = chapter.stem
    directory = course_directory(options.paths, read_config(options.paths))
    table = options.paths.root / ROSTER
    people = read_people(directory.db_url, options.roster or (table if table.is_file() else None))
    if not people and not options.take_names:
        raise GraderError(
            f"No student is known: there is no {table} and nobody in the gradebook. Write the table (id, "
            "first_name, last_name, email, lms_user_id), or take the names of the download: --take-names."
        )

    @cache
    def master() -> Master | None:  # only who has several notebooks or earlier work needs it
        known = options.paths.solution(chapter).is_file() or options.paths.student(chapter).is_file()
        return load_master(chapter, options.paths) if known else None

    def answered(content: bytes) -> bool | None:
        given = master()
        return None if given is None else has_answers(content, given)

    collection = Collection(
        directory, stem, people, options.take_names, options.whose, options.force, answered
    )
    with (
        opened_download(options.download) as members,
        nullcontext() if options.dry_run else only_run(options.paths.root),
    ):
        plan = collection.plan(members, options.system)
        steps = plan.steps if options.dry_run else tuple(collection.write(plan))
    click.echo("\n".join((*_steps(steps), *_left(plan), *_turned_away(steps), *_waiting(plan))))
    counts = Counter(TOLD[one.action] for one in steps)
    told = ", ".join(f"{count} {what}" for what, count in counts.items()) or "nobody"
    click.echo(f"{stem} from {plan.system}, {len(steps)} student{'s' * (len(steps) != 1)}: {told}.")
    if not options.dry_run and "newer" in {one.action for one in steps}:
        click.echo(f"Notebooks that were replaced are kept in {collection.replaced}.")
    if options.dry_run:
        click.echo("Nothing was written: this was a dry run.")
    if not plan.complete or "refused" in counts:
        sys.exit(NOT_ALL)


def _steps(steps: Sequence[PlanStep]) -> Iterator[str]:
    for one in steps:
        others = list(_others(one))
        if one.action == "without" or (one.action == "same" and not (one.why or others)):
            continue  # listed at the end, or counted there
        late = ", late" if one.upload.late else ""
        why = f" ({one.why})" if one.why else ""
        yield f"{printable(one.student)}: {printable(one.upload.file)}{late}, {TOLD[one.action]}{why}"
        if one.untimed:
            yield (
                f"  the time in {TIMESTAMP} was written for the earlier file and goes with it: "
                "write it anew, for this one"
            )
        yield from others


def _others(step: PlanStep) -> Iterator[str]:
    """Yield lines on a student's other files."""
    not_taken = step.notebooks if step.action in TAKEN else step.others
    yield from (f"  not taken: {_whose(other)}" for other in not_taken)
    if beside := [name for name, _ in step.came_with.files]:
        yield f"  beside it, for its code to read: {listed(beside)}"
    whose = f"{printable(step.upload.name)} ({step.upload.number})"
    yield from (f"  not taken: {whose}: {told}" for told in step.came_with.left_out)


def _whose(upload: Upload) -> str:
    """Return the owner of an upload according to the download, and its path in it."""
    return f"{printable(upload.name)} ({upload.number}): {upload.member.path}"


def _turned_away(steps: Sequence[PlanStep]) -> Iterator[str]:
    if any(one.action in ("refused", "without") for one in steps):
        yield (
            "Who is refused or without a notebook is an error in `grader grade`, which waits for a person, "
            f"unless earlier work is there: {NOT_COLLECTED} in the student's folder says what came."
        )


def _waiting(plan: Plan) -> Iterator[str]:
    if plan.waiting:
        students = ", ".join(printable(one.student) for one in plan.waiting)
        yield (
            "Students without work who may own something that has no place. They are an error in `grader "
            f"grade`, which waits for a person, never a zero: {students}."
        )


def _left(plan: Plan) -> Iterator[str]:
    for heading, uploads, advice in (
        (
            "Students who are not in the roster; nothing of theirs was collected",
            plan.unknown,
            made_known("the name or the lms_user_id in the download"),
        ),
        (
            "Names that several students have, maybe turned round; nothing of theirs was collected",
            plan.unclear,
            PLATFORMS[plan.system].tell_apart,
        ),
        ("Students without a notebook", plan.without, ""),
    ):
        if uploads:
            yield f"{heading}:"
            yield from (f"  {_whose(one)}" for one in uploads)
            yield from filter(None, [advice])
    if plan.renumbered:
        yield "Names that had another number in an earlier download; nothing of theirs was collected:"
        yield from (f"  {_whose(one)}; before it was {number}" for one, number in plan.renumbered)
        yield (
            f"It may be somebody else of the same name: see in {plan.system.title()} who it is, give each a "
            f"line in {ROSTER}, and collect again with --whose NUMBER=STUDENT."
        )
    if plan.misnumbered:
        yield "Names that have another number in the roster; nothing of theirs was collected:"
        yield from (f"  {_whose(one)}; the roster has {number}" for one, number in plan.misnumbered)
        yield (
            f"See in Canvas who it is: correct the lms_user_id in {ROSTER}, give a namesake a line there, or "
            "collect again with --whose NUMBER=STUDENT."
        )
    if plan.tests:
        yield "Canvas's Test Student, who is nobody; passed over:"
        yield from (f"  {_whose(one)}" for one in plan.tests)
    if plan.nobody_s:
        yield "Files that are no student's by their names:"
        yield from (f"  {one}" for one in plan.nobody_s)
