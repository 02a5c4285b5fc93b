"""Terminal play of duels of all kinds: team duels by `team_play`, others by `play`."""

from collections.abc import Iterable, Iterator, Sequence

from oddsmith.game import Event
from oddsmith.games.duel.model import Action
from oddsmith.games.duel.team_model import AnyAction, SelectTarget
from oddsmith.games.duel.team_views import AnyView, TeamView
from oddsmith.games.duel.terminal import play, team_play
from oddsmith.terminal import Reply


def event_lines(events: Iterable[Event], view: AnyView) -> Iterator[str]:
    """Yield lines on what happened."""
    return (
        team_play.event_lines(events, view) if isinstance(view, TeamView) else play.event_lines(events, view)
    )


def state_lines(view: AnyView) -> Iterator[str]:
    """Yield lines with the hit points, and the cards that the viewer sees."""
    return team_play.state_lines(view) if isinstance(view, TeamView) else play.state_lines(view)


def choice_lines(view: AnyView, actions: Sequence[AnyAction]) -> Iterator[str]:
    """Yield a line with the keys."""
    if isinstance(view, TeamView):
        return team_play.choice_lines(view, actions)
    return play.choice_lines(view, _of_duel(actions))


def read_answer(answer: str, view: AnyView, actions: Sequence[AnyAction]) -> AnyAction | Reply:
    """Return the action of an answer, or a reply; raise `IllegalMove` if it is illegal."""
    if isinstance(view, TeamView):
        return team_play.read_answer(answer, view, actions)
    return play.read_answer(answer, view, _of_duel(actions))


def _of_duel(actions: Sequence[AnyAction]) -> Sequence[Action]:
    return [action for action in actions if not isinstance(action, SelectTarget)]
