"""Reports on a graded class: feedback pages, class report, terms, exported grades."""
