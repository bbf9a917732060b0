"""The project as a whole: layers, pins, and what the README promises."""

import ast
import re
import subprocess
import sys
import tomllib
from importlib.metadata import metadata
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from grader.versions import RECORDED_WITH, TRIED

# Each layer may import those to its right; `import grader` is the notebook's door and imports checking alone.
LAYERS = (
    "cli",
    "doctor",
    "similarity",
    "lms",
    "cluster",
    "grading",
    "reporting",
    "gradebook",
    "sandbox",
    "proving",
    "translations",
    "checking",
    "references",
    "course",
    "exercises",
)
LOW = (
    "plain_text",
    "colors",
    "errors",
    "files",
    "messages",
    "interactive",
    "private_api",
    "topics",
    "time_limits",
    "versions",
)
# Nothing of the package imports these.
NOTEBOOKS_ALONE = ("figures", "materials", "widgets")
# The layers that a topic's modules of each kind add to: they import what these may.
KINDS = {
    "declared": "exercises",
    "drivers": "checking",
    "dropout": "checking",
    "families": "proving",
    "materials": "materials",
    "rounding": "proving",
    "steps": "proving",
    "watches": "checking",
    "widgets": "widgets",
}
# A topic's other modules, by what imports them.
BESIDE = {"to_torch": "drivers"}
# Outside of its folder a topic may be named as an example, by the id of an exercise or a chapter of ours.
SAMPLES = re.compile(r"ch\d\d[-_][\w-]*", re.IGNORECASE)


DRAWN = {"colors", "errors", "interactive", "messages", "topics", *NOTEBOOKS_ALONE}


def imports_of(path: Path) -> set[str]:
    """Return the second part of every ``grader.<part>`` that a module imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return {name.split(".")[1] for name in names if name.startswith("grader.")}


@pytest.mark.parametrize("layer", LAYERS)
def test_layers_import_only_those_below(layer: str, repository: Path) -> None:
    """No module imports a layer above its own."""
    place = repository / "grader" / layer
    modules = list(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]
    allowed = {*LAYERS[LAYERS.index(layer) :], *LOW}
    assert modules
    for module in modules:
        assert imports_of(module) <= allowed, module


def test_no_two_files_of_tests_share_a_name(repository: Path) -> None:
    """They are modules of no package: of two with one name, pytest refuses the second."""
    names = [path.name for path in (repository / "tests").rglob("test_*.py")]
    assert sorted(names) == sorted(set(names))


def test_every_module_has_a_layer(repository: Path) -> None:
    """There is no room that the layers do not name."""
    found = {path.stem for path in (repository / "grader").iterdir() if not path.name.startswith("__")}
    assert found == {*LAYERS, *LOW, *NOTEBOOKS_ALONE}


def test_notebooks_rooms_stand_apart(repository: Path) -> None:
    """What draws for notebooks imports nothing of how answers are judged."""
    for name in NOTEBOOKS_ALONE:
        place = repository / "grader" / name
        for module in place.rglob("*.py") if place.is_dir() else [place.with_suffix(".py")]:
            assert imports_of(module) <= DRAWN, module


def test_topics_import_what_they_add_to_may(repository: Path) -> None:
    """A topic's module imports nothing above the layer that it adds to; what finds topics, nothing."""
    topics = repository / "grader" / "topics"
    assert not imports_of(topics / "__init__.py")
    seen = set()
    for module in topics.glob("*/**/*.py"):
        kind, *_ = module.relative_to(topics).parts[1:]
        kind = kind.removesuffix(".py")
        if kind == "__init__":
            continue
        seen.add(kind)
        layer = KINDS[BESIDE.get(kind, kind)]
        allowed = DRAWN if layer in NOTEBOOKS_ALONE else {*LAYERS[LAYERS.index(layer) :], *LOW}
        assert imports_of(module) <= allowed, module
    assert seen == KINDS.keys() | BESIDE.keys()


def test_a_topic_is_known_in_its_folder_alone(repository: Path) -> None:
    """Whoever looks for its name finds its folder, and texts of examples: nothing else is about attention."""
    package = repository / "grader"
    texts = [
        path for path in package.rglob("*") if path.suffix in (".py", ".toml", ".j2", ".js", ".css", ".pot")
    ]
    others = [path for path in texts if not path.is_relative_to(package / "topics" / "attention")]
    assert len(others) > 200
    found = {}
    for path in others:
        name, text = path.relative_to(package).as_posix(), path.read_text(encoding="utf-8")
        left = SAMPLES.sub("", text)
        if "attention" in left.lower():
            found[name] = [line for line in left.splitlines() if "attention" in line.lower()]
    assert not found


def test_sandbox_holds_no_expected_tensor(repository: Path) -> None:
    """The folder where learners' code runs imports neither grading, nor reporting, nor references."""
    for module in (repository / "grader" / "sandbox").glob("*.py"):
        assert not imports_of(module) & {"grading", "reporting", "references", "proving"}, module


