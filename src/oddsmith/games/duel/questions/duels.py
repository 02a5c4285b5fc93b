"""Answers to what `oddsmith duel …` asks."""

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from hashlib import sha256
from itertools import product
from typing import Final

import msgspec

from oddsmith.bots import bot_names
from oddsmith.cards import cards
from oddsmith.chance import Seeded
from oddsmith.cli.duel import show
from oddsmith.cli.duel.kept import kept_prospects
from oddsmith.cli.duel.plot import plot_endings
from oddsmith.cli.duel.replies import Fought, TournamentReply
from oddsmith.cli.duel.splits import solved_duel
from oddsmith.cli.terminal.charts import require_chart
from oddsmith.cli.terminal.console import console, print_json, progress_bar
from oddsmith.errors import InputError, nearest
from oddsmith.games.duel.advice import traded, weighed
from oddsmith.games.duel.odds import Objective, Solved
from oddsmith.games.duel.policies import POLICIES
from oddsmith.games.duel.prospects import Prospects, prospects
from oddsmith.games.duel.questions import Measured, odds_reply
from oddsmith.games.duel.rules import DeckKind, Rules

__all__ = ["Asked", "Place", "odds", "split", "tournament"]

OBJECTIVES: Final = (Objective.WIN, Objective.GOLD)
LARGEST_ENEMY: Final = 10_000
PERFECT: Final = "optimal"
BOTH: Final = "both"


class Asked(msgspec.Struct, dict=True):
    """Rules as the command line gives them: a file or a preset, single settings, shortcuts for the usual ones."""

    rules_file: str
    settings: Sequence[str] | None
    difficulty: str | None
    weapon: str | None
    armor: str | None
    skill: str | None
    hidden: bool | None

    @cached_property
    def rules(self) -> Rules:
        """The rules in force."""
        shortcuts = {
            "difficulty": self.difficulty,
            "player.weapon": self.weapon,
            "player.armor": self.armor,
            "player.skill": self.skill,
            "opponent_visible": None if self.hidden is None else str(not self.hidden).lower(),
        }
        given = [f"{key}={value}" for key, value in shortcuts.items() if value is not None]
        return Rules.read(self.rules_file).changed(self.settings or ()).changed(given)


class Place(msgspec.Struct, frozen=True):
    """Where in a duel a hand is split, as the command line gives it."""

    hp: int | None
    enemy_hp: int | None
    number: int
    enemy_attack: int | None
    enemy_defense: int | None

    def hps(self, rules: Rules) -> tuple[int, int]:
        """Return the hit points of both; full ones unless told."""
        mine = rules.player_hp if self.hp is None else self.hp
        return mine, rules.opponent_hp if self.enemy_hp is None else self.enemy_hp

    def enemy(self, rules: Rules) -> tuple[int, int] | None:
        """Return what the opponent shows, or None where it is hidden."""
        if self.enemy_attack is None and self.enemy_defense is None and not rules.opponent_visible:
            return None
        if self.enemy_attack is None or self.enemy_defense is None:
            raise InputError(
                "no_enemy",
                "the opponent shows its split: give --enemy-attack and --enemy-defense, or --hidden for neither",
                paragraph="3.4",
            )
        for number in (self.enemy_attack, self.enemy_defense):
            if not 0 <= number <= LARGEST_ENEMY:
                raise InputError(
                    "bad_enemy", f"attack and defence are numbers from 0 to {LARGEST_ENEMY:,}, not {number}"
                )
        return self.enemy_attack, self.enemy_defense


def _objective(given: str) -> Objective:
    if given not in OBJECTIVES:
        raise InputError(
            "unknown_objective", f"unknown objective '{given[:40]}'{nearest(given[:40], OBJECTIVES)}"
        )
    return Objective(given)


def _solved(rules: Rules, objective: Objective, *, without: str) -> Solved:
    """Solve the duel; where the solver is not installed, say also how to do without."""
    try:
        return solved_duel(rules, objective)
    except InputError as error:
        if error.refusal.code != "missing_extra":
            raise
        raise InputError("missing_extra", f"{error}, or leave perfect play out with {without}") from error


def odds(
    asked: Asked, *, objective: str, perfect: bool, duels: int, seed: str, plot: str | None, as_json: bool
) -> None:
    """Say how duels go for simple players and for perfect play, with fresh decks."""
    rules, wanted = asked.rules, _objective(objective)
    if plot is not None:
        require_chart(plot)
    Seeded(seed)
    solved = _solved(rules, wanted, without="--no-perfect") if perfect else None
    bots = _followed(rules)
    if solved is not None:
        bots[PERFECT] = _simulated(solved, duels, seed)
    reply = odds_reply(bots, rules, solved, seed=None if solved is None else seed)
    if plot is not None:
        plot_endings(reply, rules, plot)
    if as_json:
        print_json(reply)
    else:
        console().print("\n".join(show.odds_lines(reply, rules)))


