"""nbgrader's configuration for this course; every nbgrader command and `grader build` read it."""

c = get_config()  # noqa: F821 - given by the configuration loader

c.CourseDirectory.course_id = "attention"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "notebooks/en"
# Files beside a notebook are copied to students: keep sources, oracles, answer banks and hidden cases back.
c.CourseDirectory.ignore = [
    ".ipynb_checkpoints",
    "__pycache__",
    "*.pyc",
    "*.md",
    "*.py",
    "*.toml",
    "answers",
    "grading_cases",
    "feedback",
    "*.verdict.json",
]
# Submissions run in the grader's sandbox and are judged outside of it; what these stand for in nbgrader runs
# them in a kernel that could read, and write, everything.
c.Autograde.sanitize_preprocessors = [
    "grader.grading.plugins.AlignSubmission",
    "nbgrader.preprocessors.OverwriteKernelspec",
    "nbgrader.preprocessors.OverwriteCells",
    "nbgrader.preprocessors.CheckCellMetadata",
]
c.Autograde.autograde_preprocessors = [
    "grader.grading.plugins.JudgeSubmission",
    "grader.grading.plugins.SaveVerdicts",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
# Feedback is the grader's page: it needs nothing from elsewhere, and shows what a person gave in formgrader.
c.GenerateFeedback.exporter_class = "grader.grading.plugins.FeedbackPage"
c.ClearSolutions.code_stub = {
    "python": 'raise NotImplementedError("Write your answer here, then delete this line.")'
}
# What stands where a learner answers in words.
c.ClearSolutions.text_stub = "Write your answer here."
# For `nbgrader validate` and `nbgrader generate_solution`; builds and grading have limits of their own.
# A check stops an endless loop after ten seconds by itself; this is for loops in other cells.
c.ExecutePreprocessor.timeout = 60
c.ExecutePreprocessor.interrupt_on_timeout = True
