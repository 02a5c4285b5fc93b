"""Answers about checks: what the next one makes, what abilities add to it, when a trigger fires."""

from collections.abc import Sequence

import msgspec

from oddsmith.cli.fate import show
from oddsmith.cli.fate.reading import Known, read_share, read_triggers
from oddsmith.cli.fate.replies import TriggerReply, TriggerShare
from oddsmith.cli.fate.words import trigger_words
from oddsmith.cli.terminal.charts import require_chart
from oddsmith.cli.terminal.console import console, print_json
from oddsmith.games.fate.advising import abilities_reply
from oddsmith.games.fate.odds import check_odds, fresh_memory
from oddsmith.games.fate.questions import next_check_odds
from oddsmith.games.fate.rules import Rules
from oddsmith.questions import Share

__all__ = ["Check", "abilities", "odds", "trigger"]


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """A check as the command line asks about it."""

    count: int | None
    target: int | None
    modifier: int
    triggers: tuple[str, ...]

    def cards(self, rules: Rules) -> int:
        """Return how many cards are drawn: as many as on turn, unless told."""
        return rules.on_turn if self.count is None else self.count


def odds(known: Known, check: Check, *, share: str, plot: str | None, as_json: bool) -> None:
    """Say exactly what the next check makes."""
    if plot is not None:
        require_chart(plot)
    on_turn, triggers = read_share(share), read_triggers(check.triggers, as_json=as_json)
    rules, memory, count = known.rules, known.memory, check.cards(known.rules)
    reply = next_check_odds(
        memory,
        rules,
        count=count,
        modifier=check.modifier,
        target=check.target,
        texts=check.triggers,
        triggers=triggers,
        share=on_turn,
    )
    if plot is not None:
        from oddsmith.cli.fate.plot import plot_totals

        plot_totals(reply, rules, plot)
    if as_json:
        print_json(reply)
    else:
        console().print("\n".join(show.odds_lines(reply, rules)))


def abilities(known: Known, check: Check, *, as_json: bool) -> None:
    """Rank abilities by what they add to the chance that the next check goes well."""
    read = read_triggers(check.triggers, as_json=as_json)
    rules, memory, count = known.rules, known.memory, check.cards(known.rules)
    reply = abilities_reply(
        memory,
        rules,
        count=count,
        modifier=check.modifier,
        target=check.target,
        text=check.triggers[0] if check.triggers else None,
        trigger=read[0] if read else None,
    )
    if as_json:
        print_json(reply)
    else:
        console().print("\n".join(show.abilities_lines(reply, rules)))


def trigger(text: str, rules_file: str, settings: Sequence[str], *, as_json: bool) -> None:
    """Say a trigger in plain words, and how often it fires."""
    rules = Rules.read(rules_file).changed(settings)
    (read,) = read_triggers([text], as_json=as_json)
    memory = fresh_memory(rules)
    shares = []
    for count in sorted({rules.off_turn, rules.on_turn}):
        fired = check_odds(memory, rules, count=count, triggers=[read]).fires(0)
        shares.append(TriggerShare(cards=count, fires=Share.of(*fired.as_integer_ratio())))
    reply = TriggerReply(rules_id=rules.rules_id, trigger=text, words=trigger_words(read), odds=tuple(shares))
    if as_json:
        print_json(reply)
    else:
        console().print("\n".join(show.trigger_lines(reply)))
