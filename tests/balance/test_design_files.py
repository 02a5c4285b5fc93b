"""Designs and claims are given by game, preset, file and folder."""

from pathlib import Path

import pytest

from oddsmith.balance.design_files import Design, gather_designs, read_claims, read_design, read_toml_file
from oddsmith.errors import InputError, OddsmithError
from oddsmith.games.fate import Rules

RULES = 'game = "fate"\non_turn = 3\n[silence]\nunreachable = "a dream"\n'
CLAIMS = 'game = "fate"\nrules = "house.toml"\nclaims = [{figure = "draw.mean", is = 4.5}]\n'


@pytest.fixture
def design_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder with rules and claims about them."""
    folder = tmp_path / "house"
    folder.mkdir()
    monkeypatch.chdir(tmp_path)
    (folder / "house.toml").write_text(RULES, encoding="utf-8")
    (folder / "house.claims.toml").write_text(CLAIMS, encoding="utf-8")
    return folder


def cards_on_turn(design: Design) -> int:
    assert isinstance(design.rules, Rules)
    return design.rules.on_turn


def refusal_of(*given: str, claims: tuple[str, ...] = ()) -> tuple[str, str]:
    with pytest.raises(OddsmithError) as caught:
        gather_designs(given, claims)
    return caught.value.refusal.code, caught.value.refusal.sentence


def test_a_game_means_its_default_rules() -> None:
    """A preset follows a colon."""
    default, royal = read_design("destiny"), read_design("destiny:royal")

    assert default.rules == type(default.rules)()
    assert royal.rules == type(royal.rules).preset("royal")


def test_a_rules_file_names_its_game_and_its_silences(design_folder: Path) -> None:
    """Neither is a rule."""
    design = read_design(str(design_folder / "house.toml"))

    assert ("fate", 3, {"unreachable": "a dream"}) == (
        design.rules.game,
        cards_on_turn(design),
        design.silences,
    )


def test_a_claims_file_names_rules_next_to_it(design_folder: Path) -> None:
    """The path is relative to the file."""
    assert str(design_folder / "house.toml") == read_claims(str(design_folder / "house.claims.toml")).rules


@pytest.mark.usefixtures("design_folder")
def test_a_folder_means_all_its_files_with_each_design_once() -> None:
    """The claims belong to the rules that they name."""
    [design] = gather_designs(["house"])
    [same] = gather_designs(["house/house.toml", "house", "house/house.claims.toml"])

    assert (3, 1) == (cards_on_turn(design), len(design.claims))
    assert "house/house.toml" == same.name


@pytest.mark.usefixtures("design_folder")
def test_other_claims_apply_to_every_design_of_their_game() -> None:
    """Not to those of another game; alone they use their own rules."""
    fate, duel = gather_designs(["fate", "duel"], ["house/house.claims.toml"])
    [alone] = gather_designs([], ["house/house.claims.toml"])

    assert [1, 0] == [len(fate.claims), len(duel.claims)]
    assert str(Path("house/house.toml")) == alone.name


def test_claims_of_a_preset(tmp_path: Path) -> None:
    """A preset's claims and the preset itself are one design."""
    path = tmp_path / "royal.claims.toml"
    path.write_text('game = "destiny"\nrules = "royal"\nclaims = []\n', encoding="utf-8")
    [design] = gather_designs([str(path), "destiny:royal"])

    assert ("destiny:royal", 1) == (design.name, len(design.claims))


