"""The same tables through nbgrader's own command.

``nbgrader export --exporter=grader.reporting.exports.plugin.CanvasExport --to=canvas.csv``, or
``MoodleExport``.
"""

from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.plugins import ExportPlugin
from traitlets import Bool, Unicode

from grader.files import write_whole
from grader.reporting.exports.formats import export
from grader.reporting.exports.grades import read_grades
from grader.reporting.exports.options import ExportOptions
from grader.reporting.exports.unplaced import read_unplaced
from grader.reporting.spreadsheet import read_sheet


class _TableExport(ExportPlugin):
    """Writes one of the formats."""

    table = ""
    roster = Unicode("", help="a table that the other system exported, to fill in").tag(config=True)
    match_by = Unicode("", help="by which identity students are found").tag(config=True)
    missing_as_zero = Bool(False, help="whether what was not handed in counts as zero").tag(config=True)

    def export(self, gradebook: Gradebook) -> None:
        """Write the grades of the assignments, and the students, that were asked for; of all by default."""
        asked = [str(one) for one in self.assignment] or [one.name for one in gradebook.assignments]
        grades = read_grades(gradebook.db, asked)
        if self.student:
            wanted = {str(one) for one in self.student}
            grades = grades.without(one.id for one in grades.people if one.id not in wanted)
        options = ExportOptions(
            missing_as_zero=self.missing_as_zero,
            match_by=self.match_by,
            roster=read_sheet(Path(self.roster)) if self.roster else None,
            roster_name=self.roster,
            unplaced={name: read_unplaced(Path(self.parent.coursedir.root), name) for name in asked},
        )
        made = export(self.table, grades, options)
        for note in made.notes:
            self.log.warning(note)
        write_whole(Path(self.to or f"{self.table}.csv"), made.text)


class CanvasExport(_TableExport):
    """Writes what Canvas imports."""

    table = "canvas"


class MoodleExport(_TableExport):
    """Writes what Moodle imports."""

    table = "moodle"
