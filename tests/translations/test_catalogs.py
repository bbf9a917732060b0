"""Catalogs: what they have, what becomes of texts that change, and what is wrong with a translation."""

from pathlib import Path

import pytest

from grader.course.paths import CoursePaths
from grader.errors import GraderError, SourceError
from grader.translations.catalogs import entries, path_of, read_catalog, up_to_date, write_catalog
from grader.translations.entries import problems_of
from grader.translations.glossary import Glossary, read_glossary
from grader.translations.languages import GRADER, Language, languages_named, read_languages
from grader.translations.status import statuses
from grader.translations.texts import Texts

FRENCH = Language("fr", "français", "nplurals=2; plural=(n > 1);", False)
OLD = "The scores are the dot products of a query with all keys."
NEW = "The scores are the dot products of one query with all keys."


@pytest.fixture
def paths(tmp_path: Path) -> CoursePaths:
    """Return a course with nothing in it."""
    return CoursePaths(tmp_path)


def texts(*found: str) -> Texts:
    """Return texts of one file."""
    made = Texts()
    for text in found:
        made.add(text, "ch01.md")
    return made


def updated(paths: CoursePaths, found: Texts, **translations: str) -> dict[str, tuple[str, bool]]:
    """Bring a catalog up to some texts, write it, and return each translation, and whether it is a guess."""
    catalog = up_to_date(FRENCH, "ch01", found, paths, guess=True)
    for message in entries(catalog):
        message.string = translations.get(message.id, message.string)
    write_catalog(catalog, FRENCH, path_of(FRENCH, "ch01", paths))
    return {one.id: (one.string, one.fuzzy) for one in entries(read_catalog(FRENCH, "ch01", paths))}


def test_update_again_gives_the_same_bytes(paths: CoursePaths) -> None:
    """Neither a date nor an order depends on when or how often a catalog was updated."""
    updated(paths, texts(OLD, "Weights"), **{"Weights": "Poids"})
    first = path_of(FRENCH, "ch01", paths).read_bytes()
    assert updated(paths, texts(OLD, "Weights")) == {OLD: ("", False), "Weights": ("Poids", False)}
    assert path_of(FRENCH, "ch01", paths).read_bytes() == first


def test_changed_text_keeps_its_translation_as_a_guess(paths: CoursePaths) -> None:
    """Nobody is shown the translation of what was said before."""
    updated(paths, texts(OLD), **{OLD: "Les scores"})
    assert updated(paths, texts(NEW)) == {NEW: ("Les scores", True)}
    (one,) = statuses(FRENCH, {"ch01": texts(NEW)}, paths)
    assert (one.translated, one.missing, one.fuzzy) == (0, 0, 1)


def test_earlier_text_stands_beside_a_guess_until_it_is_looked_at(paths: CoursePaths) -> None:
    """The text that was translated can be compared with the new one, after another update, too."""
    file = path_of(FRENCH, "ch01", paths)
    updated(paths, texts(OLD), **{OLD: "Les scores"})
    for _ in range(2):
        updated(paths, texts(NEW))
        (guess,) = entries(read_catalog(FRENCH, "ch01", paths))
        assert guess.previous_id == [OLD]
        assert not guess.user_comments
        assert "#| msgid" in file.read_text(encoding="utf-8")
    catalog = read_catalog(FRENCH, "ch01", paths)
    catalog[NEW].flags.discard("fuzzy")
    write_catalog(catalog, FRENCH, file)
    updated(paths, texts(NEW))
    assert "| msgid" not in file.read_text(encoding="utf-8")


def test_changed_text_is_missing_before_any_update(paths: CoursePaths) -> None:
    """The sources decide what is translated, not the catalog's file."""
    updated(paths, texts(OLD), **{OLD: "Les scores"})
    (one,) = statuses(FRENCH, {"ch01": texts(NEW)}, paths)
    assert (one.translated, one.missing, one.fuzzy) == (0, 1, 0)


def test_text_that_is_gone_is_kept_and_comes_back(paths: CoursePaths) -> None:
    """It is obsolete; if somebody says it again, its translation is there."""
    updated(paths, texts("Weights", "Mask"), **{"Weights": "Poids"})
    assert updated(paths, texts("Mask")) == {"Mask": ("", False)}
    assert '#~ msgid "Weights"' in path_of(FRENCH, "ch01", paths).read_text(encoding="utf-8")
    assert updated(paths, texts("Mask", "Weights"))["Weights"] == ("Poids", False)
    assert "#~" not in path_of(FRENCH, "ch01", paths).read_text(encoding="utf-8")


def test_damaged_catalog_is_named_with_its_line(paths: CoursePaths) -> None:
    """What no program can read is no empty catalog."""
    path = path_of(FRENCH, "ch01", paths)
    path.parent.mkdir(parents=True)
    path.write_text('msgid "a"\nmsgstr "b"\nand then\n', encoding="utf-8")
    with pytest.raises(SourceError, match=rf"{path}:\d+: this is no catalog"):
        read_catalog(FRENCH, "ch01", paths)


