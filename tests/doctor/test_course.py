"""What `grader doctor` says of a course."""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from nbgrader.coursedir import CourseDirectory
from traitlets import import_item
from traitlets.config import Config

from grader.course.notebooks import load_config
from grader.course.paths import CoursePaths
from grader.doctor import course
from grader.exercises import CHAPTERS, Chapter
from grader.references.store import CASES, KNOWN_WRONG, MANIFEST


@pytest.fixture
def paths(repository: Path, tmp_path: Path, chapter: Chapter) -> CoursePaths:
    """Return a course of one chapter, built."""
    here, there = CoursePaths(repository), CoursePaths(tmp_path / "course")
    shutil.copytree(here.solutions / chapter.stem, there.solutions / chapter.stem)
    shutil.copytree(here.references / chapter.stem, there.references / chapter.stem)
    there.student(chapter).parent.mkdir(parents=True)
    shutil.copy(here.student(chapter), there.student(chapter))
    shutil.copy(here.config, there.config)
    return there


@pytest.fixture
def config(paths: CoursePaths) -> Config:
    """Return the course's configuration."""
    return load_config(paths.config)


def set_seed(paths: CoursePaths, chapter: Chapter, seed: int | None) -> None:
    """Write another course seed into the manifest of the hidden cases."""
    file = paths.grading_cases(chapter.stem) / MANIFEST
    file.write_text(json.dumps(json.loads(file.read_text()) | {"course_seed": seed}))


def configuration(paths: CoursePaths, config: Config) -> course.Finding:
    """Return what is found of a configuration."""
    return course.configuration(paths, config, CourseDirectory(config=config, root=str(paths.root)))


def test_configuration(paths: CoursePaths, config: Config) -> None:
    """The course's own file is fine; so it is with classes for their names."""
    assert configuration(paths, config).status == "ok"
    for place in config.Autograde:
        config.Autograde[place] = [import_item(name) for name in config.Autograde[place]]
    assert configuration(paths, config).status == "ok"


def test_kernel_beside_the_plugins(paths: CoursePaths, config: Config) -> None:
    """Nbgrader's own way to run a submission is no addition."""
    config.Autograde.autograde_preprocessors.append("nbgrader.preprocessors.Execute")
    assert "Execute" in configuration(paths, config).seen


def test_plugins_added_to_nbgrader_s_own_list(paths: CoursePaths) -> None:
    """Then submissions are run in a kernel, too."""
    config = Config()
    config.Autograde.autograde_preprocessors.append("grader.grading.plugins.JudgeSubmission")
    assert configuration(paths, config).status == "fails"


@pytest.mark.parametrize("name", ["AlignSubmission", "JudgeSubmission", "SaveVerdicts"])
def test_plugin_left_out(paths: CoursePaths, config: Config, name: str) -> None:
    """Each plug-in is missed by its name."""
    for place, chosen in config.Autograde.items():
        config.Autograde[place] = [one for one in chosen if not one.endswith(name)]
    found = configuration(paths, config)
    assert (found.status, name in found.seen) == ("fails", True)


def test_stock_configuration(paths: CoursePaths) -> None:
    """Nbgrader's own defaults fail."""
    assert configuration(paths, Config()).status == "fails"


@pytest.mark.parametrize(
    ("pattern", "published"),
    [
        ("grading_cases", "grading_cases"),
        ("answers", "answers"),
        ("*.md", "ch04_self_attention.md"),
        ("*.py", "reference.py, steps.py"),
        ("*.toml", "exercises.toml, mistakes.toml"),
    ],
)
def test_solutions_published(paths: CoursePaths, config: Config, pattern: str, published: str) -> None:
    """What students would be given is named."""
    config.CourseDirectory.ignore.remove(pattern)
    found = configuration(paths, config)
    assert (found.status, published in found.seen) == ("fails", True)