def _followed(rules: Rules) -> dict[str, Prospects]:
    """Follow every simple player through the duel, while a bar shows how far that is."""
    found = {}
    with progress_bar("following simple players through the duel") as progress:
        for done, (name, policy) in enumerate(POLICIES.items(), 1):
            found[name] = kept_prospects(f"prospects-{name}", rules, partial(prospects, policy, rules))
            progress(done / len(POLICIES))
    return found


def _simulated(solved: Solved, duels: int, seed: str) -> Prospects:
    """Let perfect play fight many duels, likewise."""

    def play() -> Prospects:
        from oddsmith.games.duel.perfect_play import perfect_prospects

        with progress_bar(f"fighting {duels:,} perfect duels") as progress:
            return perfect_prospects(solved, duels, seed, progress=progress)

    luck = sha256(seed.encode()).hexdigest()[:16]
    return kept_prospects(f"perfect-{solved.objective}-{duels}-{luck}", solved.rules, play)


def split(
    asked: Asked, hand: str, place: Place, *, objective: str, solved: bool, top: int, as_json: bool
) -> None:
    """Rank the splits of a hand; what is wrong with it is said before anything is solved."""
    rules, wanted, held = asked.rules, _objective(objective), cards(hand)
    enemy, hps = place.enemy(rules), place.hps(rules)
    traded(rules, held, hps, place.number, enemy or (0, 0))
    reply = (
        weighed(_solved(rules, wanted, without="--no-solve"), held, hps, place.number, enemy)
        if solved
        else traded(rules, held, hps, place.number, enemy)
    )
    reply = msgspec.structs.replace(reply, splits=reply.splits[:top])
    if as_json:
        print_json(reply)
    else:
        console().print("\n".join(show.split_lines(reply, rules)))


def tournament(
    asked: Asked, *, duels: int, bots: str | None, deck: str, objective: str, seed: str, as_json: bool
) -> None:
    """Send bots against the house, and say what perfect play loses by assuming fresh decks."""
    rules, wanted, decks = asked.rules, _objective(objective), _decks(deck)
    names = _bots(bots)
    Seeded(seed)
    solved = _solved(rules, wanted, without="--bots") if PERFECT in names else None
    results = tuple(_fought(rules, names, decks, duels=duels, objective=wanted, seed=seed))
    reply = TournamentReply(
        rules_id=rules.rules_id,
        duels=duels,
        seed=seed,
        objective=wanted,
        results=results,
        solved=None if solved is None else Measured(value=solved.value(), error=solved.error),
        lost=None if solved is None else _lost(solved, results),
    )
    if as_json:
        print_json(reply)
    else:
        console().print("\n".join(show.tournament_lines(reply, rules)))


def _bots(given: str | None) -> tuple[str, ...]:
    known = bot_names(Rules.game)
    names = known if given is None else tuple(dict.fromkeys(name.strip() for name in given.split(",")))
    for name in names:
        if name not in known:
            raise InputError("unknown_bot", f"unknown bot '{name[:40]}' of duel{nearest(name[:40], known)}")
    return names


def _decks(given: str) -> tuple[DeckKind, ...]:
    kinds = {
        DeckKind.FRESH: (DeckKind.FRESH,),
        DeckKind.DEPLETING: (DeckKind.DEPLETING,),
        BOTH: tuple(DeckKind),
    }
    if given not in kinds:
        raise InputError("unknown_deck", f"unknown deck '{given[:40]}'{nearest(given[:40], kinds)}")
    return kinds[given]


def _fought(
    rules: Rules, names: Sequence[str], decks: Sequence[DeckKind], *, duels: int, objective: str, seed: str
) -> Iterator[Fought]:
    """Fight, while one bar shows how many of all duels are over."""
    from oddsmith.games.duel.simulation import play_duels

    todo = list(product(names, decks))
    with progress_bar(f"fighting {len(todo) * duels:,} duels") as progress:
        for done, (name, kind) in enumerate(todo):

            def report(share: float, done: int = done) -> None:
                progress((done + share) / len(todo))

            by_deck = rules.replace(deck=kind)
            tally = play_duels(name, by_deck, duels, seed, objective=objective, progress=report)
            yield Fought(
                bot=name,
                deck=kind,
                win=tally.wins.mean,
                win_error=tally.wins.error,
                rounds=tally.rounds.mean,
                rounds_error=tally.rounds.error,
                gold=tally.gold.mean,
                gold_error=tally.gold.error,
            )


def _lost(solved: Solved, results: Sequence[Fought]) -> Measured | None:
    """Return what depleting decks take from perfect play, which assumes fresh ones; None where none were fought with."""
    for one in results:
        if (one.bot, one.deck) == (PERFECT, DeckKind.DEPLETING):
            gold = solved.objective is Objective.GOLD
            won, error = (one.gold, one.gold_error) if gold else (one.win, one.win_error)
            return Measured(value=solved.value() - won, error=error + solved.error)
    return None
