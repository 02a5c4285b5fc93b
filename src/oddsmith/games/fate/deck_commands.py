"""Answers to what is asked of a deck in a file: each changes it as the rules do, and keeps it whole."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from oddsmith.chance import Draw
from oddsmith.cli.fate import deckfile, show
from oddsmith.cli.fate.deckfile import OWNER, KeptDeck
from oddsmith.cli.fate.reading import read_triggers
from oddsmith.cli.fate.replies import DeckReply, DrawnTrigger, DrawReply
from oddsmith.cli.terminal.console import console, print_json
from oddsmith.errors import InputError
from oddsmith.games.fate.checks import judge
from oddsmith.games.fate.draws import is_countable
from oddsmith.games.fate.memory import remember
from oddsmith.games.fate.odds import CheckOdds, check_odds
from oddsmith.games.fate.questions import DrawnCards, draw_cards, fired_triggers
from oddsmith.games.fate.rules import DEFAULT, NO_TARGET, Rules, Target
from oddsmith.games.fate.triggers import Trigger
from oddsmith.questions import Share

__all__ = ["Wanted", "draw", "new", "peek", "show_deck", "shuffle"]


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """A check as the command line asks for it."""

    on_turn: bool
    count: int | None
    target: int | None
    modifier: int
    triggers: tuple[str, ...]

    def cards(self, rules: Rules) -> int:
        """Return how many cards are drawn (§2.1); never more than can be out at once (§3.4)."""
        asked = self.count or (rules.on_turn if self.on_turn else rules.off_turn)
        if asked > rules.most_out:
            raise InputError(
                "too_many_cards",
                f"at most {rules.most_out} cards are out of this deck at once, not {asked}",
                paragraph="3.4",
            )
        return asked


# --- drawing ---------------------------------------------------------------------------------------------------------


def draw(file: Path | None, wanted: Wanted, *, seed: str | None, as_json: bool) -> None:
    """Draw from a deck, a fresh one where there is none, and say what it came to and which chance it had."""
    triggers = read_triggers(wanted.triggers, as_json=as_json)
    place = deckfile.place_of(file)
    with deckfile.held(place):
        made = not place.exists()
        kept = KeptDeck.fresh(DEFAULT) if made else deckfile.read(place)
        count = wanted.cards(kept.rules)
        odds = _odds(kept, count, wanted, triggers)
        drawn = draw_cards(kept.deck, count, deckfile.luck(kept, seed), OWNER)
        after = kept.after(drawn.deck, drawn=True)
        deckfile.write(place, after)
    reply = _reply(place, after, drawn, wanted, triggers=triggers, odds=odds, made=made)
    if as_json:
        print_json(reply)
    else:
        console().print("\n".join(show.draw_lines(reply, kept.rules)))


def _odds(kept: KeptDeck, count: int, wanted: Wanted, triggers: Sequence[Trigger]) -> CheckOdds | None:
    """Return the odds from what was seen of the deck; None where there are too many ways to count."""
    memory = remember(kept.deck, OWNER)
    if not is_countable(memory, count, ordered=False):
        return None
    return check_odds(memory, kept.rules, count=count, modifier=wanted.modifier, triggers=triggers)


def _reply(
    place: Path,
    after: KeptDeck,
    drawn: DrawnCards,
    wanted: Wanted,
    *,
    triggers: Sequence[Trigger],
    odds: CheckOdds | None,
    made: bool,
) -> DrawReply:
    rules = after.rules
    target: Target = NO_TARGET if wanted.target is None else wanted.target
    result = judge(drawn.cards, rules, modifier=wanted.modifier, target=target)
    fired = fired_triggers(triggers, drawn.cards, rules)
    least = result.total if wanted.target is None else wanted.target
    return DrawReply(
        file=str(place),
        made=made,
        rules_id=rules.rules_id,
        draw=after.draws,
        result=result,
        target=wanted.target,
        chance=None if odds is None else Share.of(*odds.at_least(least).as_integer_ratio()),
        triggers=tuple(
            DrawnTrigger(
                trigger=text,
                fired=fired[number],
                chance=None if odds is None else Share.of(*odds.fires(number).as_integer_ratio()),
            )
            for number, text in enumerate(wanted.triggers)
        ),
        reshuffled=drawn.reshuffled,
        left=len(drawn.deck.deck),
        discards=len(drawn.deck.discard),
    )


# --- the deck itself -------------------------------------------------------------------------------------------------


def new(
    file: Path | None,
    rules: str,
    settings: Sequence[str],
    *,
    force: bool,
    seed: str | None,
    as_json: bool,
) -> None:
    """Put a fresh deck into a file."""
    place, kept = deckfile.place_of(file), KeptDeck.fresh(Rules.read(rules).changed(settings), seed)
    deckfile.create(place, kept, force=force)
    _tell(place, kept, as_json=as_json)


def show_deck(file: Path | None, *, as_json: bool) -> None:
    """Show what is known of a deck."""
    place = deckfile.place_of(file)
    _tell(place, deckfile.read(place), as_json=as_json)


def shuffle(file: Path | None, *, as_json: bool) -> None:
    """Shuffle a deck with its discard pile (§5.8)."""
    place = deckfile.place_of(file)
    after = deckfile.change(place, lambda kept: kept.after(kept.deck.reshuffled()))
    _tell(place, after, as_json=as_json)


def peek(file: Path | None, count: int, *, seed: str | None, as_json: bool) -> None:
    """Look at the top cards of a deck."""
    place = deckfile.place_of(file)
    after = deckfile.change(place, lambda kept: _peeked(kept, count, deckfile.luck(kept, seed)))
    _tell(place, after, as_json=as_json)


def _peeked(kept: KeptDeck, count: int, luck: Draw) -> KeptDeck:
    """Show the owner the top cards, which luck decides where nobody has seen them (§5.1)."""
    deck, size = kept.deck, len(kept.deck.deck)
    if count > size:
        raise InputError(
            "bad_count", f"you may peek at 1 to {size} cards, not {count}: no more are there", paragraph="5.1"
        )
    for place in range(count):
        deck = deck.settled(place, deck.next_card(place).sample(luck))
    return kept.after(deck.peeked(count, OWNER))


def _tell(place: Path, kept: KeptDeck, *, as_json: bool) -> None:
    reply = DeckReply(
        file=str(place),
        rules_id=kept.rules.rules_id,
        draws=kept.draws,
        seed=kept.seed,
        memory=remember(kept.deck, OWNER),
    )
    if as_json:
        print_json(reply)
    else:
        console().print("\n".join(show.deck_lines(reply, kept.rules)))
