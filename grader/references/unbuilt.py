"""Detect outdated notebooks and references: built from other sources than the present ones."""

from grader.course.compile import declaration_drift, declared_stems
from grader.course.origin import (
    changed,
    file_digest,
    has_recipe,
    notebook_origin,
    recorded_notebook_origin,
    reference_origin,
)
from grader.course.paths import CoursePaths
from grader.errors import GraderError, ReferenceDataError
from grader.exercises import Chapter
from grader.references.steps import recorded_steps_origin
from grader.references.store import grading_folders, read_manifest


def unbuilt(chapter: Chapter, paths: CoursePaths) -> list[str]:
    """Return one line for each outdated file of a chapter, and the command to run.

    Files without a record of their sources, or without sources here, are skipped: they may be a course's own.
    """
    return [*_declaration(chapter, paths), *_notebook(chapter, paths), *unbuilt_references(chapter, paths)]


def require_built(chapter: Chapter, paths: CoursePaths) -> None:
    """Raise if anything is outdated: otherwise a correction would seem to have no effect.

    Raises:
        GraderError: with one line for each thing that is to be built.
    """
    if lines := unbuilt(chapter, paths):
        raise GraderError("A change was not built, and would not count:\n" + "\n".join(lines))


def _declaration(chapter: Chapter, paths: CoursePaths) -> list[str]:
    here = chapter.stem in declared_stems(paths)
    return declaration_drift(chapter.stem, paths) if here else []


def _notebook(chapter: Chapter, paths: CoursePaths) -> list[str]:
    recorded = recorded_notebook_origin(paths.solution(chapter))
    if not recorded or not paths.source(chapter).is_file() or recorded == notebook_origin(chapter, paths):
        return []
    return [
        f"{paths.solution(chapter)} was made from another text, or from other points or minutes. "
        f"Run `grader build {chapter.stem}`."
    ]


def unbuilt_references(chapter: Chapter, paths: CoursePaths) -> list[str]:
    """Return one line for each folder of a chapter's references that other sources made, and what to run."""
    if not has_recipe(chapter, paths):
        return []
    now, lines = reference_origin(chapter, paths), []
    for folder in grading_folders(chapter.stem, paths):
        try:
            recorded = read_manifest(folder, any_format=True).get("made_from")
        except ReferenceDataError:
            continue  # whoever reads the references says what is wrong with them
        if isinstance(recorded, dict) and (other := changed(recorded, now)):
            lines.append(
                f"{folder} was made before a change of {', '.join(other)}. "
                f"Run `grader references build {chapter.stem}`."
            )
    return lines + _steps(chapter, paths)


def _steps(chapter: Chapter, paths: CoursePaths) -> list[str]:
    source = paths.solutions / chapter.stem / "steps.py"
    recorded = recorded_steps_origin(paths.references / chapter.stem)
    if not recorded or not source.is_file() or recorded == file_digest(source):
        return []
    return [f"{source} was changed since its steps were made. Run `grader references steps {chapter.stem}`."]
