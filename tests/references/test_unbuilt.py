"""A correction that was not built is noticed, and what to run is said."""

from pathlib import Path

import pytest

from grader.course.paths import CoursePaths
from grader.errors import GraderError
from grader.exercises import CHAPTERS, Chapter
from grader.references.unbuilt import require_built, unbuilt


@pytest.mark.parametrize("chapter", CHAPTERS.values(), ids=lambda chapter: chapter.stem)
def test_what_is_stored_was_made_from_what_is_there(chapter: Chapter, repository: Path) -> None:
    """No chapter of the course waits to be built."""
    assert unbuilt(chapter, CoursePaths(repository)) == []


def test_change_of_the_oracle_or_of_an_answer_is_noticed(tiny) -> None:
    """Both folders are named, with the file that was changed; building again settles it."""
    tiny.build()
    assert unbuilt(tiny.chapter, tiny.paths) == []
    tiny.recipe.write_text(tiny.recipe.read_text(encoding="utf-8") + "\n# corrected\n", encoding="utf-8")
    lines = unbuilt(tiny.chapter, tiny.paths)
    assert [line.partition(" was made")[0] for line in lines] == [str(tiny.references), str(tiny.hidden)]
    assert all("before a change of reference.py. Run `grader references build tiny`." in one for one in lines)
    with pytest.raises(GraderError, match="A change was not built, and would not count"):
        require_built(tiny.chapter, tiny.paths)
    tiny.build()
    tiny.add_to_bank("")  # a blank line more
    assert f"answers/{tiny.exercise.id}.py" in unbuilt(tiny.chapter, tiny.paths)[0]
    tiny.build()
    require_built(tiny.chapter, tiny.paths)


def test_drawing_hidden_cases_settles_theirs_alone(tiny) -> None:
    """References that were not made again are still named after the hidden cases were."""
    tiny.build()
    tiny.recipe.write_text(tiny.recipe.read_text(encoding="utf-8") + "\n# corrected\n", encoding="utf-8")
    tiny.build(course_seed=5)
    (line,) = unbuilt(tiny.chapter, tiny.paths)
    assert line.startswith(str(tiny.references))


def test_course_without_sources_has_nothing_to_build(tiny) -> None:
    """Whoever grades with references alone is asked for nothing."""
    tiny.build()
    tiny.recipe.unlink()
    assert unbuilt(tiny.chapter, tiny.paths) == []