@pytest.mark.parametrize(
    ("name", "english", "translated", "problem"),
    [
        ("ch01", "Call `f(x)`.", "Appelez `f(y)`.", "the code `f(x)` is lost"),
        ("ch01", "Call it.", "Appelez `f`.", "the code `f` is not in the English text"),
        ("ch01", "Take $x_i$ here.", "Prenez $x$ ici.", "the formula $x_i$ is lost"),
        ("ch01", "It has {heads} heads.", "Elle en a.", "the mark {heads} is lost"),
        ("ch01", "It has heads.", "Elle en a {heads}.", "the mark {heads} is not in the English text"),
        ("ch01", "So $x = 0.25$ is it.", "C'est donc $x = 0{,}25$.", ""),
        ("ch01", "So $x = 0.25$ is it.", "C'est donc $x = 0{,}52$.", "the formula $x = 0.25$ is lost"),
        ("ch01", "$$\nx = 0.25\\text{ or } y\n$$", "$$\nx = 0{,}25\\text{ ou } y\n$$", ""),
        ("ch01", "It is 0.25 now.", "C'est 0,52.", "the number 0.25 is lost"),
        ("ch01", "It is 0.25 of 1,024.", "C'est 0,25 de 1.024.", ""),
        ("ch01", "Exercise {ch01-a} here.", "Exercice.", "the mark {ch01-a} is lost"),
        ("ch01", "$$\nx \\text{ with } y\n$$", "$$\nx \\text{ avec } z\n$$", "the formula is another"),
        ("ch01", "$$\nx \\text{ with } y\n$$", "$$\nx \\text{ avec } y\n$$", ""),
        ("ch01", "Chapter 2 has `f`, $x$.", "$x$ et `f` : chapitre 2, en 3 mots", ""),
        (GRADER, "{a} and {b}", "{a} et b", "the placeholder {b} is lost"),
        (GRADER, "only {a}", "{a} et {c}", "there is no placeholder {c}"),
        (GRADER, "only {a}", "{a} {", "is no text with placeholders"),
        (GRADER, "{a} and {b}", "{b} et {a}", ""),
        ("ch01", "A dot product of tensors.", "Un produit de tenseurs.", "'dot product' should be"),
        ("ch01", "Dot\nproducts, not dots.", "Des Produits scalaires.", ""),
        ("ch01", "`dot product` is code.", "`dot product` est du code.", ""),
        ("ch01", "Look: *dots*.", "看*点*。", "*点* would be slanted"),
        ("ch01", "Look: *dots*.", "看**点**、*dots*、*x*。", ""),
        ("ch01", "**Now** go.", "**“现在”**走。", "Markdown shows its ** as stars"),
        ("ch01", "**`now`** 2 ** 3", "**`now`** 2 ** 3", ""),
        ("ch01", "The product is 2.", "Il fait 2.", "'product' should be 'produit' or 'multiplication'"),
    ],
)
def test_what_a_translation_has_lost_is_found(
    paths: CoursePaths, name: str, english: str, translated: str, problem: str
) -> None:
    """Code, formulas, numbers, placeholders and the glossary's words are in it; of two terms the longer."""
    glossary = Glossary({"dot product": ("produit scalaire", "produits scalaires"), "product": PRODUCT})
    catalog = up_to_date(FRENCH, name, texts(english), paths, guess=False)
    catalog[english].string = translated
    found = problems_of(catalog, name, glossary)
    assert [problem in one for one in found] == ([True] if problem else [])


PRODUCT = ("produit", "multiplication")


def test_translator_says_where_a_word_is_no_term(paths: CoursePaths) -> None:
    """The comment is kept by every update."""
    updated(paths, texts("Your share of it"), **{"Your share of it": "Ce qui est à vous"})
    path = path_of(FRENCH, "ch01", paths)
    written = path.read_text(encoding="utf-8")
    path.write_text(written.replace("#: ch01.md", "# everyday: share, key\n#: ch01.md"), encoding="utf-8")
    for word, expected in (("share", 0), ("your", 1)):
        catalog = up_to_date(FRENCH, "ch01", texts("Your share of it"), paths, guess=True)
        assert len(problems_of(catalog, "ch01", Glossary({word: ("part",)}))) == expected


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[fr]\nname = 'français'", "plural_forms"),
        ("[fr]\nname = 1\nplural_forms = 'x'\ncomplete = true", "name of .fr. is 1; expected a str"),
        ("[fr]\nname = 'a'\nplural_forms = 'x'\ncomplete = true", "expected such as"),
        ("[en]\n", "en is no language"),
        ("['../up']\n", "is no language"),
        ("fr = 1\n", "fr is no language"),
    ],
)
def test_wrong_declaration_of_a_language_is_refused(paths: CoursePaths, text: str, problem: str) -> None:
    """The message names the line, and what was expected."""
    paths.translations.mkdir()
    (paths.translations / "languages.toml").write_text(text, encoding="utf-8")
    with pytest.raises(SourceError, match=problem):
        read_languages(paths)


def test_unknown_language_is_refused(repository: Path) -> None:
    """The message names those that there are, and the nearest."""
    with pytest.raises(GraderError, match=r"no language 'pt_PT'. They are: pt_BR, zh_CN.* pt_BR"):
        languages_named("pt_PT", CoursePaths(repository))


def test_wrong_glossary_is_refused(paths: CoursePaths) -> None:
    """A term has a word, or several."""
    path = paths.translations / "fr" / "glossary.toml"
    path.parent.mkdir(parents=True)
    path.write_text('mask = "masque"\nweight = []\n', encoding="utf-8")
    with pytest.raises(SourceError, match=r"glossary.toml:2: weight is \[\]"):
        read_glossary(FRENCH, paths)