def test_all_beside_a_solution_is_kept_back(repository: Path) -> None:
    """No chapter has a file of a kind that the doctor would let students have."""
    for stem in CHAPTERS:
        folder = repository / "solutions" / stem
        built = {f"{stem}.ipynb", "__pycache__", ".ipynb_checkpoints"}
        named = {name.format(chapter=stem) for name in course.KEPT_BACK}
        assert {path.name for path in folder.iterdir()} - built <= named, stem


@pytest.mark.parametrize("name", ["settings", "decisions", "extensions", "remarks"])
def test_table_that_cannot_be_read(name: str, paths: CoursePaths) -> None:
    """A file that an instructor writes and that is broken is named."""
    assert course.tables(paths).status == "ok"
    file = getattr(paths, name)
    file.write_text("not = [ toml")
    found = course.tables(paths)
    assert (found.status, file.name in found.seen) == ("fails", True)


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ("score / 2", "ok", "Own: 5 of 10 points are taken off"),
        ("1 / 0", "fails", "fails: ZeroDivisionError: division by zero (rule_0.py, line 4)"),
        ("0\n1 / 0", "fails", "cannot be imported: ZeroDivisionError: division by zero (rule_0.py, line 5)"),
        ("0 0", "fails", "cannot be imported: SyntaxError"),
    ],
)
def test_own_rule_for_late_penalties_is_tried(
    body: str, status: str, said: str, config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that cannot be imported, or fails for somebody made up, is told with its place."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "rule_0", raising=False)
    (tmp_path / "rule_0.py").write_text(
        "from nbgrader.plugins import LateSubmissionPlugin\nclass Own(LateSubmissionPlugin):\n"
        f"    def late_submission_penalty(self, student_id, score, total_seconds_late):\n"
        f"        return {body}"
    )
    config.AssignLatePenalties.plugin_class = "rule_0.Own"
    found = course.late_penalties(config)
    assert (found.status, said in found.seen) == (status, True), found.seen


def test_late_rule_that_is_nowhere(config: Config) -> None:
    """It fails before anything is graded; nbgrader's own takes nothing off."""
    assert course.late_penalties(config).status == "ok"
    config.AssignLatePenalties.plugin_class = "no_such_late.Rule"
    found = course.late_penalties(config)
    assert (found.status, "no_such_late.Rule" in found.seen) == ("fails", True)


def test_mistake_that_nobody_knows(paths: CoursePaths) -> None:
    """A table that no run would accept is told before a run."""
    paths.settings.write_text("[partial-credit]\nno-such-mistake = 0.5\n")
    assert "no-such-mistake" in course.tables(paths).seen


def test_notebooks(paths: CoursePaths, chapter: Chapter) -> None:
    """Built notebooks are compared with their sources; a drifted or a missing one fails."""
    assert course.notebooks(paths).seen == "1 chapters are as built"
    text = paths.student(chapter).read_text()
    paths.student(chapter).write_text(text.replace("import torch", "import  torch", 1))
    assert "is not what its source gives" in course.notebooks(paths).seen
    paths.student(chapter).unlink()
    found = course.notebooks(paths)
    assert (found.status, "missing" in found.seen, found.advice) == ("fails", True, "Run `grader build`.")


def test_points_that_were_not_built(paths: CoursePaths, chapter: Chapter) -> None:
    """What `grade` refuses to go on with is told here, too."""
    declared = paths.solutions / chapter.stem / "exercises.toml"
    declared.write_text(declared.read_text().replace("points = 3", "points = 5", 1))
    found = course.notebooks(paths)
    assert (found.status, "exercises.json is not what" in found.seen) == ("fails", True)


def test_source_that_cannot_be_built(paths: CoursePaths, chapter: Chapter) -> None:
    """A source with an error is told with its place."""
    source = paths.source(chapter)
    source.write_text(source.read_text().replace("```{code-cell}", "```{code-cel", 1))
    assert course.notebooks(paths).status == "fails"


def test_course_of_notebooks_alone(paths: CoursePaths, chapter: Chapter) -> None:
    """A course for one assignment has no text source; without a notebook it has nothing."""
    paths.source(chapter).unlink()
    assert course.notebooks(paths).seen == "1 without a text source to compare with"
    paths.solution(chapter).unlink()
    assert course.notebooks(paths).status == "fails"
    shutil.rmtree(paths.solutions)
    assert "holds no chapter" in course.notebooks(paths).seen
    text = paths.solutions / "ch01_new" / "ch01_new.md"
    text.parent.mkdir(parents=True)
    text.touch()
    found = course.notebooks(paths)
    assert (found.seen, found.advice) == (f"{text} is not built", "Run `grader build`.")


@pytest.mark.parametrize("name", [CASES, KNOWN_WRONG, MANIFEST])
def test_altered_references(paths: CoursePaths, chapter: Chapter, name: str) -> None:
    """One byte more, or a missing file, fails and names the file."""
    assert course.references(paths).status == "ok"
    file = paths.references / chapter.stem / name
    file.write_bytes(file.read_bytes() + b"}")
    assert (course.references(paths).status, name in course.references(paths).seen) == ("fails", True)
    file.unlink()
    assert "missing" in course.references(paths).seen


def test_references_without_an_exercise(paths: CoursePaths, chapter: Chapter) -> None:
    """An exercise that the manifest does not know is named."""
    file = paths.references / chapter.stem / MANIFEST
    manifest = json.loads(file.read_text())
    del manifest["exercises"][chapter.exercises[0].id]
    file.write_text(json.dumps(manifest))
    assert chapter.exercises[0].id in course.references(paths).seen


def test_hidden_cases(paths: CoursePaths, chapter: Chapter) -> None:
    """The public seed is a warning, an own one is not told, and altered or absent cases fail."""
    found = course.hidden_cases(paths)
    assert (found.status, "public seed" in found.seen) == ("warning", True)
    set_seed(paths, chapter, 765432123)
    found = course.hidden_cases(paths)
    assert found.status == "ok"
    assert "765432123" not in repr(found)
    set_seed(paths, chapter, None)
    assert "which seed" in course.hidden_cases(paths).seen
    set_seed(paths, chapter, 765432123)
    file = paths.grading_cases(chapter.stem) / CASES
    file.write_bytes(file.read_bytes()[:-1])
    assert course.hidden_cases(paths).status == "fails"
    (paths.grading_cases(chapter.stem) / MANIFEST).unlink()
    found = course.hidden_cases(paths)
    assert (found.status, "grader references build" in found.advice) == ("fails", True)


def test_folder_with_a_blank_at_an_end(paths: CoursePaths, chapter: Chapter) -> None:
    """It is named in quotation marks, with what to do."""
    directory = CourseDirectory(root=str(paths.root))
    (paths.root / "submitted/eve" / chapter.stem).mkdir(parents=True)
    assert course.submissions(directory).status == "ok"
    (paths.root / "submitted/eve " / chapter.stem).mkdir(parents=True)
    found = course.submissions(directory)
    assert (found.status, "'eve '" in found.seen) == ("warning", True)
    assert "student's name" in found.advice


@pytest.mark.parametrize(
    ("free", "status"), [(50 * course.GIB, "ok"), (course.GIB, "warning"), (10 * course.MIB, "fails")]
)
def test_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, status: str) -> None:
    """Little room is a warning, too little fails."""
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: shutil._ntuple_diskusage(free, 0, free))
    assert course.disk(tmp_path).status == status


def test_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of somebody else's fails."""
    monkeypatch.setattr(course.os, "access", lambda folder, mode: False)
    assert "cannot be written" in course.disk(tmp_path).seen


def test_advice_wherever_something_fails(paths: CoursePaths, chapter: Chapter, repository: Path) -> None:
    """Nothing fails without a next step."""
    shutil.rmtree(paths.references)
    shutil.rmtree(paths.grading_cases(chapter.stem))
    (paths.references / chapter.stem).mkdir(parents=True)
    paths.grading_cases(chapter.stem).mkdir()
    checks: list[Callable] = [course.references, course.hidden_cases]
    assert all(check(paths).status == "fails" and check(paths).advice for check in checks)
