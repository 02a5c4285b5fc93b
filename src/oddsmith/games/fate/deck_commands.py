"""The commands on deck files: draw, new, show, shuffle, peek; their replies and terminal lines."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import msgspec

from oddsmith.chance import Draw
from oddsmith.command_line import print_reply
from oddsmith.errors import InputError
from oddsmith.games.fate import deck_files
from oddsmith.games.fate.checks import judge
from oddsmith.games.fate.deck import remember
from oddsmith.games.fate.deck_files import OWNER, StoredDeck
from oddsmith.games.fate.draws import is_countable
from oddsmith.games.fate.known_decks import read_triggers
from oddsmith.games.fate.memory import Memory
from oddsmith.games.fate.model import Result
from oddsmith.games.fate.odds import Certainty, CheckOdds, certainty_of, check_odds
from oddsmith.games.fate.questions.checks import DrawnCards, FiredTrigger, draw_cards, evaluate_triggers
from oddsmith.games.fate.rule_types import NO_TARGET, Target
from oddsmith.games.fate.rules import DEFAULT, Rules
from oddsmith.games.fate.terminal.answers import known_lines
from oddsmith.games.fate.triggers import Trigger
from oddsmith.games.fate.wording import card_row, describe_certainty, format_count, format_signed
from oddsmith.question import Share
from oddsmith.text import escape_markup, format_percent


class DrawnTrigger(FiredTrigger, frozen=True, kw_only=True):
    """Whether a trigger fired, and its chance before the draw; null where there are too many ways to count."""

    chance: Share | None


class DrawReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith fate draw`: the cards, the result, and the chance that it had from what you knew.

    `chance` is that of reaching the target, or the total that was drawn where there is none; null where there are too
    many ways to count. `certainty` says what it is (§7.9). `made` is true where there was no file, so that a fresh deck was written.
    """

    file: str
    made: bool
    rules_id: str
    draw: int
    result: Result
    target: int | None
    chance: Share | None
    certainty: Certainty
    triggers: tuple[DrawnTrigger, ...]
    reshuffled: bool
    left: int
    discards: int


class DeckReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith fate deck …`: the deck of a file as you know it.

    `memory` lists deck and discard pile from their tops, null where a card is not known, and the cards that are
    unseen. `seed` is null where the system decides what is drawn.
    """

    file: str
    rules_id: str
    draws: int
    seed: str | None
    memory: Memory


class DrawOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of `draw` that describe a check."""

    on_turn: bool
    count: int | None
    target: int | None
    modifier: int
    triggers: tuple[str, ...]

    def cards(self, rules: Rules) -> int:
        """Return how many cards are drawn (§2.1); never more than can be out at once (§3.4)."""
        count = self.count or (rules.on_turn if self.on_turn else rules.off_turn)
        if count > rules.most_out:
            raise InputError(
                "too_many_cards",
                f"at most {rules.most_out} cards are out of this deck at once, not {count}",
                paragraph="3.4",
            )
        return count


# --- drawing ---------------------------------------------------------------------------------------------------------


def draw(file: Path | None, options: DrawOptions, *, seed: str | None, as_json: bool) -> None:
    """Draw from the deck of a file, or from a fresh one where there is none; print the result and its chance."""
    triggers = read_triggers(options.triggers)
    place = deck_files.deck_path(file)
    with deck_files.lock_deck(place):
        made = not place.exists()
        stored = StoredDeck.fresh(DEFAULT) if made else deck_files.read(place)
        count = options.cards(stored.rules)
        odds = _count_odds(stored, count, options.modifier, triggers)
        drawn = draw_cards(stored.deck, count, deck_files.make_luck(stored, seed))
        after = stored.after(drawn.deck, drawn=True)
        deck_files.write(place, after)
    reply = _make_draw_reply(place, after, drawn, options, triggers=triggers, odds=odds, made=made)
    print_reply(reply, draw_lines(reply, stored.rules), as_json=as_json)


def _count_odds(
    stored: StoredDeck, count: int, modifier: int, triggers: Sequence[Trigger]
) -> CheckOdds | None:
    """Return the odds from what the owner knows; None where there are too many ways to count."""
    memory = remember(stored.deck, OWNER)
    if not is_countable(memory, count, ordered=False):
        return None
    return check_odds(memory, stored.rules, count=count, modifier=modifier, triggers=triggers)


def _make_draw_reply(
    place: Path,
    after: StoredDeck,
    drawn: DrawnCards,
    options: DrawOptions,
    *,
    triggers: Sequence[Trigger],
    odds: CheckOdds | None,
    made: bool,
) -> DrawReply:
    rules = after.rules
    target: Target = NO_TARGET if options.target is None else options.target
    result = judge(drawn.cards, rules, modifier=options.modifier, target=target)
    fired = evaluate_triggers(triggers, drawn.cards, rules)
    least = result.total if options.target is None else options.target
    return DrawReply(
        file=str(place),
        made=made,
        rules_id=rules.rules_id,
        draw=after.draws,
        result=result,
        target=options.target,
        chance=None if odds is None else Share.of(*odds.at_least(least).as_integer_ratio()),
        certainty=certainty_of(rules, None, is_exact=odds is None or odds.is_exact),
        triggers=tuple(
            DrawnTrigger(
                trigger=text,
                fired=fired[number],
                chance=None if odds is None else Share.of(*odds.fires(number).as_integer_ratio()),
            )
            for number, text in enumerate(options.triggers)
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
    """Write a fresh deck to a file, and print it."""
    place, stored = (
        deck_files.deck_path(file),
        StoredDeck.fresh(Rules.read(rules).with_settings(settings), seed),
    )
    deck_files.create(place, stored, force=force)
    _print_deck(place, stored, as_json=as_json)


def show(file: Path | None, *, as_json: bool) -> None:
    """Print what the owner knows of a deck."""
    place = deck_files.deck_path(file)
    _print_deck(place, deck_files.read(place), as_json=as_json)


def shuffle(file: Path | None, *, as_json: bool) -> None:
    """Shuffle a deck with its discard pile, and print it (§5.8)."""
    place = deck_files.deck_path(file)
    after = deck_files.change(place, lambda stored: stored.after(stored.deck.reshuffle()))
    _print_deck(place, after, as_json=as_json)


def peek(file: Path | None, count: int, *, seed: str | None, as_json: bool) -> None:
    """Show the top cards of a deck to its owner, and print it."""
    place = deck_files.deck_path(file)
    after = deck_files.change(
        place, lambda stored: _peek_deck(stored, count, deck_files.make_luck(stored, seed))
    )
    _print_deck(place, after, as_json=as_json)


def _peek_deck(stored: StoredDeck, count: int, luck: Draw) -> StoredDeck:
    """Return the deck after its owner has seen the top cards; luck decides those that are undecided (§5.1)."""
    deck, size = stored.deck, len(stored.deck.deck)
    if count > size:
        raise InputError(
            "bad_count", f"you may peek at 1 to {size} cards, not {count}: no more are there", paragraph="5.1"
        )
    for place in range(count):
        deck = deck.settle(place, deck.next_card(place).sample(luck))
    return stored.after(deck.peek(count, OWNER))


def _print_deck(place: Path, stored: StoredDeck, *, as_json: bool) -> None:
    reply = DeckReply(
        file=str(place),
        rules_id=stored.rules.rules_id,
        draws=stored.draws,
        seed=stored.seed,
        memory=remember(stored.deck, OWNER),
    )
    print_reply(reply, deck_lines(reply, stored.rules), as_json=as_json)


# --- lines ------------------------------------------------------------------------------------------------------------


def deck_lines(reply: DeckReply, rules: Rules) -> Iterator[str]:
    """Yield the lines on a deck as its owner knows it."""
    seed = "" if reply.seed is None else f", practice with the seed {escape_markup(reply.seed)}"
    yield f"[bold]{escape_markup(reply.file)}[/]   {format_count(reply.draws, 'draw')} so far{seed}"
    yield from known_lines(reply.memory, rules)
    yield f"[dim]reshuffled after {format_count(len(reply.memory.deck) - 1, 'more card')}[/]"


def draw_lines(reply: DrawReply, rules: Rules) -> Iterator[str]:
    """Yield the lines with the cards, the result, its chance, and the cards left."""
    if reply.made:
        yield f"a fresh deck is in {escape_markup(reply.file)}"
    result = reply.result
    modifier = f" {format_signed(result.modifier)} = [bold]{result.total}[/]" if result.modifier else ""
    yield f"[bold]{card_row(result.cards, rules)}[/]   value [bold]{result.value}[/]{modifier}"
    yield f"{_describe_success(reply)}   {_format_chance(reply.chance, reply.certainty)}"
    by_cards = Certainty.EXACT if reply.certainty is Certainty.BEFORE_TALENTS else reply.certainty
    for one in reply.triggers:
        fired = "[green]fires[/]" if one.fired else "does not fire"
        yield f"{escape_markup(one.trigger)}: {fired}   {_format_chance(one.chance, by_cards)}"
    if reply.reshuffled:
        yield "[bold]one card was left: the deck was reshuffled[/]"
    yield (
        f"[dim]draw {reply.draw}: {format_count(reply.left, 'card')} left, {reply.discards} discarded"
        f"   {escape_markup(reply.file)}[/]"
    )


def _describe_success(reply: DrawReply) -> str:
    total = reply.result.total
    if reply.target is None:
        return f"{total} or more"
    if reply.result.success:
        return f"[bold green]success[/]: {total} against {reply.target}"
    return f"[bold red]failure[/]: {total} against {reply.target}"


def _format_chance(chance: Share | None, certainty: Certainty) -> str:
    if chance is None:
        return "[dim]too many ways to count which chance that had[/]"
    exact = Fraction(chance.count, chance.total)
    return f"[dim]chance before: {format_percent(exact)} ({describe_certainty(certainty)}: {exact})[/]"
