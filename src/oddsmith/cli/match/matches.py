"""`oddsmith matches` and `oddsmith open`: which matches a server has, and one more."""

import shlex
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer

from oddsmith.command_line import AsJson, GameName, RulesFile, Settings
from oddsmith.errors import InputError, MissingExtraError, ServerAwayError, nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oddsmith.client import Client
    from oddsmith.match.model import Clock
    from oddsmith.store.model import Status, Summary

DEFAULT: Final = "http://127.0.0.1:8077"
MOST_SEATS: Final = 100
RETRY_SECONDS: Final = 2.0
"""How long a server may be away before an error is raised."""

Url: TypeAlias = Annotated[str, typer.Option("--url", metavar="URL", help="The address of the server.")]


def require_client() -> None:
    """Raise `MissingExtraError` where the client cannot be imported."""
    try:
        import oddsmith.client  # noqa: F401  only whether it is there
    except ImportError as error:
        raise MissingExtraError(
            "no_client", "a client needs more packages: install oddsmith[client]"
        ) from error


@contextmanager
def reach(url: str) -> "Iterator[Client]":
    """Yield a client of the server at an address; an error of one that is away says how to start one."""
    require_client()
    from oddsmith.client import Client

    with Client(url, retry_seconds=RETRY_SECONDS) as client:
        try:
            yield client
        except ServerAwayError as error:
            sentence = f"{error}: oddsmith serve starts one, --url names another"
            raise ServerAwayError(error.refusal.code, sentence) from error


def list_matches(
    *,
    url: Url = DEFAULT,
    game: Annotated[
        str | None, typer.Option("--game", metavar="GAME", help="Only matches of this game.")
    ] = None,
    status: Annotated[
        str | None,
        typer.Option("--status", metavar="STATUS", help="Only open, playing, over or abandoned ones."),
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", metavar="NUMBER", min=1, max=100, help="How many, up to 100.")
    ] = 50,
    as_json: AsJson = False,
) -> None:
    """List the matches of a server, the last changed first.

    Example: oddsmith matches --status open
    """
    from oddsmith.cli.replies import MatchesReply
    from oddsmith.command_line import console, print_json
    from oddsmith.registry import require_mechanic
    from oddsmith.text import columns, escape_markup

    with reach(url) as client:
        if game is not None and game not in {listed.game for listed in client.games()}:
            require_mechanic(game)
        page = client.matches(game=game, status=_parse_status(status), limit=limit)
    found = page.matches
    if as_json:
        print_json(MatchesReply(server=client.url, matches=found))
        return
    out = console()
    if not found:
        such = "no match" if game is None and status is None else "no such match"
        out.print(f"{such}: [bold]oddsmith open {game or 'GAME'}[/] opens one")
        return
    rows = [("game", "status", "seats", "changed", "match"), *(_cells(match) for match in found)]
    for number, line in enumerate(columns(rows, names=3)):
        out.print(line if number else f"[bold]{line}[/]")
    if page.before is not None:
        out.print(f"[dim]these {len(found)} changed last: --limit lists more, --game and --status others[/]")
    out.print(f"[dim]oddsmith join or watch {escape_markup(client.url)}/matches/MATCH[/]")


def _parse_status(text: str | None) -> "Status | None":
    """Parse the status of matches."""
    from oddsmith.store.model import Status

    if text is not None and text not in {*Status}:
        raise InputError(
            "unknown_status", f"unknown status '{text[:40]}'{nearest(text[:40], Status)}", where="status"
        )
    return None if text is None else Status(text)


def _cells(match: "Summary") -> tuple[str, ...]:
    from oddsmith.text import escape_markup

    seats = ", ".join("free" if name is None else escape_markup(name) for name in match.names)
    status = f"{match.status.value}, practice" if match.practice else match.status.value
    return match.game, status, seats, _ago(match.changed_at), match.match


def _ago(milliseconds: int) -> str:
    """Describe how long ago a time was.

    >>> _ago(0).endswith(" days ago")
    True
    """
    seconds = max(0, int(time.time() - milliseconds / 1000))
    for unit, size in (("days", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds // size:,} {unit} ago"
    return f"{seconds} s ago"


def open_match(
    game: GameName,
    *,
    url: Url = DEFAULT,
    seats: Annotated[
        int | None,
        typer.Option("--seats", metavar="NUMBER", help="How many play; two, where the game allows it."),
    ] = None,
    bots: Annotated[
        list[str] | None,
        typer.Option("--bot", metavar="BOT", help="A bot that takes one of the seats, the last; repeat."),
    ] = None,
    clock: Annotated[
        str | None,
        typer.Option("--clock", metavar="SECONDS[+BANK]", help="Time for each choice, and for the match."),
    ] = None,
    practice: Annotated[
        str | None,
        typer.Option("--practice", metavar="SEED", help="All luck from this seed, for one person and bots."),
    ] = None,
    private: Annotated[
        bool, typer.Option("--private", help="In no list: only people with the address can watch and join.")
    ] = False,
    rules: RulesFile = "default",
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Open a match on a server, and say how to join it.

    Example: oddsmith open casino --seats 2
    """
    from oddsmith.cli.replies import OpenReply
    from oddsmith.command_line import console, print_json
    from oddsmith.registry import find_game
    from oddsmith.text import escape_markup

    found = find_game(game)
    ruleset = found.rules_type.read(rules).with_settings(settings or ())
    known = found.seats(ruleset)
    count = seats if seats is not None else min(max(2, known.start), known.stop - 1)
    held = [None] * (min(count, MOST_SEATS) - len(bots or ())) + [*(bots or ())]
    with reach(url) as client:
        opening = client.open(
            game, held, rules=ruleset, clock=_parse_clock(clock), practice=practice, private=private
        )
    address = f"{client.url}/matches/{opening.match}"
    if as_json:
        print_json(
            OpenReply(
                url=address,
                match=opening.match,
                version=opening.version,
                commitment=opening.commitment,
                practice=opening.practice,
                private=opening.private,
            )
        )
        return
    out = console()
    quoted = escape_markup(shlex.quote(address))
    out.print(f"join    [bold]oddsmith join {quoted}[/]")
    out.print(f"watch   [bold]oddsmith watch {quoted}[/]")
    out.print(
        f"sealed  {opening.commitment}" if practice is None else f"seed    {opening.practice}, for practice"
    )
    if private:
        out.print("private in no list: anyone with the address can watch and join")


def _parse_clock(text: str | None) -> "Clock | None":
    """Parse a clock: seconds for each choice, and after a plus those of the whole match."""
    if text is None:
        return None
    from oddsmith.match.model import MOST_SECONDS, Clock

    each, plus, rest = text.partition("+")
    bank = rest if plus else "0"
    if not (each.isdecimal() and bank.isdecimal() and len(text) < 20):  # noqa: PLR2004  more are too many
        raise InputError("bad_clock", f"a clock is such as 60 or 60+600, not '{text[:40]}'", where="clock")
    if not 1 <= int(each) <= MOST_SECONDS or int(bank) > MOST_SECONDS:
        raise InputError("bad_clock", f"a clock has 1 to {MOST_SECONDS:,} seconds", where="clock")
    return Clock(choice_seconds=int(each), bank_seconds=int(bank))
