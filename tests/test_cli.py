"""The command line: what it prints, and with which status it ends."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import safetensors.torch
from click.testing import CliRunner, Result

from grader.checking.mistakes import known_mistakes
from grader.cli import main
from grader.course.paths import CoursePaths
from grader.errors import GraderError
from grader.exercises import CHAPTERS, EXERCISES, QUESTIONS, Chapter, Exercise
from grader.grading import judging
from grader.grading.sample_class import IN_WORDS
from grader.proving.bank import Answer
from grader.references.store import CASES
from grader.sandbox.sandbox import Sandbox


@pytest.fixture
def run(repository: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Return a function that runs ``grader`` in the repository."""
    monkeypatch.chdir(repository)
    return lambda *arguments: CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def file_of(
    tmp_path: Path, exercise: Exercise, answers: Callable[[str], dict[str, Answer]]
) -> Callable[[str], Path]:
    """Return a function that writes a bank answer as a learner's file."""

    def write(name: str) -> Path:
        path = tmp_path / f"{name}.py"
        path.write_text(answers(exercise.id)[name].program, encoding="utf-8")
        return path

    return write


def lines_of(result: Result) -> list[dict]:
    """Return the JSON lines of a command's output."""
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_check_passes_with_status_0(run: Callable, file_of: Callable, exercise: Exercise) -> None:
    """One line a file, and status 0, when all pass."""
    file = file_of("textbook")
    result = run("check", exercise.id, file, "--json")
    assert result.exit_code == 0
    (line,) = lines_of(result)
    assert set(line) == {
        *("file", "exercise", "status", "score", "max_score", "diagnosis", "remarks", "message", "cases")
    }
    assert (line["file"], line["exercise"], line["status"]) == (str(file), exercise.id, "passed")
    assert line["score"] == line["max_score"] == exercise.points
    assert all(case["passed"] for case in line["cases"])


def test_check_of_several_files_keeps_their_order(
    run: Callable, file_of: Callable, exercise: Exercise
) -> None:
    """Status 1 when not all pass; lines come in the order of the files."""
    names = ["missing-scale", "textbook", "creation-order"]
    result = run("check", exercise.id, *map(file_of, names), "--json")
    assert result.exit_code == 1
    assert [line["diagnosis"] for line in lines_of(result)] == [["missing-scale"], [], ["creation-order"]]


def test_unreadable_file_gives_status_2(
    run: Callable, file_of: Callable, exercise: Exercise, tmp_path: Path
) -> None:
    """A file that cannot be read is the check's error, not a wrong answer; the others are still checked."""
    (tmp_path / "latin.py").write_bytes(b"# \xe9\n")
    files = [tmp_path / "nowhere.py", tmp_path / "latin.py", tmp_path, file_of("textbook")]
    result = run("check", exercise.id, *files, "--json")
    assert result.exit_code == 2
    assert [line["status"] for line in lines_of(result)] == ["error", "error", "error", "passed"]


def test_notebook_is_no_answer_in_a_file(
    run: Callable, file_of: Callable, exercise: Exercise, tmp_path: Path
) -> None:
    """A notebook is refused with what to do; it is not run as if it were Python."""
    (tmp_path / "answers.ipynb").write_text("{}")
    result = run("check", exercise.id, tmp_path / "answers.ipynb")
    assert result.exit_code == 2
    assert "is a notebook; here a Python file is expected" in " ".join(result.output.split())