def test_claims_of_the_default_rules(tmp_path: Path) -> None:
    """The default rules are used where none are named."""
    path = tmp_path / "claims.toml"
    path.write_text('game = "fate"\nclaims = []\n', encoding="utf-8")

    assert ["fate"] == [design.name for design in gather_designs([str(path)])]


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        (
            "on_turn = 3",
            "no_game",
            'bad.toml: the file does not say of which game it is: write game = "NAME"',
        ),
        ('game = "poker"', "unknown_game", "bad.toml: unknown game 'poker'"),
        (
            'game = "poker"',
            "unknown_game",
            "a game of your own is known where its file is named, too: ./game.py",
        ),
        ('game = "fate"\non_turm = 3', "unknown_key", "bad.toml: unknown key 'on_turm'"),
        ('game = "fate"\n[silence]\nunreachable = ""', "no_reason", "bad.toml: silence.unreachable: "),
        (
            'game = "fate"\ntargets = []',
            "not_rules",
            "bad.toml: targets: a file for oddsmith tune, not of rules",
        ),
        ('game = "fate"\nvary = []', "not_rules", "bad.toml: vary: a file for oddsmith sweep, not of rules"),
        (
            'game = "fate"\nclaims = [{figure = "draw.mean"}]',
            "no_aim",
            "bad.toml: claims[0]: say what it should be",
        ),
        ("game = ", "bad_toml", "bad.toml: not TOML"),
        ('game = "fate"\nrules = "gone.toml"\nclaims = []', "no_design", "no file 'gone.toml'"),
        (
            'game = "duel"\nrules = "house/house.toml"\nclaims = []',
            "wrong_game",
            "rules of fate, and claims of duel",
        ),
    ],
)
@pytest.mark.usefixtures("design_folder")
def test_an_invalid_design_is_refused(text: str, code: str, words: str) -> None:
    """With the file, the key, and what is valid."""
    Path("bad.toml").write_text(text, encoding="utf-8")
    refusal = refusal_of("bad.toml")

    assert code == refusal[0]
    assert words in refusal[1]


@pytest.mark.usefixtures("design_folder")
def test_a_missing_design_is_refused() -> None:
    """A misspelt game, an impossible file name, an unknown preset, an empty folder, claims of an unknown game."""
    Path("empty").mkdir()
    Path("empty/inner").mkdir()

    assert ("no_design", "no file 'dise', and no game of that name") == (
        refusal_of("dise")[0],
        refusal_of("dise")[1].partition(" —")[0],
    )
    assert "no_design" == refusal_of("a" * 5_000)[0]
    assert "unknown_preset" == refusal_of("fate:loud")[0]
    assert ("no_design", "the folder 'empty' has no .toml file; folders in it: inner") == refusal_of("empty")
    assert "the folder 'empty/inner' has no .toml file" == refusal_of("empty/inner")[1]
    assert "wrong_game" == refusal_of("duel", claims=("house/house.claims.toml",))[0]
    assert "not_rules" == design_refusal_code("house/house.claims.toml")


def test_a_path_that_is_no_file_is_refused_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game or a folder where a file is expected, and a file without permission."""

    def deny(*_: object) -> None:
        raise PermissionError

    words = {}
    for given in ("fate:open", str(tmp_path)):
        with pytest.raises(InputError) as caught:
            read_toml_file(given)
        words[given] = caught.value.refusal.sentence
    monkeypatch.setattr(Path, "open", deny)
    with pytest.raises(InputError) as caught:
        read_toml_file("secret.toml")

    assert "'fate:open' is a game, and here a file is expected" == words["fate:open"]
    assert words[str(tmp_path)].endswith("is a folder, and here a file is expected")
    assert "'secret.toml' may not be read" == caught.value.refusal.sentence


def design_refusal_code(given: str) -> str:
    with pytest.raises(OddsmithError) as caught:
        read_design(given)
    return caught.value.refusal.code


def test_files_are_bounded(tmp_path: Path) -> None:
    """A file that is too large or no text, and too many files, are refused before they are read."""
    large, binary, many = tmp_path / "large.toml", tmp_path / "binary.toml", tmp_path / "many"
    large.write_text("#" * 300_000, encoding="utf-8")
    binary.write_bytes(b"\xff\xfe")
    many.mkdir()
    for number in range(201):
        (many / f"{number}.toml").touch()

    assert "file_too_large" == refusal_of(str(large))[0]
    assert "not_text" == refusal_of(str(binary))[0]
    assert "too_many_files" == refusal_of(str(many))[0]
