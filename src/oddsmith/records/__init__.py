"""Records: played games as text with their rules, and the replay and verification of them.

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