def test_import_grader_is_light() -> None:
    """What a notebook imports loads no notebook, gradebook or plotting library."""
    code = "from grader import check, hint; import sys; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {
        "nbgrader",
        "nbformat",
        "sqlalchemy",
        "jinja2",
        "matplotlib",
        "seaborn",
        "IPython",
        "anywidget",
        "rich",
        "click",
    }
    assert not heavy & set(loaded.stdout.split())


def locked(repository: Path) -> dict[str, str]:
    """Return the versions of the lock."""
    text = (repository / "requirements.lock").read_text(encoding="utf-8")
    return dict(re.findall(r"^([\w.-]+)==(\S+)$", text, re.MULTILINE))


def test_every_dependency_is_locked(repository: Path) -> None:
    """What pyproject.toml asks for is in the lock, torch at the version that the course is proven on."""
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = project["dependencies"] + project["optional-dependencies"]["develop"]
    lock = locked(repository)
    assert {re.split(r"[=<>]", one)[0] for one in asked} <= set(lock)
    assert lock["torch"] == RECORDED_WITH


def test_pins_install_on_the_first_release_of_the_oldest_python(repository: Path) -> None:
    """No pin asks for a later release of the oldest Python: Debian 12 has 3.11.2, and gets no newer one."""
    oldest = f"{TRIED['Python'][0]}.0"
    for name, pinned in locked(repository).items():
        found = metadata(name)
        assert Version(found["Version"]).public == pinned, f"run make setup: {name} is not as locked"
        assert oldest in SpecifierSet(found.get("Requires-Python") or ""), name


def test_what_installs_begins_with_what_was_tried(repository: Path) -> None:
    """The package's ranges begin with the oldest versions that were tried, and hold all of them."""
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    ranges = {
        "Python": project["requires-python"],
        "PyTorch": Requirement(_one(project["dependencies"], "torch")).specifier,
        "nbgrader": Requirement(_one(project["optional-dependencies"]["grading"], "nbgrader")).specifier,
    }
    for name, asked in ranges.items():
        specifier = SpecifierSet(str(asked))
        assert f">={TRIED[name][0]}" in str(specifier).split(",")
        assert all(one in specifier for one in TRIED[name])
    (image,) = re.findall(r"python=([\d.]+)", (repository / "environment.yml").read_text(encoding="utf-8"))
    assert image in TRIED["Python"]


def test_matrix_tries_every_version(repository: Path) -> None:
    """The list of the script that runs before anything is installed, and that of make, are the package's."""
    script = (repository / "tests" / "matrix.py").read_text(encoding="utf-8")
    makefile = (repository / "Makefile").read_text(encoding="utf-8")
    workflow = (repository / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
    assert ast.literal_eval(re.search(r"^SUPPORTED = (\(.*\))$", script, re.MULTILINE)[1]) == TRIED["Python"]
    assert re.search(r"^SUPPORTED := (.*)$", makefile, re.MULTILINE)[1].split() == [
        *reversed(TRIED["Python"])
    ]
    assert [*map(str, yaml.safe_load(workflow)["jobs"]["linux"]["strategy"]["matrix"]["python"])] == [
        *TRIED["Python"]
    ]


def _one(requirements: list[str], package: str) -> str:
    (found,) = (one for one in requirements if re.match(rf"{package}\b", one))
    return found


def test_environment_pins_are_the_lock_s(repository: Path) -> None:
    """A conda user gets the same versions as everybody else."""
    environment = yaml.safe_load((repository / "environment.yml").read_text(encoding="utf-8"))
    (pip,) = [entry["pip"] for entry in environment["dependencies"] if isinstance(entry, dict)]
    pins = dict(entry.split("==") for entry in pip if "==" in entry)
    lock = locked(repository)
    assert pins == {name: lock[name] for name in pins}
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = project["dependencies"] + project["optional-dependencies"]["develop"]
    assert set(pins) == {re.split(r"[=<>]", one)[0] for one in asked}


def test_readme_s_make_targets_exist(repository: Path) -> None:
    """Every `make` command in the README is a target of the Makefile."""
    makefile = (repository / "Makefile").read_text(encoding="utf-8")
    targets = set(
        re.findall(
            r"(?:^|`)make ([a-z]+)", (repository / "README.md").read_text(encoding="utf-8"), re.MULTILINE
        )
    )
    assert {"demo", "test", "lab", "bench"} <= targets
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)


def test_what_the_guides_write_into_the_course_is_not_offered_to_git(repository: Path) -> None:
    """The archive for students, under the name that the guides give it."""
    named = re.findall(r"grader bundle ([\w.]+)", (repository / "docs" / "handing_out.md").read_text())
    ignored = (repository / ".gitignore").read_text().splitlines()
    assert named and all(f"/{name}" in ignored for name in named)


def test_links_between_documents_lead_somewhere(repository: Path) -> None:
    """Every relative link in the README and in docs/ points to a file that exists."""
    for document in [
        repository / "README.md",
        repository / "CONTRIBUTING.md",
        *(repository / "docs").glob("*.md"),
    ]:
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), f"{document.name}: {target}"
