"""Mechanics: a mechanic is one value with a game and all parts that belong to it.

The name, the title and the summary are given at once. Every other part may be a function that loads it (`Lazy`), so that
listing mechanics loads no game. A part that is left out has a default.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from inspect import cleandoc
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeAlias, TypeVar

from oddsmith.errors import InputError

if TYPE_CHECKING:
    import typer

    from oddsmith.bot import Bot
    from oddsmith.chart import ReportContents
    from oddsmith.draft import Drafts
    from oddsmith.exhibit import ExhibitGroup
    from oddsmith.figure import Figure
    from oddsmith.game import Game
    from oddsmith.metric import GameMetrics
    from oddsmith.question import Question
    from oddsmith.rules import Ruleset
    from oddsmith.terminal import Terminal

T = TypeVar("T")

ODDS = "odds"
"""The name of the question that every mechanic has."""

AnyGame: TypeAlias = "Game[Any, Any, Any, Any, Any]"
AnyQuestion: TypeAlias = "Question[Any, Any, Any]"
MakeReport: TypeAlias = "Callable[[Any], ReportContents]"
AddCommands: TypeAlias = "Callable[[typer.Typer], None]"

NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")
"""The names of mechanics: each is a part of addresses, a command and a key of files."""
RESERVED: Final = frozenset(
    {
        "join",
        "laws",
        "lint",
        "metrics",
        "new",
        "open",
        "play",
        "playthrough",
        "record",
        "replay",
        "report",
        "rules",
    }
    | {"sensitivity", "serve", "store", "sweep", "tune", "verify", "watch"}
    | {"games", "matches", "problems", "records"}
)
"""Names of commands, and the first parts of addresses of a server: no mechanic has one of them."""


class Lazy(Generic[T]):
    """A value that a function loads on first use.

    >>> number = Lazy(lambda: 7)
    >>> number.value
    7
    """

    def __init__(self, load: Callable[[], T]) -> None:
        self._load = load

    @cached_property
    def value(self) -> T:
        """The value; loaded once."""
        return self._load()


def _value(part: T | Lazy[T]) -> T:
    return part.value if isinstance(part, Lazy) else part


class DerivesGame(Protocol):
    """The protocol of a class from which a game is derived: a type of position."""

    @classmethod
    def as_game(cls) -> "AnyGame":
        """Return the game."""
        ...


def _first_line(docstring: str | None) -> str:
    return (docstring or "").strip().partition("\n")[0]


def _require_name(name: str) -> None:
    if not NAME.fullmatch(name):
        raise InputError(
            "bad_mechanic_name",
            f"'{name[:60]}' is no name of a mechanic: a to z, digits and _ are, up to 40, beginning with a letter",
            where="name",
        )
    if name in RESERVED:
        raise InputError(
            "bad_mechanic_name",
            f"'{name}' is the name of a command or an address: give the mechanic another",
            where="name",
        )


class Mechanic:
    """A mechanic and its parts, made from a game, or from a class from which a game is derived.

    `name` is its name in files, addresses and commands; by default that of the game. `about` describes it in more words than
    the summary; by default it is the docstring of the class, else the summary. `roles` are the names of the first
    seats where these have roles of their own. `default_bot` takes the seats for which no player is named. `rules` is the
    type of the game's rules; where it is given, a question reads rules without loading the game.
    """

    def __init__(
        self,
        game: "AnyGame | Lazy[AnyGame] | type[DerivesGame]",
        *,
        name: str | None = None,
        title: str | None = None,
        summary: str = "",
        about: str = "",
        command_help: str = "",
        example: str = "",
        rules: "type[Ruleset] | Lazy[type[Ruleset]] | None" = None,
        questions: "Sequence[AnyQuestion] | Lazy[Sequence[AnyQuestion]]" = (),
        bots: "Sequence[Bot] | Lazy[Sequence[Bot]] | None" = None,
        default_bot: str = "random",
        roles: Sequence[str] = (),
        figures: "Sequence[type[Figure]] | Lazy[Sequence[type[Figure]]]" = (),
        exhibits: "Sequence[ExhibitGroup] | Lazy[Sequence[ExhibitGroup]]" = (),
        metrics: "GameMetrics | Lazy[GameMetrics] | None" = None,
        report: "MakeReport | Lazy[MakeReport] | None" = None,
        terminal: "Terminal | Lazy[Terminal] | None" = None,
        commands: "AddCommands | Lazy[AddCommands] | None" = None,
        drafts: "Drafts | Lazy[Drafts] | None" = None,
    ) -> None:
        if isinstance(game, type):
            summary = summary or _first_line(game.__doc__)
            about = about or cleandoc(game.__doc__ or "")
            game = game.as_game()
        self.name = _value(game).name if name is None else name
        _require_name(self.name)
        if not isinstance(game, Lazy):
            self._require_own_name(game)
        self.title = self.name.replace("_", " ").capitalize() if title is None else title
        self.summary = summary
        self.about = about or summary
        self.command_help = command_help or f"{self.title}: {summary}"
        self.example = example
        self.default_bot = default_bot
        self.roles = tuple(roles)
        self._game = game
        self._rules = rules
        self._questions = questions
        self._bots = bots
        self._figures = figures
        self._exhibits = exhibits
        self._metrics = metrics
        self._report = report
        self._terminal = terminal
        self._commands = commands
        self._drafts = drafts

    def __repr__(self) -> str:
        return f"Mechanic({self.name!r})"

    @cached_property
    def game(self) -> AnyGame:
        """The game."""
        game = _value(self._game)
        self._require_own_name(game)
        return game

    def _require_own_name(self, game: AnyGame) -> None:
        """Refuse a game of another name: files, records and commands find a mechanic by the name of its game."""
        if game.name != self.name:
            sentence = f"the mechanic '{self.name}' has a game named '{game.name}': both have one name"
            raise InputError("bad_mechanic", sentence)

    @cached_property
    def rules_type(self) -> "type[Ruleset]":
        """The type of its rules."""
        rules: type[Ruleset] = self.game.rules_type if self._rules is None else _value(self._rules)
        return rules

    @cached_property
    def questions(self) -> Mapping[str, AnyQuestion]:
        """Its questions by name; every mechanic has `odds`, its own or that of any position."""
        own = {question.name: question for question in _value(self._questions)}
        if ODDS in own:
            return own
        from oddsmith.defaults.position_odds import make_odds_question  # noqa: PLC0415  listing mechanics needs no question

        return {**own, ODDS: make_odds_question(self.game)}

    @cached_property
    def bots(self) -> "Mapping[str, Bot]":
        """Its bots by name; every mechanic has `random`, and one that declares no bots has `greedy`."""
        from oddsmith.bot import RANDOM  # noqa: PLC0415  listing mechanics needs no bot
        from oddsmith.defaults.greedy import make_greedy  # noqa: PLC0415  as above

        own = (make_greedy(self.game),) if self._bots is None else _value(self._bots)
        return {bot.name: bot for bot in (RANDOM, *own)}

    @cached_property
    def figures(self) -> "Mapping[str, type[Figure]]":
        """The numbers that a design of it has, by name."""
        return {figure.figure_name(): figure for figure in _value(self._figures)}

    @cached_property
    def exhibits(self) -> "Sequence[ExhibitGroup]":
        """The exhibits that the checks of a design use."""
        return _value(self._exhibits)

    @cached_property
    def metrics(self) -> "GameMetrics | None":
        """The metrics of played games; None where there are none."""
        return None if self._metrics is None else _value(self._metrics)

    @cached_property
    def report(self) -> "MakeReport | None":
        """The function that makes the contents of a report on a ruleset; None where there is none."""
        return None if self._report is None else _value(self._report)

    @cached_property
    def terminal(self) -> "Terminal | None":
        """Its terminal text; None for the default."""
        return None if self._terminal is None else _value(self._terminal)

    @cached_property
    def add_commands(self) -> "AddCommands | None":
        """The function that adds commands that are no questions, such as those that change a file; None where there are none."""
        return None if self._commands is None else _value(self._commands)

    @cached_property
    def drafts(self) -> "Drafts | None":
        """The drafts that a seat shows while it chooses; None where there are none."""
        return None if self._drafts is None else _value(self._drafts)

    def find_bot(self, name: str) -> "Bot":
        """Return the bot of that name; raise `InputError` where there is none."""
        from oddsmith.bot import pick_bot  # noqa: PLC0415  listing mechanics needs no bot

        return pick_bot(tuple(self.bots.values()), name, game=self.name)
