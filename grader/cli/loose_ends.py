"""Notes at the end of a command on a class: unplaced work, and graded submissions that were removed."""

from collections.abc import Iterator

from grader.course.paths import CoursePaths
from grader.grading.course_directory import course_directory, read_config
from grader.grading.folder import quoted
from grader.grading.submissions import students_in
from grader.reporting.exports.unplaced import not_placed


def loose_ends(paths: CoursePaths, chapter: str) -> Iterator[str]:
    """Yield a sentence on uploads that were not placed, and one on students whose folder was removed."""
    if said := not_placed(paths.root, chapter):
        yield said
    directory = course_directory(paths, read_config(paths))
    graded, handed_in = (
        students_in(directory, step, chapter)
        for step in (directory.autograded_directory, directory.submitted_directory)
    )
    there = set(handed_in)
    if gone := [quoted(one) for one in graded if one not in there]:
        yield (
            f"{chapter}: gone from {directory.submitted_directory}/ since it was graded: {', '.join(gone)}. "
            "The score of then stays and counts. Put the folder back; or, where it shall not count, remove "
            f"what is in {directory.autograded_directory}/ and feedback/, too, and the student from the "
            "gradebook (docs/instructors.md, A student leaves)."
        )
