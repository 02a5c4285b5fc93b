"""Drafts of a move, for clients that let people drag cards together before they move (§6).

A draft is a temporary stack (`stacks`), a value that is not part of the state. `drops` has the actions that a drop offers and
checks the moves that clients claim, `dialogs` the moves of a stack and the reasons against others, `actions` the actions and
the names of groups (§3).
"""

from oddsmith.games.casino.claims import Claim, ClaimedBuild, truthful_claim
from oddsmith.games.casino.drafts.actions import Action, ActionKind
from oddsmith.games.casino.drafts.dialogs import Dialog, Unavailable, make_dialog
from oddsmith.games.casino.drafts.drops import (
    Actions,
    DropsReply,
    PossibleDrop,
    claim_objection,
    determine_actions,
    execute,
    possible_drops,
)
from oddsmith.games.casino.drafts.stacks import (
    BuildItem,
    DraggedItem,
    HandCard,
    LooseCard,
    OpenArea,
    StackTarget,
    StagedView,
    Staging,
    Target,
    show_stack,
    stage,
    staged_moves,
    staging_objection,
    unstage,
    visible_stack,
)

__all__ = [
    "Action",
    "ActionKind",
    "Actions",
    "BuildItem",
    "Claim",
    "ClaimedBuild",
    "Dialog",
    "DraggedItem",
    "DropsReply",
    "HandCard",
    "LooseCard",
    "OpenArea",
    "PossibleDrop",
    "StackTarget",
    "StagedView",
    "Staging",
    "Target",
    "Unavailable",
    "claim_objection",
    "determine_actions",
    "execute",
    "make_dialog",
    "possible_drops",
    "show_stack",
    "stage",
    "staged_moves",
    "staging_objection",
    "truthful_claim",
    "unstage",
    "visible_stack",
]
