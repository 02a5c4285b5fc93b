"""Designs and claims are found by game, preset, file and folder."""

from pathlib import Path

import pytest

from oddsmith.balance.design_files import Design, gather_designs, read_claims, read_design, read_toml_file
from oddsmith.errors import InputError, OddsmithError
from oddsmith.games.fate import Rules

RULES = 'game = "fate"\non_turn = 3\n[silence]\nunreachable = "a dream"\n'
CLAIMS = 'game = "fate"\nrules = "house.toml"\nclaims = [{figure = "draw.mean", is = 4.5}]\n'


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder with rules and with what is claimed of them."""
    folder = tmp_path / "house"
    folder.mkdir()
    monkeypatch.chdir(tmp_path)
    (folder / "house.toml").write_text(RULES, encoding="utf-8")
    (folder / "house.claims.toml").write_text(CLAIMS, encoding="utf-8")
    return folder


def on_turn(design: Design) -> int:
    assert isinstance(design.rules, Rules)
    return design.rules.on_turn


def refused(*given: str, claims: tuple[str, ...] = ()) -> tuple[str, str]:
    with pytest.raises(OddsmithError) as caught:
        gather_designs(given, claims)
    return caught.value.refusal.code, caught.value.refusal.sentence


def test_a_game_is_its_default_rules() -> None:
    """And a preset is named after a colon."""
    default, royal = read_design("destiny"), read_design("destiny:royal")

    assert default.rules == type(default.rules)()
    assert royal.rules == type(royal.rules).preset("royal")


def test_a_rules_file_says_its_game_and_its_silences(house: Path) -> None:
    """Neither is a rule."""
    design = read_design(str(house / "house.toml"))

    assert ("fate", 3, {"unreachable": "a dream"}) == (
        design.rules.game,
        on_turn(design),
        design.silences,
    )


def test_a_claims_file_names_rules_beside_it(house: Path) -> None:
    """From wherever it is read."""
    assert str(house / "house.toml") == read_claims(str(house / "house.claims.toml")).rules


@pytest.mark.usefixtures("house")
def test_a_folder_is_every_file_in_it_and_each_design_once() -> None:
    """The claims are held against the rules that they name."""
    [design] = gather_designs(["house"])
    [same] = gather_designs(["house/house.toml", "house", "house/house.claims.toml"])

    assert (3, 1) == (on_turn(design), len(design.claims))
    assert "house/house.toml" == same.name


@pytest.mark.usefixtures("house")
def test_other_claims_are_held_against_every_design_of_their_game() -> None:
    """Of another game they are not, and alone they bring their own rules."""
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
    """Rules that are not named are the default."""
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
@pytest.mark.usefixtures("house")
def test_what_is_no_design_is_refused(text: str, code: str, words: str) -> None:
    """With the file, the key, and what would be right."""
    Path("bad.toml").write_text(text, encoding="utf-8")
    refusal = refused("bad.toml")

    assert code == refusal[0]
    assert words in refusal[1]


@pytest.mark.usefixtures("house")
def test_what_is_not_there_is_refused() -> None:
    """A misspelt game, a name that no file can have, a preset that is not there, an empty folder, claims of a game that is not judged."""
    Path("empty").mkdir()
    Path("empty/inner").mkdir()

    assert ("no_design", "no file 'dise', and no game of that name") == (
        refused("dise")[0],
        refused("dise")[1].partition(" —")[0],
    )
    assert "no_design" == refused("a" * 5_000)[0]
    assert "unknown_preset" == refused("fate:loud")[0]
    assert ("no_design", "the folder 'empty' has no .toml file; folders in it: inner") == refused("empty")
    assert "the folder 'empty/inner' has no .toml file" == refused("empty/inner")[1]
    assert "wrong_game" == refused("duel", claims=("house/house.claims.toml",))[0]
    assert "not_rules" == refused_design("house/house.claims.toml")


def test_what_is_no_file_is_called_what_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game or a folder where a file is expected, and a file that is somebody else's."""

    def forbidden(*_: object) -> None:
        raise PermissionError

    words = {}
    for given in ("fate:open", str(tmp_path)):
        with pytest.raises(InputError) as caught:
            read_toml_file(given)
        words[given] = caught.value.refusal.sentence
    monkeypatch.setattr(Path, "open", forbidden)
    with pytest.raises(InputError) as caught:
        read_toml_file("secret.toml")

    assert "'fate:open' is a game, and here a file is expected" == words["fate:open"]
    assert words[str(tmp_path)].endswith("is a folder, and here a file is expected")
    assert "'secret.toml' may not be read" == caught.value.refusal.sentence


def refused_design(given: str) -> str:
    with pytest.raises(OddsmithError) as caught:
        read_design(given)
    return caught.value.refusal.code


def test_files_are_bounded(tmp_path: Path) -> None:
    """A file that is too large, no text, or one of too many is refused before it is read."""
    large, binary, many = tmp_path / "large.toml", tmp_path / "binary.toml", tmp_path / "many"
    large.write_text("#" * 300_000, encoding="utf-8")
    binary.write_bytes(b"\xff\xfe")
    many.mkdir()
    for number in range(201):
        (many / f"{number}.toml").touch()

    assert "file_too_large" == refused(str(large))[0]
    assert "not_text" == refused(str(binary))[0]
    assert "too_many_files" == refused(str(many))[0]
