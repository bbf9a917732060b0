"""Work with nbgrader's gradebook: read it without writing, and write scores, late penalties and remarks."""
