"""Translations of the course: gettext catalogs of what learners read, and notebooks made with them.

Texts are found where they are put back: ``markdown`` and ``code`` walk over a cell and call a function with
each text, which collects it (``texts``) or returns its translation (``build``). So nothing is translated that
was not asked for, and nothing is left out.
"""
