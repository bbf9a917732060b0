"""nbgrader's configuration and folders of a course."""

from pathlib import Path

from jupyter_core.paths import jupyter_config_path
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from grader.course.notebooks import load_config
from grader.course.paths import CONFIG, CoursePaths


def read_config(course: CoursePaths) -> Config:
    """Return nbgrader's configuration of a course: Jupyter's folders first, the course's own file last.

    Raises:
        GraderError: one of the files cannot be executed.
    """
    config = Config()
    for folder in reversed(jupyter_config_path()):
        if (file := Path(folder, CONFIG)).is_file():
            config.merge(load_config(file))
    config.merge(load_config(course.config))
    return config


def course_directory(course: CoursePaths, config: Config) -> CourseDirectory:
    """Return nbgrader's own view of a course's folders."""
    return CourseDirectory(config=config, root=str(course.root.resolve()))