@pytest.mark.parametrize("place", ["judging.judge", "sandbox"])
def test_a_fault_costs_its_own_file(
    run: Callable, file_of: Callable, exercise: Exercise, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """Where the grader fails on one file, it says so in its place; the others are still checked."""
    once = iter([True])
    owner, name = {
        "judging.judge": (judging, "judge"),
        "sandbox": (Sandbox, "run"),
    }[place]
    whole = getattr(owner, name)

    def failing(*arguments: object) -> object:
        if next(once, False):
            raise GraderError("out of order")
        return whole(*arguments)

    monkeypatch.setattr(owner, name, failing)
    judging.judged_once.cache_clear()
    result = run("check", exercise.id, file_of("textbook"), file_of("missing-scale"), "--json")
    assert result.exit_code == 2
    assert sorted(line["status"] for line in lines_of(result)) in (["error", "failed"], ["error", "passed"])
    assert "out of order" in result.output


def test_check_of_a_mistake_that_earns_a_part(
    run: Callable, file_of: Callable, exercise: Exercise, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not passed, and the score is a number; without the table there is none."""
    files = [file_of("missing-scale"), file_of("scale-by-tokens")]
    (tmp_path / "course.toml").write_text("[partial-credit]\nmissing-scale = 0.5\n")
    before = run("check", exercise.id, *files, "--json")
    monkeypatch.chdir(tmp_path)
    result = run("check", exercise.id, *files, "--json")
    assert (before.exit_code, result.exit_code) == (1, 1)
    assert [line["score"] for line in lines_of(before)] == [0, 0]
    assert [(line["status"], line["score"]) for line in lines_of(result)] == [("failed", 1.5), ("failed", 0)]
    assert lines_of(before)[1] == lines_of(result)[1]


def test_check_in_words(run: Callable, file_of: Callable, exercise: Exercise) -> None:
    """Without --json the message is for people, with the picture as text."""
    result = run("check", exercise.id, file_of("missing-scale"))
    assert "The scores are not scaled" in result.stdout
    assert "Target (6, 2)" in result.stdout


def test_unknown_exercise_gives_status_2(run: Callable, file_of: Callable) -> None:
    """An exercise that does not exist is one line on stderr that names those that do."""
    result = run("check", "ch99-nothing", file_of("textbook"), "--json")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert next(iter(EXERCISES)) in result.stderr


def test_absent_references_give_status_2(
    run: Callable, file_of: Callable, exercise: Exercise, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without references nothing is said about the answer."""
    monkeypatch.setenv("GRADER_REFERENCES", str(tmp_path))
    result = run("check", exercise.id, file_of("textbook"))
    assert result.exit_code == 2
    assert "manifest.json is missing" in result.stderr


def test_list_names_every_exercise(run: Callable) -> None:
    """The list has every exercise, with its points and its codes, then what is answered in words."""
    lines = lines_of(run("list", "--json"))
    assert [line["exercise"] for line in lines] == [*EXERCISES, *QUESTIONS]
    assert all(bool(line["codes"]) == (line["exercise"] in EXERCISES) for line in lines)
    assert all(set(line) == {"exercise", "chapter", "subject", "points", "codes"} for line in lines)
    assert (
        "missing-scale" in next(line for line in lines if line["exercise"] == "ch04-self-attention")["codes"]
    )


def test_list_of_all_codes(run: Callable) -> None:
    """Each with its title, also those that no chapter declares; of all exercises, so that none is named."""
    shown = run("list", "--codes").output
    assert re.search(r"^wrong-exception +The wrong error, or none", shown, re.MULTILINE)
    told = [json.loads(line) for line in run("list", "--codes", "--json").output.splitlines()]
    assert {one["code"]: one["title"] for one in told} == {
        code: str(one.title) for code, one in known_mistakes().items()
    }
    assert run("list", "--codes", "ch04-self-attention").exit_code == 2


def test_list_in_words(run: Callable) -> None:
    """The table names every exercise and its subject."""
    shown = run("list").stdout
    assert all(one.id in shown and one.subject in shown for one in (EXERCISES | QUESTIONS).values())


def test_list_of_one_exercise(run: Callable, exercise: Exercise) -> None:
    """Asked for one exercise, the table has its mistakes with their titles."""
    shown = run("list", exercise.id).stdout
    assert "missing-scale" in shown
    assert "The scores are not scaled" in shown
    assert [line["exercise"] for line in lines_of(run("list", exercise.id, "--json"))] == [exercise.id]


def test_build_check_reports_drift(run: Callable, repository: Path, tmp_path: Path) -> None:
    """`build --check` writes nothing, and fails for a course that is not built."""
    (tmp_path / "nbgrader_config.py").write_text((repository / "nbgrader_config.py").read_text())
    folder = tmp_path / "solutions" / "ch04_self_attention"
    folder.mkdir(parents=True)
    for name in ("exercises.toml", "mistakes.toml"):
        shutil.copy(repository / "solutions" / folder.name / name, folder)
    result = run("build", "--check", folder.name, "--course", tmp_path)
    assert result.exit_code == 2
    assert "there is no such file" in result.stderr
    assert not (tmp_path / "notebooks").exists()


def test_build_check_reports_a_word_that_comes_too_early(
    run: Callable, repository: Path, tmp_path: Path
) -> None:
    """With no chapter named, all words are held against their places, and the glossary against all words."""
    kept = shutil.ignore_patterns("grading_cases", "*.ipynb", "__pycache__")
    for name in ("solutions", "docs"):
        shutil.copytree(repository / name, tmp_path / name, ignore=kept)
    (tmp_path / "reference_outputs").symlink_to(repository / "reference_outputs")
    shutil.copy(repository / "nbgrader_config.py", tmp_path)
    course = CoursePaths(tmp_path)
    source, declared = (find(CHAPTERS["ch00_tensor_toolkit"]) for find in (course.source, course.terms))
    before, heading, after = source.read_text().partition("## Further reading")
    source.write_text(f"{before}A residual comes in chapter 10.\n\n{heading}{after}")
    declared.write_text(declared.read_text().replace("a block of numbers", "a piece of numbers"))
    result = run("build", "--check", "--course", tmp_path)
    assert result.exit_code == 1
    line = before.count("\n") + 1
    assert f"{source}:{line}: 'residual' is introduced in chapter 10 (line " in result.stdout
    assert f"{course.glossary} is not what the chapters' terms.toml give" in result.stdout


def test_build_check_is_content_here(run: Callable) -> None:
    """The repository's own notebooks are as built."""
    assert run("build", "--check").exit_code == 0


def test_references_are_built_elsewhere_with_another_seed(
    run: Callable, repository: Path, tmp_path: Path, course_copy: Callable, chapter: Chapter
) -> None:
    """Another course seed draws other hidden cases, proven beside the references, and writes nothing else."""
    course, here = course_copy(tmp_path / "course", chapter), CoursePaths(repository)
    result = run("references", "build", chapter.stem, "--course-seed", 7, "--course", course.root)
    assert result.exit_code == 0, result.stderr
    assert f"{chapter.exercises[0].id}: proven against" in result.stdout
    assert f"{course.grading_cases(chapter.stem)}: hidden cases, drawn with your own seed" in result.stdout

    def inputs(folder: Path) -> dict[str, list]:
        stored = safetensors.torch.load((folder / CASES).read_bytes())
        return {name: one.tolist() for name, one in stored.items() if "/expected/" not in name}

    assert not course.references.exists()
    assert inputs(course.grading_cases(chapter.stem)) != inputs(here.grading_cases(chapter.stem))


def test_sample_class_refuses_a_file(run: Callable, tmp_path: Path) -> None:
    """A file cannot become a course's folder."""
    (tmp_path / "mine.txt").write_text("mine")
    result = run("sample-class", tmp_path / "mine.txt")
    assert result.exit_code == 2
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_broken_configuration_is_one_line(run: Callable, tmp_path: Path) -> None:
    """A configuration that is no Python is an error that names the file."""
    (tmp_path / "nbgrader_config.py").write_text("c = (")
    result = run("report", next(iter(CHAPTERS)), "--course", tmp_path)
    assert result.exit_code == 2
    assert "nbgrader_config.py cannot be read: SyntaxError" in result.stderr


def test_sample_class_refuses_a_full_folder(run: Callable, tmp_path: Path) -> None:
    """Nothing in a folder that holds something is touched."""
    (tmp_path / "mine.txt").write_text("mine")
    result = run("sample-class", tmp_path)
    assert result.exit_code == 2
    assert "is not empty" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_no_command_writes_over_a_file_unasked(run: Callable, tmp_path: Path, chapter: Chapter) -> None:
    """One rule for all that write a named file, before any work; nor is another one written that is free."""
    there, free = tmp_path / "there.zip", tmp_path / "free.html"
    there.write_text("mine")
    for command in (
        ("report", chapter.stem, "--html", free, "--csv", there),
        ("report", "--all", "--json", there),
        ("similarity", chapter.stem, "--html", there),
        ("term", "--html", free, "--csv", there),
        ("export", chapter.stem, "--format", "csv", "--output", there),
        ("return", chapter.stem, "--to", "moodle", "--output", there),
        ("bundle", there),
    ):
        result = run(*command)
        assert result.exit_code == 2, command
        assert result.stderr == (
            f"grader: {there} is there already. Name another file, or write over it with --force.\n"
        )
        assert (there.read_text(), free.exists()) == ("mine", False), command


def test_sample_class_says_what_answers_in_words_are(run: Callable, tmp_path: Path) -> None:
    """Its notebooks hold a sentence, so they are not called unanswered."""
    question = next(iter(QUESTIONS.values()))
    result = run("sample-class", tmp_path / "class", "--chapter", question.chapter, "--students", 2)
    assert result.exit_code == 0, result.output
    assert "points more, are a made-up sentence, or nothing where all is blank: a person" in result.output
    notebooks = [one.read_text() for one in (tmp_path / "class/submitted").glob("*/*/*.ipynb")]
    assert any(IN_WORDS in one for one in notebooks)


@pytest.mark.parametrize("found", ["/usr/bin/grader", None])
def test_sample_class_says_where_the_commands_are(
    run: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found: str | None
) -> None:
    """Where a terminal does not find them."""
    monkeypatch.setattr("grader.cli.sample_class.shutil.which", lambda name: found)
    result = run("sample-class", tmp_path / "class", "--chapter", "ch00_tensor_toolkit", "--students", 1)
    folder = Path(sys.executable).parent
    assert (f"The commands below are in {folder}; " in result.output) is (found is None), result.output


def test_bundle_is_not_replaced_unasked(run: Callable, tmp_path: Path) -> None:
    """A file that is there stays, and the error says how to replace it; another ending is refused."""
    made = tmp_path / "course.zip"
    made.write_text("precious")
    result = run("bundle", made)
    assert result.exit_code == 2
    assert "--force" in result.stderr
    assert made.read_text() == "precious"
    assert run("bundle", tmp_path / "course.tar").exit_code == 2
    assert run("bundle", made, "--force").exit_code == 0
    assert made.read_bytes().startswith(b"PK")


def as_program(*arguments: str, before: str = "pass") -> subprocess.CompletedProcess:
    """Run ``grader`` as a program, in a process of its own."""
    code = f"import sys; from grader.cli import program; {before}; program()"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (("list", "--json"), 0, '"ch04-self-attention"'),
        (("--help",), 0, "Usage:"),
        (("nosuch",), 2, "No such command"),
        (("check", "nosuch", "nosuch.py"), 2, "nosuch"),
    ],
)
def test_program_ends_with_the_command_s_status(arguments: tuple[str, ...], status: int, says: str) -> None:
    """All of the output is written, too, though the interpreter is not taken apart."""
    done = as_program(*arguments)
    assert done.returncode == status, done.stderr
    assert says in done.stdout + done.stderr
    if "--json" in arguments:
        assert len(done.stdout.splitlines()) == len(EXERCISES | QUESTIONS)


@pytest.mark.parametrize(
    ("arguments", "status"), [(["--help"], 0), (["list"], 2), (["grade", "ch04_self_attention"], 2)]
)
def test_command_of_a_grader_says_what_it_needs(arguments: list[str], status: int) -> None:
    """Where a student's archive was installed, without nbgrader, the program tells how to get it."""
    code = "import sys; sys.modules['nbgrader'] = None; from grader.cli import program; program()"
    run = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )
    assert (run.returncode, "Traceback" in run.stderr) == (status, False)
    assert ("Needs nbgrader." in run.stdout) if status == 0 else ("requirements.txt nbgrader" in run.stderr)


def test_program_does_what_others_put_off_until_its_end() -> None:
    """Whatever is registered to be done at the end is done."""
    done = as_program("--version", before="import atexit; atexit.register(print, 'done at the end')")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "done at the end")


def test_program_does_not_hide_an_error_of_its_own() -> None:
    """What no command expects ends with a traceback, as ever."""
    done = as_program(before="import grader.cli; grader.cli.main = lambda: 1 / 0")
    assert done.returncode == 1
    assert "ZeroDivisionError" in done.stderr
