"""How one answer is judged: run on its cases, observed, compared, diagnosed, shown."""
