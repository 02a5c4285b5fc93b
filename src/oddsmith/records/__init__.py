"""A game as text: what was played, under which rules, and a way to play it again.

>>> from oddsmith.records import FORMAT
>>> FORMAT
'oddsmith-record-1'
"""

from oddsmith.bot import Chooser
from oddsmith.driver import PlayedGame, Ply, play
from oddsmith.records.record import (
    FORMAT,
    LARGEST_FILE,
    FindGame,
    Record,
    read_record,
    read_record_file,
)
from oddsmith.records.replaying import replay, retrace, verify

__all__ = [
    "FORMAT",
    "LARGEST_FILE",
    "Chooser",
    "FindGame",
    "PlayedGame",
    "Ply",
    "Record",
    "play",
    "read_record",
    "read_record_file",
    "replay",
    "retrace",
    "verify",
]
