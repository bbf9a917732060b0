"""Notes at the end of a command on a class: unplaced work, and graded submissions that were removed."""

from collections.abc import Iterator

from nbgrader.coursedir import CourseDirectory

from grader.course.paths import CoursePaths
from grader.gradebook.stored import scored_students
from grader.grading.course_directory import course_directory, read_config
from grader.grading.folder import quoted
from grader.grading.submissions import students_in
from grader.reporting.exports.unplaced import not_placed

STAYS = "The score of then stays and counts."
NONE = "It had no score then, and has none now."


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
    if gone := [one for one in graded if one not in there]:
        scored = scored_students(directory.db_url, chapter)
        yield from _gone(chapter, directory, [one for one in gone if one in scored], STAYS)
        yield from _gone(chapter, directory, [one for one in gone if one not in scored], NONE)


def _gone(chapter: str, directory: CourseDirectory, students: list[str], score: str) -> Iterator[str]:
    if students:
        yield (
            f"{chapter}: gone from {directory.submitted_directory}/ since it was graded: "
            f"{', '.join(map(quoted, students))}. {score} Put the folder back; or, where it shall not count, "
            f"remove what is in {directory.autograded_directory}/ and feedback/, too, and the student from "
            "the gradebook (docs/instructors.md, A student leaves)."
        )
