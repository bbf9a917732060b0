"""What all pages share."""

from grader.reporting.page_templates import commands


def test_commands_are_marked_and_all_else_is_escaped() -> None:
    """What stands between backquotes is code; markup in it, or around it, is text."""
    assert commands("Run `grader grade <x>` & wait") == (
        'Run <span class="code">grader grade &lt;x&gt;</span> &amp; wait'
    )
    assert commands("<b>a ` alone</b>") == "&lt;b&gt;a ` alone&lt;/b&gt;"
